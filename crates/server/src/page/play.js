// The program's choice of turns, and the assessment of the visitor's.

import { describe, plies } from "./words.js";

/** Shares of turns that keep the value but not the depth (`slow`) or lose value (`lose`). */
export const LEVELS = [
  { name: "Perfect", line: "perfect play", slow: 0, lose: 0 },
  { name: "Unhurried: wins slowly", line: "unhurried play", slow: 0.5, lose: 0 },
  { name: "Makes mistakes", line: "play with mistakes", slow: 0.3, lose: 0.15 },
  { name: "Beginner", line: "a beginner", slow: 0.2, lose: 0.5 },
];

/** Values in order. */
const RANK = { win: 2, draw: 1, loss: 0 };

/** Returns the program's turn at a level; follows `line`, best play, if depths are unknown. */
export function choose(turns, line, level, random = Math.random) {
  const [best] = turns;
  const { slow, lose } = LEVELS[level];
  const luck = random();
  const pick = (some) => some[Math.floor(random() * some.length)];
  const worse = turns.filter((turn) => RANK[turn.value] < RANK[best.value]);
  if (luck < lose && worse.length) return pick(worse);
  const equal = turns.filter((turn) => turn.value === best.value);
  const longer = equal.filter((turn) => turn.depth !== best.depth);
  if (luck < lose + slow && longer.length) return pick(longer);
  const first = line?.[0] && turns.find((turn) => turn.move === line[0].move);
  // Without depths the server lists first a turn that makes progress.
  if (best.depth === null && best.nimber === undefined) return first ?? best;
  return pick(equal.filter((turn) => turn.depth === best.depth));
}

/** Chebyshev distance from the ball of turns that a weak player considers. */
const NEAR = 2;

/** Returns a turn near the ball if the program plays any at this level, without values; usually null. */
export function slips(at, turns, level, random = Math.random) {
  const { slow, lose } = LEVELS[level];
  if (random() >= slow + lose) return null;
  const ball = at.game.ball(at);
  const [row, column] = [Math.floor(ball / at.columns), ball % at.columns];
  const near = turns.filter(({ after, squares: [square = ball] }) => after.winner === null
    && Math.max(Math.abs(Math.floor(square / at.columns) - row), Math.abs((square % at.columns) - column)) <= NEAR);
  return near[Math.floor(random() * near.length)] ?? null;
}

/** Compares a turn with the best one: a short note, a sentence, and a kind (good, fair or bad). */
export function judge(at, turn, best, rival) {
  const rest = turn.depth === null || turn.depth <= 1 ? "" : ` in ${plies(turn.depth - 1).replace(" ", " more ")}`;
  const better = `Better: ${describe(at, best)}.`;
  const ahead = { win: `You win${rest}.`, draw: "It is a draw.", loss: `${rival} wins${rest}.` }[turn.value];
  if (RANK[turn.value] < RANK[best.value]) {
    const lost = best.value === "win" ? "gave away the win" : "gave away the draw";
    return { kind: "bad", note: lost, words: `That ${lost}. ${ahead} ${better}` };
  }
  if (turn.depth === 1 && turn.value === "win") return { kind: "good", note: "wins", words: "Goal!" };
  if (turn.depth === null && turn.value === "win") return { kind: "good", note: "keeps the win", words: "That keeps the win." };
  if (turn.depth === best.depth) {
    const note = { win: "best", draw: "keeps the draw", loss: "nothing better" }[turn.value];
    const praise = { win: "Perfect.", draw: "That keeps the draw.", loss: "There was nothing better." }[turn.value];
    return { kind: "good", note, words: `${praise} ${ahead}` };
  }
  const note = turn.value === "win" ? "wins more slowly" : "loses sooner";
  return { kind: "fair", note, words: `${turn.value === "win" ? "Still winning, but more slowly" : "That loses sooner"}. ${ahead} ${better}` };
}
