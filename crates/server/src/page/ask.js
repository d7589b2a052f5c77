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

/** Escapes a value in a query, but for legal characters that notation has often. */
const escaped = (value) => encodeURIComponent(value).replace(/%(40|2C)/g, decodeURIComponent);

function query({ game, ...at }) {
  const asked = [`position=${escaped(game.write(at))}`, ...(game.impartial ? [] : [`side=${game.names[at.side].toLowerCase()}`]), game.rulesAsked];
  return asked.filter(Boolean).join("&");
}

/** Returns the API path of a position, with its best line if `line` is true. */
export const question = (at, line = true) => `api/probe?${query(at)}${line && !at.game.impartial ? "&line=true" : ""}`;

/** Returns the board after some turns in notation, with these turns and those that may follow. */
export const boardAfter = (at, turns = []) => ask(`api/board?${query(at)}${turns.length ? `&turns=${escaped(turns.join(","))}` : ""}`);

/** Returns the turn that the server plays; on a board without a known value it searches for one. */
export async function bestTurn(at) {
  const { turn } = await ask(`api/turn?${query(at)}`);
  return (await boardAfter(at, [turn])).played[0];
}

/** Returns the value of a position and of its turns, `turns` on the server's board, with the best line if wanted. */
export async function probe(at, turns, line) {
  if (!at.game.impartial) return ask(question(at, line));
  try {
    return await ask(`${question(at)}&nimbers=true`);
  } catch (error) {
    if (error.status !== 422) throw error;
    // Winning turns alone take less time; all other turns lose.
    const answer = await ask(question(at));
    if (!answer.winning_turns) throw error;
    const winning = new Set(answer.winning_turns.map(({ move }) => move));
    const others = turns.filter(({ move }) => !winning.has(move));
    return { ...answer, turns: [...answer.winning_turns, ...others.map(({ move }) => ({ move, value: "loss", depth: null }))] };
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
