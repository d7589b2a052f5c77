// The choices of a new game: game, size, side, level, and an empty or a random board.

import { boardAfter } from "./ask.js";
import { gameNamed, parse, turnsFrom } from "./games.js";
import { turnPicture } from "./picture.js";
import { LEVELS } from "./play.js";
import { $, isShared, isUnsolved, playing, state } from "./state.js";
import { solved, taskOf } from "./tasks.js";
import { name } from "./words.js";

/** The choice of two people at one board, in place of a level. */
export const SHARED = "shared";

/** Two people need not choose a side. */
export const hideSide = () => ($("you-box").hidden = $("level").value === SHARED);

/** Updates the choices that depend on the game and the tables. */
export function fillChoices(at) {
  const key = `${at.game.id} ${state.tables.length}`;
  document.querySelectorAll("[data-side]").forEach((span) => (span.textContent = at.game.names[span.dataset.side]));
  if (fillChoices.done !== key) {
    fillChoices.done = key;
    $("game").value = at.game.id;
    // In the column that is shorter without it.
    $(at.game.lying ? "left" : "right").append($("controls"));
    fillSizes(at.game);
    at.game.rules.forEach((rule, number) => {
      $(`rule${number + 1}`).textContent = rule;
      showRule($(`rule${number + 1}`).previousElementSibling, at.game, rule, at.game.pictures[number]);
    });
  }
  const size = at.game.size(at);
  setSize(at.game, size);
  $("level").value = isShared() ? SHARED : state.entry.level;
  hideSide();
  for (const input of document.querySelectorAll("input[name=you]")) input.checked = Number(input.value) === state.entry.you;
  const level = isUnsolved(at) && state.entry.level === 0 ? "the best turn that a search finds" : LEVELS[state.entry.level].line;
  const who = isShared() ? " · two people" : playing() ? ` · you are ${name(at, state.entry.you)} · ${level}` : "";
  const task = playing() ? taskOf(state.entry) : null;
  const what = task ? `${task.title}${solved().has(state.entry.record[0].text) ? " · ✓ solved" : ""}` : at.game.title;
  $("setup-line").textContent = `${what} · ${at.game.sizeName(size)}${who}`;
}

/** Shows the picture of a rule: a position and a turn. */
async function showRule(box, game, rule, [text, move]) {
  const at = game.parse(text);
  const { played, turns } = await boardAfter(at, [move]).catch(() => ({}));
  if (played && state.at.game === game) box.replaceChildren(turnPicture(at, turnsFrom(at, played)[0], rule, turns.flatMap(({ squares }) => squares)));
}

/** Offers the sizes of a game: a field for the length of a strip, otherwise a list. */
export function fillSizes(game) {
  $("length-label").hidden = !game.lying;
  $("size-label").hidden = Boolean(game.lying);
  $("size").replaceChildren(...(game.lying ? [] : game.sizes(state.tables).map((size) => new Option(`${game.sizeName(size)}${game.large?.includes(size) ? " · not solved" : ""}`, size))));
  setSize(game, game.size(parse(game.first)));
}

function setSize(game, size) {
  if (game.lying) return void ($("squares").value = size);
  if (![...$("size").options].some(({ value }) => value === size)) $("size").append(new Option(game.sizeName(size), size));
  $("size").value = size;
}

/** Returns the empty board of the chosen game and size. */
export function chosenBoard() {
  const game = gameNamed($("game").value);
  return game.board(game.lying ? $("squares").value : $("size").value || game.size(parse(game.first)));
}

/** Adds pieces to an empty board: a stone on one square in four, at most three marks in Obstruction. */
export async function scattered(at, random = Math.random) {
  const { game } = at;
  if (!game.impartial) {
    return [...at.cells].reduce((here, _, square) => (random() < 0.25 && game.goal(at, square) === null ? game.edit(here, square, "stone") : here), at);
  }
  let here = at;
  for (let marks = 0; marks < 3; marks += 1) {
    const free = (await boardAfter(here)).turns.flatMap(({ squares }) => squares);
    if (free.length > 9) here = game.edit(here, free[Math.floor(random() * free.length)], "mark", free);
  }
  return here;
}
