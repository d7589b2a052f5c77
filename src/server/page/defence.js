// The turn of a player who loses and whose table has no depths.

import { probe } from "./ask.js";

/** Stones considered: those nearest to the ball. Each costs one request. */
const STONES = 24;

/** Returns the turn after which the opponent has the fewest winning answers; the first of several. */
export async function hardestToBeat(at, turns) {
  const ball = at.game.ball(at);
  const near = (one, other) => Math.abs(one.to - ball) - Math.abs(other.to - ball);
  const stones = turns.filter(({ kind }) => kind === "place").sort(near).slice(0, STONES);
  const open = [...turns.filter(({ kind }) => kind === "jump"), ...stones].filter(({ after }) => after.winner === null);
  let [found, fewest] = [open[0] ?? turns[0], Infinity];
  for (const turn of open) {
    const answers = await winningAnswers(turn.after);
    if (answers < fewest) [found, fewest] = [turn, answers];
  }
  return found;
}

/** Counts the winning turns of a position; Infinity if the server does not answer. */
async function winningAnswers(at) {
  try {
    return (await probe(at, false)).moves.filter(({ value }) => value === "win").length;
  } catch {
    return Infinity;
  }
}
