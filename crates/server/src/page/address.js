// Entries of the browser's history, and their addresses. An entry has its index, the mode, the side
// that the visitor plays, the level, the number of the puzzle or lesson if it is one, the record of the
// positions of the game so far, and the number of the position shown (the last by default).

import { ask } from "./ask.js";
import { GAMES, LONGEST_STRIP, gameNamed, parse, sideNamed } from "./games.js";
import { LEVELS } from "./play.js";
import { shownNumber } from "./state.js";
import { shortened } from "./words.js";

export const step = (at, more = {}) => ({ game: at.game.id, text: at.game.write(at), side: at.side, winner: at.winner, ...more });

export function restore({ game, text, side, winner }) {
  return { ...gameNamed(game).parse(text), side, winner };
}

/** Returns the address of an entry; for a finished game, of the last position before the end. */
export function address(entry) {
  const at = restore(entry.record.slice(0, shownNumber(entry) + 1).findLast((one) => one.winner === null) ?? entry.record[0]);
  const { game } = at;
  // '@', ':' and '/' are legal in a query; unescaped they are easier to read.
  const plain = encodeURIComponent(game.write(at)).replace(/%(40|3A|2F)/g, decodeURIComponent);
  const parts = [`game=${game.id}`, `mode=${entry.mode}`, `position=${plain}`, `side=${game.names[at.side].toLowerCase()}`];
  if (entry.mode === "play") parts.push(`you=${game.names[entry.you].toLowerCase()}`, `level=${entry.level}`);
  for (const task of ["puzzle", "lesson"]) if (entry.mode === "play" && entry[task]) parts.push(`${task}=${entry[task]}`);
  return `${location.pathname}?${parts.join("&")}`;
}

/** Returns the entry for the browser's address, or throws an error that says why there is none. */
export function fromAddress() {
  const given = new URLSearchParams(location.search);
  const entry = { index: 0, mode: given.get("mode") ?? (given.has("position") ? "explore" : "play"), you: 0, level: 0 };
  if (!["play", "explore"].includes(entry.mode)) throw new Error(`mode '${entry.mode}': write play or explore`);
  const wanted = given.get("game");
  if (wanted && !gameNamed(wanted)) throw new Error(`game '${wanted}': write ${GAMES.map(({ id }) => id).join(", ")}`);
  const text = given.get("position") ?? (wanted ? gameNamed(wanted).first : GAMES[0].first);
  const at = sided(text, given.get("side"));
  if (wanted && at.game.id !== wanted) throw new Error(`game '${wanted}': position '${text}' is of the game ${at.game.id}`);
  if (given.has("you")) entry.you = side(at.game, given.get("you"));
  else if (given.has("position")) entry.you = at.side;
  if (given.has("level")) entry.level = Number(given.get("level"));
  if (!LEVELS[entry.level]) throw new Error(`level '${given.get("level")}': write a number from 0 to ${LEVELS.length - 1}`);
  for (const task of ["puzzle", "lesson"]) if (/^\d{1,3}$/.test(given.get(task) ?? "")) entry[task] = Number(given.get(task));
  return { ...entry, record: [step(at)] };
}

export function sided(text, word) {
  const at = parse(text) ?? unreadable(text, word);
  if (!word) return at;
  const mover = side(at.game, word);
  if (!at.game.impartial && /\s/.test(text.trim())) {
    if (mover !== at.side) throw new Error(`side '${word}': position '${text}' already names the player to move`);
  }
  return parse(at.game.write(at), mover);
}

function side(game, word) {
  const found = sideNamed(game, word);
  if (found === null) throw new Error(`side '${word}': write ${game.names.join(" or ").toLowerCase()}`);
  return found;
}

/** Throws an error for a text that the page cannot parse; the server's answer explains it. */
function unreadable(text, word) {
  throw Object.assign(new Error(`'${text}' is not a position`), { text, word });
}

/** Boards that the page does not play and those that it does, by the game in the server's answer. */
const NOT_PLAYED = {
  strip: [`strips of more than ${LONGEST_STRIP} squares`, `It plays strips of 3 to ${LONGEST_STRIP} squares.`],
  pitch: ["pitches of this size", "It plays pitches that a table holds."],
  obstruction: ["such boards of Obstruction", "It plays rectangles of up to 128 squares."],
  oddish: ["Oddish Phutball", "It plays strips, pitches and Obstruction."],
};

/** Returns a title and the server's explanation for a text that the page cannot parse. */
export async function explain(error) {
  if (error.text === undefined) return ["Invalid position", shortened(error.message)];
  try {
    const { game, value } = await ask(`api/probe?position=${encodeURIComponent(error.text)}${error.word ? `&side=${encodeURIComponent(error.word)}` : ""}`);
    const [boards, others] = NOT_PLAYED[game] ?? [game, ""];
    return ["Not played here", shortened(`The page does not play ${boards}. ${others} '${error.text}' is a ${value} for the player to move.`)];
  } catch (refusal) {
    return [refusal.status === 400 ? "Invalid position" : "No value", shortened(refusal.message)];
  }
}
