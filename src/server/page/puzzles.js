// The puzzles: boards on which only one turn wins, and the one of the day.

import { ask } from "./ask.js";
import { parse } from "./games.js";
import { picture } from "./picture.js";
import { plies } from "./words.js";

const DAY = 24 * 60 * 60 * 1000;

/** Returns the address of a game that starts with a puzzle, numbered from 1. */
const address = ({ position }, number) => `./?mode=play&position=${position}&side=left&you=left&level=0&puzzle=${number}`;

/** Returns the puzzle's picture and depth, as a link to a game. */
function card(puzzle, number) {
  const link = document.createElement("a");
  const words = `Puzzle ${number}: win in ${plies(puzzle.depth)}`;
  link.href = address(puzzle, number);
  link.className = "puzzle";
  link.append(picture(parse(puzzle.position), { label: puzzle.position }), words);
  return link;
}

/** Returns the number of the day's puzzle, by the local date. */
function today(count, now = new Date()) {
  return (Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY) % count) + 1;
}

try {
  const puzzles = await ask("page/puzzles.json");
  const number = today(puzzles.length);
  document.getElementById("daily").append(card(puzzles[number - 1], number));
  document.getElementById("puzzles").append(...puzzles.map((puzzle, place) => {
    const item = document.createElement("li");
    item.append(card(puzzle, place + 1));
    return item;
  }));
} catch (error) {
  Object.assign(document.getElementById("problem"), { hidden: false, textContent: error.message });
}
