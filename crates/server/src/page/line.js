// The best line: its turns from the server's answer, and the record of the game that follows it.

import { restore, step, steps } from "./address.js";
import { boardAfter } from "./ask.js";
import { same, turnsFrom } from "./games.js";

/** Most turns of a line: the address of a request has room for them. */
const MOST = 2000;

/** Returns the line of an answer. `base` is the number of its first position in the record. */
export async function lineFrom(at, { line = [] }, base) {
  const moves = line.slice(0, MOST);
  const { played } = moves.length ? await boardAfter(at, moves.map(({ move }) => move)) : { played: [] };
  const turns = turnsFrom(at, played).map((turn, number) => ({ ...turn, ...moves[number] }));
  const places = [at, ...turns.map(({ after }) => after)];
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
  const more = (number) => {
    const next = line.turns[number + 1];
    return { answer: next && { value: next.value, depth: next.depth } };
  };
  return { record: [...(begun ? entry.record.slice(0, base + 1) : [step(line.places[0])]), ...steps(line.places[0], line.turns.slice(0, count), more)], shown: undefined };
}
