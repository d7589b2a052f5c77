// The page: the position one looks at, the game that is played, the address, and what the server says.
//
// Every entry of the browser's history holds all that is needed to show it: mode, players, and the positions of the game so far. So Back
// undoes, a reload shows the same, and an address that somebody else has written is read by the same code, without the game before it.

import { address, explain, fromAddress, restore, sided, step } from "./address.js";
import { ask, probe, question } from "./ask.js";
import { Board, letter, pathOf } from "./board.js";
import { GAMES, gameNamed, notation, parse, play, same, turnsOf } from "./games.js";
import { remember, swipe, toolbar } from "./hands.js";
import { showExamples, showGame, showLine, showTables, showTurns } from "./lists.js";
import { LEVELS, choose, judge } from "./play.js";
import { describe, name, sentence } from "./words.js";

const $ = (id) => document.getElementById(id);
/** How long the program seems to think. */
const THOUGHT = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 450;

const state = {
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
};
/** The number of the last question; earlier answers are out of date. */
let asked = 0;
/** The last entry that one can go forward to. */
let last = 0;

const board = new Board($("board"), click, leave);
const playing = () => state.entry.mode === "play";
const yours = () => !playing() || state.at.side === state.entry.you;
const called = (at, side) => (playing() && side === state.entry.you ? "You" : name(at, side));

// ---- entries

function push(change) {
  const entry = { ...state.entry, ...change, index: state.entry.index + 1 };
  last = entry.index;
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
  if (to >= 0 && to <= last) history.go(by);
}

function enter(entry) {
  Object.assign(state, { entry, at: restore(entry.record.at(-1)), chosen: false, hops: [], pointed: null });
  $("board").hidden = false;
  fillChoices(state.at);
  refresh();
}

// ---- turns

/** The board as it is shown: hops that were made count. */
const current = () => state.hops.reduce((here, hop) => here.game.after(here, hop), state.at);

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

const ready = () => !state.waiting && state.at.winner === null && yours();

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

/** How many turns of the line are played; null if the position is not on it. */
function onLine() {
  const found = state.line ? state.line.places.findIndex((place) => same(place, state.at)) : -1;
  return found < 0 ? null : found;
}

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

// ---- showing

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
const draw = () => holding(drawBoard);
const show = () => holding(showAll);

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
  keep($("moves"), () => showTurns($("moves"), at, turns, { play: commit, point }));
  const here = onLine();
  keep($("line"), () => showLine($("line"), playing() ? null : state.line, here ?? 0, followLine));
  const played = entry.record.slice(1).map(({ by, turn, note, kind }) => ({ who: called(at, by), words: turn, note, kind }));
  keep($("record"), () => showGame($("record"), playing() ? played : [], exploreTurn));
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

function say(words) {
  $("said").textContent = words;
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
    button.addEventListener("click", () => exploreTurn(number - 1));
    const item = document.createElement("li");
    item.append(button);
    return item;
  });
  $("review-list").replaceChildren(...items);
}

function exploreTurn(number) {
  push({ mode: "explore", record: [{ ...state.entry.record[number], path: [], rings: [] }] });
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
    redo: entry.index < last,
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
function fillChoices(at) {
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

function fillSizes(game) {
  $("size").replaceChildren(...game.sizes(state.tables).map((size) => new Option(game.sizeName(size), size)));
  const usual = game.size(parse(game.first));
  if ([...$("size").options].some(({ value }) => value === usual)) $("size").value = usual;
}

// ---- hands

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

/** A chart of the server's: a part of this page, so that its bars have the page's colours. */
async function chart(boards) {
  try {
    const response = await fetch(`api/chart?boards=${boards}`);
    if (!response.ok) throw new Error((await response.json()).error);
    const picture = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
    $("chart-title").textContent = picture.getAttribute("aria-label");
    $("chart").replaceChildren(document.importNode(picture, true));
    if (boards !== "all") $("chart-title").scrollIntoView({ block: "nearest" });
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
    "chart-all": () => chart("all"),
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
  last = Math.max(last, entry.index);
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
    last = history.state.index;
    enter(history.state);
  } else await arrive();
  const examples = ask("page/examples.json").then((groups) => groups, () => []);
  try {
    const there = await ask("api/stats");
    state.tables = there.tables;
    showTables({ rows: $("tables"), problem: $("tables-problem") }, there, { chart, open: explore });
    fillChoices.done = null;
    fillChoices(state.at);
    chart("all");
  } catch (error) {
    Object.assign($("tables-problem"), { hidden: false, textContent: `What there is cannot be told: ${error.message}` });
  }
  showExamples($("examples"), await examples, state.tables, explore);
}

start();
