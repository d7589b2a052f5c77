// Keys: arrows along the line, Escape, and single-key shortcuts.

import { cancelJump, endJump } from "./clicks.js";
import { $, acts, freeSquares, playing, state } from "./state.js";

export function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && state.running) return acts.stop();
  if (event.key === "Escape" && (state.chosen || state.jump)) return cancelJump();
  if (event.target.matches("input, select, textarea")) return;
  const arrows = playing() ? {} : { ArrowLeft: () => acts.stepLine(-1), ArrowRight: () => acts.stepLine(1) };
  const act = arrows[event.key] ?? ($("shortcuts").checked ? shortcut(event.key) : null);
  if (!act) return;
  event.preventDefault();
  act();
}

function shortcut(pressed) {
  const always = { u: () => acts.travel(-1), r: () => acts.travel(1) };
  if (playing()) return { ...always, u: acts.takeBack, h: acts.hint, e: endJump }[pressed];
  const here = acts.focused();
  const onSquare = (tool) => here !== null && (() => acts.change((game, at) => game.edit(at, here, tool, freeSquares())));
  const turn = (kind) => here !== null && (() => {
    const found = state.turns.find((one) => one.kind === kind && one.stops.at(-1) === here);
    if (found) acts.commit(found);
  });
  return {
    ...always,
    o: onSquare(state.at.game.impartial ? "mark" : "stone"),
    b: !state.at.game.impartial && onSquare("ball"),
    p: turn("place"),
    j: turn("jump"),
    e: endJump,
    ".": () => acts.stepLine(1),
    ",": () => acts.stepLine(-1),
    Home: acts.first,
    End: () => acts.followLine(state.line?.turns.length ?? 0),
    s: () => acts.toSide(1 - state.at.side),
    "+": acts.edits.longer,
    "-": acts.edits.shorter,
    m: acts.edits.mirror,
    c: acts.edits.clear,
  }[pressed];
}
