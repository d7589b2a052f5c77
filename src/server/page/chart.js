// Bar charts of the tables: positions by depth, positions by value, the longest win at each length.

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, FOOT] = [600, 150, 22];
const MIN_HEIGHT = 2;
const MAX_LABELS = 16;

/** The address of a position that ends after so many turns. */
export const examplePath = (boards, turns) => `api/example?boards=${boards}&depth=${turns}`;

/** A bar for each length of strips whose longest win is known. */
export function longestWins(tables) {
  const strips = tables.filter((table) => table.game === "strip" && table.longest_win);
  const most = Math.max(...strips.map((strip) => strip.longest_win));
  const bars = strips.map(({ boards, longest_win: turns }) => ({
    kind: "win",
    label: boards,
    height: turns / most,
    words: `${boards} squares: a win in ${turns}`,
    path: examplePath(boards, turns),
  }));
  return { title: "The longest win at each length", bars };
}

/** The positions of a table: by depth where it has depths, else by value. */
export function positions({ boards, depths, ...counts }) {
  if (depths) return { title: `${boards}: positions by turns to the end, on a logarithmic scale`, bars: byDepth(boards, depths) };
  return { title: `${boards}: positions by value`, bars: byValue(counts) };
}

/** Counts differ by powers of ten, so heights are logarithms. */
function byDepth(boards, depths) {
  const longest = Math.max(0, ...Object.keys(depths).map(Number));
  const count = (turns) => depths[turns] ?? 0;
  const height = (number) => Math.log(number + 1);
  const total = Object.values(depths).reduce((sum, number) => sum + Number(number), 0);
  return Array.from({ length: longest }, (_, place) => place + 1).map((turns) => ({
    kind: turns % 2 ? "win" : "loss",
    label: turns,
    height: height(Number(count(turns))) / height(total),
    words: `${turns % 2 ? "won" : "lost"} in ${turns}: ${count(turns)} positions`,
    path: count(turns) ? examplePath(boards, turns) : null,
  }));
}

function byValue({ positions: all, wins, losses, draws }) {
  const values = [["won", "win", wins], ["lost", "loss", losses], ["drawn", "draw", draws]];
  return values.map(([label, kind, count]) => {
    const height = Number(count) / Number(all);
    return { kind, label, height, words: `${label}: ${(height * 100).toFixed(1)} % of ${all} positions` };
  });
}

/** Draws bars; `find` opens the position of a bar that has a path. */
export function barChart({ title, bars }, find) {
  const picture = element("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT + FOOT}`, role: "group", "aria-label": title });
  const step = WIDTH / Math.max(bars.length, 1);
  const every = Math.max(Math.floor(bars.length / MAX_LABELS), 1);
  bars.forEach(({ kind, label, height, words, path }, place) => {
    const tall = Math.max(height * HEIGHT, MIN_HEIGHT);
    const shape = { class: kind, x: (place + 0.1) * step, y: HEIGHT - tall, width: step * 0.8, height: tall };
    const bar = element("rect", shape, element("title", {}, words));
    picture.append(path ? linked(bar, words, path, find) : bar);
    if (place % every) return;
    picture.append(element("text", { x: (place + 0.5) * step, y: HEIGHT + FOOT - 6, "text-anchor": "middle" }, label));
  });
  return picture;
}

function linked(bar, words, path, find) {
  const link = element("a", { href: path, "aria-label": words }, bar);
  link.addEventListener("click", (event) => (event.preventDefault(), find(path)));
  return link;
}

function element(tag, attributes, content = "") {
  const made = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  made.append(content);
  return made;
}
