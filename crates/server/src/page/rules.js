// Adds the boards to the rules: a picture after each turn, and a game with best play.

import { ask, boardAfter, question } from "./ask.js";
import { parse, turnsFrom } from "./games.js";
import { turnPicture } from "./picture.js";
import { describe, name } from "./words.js";

// An item without its own position continues the one before.
let board;
for (const item of document.querySelectorAll(".turns [data-move]")) {
  const { move, position } = item.dataset;
  if (position) board = parse(position);
  const words = document.createElement("p");
  words.append(...item.childNodes);
  const { played, turns } = await boardAfter(board, [move]);
  const [turn] = turnsFrom(board, played);
  item.append(turnPicture(board, turn, words.textContent, turns.flatMap(({ squares }) => squares)), words);
  board = turn.after;
}

for (const list of document.querySelectorAll(".turns.best")) {
  let at = parse(list.dataset.position);
  const { line } = await ask(question(at));
  const { played } = await boardAfter(at, line.map(({ move }) => move));
  for (const turn of turnsFrom(at, played)) {
    const item = document.createElement("li");
    const words = `${name(at, at.side)}: ${describe(at, turn)}${turn.after.winner === null ? "" : `. ${name(at, turn.after.winner)} has won`}`;
    item.append(turnPicture(at, turn, words), Object.assign(document.createElement("p"), { textContent: words }));
    list.append(item);
    at = turn.after;
  }
}
