// Why a player wins a strip: what both halves come to, their comparison, and the same after the turn
// under the cursor.

import { boardAfter } from "./ask.js";
import { notation } from "./games.js";
import { text } from "./picture.js";
import { $, state } from "./state.js";
import { describe, name, raised } from "./words.js";

/** Milliseconds that the cursor stays on a turn before it is asked about; number of halves kept. */
const [PAUSE, KEPT] = [120, 200];
/** Shortest run of equal squares written as a power. */
const RUN = 8;

/** Returns a word with long runs as powers: '.¹²o'. */
const powers = (word) => word.replace(/(.)\1*/g, (run) => (run.length < RUN ? run : `${run[0]}${raised(run.length)}`));

/** Shows the halves of a position, and of the one after the turn under the cursor. */
export function showHalves(at, halves) {
  $("why-words").textContent = halves?.words ?? "";
  const { aimed } = state;
  const won = aimed?.turn.winner ?? null;
  $("turn-title").textContent = aimed ? `After: ${describe(at, aimed.turn)}` : "After a turn";
  $("turn-words").textContent = !aimed ? "Point at a turn to compare." : won !== null ? `${name(at, won)} wins: the ball is in ${name(at, won)}’s goal.` : (aimed.halves?.words ?? "…");
  const rows = [["Left half", ({ left }) => half(left)], ["Right half", ({ right }) => half(right)], ["Lead", ({ lead }) => [signed(lead)]]];
  $("halves").replaceChildren(...rows.map(([title, cell]) => {
    const line = document.createElement("tr");
    const head = text("th", "", title);
    head.scope = "row";
    const cells = [halves?.reason, aimed?.halves?.reason].map((one) => {
      const box = document.createElement("td");
      box.append(...(one ? cell(one) : ["–"]));
      return box;
    });
    line.append(head, ...cells);
    return line;
  }));
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

/** Returns the halves after a turn, or undefined if the server does not answer. */
async function halvesAfter({ after }) {
  const { halves } = await boardAfter(after).catch(() => ({}));
  if (known.size >= KEPT) known.delete(known.keys().next().value);
  if (halves) known.set(notation(after), halves);
  return halves;
}
