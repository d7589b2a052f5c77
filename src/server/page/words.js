// Values in words and signs.

export function name(side) {
  return side === "left" ? "Left" : "Right";
}

/** 'Left wins in 13', 'Left wins' where there are no depths, 'Neither wins'. */
export function sentence(answer) {
  if (answer.winner === null) return "Draw";
  const who = `${name(answer.winner)} wins`;
  return answer.depth === null ? who : `${who} in ${answer.depth}`;
}

/** '+13', '−14', '=', and without depths '+', '−'. */
export function sign(turn) {
  const depth = turn.depth ?? "";
  return turn.value === "win" ? `+${depth}` : turn.value === "loss" ? `−${depth}` : "=";
}

/** 'win in 13', 'loss', 'draw'. */
export function plain(turn) {
  return turn.depth === null ? turn.value : `${turn.value} in ${turn.depth}`;
}

/** What a turn is, for those who do not know the notation. */
export function describe(turn) {
  if (turn.move.startsWith("o")) return `stone on ${turn.move.slice(1)}`;
  if (turn.move === "@L") return "jump off the left end";
  if (turn.move === "@R") return "jump off the right end";
  return `jump to ${turn.move.slice(1)}`;
}

export function plies(count) {
  return count === 1 ? "1 ply" : `${count} plies`;
}
