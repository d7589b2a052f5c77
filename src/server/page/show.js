// Shows the state: the board, what it is worth, the lists, what can be done.

import { letter, pathOf } from "./board.js";
import { notation, parse } from "./games.js";
import { question } from "./ask.js";
import { showGame, showLine, showTurns } from "./lists.js";
import { $, called, current, onLine, playing, ready, say, state, yours } from "./state.js";
import { name, sentence } from "./words.js";

/** The board's component, and what the page does when something on it is chosen: commit, followLine, exploreTurn. */
let board, acts;

export function connect(component, does) {
  [board, acts] = [component, does];
}

/** Does what may hide or disable the element that has the focus, which then goes to the board. */
function holding(change) {
  const before = document.activeElement;
  change();
  const now = document.activeElement;
  if (before === document.body || (now !== document.body && now.offsetParent && !now.disabled)) return;
  const square = board.squares[board.focus];
  (square?.offsetParent ? square : $("value")).focus({ preventScroll: true });
}

/** The board and what belongs to it; the rest waits for the answer. */
export const draw = () => holding(drawBoard);
export const show = () => holding(showAll);

function drawBoard() {
  const { at, entry, hops, chosen, turns, pointed, answer } = state;
  document.body.className = `${entry.mode} ${at.game.id}${state.waiting || !yours() && at.winner === null && !state.problem ? " waiting" : ""}`;
  const here = current();
  const shown = entry.record.at(-1);
  const open = chosen ? here.game.hops(here) : [];
  const pointing = pointed ?? (hops.length ? { hops } : null);
  const parts = at.game.impartial && !playing() ? at.game.parts(at) : [];
  board.show(here, {
    turns: playing() || hops.length ? [] : turns,
    landings: new Set(open.map(({ to }) => to)),
    leaving: new Set(open.filter(({ to }) => to === null).map(({ goal }) => goal)),
    path: pointing ? pathOf(at, pointing.hops) : (shown.path ?? []),
    rings: pointing ? (pointing.kind === "place" ? [pointing.to] : []) : (shown.rings ?? []),
    free: at.game.impartial ? new Set(at.game.places(at)) : null,
    part: parts.length > 1 ? new Map(parts.flatMap((part, number) => part.map((square) => [square, number]))) : null,
  });
  $("jumping").hidden = !hops.length;
  showParts(parts, answer);
  $("problem").hidden = !state.problem;
  $("problem").textContent = state.problem ?? "";
  showControls();
}

/** What a board of Obstruction has come apart into. */
function showParts(parts, answer) {
  const known = answer?.components?.length === parts.length ? answer.components : null;
  $("parts").hidden = !parts.length || !known;
  if (!known) return;
  const nimbers = known.map(({ squares, nimber }, part) => `${parts.length === 1 ? "" : `${letter(part)}: `}${squares === 1 ? "1 square" : `${squares} squares`}, nimber ${nimber}`);
  const sum = parts.length > 1 ? ` Together, added without carry: ${answer.nimber}.` : "";
  $("parts").textContent = `${parts.length === 1 ? "One part" : `${parts.length} parts`}: ${nimbers.join("; ")}.${sum}`;
}

function showAll() {
  const { at, answer, entry, problem, turns } = state;
  const over = at.winner !== null;
  if (problem) state.line = null;
  showVerdict(at, answer, over);
  keep($("moves"), () => showTurns($("moves"), at, turns, { play: acts.commit, point }));
  const here = onLine();
  keep($("line"), () => showLine($("line"), playing() ? null : state.line, here ?? 0, acts.followLine));
  const played = entry.record.slice(1).map(({ by, turn, note, kind }) => ({ who: called(at, by), words: turn, note, kind }));
  keep($("record"), () => showGame($("record"), playing() ? played : [], acts.exploreTurn));
  $("game-list").hidden = !played.length;
  showReview(at, entry, over);
  document.title = `${$("value").textContent}: ${notation(at)} · phutbase`;
}

function showVerdict(at, answer, over) {
  const { entry, problem } = state;
  const won = over && called(at, at.winner);
  if (over) $("value").textContent = won === "You" ? "You have won" : `${won} has won`;
  else if (problem) $("value").textContent = "No value";
  else if (playing()) $("value").textContent = yours() ? "Your turn" : `${name(at, at.side)} is thinking …`;
  else $("value").textContent = sentence(at, answer);
  if (playing()) {
    const aim = at.game.impartial ? "" : `: bring the ball to ${name(at, entry.you)}'s goal`;
    $("mover").textContent = over ? `You were ${name(at, entry.you)}.` : `You are ${name(at, entry.you)}${aim}.`;
  } else $("mover").textContent = over ? "" : `${name(at, at.side)} to move${answer?.nimber === undefined ? "" : ` · nimber ${answer.nimber}`}`;
  say(playing() ? told(at, entry) : remark(at, answer));
}

/** What was just played, and what it was worth. */
function told(at, { record, you }) {
  const [before, now] = record.slice(-2);
  const mine = now?.by === you ? now : before?.by === you ? before : null;
  const theirs = now?.by === 1 - you ? `${name(at, now.by)}: ${now.turn}.` : "";
  const begin = at.game.impartial ? "Click a free square to mark it." : "Click an empty square to place a stone. Click the ball to see where it can jump.";
  const seen = record.slice(0, -1).some((one) => one.text === now?.text && one.side === now.side);
  const again = seen ? "This position has been on the board before: so it can go round for ever." : "";
  return [mine?.words, theirs, again].filter(Boolean).join(" ") || begin;
}

function remark(at, answer) {
  if (at.winner === null && answer && answer.depth === null && answer.value !== "draw" && !at.game.impartial) {
    return `The table for ${at.columns} squares says who wins, not in how many turns.`;
  }
  return "";
}

/** At the end: where the win was let go. */
function showReview(at, entry, over) {
  const shown = playing() && over && entry.record.length > 1;
  $("review").hidden = !shown;
  if (!shown) return;
  const bad = entry.record.map((turn, number) => ({ ...turn, number })).filter((turn) => turn.kind === "bad");
  const won = at.winner === entry.you;
  const none = won ? "You let nothing go: every turn of yours kept the win." : "You let nothing go: the position that you began with was not won for you.";
  const times = bad.length === 1 ? "Once" : `${bad.length} times`;
  $("review-words").textContent = bad.length ? `${times} a turn of yours let something go:` : none;
  const items = bad.map(({ number, turn, words }) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "entry", textContent: `Turn ${number}, ${turn}. ${words}` });
    button.addEventListener("click", () => acts.exploreTurn(number - 1));
    const item = document.createElement("li");
    item.append(button);
    return item;
  });
  $("review-list").replaceChildren(...items);
}

function point(turn) {
  state.pointed = turn;
  draw();
}

/** Fills a list, and leaves the focus in it if it was there. */
function keep(root, fill) {
  const found = [...root.querySelectorAll("button, summary")].indexOf(document.activeElement);
  fill();
  if (found < 0) return;
  const now = root.querySelectorAll("button, summary");
  (now[Math.min(found, now.length - 1)] ?? $("value")).focus({ preventScroll: true });
}

function showControls() {
  const { at, entry } = state;
  const here = onLine();
  const end = state.line ? state.line.turns.length : 0;
  const able = {
    undo: entry.index > 0,
    redo: entry.index < state.last,
    shorter: at.columns > 3,
    longer: at.columns < 128,
    first: here,
    back: here,
    step: here !== null && here < end,
    last: here !== null && here < end,
    hint: ready() && !state.problem,
    takeback: entry.record.length > 1 && entry.index > 0,
  };
  // Disabled buttons would drop the focus.
  for (const [id, can] of Object.entries(able)) $(id).setAttribute("aria-disabled", !can);
  for (const mode of ["play", "explore"]) $(`mode-${mode}`).setAttribute("aria-pressed", entry.mode === mode);
  $("length").textContent = at.columns;
  $("notation").value = notation(at);
  $("api").href = question(at);
  for (const input of document.querySelectorAll("input[name=side]")) input.checked = Number(input.value) === at.side;
  for (const input of document.querySelectorAll("input[name=tool]")) {
    const tool = at.game.tools.find(([id]) => id === input.value);
    input.parentElement.hidden = !tool;
    if (!tool && input.checked) document.querySelector("input[name=tool][value=turn]").checked = true;
  }
}

/** The choices that differ from game to game, when the game or the tables have changed. */
export function fillChoices(at) {
  const key = `${at.game.id} ${state.tables.length}`;
  document.querySelectorAll("[data-side]").forEach((span) => (span.textContent = at.game.names[span.dataset.side]));
  if (fillChoices.done !== key) {
    fillChoices.done = key;
    $("game").value = at.game.id;
    fillSizes(at.game);
    at.game.rules.forEach((rule, number) => ($(`rule${number + 1}`).textContent = rule));
  }
  if ([...$("size").options].some(({ value }) => value === at.game.size(at))) $("size").value = at.game.size(at);
  $("level").value = state.entry.level;
  for (const input of document.querySelectorAll("input[name=you]")) input.checked = Number(input.value) === state.entry.you;
}

export function fillSizes(game) {
  $("size").replaceChildren(...game.sizes(state.tables).map((size) => new Option(game.sizeName(size), size)));
  const usual = game.size(parse(game.first));
  if ([...$("size").options].some(({ value }) => value === usual)) $("size").value = usual;
}
