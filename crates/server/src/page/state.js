// The state of the page.

import { same } from "./games.js";
import { name } from "./words.js";

export const $ = (id) => document.getElementById(id);

export const state = {
  /** The history entry (see address.js). */
  entry: null,
  at: null,
  /** The server's board: its turns, its halves or parts (see /api/board). */
  board: null,
  answer: null,
  problem: null,
  /** True if the server refuses the position, so that the program cannot play it. */
  refused: false,
  waiting: false,
  turns: [],
  /** Jumps by another path to the board of a turn, which has the name `same`. */
  detours: [],
  /** The best line: its turns, the positions around them, and its first step in the record. */
  line: null,
  /** True if the ball is selected; the unfinished jump, which is a turn if it ends now. */
  chosen: false,
  jump: null,
  /** The turn under the pointer, or the hint. */
  pointed: null,
  /** On a strip explored, the turn under the cursor, and the answer for the position after it. */
  aimed: null,
  /** A best turn of that strip, with the same. */
  best: null,
  /** True if a hint has shown who wins. */
  hinted: false,
  /** True if the address names no position. */
  invalid: false,
  /** Timer of the running line. */
  running: null,
  tables: [],
  /** Boards of unknown value: the sizes of pitches that no table has. */
  unsolved: new Set(),
  /** Index of the last entry of the history. */
  last: 0,
};

/** The page's actions, which page.js fills in. */
export const acts = {};

export const shownNumber = (entry = state.entry) => entry.shown ?? entry.record.length - 1;
export const shownStep = (entry = state.entry) => entry.record[shownNumber(entry)];

/** The entry of the last game, which the tab keeps through Explore and the other pages. */
let game = null;

export function keepGame(entry) {
  game = { ...entry, shown: undefined, before: undefined };
  try {
    sessionStorage.setItem("game", JSON.stringify(game));
  } catch {
    // The game is lost with the page.
  }
}

export function keptGame() {
  try {
    return game ?? JSON.parse(sessionStorage.getItem("game"));
  } catch {
    return null;
  }
}

/** Returns the number of the visitor's last turn in the record, or -1; of two people any turn is one. */
export const lastTurn = ({ record, you } = state.entry) => record.findLastIndex(({ by }) => by === (you ?? by) && by !== undefined);

export const playing = () => state.entry.mode === "play";
/** True if two people play at one board. */
export const isShared = () => playing() && state.entry.you === null;
export const yours = () => !playing() || isShared() || state.at.side === state.entry.you;
const sizeOf = (at) => `${at.game.id} ${at.game.size(at)}`;
export const isUnsolved = (at) => state.unsolved.has(sizeOf(at));
export const markUnsolved = (at) => state.unsolved.add(sizeOf(at));
export const ready = () => !state.waiting && !(playing() && state.refused) && state.at.winner === null && yours();
export const called = (at, side) => (playing() && side === state.entry.you ? "You" : name(at, side));

/** Returns the board with the unfinished jump. */
export const current = () => (state.jump ? { ...state.jump.after, side: state.at.side, winner: null } : state.at);

/** Returns the squares where a mark may be put; none at the end of a game. */
export const freeSquares = () => (state.board?.turns ?? []).flatMap(({ squares }) => squares);

/** Returns the jumps that go on from the unfinished one, by the stop where they end; of several the shortest. */
export function reach() {
  const begun = state.jump?.stops ?? [];
  const goesOn = ({ kind, stops }) => kind === "jump" && stops.length > begun.length && begun.every((stop, number) => stop === stops[number]);
  const found = new Map();
  for (const turn of [...state.turns, ...state.detours].filter(goesOn).sort((one, other) => one.stops.length - other.stops.length)) {
    if (!found.has(turn.stops.at(-1))) found.set(turn.stops.at(-1), turn);
  }
  return found;
}

/** Returns the number of turns of the line played so far; null if the position is not on it. */
export function onLine() {
  const found = state.line ? state.line.places.findIndex((place) => same(place, state.at)) : -1;
  return found < 0 ? null : found;
}

export function say(words) {
  $("said").textContent = words;
}
