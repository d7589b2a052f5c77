// Scores from −1 to 1 (who wins, and how soon), the value bar, and the curve of a game.

import { svg } from "./picture.js";
import { name, winner } from "./words.js";

/** Additional plies that halve the score of a win; a win in one ply scores 1. */
const HALF = 12;
/** Score of a win of unknown depth. */
const SOME = 0.6;
const AXIS = [1, 5, 13, 37];
const [HEIGHT, LEFT, PAD] = [150, 42, 10];

const reach = (depth) => (depth === null ? SOME : HALF / (HALF + depth - 1));
const signed = (who, depth) => (who === null ? 0 : who ? -reach(depth) : reach(depth));

/** Returns the score of a position for the first player, or null if its value is unknown. */
export function score(at, answer) {
  if (at.winner !== null) return at.winner ? -1 : 1;
  return answer?.value ? signed(winner(at, answer), answer.depth) : null;
}

export function showBar(bar, at, answer, words) {
  const found = score(at, answer) ?? 0;
  bar.className = `bar side${found < 0 ? 1 : 0}`;
  bar.style.setProperty("--score", found);
  bar.setAttribute("aria-label", words);
  bar.querySelector("span").textContent = words;
}

/** Tells if the turn between two positions gave away a win or a draw. */
export function slipped(before, after) {
  const rank = (score, side) => Math.sign(side ? -score : score);
  return before.score !== null && after.score !== null && rank(after.score, before.at.side) < rank(before.score, before.at.side);
}

/** Returns a point of the curve, preceded by the crossing of the middle line if there is one. */
function crossing(before, point) {
  if (!before || before.score * point.score >= 0) return [point];
  const share = before.score / (before.score - point.score);
  return [{ number: before.number + share * (point.number - before.number), score: 0 }, point];
}

/** Tells if the winner of a point is known, but not how soon. */
const isBanded = ({ at, score, depth }) => score !== null && score !== 0 && at.winner === null && depth === null;

/**
 * Draws the curve of a game, or a band with the winner after each turn where depths are unknown.
 * `points` have `at`, `score`, `depth` and `words`; clicks call `go(number)`.
 */
export function showCurve(root, points, current, go) {
  const width = Math.max(root.clientWidth, 280);
  const game = points[0].at;
  const step = (width - LEFT - PAD) / Math.max(points.length - 1, 12);
  const [x, y] = [(number) => LEFT + number * step, (value) => PAD + ((1 - value) / 2) * (HEIGHT - 2 * PAD)];
  const banded = points.some(isBanded);
  const chart = svg("svg", { class: "curve", viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "group", "aria-label": banded ? "Winner after each turn" : "Depth after each turn" });
  const known = points.map((point, number) => ({ ...point, number, level: banded ? Math.sign(point.score) / 2 : point.score })).filter(({ score }) => score !== null);
  chart.append(...axis(game, banded, width, y), ...(banded ? bands(known, width, step, x, y) : areas(known, x, y)));
  known.forEach((point, place) => {
    const bad = place > 0 && known[place - 1].number === point.number - 1 && slipped(known[place - 1], point);
    const kinds = ["point", bad && "bad", point.number === current && "current"].filter(Boolean).join(" ");
    const words = `${point.words}${bad ? ": a mistake" : ""}`;
    const link = svg("a", { href: "#board", class: kinds, "aria-label": words }, svg("title", {}, words));
    link.append(svg("circle", { class: "hit", cx: x(point.number), cy: y(point.level), r: 12 }), svg("circle", { cx: x(point.number), cy: y(point.level), r: bad || point.number === current ? 6 : 3.5 }));
    if (bad) link.append(svg("text", { class: "query", x: x(point.number), y: y(point.level) + 4, "text-anchor": "middle" }, "?"));
    link.addEventListener("click", (event) => (event.preventDefault(), go(point.number)));
    chart.append(link);
  });
  const legend = document.createElement("p");
  legend.className = "note";
  const scale = banded ? "No depths are known here." : "Numbers are plies to the end.";
  legend.textContent = `${name(game, 0)} wins above the line, ${name(game, 1)} below it. ${scale} “?” marks a turn that gave away a win or a draw.`;
  root.replaceChildren(chart, legend);
}

/** Returns the middle line and its label, with lines for depths or, for bands, the players' names. */
function axis(game, banded, width, y) {
  const label = (level, words) => svg("text", { x: LEFT - 6, y: level + 4, "text-anchor": "end" }, words);
  const middle = svg("line", { class: "middle", x1: LEFT, x2: width, y1: y(0), y2: y(0) });
  if (banded) return [middle, label(y(0.5), name(game, 0)), label(y(-0.5), name(game, 1))];
  const levels = [1, -1].flatMap((side) => AXIS.map((depth) => [y(side * reach(depth)), depth]));
  return [...levels.flatMap(([level, depth]) => [svg("line", { class: "rule", x1: LEFT, x2: width, y1: level, y2: level }), label(level, `${depth}`)]), middle, label(y(0), "draw")];
}

/** Returns a bar around each point on the winner's side of the middle line. */
function bands(known, width, step, x, y) {
  return known.filter(({ score }) => score !== 0).map(({ number, score }) => {
    const [from, to] = [Math.max(x(number) - step / 2, LEFT), Math.min(x(number) + step / 2, width)];
    return svg("rect", { class: `area side${score < 0 ? 1 : 0}`, x: from, width: to - from, y: score < 0 ? y(0) : y(1), height: y(0) - y(1) });
  });
}

/** Returns the curve, and the area between it and the middle line. */
function areas(known, x, y) {
  if (known.length < 2) return [];
  const whole = known.flatMap((point, place) => crossing(known[place - 1], point));
  const sides = [0, 1].map((side) => {
    const clipped = whole.map(({ number, score }) => `${x(number)} ${y(side ? Math.min(score, 0) : Math.max(score, 0))}`).join("L");
    return svg("path", { class: `area side${side}`, d: `M${x(known[0].number)} ${y(0)}L${clipped}L${x(known.at(-1).number)} ${y(0)}Z` });
  });
  return [...sides, svg("path", { class: "line", d: `M${known.map(({ number, score }) => `${x(number)} ${y(score)}`).join("L")}` })];
}
