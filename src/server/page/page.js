// The page: the position one looks at, its history, its address, and what the server says of it.

import { Board, hint } from "./board.js";
import { showExamples, showLine, showMoves } from "./lists.js";
import * as strip from "./position.js";
import { name, sentence } from "./words.js";

const START = strip.position("o@o.o.o....", "left");
const $ = (id) => document.getElementById(id);

const state = {
  /** All positions, the one that is shown, and what the server said of it. */
  history: [START],
  now: 0,
  answer: null,
  /** The best line that is stepped through: where it starts, its turns, the positions after each. */
  line: null,
};
/** The number of the last question; earlier answers are out of date. */
let asked = 0;

const board = new Board($("board"), { edit, play });
const at = () => state.history[state.now];

// ---- changing the position

/** Goes to a position, which can be undone. */
function go(next) {
  if (strip.same(next, at())) return;
  state.history = [...state.history.slice(0, state.now + 1), next];
  state.now = state.history.length - 1;
  refresh();
}

function travel(step) {
  const to = state.now + step;
  if (to < 0 || to >= state.history.length) return;
  state.now = to;
  refresh();
}

function edit(square) {
  const tool = document.querySelector("input[name=tool]:checked").value;
  change(tool === "ball" ? strip.moveBall : strip.toggleStone, square);
}

/** Edits the board, unless play is over or there is no board to edit. */
function change(how, ...details) {
  if (!at().winner && !$("board").hidden) go(how(at(), ...details));
}

function play(turn) {
  if (turn) go(strip.after(at(), turn));
}

function playAt(kind, square) {
  play(state.answer?.moves.find((turn) => turn.move === kind + square));
}

function turnOf(symbol, square) {
  const ends = symbol === "@" ? [[1, "L"], [at().board.length - 2, "R"]] : [];
  const off = ends.find(([edge, end]) => square === edge && state.answer?.moves.some((turn) => turn.move === `@${end}`));
  playAt(symbol, off ? off[1] : square);
}

// ---- the best line

/** How many turns of the line are played; none if the position is not on it. */
function onLine() {
  const places = state.line ? [state.line.start, ...state.line.positions] : [];
  const found = places.findIndex((place) => strip.same(place, at()));
  return found < 0 ? null : found;
}

function followLine(count) {
  if (!state.line) return;
  go(count === 0 ? state.line.start : state.line.positions[count - 1]);
}

function stepLine(step) {
  const here = onLine();
  const to = here + step;
  if (here !== null && to >= 0 && to <= state.line.turns.length) followLine(to);
}

function lineFrom(answer) {
  const start = at();
  const turns = answer.line ?? [];
  let place = start;
  const positions = turns.map((turn) => (place = strip.after(place, turn)));
  const why = answer.winner === null ? "A draw has no end to play for." : "This table leads to no line.";
  return { start, turns, positions, why };
}

// ---- asking

async function ask(path) {
  const response = await fetch(path);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function query({ board, side }) {
  // '@' and '.' may stay as they are: the address is easier to read.
  const plain = encodeURIComponent(board).replaceAll("%40", "@");
  return `position=${plain}&side=${side}`;
}

/** Asks about the position and shows it. */
async function refresh() {
  const place = at();
  const question = ++asked;
  show(place, null, null);
  if (place.winner) return;
  const path = `${location.pathname}?${query(place)}`;
  history.replaceState(null, "", path);
  try {
    const answer = await ask(`api/probe?${query(place)}&line=true`);
    if (question !== asked) return;
    state.answer = answer;
    if (onLine() === null) state.line = lineFrom(answer);
    show(place, answer, null);
  } catch (error) {
    if (question === asked) show(place, null, error.message);
  }
}

// ---- showing

function show(place, answer, problem) {
  state.answer = answer;
  const waiting = !answer && !problem && !place.winner;
  document.body.classList.toggle("waiting", waiting);
  $("problem").hidden = !problem;
  $("problem").textContent = problem ?? "";
  drawBoard(place, answer);
  showControls(place);
  // While the answer is on its way the old lists stay, so that nothing jumps.
  if (waiting) return;
  showValue(place, answer);
  $("hint").textContent = hint(place, answer);
  showMoves($("moves"), answer, play);
  if (problem) state.line = null;
  const here = onLine();
  showLine($("line"), state.line, here ?? 0, followLine);
  $("first").disabled = $("back").disabled = !here;
  $("step").disabled = $("last").disabled = here === null || here >= state.line.turns.length;
}

/** Draws the strip; a text that no strip can be drawn from is shown by the server's message alone. */
function drawBoard(place, answer) {
  const drawable = /^[.o@]{3,128}$/.test(place.board);
  if (drawable) board.show(place, answer?.moves ?? []);
  $("board").hidden = !drawable;
}

function showValue(place, answer) {
  $("value").textContent = place.winner ? `${name(place.winner)} has won` : answer ? sentence(answer) : "No value";
  $("mover").textContent = place.winner ? "" : `${name(place.side)} to move`;
  document.title = `${$("value").textContent}: ${strip.notation(place)} · phutbase`;
}

function showControls(place) {
  document.querySelector(`input[name=side][value=${place.side}]`).checked = true;
  $("length").textContent = place.board.length;
  $("shorter").disabled = place.board.length <= strip.SHORTEST;
  $("longer").disabled = place.board.length >= strip.LONGEST;
  $("undo").disabled = state.now === 0;
  $("redo").disabled = state.now === state.history.length - 1;
  $("notation").value = strip.notation(place);
  $("api").href = `api/probe?${query(place)}`;
}

// ---- hands

function open(text) {
  go(strip.fromNotation(text));
  $("table").scrollIntoView({ block: "start" });
}

async function share() {
  try {
    await navigator.clipboard.writeText(location.href);
    $("share").textContent = "Copied";
  } catch {
    // Without the right to the clipboard the address bar has it.
    $("share").textContent = "See the address";
  }
  setTimeout(() => ($("share").textContent = "Copy link"), 1500);
}

function toSide(side) {
  change((place) => strip.position(place.board, side));
}

function listen() {
  const clicks = {
    shorter: () => change(strip.shorter),
    longer: () => change(strip.longer),
    undo: () => travel(-1),
    redo: () => travel(1),
    mirror: () => change(strip.mirror),
    clear: () => change(strip.clear),
    share,
    first: () => followLine(0),
    back: () => stepLine(-1),
    step: () => stepLine(1),
    last: () => followLine(state.line?.turns.length ?? 0),
  };
  for (const [id, act] of Object.entries(clicks)) $(id).addEventListener("click", act);
  for (const input of document.querySelectorAll("input[name=side]")) {
    input.addEventListener("change", () => toSide(input.value));
  }
  $("write").addEventListener("submit", (event) => {
    event.preventDefault();
    go(strip.fromNotation($("notation").value, at().side));
  });
  document.addEventListener("keydown", key);
}

function key(event) {
  const typing = event.target.matches("input:not([type=radio])");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const here = board.focused;
  const onSquare = {
    ArrowLeft: () => board.moveFocus(-1),
    ArrowRight: () => board.moveFocus(1),
    o: () => change(strip.toggleStone, here),
    b: () => change(strip.moveBall, here),
    p: () => playAt("o", here),
    j: () => turnOf("@", here),
  };
  const anywhere = {
    ".": () => stepLine(1),
    ",": () => stepLine(-1),
    Home: () => followLine(0),
    End: () => followLine(state.line?.turns.length ?? 0),
    u: () => travel(-1),
    r: () => travel(1),
    s: () => toSide(strip.other(at().side)),
    "+": () => change(strip.longer),
    "-": () => change(strip.shorter),
    m: () => change(strip.mirror),
    c: () => change(strip.clear),
  };
  const act = (here !== null && onSquare[event.key]) || anywhere[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

/** The position in the address, or the first of the paper. */
function fromAddress() {
  const address = new URLSearchParams(location.search);
  const text = address.get("position");
  return text ? strip.fromNotation(text, address.get("side") === "right" ? "right" : "left") : START;
}

async function begin() {
  listen();
  state.history = [fromAddress()];
  await refresh();
  const [groups, there] = await Promise.all([ask("page/examples.json"), ask("api/stats")]);
  showExamples($("examples"), groups, there.tables, open);
}

begin();
