// What the page knows, and what follows from it.

import { same } from "./games.js";
import { name } from "./words.js";

export const $ = (id) => document.getElementById(id);

export const state = {
  /** What the address and the history hold: index, mode, you, level, record; a record's last step is the position. */
  entry: null,
  at: null,
  answer: null,
  problem: null,
  waiting: false,
  turns: [],
  /** The best line that is stepped through: its turns, the positions before and after each. */
  line: null,
  /** The jump that is being made: whether the ball is chosen, and its hops so far. */
  chosen: false,
  hops: [],
  /** A turn that is pointed at. */
  pointed: null,
  tables: [],
  /** The last entry that one can go forward to. */
  last: 0,
};

export const playing = () => state.entry.mode === "play";
export const yours = () => !playing() || state.at.side === state.entry.you;
export const ready = () => !state.waiting && state.at.winner === null && yours();
export const called = (at, side) => (playing() && side === state.entry.you ? "You" : name(at, side));

/** The board as it is shown: hops that were made count. */
export const current = () => state.hops.reduce((here, hop) => here.game.after(here, hop), state.at);

/** How many turns of the line are played; null if the position is not on it. */
export function onLine() {
  const found = state.line ? state.line.places.findIndex((place) => same(place, state.at)) : -1;
  return found < 0 ? null : found;
}

export function say(words) {
  $("said").textContent = words;
}
