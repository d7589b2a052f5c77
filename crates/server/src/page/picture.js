// Still pictures of positions, the path of a turn drawn over a board, and elements with a text.

const SVG = "http://www.w3.org/2000/svg";
/** Steps down and to the right in the directions in which a ball leaves a board. */
const WAYS = { N: [-1, 0], NE: [-1, 1], E: [0, 1], SE: [1, 1], S: [1, 0], SW: [1, -1], W: [0, -1], NW: [-1, -1], L: [0, -1], R: [0, 1] };

export function svg(tag, attributes, ...content) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

export function text(tag, kind, words) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.textContent = words;
  return element;
}

export function picture(at, { path = [], rings = [], gone = [], free = [], label = "" } = {}) {
  const { rows, columns, cells, game } = at;
  const root = svg("svg", { class: "still", viewBox: `-0.05 -0.05 ${columns + 0.1} ${rows + 0.1}`, role: "img", "aria-label": label });
  root.style.setProperty("--columns", columns);
  [...cells].forEach((symbol, square) => {
    const [x, y] = [square % columns, Math.floor(square / columns)];
    const goal = game.goal(at, square);
    const plain = game.impartial ? (symbol === "." && !free.includes(square) ? "blocked" : "paper") : (x + y) % 2 ? "odd" : "even";
    const kind = goal === null ? plain : `side${goal}`;
    root.append(svg("rect", { class: `field ${kind}`, x, y, width: 1, height: 1 }));
    if (symbol === "o") root.append(svg("circle", { class: "stone", cx: x + 0.5, cy: y + 0.5, r: 0.33 }));
    if (symbol === "x") root.append(svg("path", { class: "cross", d: `M${x + 0.25} ${y + 0.25}l.5 .5m0 -.5l-.5 .5` }));
    if (symbol === "@") root.append(svg("image", { href: "page/ball.svg", x: x + 0.12, y: y + 0.12, width: 0.76, height: 0.76 }));
  });
  for (const square of gone) root.append(svg("circle", { class: "stone gone", cx: (square % columns) + 0.5, cy: Math.floor(square / columns) + 0.5, r: 0.33 }));
  root.append(...way(at, path, rings));
  return root;
}

/** Draws the path of the ball (arcs on a strip, lines on a pitch) and rings around squares. */
export function way({ columns, game }, path, rings) {
  const centre = (square) => [(square % columns) + 0.5, Math.floor(square / columns) + 0.5];
  const points = path.map((stop) => {
    if (typeof stop === "number") return centre(stop);
    const [x, y] = centre(stop.from);
    return [x + stop.right * 0.5, y + stop.down * 0.5];
  });
  const drawn = rings.map(centre).map(([cx, cy]) => svg("circle", { class: "ring", cx, cy, r: 0.44 }));
  if (points.length < 2) return drawn;
  // The path ends at the edge of the ball, where its tip is visible.
  const [before, last] = points.slice(-2);
  const length = Math.hypot(last[0] - before[0], last[1] - before[1]);
  const end = game.lying ? [last[0] - Math.sign(last[0] - before[0]) * 0.1, 0.16] : last.map((part, axis) => part - ((part - before[axis]) / length) * 0.36);
  const stops = [...points.slice(0, -1), end];
  const hop = ([x, y], from) => (game.lying ? `Q${(x + from[0]) / 2} -0.5 ${x} ${y}` : `L${x} ${y}`);
  const d = `M${stops[0]}` + stops.slice(1).map((stop, number) => hop(stop, stops[number])).join("");
  const angle = game.lying ? (last[0] > before[0] ? 55 : 125) : (Math.atan2(last[1] - before[1], last[0] - before[0]) * 180) / Math.PI;
  const tip = svg("path", { class: "tip", d: "M.1 0L-.16 -.13L-.16 .13Z", transform: `translate(${end}) rotate(${angle})` });
  const dots = points.slice(0, -1).map(([cx, cy]) => svg("circle", { class: "stop", cx, cy, r: 0.07 }));
  return [...drawn, svg("path", { class: "way", d }), tip, ...dots];
}

/** Returns the stops of a jump: squares, and the edge over which the ball leaves. */
function pathOf(at, { squares, taken, off }) {
  const [down, right] = WAYS[off] ?? [];
  return [at.game.ball(at), ...squares, ...(off ? [{ from: taken.at(-1), down, right }] : [])];
}

/** Returns the drawing of a turn: the path of the ball, or a ring around the new stone. */
export const drawnAs = (at, turn) => (turn.kind === "jump" ? { path: pathOf(at, turn), rings: [] } : { path: [], rings: turn.squares });

/** Draws the board after a turn, the turn's path, and the stones that it removed. Of Obstruction, `free` squares are not blocked. */
export const turnPicture = (at, turn, label, free) => picture(turn.after, { ...drawnAs(at, turn), gone: turn.taken, free, label });
