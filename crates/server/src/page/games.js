// The games behind one interface: notation, editing and names. The rules are the server's: it lists
// the turns of a board with the squares that each changes.
//
// A position has `cells` (one character per square, top row first), `side` (0 or 1, the player to
// move) and `winner` (0, 1 or null).

/** The most squares of a strip that the page draws. */
export const LONGEST_STRIP = 1000;

const make = (game, rows, columns, cells, side = 0) => ({ game, rows, columns, cells, side, winner: null });
const put = (at, square, symbol) => ({ ...at, cells: at.cells.slice(0, square) + symbol + at.cells.slice(square + 1) });

/** Strips and pitches: boards with a ball, stones and goals. */
class Phutball {
  tools = [["turn", "Play a turn"], ["stone", "Stone"], ["ball", "Ball"]];
  impartial = false;
  symbol = "o";
  /** Parameter of the rules in requests. */
  rulesAsked = "";

  ball(at) {
    return at.cells.indexOf("@");
  }

  /** Returns the player whose goal contains the square, or null. */
  goal({ rows, columns }, square) {
    const [place, end] = this.lying ? [columns - 1 - (square % columns), columns - 1] : [Math.floor(square / columns), rows - 1];
    return place === 0 ? 0 : place === end ? 1 : null;
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
  /** Classes of the style sheet. */
  kind = "strip";
  title = "Strip";
  names = ["Left", "Right"];
  letters = "LR";
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

  resize(at, by) {
    const columns = at.columns + by;
    if (columns < 3 || columns > LONGEST_STRIP) return at;
    const ball = Math.min(this.ball(at), columns - 2);
    const cells = at.cells.replace("@", ".").padEnd(columns, ".").slice(0, columns);
    return put({ ...at, columns, cells, winner: null }, ball, "@");
  }
}

class Directional extends Strip {
  id = "directional";
  kind = "strip directional";
  title = "Directional strip";
  rulesAsked = "rules=directional";
  rules = [
    "Place a stone on any empty square. Stones belong to neither player.",
    "Or jump, but only towards your own goal: Left jumps to the right, Right to the left. The stones are removed.",
    "Left wins when the ball is at the right end, Right when it is at the left end.",
  ];
}

class Pitch extends Phutball {
  id = "pitch";
  kind = "pitch";
  title = "Pitch";
  names = ["Alfred", "Betty"];
  letters = "AB";
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

  /** Sizes that no table has. */
  large = ["9x7", "11x9", "15x11", "19x15"];
  sizes = (tables) => [...tables.filter((table) => table.game === "pitch" && !table.error).map((table) => table.boards), ...this.large];
  sizeName = (size) => size.replace("x", " × ");

  parse(text) {
    const plain = text.replace(/O/g, "o").replace(/·/g, ".").replace(/●/g, "@");
    if (!/^[.o@\d/]{3,400}$/.test(plain)) return null;
    const rows = plain.replace(/\d+/g, (count) => ".".repeat(Math.min(Number(count), 30))).split("/");
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
}

class Obstruction {
  id = "obstruction";
  kind = "obstruction";
  rulesAsked = "";
  title = "Obstruction";
  names = ["First", "Second"];
  letters = "";
  impartial = true;
  symbol = "x";
  piece = "mark";
  first = "obstruction:5x5";
  tools = [["turn", "Play a turn"], ["mark", "Mark"]];
  symbols = { ".": "free", x: "marked", "#": "blocked" };
  rules = [
    "Mark any free square.",
    "The squares around a mark are blocked: neither player can mark them.",
    "A player who cannot mark a square loses. Separate parts are independent games.",
  ];
  pictures = [["obstruction:2x5", "r1c2"], ["obstruction:x..../.....", "r2c4"], ["obstruction:.x.../.....", "r1c4"]];

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
    if (size && size[1] * size[2] >= 1 && size[1] * size[2] <= 128) return this.board(board);
    const rows = (board ?? "").split("/");
    const equal = rows.every((row) => /^[.x]+$/.test(row) && row.length === rows[0].length);
    return equal && rows.join("").length <= 128 ? make(this, rows.length, rows[0].length, rows.join("")) : null;
  }

  write({ cells, columns }) {
    return "obstruction:" + cells.match(new RegExp(`.{${columns}}`, "g")).join("/");
  }

  square({ columns }, square) {
    return `r${Math.floor(square / columns) + 1}c${(square % columns) + 1}`;
  }

  /** Takes a mark away, or puts one on a square of `free`. */
  edit(at, square, tool, free) {
    if (at.cells[square] === "x") return put(at, square, ".");
    return free.includes(square) ? put(at, square, "x") : at;
  }

  ball = () => -1;
  goal = () => null;
  clear = (at) => ({ ...at, cells: ".".repeat(at.cells.length), winner: null });
  mirror = (at) => ({ ...at, cells: [...at.cells].reverse().join("") });
  fits = () => true;
}

export const GAMES = [new Strip(), new Directional(), new Pitch(), new Obstruction()];

export const gameNamed = (id) => GAMES.find((game) => game.id === id);

/** Returns the side that a word or letter names, or null. */
export function sideNamed(game, word) {
  const found = game.names.findIndex((name) => [name, name[0]].some((known) => known.toLowerCase() === word.toLowerCase()));
  return found < 0 ? null : found;
}

/** Parses a position, of `first` if it is one, or returns null. A side after a blank takes precedence over `side`. */
export function parse(text, side = null, first = GAMES[0]) {
  const [board, letter, ...more] = text.trim().startsWith("obstruction:") ? [text.trim()] : text.trim().split(/\s+/);
  for (const game of more.length ? [] : [first ?? GAMES[0], ...GAMES]) {
    const at = game.parse(board ?? "");
    if (!at || !game.fits(at)) continue;
    const mover = letter === undefined ? (side ?? 0) : game.letters.indexOf(letter);
    if (mover < 0) return null;
    return { ...at, side: mover };
  }
  return null;
}

/** Returns the notation with its side, as the program prints it. */
export function notation(at) {
  const board = at.game.write(at);
  return at.side && !at.game.impartial ? `${board} ${at.game.letters[at.side]}` : board;
}

export const same = (a, b) => a.game === b.game && a.cells === b.cells && a.columns === b.columns && a.side === b.side && a.winner === b.winner;

/**
 * Adds to a turn of the server its kind, the stops of a jump (squares, and at last the goal if the ball
 * leaves the board, as 'goal 0'), the direction in which it leaves, and the position after the turn.
 */
export function turnOn(at, turn) {
  const { game } = at;
  const kind = turn.taken.length ? "jump" : "place";
  const off = kind === "jump" ? (/[@-]([A-Z]+)$/.exec(turn.move)?.[1] ?? null) : null;
  const winner = !turn.winner ? null : game.impartial ? at.side : sideNamed(game, turn.winner);
  let after = { ...at, side: 1 - at.side, winner };
  if (kind === "jump") for (const square of [...turn.taken, game.ball(at)]) after = put(after, square, ".");
  if (!off) after = put(after, turn.squares.at(-1), kind === "jump" ? "@" : game.symbol);
  const stops = off ? [...turn.squares, `goal ${winner}`] : turn.squares;
  return { ...turn, kind, off, winner, stops, after };
}

/** Returns turns that follow each other, from the server's list. */
export function turnsFrom(at, played) {
  return played.map((turn) => {
    const done = turnOn(at, turn);
    at = done.after;
    return done;
  });
}
