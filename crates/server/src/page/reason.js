// Why a player wins a strip: what both halves come to, their comparison, and the same after the turn
// under the cursor.

import { boardAfter } from "./ask.js";
import { notation } from "./games.js";
import { svg, text } from "./picture.js";
import { $, state } from "./state.js";
import { describe, name, raised } from "./words.js";

/** Milliseconds that the cursor stays on a turn before it is asked about; number of halves kept. */
const [PAUSE, KEPT] = [120, 200];
/** Shortest run of equal squares written as a power. */
const RUN = 8;
/** Runs of this many squares are drawn as one; least room for a half; a lead at which the bar is full. */
const [SHORT, LEAST, MOST_LEAD] = [4, 3, 4];

/** Returns a word with long runs as powers: '.¹²o'. */
const powers = (word) => word.replace(/(.)\1*/g, (run) => (run.length < RUN ? run : `${run[0]}${raised(run.length)}`));

/** Shows the halves of a position, and of the one after the turn under the cursor, or else a best turn. */
export function showHalves(at, halves) {
  const aimed = state.aimed ?? state.best;
  const after = aimed?.halves;
  $("why-words").textContent = halves?.words ?? "";
  const won = aimed?.turn.winner ?? null;
  $("turn-title").textContent = aimed ? `After: ${describe(at, aimed.turn)}` : "After a turn";
  $("turn-words").textContent = !aimed ? "" : `${leadIn(at, aimed)}${won !== null ? `${name(at, won)} wins: the ball is in ${name(at, won)}’s goal.` : (after?.words ?? "…")}`;
  const shown = [halves, after].filter(Boolean);
  // Both pictures have the same scale, and the ball at the same place.
  const [left, right] = ["left", "right"].map((half) => Math.max(LEAST, ...shown.map(({ reason }) => width(runs(reason[half].word)))) + 2);
  $("why").querySelector(".compared").style.setProperty("--columns", left + right);
  for (const [id, one] of [["why-now", halves], ["why-after", after]]) $(id).replaceChildren(...(one ? [drawn(one, left, right)] : []));
  const rows = [["Left half", ({ left }) => half(left)], ["Right half", ({ right }) => half(right)], ["Lead", ({ lead }) => [signed(lead)]]];
  $("halves").replaceChildren(...rows.map(([title, cell]) => {
    const line = document.createElement("tr");
    const head = text("th", "", title);
    head.scope = "row";
    const cells = [halves?.reason, after?.reason].map((one) => {
      const box = document.createElement("td");
      box.append(...(one ? cell(one) : ["–"]));
      return box;
    });
    line.append(head, ...cells);
    return line;
  }));
}

/** Returns words on a turn before those on the halves after it. */
function leadIn(at, { turn }) {
  const words = describe(at, turn);
  if (state.aimed) return `After ${words}: `;
  const several = state.turns.filter(({ value }) => value === "win").length > 1;
  return turn.value === "win" ? `${several ? "A" : "The"} winning turn is ${words}. ` : `No turn changes that. After ${words}: `;
}

// ---- the picture: both halves around the ball, their potentials, and the lead

/** Returns a word as runs of equal squares, of which only short ones are drawn square by square. */
const runs = (word) => (word.match(/(.)\1*/g) ?? []).flatMap((run) => (run.length < SHORT ? [...run].map((symbol) => ({ symbol })) : [{ symbol: run[0], count: run.length }]));
const widthOf = ({ count }) => (count ? 2 : 1);
const width = (found) => found.reduce((sum, run) => sum + widthOf(run), 0);

/** Draws halves, with room for some squares on both sides of the ball. */
function drawn({ reason, words }, before, behind) {
  const { left, right, lead } = reason;
  const root = svg("svg", { class: "halves", viewBox: `${-before} -0.1 ${before + behind} 2`, role: "img", "aria-label": `Left half ${left.potential}, right half ${right.potential}. ${words}` });
  const put = (tag, attributes, ...content) => root.append(svg(tag, attributes, ...content));
  for (const [half, way] of [[left, -1], [right, 1]]) {
    let from = 0.5;
    // The word ends at the ball.
    for (const run of runs(half.word).reverse()) {
      const size = widthOf(run);
      const x = way > 0 ? from : -from - size;
      put("rect", { class: "field even", x, y: 0, width: size, height: 1 });
      if (run.symbol === "o") put("circle", { class: "stone", cx: run.count ? x + 0.5 : x + size / 2, cy: 0.5, r: 0.33 });
      if (run.count) put("text", { class: "count", x: x + (run.symbol === "o" ? 1.4 : 1), y: 0.68 }, `×${run.count}`);
      from += size;
    }
    put("text", { class: `potential side${way > 0 ? 1 : 0}`, x: way * (from + 0.3), y: 0.75 }, `${half.potential}`);
  }
  put("image", { href: "page/ball.svg", x: -0.38, y: 0.12, width: 0.76, height: 0.76 });
  // The bar grows towards the goal of the player who leads.
  const wide = Math.min(Math.abs(lead), MOST_LEAD);
  put("rect", { class: "track", x: -MOST_LEAD, y: 1.25, width: 2 * MOST_LEAD, height: 0.5, rx: 0.12 });
  put("rect", { class: `lead side${lead > 0 ? 0 : 1}`, x: lead > 0 ? 0 : -wide, y: 1.25, width: wide, height: 0.5 });
  put("path", { class: "level", d: "M0 1.15V1.85" });
  const who = lead > 0 ? `Left +${lead}` : lead < 0 ? `Right +${-lead}` : "level";
  put("text", { class: "count", x: (lead < 0 ? -1 : 1) * (wide > 2 ? wide - 1.2 : wide + 1.2), y: 1.67 }, who);
  return root;
}

const signed = (lead) => (lead > 0 ? `+${lead}` : lead < 0 ? `−${-lead}` : "0");

/** Returns the word of a half, its potential and its type. */
function half({ word, name: named, potential, type }) {
  const code = text("code", "", powers(word) || "∅");
  code.title = named;
  return [code, ` P = ${potential}, type ${type}`];
}

// ---- the turn under the cursor

let timer = 0;
const known = new Map();

/** Aims at a turn of the position shown, or at none, and calls `draw` when its halves are known. */
export function aim(turn, draw) {
  clearTimeout(timer);
  if (turn === (state.aimed?.turn ?? null)) return;
  const { at } = state;
  timer = setTimeout(async () => {
    if (state.at !== at) return;
    const aimed = turn && { turn, halves: known.get(notation(turn.after)) };
    state.aimed = aimed;
    draw();
    if (!turn || aimed.halves || turn.winner !== null) return;
    aimed.halves = await halvesAfter(turn);
    if (state.aimed === aimed) draw();
  }, PAUSE);
}

/** Shows a best turn when no turn is under the cursor. */
export async function suggest(turn, draw) {
  const { at } = state;
  const best = { turn, halves: turn.winner === null ? (known.get(notation(turn.after)) ?? (await halvesAfter(turn))) : undefined };
  if (state.at !== at) return;
  state.best = best;
  draw();
}

/** Returns the halves after a turn, or undefined if the server does not answer. */
async function halvesAfter({ after }) {
  const { halves } = await boardAfter(after).catch(() => ({}));
  if (known.size >= KEPT) known.delete(known.keys().next().value);
  if (halves) known.set(notation(after), halves);
  return halves;
}
