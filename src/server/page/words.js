// Words and signs for values and turns.

export const name = (at, side) => at.game.names[side];

export const turns = (count) => (count === 1 ? "1 turn" : `${count} turns`);

export const winner = (at, { value }) => (value === "draw" ? null : value === "win" ? at.side : 1 - at.side);

/** Returns 'Left wins in 13 turns', 'Left wins' without depths, 'Draw: neither player can win'. */
export function sentence(at, answer, called = name) {
  const who = winner(at, answer);
  if (who === null) return "Draw: neither player can win";
  const subject = called(at, who);
  const verb = subject === "You" ? "win" : "wins";
  return `${subject} ${verb}${answer.depth === null ? "" : ` in ${turns(answer.depth)}`}`;
}

/** Returns '+13', '−14', '=', without depths '+' or '−', and in Obstruction the nimber. */
export function sign(turn) {
  if (turn.nimber !== undefined) return `${turn.nimber}`;
  const depth = turn.depth ?? "";
  return turn.value === "win" ? `+${depth}` : turn.value === "loss" ? `−${depth}` : "=";
}

/** Returns 'wins in 13 turns', 'loses', 'draws', 'wins: leaves nimber 0'. */
export function worth(turn) {
  const verb = { win: "wins", loss: "loses", draw: "draws" }[turn.value];
  if (turn.nimber !== undefined) return `${verb}: leaves nimber ${turn.nimber}`;
  return turn.depth === null ? verb : `${verb} in ${turns(turn.depth)}`;
}

export function describe(at, turn) {
  const { game } = at;
  if (turn.kind === "place") return `${game.piece} on ${game.square(at, turn.to)}`;
  const stops = turn.hops.map((hop) => (hop.to === null ? `over ${game.names[hop.goal]}'s goal` : game.square(at, hop.to)));
  return `jump ${turn.hops.at(-1).to === null && stops.length === 1 ? "" : "to "}${stops.join(", ")}`;
}
