//! Proof-number search over all turns with a transposition table: who wins a position.
//!
//! The search is depth first with two thresholds (df-pn). One player, the *attacker*, must win; a
//! position repeated on its own path counts as a failure of the attacker, but only while that path
//! lasts. Permanent results, independent of the attacker, are those that finite play proves: a
//! position is won if a turn leads to a lost one, and lost if every turn leads to a won one. Each
//! proof rests only on earlier ones, so the strategies derived from them terminate.
//!
//! Turns after which the opponent has a winning jump are left out; a player without other turns has
//! lost. Turns that make a shot are tried first because they start with smaller numbers.

use super::{Board, Geometry, Move, Threats};
use hashbrown::{HashMap, HashSet};
use phutbase_base::outcome::Side;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofLimits {
    /// Positions that the search may enter, in all attempts together; entering a position again
    /// counts again.
    pub nodes: u64,
    /// Positions stored at a time.
    pub entries: usize,
}

/// Reason why a search found no certificate. It does not imply anything about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    /// The search entered the largest allowed number of positions.
    #[error("the search reached its limit of {0} positions visited")]
    Nodes(u64),
    /// The search stored the largest allowed number of positions.
    #[error("the search reached its limit of {0} positions stored")]
    Entries(usize),
    /// The search ended within its limits: its depth is bounded, and it counts repetitions against
    /// the attacker.
    #[error("the search is exhausted")]
    Exhausted,
}

/// A proof for a settled position.
#[derive(Clone, Copy)]
pub(super) struct Proved {
    /// Index in [`Threats::safe_moves`] of the winning turn; `None` if every turn loses.
    pub(super) winning: Option<u16>,
    /// Number of earlier proofs; it rests on those only.
    pub(super) order: u32,
}

/// Proof and disproof number: how many positions must be settled to show that the attacker wins, or
/// does not.
#[derive(Clone, Copy)]
struct ProofNumbers {
    /// The proof number, then the disproof number.
    both: [u32; 2],
    /// Attempt that computed them. A disproof is valid only for that attempt.
    attempt: u32,
}

const INFINITE: u32 = 1 << 30;
/// Longest path in plies; reaching it counts as a failure of the attacker.
const DEPTH: usize = 200;
/// Initial number of a turn that makes no shot; one with a shot has 2.
const QUIET: u32 = 8;

struct Child {
    board: Board,
    shot: bool,
}

pub struct Prover {
    pub(super) threats: Threats,
    limits: ProofLimits,
    /// Positions entered so far.
    pub nodes: u64,
    /// Node count at which the current attempt ends.
    until: u64,
    attempt: u32,
    /// Settled positions by player to move.
    proved: [HashMap<Board, Proved>; 2],
    /// Other positions by attacker and player to move.
    open: [[HashMap<Board, ProofNumbers>; 2]; 2],
    /// The path from the root by player to move.
    path: [HashSet<Board>; 2],
}

impl Prover {
    pub fn new(geometry: Geometry, limits: ProofLimits) -> Prover {
        Prover {
            threats: Threats::new(geometry),
            limits,
            nodes: 0,
            until: 0,
            attempt: 0,
            proved: Default::default(),
            open: Default::default(),
            path: Default::default(),
        }
    }

    pub fn winner(&self, mover: Side, board: &Board) -> Option<Side> {
        let proved = self.proved[mover as usize].get(board)?;
        Some(if proved.winning.is_some() {
            mover
        } else {
            mover.opponent()
        })
    }

    /// Returns the proof number of a position for the attacker; 1 if unknown.
    pub(super) fn difficulty(&self, attacker: Side, mover: Side, board: &Board) -> u32 {
        let numbers = self.open[attacker as usize][mover as usize].get(board);
        numbers.map_or(1, |numbers| numbers.both[0])
    }

    pub(super) fn proved(&self, mover: Side, board: &Board) -> Option<Proved> {
        self.proved[mover as usize].get(board).copied()
    }

    /// Tries to prove within `nodes` nodes that the attacker wins a position in which the player to
    /// move has no shot. Returns who wins, attacker or not; `None` if the attacker has no win by play
    /// without repetitions, or the nodes did not suffice.
    pub fn attempt(
        &mut self,
        attacker: Side,
        mover: Side,
        board: &Board,
        nodes: u64,
    ) -> Result<Option<Side>, NotFound> {
        if let Some(winner) = self.winner(mover, board) {
            return Ok(Some(winner));
        }
        self.attempt += 1;
        self.until = self.nodes.saturating_add(nodes).min(self.limits.nodes);
        self.search(attacker, mover, board, [INFINITE, INFINITE]);
        match self.winner(mover, board) {
            Some(winner) => Ok(Some(winner)),
            None if self.settled() >= self.limits.entries => Err(NotFound::Entries(self.limits.entries)),
            None if self.nodes >= self.limits.nodes => Err(NotFound::Nodes(self.limits.nodes)),
            None => Ok(None),
        }
    }

    fn settled(&self) -> usize {
        self.proved.iter().map(HashMap::len).sum()
    }

    fn stopped(&self) -> bool {
        self.nodes >= self.until || self.settled() >= self.limits.entries
    }

    /// Searches below a position until one of its numbers reaches its threshold.
    fn search(&mut self, attacker: Side, mover: Side, board: &Board, thresholds: [u32; 2]) -> ProofNumbers {
        self.nodes += 1;
        let children = self.children(mover, board);
        self.path[mover as usize].insert(*board);
        let numbers = loop {
            let known: Vec<ProofNumbers> = (children.iter())
                .map(|child| self.numbers(attacker, mover.opponent(), child))
                .collect();
            let numbers = combined(&known, attacker == mover, self.attempt);
            let reached = (numbers.both.iter().zip(thresholds)).any(|(&number, limit)| number >= limit);
            if self.stopped() || reached {
                break numbers;
            }
            let (best, thresholds) = most_proving(&known, attacker == mover, numbers, thresholds);
            self.search(attacker, mover.opponent(), &children[best].board, thresholds);
        };
        self.path[mover as usize].remove(board);
        self.keep(attacker, mover, board, &children, numbers);
        numbers
    }

    fn children(&self, mover: Side, board: &Board) -> Vec<Child> {
        let moves = self.threats.safe_moves(mover, board);
        let child = |next: Move| Child {
            board: next.after,
            shot: self.threats.geometry().shot(&next.after, mover).is_some(),
        };
        moves.into_iter().map(child).collect()
    }

    /// Returns the numbers of a child position, with `mover` to move there.
    fn numbers(&self, attacker: Side, mover: Side, child: &Child) -> ProofNumbers {
        let attempt = self.attempt;
        let settled = |wins: bool| {
            let both = if wins { [0, INFINITE] } else { [INFINITE, 0] };
            ProofNumbers { both, attempt }
        };
        if let Some(winner) = self.winner(mover, &child.board) {
            return settled(winner == attacker);
        }
        let depth = self.path[0].len() + self.path[1].len();
        if self.path[mover as usize].contains(&child.board) || depth >= DEPTH {
            return settled(false);
        }
        match self.open[attacker as usize][mover as usize].get(&child.board) {
            Some(numbers) if numbers.both[1] > 0 || numbers.attempt == attempt => *numbers,
            _ => {
                let guess = if child.shot { 2 } else { QUIET };
                let both = if mover == attacker { [1, guess] } else { [guess, 1] };
                ProofNumbers { both, attempt }
            }
        }
    }

    /// Stores the result of a search below a position: permanently if it follows from settled
    /// positions.
    fn keep(
        &mut self,
        attacker: Side,
        mover: Side,
        board: &Board,
        children: &[Child],
        numbers: ProofNumbers,
    ) {
        if numbers.both.contains(&0) {
            let winner = |child: &Child| self.winner(mover.opponent(), &child.board);
            let winning = children.iter().position(|child| winner(child) == Some(mover));
            let lost = || (children.iter()).all(|child| winner(child) == Some(mover.opponent()));
            if winning.is_some() || lost() {
                let order = self.settled() as u32;
                let winning = winning.map(|place| place as u16);
                self.proved[mover as usize].insert(*board, Proved { winning, order });
                self.open.iter_mut().for_each(|open| {
                    open[mover as usize].remove(board);
                });
                return;
            }
        }
        let open: usize = self.open.iter().flatten().map(HashMap::len).sum();
        if open + self.settled() >= self.limits.entries {
            // Numbers can be recomputed; proofs are kept.
            self.open = Default::default();
        }
        self.open[attacker as usize][mover as usize].insert(*board, numbers);
    }
}

/// Returns the places in [`ProofNumbers::both`] of the number of the best child, and of the one that is
/// combined over all children.
fn places(attackers: bool) -> (usize, usize) {
    if attackers { (0, 1) } else { (1, 0) }
}

/// Combines the numbers of the children. Different orders of the same placements lead to the same
/// board, so instead of a sum it takes the largest number plus one for each further child.
fn combined(known: &[ProofNumbers], attackers: bool, attempt: u32) -> ProofNumbers {
    let (one, other) = places(attackers);
    let mut both = [0; 2];
    let least = known.iter().map(|numbers| numbers.both[one]).min();
    both[one] = least.unwrap_or(INFINITE);
    let others = known.iter().map(|numbers| numbers.both[other]);
    let others = others.filter(|&number| number > 0);
    let more = (others.clone().count() as u32).saturating_sub(1);
    both[other] = (others.max().unwrap_or(0) + more).min(INFINITE);
    ProofNumbers { both, attempt }
}

/// Selects the child to search, with its thresholds: until another child is clearly better, or the
/// position reaches its own thresholds.
fn most_proving(
    known: &[ProofNumbers],
    attackers: bool,
    numbers: ProofNumbers,
    mut thresholds: [u32; 2],
) -> (usize, [u32; 2]) {
    let (one, other) = places(attackers);
    let worth = |child: &ProofNumbers| (child.both[one], child.both[other]);
    let (mut best, mut second) = (0, INFINITE);
    for (place, child) in known.iter().enumerate().skip(1) {
        if worth(child) < worth(&known[best]) {
            second = known[best].both[one];
            best = place;
        } else {
            second = second.min(child.both[one]);
        }
    }
    thresholds[one] = thresholds[one].min(second + second / 4 + 1);
    // The contribution of the other children stays.
    let more = thresholds[other].saturating_sub(numbers.both[other]);
    thresholds[other] = known[best].both[other].saturating_add(more).min(INFINITE);
    (best, thresholds)
}
