// The games behind one interface: notation, editing, turns, and names. The rules are repeated here
// to make jumps hop by hop; values come from the server.
//
// A position has `cells` (one character per square, top row first), `side` (0 or 1, the player to
// move) and `winner` (0, 1 or null). A hop has `to` (the square where it lands, or null beyond the
// board), `over` (the stones it removes) and `name` (its direction).

const STRIP_WAYS = [[0, -1, "L"], [0, 1, "R"]];
const PITCH_WAYS = [[-1, 0, "N"], [-1, 1, "NE"], [0, 1, "E"], [1, 1, "SE"], [1, 0, "S"], [1, -1, "SW"], [0, -1, "W"], [-1, -1, "NW"]];

/** The most squares of a strip that the page draws. */
export const LONGEST_STRIP = 1000;

const make = (game, rows, columns, cells, side = 0) => ({ game, rows, columns, cells, side, winner: null });
const replaced = (cells, square, symbol) => cells.slice(0, square) + symbol + cells.slice(square + 1);
const put = (at, square, symbol) => ({ ...at, cells: replaced(at.cells, square, symbol) });
const pass = (at) => ({ ...at, side: 1 - at.side });
const indices = (at) => [...at.cells].keys();

/** Strips and pitches: boards with a ball, stones and goals. */
class Phutball {
  tools = [["turn", "Play a turn"], ["stone", "Stone"], ["ball", "Ball"]];
  impartial = false;

  ball(at) {
    return at.cells.indexOf("@");
  }

  /** Returns the player whose goal contains the square, or null. */
  goal({ rows, columns }, square) {
    const [place, end] = this.lying ? [columns - 1 - (square % columns), columns - 1] : [Math.floor(square / columns), rows - 1];
    return place === 0 ? 0 : place === end ? 1 : null;
  }

  hops(at) {
    const ball = this.ball(at);
    return ball < 0 ? [] : this.ways.map((way) => this.hop(at, ball, way)).filter(Boolean);
  }

  hop({ cells, rows, columns }, ball, [down, right, name]) {
    let [row, column] = [Math.floor(ball / columns) + down, (ball % columns) + right];
    const over = [];
    for (; row >= 0 && row < rows && column >= 0 && column < columns; row += down, column += right) {
      const square = row * columns + column;
      if (cells[square] !== "o") return over.length ? { to: square, over, name } : null;
      over.push(square);
    }
    // A hop may leave the board over a goal line, not over a sideline.
    const goal = this.lying ? (column < 0 ? 1 : 0) : row < 0 ? 0 : row >= rows ? 1 : null;
    return over.length && goal !== null ? { to: null, over, name, goal, down, right } : null;
  }

  /**
   * Returns the shortest jumps from here to every square that the ball can reach, as lists of hops;
   * one that leaves the board has the key 'goal 0' or 'goal 1'.
   */
  reach(at) {
    const found = new Map();
    const open = [[at, []]];
    const seen = new Set([at.cells]);
    for (const [here, hops] of open) {
      for (const hop of this.hops(here)) {
        const key = hop.to ?? `goal ${hop.goal}`;
        const after = this.after(here, hop);
        if (!found.has(key)) found.set(key, [...hops, hop]);
        if (hop.to === null || seen.has(after.cells) || seen.size > 500) continue;
        seen.add(after.cells);
        open.push([after, [...hops, hop]]);
      }
    }
    return found;
  }

  /** Returns the board after one hop, with the turn still open. */
  after(at, hop) {
    const bare = [...hop.over, this.ball(at)].reduce((cells, square) => replaced(cells, square, "."), at.cells);
    const cells = hop.to === null ? bare : replaced(bare, hop.to, "@");
    return { ...at, cells, winner: hop.to === null ? hop.goal : null };
  }

  /** Ends a turn: the owner of the goal that holds the ball wins. */
  end(at) {
    return { ...pass(at), winner: at.winner ?? this.goal(at, this.ball(at)) };
  }

  places(at) {
    return [...indices(at)].filter((square) => at.cells[square] === ".");
  }

  place(at, square) {
    return pass(put(at, square, "o"));
  }

  edit(at, square, tool) {
    const found = at.cells[square];
    if (tool === "stone") return found === "@" ? at : put(at, square, found === "o" ? "." : "o");
    if (this.goal(at, square) !== null) return at;
    return put({ ...at, cells: at.cells.replace("@", ".") }, square, "@");
  }

  clear(at) {
    return { ...at, cells: at.cells.replace(/o/g, "."), winner: null };
  }

  mirror(at) {
    return { ...at, cells: [...at.cells].reverse().join(""), side: 1 - at.side, winner: null };
  }

  fits(at) {
    const balls = at.cells.split("@").length - 1;
    return balls === 1 && this.goal(at, this.ball(at)) === null;
  }

  symbols = { ".": "empty", o: "stone", "@": "ball" };
}

class Strip extends Phutball {
  id = "strip";
  title = "Strip";
  names = ["Left", "Right"];
  letters = "LR";
  ways = STRIP_WAYS;
  lying = true;
  piece = "stone";
  first = "....@....";
  rules = [
    "Place a stone on any empty square. Stones belong to neither player.",
    "Or jump: the ball hops over the stones next to it, which are removed. It may hop again from there.",
    "Left wins when a turn of either player ends with the ball at the right end, Right at the left end.",
  ];
  /** A position and a turn to illustrate each rule. */
  pictures = [[".@....", "o3"], [".@oo..", "@4"], ["...@o.", "@5"]];

  size(at) {
    return `${at.columns}`;
  }

  board(size) {
    const columns = Number(size);
    const middle = Math.floor(columns / 2);
    return make(this, 1, columns, ".".repeat(middle) + "@" + ".".repeat(columns - middle - 1));
  }

  sizeName = (size) => `${size} squares`;

  parse(text) {
    const cells = text.replace(/[O◇]/g, "o").replace(/·/g, ".").replace(/●/g, "@");
    return cells.length <= LONGEST_STRIP && /^[.o@]{3,}$/.test(cells) ? make(this, 1, cells.length, cells) : null;
  }

  write(at) {
    return at.cells;
  }

  square(at, square) {
    return `${square}`;
  }

  read(at, move) {
    const [kind, where] = [move[0], move.slice(1)];
    if (kind === "o") return { kind: "place", to: Number(where), hops: [] };
    const square = { L: -1, R: at.columns }[where] ?? Number(where);
    const hops = [];
    for (let here = at; ; ) {
      const way = square < this.ball(at) ? "L" : "R";
      const hop = this.hops(here).find(({ name }) => name === way);
      if (!hop) return null;
      hops.push(hop);
      if (hop.to === null || hop.to === square) return { kind: "jump", hops };
      here = this.after(here, hop);
    }
  }

  /** Returns a turn as `read` takes it. */
  spell(at, { kind, to, hops }) {
    return kind === "place" ? `o${to}` : `@${hops.at(-1).to ?? hops.at(-1).name}`;
  }

  resize(at, by) {
    const columns = at.columns + by;
    if (columns < 3 || columns > LONGEST_STRIP) return at;
    const ball = Math.min(this.ball(at), columns - 2);
    const cells = at.cells.replace("@", ".").padEnd(columns, ".").slice(0, columns);
    return put({ ...at, columns, cells, winner: null }, ball, "@");
  }
}

class Pitch extends Phutball {
  id = "pitch";
  title = "Pitch";
  names = ["Alfred", "Betty"];
  letters = "AB";
  ways = PITCH_WAYS;
  lying = false;
  piece = "chap";
  first = "3/3/3/1@1/3/3/3";
  rules = [
    "Place a chap, as stones are called here, on any empty point. Chaps belong to neither player.",
    "Or jump in any of eight directions: the ball hops over chaps, which are removed, and may hop again.",
    "Alfred wins when a turn of either player ends with the ball on or beyond the top row, Betty on or beyond the bottom row.",
  ];
  pictures = [["5/2@2/5", "d3"], ["5/1@oo1/5", "b2-e2"], ["5/2o2/2@2/5", "c2-c4"]];

  size(at) {
    return `${at.rows}x${at.columns}`;
  }

  board(size) {
    const [rows, columns] = size.split("x").map(Number);
    const ball = Math.floor(rows / 2) * columns + Math.floor(columns / 2);
    return put(make(this, rows, columns, ".".repeat(rows * columns)), ball, "@");
  }

  sizes = (tables) => tables.filter((table) => table.game === "pitch" && !table.error).map((table) => table.boards);
  sizeName = (size) => size.replace("x", " × ");

  parse(text) {
    if (!/^[.oO@\d/]{3,300}$/.test(text)) return null;
    const rows = text.replace(/O/g, "o").replace(/\d+/g, (count) => ".".repeat(Math.min(Number(count), 30))).split("/");
    const equal = rows.length >= 3 && rows.every((row) => row.length === rows[0].length && row.length);
    return equal && rows.length <= 19 && rows[0].length <= 19 ? make(this, rows.length, rows[0].length, rows.join("")) : null;
  }

  write({ cells, columns }) {
    const rows = cells.match(new RegExp(`.{${columns}}`, "g"));
    return rows.map((row) => row.replace(/\.+/g, (gap) => gap.length)).join("/");
  }

  square({ rows, columns }, square) {
    return String.fromCharCode(97 + (square % columns)) + (rows - Math.floor(square / columns));
  }

  read(at, move) {
    const names = move.split("-");
    const find = (name) => [...indices(at)].find((square) => this.square(at, square) === name);
    if (names.length === 1) return { kind: "place", to: find(names[0]), hops: [] };
    const hops = [];
    let here = at;
    for (const name of names.slice(1)) {
      const hop = this.hops(here).find((hop) => (hop.to === null ? hop.name === name : hop.to === find(name)));
      if (!hop) return null;
      hops.push(hop);
      here = this.after(here, hop);
    }
    return { kind: "jump", hops };
  }

  spell(at, { kind, to, hops }) {
    if (kind === "place") return this.square(at, to);
    return [this.ball(at), ...hops].map((stop) => (stop.to === null ? stop.name : this.square(at, stop.to ?? stop))).join("-");
  }
}

class Obstruction {
  id = "obstruction";
  title = "Obstruction";
  names = ["First", "Second"];
  letters = "";
  impartial = true;
  piece = "mark";
  first = "obstruction:5x5";
  tools = [["turn", "Play a turn"], ["mark", "Mark"]];
  symbols = { ".": "free", x: "marked", "#": "blocked" };
  rules = [
    "Mark any free square.",
    "The squares around a mark are blocked: neither player can mark them.",
    "A player who cannot mark a square loses. Separate parts are independent games.",
  ];
  pictures = [["obstruction:2x5", "r1c2"], ["obstruction:x..../.....", "r2c4"], ["obstruction:.x.../....x", "r1c4"]];

  size(at) {
    return `${at.rows}x${at.columns}`;
  }

  board(size) {
    const [rows, columns] = size.split("x").map(Number);
    return make(this, rows, columns, ".".repeat(rows * columns));
  }

  sizes = () => ["3x3", "4x4", "4x5", "5x5", "5x6", "6x6", "6x7", "7x7", "1x12", "2x8"];
  sizeName = (size) => size.replace("x", " × ");

  parse(text) {
    const board = /^obstruction:([^+]*)$/.exec(text)?.[1].trim().replace(/[X×]/g, "x").replace(/·/g, ".");
    const size = /^(\d{1,3})x(\d{1,3})$/.exec(board ?? "");
    if (size && size[1] * size[2] >= 1 && size[1] * size[2] <= 128) return this.over(this.board(board));
    const rows = (board ?? "").split("/");
    const equal = rows.every((row) => /^[.x]+$/.test(row) && row.length === rows[0].length);
    if (!equal || rows.join("").length > 128) return null;
    const at = make(this, rows.length, rows[0].length, rows.join(""));
    return [...indices(at)].some((square) => at.cells[square] === "x" && this.near(at, square).some((one) => at.cells[one] === "x")) ? null : this.over(at);
  }

  write({ cells, columns }) {
    return "obstruction:" + cells.match(new RegExp(`.{${columns}}`, "g")).join("/");
  }

  square({ columns }, square) {
    return `r${Math.floor(square / columns) + 1}c${(square % columns) + 1}`;
  }

  near({ rows, columns }, square) {
    const [row, column] = [Math.floor(square / columns), square % columns];
    return PITCH_WAYS.map(([down, right]) => [row + down, column + right])
      .filter(([down, right]) => down >= 0 && down < rows && right >= 0 && right < columns)
      .map(([down, right]) => down * columns + right);
  }

  /** Returns the free squares: unmarked, with no marked neighbour. */
  places(at) {
    return [...indices(at)].filter((one) => at.cells[one] === "." && this.near(at, one).every((other) => at.cells[other] === "."));
  }

  /** Sets the winner: a player without a free square has lost. */
  over(at) {
    return { ...at, winner: this.places(at).length ? null : 1 - at.side };
  }

  place(at, square) {
    return this.over(pass(put(at, square, "x")));
  }

  edit(at, square) {
    if (at.cells[square] === "x") return this.over(put(at, square, "."));
    return this.places(at).includes(square) ? this.over(put(at, square, "x")) : at;
  }

  read(at, move) {
    const [row, column] = move.slice(1).split("c").map(Number);
    return { kind: "place", to: (row - 1) * at.columns + column - 1, hops: [] };
  }

  spell = (at, { to }) => this.square(at, to);

  /** Returns the independent parts in the server's order, which is that of their first squares. */
  parts(at) {
    const free = new Set(this.places(at));
    const parts = [];
    for (const first of free) {
      const part = [first];
      free.delete(first);
      for (const square of part) {
        for (const one of this.near(at, square)) if (free.delete(one)) part.push(one);
      }
      parts.push(part);
    }
    return parts;
  }

  hops = () => [];
  ball = () => -1;
  goal = () => null;
  clear = (at) => this.over({ ...at, cells: ".".repeat(at.cells.length) });
  mirror = (at) => ({ ...at, cells: [...at.cells].reverse().join("") });
  fits = () => true;
}

export const GAMES = [new Strip(), new Pitch(), new Obstruction()];

export const gameNamed = (id) => GAMES.find((game) => game.id === id);

/** Returns the side that a word or letter names, or null. */
export function sideNamed(game, word) {
  const found = game.names.findIndex((name) => [name, name[0]].some((known) => known.toLowerCase() === word.toLowerCase()));
  return found < 0 ? null : found;
}

/** Parses a position, or returns null. A side after a blank takes precedence over `side`. */
export function parse(text, side = null) {
  const [board, letter, ...more] = text.trim().startsWith("obstruction:") ? [text.trim()] : text.trim().split(/\s+/);
  for (const game of more.length ? [] : GAMES) {
    const at = game.parse(board ?? "");
    if (!at || !game.fits(at)) continue;
    const mover = letter === undefined ? (side ?? 0) : game.letters.indexOf(letter);
    if (mover < 0) return null;
    return game.impartial ? game.over({ ...at, side: mover }) : { ...at, side: mover };
  }
  return null;
}

/** Returns the notation with its side, as the program prints it. */
export function notation(at) {
  const board = at.game.write(at);
  return at.side && !at.game.impartial ? `${board} ${at.game.letters[at.side]}` : board;
}

export const same = (a, b) => a.game === b.game && a.cells === b.cells && a.columns === b.columns && a.side === b.side && a.winner === b.winner;

/** Adds to each turn from the server its hops and the position after it. */
export function turnsOf(at, moves) {
  return (moves ?? []).flatMap((move) => {
    const done = at.game.read(at, move.move);
    return done ? [{ ...move, ...done, after: play(at, done) }] : [];
  });
}

export function play(at, { kind, to, hops }) {
  if (kind === "place") return at.game.place(at, to);
  return at.game.end(hops.reduce((here, hop) => at.game.after(here, hop), at));
}
