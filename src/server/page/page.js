// The page: the position one looks at, the game that is played, the address, and what the server says.
//
// Every entry of the browser's history holds all that is needed to show it: mode, players, and the positions of the game so far. So Back
// undoes, a reload shows the same, and an address that somebody else has written is read by the same code, without the game before it.

import { address, explain, fromAddress, restore, sided, step } from "./address.js";
import { ask, probe } from "./ask.js";
import { Board, pathOf } from "./board.js";
import { barChart, longestWins, positions } from "./chart.js";
import { GAMES, gameNamed, parse, same, turnsOf } from "./games.js";
import { remember, swipe, toolbar } from "./hands.js";
import { showExamples, showTables } from "./lists.js";
import { LEVELS, choose, judge } from "./play.js";
import { connect, draw, fillChoices, fillSizes, show } from "./show.js";
import { $, called, current, onLine, playing, ready, say, state, yours } from "./state.js";
import { describe, name, sentence } from "./words.js";

/** How long the program seems to think. */
const THOUGHT = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 450;

/** The number of the last question; earlier answers are out of date. */
let asked = 0;

const board = new Board($("board"), click, leave);
connect(board, { commit, followLine, exploreTurn });

// ---- entries

function push(change) {
  const entry = { ...state.entry, ...change, index: state.entry.index + 1 };
  state.last = entry.index;
  history.pushState(entry, "", address(entry));
  enter(entry);
}

function replace(change) {
  const entry = { ...state.entry, ...change };
  history.replaceState(entry, "", address(entry));
  enter(entry);
}

/** Goes to a position, which can be undone. */
function go(at, more) {
  if (state.at && same(at, state.at) && !playing()) return;
  push({ record: [step(at, more)] });
}

function travel(by) {
  const to = state.entry.index + by;
  if (to >= 0 && to <= state.last) history.go(by);
}

function enter(entry) {
  Object.assign(state, { entry, at: restore(entry.record.at(-1)), chosen: false, hops: [], pointed: null });
  $("board").hidden = false;
  fillChoices(state.at);
  refresh();
}

// ---- turns

function click(square) {
  const { at } = state;
  const tool = playing() || at.winner !== null ? "turn" : document.querySelector("input[name=tool]:checked").value;
  if (tool !== "turn") return go(at.game.edit(at, square, tool));
  if (!ready()) return;
  const here = current();
  if (square === here.game.ball(here)) {
    if (state.hops.length) return endJump();
    state.chosen = !state.chosen;
    draw();
    return state.chosen && !here.game.hops(here).length ? say("The ball can jump only over a stone next to it.") : undefined;
  }
  const hop = state.chosen && here.game.hops(here).find(({ to }) => to === square);
  if (hop) return hopOn(hop);
  if (state.hops.length) return say("The jump goes on to a marked square, or ends here.");
  if (!at.game.places(at).includes(square)) return;
  commit({ kind: "place", to: square, hops: [], after: at.game.place(at, square) });
}

/** The ball leaves the board over a goal. */
function leave(goal) {
  const here = current();
  const hop = ready() && here.game.hops(here).find((one) => one.to === null && one.goal === goal);
  if (hop) hopOn(hop);
}

function hopOn(hop) {
  state.hops = [...state.hops, hop];
  const here = current();
  if (hop.to === null || !here.game.hops(here).length) return endJump();
  draw();
  say("Jump on, or end the jump here.");
}

function endJump() {
  if (!state.hops.length) return;
  commit({ kind: "jump", hops: state.hops, after: state.at.game.end(current()) });
}

function cancelJump() {
  Object.assign(state, { chosen: false, hops: [] });
  draw();
}

/** The turn that the server rated, if it did: another way of the ball to the same position is the same turn. */
function rated(turn) {
  const alike = (one) => one.kind === turn.kind && (same(one.after, turn.after) || (turn.after.winner !== null && one.after.winner === turn.after.winner));
  return { ...turn, ...state.turns.find(alike), hops: turn.hops };
}

function commit(made) {
  const { at, entry } = state;
  const turn = rated(made);
  const drawn = { path: pathOf(at, turn.hops), rings: turn.kind === "place" ? [turn.to] : [] };
  if (!playing()) return go(turn.after, drawn);
  const verdict = turn.value ? judge(at, turn, state.turns[0], name(at, 1 - entry.you)) : {};
  push({ record: [...entry.record, step(turn.after, { ...drawn, by: at.side, turn: describe(at, turn), ...verdict })] });
}

/** The program's turn takes the place of the visitor's in the history: Back takes both back. */
function reply(question) {
  if (question !== asked) return;
  const { at, entry } = state;
  const turn = choose(state.turns, state.answer.line, entry.level);
  const drawn = { path: pathOf(at, turn.hops), rings: turn.kind === "place" ? [turn.to] : [] };
  replace({ record: [...entry.record, step(turn.after, { ...drawn, by: at.side, turn: describe(at, turn) })] });
}

function hint() {
  if (!ready() || !state.turns.length) return;
  const turn = choose(state.turns, state.answer.line, 0, () => 0);
  state.pointed = turn;
  draw();
  say(`${describe(state.at, turn)}: ${sentence(state.at, turn, called)}.`);
}

// ---- the best line

function followLine(count) {
  if (!state.line?.places[count]) return;
  const { places, turns } = state.line;
  const [before, turn] = [places[count - 1], turns[count - 1]];
  go(places[count], turn && { path: pathOf(before, turn.hops), rings: turn.kind === "place" ? [turn.to] : [] });
}

function stepLine(by) {
  const here = onLine();
  if (here !== null) followLine(here + by);
}

function lineFrom(at, answer) {
  const [places, turns] = [[at], []];
  for (const move of answer.line ?? []) {
    const before = places.at(-1);
    const [turn] = turnsOf(before, [move]);
    if (!turn) break;
    turns.push(turn);
    places.push(turn.after);
  }
  const again = places.slice(0, -1).findIndex((place) => same(place, places.at(-1)));
  const why = at.game.impartial ? "Nobody knows how long it takes: play the winning turns." : "This table leads to no line.";
  return { turns, places, cycle: turns.length && again >= 0 ? again : null, why };
}

// ---- asking

/** Asks about the position and shows it. */
async function refresh() {
  const { at } = state;
  const number = ++asked;
  Object.assign(state, { answer: null, turns: [], problem: null, waiting: at.winner === null });
  draw();
  if (at.winner !== null) return show();
  try {
    const answer = await probe(at);
    if (number !== asked) return;
    Object.assign(state, { answer, turns: turnsOf(at, answer.moves), waiting: false });
    if (onLine() === null) state.line = lineFrom(at, answer);
  } catch (error) {
    if (number !== asked) return;
    Object.assign(state, { problem: error.message, waiting: false, line: null });
  }
  draw();
  show();
  if (!yours() && state.turns.length) setTimeout(reply, THOUGHT, number);
}

// ---- hands

function exploreTurn(number) {
  push({ mode: "explore", record: [{ ...state.entry.record[number], path: [], rings: [] }] });
}

/** A board as it is at the beginning, with the players that are chosen. */
function begin() {
  const game = gameNamed($("game").value);
  const at = game.board($("size").value || game.size(parse(game.first)));
  push({ record: [step(at)], you: Number(document.querySelector("input[name=you]:checked").value), level: Number($("level").value) });
}

function setMode(mode) {
  if (mode === state.entry.mode) return;
  const here = state.entry.record.findLast((one) => one.winner === null) ?? state.entry.record[0];
  push({ mode, record: [{ ...here, path: [], rings: [] }], you: mode === "play" ? here.side : state.entry.you });
}

async function open(text, word = null) {
  try {
    const at = sided(text, word);
    if (playing()) push({ record: [step(at)], you: at.side });
    else go(at);
  } catch (error) {
    document.body.classList.add("waiting");
    state.problem = await explain(error);
    draw();
    $("value").textContent = "No value";
  }
}

/** Shows a position of a list. */
function explore(text) {
  const at = parse(text);
  push({ mode: "explore", record: [step(at)] });
  $("table").scrollIntoView({ block: "start" });
}

function change(how) {
  const { at } = state;
  if (!playing() && at.winner === null) go(how(at.game, at));
}

const edits = {
  shorter: () => change((game, at) => (game.resize ? game.resize(at, -1) : at)),
  longer: () => change((game, at) => (game.resize ? game.resize(at, 1) : at)),
  mirror: () => change((game, at) => game.mirror(at)),
  clear: () => change((game, at) => game.clear(at)),
};

const toSide = (side) => change((_, at) => ({ ...at, side }));

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

/** Shows the positions of one size of boards as bars, or without one the longest wins. */
async function chart(boards) {
  try {
    const picture = boards ? positions((await ask(`api/stats?boards=${boards}`)).tables[0]) : longestWins(state.tables);
    $("chart-title").textContent = picture.title;
    $("chart").replaceChildren(barChart(picture, showExample));
    if (boards) $("chart-title").scrollIntoView({ block: "nearest" });
  } catch (error) {
    $("chart-title").textContent = error.message;
  }
}

/** Shows the position that the server finds under an address. */
async function showExample(path) {
  try {
    explore((await ask(path)).position);
  } catch (error) {
    $("chart-title").textContent = error.message;
  }
}

function listen() {
  const clicks = {
    ...edits,
    undo: () => travel(-1),
    redo: () => travel(1),
    takeback: () => travel(-1),
    share,
    hint,
    endjump: endJump,
    canceljump: cancelJump,
    first: () => followLine(0),
    back: () => stepLine(-1),
    step: () => stepLine(1),
    last: () => followLine(state.line?.turns.length ?? 0),
    "chart-all": () => chart(),
    "mode-play": () => setMode("play"),
    "mode-explore": () => setMode("explore"),
  };
  for (const [id, act] of Object.entries(clicks)) {
    $(id).addEventListener("click", () => $(id).getAttribute("aria-disabled") !== "true" && act());
  }
  for (const input of document.querySelectorAll("input[name=side]")) input.addEventListener("change", () => toSide(Number(input.value)));
  $("game").addEventListener("change", () => {
    const game = gameNamed($("game").value);
    fillSizes(game);
    document.querySelectorAll("#setup [data-side]").forEach((span) => (span.textContent = game.names[span.dataset.side]));
  });
  $("setup").addEventListener("submit", (event) => (event.preventDefault(), begin()));
  $("write").addEventListener("submit", (event) => (event.preventDefault(), open($("notation").value)));
  document.addEventListener("keydown", key);
  addEventListener("popstate", (event) => (event.state ? enter(event.state) : arrive()));
  remember($("shortcuts"));
  swipe($("table"), () => !board.overview.root.hidden, (by) => !playing() && stepLine(by));
  document.querySelectorAll("[role=toolbar]").forEach(toolbar);
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && (state.chosen || state.hops.length)) return cancelJump();
  if (event.target.matches("input, select, textarea")) return;
  const arrows = playing() ? {} : { ArrowLeft: () => stepLine(-1), ArrowRight: () => stepLine(1) };
  const act = arrows[event.key] ?? ($("shortcuts").checked ? shortcut(event.key) : null);
  if (!act) return;
  event.preventDefault();
  act();
}

function shortcut(pressed) {
  const always = { u: () => travel(-1), r: () => travel(1) };
  if (playing()) return { ...always, h: hint, e: endJump }[pressed];
  const here = board.focused;
  const onSquare = (tool) => here !== null && (() => change((game, at) => game.edit(at, here, tool)));
  const turn = (kind) => here !== null && (() => {
    const found = state.turns.find((one) => one.kind === kind && (one.hops.length ? one.hops.at(-1).to : one.to) === here);
    if (found) commit(found);
  });
  return {
    ...always,
    o: onSquare(state.at.game.impartial ? "mark" : "stone"),
    b: !state.at.game.impartial && onSquare("ball"),
    p: turn("place"),
    j: turn("jump"),
    e: endJump,
    ".": () => stepLine(1),
    ",": () => stepLine(-1),
    Home: () => followLine(0),
    End: () => followLine(state.line?.turns.length ?? 0),
    s: () => toSide(1 - state.at.side),
    "+": edits.longer,
    "-": edits.shorter,
    m: edits.mirror,
    c: edits.clear,
  }[pressed];
}

/** Shows what the address says; a bad one is refused in words, beside the first board. */
async function arrive() {
  let refusal = null;
  let entry;
  try {
    entry = fromAddress();
  } catch (error) {
    refusal = error;
    entry = { index: 0, mode: "explore", you: 0, level: 0, record: [step(parse(GAMES[0].first))] };
  }
  state.last = Math.max(state.last, entry.index);
  if (!refusal) history.replaceState(entry, "", location.href);
  state.entry = entry;
  if (!refusal) return enter(entry);
  state.at = restore(entry.record[0]);
  state.problem = await explain(refusal);
  draw();
  $("value").textContent = "No such position";
  $("mover").textContent = "";
  $("board").hidden = true;
}

async function start() {
  GAMES.forEach((game) => $("game").append(new Option(game.title, game.id)));
  LEVELS.forEach((level, number) => $("level").append(new Option(level.name, number)));
  listen();
  if (history.state?.record) {
    state.last = history.state.index;
    enter(history.state);
  } else await arrive();
  const examples = ask("page/examples.json").then((groups) => groups, () => []);
  try {
    const there = await ask("api/stats");
    state.tables = there.tables;
    showTables({ rows: $("tables"), problem: $("tables-problem") }, there, { chart, find: showExample });
    fillChoices.done = null;
    fillChoices(state.at);
    chart();
  } catch (error) {
    Object.assign($("tables-problem"), { hidden: false, textContent: `What there is cannot be told: ${error.message}` });
  }
  showExamples($("examples"), await examples, state.tables, { open: explore, find: showExample });
}

start();
