// Positions as the page edits them: squares '.', 'o', '@', and the side to move. What a turn leads to, only the server says.

export const SHORTEST = 3;
export const LONGEST = 128;

/** A position: `board` has one character a square; `winner` is the player who has won if play is over. */
export function position(board, side, winner = null) {
  return { board, side, winner };
}

/** Reads notation, with a side letter after a blank or without; anything else is left to the server to refuse. */
export function fromNotation(text, side = "left") {
  const [board = "", letter = ""] = text.trim().split(/\s+/);
  const plain = board.replace(/[O◇]/g, "o").replace(/·/g, ".").replace(/●/g, "@");
  return position(plain, letter === "R" ? "right" : letter === "L" ? "left" : side);
}

export function notation({ board, side }) {
  return side === "right" ? `${board} R` : board;
}

export function other(side) {
  return side === "left" ? "right" : "left";
}

/** The position after a turn, as the server lists it. */
export function after(at, turn) {
  // Only a turn that ends the game has depth 1; whose goal it was, the turn's value says.
  const over = turn.depth === 1;
  const winner = !over ? null : turn.value === "win" ? at.side : other(at.side);
  return position(turn.position.split(" ")[0], other(at.side), winner);
}

export function same(a, b) {
  return a.board === b.board && a.side === b.side && a.winner === b.winner;
}

/** Adds or takes away a stone; the ball stays where it is. */
export function toggleStone(at, square) {
  const found = at.board[square];
  return found === "@" ? at : put(at, square, found === "o" ? "." : "o");
}

/** Puts the ball on an inner square; where it was is empty then. */
export function moveBall(at, square) {
  if (square < 1 || square > at.board.length - 2) return at;
  const without = at.board.replace("@", ".");
  return put({ ...at, board: without }, square, "@");
}

/** One square more at the right end. */
export function longer(at) {
  return at.board.length < LONGEST ? position(at.board + ".", at.side) : at;
}

/** One square less at the right end; a ball that would stand on the goal line moves in. */
export function shorter(at) {
  const length = at.board.length - 1;
  if (length < SHORTEST) return at;
  const cut = position(at.board.slice(0, length), at.side);
  return at.board.indexOf("@") > length - 2 ? moveBall(cut, length - 2) : cut;
}

/** The same game from the other end. */
export function mirror(at) {
  return position([...at.board].reverse().join(""), other(at.side));
}

export function clear(at) {
  return position(at.board.replace(/o/g, "."), at.side);
}

function put(at, square, symbol) {
  return position(at.board.slice(0, square) + symbol + at.board.slice(square + 1), at.side);
}
