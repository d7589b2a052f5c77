// Clicks and drags on the board: they place stones, make a jump stop by stop, or edit the position.

import { same } from "./games.js";
import { draw } from "./show.js";
import { acts, current, freeSquares, playing, reach, ready, say, state, yours } from "./state.js";
import { CLICK, ONLY_JUMP, jumps, name, occupied } from "./words.js";

const chosenTool = () => document.querySelector("input[name=tool]:checked").value;

export function click(square) {
  acts.stop();
  const { at } = state;
  const tool = playing() || at.winner !== null ? "turn" : chosenTool();
  if (tool !== "turn") return edit(square, tool);
  if (!ready()) return refuse();
  const here = current();
  const reached = reach();
  if (square === here.game.ball(here)) {
    if (state.jump) return say("Continue the jump to a marked square, or press ‘End the jump here’.");
    state.pointed = null;
    state.chosen = !state.chosen && reached.size > 0;
    draw();
    return say(state.chosen ? jumps(at, [...reached.keys()]) : reached.size ? "The ball is no longer selected." : ONLY_JUMP);
  }
  if (state.chosen && reached.has(square)) return jumpTo(reached.get(square));
  if (state.jump) return say("Continue the jump to a marked square, or end it here.");
  if (state.chosen) return say(`The ball cannot land there. Nothing was played. ${CLICK} a marked square, or the ball to deselect it.`);
  const stone = state.turns.find(({ kind, squares }) => kind === "place" && squares[0] === square);
  if (stone) acts.commit(stone);
  else say(occupied(at, square));
}

/** Says why a click plays nothing. */
function refuse() {
  const { at } = state;
  if (playing() && state.refused) return say("The program cannot play this board, so nothing was played.");
  const why = at.winner !== null ? "The game is over." : yours() ? "The server has not answered yet." : `It is ${name(at, at.side)}'s turn.`;
  say(`${why} Nothing was played.`);
}

function edit(square, tool) {
  const edited = state.at.game.edit(state.at, square, tool, freeSquares());
  if (same(edited, state.at)) return say(`The ${tool} cannot be put there. Nothing was changed.`);
  acts.go(edited);
}

/** Returns the turn that a click on a square or on a goal would make or end; null for none. */
export function turnAt(square) {
  if (square === null || state.jump || chosenTool() !== "turn") return null;
  const [jump, stone] = ["jump", "place"].map((kind) => state.turns.find((turn) => turn.kind === kind && turn.stops.at(-1) === square));
  return (state.chosen ? jump : (stone ?? jump)) ?? null;
}

/** Jumps over a goal line. */
export function leave(goal) {
  const jump = ready() && reach().get(`goal ${goal}`);
  if (jump) jumpTo(jump);
}

/** Jumps to the square or the goal where the ball has been dropped. */
export function drop(square, goal) {
  acts.stop();
  const { at } = state;
  if (!playing() && at.winner === null && chosenTool() === "ball") return edit(square ?? -1, "ball");
  if (!ready()) return refuse();
  const reached = reach();
  const jump = reached.get(square ?? `goal ${goal}`);
  if (jump) return jumpTo(jump);
  state.chosen = reached.size > 0;
  draw();
  say(state.chosen ? "The ball can jump to the marked squares only." : ONLY_JUMP);
}

/** Makes a part of a jump, or all of it if it cannot go on. */
function jumpTo(chosen) {
  const jump = chosen.same ? state.turns.find(({ move }) => move === chosen.same) : chosen;
  Object.assign(state, { jump, chosen: true, pointed: null });
  if (!reach().size) return endJump();
  draw();
  say("Continue the jump, or end it here.");
}

export function endJump() {
  if (state.jump) acts.commit(state.jump);
}

export function cancelJump() {
  Object.assign(state, { chosen: false, jump: null });
  draw();
}
