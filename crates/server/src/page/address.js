// Entries of the browser's history, and their addresses. An entry has its index, the mode, the side
// that the visitor plays (null: two people play at one board), the level, the number or day of the
// puzzle or lesson if it is one, the record of the positions of the game so far, the number of the
// position shown (the last by default), and if the entry before it is the same game without the
// visitor's last turn (`before`).

import { boardAfter, post } from "./ask.js";
import { GAMES, LONGEST_STRIP, gameNamed, notation, parse, sideNamed, turnsFrom } from "./games.js";
import { drawnAs } from "./picture.js";
import { LEVELS } from "./play.js";
import { shownNumber } from "./state.js";
import { describe, shortened } from "./words.js";

export const step = (at, more = {}) => ({ game: at.game.id, text: at.game.write(at), side: at.side, winner: at.winner, ...more });

/** Returns the step that a turn leads to. */
export const stepAfter = (at, turn, more = {}) => step(turn.after, { ...drawnAs(at, turn), by: at.side, turn: describe(at, turn), move: turn.move, ...more });

export function restore({ game, text, side, winner }) {
  return { ...gameNamed(game).parse(text), side, winner };
}

/**
 * Returns the address of an entry: of its game from the first position if `whole`, otherwise of the
 * position shown, or the last one before the end.
 */
export function address(entry, whole = false) {
  const at = restore(whole ? entry.record[0] : entry.record.slice(0, shownNumber(entry) + 1).findLast((one) => one.winner === null) ?? entry.record[0]);
  const { game } = at;
  // '@', ':' and '/' are legal in a query; unescaped they are easier to read.
  const plain = encodeURIComponent(game.write(at)).replace(/%(40|3A|2F)/g, decodeURIComponent);
  const parts = [`game=${game.id}`, `mode=${entry.mode}`, `position=${plain}`, `side=${game.names[at.side].toLowerCase()}`];
  if (entry.mode === "play") parts.push(...(entry.you === null ? ["you=both"] : [`you=${game.names[entry.you].toLowerCase()}`, `level=${entry.level}`]));
  for (const task of ["puzzle", "lesson"]) if (entry.mode === "play" && entry[task]) parts.push(`${task}=${entry[task]}`);
  if (whole) parts.push(`turns=${entry.record.slice(1).map(({ move }) => move).join(",")}`);
  return `${location.pathname}?${parts.join("&")}`;
}

/** Returns the entry for the query of an address, or throws an error that says why there is none. */
export async function fromAddress(query) {
  const given = new URLSearchParams(query);
  const entry = { index: 0, mode: given.get("mode") ?? (given.has("position") ? "explore" : "play"), you: 0, level: given.has("position") ? 0 : LEVELS.length - 1 };
  if (!["play", "explore"].includes(entry.mode)) throw new Error(`mode '${entry.mode}': write play or explore`);
  const wanted = given.get("game");
  if (wanted && !gameNamed(wanted)) throw new Error(`game '${wanted}': write ${GAMES.map(({ id }) => id).join(", ")}`);
  const text = given.get("position") ?? (wanted ? gameNamed(wanted).first : GAMES[0].first);
  const at = sided(text, given.get("side"), gameNamed(wanted));
  if (wanted && at.game.id !== wanted) throw new Error(`game '${wanted}': position '${text}' is of the game ${at.game.id}`);
  if (given.get("you") === "both") entry.you = null;
  else if (given.has("you")) entry.you = side(at.game, given.get("you"));
  else if (given.has("position")) entry.you = at.side;
  if (given.has("level")) entry.level = Number(given.get("level"));
  if (!LEVELS[entry.level]) throw new Error(`level '${given.get("level")}': write a number from 0 to ${LEVELS.length - 1}`);
  for (const task of ["puzzle", "lesson"]) if (/^\d{1,3}$/.test(given.get(task) ?? "")) entry[task] = Number(given.get(task));
  // A puzzle of a day has its date.
  if (/^\d{4}-\d\d-\d\d$/.test(given.get("puzzle") ?? "")) entry.puzzle = given.get("puzzle");
  const turns = given.get("turns")?.split(",") ?? [];
  const { played } = turns.length || at.game.impartial ? await boardAfter(at, turns) : { played: [] };
  return { ...entry, record: [step(at), ...steps(at, turnsFrom(at, played))] };
}

/** Returns the steps of turns that follow each other, with more about each. */
export const steps = (at, turns, more = () => ({})) => turns.map((turn, number) => stepAfter(number ? turns[number - 1].after : at, turn, more(number)));

/** An address of a game, also inside a saved file. */
export const LINK = /\?\S*turns=[^\s\]]*/;

/** Adds to the record of a game opened the values of its positions. */
export async function valued(entry) {
  if (entry.record.length === 1) return entry;
  const positions = entry.record.map((one) => notation(restore(one)));
  const answers = await post(`api/batch?${restore(entry.record[0]).game.rulesAsked}`, JSON.stringify({ positions })).catch(() => []);
  const answer = ({ value, depth } = {}) => value && { value, depth };
  return { ...entry, record: entry.record.map((one, number) => ({ ...one, answer: answer(answers[number]) })) };
}

/** Returns a position with its side, read as a board of `game` if it is one. */
export function sided(text, word, game) {
  const at = parse(text, null, game) ?? unreadable(text, word);
  if (!word) return at;
  const mover = side(at.game, word);
  if (!at.game.impartial && /\s/.test(text.trim())) {
    if (mover !== at.side) throw new Error(`side '${word}': position '${text}' already names the player to move`);
  }
  return parse(at.game.write(at), mover, at.game);
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
    // In a batch: the browser logs a refused request, but not a refused line.
    const side = /\s/.test(error.text.trim()) ? "" : (/^[LRAB]/i.exec(error.word)?.[0] ?? "");
    const [{ game, value, error: problem }] = await post("api/batch", JSON.stringify({ positions: [`${error.text} ${side.toUpperCase()}`.trim()] }));
    if (problem) return ["Invalid position", shortened(problem)];
    const [boards, others] = NOT_PLAYED[game] ?? [game, ""];
    return ["Not played here", shortened(`The page does not play ${boards}. ${others} '${error.text}' is a ${value} for the player to move.`)];
  } catch (refusal) {
    return ["No value", shortened(refusal.message)];
  }
}
