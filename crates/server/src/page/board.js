// The board: squares for clicks and arrow keys, the last turn's path, an overview of long strips.

import { svg, text, way } from "./picture.js";
import { describe, sign, worth } from "./words.js";

/** Duration of a hop and longest duration of a jump turn, in milliseconds. */
const [HOP, LONGEST] = [300, 1200];
/** Strips of up to this many squares fit a phone with narrow squares. */
const FITTING = 13;
/** Boards of more rows have small squares; of strips of more squares only the part in sight is laid out. */
const [LARGE, LONG] = [9, 100];

export class Board {
  /**
   * Calls `click(square)` for clicks on squares, `leave(side)` for clicks on goals, `drop(square, side)`
   * when the ball has been dragged to a square or a goal, and `point` with the square or `goal SIDE`
   * under the cursor, or null.
   */
  constructor(root, { click, leave, drop, point }) {
    this.root = root;
    Object.assign(this, { click, leave, drop, point });
    this.focus = null;
    this.squares = [];
    this.build();
  }

  build() {
    this.goals = [0, 1].map((side) => {
      const goal = text("button", "", "");
      goal.type = "button";
      goal.addEventListener("click", () => this.leave(side));
      this.pointed(goal, `goal ${side}`);
      return goal;
    });
    this.scroller = text("div", "scroller", "");
    this.grid = text("div", "grid", "");
    this.grid.setAttribute("role", "group");
    this.scroller.append(this.grid);
    this.overview = new Overview(this.scroller);
    this.root.replaceChildren(...this.goals, this.scroller, this.overview.root);
    this.scroller.addEventListener("scroll", () => this.look());
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("pointerdown", (event) => this.drag(event));
  }

  /** Draws a position. `shown` may hold turns with values, landings, a path, rings and parts; of strips
   *  the potentials. */
  show(at, shown = {}) {
    const kept = this.squares.indexOf(document.activeElement);
    const moved = this.shape !== `${at.game.id} ${at.rows} ${at.columns}`;
    this.shape = `${at.game.id} ${at.rows} ${at.columns}`;
    const before = moved ? null : this.at;
    this.at = at;
    this.root.className = `board ${at.game.kind}${at.game.lying === false ? " standing" : ""}`;
    this.root.parentElement.style.setProperty("--columns", at.columns);
    this.root.parentElement.style.setProperty("--rows", at.rows);
    this.root.classList.toggle("fitting", at.columns <= FITTING);
    this.root.classList.toggle("large", at.rows > LARGE);
    this.root.classList.toggle("long", at.columns > LONG);
    this.grid.setAttribute("aria-label", `Board, ${at.game.sizeName(at.game.size(at))}`);
    this.showGoals(at, shown.leaving ?? new Set());
    const count = at.cells.length;
    const ball = at.game.ball(at);
    if (this.focus === null || moved || this.focus >= count) this.focus = ball < 0 ? 0 : ball;
    // Elements are reused for the next position to keep the focus.
    if (this.squares.length !== count) this.squares = Array.from({ length: count }, (_, square) => this.square(square));
    if (moved) this.seen = null;
    this.dressed = { at, shown, ending: Map.groupBy(shown.turns ?? [], (turn) => turn.stops.at(-1)) };
    this.dressAll();
    this.lay(at, shown);
    if (kept >= 0) this.squares[Math.min(kept, count - 1)].focus({ preventScroll: true });
    if (ball >= 0) this.reveal(ball);
    this.look();
    this.overview.show(at, this.squares);
    if (before && before.cells !== at.cells && shown.moving) this.animate(before, shown);
  }

  /** Dresses the squares; of a long strip those out of sight are hidden, but for the one in the order of tabs. */
  dressAll() {
    const { at, shown, ending } = this.dressed;
    const [from, to] = this.seen ?? [0, at.columns > LONG ? 0 : Infinity];
    const isFar = (square) => square < from || square >= to;
    this.squares.forEach((button, square) => {
      this.dress(button, at, square, shown, (!isFar(square) && ending.get(square)) || []);
      hide(button, isFar(square) && square !== this.focus);
    });
    this.laid?.labels.forEach((label, column) => hide(label, isFar(column)));
  }

  /** Dresses the squares of a long strip again when others are in sight. */
  look() {
    const columns = this.at?.columns ?? 0;
    if (columns <= LONG) return void (this.seen = null);
    const { scrollLeft, scrollWidth, clientWidth } = this.scroller;
    const [first, last] = [scrollLeft, scrollLeft + clientWidth].map((place) => Math.round((place / scrollWidth) * columns));
    const around = last - first;
    if (this.seen && this.seen[0] <= Math.max(0, first - around / 4) && this.seen[1] >= Math.min(columns, last + around / 4)) return;
    this.seen = [first - around, last + around];
    this.dressAll();
    this.layBars();
  }

  /** Puts the elements on the grid; on a long strip that takes longer than all else, so only what changes. */
  lay(at, { path = [], rings = [], halves }) {
    const picture = drawing(at, path, rings);
    if (this.laid?.shape !== this.shape) {
      const labels = coordinates(at);
      this.grid.replaceChildren(...labels, ...this.squares, picture);
      this.laid = { shape: this.shape, bars: [], labels: labels.slice(0, at.columns) };
    } else this.laid.picture.replaceWith(picture);
    this.laid.picture = picture;
    this.root.classList.toggle("levelled", Boolean(halves));
    if (this.laid.halves === halves) return;
    this.laid.halves = halves;
    this.layBars();
  }

  layBars() {
    this.laid.bars.forEach((bar) => bar.remove());
    this.laid.bars = levels(this.at, this.laid.halves, this.seen ?? [0, Infinity]);
    this.grid.append(...this.laid.bars);
  }

  /** Lets the ball follow the pointer, and drops it where the pointer is released. */
  drag(down) {
    const ball = down.target.closest?.(".square.ball")?.querySelector(".ball");
    if (!ball || down.button) return;
    const move = ({ clientX, clientY }) => {
      const [x, y] = [clientX - down.clientX, clientY - down.clientY];
      if (Math.hypot(x, y) < 8) return;
      ball.style.transform = `translate(${x}px, ${y}px)`;
      this.root.classList.add("dragging");
    };
    const end = (event) => {
      for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, end);
      removeEventListener("pointermove", move);
      ball.style.transform = "";
      if (!this.root.classList.contains("dragging")) return;
      this.root.classList.remove("dragging");
      const below = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY) : null;
      const square = below?.closest("#board .square");
      const goal = this.goals.findIndex((one) => one.contains(below));
      // The click that follows a drag on the same square is not another choice.
      if (square?.contains(down.target)) return;
      if (square) this.drop(this.squares.indexOf(square), null);
      else if (goal >= 0) this.drop(null, goal);
    };
    addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end);
  }

  /** Moves the ball along the path of the last turn, fades removed stones, and drops a new one. */
  animate(before, { path = [], rings = [] }) {
    const dropped = [{ transform: "translateY(-40%) scale(1.35)", opacity: 0 }, {}];
    for (const square of rings) this.squares[square].querySelector(".piece")?.animate(dropped, { duration: 220, easing: "ease-out" });
    const from = path.lastIndexOf(before.game.ball(before));
    const stops = path.slice(from);
    if (from < 0 || stops.length < 2) return;
    const duration = Math.min(HOP * (stops.length - 1), LONGEST);
    const ghost = (kind, square) => {
      const piece = text("i", `piece gone ${kind}`, "");
      this.squares[square].append(piece);
      return piece;
    };
    [...before.cells].forEach((symbol, square) => {
      if (symbol !== "o" || this.at.cells[square] !== ".") return;
      const stone = ghost("stone", square);
      stone.animate([{}, { opacity: 0, transform: "scale(0.5)" }], { duration }).onfinish = () => stone.remove();
    });
    const end = stops.at(-1);
    const home = this.squares[end.from ?? end];
    const ball = end.from === undefined ? home.querySelector(".ball") : ghost("ball", end.from);
    home.classList.add("landing-now");
    ball.animate(this.flight(stops, end.from ?? end), { duration }).onfinish = () => {
      home.classList.remove("landing-now");
      if (end.from !== undefined) ball.remove();
    };
  }

  /** Returns the frames of the ball's path, relative to its end on square `home`; it rises and grows on every hop. */
  flight(stops, home) {
    const { offsetWidth, offsetHeight } = this.squares[home];
    const [x1, y1] = this.place(home);
    const points = stops.map((stop) => {
      const [x, y] = this.place(stop.from ?? stop);
      return [x - x1 + (stop.right ?? 0) * offsetWidth, y - y1 + (stop.down ?? 0) * offsetHeight];
    });
    const frame = (x, y, size) => ({ transform: `translate(${x}px, ${y}px) scale(${size})`, easing: "ease-in-out" });
    return points.flatMap(([x, y], number) => {
      if (!number) return [frame(x, y, 1)];
      const [x0, y0] = points[number - 1];
      return [frame((x + x0) / 2, (y + y0) / 2 - offsetHeight * 0.35, 1.25), frame(x, y, 1)];
    });
  }

  /** Labels the goals; a goal is a landing if the ball can jump over it. */
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
    const button = text("button", "", "");
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
    this.pointed(button, square);
    return button;
  }

  pointed(button, place) {
    for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => this.point(place));
    for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => this.point(null));
  }

  dress(button, at, square, shown, here) {
    const { game } = at;
    const blocked = shown.free && at.cells[square] === "." && !shown.free.has(square);
    const what = game.symbols[blocked ? "#" : at.cells[square]];
    const goal = game.goal(at, square);
    const landing = shown.landings?.has(square);
    const later = shown.later?.has(square);
    const odd = (square + (game.lying ? 0 : Math.floor(square / at.columns) * (1 + at.columns))) % 2;
    const last = shown.rings?.includes(square) || shown.path?.includes(square);
    const kinds = ["square", what, odd && "odd", last && "last", goal !== null && `home side${goal}`, landing && "landing", later && "later"];
    const part = shown.part?.get(square);
    button.tabIndex = square === this.focus ? 0 : -1;
    const said = [game.square(at, square), what, goal !== null && `${game.names[goal]}'s goal`, landing && "a landing", later && "a landing after several hops"];
    const label = [...said.filter(Boolean), ...here.map((turn) => `${describe(at, turn)} ${worth(turn)}`)].join(", ");
    const name = kinds.filter(Boolean).join(" ") + (part === undefined ? "" : ` part${part % 4}`);
    if (button.drawn === `${this.shape} ${name} ${part} ${label}`) return;
    button.drawn = `${this.shape} ${name} ${part} ${label}`;
    button.className = name;
    if (part === undefined) delete button.dataset.part;
    else button.dataset.part = letter(part);
    button.replaceChildren(...pieces(button, { stone: "stone", ball: "ball", marked: "mark" }[what]), ...badges(here));
    button.setAttribute("aria-label", label);
    button.style.gridArea = `${Math.floor(square / at.columns) + 2} / ${(square % at.columns) + 2}`;
  }

  rove() {
    this.squares.forEach((square, number) => (square.tabIndex = number === this.focus ? 0 : -1));
  }

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
    const square = row * columns + column;
    this.reveal(square);
    this.look();
    this.squares[square].focus();
  }

  /** Returns the place of a square in the grid, in pixels, also of a hidden one. */
  place(square) {
    const { hidden, offsetLeft, offsetTop } = this.squares[square];
    return hidden ? [(square / this.at.columns) * this.grid.offsetWidth, this.squares[this.focus].offsetTop] : [offsetLeft, offsetTop];
  }

  /** Scrolls a square to the middle if it is not visible. */
  reveal(square) {
    const { scrollLeft, clientWidth } = this.scroller;
    const [found] = this.place(square);
    if (found < scrollLeft + 40 || found > scrollLeft + clientWidth - 80) this.scroller.scrollLeft = found - clientWidth / 2;
  }
}

/** Overview of a long strip. Drag the frame around the visible part, or use the arrow keys. */
class Overview {
  constructor(scroller) {
    this.scroller = scroller;
    this.root = text("div", "overview", "");
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "slider");
    this.root.setAttribute("aria-label", "Visible part of the strip");
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
    const stones = [...at.cells].map((symbol, square) => (symbol === "o" ? `M${square + 0.1} .75h.8v1.5h-.8z` : ""));
    this.picture.append(svg("path", { class: "stone", d: stones.join("") }));
    const ball = at.game.ball(at);
    if (ball >= 0) this.picture.append(svg("rect", { class: "ball", x: ball + 0.1, width: 0.8, height: 3 }));
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

/** Hides or shows an element. A write that changes nothing is left out, because it costs a new style. */
const hide = (element, hidden) => element.hidden !== hidden && (element.hidden = hidden);

export const letter = (part) => String.fromCharCode(65 + (part % 26));

/** Returns labels: numbers over a strip; letters and numbers beside a pitch or grid. */
function coordinates(at) {
  const { game, rows, columns } = at;
  const label = (words, row, column) => {
    const span = text("span", "coordinate", words);
    span.setAttribute("aria-hidden", "true");
    span.style.gridArea = `${row} / ${column}`;
    return span;
  };
  const top = Array.from({ length: columns }, (_, column) => {
    const words = game.lying ? column : game.impartial ? column + 1 : String.fromCharCode(97 + column);
    return label(words, 1, column + 2);
  });
  if (game.lying) return top;
  return [...top, ...Array.from({ length: rows }, (_, row) => label(game.impartial ? row + 1 : rows - row, row + 2, 1))];
}

/** Returns the pieces of a square. Existing ones are reused to keep their animations running. */
function pieces(button, kind) {
  const kept = [...button.querySelectorAll(".piece")].filter(({ classList }) => classList.contains("gone") || classList.contains(kind));
  const found = kept.some(({ classList }) => !classList.contains("gone"));
  return kind && !found ? [...kept, text("i", `piece ${kind}`, "")] : kept;
}

/** Returns a bar for each square of a strip: the potential of the left or right half read up to there. */
function levels(at, halves, [from, to]) {
  if (!halves) return [];
  const most = Math.max(...halves.flat(), 1);
  return halves.flatMap((half, right) => half.flatMap((potential, place) => {
    const square = right ? at.columns - 1 - place : place;
    if (square < from || square >= to) return [];
    const bar = text("span", `level side${1 - right}${place === half.length - 1 ? " whole" : ""}`, `${potential}`);
    bar.setAttribute("aria-hidden", "true");
    bar.style.gridArea = `3 / ${square + 2}`;
    bar.style.setProperty("--share", potential / most);
    return [bar];
  }));
}

/** Returns the drawing of the last turn, laid over the squares. */
function drawing(at, path, rings) {
  const picture = svg("svg", { class: "drawing", viewBox: `0 0 ${at.columns} ${at.rows}`, "aria-hidden": "true" }, ...way(at, path, rings));
  picture.style.gridArea = `2 / 2 / span ${at.rows} / span ${at.columns}`;
  return picture;
}

/** Returns the values of the turns that end on a square: the jump's above, the stone's below. */
function badges(turns) {
  const best = new Map();
  for (const turn of turns) if (!best.has(turn.kind)) best.set(turn.kind, turn);
  return [...best.values()].map((turn) => {
    const badge = text("span", `badge ${turn.kind} ${turn.value}`, "");
    badge.dataset.move = turn.move;
    // Drawn by the style sheet; screen readers use the label of the square.
    badge.dataset.sign = sign(turn);
    return badge;
  });
}
