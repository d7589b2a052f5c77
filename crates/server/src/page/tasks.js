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

const PLACE = "solved";

/** Returns the positions of the tasks that the visitor has solved. */
export function solved() {
  try {
    return new Set(JSON.parse(localStorage.getItem(PLACE) ?? "[]"));
  } catch {
    // Without local storage no task is marked.
    return new Set();
  }
}

export function markSolved(position) {
  try {
    localStorage.setItem(PLACE, JSON.stringify([...solved().add(position)]));
  } catch {
    // The mark is lost with the page.
  }
}

/** Returns the address of a game that starts with a task. `kind` is puzzle or lesson. */
export const taskAddress = (kind, position, number) => `./?mode=play&position=${position}&side=left&you=left&level=0&${kind}=${number}`;

const LISTS = { lesson: async () => LESSONS, puzzle: () => ask("page/puzzles.json") };

/** Returns kind, number, title, instruction and praise of an entry's task; null if it has none. */
export function taskOf({ puzzle, lesson }) {
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
