//! A proof-number search with a transposition table, over all turns: who wins from a position.
//!
//! It is depth first with two thresholds (df-pn). One player, the *attacker*, is to win; a position that comes back on its own
//! path counts as the attacker's failure, but only for as long as that path lasts. What is kept for good, whoever was the
//! attacker, is what finite play proves: a position is won if a turn leads to one that is lost, and lost if every turn leads
//! to one that is won. Each proof rests on earlier ones alone, so the strategies read from them end.
//!
//! Turns after which the opponent wins at once are left out, and so are placements that leave an opponent's shot: if the
//! player to move has no others, the position is lost. Turns that make a shot are tried first, through their numbers.

use super::{Board, Geometry, Move, Threats};
use crate::outcome::Side;
use hashbrown::{HashMap, HashSet};

/// How far a proof-number search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofLimits {
    /// Positions that the search may enter, all attempts together; one that is entered again counts again.
    pub nodes: u64,
    /// Positions that are remembered at a time.
    pub entries: usize,
}

/// Why a search found no certificate. None of these says anything of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    /// The search entered as many positions as it may.
    #[error("not found within the limit of {0} positions entered")]
    Nodes(u64),
    /// The search remembers as many positions as it may.
    #[error("not found within the limit of {0} positions remembered")]
    Entries(usize),
    /// The search came to its end without one: it looks no further than its depth, and has a position that comes back count
    /// against the attacker.
    #[error("the search came to its end without one")]
    Exhausted,
}

/// What an attempt to prove a win came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// This player wins, whether or not it is the attacker.
    Won(Side),
    /// The attacker found no win by play in which no position comes back.
    Failed,
    /// The nodes of this attempt did not suffice.
    Open,
}

/// A position that is settled.
#[derive(Clone, Copy)]
pub(super) struct Proved {
    /// The place, in [`Threats::safe_moves`], of the turn that wins for the player to move; `None` if every turn loses.
    pub(super) winning: Option<u16>,
    /// How many proofs there were before: it rests on those only.
    pub(super) order: u32,
}

/// Proof and disproof number: how many positions must still be settled to show that the attacker wins, or does not.
#[derive(Clone, Copy)]
struct Numbers {
    proof: u32,
    disproof: u32,
    /// The attempt that they are from: that the attacker does not win is believed only as long as it lasts.
    attempt: u32,
}

const INFINITE: u32 = 1 << 30;
/// Plies on one path; whatever is longer counts as the attacker's failure.
const DEPTH: usize = 200;
/// How many positions a turn without a shot is guessed to leave to be settled, where one with a shot leaves two.
const QUIET: u32 = 8;

/// A turn and what it leads to.
struct Child {
    board: Board,
    shot: bool,
}

/// The search with its memory.
pub struct Prover {
    pub(super) threats: Threats,
    limits: ProofLimits,
    nodes: u64,
    /// Nodes at which the present attempt ends.
    until: u64,
    attempt: u32,
    /// What is settled, by the player to move.
    proved: [HashMap<Board, Proved>; 2],
    /// What is not, by attacker and player to move.
    open: [[HashMap<Board, Numbers>; 2]; 2],
    /// The path from the root, by the player to move.
    path: [HashSet<Board>; 2],
}

impl Prover {
    /// A search that knows nothing yet.
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

    /// The positions that it has entered.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Who wins, as far as is known.
    pub fn winner(&self, mover: Side, board: &Board) -> Option<Side> {
        let proved = self.proved[mover as usize].get(board)?;
        Some(if proved.winning.is_some() {
            mover
        } else {
            mover.opponent()
        })
    }

    /// How hard it seems to prove that the attacker wins; 1 if nothing is known.
    pub(super) fn difficulty(&self, attacker: Side, mover: Side, board: &Board) -> u32 {
        let numbers = self.open[attacker as usize][mover as usize].get(board);
        numbers.map_or(1, |numbers| numbers.proof)
    }

    pub(super) fn proved(&self, mover: Side, board: &Board) -> Option<Proved> {
        self.proved[mover as usize].get(board).copied()
    }

    /// Tries to prove that the attacker wins a position in which the player to move has no shot, with so many nodes.
    ///
    /// # Errors
    /// [`NotFound`] if a limit of all attempts together is reached.
    pub fn attempt(
        &mut self,
        attacker: Side,
        mover: Side,
        board: &Board,
        nodes: u64,
    ) -> Result<Attempt, NotFound> {
        if let Some(winner) = self.winner(mover, board) {
            return Ok(Attempt::Won(winner));
        }
        self.attempt += 1;
        self.until = self.nodes.saturating_add(nodes).min(self.limits.nodes);
        let found = self.search(attacker, mover, board, [INFINITE, INFINITE]);
        if let Some(winner) = self.winner(mover, board) {
            return Ok(Attempt::Won(winner));
        }
        if self.settled() >= self.limits.entries {
            let limit = self.limits.entries;
            return Err(NotFound::Entries(limit));
        }
        if self.nodes >= self.limits.nodes {
            let limit = self.limits.nodes;
            return Err(NotFound::Nodes(limit));
        }
        Ok(if found.disproof == 0 {
            Attempt::Failed
        } else {
            Attempt::Open
        })
    }

    fn settled(&self) -> usize {
        self.proved.iter().map(HashMap::len).sum()
    }

    fn stopped(&self) -> bool {
        self.nodes >= self.until || self.settled() >= self.limits.entries
    }

    /// Searches below a position until one of its numbers reaches its threshold.
    fn search(&mut self, attacker: Side, mover: Side, board: &Board, thresholds: [u32; 2]) -> Numbers {
        self.nodes += 1;
        let children = self.children(mover, board);
        self.path[mover as usize].insert(*board);
        let numbers = loop {
            let known: Vec<Numbers> = (children.iter())
                .map(|child| self.numbers(attacker, mover.opponent(), child))
                .collect();
            let numbers = combined(&known, attacker == mover, self.attempt);
            if self.stopped() || numbers.proof >= thresholds[0] || numbers.disproof >= thresholds[1] {
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

    /// The numbers of a position that a turn leads to; `mover` is to move there.
    fn numbers(&self, attacker: Side, mover: Side, child: &Child) -> Numbers {
        let attempt = self.attempt;
        let settled = |wins: bool| Numbers {
            proof: if wins { 0 } else { INFINITE },
            disproof: if wins { INFINITE } else { 0 },
            attempt,
        };
        if let Some(winner) = self.winner(mover, &child.board) {
            return settled(winner == attacker);
        }
        let depth = self.path[0].len() + self.path[1].len();
        if self.path[mover as usize].contains(&child.board) || depth >= DEPTH {
            return settled(false);
        }
        match self.open[attacker as usize][mover as usize].get(&child.board) {
            Some(numbers) if numbers.disproof > 0 || numbers.attempt == attempt => *numbers,
            _ => {
                let guess = if child.shot { 2 } else { QUIET };
                let [proof, disproof] = if mover == attacker { [1, guess] } else { [guess, 1] };
                Numbers {
                    proof,
                    disproof,
                    attempt,
                }
            }
        }
    }

    /// Writes down what a search below a position came to: for good if it follows from what is settled.
    fn keep(&mut self, attacker: Side, mover: Side, board: &Board, children: &[Child], numbers: Numbers) {
        if numbers.proof == 0 || numbers.disproof == 0 {
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
            // Numbers can be found again; proofs are kept.
            self.open = Default::default();
        }
        self.open[attacker as usize][mover as usize].insert(*board, numbers);
    }
}

/// The numbers of a position from those of its children. Many orders of placing the same chaps lead to the same board, so the largest
/// number stands for all that must be settled, and each further child counts one.
fn combined(known: &[Numbers], attackers: bool, attempt: u32) -> Numbers {
    let proofs = known.iter().map(|numbers| numbers.proof);
    let disproofs = known.iter().map(|numbers| numbers.disproof);
    let (proof, disproof) = match attackers {
        true => (proofs.min().unwrap_or(INFINITE), all(disproofs)),
        false => (all(proofs), disproofs.min().unwrap_or(INFINITE)),
    };
    Numbers {
        proof,
        disproof,
        attempt,
    }
}

fn all(numbers: impl Iterator<Item = u32>) -> u32 {
    let (mut largest, mut count) = (0, 0u32);
    for number in numbers.filter(|&number| number > 0) {
        largest = largest.max(number);
        count += 1;
    }
    (largest + count.saturating_sub(1)).min(INFINITE)
}

/// The child to go to, and its thresholds: until another child is clearly better, or the position has reached its own.
fn most_proving(
    known: &[Numbers],
    attackers: bool,
    numbers: Numbers,
    thresholds: [u32; 2],
) -> (usize, [u32; 2]) {
    // One number is that of the best child, the other that of all together.
    let one = |numbers: &Numbers| {
        if attackers {
            numbers.proof
        } else {
            numbers.disproof
        }
    };
    let other = |numbers: &Numbers| {
        if attackers {
            numbers.disproof
        } else {
            numbers.proof
        }
    };
    let (mut best, mut second) = (0, INFINITE);
    for (place, child) in known.iter().enumerate().skip(1) {
        if (one(child), other(child)) < (one(&known[best]), other(&known[best])) {
            second = one(&known[best]);
            best = place;
        } else {
            second = second.min(one(child));
        }
    }
    let [one_limit, other_limit] = match attackers {
        true => thresholds,
        false => [thresholds[1], thresholds[0]],
    };
    let one_limit = one_limit.min(second + second / 4 + 1);
    // What the others contribute stays.
    let more = other_limit.saturating_sub(other(&numbers));
    let other_limit = other(&known[best]).saturating_add(more).min(INFINITE);
    match attackers {
        true => (best, [one_limit, other_limit]),
        false => (best, [other_limit, one_limit]),
    }
}
