// The turn of a player who loses and whose table has no depths.

import { ask, question } from "./ask.js";

/** Turns considered: those that end nearest to the ball, as long as the time lasts. Each costs one request. */
const [TURNS, MILLISECONDS] = [24, 2000];

/** Returns the turn after which the opponent has the fewest winning answers; the first of several. */
export async function hardestToBeat(at, turns) {
  const ball = at.game.ball(at);
  const distance = ({ squares }) => Math.abs((squares.at(-1) ?? ball) - ball);
  const open = turns.filter(({ after }) => after.winner === null).sort((one, other) => distance(one) - distance(other));
  const end = performance.now() + MILLISECONDS;
  let [found, fewest] = [open[0] ?? turns[0], Infinity];
  for (const turn of open.slice(0, TURNS)) {
    if (performance.now() > end) break;
    const answers = await winningAnswers(turn.after);
    if (answers < fewest) [found, fewest] = [turn, answers];
  }
  return found;
}

/** Counts the winning turns of a position; Infinity if the server does not answer. */
async function winningAnswers(at) {
  try {
    return (await ask(question(at, false))).turns.filter(({ value }) => value === "win").length;
  } catch {
    return Infinity;
  }
}
