// Why a player wins a strip: what both halves come to, their comparison, and the same after the turn
// under the cursor.
//
// Each half, read from its goal line to the ball, has a potential P and a type. The type corrects P by
// less than 1, in one way for the player to move and in another for the opponent.

import { post } from "./ask.js";
import { notation } from "./games.js";
import { text } from "./picture.js";
import { $, state } from "./state.js";
import { describe, name } from "./words.js";

/** Corrections in eighths by type: for the player to move, and for the opponent. */
const CORRECTIONS = {
  z: [0, -5], y: [1, -2], a: [2, 0], b: [2, -1], f: [3, -1], h: [3, 1], j: [4, 1],
  c: [5, 0], d: [5, 1], e: [6, 1], g: [6, 2], i: [7, 2], k: [7, 4], l: [7, 5],
};

/** Milliseconds that the cursor stays on a turn before it is asked about; number of answers kept. */
const [PAUSE, KEPT] = [120, 200];
/** Shortest run of equal squares written as a power. */
const RUN = 8;

const HALVES = ["left", "right"];

/** Returns 'Left wins: …' with the comparison of both halves; empty without a reason. */
export function because(at, { winner, reason }) {
  if (!reason) return "";
  const who = HALVES.indexOf(winner);
  const lead = at.side ? -reason.lead : reason.lead;
  const [mover, winning] = [name(at, at.side), name(at, who)];
  if (lead >= 1) return `${winning} wins: ${winning} leads by ${lead} and is to move.`;
  if (lead <= -2) return `${winning} wins: ${winning} leads by ${-lead}, more than a move is worth.`;
  const halves = [reason.left, reason.right];
  const [behind, ahead] = at.side ? halves.toReversed() : halves;
  const [own, other] = [eighths(behind, 0), eighths(ahead, 1)];
  const which = [at.side, 1 - at.side].map((side) => `${HALVES[side]} half`);
  if (who === at.side && own < other) {
    return `${winning} wins: with ${mover} to move, a ${which[0]} of type ${behind.type} beats a ${which[1]} of type ${ahead.type}, although it is worth less.`;
  }
  const relation = own < other ? "less than" : "at least";
  return `${winning} wins: with ${mover} to move the ${which[0]} is worth ${mixed(behind, 0)}, ${relation} the ${which[1]}’s ${mixed(ahead, 1)}.`;
}

const eighths = ({ potential, type }, waits) => 8 * potential + CORRECTIONS[type][waits];

/** Returns a potential with its correction: '2 − 5/8'. */
function mixed({ potential, type }, waits) {
  const correction = CORRECTIONS[type][waits];
  return correction ? `${potential} ${correction < 0 ? "−" : "+"} ${Math.abs(correction)}/8` : `${potential}`;
}

/** Returns a word with long runs as powers: '.¹²o'. */
const powers = (word) => word.replace(/(.)\1*/g, (run) => (run.length < RUN ? run : `${run[0]}${[...`${run.length}`].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`));

/** Shows the halves of a position, and of the one after the turn under the cursor. */
export function showHalves(at, answer) {
  const reason = at.winner === null ? answer?.reason : null;
  $("why-words").textContent = reason ? because(at, answer) : "";
  const { aimed } = state;
  const after = aimed?.turn.after;
  $("turn-title").textContent = aimed ? `After: ${describe(at, aimed.turn)}` : "After a turn";
  $("turn-words").textContent = !aimed ? "Point at a turn to compare." : after.winner !== null ? `${name(at, after.winner)} wins: the ball is in ${name(at, after.winner)}’s goal.` : aimed.answer ? because(after, aimed.answer) : "…";
  const rows = [...HALVES.map((side) => [`${side === "left" ? "Left" : "Right"} half`, (one) => half(one[side])]), ["Lead", ({ lead }) => [signed(lead)]]];
  $("halves").replaceChildren(...rows.map(([title, cell]) => {
    const line = document.createElement("tr");
    const head = text("th", "", title);
    head.scope = "row";
    const cells = [reason, aimed?.answer?.reason].map((one) => {
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
const answers = new Map();

/** Aims at a turn of the position shown, or at none, and calls `draw` when its halves are known. */
export function aim(turn, draw) {
  clearTimeout(timer);
  if (turn === (state.aimed?.turn ?? null)) return;
  const { at } = state;
  timer = setTimeout(async () => {
    if (state.at !== at) return;
    const aimed = turn && { turn, answer: answers.get(notation(turn.after)) ?? null };
    state.aimed = aimed;
    draw();
    if (!turn || aimed.answer || turn.after.winner !== null) return;
    aimed.answer = await reasonOf(notation(turn.after));
    if (state.aimed === aimed) draw();
  }, PAUSE);
}

/** Returns the answer for a position without its turns, or null if the server has none. */
async function reasonOf(position) {
  const [answer] = await post("api/batch", JSON.stringify({ positions: [position] })).catch(() => []);
  if (!answer?.reason) return null;
  if (answers.size >= KEPT) answers.delete(answers.keys().next().value);
  answers.set(position, answer);
  return answer;
}
