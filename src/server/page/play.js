// The game against the tables: what the program plays, and what a turn of the visitor's was worth.

import { describe, turns as counted } from "./words.js";

/** How strong the program is: the share of its turns that keep the value but not the depth, and of those that lose it. */
export const LEVELS = [
  { name: "Perfect", slow: 0, lose: 0 },
  { name: "Unhurried: wins, not soon", slow: 0.5, lose: 0 },
  { name: "Slips now and then", slow: 0.3, lose: 0.15 },
  { name: "Beginner", slow: 0.2, lose: 0.5 },
];

const RANK = { win: 2, draw: 1, loss: 0 };

/** The program's turn at a level; `line` is best play, which is followed where depths are not known. */
export function choose(turns, line, level, random = Math.random) {
  const [best] = turns;
  const { slow, lose } = LEVELS[level];
  const luck = random();
  const pick = (some) => some[Math.floor(random() * some.length)];
  const worse = turns.filter((turn) => RANK[turn.value] < RANK[best.value]);
  if (luck < lose && worse.length) return pick(worse);
  const equal = turns.filter((turn) => turn.value === best.value);
  const longer = equal.filter((turn) => turn.depth !== best.depth);
  if (luck < lose + slow && longer.length) return pick(longer);
  const first = line?.[0] && turns.find((turn) => turn.move === line[0].move);
  if (best.depth === null && best.nimber === undefined && first) return first;
  return pick(equal.filter((turn) => turn.depth === best.depth));
}

/** What a turn was worth beside the best one: a short note and a sentence, `kind` is good, fair or bad. */
export function judge(at, turn, best, rival) {
  const rest = turn.depth === null || turn.depth <= 1 ? "" : ` in ${counted(turn.depth - 1).replace(" ", " more ")}`;
  const better = `Better: ${describe(at, best)}.`;
  const ahead = { win: `You win${rest}.`, draw: "It is a draw.", loss: `${rival} wins${rest}.` }[turn.value];
  if (RANK[turn.value] < RANK[best.value]) {
    const lost = best.value === "win" ? "let the win go" : "let the draw go";
    return { kind: "bad", note: lost, words: `That ${lost}. ${ahead} ${better}` };
  }
  if (turn.depth === 1 && turn.value === "win") return { kind: "good", note: "wins", words: "Home!" };
  if (turn.depth === best.depth) {
    const note = { win: "best", draw: "keeps the draw", loss: "nothing better" }[turn.value];
    const praise = { win: "Perfect.", draw: "That keeps the draw.", loss: "Nothing better there." }[turn.value];
    return { kind: "good", note, words: `${praise} ${ahead}` };
  }
  const note = turn.value === "win" ? "wins, but slower" : "loses sooner";
  return { kind: "fair", note, words: `${turn.value === "win" ? "Still a win, but slower" : "That loses sooner"}. ${ahead} ${better}` };
}
