// Renders the state: board, value, lists and controls.

import { restore } from "./address.js";
import { question } from "./ask.js";
import { letter } from "./board.js";
import { score, showBar, showCurve } from "./curve.js";
import { LONGEST_STRIP, notation, same, sideNamed } from "./games.js";
import { showGame, showLine, showTurns } from "./lists.js";
import { drawnAs } from "./picture.js";
import { LEVELS } from "./play.js";
import { aim, showHalves, suggest } from "./reason.js";
import { showReview } from "./review.js";
import { fitsSgf } from "./save.js";
import { $, acts, called, current, freeSquares, isShared, isUnsolved, lastTurn, onLine, playing, reach, ready, say, shownNumber, shownStep, state, yours } from "./state.js";
import { mark, markHinted, nextTask, taskOf } from "./tasks.js";
import { CLICK, name, sentence, shortened } from "./words.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

let board;

export function connect(component) {
  board = component;
}

/** Applies a change; if that hides or disables the focused element, the board gets the focus. */
function holding(change) {
  const before = document.activeElement;
  change();
  const now = document.activeElement;
  if (before === document.body || (now !== document.body && now.offsetParent && !now.disabled)) return;
  const square = board.squares[board.focus];
  (square?.offsetParent ? square : $("value")).focus({ preventScroll: true });
}

/** Draws the board and its controls, which need no answer; `show` renders everything else. */
export const draw = () => holding(drawBoard);
export const show = () => holding(showAll);

function drawBoard() {
  const { at, entry, jump, chosen, turns, pointed, answer } = state;
  document.body.className = `${entry.mode} ${at.game.kind}${state.invalid ? " invalid" : ""}${at.winner === null ? "" : " over"}${state.waiting || !yours() && at.winner === null && !state.problem ? " waiting" : ""}`;
  const here = current();
  const shown = shownStep();
  const reached = chosen ? reach() : new Map();
  const next = (jump?.stops.length ?? 0) + 1;
  const ends = (isNext) => new Set([...reached].filter(([, { stops }]) => (stops.length === next) === isNext).map(([stop]) => stop));
  const pointing = pointed ?? jump;
  const parts = (!playing() && state.board?.parts) || [];
  const strip = isReasoned() && !jump && at.winner === null;
  const halves = strip ? state.board?.halves : null;
  board.show(here, {
    moving: !still.matches,
    halves: halves?.potentials,
    turns: playing() || jump ? [] : turns.filter(({ value }) => value),
    landings: ends(true),
    later: ends(false),
    leaving: new Set([0, 1].filter((goal) => reached.has(`goal ${goal}`))),
    ...(pointing ? drawnAs(at, pointing) : { path: shown.path ?? [], rings: shown.rings ?? [] }),
    free: at.game.impartial && (state.board || at.winner !== null) ? new Set(freeSquares()) : null,
    part: parts.length > 1 ? new Map(parts.flatMap((part, number) => part.map((square) => [square, number]))) : null,
  });
  $("jumping").hidden = !jump;
  showParts(parts, answer);
  $("why").hidden = !strip;
  if (strip) showWhy(at, halves);
  $("bar").hidden = state.invalid || (playing() && at.winner === null && !state.hinted);
  if (answer || at.winner !== null) showBar($("bar"), at, answer, at.winner === null ? sentence(at, answer) : `${name(at, at.winner)} has won`);
  if (playing()) showHeading(at, answer, at.winner !== null);
  $("problem").hidden = !state.problem;
  $("problem").textContent = state.problem ?? "";
  showControls();
}

/** Shows why a player wins a strip, and who is ahead in the directional game. */
function showWhy(at, halves) {
  showHalves(at, halves);
  if (!halves) return;
  const [right, left] = halves.potentials.map((half) => half.at(-1));
  const ahead = name(at, sideNamed(at.game, halves.directional_winner));
  const compared = left === right ? `both bars beside the ball are ${left}, and ${ahead} is to move` : `Left’s bar beside the ball is ${left}, Right’s ${right}`;
  $("why-directional").textContent = `In the directional game ${ahead} is ahead: ${compared}.`;
}

/** Shows the independent parts of an Obstruction board. */
function showParts(parts, answer) {
  const known = answer?.components?.length === parts.length ? answer.components : null;
  $("parts").hidden = !parts.length || !known;
  if (!known) return;
  const nimbers = known.map(({ squares, nimber }, part) => `${parts.length === 1 ? "" : `${letter(part)}: `}${squares === 1 ? "1 square" : `${squares} squares`}, nimber ${nimber}`);
  const sum = parts.length > 1 ? ` Sum without carry: ${answer.nimber}.` : "";
  $("parts").textContent = `${parts.length === 1 ? "One part" : `${parts.length} parts`}: ${nimbers.join("; ")}.${sum}`;
}

function showAll() {
  const { at, answer, entry, problem, turns } = state;
  const over = at.winner !== null;
  if (problem) state.line = null;
  showVerdict(at, answer, over);
  keep($("moves"), () => showTurns($("moves"), at, turns, { play: acts.commit, point }));
  if (isReasoned() && turns[0]?.value && !state.best) suggest(turns[0], drawWhy);
  showBest();
  const games = entry.record.map(restore);
  const played = games.slice(1).map((_, number) => {
    const { by, turn, note, kind } = entry.record[number + 1];
    return { at: games[number], who: called(at, by ?? games[number].side), words: turn ?? "…", note, kind, current: !playing() && number + 1 === shownNumber() };
  });
  keep($("record"), () => showGame($("record"), played, (number) => acts.showStep(number + 1)));
  // A best line followed from the start has its own list.
  const onlyLine = !playing() && games.every((game, number) => state.line?.places[number] && same(game, state.line.places[number]));
  $("game-list").hidden = !played.length || onlyLine;
  $("as-sgf").hidden = !fitsSgf(games[0]);
  showPoints(entry.record, games);
  showReview(at, entry, acts.showStep);
  showTask(at, entry);
  document.title = shortened(`${$("value").textContent}: ${notation(at)} · phutbase`);
}

/** Shows the best line. */
export function showBest() {
  const { at, answer, line } = state;
  keep($("line"), () => showLine($("line"), $("line-note"), playing() ? null : line, onLine() ?? 0, (count) => (acts.followLine(count), acts.inSight())));
  if (answer && !line && !playing()) $("line-note").textContent = "The server is looking for a line …";
  $("run").hidden = !line?.turns.length;
  $("line-title").textContent = line?.turns.length && answer?.depth === null && at.winner === null ? "A line" : "Best line";
  showControls();
}

/** Shows the curve once the values of two positions are known. */
function showPoints(record, games) {
  const points = games.map((at, number) => {
    const found = score(at, record[number].answer);
    const words = at.winner !== null ? `${name(at, at.winner)} has won` : found === null ? "" : sentence(at, record[number].answer);
    return { at, score: found, depth: record[number].answer?.depth ?? null, words: `${number ? `After turn ${number}` : "At the start"}: ${words}` };
  });
  const shown = points.filter(({ score }) => score !== null).length > 1 && !games[0].game.impartial;
  $("curve").hidden = !shown;
  $("rules").hidden = games.length > 1;
  if (shown) keep($("curve-chart"), () => showCurve($("curve-chart"), points, shownNumber(), acts.showStep));
}

function showVerdict(at, answer, over) {
  showHeading(at, answer, over);
  $("after").hidden = !playing() || !over;
  const lost = at.winner === 1 - state.entry.you;
  $("other-side").hidden = isShared();
  $("stronger").hidden = isShared() || lost || state.entry.level === 0;
  $("easier").hidden = isShared() || !lost || state.entry.level === LEVELS.length - 1;
  $("one-longer").hidden = at.columns >= LONGEST_STRIP;
  say(playing() && !state.refused ? told(at, state.entry) : "");
  $("ply").hidden = !/\bpl(y|ies)\b/.test($("value").textContent + $("said").textContent);
}

/** Says who has won, wins, or is to move. In a game this needs no answer. */
function showHeading(at, answer, over) {
  const { entry, problem } = state;
  const won = over && called(at, at.winner);
  if (over) $("value").textContent = won === "You" ? "You have won" : `${won} has won`;
  else if (problem) $("value").textContent = playing() && state.refused ? "Not played here" : "No value";
  else if (isShared()) $("value").textContent = `${name(at, at.side)} to move`;
  else if (playing()) $("value").textContent = yours() ? "Your turn" : `${name(at, at.side)} is thinking …`;
  else $("value").textContent = sentence(at, answer);
  if (playing()) {
    const player = entry.you ?? at.side;
    const aim = at.game.impartial ? "" : `${isShared() ? "Bring" : ": bring"} the ball to ${name(at, player)}'s goal`;
    const search = isUnsolved(at) ? ` No table has this pitch: who wins is unknown.${isShared() ? "" : " The program searches for a second on each turn."}` : "";
    $("mover").textContent = isShared() ? (over || !aim ? "" : `${aim}.${search}`) : over ? `You were ${name(at, player)}.` : `You are ${name(at, player)}${aim}.${search}`;
  } else $("mover").textContent = over ? "" : `${name(at, at.side)} to move${answer?.nimber === undefined ? "" : ` · nimber ${answer.nimber}`}`;
}

/** Returns a message about the last turns. */
function told(at, { record, you }) {
  const [before, now] = record.slice(-2);
  const mine = now?.by === you ? now : before?.by === you ? before : null;
  const theirs = now?.turn && now.by !== you ? `${name(at, now.by)}: ${now.turn}.` : "";
  const begin = at.game.impartial ? `${CLICK} a free square to mark it.` : `${CLICK} an empty square to place a stone. ${CLICK} the ball to see where it can jump, or drag it there.`;
  const seen = record.slice(0, -1).some((one) => one.text === now?.text && one.side === now.side);
  const again = seen ? "This position has occurred before: the game can repeat forever." : "";
  return [mine?.words, theirs, again].filter(Boolean).join(" ") || (taskOf(state.entry)?.task ?? begin);
}

/** Shows if the task of a game is solved, and once it is or the game is over a link to the next one. */
async function showTask(at, entry) {
  const task = playing() ? taskOf(entry) : null;
  const done = task && mark(entry.record[0].text);
  $("solved").hidden = !(done || (task && at.winner !== null));
  $("mark").hidden = !done;
  if (done) $("mark").textContent = done;
  // The line would give the answer away.
  $("from-start").hidden = task !== null && !done;
  if (!playing() && shownNumber() === 0) markHinted(entry);
  if (!task) return;
  const [words, address] = await nextTask(task).catch(() => ["All puzzles", "puzzles"]);
  Object.assign($("next"), { textContent: words, href: address });
}

function point(turn) {
  state.pointed = turn;
  aimAt(turn);
  draw();
}

/** True if the page says why a player wins the position: on strips explored. */
const isReasoned = () => state.at.game.id === "strip" && !playing();
const drawWhy = () => state.at.winner === null && showHalves(state.at, state.board?.halves);

/** Shows what the halves of a strip come to after a turn. */
export function aimAt(turn) {
  if (isReasoned()) aim(turn, drawWhy);
}

/** Fills a list; keeps the focus in it if it was there. */
function keep(root, fill) {
  const found = [...root.querySelectorAll("button, summary, a")].indexOf(document.activeElement);
  fill();
  if (found < 0) return;
  const now = root.querySelectorAll("button, summary, a");
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
    longer: at.columns < LONGEST_STRIP,
    first: shownNumber() > 0,
    back: shownNumber() > 0,
    step: shownNumber() < entry.record.length - 1 || (here !== null && here < end),
    last: here !== null && here < end,
    hint: ready() && !state.problem,
    takeback: lastTurn() > 0,
  };
  // `disabled` would drop the focus.
  for (const [id, can] of Object.entries(able)) $(id).setAttribute("aria-disabled", !can);
  for (const mode of ["play", "explore"]) $(`mode-${mode}`).setAttribute("aria-pressed", entry.mode === mode);
  $("length").textContent = at.columns;
  const cycle = state.line?.cycle !== null && state.line?.cycle !== undefined;
  $("run").textContent = state.running ? "Stop" : cycle ? "▶ Play the cycle" : "▶ Play the line";
  $("run").classList.toggle("main", cycle && !state.running);
  $("api").href = question(at);
  for (const input of document.querySelectorAll("input[name=side]")) input.checked = Number(input.value) === at.side;
  for (const input of document.querySelectorAll("input[name=tool]")) {
    const tool = at.game.tools.find(([id]) => id === input.value);
    input.parentElement.hidden = !tool;
    if (!tool && input.checked) document.querySelector("input[name=tool][value=turn]").checked = true;
  }
}
