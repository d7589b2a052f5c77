// Questions to the server.

export async function ask(path) {
  const response = await fetch(path);
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
  return answer;
}

export function question({ game, ...at }) {
  const plain = encodeURIComponent(game.write(at)).replaceAll("%40", "@");
  return game.impartial ? `api/probe?position=${plain}` : `api/probe?position=${plain}&side=${game.names[at.side].toLowerCase()}&line=true`;
}

export async function probe(at) {
  if (!at.game.impartial) return ask(question(at));
  try {
    return await ask(`${question(at)}&nimbers=true`);
  } catch (error) {
    if (error.status !== 422) throw error;
    // The winning turns are found sooner; all others lose.
    const answer = await ask(question(at));
    const winning = new Set(answer.moves.map(({ move }) => move));
    const others = at.game.places(at).map((square) => at.game.square(at, square)).filter((move) => !winning.has(move));
    return { ...answer, moves: [...answer.moves, ...others.map((move) => ({ move, value: "loss", depth: null }))] };
  }
}
