// The strip: a row of squares to edit, and under it two rows of values to play, jumps and stones.

import { describe, name, plain, sign } from "./words.js";

const SYMBOLS = { ".": "empty", o: "stone", "@": "ball" };

/** Pixels of the smallest square, and of what stands beside the squares. */
const SMALLEST = 25.6;
const ENDS = 58;

export class Board {
  /** `edit(square)`, `play(turn)` are called on clicks. */
  constructor(root, { edit, play }) {
    this.root = root;
    this.edit = edit;
    this.play = play;
    this.focus = 0;
    this.squares = [];
  }

  /** Draws a position with its turns. */
  show(at, moves) {
    const length = at.board.length;
    this.root.style.setProperty("--squares", length);
    this.root.classList.toggle("long", length * SMALLEST > this.root.parentElement.clientWidth - ENDS);
    const keep = this.squares.includes(document.activeElement);
    this.focus = Math.min(this.focus, length - 1);
    const turns = new Map(moves.map((turn) => [turn.move, turn]));
    this.squares = [...at.board].map((symbol, square) => this.square(at, symbol, square));
    this.root.replaceChildren(
      goals(),
      this.row("numbers", length, "", (square) => cell("span", "number", square), "", ""),
      this.row("squares", length, "", (square) => this.squares[square], "◁", "▷"),
      this.values("jump", "@", length, turns),
      this.values("stone", "o", length, turns),
    );
    if (keep) this.squares[this.focus].focus();
    this.reveal(Math.max(0, at.board.indexOf("@")));
  }

  /** The focused square's number. */
  get focused() {
    const found = this.squares.indexOf(document.activeElement);
    return found < 0 ? null : found;
  }

  moveFocus(step) {
    this.focus = Math.min(Math.max((this.focused ?? this.focus - step) + step, 0), this.squares.length - 1);
    this.squares.forEach((square, number) => (square.tabIndex = number === this.focus ? 0 : -1));
    this.squares[this.focus].focus();
  }

  square(at, symbol, square) {
    const goal = square === 0 || square === at.board.length - 1;
    const button = cell("button", `square ${SYMBOLS[symbol]}${goal ? " goal" : ""}`, "");
    button.type = "button";
    button.tabIndex = square === this.focus ? 0 : -1;
    button.dataset.square = square;
    button.setAttribute("aria-label", `square ${square}, ${SYMBOLS[symbol]}${goal ? ", goal line" : ""}`);
    button.addEventListener("click", () => {
      this.focus = square;
      this.edit(square);
    });
    return button;
  }

  values(kind, symbol, length, turns) {
    const value = (square) => this.value(turns.get(symbol + square));
    const off = (end) => (kind === "jump" ? this.value(turns.get(symbol + end)) : "");
    return this.row(`values ${kind}`, length, symbol, value, off("L"), off("R"));
  }

  value(turn) {
    if (!turn) return cell("span", "none", "");
    const button = cell("button", `value ${turn.value}`, sign(turn));
    button.type = "button";
    button.tabIndex = -1;
    button.title = `${turn.move}: ${describe(turn)}, ${plain(turn)}`;
    button.setAttribute("aria-label", button.title);
    button.dataset.move = turn.move;
    button.addEventListener("click", () => this.play(turn));
    return button;
  }

  row(kind, length, label, content, left, right) {
    const row = cell("div", `row ${kind}`, "");
    const sign = cell("span", "sign", label);
    sign.setAttribute("aria-hidden", "true");
    row.append(sign, end(left), ...Array.from({ length }, (_, square) => content(square)), end(right));
    return row;
  }

  /** Scrolls a square into the middle if it is out of sight. */
  reveal(square) {
    const box = this.root.parentElement;
    const found = this.squares[square].offsetLeft;
    const seen = found > box.scrollLeft + 40 && found < box.scrollLeft + box.clientWidth - 70;
    if (box.scrollWidth > box.clientWidth && !seen) box.scrollLeft = found - box.clientWidth / 2;
  }
}

/** A message for the position's state under the strip. */
export function hint(at, answer) {
  if (at.winner) return `The ball is home: ${name(at.winner)} has won. Undo to go on.`;
  if (answer && answer.depth === null && answer.winner !== null) {
    return `The table for ${at.board.length} squares says who wins, not in how many plies.`;
  }
  return "";
}

/** Whose goal is at which end. */
function goals() {
  const row = cell("div", "goals", "");
  row.append(cell("span", "", "← Right"), cell("span", "", "Left →"));
  return row;
}

function end(content) {
  if (content instanceof Node) return content;
  const span = cell("span", "off", content);
  span.setAttribute("aria-hidden", "true");
  return span;
}

function cell(tag, kind, text) {
  const element = document.createElement(tag);
  element.className = kind;
  element.textContent = text;
  return element;
}
