//! Strategies from proofs: how to win, and how never to lose, given only proofs of wins.
//!
//! A player does not lose a position if it lies in a set of positions that is closed under one turn
//! of the player in each and all replies, and in which the opponent never has a winning jump. The
//! search starts with a candidate set and repairs it. It follows one turn in every position
//! reached. If a reply is found to be won for the opponent, it takes the next turn; if no turn is
//! left, the position is lost, which is propagated back. Positions that are proved wins need not be
//! followed. When nothing is left to repair, the set is closed. Positions marked lost are indeed
//! lost, but `verify::certificate` has to check that the set is
//! closed.

use super::hold::choice;
use super::proof::{NotFound, Prover};
use super::{Board, Move};
use hashbrown::{HashMap, HashSet};
use phutbase_base::outcome::Side;
use phutbase_rules::pitch::certificate::Choice;

/// Node limit of an attempt to settle one position in the first round; each round has four times as
/// many.
const FIRST_NODES: u64 = 20_000;
/// Limit of unsettled positions in the first round; each round has four times as many.
const FIRST_OPEN: usize = 50;

enum Walk {
    Closed,
    Repaired,
    TooManyOpen,
}

/// Search for a set of positions in which one player does not lose.
pub struct ClosedSetSearch<'a> {
    prover: &'a mut Prover,
    player: Side,
    /// Turns left in each position; the last one is followed.
    turns: HashMap<Board, Vec<Move>>,
    lost: HashSet<Board>,
    nodes: u64,
}

impl<'a> ClosedSetSearch<'a> {
    pub fn new(prover: &'a mut Prover, player: Side) -> ClosedSetSearch<'a> {
        ClosedSetSearch {
            prover,
            player,
            turns: HashMap::new(),
            lost: HashSet::new(),
            nodes: FIRST_NODES,
        }
    }

    /// Finds a strategy that never loses; `roots` are the positions that the player may have to
    /// face first, none with a winning jump.
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
                    // Unsettled positions are attempted again with more nodes.
                    self.turns.clear();
                }
            }
        }
    }

    fn is_lost(&self, board: &Board) -> bool {
        self.lost.contains(board) || self.prover.winner(self.player, board) == Some(self.player.opponent())
    }

    /// Follows the turns from the roots until something needs repair.
    fn walk(&mut self, roots: &[Board], open: usize) -> Result<Walk, NotFound> {
        let mut visited: HashSet<Board> = HashSet::new();
        let mut stack = roots.to_vec();
        while let Some(board) = stack.pop() {
            if visited.contains(&board) || self.prover.winner(self.player, &board) == Some(self.player) {
                continue;
            }
            if !self.turns.contains_key(&board) {
                match self.enter(&board)? {
                    Some(winner) if winner == self.player => continue,
                    Some(_) => return Ok(Walk::Repaired),
                    None => {}
                }
            }
            visited.insert(board);
            if visited.len() > open {
                return Ok(Walk::TooManyOpen);
            }
            let Some(next) = self.turns.get(&board).and_then(|turns| turns.last()) else {
                self.lost.insert(board);
                return Ok(Walk::Repaired);
            };
            let answers = self.prover.threats.answers(self.player, &next.after, None);
            if answers.iter().any(|answer| self.is_lost(answer)) {
                self.turns.entry(board).and_modify(|turns| _ = turns.pop());
                return Ok(Walk::Repaired);
            }
            stack.extend(answers);
        }
        Ok(Walk::Closed)
    }

    /// Attempts to settle a position reached for the first time; if that fails, lists its turns.
    fn enter(&mut self, board: &Board) -> Result<Option<Side>, NotFound> {
        let player = self.player;
        for attacker in [player, player.opponent()] {
            if let Some(winner) = self.prover.attempt(attacker, player, board, self.nodes)? {
                return Ok(Some(winner));
            }
        }
        let mut turns = self.prover.threats.safe_moves(player, board);
        let opponent = player.opponent();
        turns.retain(|next| self.prover.winner(opponent, &next.after) != Some(opponent));
        // The last turn is followed first: the hardest one for the opponent to win against.
        turns.sort_by_cached_key(|next| self.prover.difficulty(opponent, opponent, &next.after));
        self.turns.insert(*board, turns);
        Ok(None)
    }

    /// Collects the turns of all positions that can be reached, by followed turns and by wins.
    fn collect(&self, roots: &[Board]) -> Result<Vec<Choice>, NotFound> {
        let mut choices = Vec::new();
        let mut visited: HashSet<Board> = HashSet::new();
        let mut stack = roots.to_vec();
        while let Some(board) = stack.pop() {
            if !visited.insert(board) {
                continue;
            }
            let followed = self.turns.get(&board).and_then(|turns| turns.last().copied());
            let winning = winning_turn(self.prover, self.player, &board).map(|(next, _)| next);
            let next = winning.or(followed).ok_or(NotFound::Exhausted)?;
            stack.extend(self.prover.threats.answers(self.player, &next.after, None));
            let geometry = self.prover.threats.geometry();
            choices.extend(choice(geometry, self.player, &board, &next, 0));
        }
        Ok(choices)
    }
}

/// Returns the strategy of a proved win; `roots` are the positions that the player may have to face
/// first, none with a winning jump.
pub(super) fn winning_strategy(
    prover: &Prover,
    player: Side,
    roots: &[Board],
) -> Result<Vec<Choice>, NotFound> {
    let mut visited: HashSet<Board> = roots.iter().copied().collect();
    let mut stack: Vec<Board> = visited.iter().copied().collect();
    let mut turns = Vec::new();
    while let Some(board) = stack.pop() {
        let (next, order) = winning_turn(prover, player, &board).ok_or(NotFound::Exhausted)?;
        let mut answers = prover.threats.answers(player, &next.after, None);
        turns.push((order, board, next));
        answers.retain(|answer| visited.insert(*answer));
        stack.extend(answers);
    }
    // A proof rests on earlier ones only, so the ranks of the replies are known before they are
    // used.
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

/// Returns the turn that is proved to win, and the number of its proof.
fn winning_turn(prover: &Prover, player: Side, board: &Board) -> Option<(Move, u32)> {
    let proved = prover.proved(player, board)?;
    let moves = prover.threats.safe_moves(player, board);
    let next = moves.get(usize::from(proved.winning?))?;
    Some((*next, proved.order))
}
