// Keys: arrows along the line, Escape, and single-key shortcuts.

import { $, playing, state } from "./state.js";

/** The board component and the page's actions. */
let board, acts;

export function listenToKeys(component, does) {
  [board, acts] = [component, does];
  document.addEventListener("keydown", key);
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && state.running) return acts.stop();
  if (event.key === "Escape" && (state.chosen || state.jump)) return acts.cancelJump();
  if (event.target.matches("input, select, textarea")) return;
  const arrows = playing() ? {} : { ArrowLeft: () => acts.stepLine(-1), ArrowRight: () => acts.stepLine(1) };
  const act = arrows[event.key] ?? ($("shortcuts").checked ? shortcut(event.key) : null);
  if (!act) return;
  event.preventDefault();
  act();
}

function shortcut(pressed) {
  const always = { u: () => acts.travel(-1), r: () => acts.travel(1) };
  if (playing()) return { ...always, u: acts.takeBack, h: acts.hint, e: acts.endJump }[pressed];
  const here = board.focused;
  const onSquare = (tool) => here !== null && (() => acts.change((game, at) => game.edit(at, here, tool, acts.freeSquares())));
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
    e: acts.endJump,
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
