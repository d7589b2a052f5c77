// The board of every game: squares to click and to walk with the arrow keys, the path of a jump drawn over them, and of a long strip
// the whole in small.

import { describe, sign, worth } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

export class Board {
  /** `click(square)` is called on clicks, `leave(side)` when the ball is to go over a goal. */
  constructor(root, click, leave) {
    this.root = root;
    this.click = click;
    this.leave = leave;
    this.focus = null;
    this.squares = [];
    this.build();
  }

  build() {
    this.goals = [0, 1].map((side) => {
      const goal = cell("button", "", "");
      goal.type = "button";
      goal.addEventListener("click", () => this.leave(side));
      return goal;
    });
    this.scroller = cell("div", "scroller", "");
    this.grid = cell("div", "grid", "");
    this.grid.setAttribute("role", "group");
    this.scroller.append(this.grid);
    this.overview = new Overview(this.scroller);
    this.root.replaceChildren(...this.goals, this.scroller, this.overview.root);
    this.grid.addEventListener("keydown", (event) => this.key(event));
  }

  /** Draws a position. `shown` may hold turns with values, landings, a path, squares to mark, parts. */
  show(at, shown = {}) {
    const kept = this.squares.indexOf(document.activeElement);
    const moved = this.shape !== `${at.game.id} ${at.rows} ${at.columns}`;
    this.shape = `${at.game.id} ${at.rows} ${at.columns}`;
    this.at = at;
    this.root.className = `board ${at.game.id}${at.game.lying === false ? " standing" : ""}`;
    this.root.style.setProperty("--columns", at.columns);
    this.root.style.setProperty("--rows", at.rows);
    this.grid.setAttribute("aria-label", `Board, ${at.game.sizeName(at.game.size(at))}`);
    this.showGoals(at, shown.leaving ?? new Set());
    const count = at.cells.length;
    const ball = at.game.ball(at);
    if (this.focus === null || moved || this.focus >= count) this.focus = ball < 0 ? 0 : ball;
    // Squares are kept from one position to the next, so that the focus is.
    if (this.squares.length !== count) this.squares = Array.from({ length: count }, (_, square) => this.square(square));
    this.squares.forEach((button, square) => this.dress(button, at, square, shown));
    this.grid.replaceChildren(...coordinates(at), ...this.squares, drawing(at, shown.path ?? [], shown.rings ?? []));
    if (kept >= 0) this.squares[Math.min(kept, count - 1)].focus({ preventScroll: true });
    if (ball >= 0) this.reveal(ball);
    this.overview.show(at, this.squares);
  }

  /** Whose goal is where; a goal that the ball can be jumped over is a landing too. */
  showGoals(at, leaving) {
    for (const side of [0, 1]) {
      const arrow = at.game.lying ? (side ? "← " : " →") : side ? " ↓" : " ↑";
      const words = `${at.game.names[side]}'s goal`;
      this.goals[side].textContent = side && at.game.lying ? arrow + words : words + arrow;
      this.goals[side].hidden = at.game.impartial;
      this.goals[side].className = `goal side${side}${leaving.has(side) ? " landing" : ""}`;
      this.goals[side].disabled = !leaving.has(side);
    }
  }

  square(square) {
    const button = cell("button", "", "");
    button.type = "button";
    button.dataset.square = square;
    button.addEventListener("click", () => {
      this.focus = square;
      this.click(square);
    });
    button.addEventListener("focus", () => {
      this.focus = square;
      this.rove();
    });
    return button;
  }

  dress(button, at, square, shown) {
    const { game } = at;
    const free = game.impartial && at.cells[square] === "." && !shown.free?.has(square);
    const what = game.symbols[free ? "#" : at.cells[square]];
    const goal = game.goal(at, square);
    const landing = shown.landings?.has(square);
    const kinds = ["square", what, goal !== null && `home side${goal}`, landing && "landing", shown.marked?.has(square) && "marked-out"];
    const part = shown.part?.get(square);
    button.className = kinds.filter(Boolean).join(" ") + (part === undefined ? "" : ` part${part % 4}`);
    if (part === undefined) delete button.dataset.part;
    else button.dataset.part = letter(part);
    button.tabIndex = square === this.focus ? 0 : -1;
    const here = (shown.turns ?? []).filter((turn) => (turn.hops.length ? turn.hops.at(-1).to : turn.to) === square);
    button.replaceChildren(...badges(here));
    const said = [game.square(at, square), what, goal !== null && `${game.names[goal]}'s goal`, landing && "a landing"];
    const values = here.map((turn) => `${describe(at, turn)} ${worth(turn)}`);
    button.setAttribute("aria-label", [...said.filter(Boolean), ...values].join(", "));
    button.style.gridArea = `${Math.floor(square / at.columns) + 2} / ${(square % at.columns) + 2}`;
  }

  rove() {
    this.squares.forEach((square, number) => (square.tabIndex = number === this.focus ? 0 : -1));
  }

  /** The focused square's number, or null. */
  get focused() {
    const found = this.squares.indexOf(document.activeElement);
    return found < 0 ? null : found;
  }

  key(event) {
    const { columns, rows } = this.at;
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || this.focused === null) return;
    event.preventDefault();
    event.stopPropagation();
    const [row, column] = [Math.floor(this.focus / columns) + step[0], (this.focus % columns) + step[1]];
    if (row < 0 || row >= rows || column < 0 || column >= columns) return;
    this.squares[row * columns + column].focus();
  }

  /** Scrolls a square into the middle if it is out of sight. */
  reveal(square) {
    const { scrollLeft, clientWidth } = this.scroller;
    const found = this.squares[square].offsetLeft;
    if (found < scrollLeft + 40 || found > scrollLeft + clientWidth - 80) this.scroller.scrollLeft = found - clientWidth / 2;
  }
}

/** The whole of a long strip, with the window that is in sight: drag it, or move it by arrow keys. */
class Overview {
  constructor(scroller) {
    this.scroller = scroller;
    this.root = cell("div", "overview", "");
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "slider");
    this.root.setAttribute("aria-label", "The part of the strip that is in sight");
    this.root.setAttribute("aria-valuemin", 0);
    scroller.addEventListener("scroll", () => this.place());
    new ResizeObserver(() => this.place()).observe(scroller);
    const drag = (event) => {
      if (event.type === "pointerdown") this.root.setPointerCapture(event.pointerId);
      if (!this.root.hasPointerCapture(event.pointerId)) return;
      const box = this.root.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      scroller.scrollLeft = share * scroller.scrollWidth - scroller.clientWidth / 2;
    };
    this.root.addEventListener("pointerdown", drag);
    this.root.addEventListener("pointermove", drag);
    this.root.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      scroller.scrollLeft += (step * scroller.clientWidth) / 2;
    });
  }

  show(at, squares) {
    this.picture = svg("svg", { viewBox: `0 0 ${at.columns} 3`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.picture.append(svg("rect", { class: "ground", width: at.columns, height: 3 }));
    for (const side of [0, 1]) this.picture.append(svg("rect", { class: `side${side}`, x: side ? 0 : at.columns - 1, width: 1, height: 3 }));
    for (const [square, symbol] of [...at.cells].entries()) {
      if (symbol === "o" || symbol === "@") {
        const [y, height] = symbol === "@" ? [0, 3] : [0.75, 1.5];
        this.picture.append(svg("rect", { class: symbol === "@" ? "ball" : "stone", x: square + 0.1, y, width: 0.8, height }));
      }
    }
    this.window = svg("rect", { class: "window", y: 0, height: 3 });
    this.picture.append(this.window);
    this.root.replaceChildren(this.picture);
    this.columns = squares.length / at.rows;
    this.place();
  }

  place() {
    const { scrollLeft, scrollWidth, clientWidth } = this.scroller;
    this.root.hidden = scrollWidth <= clientWidth + 1;
    if (!this.window || this.root.hidden) return;
    const [from, width] = [(scrollLeft / scrollWidth) * this.columns, (clientWidth / scrollWidth) * this.columns];
    this.window.setAttribute("x", from);
    this.window.setAttribute("width", width);
    const [first, last] = [Math.floor(from), Math.min(this.columns - 1, Math.round(from + width) - 1)];
    this.root.setAttribute("aria-valuemax", this.columns - 1);
    this.root.setAttribute("aria-valuenow", first);
    this.root.setAttribute("aria-valuetext", `squares ${first} to ${last} of ${this.columns}`);
  }
}

/** The name of a part of a board. */
export const letter = (part) => String.fromCharCode(65 + (part % 26));

/** Numbers over a strip; letters and numbers beside a pitch or grid. */
function coordinates(at) {
  const { game, rows, columns } = at;
  const label = (text, row, column) => {
    const span = cell("span", "coordinate", text);
    span.setAttribute("aria-hidden", "true");
    span.style.gridArea = `${row} / ${column}`;
    return span;
  };
  const top = Array.from({ length: columns }, (_, column) => {
    const text = game.lying ? column : game.impartial ? column + 1 : String.fromCharCode(97 + column);
    return label(text, 1, column + 2);
  });
  if (game.lying) return top;
  return [...top, ...Array.from({ length: rows }, (_, row) => label(game.impartial ? row + 1 : rows - row, row + 2, 1))];
}

/** The values of the turns that end on a square: of the jump above, of the stone below. */
function badges(turns) {
  const best = new Map();
  for (const turn of turns) if (!best.has(turn.kind)) best.set(turn.kind, turn);
  return [...best.values()].map((turn) => {
    const badge = cell("span", `badge ${turn.kind} ${turn.value}`, "");
    badge.dataset.move = turn.move;
    // Drawn by the style sheet: for those who do not see it the square's name says it in words.
    badge.dataset.sign = sign(turn);
    return badge;
  });
}

/** The way of the ball, and rings around squares. */
function drawing(at, path, rings) {
  const picture = svg("svg", { class: "drawing", viewBox: `0 0 ${at.columns} ${at.rows}`, "aria-hidden": "true" });
  picture.style.gridArea = `2 / 2 / span ${at.rows} / span ${at.columns}`;
  const centre = (square) => [(square % at.columns) + 0.5, Math.floor(square / at.columns) + 0.5];
  const points = path.map((stop) => (typeof stop === "number" ? centre(stop) : [centre(stop.from)[0] + stop.right * 0.5, centre(stop.from)[1] + stop.down * 0.5]));
  if (points.length > 1) {
    picture.append(svg("polyline", { points: points.map((point) => point.join()).join(" ") }));
    const [[x0, y0], [x, y]] = points.slice(-2);
    const angle = (Math.atan2(y - y0, x - x0) * 180) / Math.PI;
    picture.append(svg("path", { class: "tip", d: "M0 0L-.26 -.16L-.26 .16Z", transform: `translate(${x} ${y}) rotate(${angle})` }));
    for (const [cx, cy] of points.slice(0, -1)) picture.append(svg("circle", { cx, cy, r: 0.07 }));
  }
  for (const square of rings) {
    const [cx, cy] = centre(square);
    picture.append(svg("circle", { class: "ring", cx, cy, r: 0.44 }));
  }
  return picture;
}

/** The stops of a jump: squares, and the edge over which the ball has left. */
export function pathOf(at, hops) {
  if (!hops.length) return [];
  return [at.game.ball(at), ...hops.map((hop) => hop.to ?? { from: hop.over.at(-1), down: hop.down, right: hop.right })];
}

function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function cell(tag, kind, text) {
  const element = document.createElement(tag);
  element.className = kind;
  element.textContent = text;
  return element;
}
