// A game as a link, as a text and in SGF (FF[4], GM[14], Philosopher's Football).
//
// SGF has no agreed notation for Phutball. Here the board is SZ[columns:rows], a square one
// SZ[size]. AB holds the stones and AW the ball at the start; B and W are the turns of Left (Alfred)
// and Right (Betty): a point for a stone, or the ball's point followed by those where it lands. A ball
// that leaves the board has no last point. Points are a column and a row, from the top left.

import { address, restore } from "./address.js";
import { notation } from "./games.js";
import { state } from "./state.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Tells if SGF has letters for every point of a board. */
export const fitsSgf = ({ game, columns, rows }) => !game.impartial && columns <= LETTERS.length && rows <= LETTERS.length;

/** Returns a line for each position, its notation and the turn that led there, and the game's address. */
export function asText(steps, link) {
  const lines = steps.map(({ at, turn, by }, number) => `${number ? `${number}. ${at.game.names[by]}: ${turn}` : "start"}\t${at.winner === null ? notation(at) : `${at.game.names[at.winner]} has won`}`);
  return `${lines.join("\n")}\nlink\t${link}\n`;
}

/** Returns the game in SGF, with its address as the comment on the game. */
export function asSgf(steps, link) {
  const { at } = steps[0];
  const point = (square) => LETTERS[square % at.columns] + LETTERS[Math.floor(square / at.columns)];
  const stones = [...at.cells].flatMap((symbol, square) => (symbol === "o" ? [`[${point(square)}]`] : [])).join("");
  const end = steps.at(-1).at.winner;
  const size = at.columns === at.rows ? at.rows : `${at.columns}:${at.rows}`;
  const head = `GM[14]FF[4]CA[UTF-8]AP[phutbase]SZ[${size}]PB[${at.game.names[0]}]PW[${at.game.names[1]}]PL[${"BW"[at.side]}]GC[${link}]`;
  const turns = steps.slice(1).map(({ by, path, rings }) => {
    const squares = path.length ? path.filter((stop) => typeof stop === "number") : rings;
    return `;${"BW"[by]}[${squares.map(point).join("")}]`;
  });
  return `(;${head}${end === null ? "" : `RE[${"BW"[end]}+]`}${stones ? `AB${stones}` : ""}AW[${point(at.game.ball(at))}]\n${turns.join("\n")})\n`;
}

/** Has the browser save a text as a file. */
function save(name, text, type) {
  const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Saves the game as `write` has it. */
export function saveGame(ending, write, type) {
  const steps = state.entry.record.map((one) => ({ path: [], rings: [], ...one, at: restore(one) }));
  save(`phutball.${ending}`, write(steps, location.origin + address(state.entry, true)), type);
}

/** Copies the address of the position or of the whole game; leaves it in the address bar. */
export async function share(button, whole) {
  history.replaceState(state.entry, "", address(state.entry, whole));
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    // The browser denies access to the clipboard.
    button.textContent = "Copy it from the address bar";
  }
  setTimeout(() => (button.textContent = "Copy link"), 1500);
}
