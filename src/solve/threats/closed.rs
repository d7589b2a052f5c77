//! Strategies from proofs: how to win, and how never to lose with no more than proofs of wins to go by.
//!
//! A player who cannot win does not lose if there is a set of positions closed under one turn of the player's in each and every
//! answer, in none of which the opponent wins at once. The search takes a set that may be one, and repairs it: it follows one turn in every
//! position that comes up; if an answer is found to be won for the opponent, it takes the next turn; if no turn is left, the
//! position is lost, and so on back. Positions that are proved to be won need not be followed. When nothing is
//! left to repair, the set is closed. What is called lost here is lost; but whether the set is one is for
//! [`verify::certificate`](crate::verify::certificate) to say.

use super::hold::choice;
use super::proof::{Attempt, NotFound, Prover};
use super::{Board, Move};
use crate::games::pitch::certificate::Choice;
use crate::outcome::Side;
use hashbrown::{HashMap, HashSet};

/// The nodes of an attempt to settle one position in the first round; each round has four times as many.
const FIRST_NODES: u64 = 20_000;
/// Positions that are neither won nor lost, as far as is known, in the first round; each round has four times as many.
const FIRST_OPEN: usize = 50;

/// What one walk through a set came to.
enum Walk {
    Closed,
    Repaired,
    TooManyOpen,
}

/// The search for one player's set.
pub struct Closed<'a> {
    prover: &'a mut Prover,
    player: Side,
    /// Turns left in each position, the one that is followed last.
    turns: HashMap<Board, Vec<Move>>,
    lost: HashSet<Board>,
    nodes: u64,
}

impl<'a> Closed<'a> {
    /// A search that knows what has been proved.
    pub fn new(prover: &'a mut Prover, player: Side) -> Closed<'a> {
        Closed {
            prover,
            player,
            turns: HashMap::new(),
            lost: HashSet::new(),
            nodes: FIRST_NODES,
        }
    }

    /// A strategy that never loses; `roots` are all that the player may have to face first, won at once in none.
    ///
    /// # Errors
    /// [`NotFound`] if the player loses, or a limit is reached.
    pub fn strategy(&mut self, roots: &[Board]) -> Result<Vec<Choice>, NotFound> {
        let mut open = FIRST_OPEN;
        loop {
            match self.walk(roots, open)? {
                Walk::Closed => return self.collect(roots),
                Walk::Repaired if roots.iter().any(|root| self.is_lost(root)) => {
                    return Err(NotFound::Exhausted);
                }
                Walk::Repaired => {}
                Walk::TooManyOpen => {
                    self.nodes *= 4;
                    open *= 4;
                    // What was left open in vain is attempted anew.
                    self.turns.clear();
                }
            }
        }
    }

    fn is_lost(&self, board: &Board) -> bool {
        self.lost.contains(board) || self.prover.winner(self.player, board) == Some(self.player.opponent())
    }

    /// Follows the turns from the roots until something must be repaired.
    fn walk(&mut self, roots: &[Board], open: usize) -> Result<Walk, NotFound> {
        let mut met: HashSet<Board> = HashSet::new();
        let mut stack = roots.to_vec();
        while let Some(board) = stack.pop() {
            if met.contains(&board) || self.prover.winner(self.player, &board) == Some(self.player) {
                continue;
            }
            if !self.turns.contains_key(&board) {
                match self.enter(&board)? {
                    Some(winner) if winner == self.player => continue,
                    Some(_) => return Ok(Walk::Repaired),
                    None => {}
                }
            }
            met.insert(board);
            if met.len() > open {
                return Ok(Walk::TooManyOpen);
            }
            let Some(next) = self.turns.get(&board).and_then(|turns| turns.last()) else {
                self.lost.insert(board);
                return Ok(Walk::Repaired);
            };
            let answers = self.prover.threats.answers(self.player, &next.after, None);
            if answers.iter().any(|answer| self.is_lost(answer)) {
                self.turns
                    .entry(board)
                    .and_modify(|turns| turns.truncate(turns.len() - 1));
                return Ok(Walk::Repaired);
            }
            stack.extend(answers);
        }
        Ok(Walk::Closed)
    }

    /// Attempts to settle a position that has just come up; if that fails, lists its turns.
    fn enter(&mut self, board: &Board) -> Result<Option<Side>, NotFound> {
        let player = self.player;
        for attacker in [player, player.opponent()] {
            if let Attempt::Won(winner) = self.prover.attempt(attacker, player, board, self.nodes)? {
                return Ok(Some(winner));
            }
        }
        let mut turns = self.prover.threats.safe_moves(player, board);
        let opponent = player.opponent();
        turns.retain(|next| self.prover.winner(opponent, &next.after) != Some(opponent));
        // The turn that seems hardest for the opponent to win against is followed first.
        turns.sort_by_cached_key(|next| self.prover.difficulty(opponent, opponent, &next.after));
        self.turns.insert(*board, turns);
        Ok(None)
    }

    /// The turns of all that can come up: those that are followed, and those of the wins that they lead to.
    fn collect(&self, roots: &[Board]) -> Result<Vec<Choice>, NotFound> {
        let mut choices = Vec::new();
        let mut met: HashSet<Board> = HashSet::new();
        let mut stack = roots.to_vec();
        while let Some(board) = stack.pop() {
            if !met.insert(board) {
                continue;
            }
            let followed = self.turns.get(&board).and_then(|turns| turns.last().copied());
            let winning = winning_turn(self.prover, self.player, &board).map(|(next, _)| next);
            let next = winning.or(followed).ok_or(NotFound::Exhausted)?;
            stack.extend(self.prover.threats.answers(self.player, &next.after, None));
            choices.extend(choice(
                self.prover.threats.geometry(),
                self.player,
                &board,
                &next,
                0,
            ));
        }
        Ok(choices)
    }
}

/// The strategy of a proved win; `roots` are all that the player may have to face first, won at once in none.
///
/// # Errors
/// [`NotFound::Exhausted`] if a root is not proved to be won.
pub(super) fn winning_strategy(
    prover: &Prover,
    player: Side,
    roots: &[Board],
) -> Result<Vec<Choice>, NotFound> {
    let mut met: HashSet<Board> = roots.iter().copied().collect();
    let mut stack: Vec<Board> = met.iter().copied().collect();
    let mut turns = Vec::new();
    while let Some(board) = stack.pop() {
        let (next, order) = winning_turn(prover, player, &board).ok_or(NotFound::Exhausted)?;
        let mut answers = prover.threats.answers(player, &next.after, None);
        turns.push((order, board, next));
        answers.retain(|answer| met.insert(*answer));
        stack.extend(answers);
    }
    // Proofs rest on earlier ones, so the ranks of all answers are known when that of a position is asked for.
    turns.sort_unstable_by_key(|&(order, ..)| order);
    let mut ranks: HashMap<Board, u32> = HashMap::new();
    let mut choices = Vec::new();
    for (_, board, next) in turns {
        let answers = prover.threats.answers(player, &next.after, None);
        let highest = answers.iter().filter_map(|answer| ranks.get(answer)).max();
        let rank = 1 + highest.copied().unwrap_or(0);
        ranks.insert(board, rank);
        choices.extend(choice(prover.threats.geometry(), player, &board, &next, rank));
    }
    Ok(choices)
}

/// The turn that is proved to win, and the number of its proof.
fn winning_turn(prover: &Prover, player: Side, board: &Board) -> Option<(Move, u32)> {
    let proved = prover.proved(player, board)?;
    let moves = prover.threats.safe_moves(player, board);
    let next = moves.get(usize::from(proved.winning?))?;
    Some((*next, proved.order))
}
