// Potentials of half strips: the ball's distance from a goal line in the directional game.
//
// An automaton with two counters reads the half strip from the goal line to the ball. In its state
// [family, m, i], the half strip has the potential of m empty squares, then i times 'oo..', then
// the word that names the family: floor(m / 4) plus a constant of the family. In the directional
// game the lower potential wins; if they are equal, the mover wins (docs/THEORY.md).

const FAMILIES = {
  "": ({ m, k, r, i, dot }) => {
    if (r) return dot ? ["", m + 1] : !k ? (r === 1 ? ["", 0] : ["Y", 2]) : ["o", r === 2 ? m : m - 1];
    if (i) return dot ? ["o.", m] : k === i + 1 ? ["o..o", m] : ["o", m, i];
    return dot ? ["", m + 1] : k ? ["o", m] : ["", 0];
  },
  o: ({ m, k, r, i, dot }) => {
    if (r) return dot ? ["o.", m] : k === 1 ? ["oo", 4] : ["oo", m];
    return !dot ? ["oo", m, i] : i === 0 && k === 1 ? ["", 3] : ["o.", m];
  },
  "o.": ({ m, k, r, dot }) => {
    if (!r) return dot ? ["o..", m] : ["o", m - 2];
    return dot ? ["", m] : k === 1 ? ["ooo", 4] : ["o.o", m];
  },
  oo: ({ m, k, r, i, dot }) => {
    if (r) return dot ? ["o.", m - 2] : ["o.o", m];
    return !dot ? ["ooo", m, i] : k === 1 ? ["", 3] : ["oo.", m, i];
  },
  Y: ({ dot }) => ["", dot ? 1 : 0],
  "o..": ({ m, dot }) => (dot ? ["", m + 1] : ["o..o", m]),
  "o.o": ({ m, dot }) => (dot ? ["o.", m - 2] : ["o.oo", m]),
  "oo.": ({ m, k, i, dot }) => (dot ? ["", m, i + 1] : i ? ["oo.o", m, i] : [k === 2 ? "o" : "o..o", m - 4]),
  ooo: ({ m, k, i, dot }) => {
    if (i) return dot ? ["ooo.", m, i] : ["", m - 4, i];
    return dot ? ["", k === 1 ? 3 : m - 3] : k === 1 ? ["oooo", 4] : k === 2 ? ["oooo..", 4] : ["oooo", m];
  },
  "o..o": ({ m, dot }) => [dot ? "o." : "o..oo", m],
  "o.oo": ({ m, dot }) => (dot ? ["o.oo.", m] : ["o", m - 4]),
  "oo.o": ({ m, k, i, dot }) => (dot ? ["o.", m - 4] : k === i + 2 ? ["oo", m - 2] : ["oo.oo", m, i]),
  "ooo.": ({ m, k, i, dot }) => (dot ? ["", m - 2] : k === i + 2 ? ["o..o", m - 4] : ["o", m - 4, i]),
  oooo: ({ m, k, dot }) => (k === 1 ? (dot ? ["oooo.", 4] : ["Y", 2]) : [dot ? "o." : "o", m - 4]),
  "o..oo": ({ m, dot }) => [dot ? "o." : "o..ooo", m],
  "o.oo.": ({ m, k, dot }) => (dot ? ["oooo", m + 2] : ["oo", k === 2 ? 4 : m - 4]),
  "oo.oo": ({ m, i, dot }) => (dot ? ["o.", m - 4] : ["oo.ooo", m, i]),
  "oooo.": ({ dot }) => (dot ? ["oooo..", 4] : ["", 0]),
  "o..ooo": ({ m, dot }) => [dot ? "oo." : "o..oooo", m],
  "oo.ooo": ({ m, i, dot }) => (dot ? ["oo.", m - 4, i] : ["oo.oooo", m, i]),
  "oooo..": ({ dot }) => (dot ? ["", 3] : ["o", 4]),
  "o..oooo": ({ m, k, dot }) => (dot ? ["o..oooo.", m] : [k === 2 ? "o" : "o..o", m - 4]),
  "oo.oooo": ({ m, i, dot }) => (dot ? ["oo.oooo.", m, i] : ["oo.o", m - 4, i]),
  "o..oooo.": ({ m, k, dot }) => (dot ? ["", m - 2] : k === 2 ? ["oo", 4] : ["o..oo", m - 4]),
  "oo.oooo.": ({ m, k, i, dot }) => (dot ? ["", m - 6] : k === i + 3 ? ["oo", m - 6] : ["oo.oo", m - 4, i]),
};

/** Constants other than 0, by family and m modulo 4. */
const CONSTANTS = {
  "0": 1, "1": 1, "2": 1, "3": 2, "o2": 1, "o.0": 1, "o.2": 1, "o..0": 1, "oo.0": 1,
  "oo.o0": -1, "o.oo.2": 1, "oo.oo0": -1, "oooo.0": 1, "oo.ooo0": -1, "oo.oooo0": -1, "oo.oooo.0": -1,
};

function worth([family, m, i = 0]) {
  const k = Math.floor(m / 4);
  if (family === "Y") return 1;
  if (family === "oooo") return Math.max(k - 1, 1);
  if (family === "" && m % 4 === 0) return k && k + (i ? 0 : 1);
  return k + (CONSTANTS[family + (m % 4)] ?? 0);
}

/** Returns the potentials of the prefixes of a half strip, read from the goal line. */
export function potentials(half) {
  let state = ["", 0, 0];
  return [...half].map((symbol) => {
    const [family, m, i = 0] = state;
    state = FAMILIES[family]({ m, k: Math.floor(m / 4), r: m % 4, i, dot: symbol === "." });
    return worth(state);
  });
}

/** Returns the potentials of both half strips: [Left's, who attacks the right end, Right's]. */
export function halves({ cells }) {
  const ball = cells.indexOf("@");
  return [[...cells.slice(ball + 1)].reverse().join(""), cells.slice(0, ball)].map(potentials);
}

/** Returns the winner of the directional game: the lower potential, or the mover if equal. */
export function ahead(at) {
  const [left, right] = halves(at).map((half) => half.at(-1));
  return left === right ? at.side : left < right ? 0 : 1;
}
