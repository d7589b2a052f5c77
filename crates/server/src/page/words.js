// Words and signs for values and turns.

export const name = (at, side) => at.game.names[side];

/** Shortens long notation inside a message. */
export const shortened = (words) => words.replace(/[^\s']{61,}/g, (long) => `${long.slice(0, 40)}…`);

export const plies = (count) => (count === 1 ? "1 ply" : `${count} plies`);

/** Returns a count with commas between groups of three digits. */
export const exact = (count) => `${count}`.replace(/\B(?=(\d{3})+$)/g, ",");

/** Returns an exponent: '¹⁸'. */
export const raised = (number) => [...`${number}`].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");

/** Returns '10¹⁸'. */
export const tenTo = (power) => `10${raised(power)}`;

/** Returns a count of up to six digits as it is, and a longer one as '1.23·10¹⁸'. */
export function rounded(count) {
  if (`${count}`.length <= 6) return exact(count);
  const [factor, power] = Number(count).toExponential(2).split("e+");
  return `${factor}·${tenTo(power)}`;
}

/** The word for choosing a square: screens are tapped. */
export const CLICK = globalThis.matchMedia?.("(pointer: coarse)").matches ? "Tap" : "Click";

export const winner = (at, { value }) => (value === "win" ? at.side : value === "loss" ? 1 - at.side : null);

/** Returns 'Left wins in 13 plies', 'Left wins' without depths, or 'Draw: …'. */
export function sentence(at, answer, called = name) {
  const who = winner(at, answer);
  if (who === null) return "Draw: neither player can win";
  const subject = called(at, who);
  const verb = subject === "You" ? "win" : "wins";
  return `${subject} ${verb}${answer.depth === null ? "" : ` in ${plies(answer.depth)}`}`;
}

/** Returns '+13', '−14', '=', without depths '+' or '−', and in Obstruction the nimber. */
export function sign(turn) {
  if (turn.nimber !== undefined) return `${turn.nimber}`;
  const depth = turn.depth ?? "";
  return turn.value === "win" ? `+${depth}` : turn.value === "loss" ? `−${depth}` : "=";
}

/** Returns 'wins in 13 plies', 'loses', 'draws', 'wins: leaves nimber 0'. */
export function worth(turn) {
  const verb = { win: "wins", loss: "loses", draw: "draws" }[turn.value];
  if (turn.nimber !== undefined) return `${verb}: leaves nimber ${turn.nimber}`;
  return turn.depth === null ? verb : `${verb} in ${plies(turn.depth)}`;
}

export function describe(at, turn) {
  const { game } = at;
  if (turn.kind === "place") return `${game.piece} on ${game.square(at, turn.squares[0])}`;
  const stops = [...turn.squares.map((square) => game.square(at, square)), ...(turn.off ? [`over ${game.names[turn.winner]}'s goal`] : [])];
  return `jump ${turn.squares.length ? "to " : ""}${stops.join(", ")}`;
}

export const ONLY_JUMP = "The ball can only jump over a stone next to it.";

/** Returns 'The ball can jump to 3, 5 or over Right's goal.' for a ball that can jump to some stops. */
export function jumps(at, keys) {
  const squares = keys.filter((key) => typeof key === "number").map((key) => at.game.square(at, key));
  const goals = at.game.names.filter((_, goal) => keys.includes(`goal ${goal}`)).map((player) => `over ${player}'s goal`);
  const ways = [...(squares.length ? [`to ${squares.join(", ")}`] : []), ...goals];
  return `The ball can jump ${ways.join(" or ")}.`;
}

/** Returns the reason why nothing can be placed on a square. */
export function occupied(at, square) {
  if (at.game.impartial) return at.cells[square] === "." ? "This square is blocked by a mark beside it." : "This square is marked already.";
  return `There is a ${at.game.piece} already. ${CLICK} an empty square to place one, or the ball to jump.`;
}
