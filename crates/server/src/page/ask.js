// Requests to the server.

/** Returns the server's answer. Errors for which a retry may help have `again`. */
export async function ask(path, options) {
  const response = await fetch(path, options).catch(() => {
    throw Object.assign(new Error("The server does not answer."), { again: true });
  });
  const answer = await response.json().catch(() => ({ error: `The server's answer (status ${response.status}) is not JSON.` }));
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status, again: response.status === 429 });
  return answer;
}

/** Posts a body of JSON and returns the server's answer. */
export const post = (path, body) => ask(path, { method: "POST", headers: { "content-type": "application/json" }, body });

/** Returns the API path of a position, with its best line if `line` is true. */
export function question({ game, ...at }, line = true) {
  const plain = encodeURIComponent(game.write(at)).replaceAll("%40", "@");
  if (game.impartial) return `api/probe?position=${plain}`;
  return `api/probe?position=${plain}&side=${game.names[at.side].toLowerCase()}${line ? "&line=true" : ""}`;
}

export async function probe(at, line = true) {
  if (!at.game.impartial) return ask(question(at, line));
  try {
    return await ask(`${question(at)}&nimbers=true`);
  } catch (error) {
    if (error.status !== 422) throw error;
    // Winning turns alone take less time; all other turns lose.
    const answer = await ask(question(at));
    if (!answer.winning_moves) throw error;
    const winning = new Set(answer.winning_moves.map(({ move }) => move));
    const others = at.game.places(at).map((square) => at.game.square(at, square)).filter((move) => !winning.has(move));
    return { ...answer, moves: [...answer.winning_moves, ...others.map((move) => ({ move, value: "loss", depth: null }))] };
  }
}

/** Keeps the examples, in groups, that the server can answer. */
export async function answered(groups) {
  const examples = groups.flatMap((group) => group.examples);
  const body = JSON.stringify({ positions: examples.map(({ position }) => position) });
  const answers = await post("api/batch", body).catch(() => []);
  const unknown = new Set(examples.filter((_, place) => answers[place] && !answers[place].value));
  return groups.map((group) => ({ ...group, examples: group.examples.filter((example) => !unknown.has(example)) }));
}
