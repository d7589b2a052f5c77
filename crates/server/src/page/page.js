// The page: the game being played, the browser's history, and requests to the server.
//
// An entry of the history holds mode, players, and the positions of the game so far. So Back undoes
// and a reload restores the page. An address written elsewhere is an entry with one position.

import { LINK, address, explain, fromAddress, restore, sided, step, stepAfter, valued } from "./address.js";
import { answered, ask, bestTurn, boardAfter, probe, question } from "./ask.js";
import { Board } from "./board.js";
import { cancelJump, click, drop, endJump, leave, turnAt } from "./clicks.js";
import { hardestToBeat } from "./defence.js";
import { GAMES, gameNamed, notation, parse, same, turnOn } from "./games.js";
import { remember, swipe, toolbar } from "./hands.js";
import { key } from "./keys.js";
import { entryOnLine, lineFrom } from "./line.js";
import { showExamples } from "./lists.js";
import { LEVELS, choose, judge, slips } from "./play.js";
import { asSgf, asText, saveGame, share } from "./save.js";
import { SHARED, chosenBoard, fillChoices, fillSizes, hideSide, scattered } from "./setup.js";
import { aimAt, connect, draw, show, showBest } from "./show.js";
import { $, acts, called, isShared, isUnsolved, keepGame, keptGame, lastTurn, markUnsolved, onLine, playing, ready, say, shownNumber, shownStep, state, yours } from "./state.js";
import { markHinted, markSolved, taskOf } from "./tasks.js";
import { describe, name, sentence, shortened } from "./words.js";

/** Delay before the program's reply, in milliseconds per stop of the visitor's jump. */
const THOUGHT = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 450;

/** Milliseconds between the turns of a running line; first and longest wait before a retry. */
const PACE = 1100;
const RETRY = { first: 1000, most: 15000 };
/** The best line of a longer strip takes longer than all else and is asked for after it. */
const LONG = 200;

/** Number of the last request; answers to earlier ones are stale. */
let asked = 0;

const board = new Board($("board"), { click, leave, drop, point: (square) => aimAt(turnAt(square)) });
connect(board);

// ---- entries

function push(change) {
  stop();
  const entry = { ...state.entry, shown: undefined, before: undefined, ...change, index: state.entry.index + 1 };
  state.last = entry.index;
  history.pushState(entry, "", address(entry));
  enter(entry);
}

function replace(change) {
  const entry = { ...state.entry, ...change };
  history.replaceState(entry, "", address(entry));
  enter(entry);
}

/** Starts a new record with an edited position. */
function go(at) {
  if (state.at && same(at, state.at) && !playing()) return;
  push({ record: [step(at)] });
}

/** Returns the record up to the step shown, with one more step. */
const played = (at, turn, more = {}) => [
  ...state.entry.record.slice(0, shownNumber() + 1),
  stepAfter(at, turn, more),
];

function travel(by) {
  const to = state.entry.index + by;
  if (to >= 0 && to <= state.last) history.go(by);
}

function enter(entry) {
  if (entry.mode === "play") keepGame(entry);
  Object.assign(state, { entry, at: restore(shownStep(entry)), board: null, chosen: false, jump: null, pointed: null, aimed: null, best: null, hinted: false, invalid: false });
  $("board").hidden = false;
  $("setup-box").open = !playing();
  wrong(null);
  if (state.at.winner === null) $("notation").value = notation(state.at);
  fillChoices(state.at);
  refresh();
}

// ---- turns

function commit(turn) {
  const { at, entry } = state;
  const verdict = playing() && !isShared() && turn.value ? judge(at, turn, state.turns[0], name(at, 1 - entry.you)) : {};
  const task = playing() && entry.record.length === 1 && turn.value ? taskOf(entry) : null;
  if (task) verdict.words = turn.value === "win" ? task.done : "Not that one: it loses. Take it back and try again.";
  if (task && turn.value === "win") markSolved(entry);
  push({ record: played(at, turn, verdict), before: playing() });
  inSight();
}

/** Takes back the visitor's last turn: by the history if the entry before is the game without it. */
function takeBack() {
  if (state.entry.before) return travel(-1);
  if (lastTurn() > 0) push({ record: state.entry.record.slice(0, lastTurn()) });
}

/** Plays the program's turn in the history entry of the visitor's turn, so Back undoes both. */
async function reply(question) {
  if (question !== asked) return;
  const lost = state.answer.value === "loss" && state.answer.depth === null && !state.at.game.impartial;
  let turn;
  try {
    if (isUnsolved(state.at)) turn = slips(state.at, state.turns, state.entry.level) ?? turnOn(state.at, await bestTurn(state.at));
    else turn = lost ? await hardestToBeat(state.at, state.turns) : choose(state.turns, state.answer.line, state.entry.level);
  } catch (error) {
    if (question !== asked) return;
    Object.assign(state, { problem: shortened(error.message), refused: !error.again });
    show();
    if (error.again) setTimeout(reply, RETRY.first, question);
    return draw();
  }
  if (question !== asked) return;
  replace({ record: played(state.at, turn) });
}

const inSight = () => $("board").scrollIntoView({ block: "nearest" });

async function hint() {
  if (!ready() || !state.answer) return;
  const question = asked;
  const unsolved = isUnsolved(state.at);
  let failed = null;
  const found = unsolved ? await bestTurn(state.at).catch((error) => void (failed = shortened(error.message))) : null;
  if (question !== asked) return;
  if (failed) return say(failed);
  const turn = found ? turnOn(state.at, found) : choose(state.turns, state.answer.line, 0, () => 0);
  // A hint is about a whole turn.
  Object.assign(state, { pointed: turn, hinted: !unsolved, chosen: false, jump: null });
  if (state.entry.record.length === 1) markHinted(state.entry);
  draw();
  say(`${describe(state.at, turn)}: ${unsolved ? "the program would play this" : sentence(state.at, turn, called)}.`);
}

// ---- the best line

/** Shows the best line after `count` turns. The record keeps the game and the line so far. */
function followLine(count, change = push) {
  const to = entryOnLine(state, count);
  if (to) change(to);
}

/** Steps along the game as it was played, and after its end along the best line. */
function stepLine(by) {
  const to = shownNumber() + by;
  if (state.entry.record[to]) return push({ shown: to });
  const here = onLine();
  if (here !== null) followLine(here + by);
}

const first = () => shownNumber() > 0 && push({ shown: 0 });

/** Runs the best line, repeating a cycle until the visitor makes a turn or stops it. */
function run() {
  if (state.running) return stop();
  const next = () => {
    const here = onLine();
    const { places, cycle } = state.line ?? { places: [], cycle: null };
    const to = here + 1 < places.length ? here + 1 : cycle === null ? null : cycle + 1;
    if (here === null || to === null) return stop();
    followLine(to, replace);
  };
  if (onLine() === state.line?.turns.length) followLine(0, replace);
  state.running = setInterval(next, PACE);
  next();
}

function stop() {
  clearInterval(state.running);
  if (!state.running) return;
  state.running = null;
  draw();
}

// ---- requests

/** Requests the value of the position and shows it; retries after increasing waits. */
async function refresh(wait = RETRY.first) {
  const { at } = state;
  const number = ++asked;
  Object.assign(state, { answer: null, turns: [], detours: [], waiting: at.winner === null });
  if (wait === RETRY.first) Object.assign(state, { problem: null, refused: false });
  draw();
  if (at.winner !== null) return show();
  try {
    const board = await boardAfter(at);
    if (number !== asked) return;
    state.board = board;
    draw();
    const turns = board.turns.map((turn) => turnOn(at, turn));
    if (!turns.length) {
      Object.assign(state, { at: { ...at, winner: 1 - at.side }, waiting: false });
      draw();
      return show();
    }
    // A refused value leaves turns without values, to be explored.
    Object.assign(state, { turns, detours: (board.detours ?? []).map((turn) => turnOn(at, turn)) });
    const late = at.game.lying && (playing() || at.columns > LONG);
    const answer = await valueOf(at, turns, !late);
    const line = onLine() !== null ? state.line : late ? null : await lineFrom(at, answer, shownNumber());
    if (number !== asked) return;
    const named = new Map(turns.map((turn) => [turn.move, turn]));
    Object.assign(state, { answer, line, turns: answer.turns.filter(({ move }) => named.has(move)).map((rated) => ({ ...named.get(rated.move), ...rated })), problem: null, waiting: false });
    remembered(answer);
  } catch (error) {
    if (number !== asked) return;
    const soon = error.again ? ` Trying again in ${wait / 1000} s.` : "";
    const board = `${at.game.title} of ${at.game.sizeName(at.game.size(at))}`;
    const unplayed = playing() && !error.again;
    const reason = shortened(error.message) + soon;
    Object.assign(state, { problem: unplayed ? `The program cannot play this board (${board}): ${reason}. Begin a new game on another, or explore this one.` : reason, refused: !error.again, waiting: false, line: null });
    if (error.again) setTimeout(() => number === asked && refresh(Math.min(2 * wait, RETRY.most)), wait);
  }
  draw();
  show();
  if (state.answer && !playing() && !state.line) findLine(at, number);
  if (!yours() && state.answer) setTimeout(reply, THOUGHT * (shownStep().path?.length || 1), number);
}

/** Asks for the best line of a position that is shown already. */
async function findLine(at, number) {
  const line = await ask(question(at)).then((answer) => lineFrom(at, answer, shownNumber()), () => null);
  if (number !== asked || !line) return;
  state.line = line;
  showBest();
}

/** Returns the value of a position and its turns; in a game on a pitch that no table has, none. */
async function valueOf(at, turns, line) {
  if (!playing() || !isUnsolved(at)) {
    try {
      return await probe(at, turns, line);
    } catch (error) {
      if (!playing() || at.game.id !== "pitch" || error.status !== 404) throw error;
      markUnsolved(at);
      fillChoices(at);
    }
  }
  return { value: null, depth: null, turns, line: [] };
}

/** Stores the value of the position in the record of the game. */
function remembered({ value, depth }) {
  const record = state.entry.record.with(shownNumber(), { ...shownStep(), answer: { value, depth } });
  state.entry = { ...state.entry, record };
  history.replaceState(state.entry, "", address(state.entry));
  if (playing()) keepGame(state.entry);
}

// ---- input

function showStep(number) {
  push({ mode: "explore", record: state.entry.record, shown: number });
  inSight();
}

/** Starts a new game with the chosen side and level. */
function begin(at) {
  const opponent = $("level").value;
  const players = opponent === SHARED ? { you: null } : { you: Number(document.querySelector("input[name=you]:checked").value), level: Number(opponent) };
  push({ record: [step(at)], ...players, puzzle: undefined, lesson: undefined });
  $("table").scrollIntoView({ block: "nearest" });
  inSight();
}

function openSetup() {
  $("setup-box").open = true;
  $("game").scrollIntoView({ block: "nearest" });
  $("game").focus();
}

/** Plays again from the start of the game, with a change. */
function again(change = {}, edited = (at) => at) {
  push({ record: [step(edited(restore(state.entry.record[0])))], ...change });
}

/** Plays again on an empty strip with one square more. */
const oneLonger = () => again({ puzzle: undefined, lesson: undefined }, ({ game, columns, side }) => ({ ...game.board(columns + 1), side }));

/** Returns the number of the last position up to the one shown in which the game is not over. */
const lastOpen = ({ record } = state.entry) => Math.max(record.slice(0, shownNumber() + 1).findLastIndex((one) => one.winner === null), 0);

/** Explores the current game, or returns to the game that was left. */
function setMode(mode) {
  if (mode === state.entry.mode) return;
  if (mode === "explore") return push({ mode, shown: lastOpen() });
  const game = keptGame();
  if (game && (game.record.length > 1 || same(restore(game.record[0]), state.at))) push(game);
  else playHere();
}

/** Returns the side of a visitor who begins; null for two people. */
const moverOf = (at) => (state.entry.you === null ? null : at.side);

/** Starts a game at the position shown, with the visitor to move. */
function playHere() {
  const at = restore(state.entry.record[lastOpen()]);
  push({ mode: "play", record: [step(at)], you: moverOf(at), puzzle: undefined, lesson: undefined });
}

/** Opens a position in notation, or a game by its address; on an error the field and the board stay unchanged. */
async function open(text) {
  try {
    const game = LINK.exec(text)?.[0];
    if (game) return push({ puzzle: undefined, lesson: undefined, ...(await valued(await fromAddress(game))) });
    const at = sided(text, null, state.at.game);
    await boardAfter(at);
    if (playing()) push({ record: [step(at)], you: moverOf(at), puzzle: undefined, lesson: undefined });
    else go(at);
    wrong(null);
  } catch (error) {
    wrong((await explain(error))[1]);
  }
}

async function openFile({ target }) {
  const text = await target.files[0]?.text();
  target.value = "";
  if (text === undefined) return;
  if (LINK.test(text)) return open(text);
  wrong("There is no game that this page has saved in the file.");
}

/** Shows what is wrong with the notation; null clears the message. */
function wrong(words) {
  $("notation").setAttribute("aria-invalid", words !== null);
  $("notation-problem").hidden = words === null;
  $("notation-problem").textContent = words ?? "";
  if (words !== null) $("notation-problem").scrollIntoView({ block: "nearest" });
}

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

/** Opens the position that the server returns for an API path. */
async function showExample(path) {
  try {
    explore((await ask(path)).position);
  } catch (error) {
    state.problem = error.message;
    draw();
  }
}

function listen() {
  const clicks = {
    ...edits,
    undo: () => travel(-1),
    redo: () => travel(1),
    takeback: takeBack,
    share: () => share($("share"), false),
    "share-game": () => share($("share-game"), true),
    "play-here": playHere,
    "from-start": () => showStep(0),
    new: openSetup,
    hint,
    endjump: endJump,
    canceljump: cancelJump,
    first,
    back: () => stepLine(-1),
    step: () => stepLine(1),
    last: () => followLine(state.line?.turns.length ?? 0),
    run,
    again: () => again(),
    "other-side": () => again({ you: 1 - state.entry.you, puzzle: undefined, lesson: undefined }),
    "one-longer": oneLonger,
    stronger: () => again({ level: state.entry.level - 1 }),
    easier: () => again({ level: state.entry.level + 1 }),
    "as-text": () => saveGame("txt", asText, "text/plain"),
    "as-sgf": () => saveGame("sgf", asSgf, "application/x-go-sgf"),
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
  $("level").addEventListener("change", hideSide);
  $("setup").addEventListener("submit", (event) => (event.preventDefault(), begin(chosenBoard())));
  $("random").addEventListener("click", () => $("setup").reportValidity() && scattered(chosenBoard()).then(begin));
  $("write").addEventListener("submit", (event) => (event.preventDefault(), open($("notation").value)));
  $("file").addEventListener("change", openFile);
  Object.assign(acts, { change, commit, edits, first, focused: () => board.focused, followLine, go, hint, inSight, showStep, stepLine, stop, takeBack, toSide, travel });
  document.addEventListener("keydown", key);
  addEventListener("popstate", (event) => (stop(), event.state ? enter(event.state) : arrive()));
  addEventListener("resize", () => !state.waiting && !$("curve").hidden && show());
  remember($("shortcuts"));
  swipe($("table"), () => !board.overview.root.hidden, (by) => !playing() && stepLine(by));
  document.querySelectorAll("[role=toolbar]").forEach(toolbar);
}

/** Opens the game that was left or the position in the address, or shows why it cannot be read. */
async function arrive() {
  let refusal = null;
  let entry;
  try {
    const kept = location.search ? null : keptGame();
    entry = kept ? { ...kept, index: 0 } : await valued(await fromAddress(location.search));
  } catch (error) {
    refusal = error;
    entry = { index: 0, mode: "explore", you: 0, level: 0, record: [step(parse(GAMES[0].first))] };
  }
  state.last = Math.max(state.last, entry.index);
  if (!refusal) history.replaceState(entry, "", location.href);
  state.entry = entry;
  if (!refusal) return enter(entry);
  Object.assign(state, { at: restore(entry.record[0]), invalid: true, board: null, jump: null, answer: null, turns: [], line: null, waiting: false });
  const [title, problem] = await explain(refusal);
  state.problem = problem;
  draw();
  $("setup-box").open = true;
  $("notation").value = new URLSearchParams(location.search).get("position") ?? "";
  $("notation").setAttribute("aria-invalid", "true");
  $("value").textContent = title;
  $("mover").textContent = "";
  $("board").hidden = true;
}

async function start() {
  GAMES.forEach((game) => $("game").append(new Option(game.title, game.id)));
  LEVELS.forEach((level, number) => $("level").append(new Option(level.name, number)));
  $("level").append(new Option("Another person", SHARED));
  listen();
  if (history.state?.record) {
    state.last = history.state.index;
    enter(history.state);
  } else await arrive();
  const groups = await ask("page/examples.json").catch(() => []);
  for (let wait = RETRY.first; ; wait = Math.min(2 * wait, RETRY.most)) {
    try {
      state.tables = (await ask("api/stats")).tables;
      break;
    } catch (error) {
      if (!error.again) break;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  fillChoices.done = null;
  fillChoices(state.at);
  showExamples($("examples"), await answered(groups), state.tables, { open: explore, find: showExample });
}

start();
