// Tasks: puzzles and lessons, boards on which only one turn wins, and those that the visitor has solved.

import { ask } from "./ask.js";

/** The first lesson. `task` and `done` are shown before and after the winning turn. */
export const LESSONS = [
  {
    position: ".oo@oo.",
    title: "Jump",
    task: "Jump to Left's goal on the right, which is yours, before Right jumps to the other. Select the ball, then the marked square.",
    done: "The ball has jumped to your goal line, and you have won. Stones that are jumped over are removed.",
  },
  {
    position: "o@oo..o.",
    title: "Jump away",
    task: "Right threatens to jump over the stone on 0. No stone stops a jump: bring the ball out of reach.",
    done: "Right cannot jump now, and the stones that you jumped over are gone. You can play on: you win.",
  },
  {
    position: "..@..o.",
    title: "Win in 3 plies",
    task: "Place a stone so that on your next turn you jump home, twice in one turn if needed.",
    done: "Right cannot stop you: jump home on your next turn.",
  },
];

const DAY = 24 * 60 * 60 * 1000;

/** Returns the value that the browser keeps under a name; null if there is none, or it is not JSON. */
function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    // Without local storage no task is marked.
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The mark is lost with the page.
  }
}

/** Returns the positions kept under a name: nothing of a value that another program has left there. */
function positions(name) {
  const found = kept(name);
  return new Set(Array.isArray(found) ? found.filter((one) => typeof one === "string") : []);
}

/** Returns the positions of the tasks that the visitor has solved. */
export const solved = () => positions("solved");

/** Returns the mark of a task, which tells if a hint came before the solution; nothing if it is not solved. */
export function mark(position) {
  if (!solved().has(position)) return "";
  return positions("hinted").has(position) ? "✓ Solved with a hint" : "✓ Solved";
}

/** Notes that the values of the turns of an unsolved task have been shown. */
export function markHinted(entry) {
  const position = entry.record[0].text;
  if (taskOf(entry) && !solved().has(position)) keep("hinted", [...positions("hinted").add(position)]);
}

export function markSolved(entry) {
  const position = entry.record[0].text;
  keep("solved", [...solved().add(position)]);
  if (isOfDay(entry.puzzle)) countDay(Date.parse(entry.puzzle) / DAY, !positions("hinted").has(position));
}

/** Returns the name of a day that the server counts from 1970-01-01: '2026-11-30'. */
export const dayName = (day) => new Date(day * DAY).toISOString().slice(0, 10);

/** True if a puzzle has the name of its day, not a number. */
const isOfDay = (puzzle) => typeof puzzle === "string";

/** Returns the last day of the streak and its number of days, which is 0 after a hint. */
function streak() {
  const { day, days } = kept("streak") ?? {};
  const fits = Number.isInteger(day) && Number.isInteger(days) && days >= 0 && days <= day && day * DAY <= Date.now() + DAY;
  return fits ? { day, days } : { day: -1, days: 0 };
}

/** Returns the number of days in a row until today or yesterday on which the puzzle of the day was solved. */
export function daysInARow(today) {
  const { day, days } = streak();
  return day >= today - 1 ? days : 0;
}

/** Counts a day once; a puzzle that is open at midnight counts for its own day. */
function countDay(day, alone) {
  const [before, age] = [streak(), Date.now() / DAY - day];
  if (!(day > before.day && age > -1 && age < 2)) return;
  keep("streak", { day, days: alone ? 1 + (day === before.day + 1 ? before.days : 0) : 0 });
}

/** Returns the address of a game that starts with a task. `kind` is puzzle or lesson; a puzzle of a day has its name as `number`. */
export const taskAddress = (kind, position, number) => `./?mode=play&position=${position}&side=left&you=left&level=0&${kind}=${number}`;

const LISTS = { lesson: async () => LESSONS, puzzle: () => ask("page/puzzles.json") };

/** Returns kind, number, title, instruction and praise of an entry's task; null if it has none. */
export function taskOf({ puzzle, lesson }) {
  if (isOfDay(puzzle)) return { kind: "puzzle", number: puzzle, title: `Puzzle of ${puzzle}`, task: "Only one turn wins. Find it.", done: "Solved: that is the only winning turn." };
  if (puzzle) return { kind: "puzzle", number: puzzle, title: `Puzzle ${puzzle}`, task: `Puzzle ${puzzle}: only one turn wins. Find it.`, done: "Solved: that is the only winning turn." };
  const found = LESSONS[lesson - 1];
  return found ? { kind: "lesson", number: lesson, title: `Lesson ${lesson}`, task: found.task, done: `Solved. ${found.done}` } : null;
}

/** Returns words and address of the task after this one: the next of its kind, or the first unsolved puzzle. */
export async function nextTask({ kind, number }) {
  const next = (await LISTS[kind]())[number];
  if (next) return [`Next ${kind}`, taskAddress(kind, next.position, number + 1)];
  const [puzzles, done] = [await LISTS.puzzle(), solved()];
  const open = puzzles.findIndex(({ position }) => !done.has(position));
  return open < 0 ? ["All puzzles are solved", "puzzles"] : [`Puzzle ${open + 1}`, taskAddress("puzzle", puzzles[open].position, open + 1)];
}
