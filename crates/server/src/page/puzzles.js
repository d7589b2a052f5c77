// The list of lessons and puzzles, the puzzle of the day, and marks on solved ones.

import { ask } from "./ask.js";
import { parse } from "./games.js";
import { picture, text } from "./picture.js";
import { LESSONS, solved, taskAddress } from "./tasks.js";
import { plies } from "./words.js";

const DAY = 24 * 60 * 60 * 1000;

const done = solved();

/** Returns a task's picture and words, as a link to a game; solved ones are marked. */
function card(kind, { position }, number, words) {
  const link = document.createElement("a");
  link.href = taskAddress(kind, position, number);
  link.className = "puzzle";
  link.append(picture(parse(position), { label: position }), words);
  if (done.has(position)) link.append(text("b", "solved", "✓ Solved"));
  return link;
}

const puzzleCard = (puzzle, number) => card("puzzle", puzzle, number, `Puzzle ${number}: win in ${plies(puzzle.depth)}`);

const items = (cards) => cards.map((one) => {
  const item = document.createElement("li");
  item.append(one);
  return item;
});

/** Returns the number of the day's puzzle, by the local date. */
function today(count, now = new Date()) {
  return (Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY) % count) + 1;
}

document.getElementById("lessons").append(...items(LESSONS.map((lesson, place) => card("lesson", lesson, place + 1, `${place + 1}. ${lesson.title}`))));

try {
  const puzzles = await ask("page/puzzles.json");
  const number = today(puzzles.length);
  document.getElementById("daily").append(puzzleCard(puzzles[number - 1], number));
  document.getElementById("puzzles").append(...items(puzzles.map((puzzle, place) => puzzleCard(puzzle, place + 1))));
  document.getElementById("count").textContent = `You have solved ${puzzles.filter(({ position }) => done.has(position)).length} of ${puzzles.length}.`;
} catch (error) {
  Object.assign(document.getElementById("problem"), { hidden: false, textContent: error.message });
}
