// Bar charts of the tables: positions by depth, positions by value, the longest game at each length.

import { svg, text } from "./picture.js";
import { exact, tenTo } from "./words.js";

const [WIDTH, HEIGHT, FOOT, TOP, LEFT] = [860, 200, 34, 28, 62];
const MIN_HEIGHT = 2;
const MAX_LABELS = 16;

const COLOURS = { win: "won by the player to move", loss: "lost by the player to move", draw: "drawn" };

/** Returns the meaning of the colours of a chart's bars. */
export function legend({ bars }) {
  const line = text("p", "legend", "");
  line.append(...Object.keys(COLOURS).filter((kind) => bars.some((bar) => bar.kind === kind)).map((kind) => text("span", `${kind} key`, COLOURS[kind])));
  return line;
}

/** Returns the API path of a position that ends after this number of plies. */
export const examplePath = (boards, plies) => `api/example?boards=${boards}&depth=${plies}`;

/** Returns round numbers from 0 to `most`, at most `count` of them after 0. */
export function roundTicks(most, count = 5) {
  const raw = Math.max(most / count, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, place) => place * step);
}

/** Returns a chart with a bar for each strip whose longest game is known. */
export function longestGames(tables) {
  const strips = tables.filter((table) => table.game === "strip" && table.longest);
  const most = Math.max(...strips.map((strip) => strip.longest), 1);
  const bars = strips.map(({ boards, longest }) => ({
    kind: longest % 2 ? "win" : "loss",
    label: boards,
    height: longest / most,
    words: `${boards} squares: ${longest} plies`,
    path: examplePath(boards, longest),
  }));
  const ticks = roundTicks(most).map((tick) => [tick / most, tick]);
  return { title: "The longest game at each length", bars, ticks, across: "squares", up: "plies" };
}

/** Returns a chart of a table's positions: by depth if it has depths, otherwise by value. */
export function positions({ boards, depths, rules, ...counts }) {
  const size = `${boards.replace("x", " × ")}${boards.includes("x") ? "" : " squares"}`;
  if (!depths) {
    const ticks = [0, 0.5, 1].map((share) => [share, `${share * 100} %`]);
    return { title: `${size}: positions by value`, bars: byValue(counts), ticks, across: "", up: "" };
  }
  const [total, log] = [sum(depths), (number) => Math.log(number + 1) / Math.log(sum(depths) + 1)];
  const powers = Array.from({ length: Math.floor(Math.log10(total)) + 1 }, (_, power) => 10 ** power);
  const every = Math.ceil(powers.length / 6);
  const ticks = powers.filter((_, power) => power % every === 0).map((power) => [log(power), power > 1 ? tenTo(Math.log10(power)) : 1]);
  const bars = byDepth(depths, log, (plies) => (rules === "ordinary" ? examplePath(boards, plies) : null));
  return { title: `${size}: positions by plies to the end`, bars, ticks, across: "plies to the end", up: "positions" };
}

const sum = (depths) => Object.values(depths).reduce((sum, number) => sum + Number(number), 0);

/** Returns a bar for each depth. `height` is logarithmic because counts differ by powers of ten. */
function byDepth(depths, height, path) {
  const longest = Math.max(0, ...Object.keys(depths).map(Number));
  const count = (plies) => depths[plies] ?? 0;
  return Array.from({ length: longest }, (_, place) => place + 1).map((plies) => ({
    kind: plies % 2 ? "win" : "loss",
    label: plies,
    height: height(Number(count(plies))),
    words: `${plies % 2 ? "won" : "lost"} in ${plies}: ${exact(count(plies))} positions`,
    path: count(plies) ? path(plies) : null,
  }));
}

function byValue({ positions: all, wins, losses, draws }) {
  const values = [["won", "win", wins], ["lost", "loss", losses], ["drawn", "draw", draws]];
  return values.map(([label, kind, count]) => {
    const height = Number(count) / Number(all);
    return { kind, label, height, words: `${label}: ${(height * 100).toFixed(1)} % of ${exact(all)} positions` };
  });
}

/** Draws bars and both axes; a click on a bar with a path calls `find(path)`. */
export function barChart({ title, bars, ticks, across, up }, find) {
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${TOP + HEIGHT + FOOT}`, role: "group", "aria-label": title });
  const y = (share) => TOP + (1 - share) * HEIGHT;
  for (const [share, label] of ticks) {
    picture.append(svg("line", { class: "rule", x1: LEFT, x2: WIDTH, y1: y(share), y2: y(share) }));
    picture.append(svg("text", { x: LEFT - 8, y: y(share) + 4, "text-anchor": "end" }, `${label}`));
  }
  const step = (WIDTH - LEFT) / Math.max(bars.length, 1);
  const every = Math.max(Math.floor(bars.length / MAX_LABELS), 1);
  bars.forEach(({ kind, label, height, words, path }, place) => {
    const tall = Math.max(height * HEIGHT, MIN_HEIGHT);
    const shape = { class: kind, x: LEFT + (place + 0.12) * step, y: TOP + HEIGHT - tall, width: step * 0.76, height: tall, rx: 2 };
    const bar = svg("rect", shape, svg("title", {}, words));
    picture.append(path ? linked(bar, words, path, find) : bar);
    if (place % every) return;
    picture.append(svg("text", { x: LEFT + (place + 0.5) * step, y: TOP + HEIGHT + 15, "text-anchor": "middle" }, `${label}`));
  });
  picture.append(svg("text", { x: WIDTH, y: TOP + HEIGHT + 30, "text-anchor": "end" }, across), svg("text", { x: 2, y: 15 }, up));
  return picture;
}

function linked(bar, words, path, find) {
  const link = svg("a", { href: path, "aria-label": words }, bar);
  link.addEventListener("click", (event) => (event.preventDefault(), find(path)));
  return link;
}
