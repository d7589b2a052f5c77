// The list of lessons and puzzles, the puzzle of the day, and marks on solved ones.

import { ask } from "./ask.js";
import { parse } from "./games.js";
import { picture, text } from "./picture.js";
import { LESSONS, dayName, daysInARow, mark, taskAddress } from "./tasks.js";
import { plies } from "./words.js";

/** The most squares of a picture that shares its row with others. */
const NARROW = 36;

const $ = (id) => document.getElementById(id);

/** Returns a task's picture and words, as a link to a game; solved ones are marked. */
function card(kind, { position }, number, words) {
  const link = document.createElement("a");
  link.href = taskAddress(kind, position, number);
  link.className = "puzzle";
  link.append(picture(parse(position), { label: position }), words);
  const marked = mark(position);
  if (marked) link.append(text("b", "solved", marked));
  return link;
}

function puzzleCard(puzzle, number, name) {
  const { depth, position } = puzzle;
  return card("puzzle", puzzle, number, `${name}: win ${depth ? `in ${plies(depth)}` : `on ${position.length} squares`}`);
}

const items = (cards, tasks) => cards.map((one, place) => {
  const item = text("li", tasks[place].position.length > NARROW ? "long" : "", "");
  item.append(one);
  return item;
});

/** Shows the puzzle of the day and the days on which it was solved. */
async function showDaily() {
  const puzzle = await ask("api/puzzle");
  const date = dayName(puzzle.day);
  const name = new Date(date).toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
  $("daily").append(puzzleCard(puzzle, date, name));
  const days = daysInARow(puzzle.day);
  $("streak").textContent = `Your streak: ${days === 1 ? "1 day" : `${days} days`}.`;
}

async function showList() {
  const puzzles = await ask("page/puzzles.json");
  $("puzzles").append(...items(puzzles.map((puzzle, place) => puzzleCard(puzzle, place + 1, `Puzzle ${place + 1}`)), puzzles));
  const marks = puzzles.map(({ position }) => mark(position)).filter(Boolean);
  const hints = marks.filter((one) => one.endsWith("hint")).length;
  $("count").textContent = `You have solved ${marks.length} of ${puzzles.length}${hints ? `, ${hints} with a hint` : ""}.`;
}

$("lessons").append(...items(LESSONS.map((lesson, place) => card("lesson", lesson, place + 1, `${place + 1}. ${lesson.title}`)), LESSONS));

const failed = (error) => Object.assign($("problem"), { hidden: false, textContent: error.message });
showDaily().catch(failed);
showList().catch(failed);
