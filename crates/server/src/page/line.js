// The best line: its turns from the server's answer, and the record of the game that follows it.

import { restore, step, stepAfter } from "./address.js";
import { same, turnsOf } from "./games.js";

/** Returns the line of an answer. `base` is the number of its first position in the record. */
export function lineFrom(at, answer, base) {
  const [places, turns] = [[at], []];
  for (const move of answer.line ?? []) {
    const before = places.at(-1);
    const [turn] = turnsOf(before, [move]);
    if (!turn) break;
    turns.push(turn);
    places.push(turn.after);
  }
  const again = places.slice(0, -1).findIndex((place) => same(place, places.at(-1)));
  const why = at.game.impartial ? "Obstruction has no best line; play the winning turns." : "No line to show.";
  return { turns, places, base, cycle: turns.length && again >= 0 ? again : null, why };
}

/** Returns the entry that shows the line after `count` turns, or null if it is shorter. */
export function entryOnLine({ line, entry }, count) {
  if (!line?.places[count]) return null;
  const before = entry.record[line.base];
  const begun = before && same(restore(before), line.places[0]);
  const base = begun ? line.base : 0;
  const shown = base + count;
  if (begun && entry.record[shown] && same(restore(entry.record[shown]), line.places[count])) return { record: entry.record, shown };
  const steps = line.turns.slice(0, count).map((turn, number) => {
    const [at, next] = [line.places[number], line.turns[number + 1]];
    const answer = next && { value: next.value, depth: next.depth };
    return stepAfter(at, turn, { answer });
  });
  return { record: [...(begun ? entry.record.slice(0, base + 1) : [step(line.places[0])]), ...steps], shown: undefined };
}
