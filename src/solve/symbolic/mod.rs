//! The symbolic engine: the sets of won and lost positions as decision diagrams, without enumerating them.
//!
//! The positions with Left to move that Left wins, and those with Right to move that Left wins, are sets of strips
//! of `n` characters; as diagrams they have thousands of nodes where an array has 2^n bits, so lengths far past any
//! array can be solved. As in the dense engine both sets are kept, nothing is mirrored, and by the mirror the second
//! says where Left, to move, loses.
//!
//! Two solvers share the operations:
//!
//! * [`DepthSolver`] goes ply by ply, like the dense engine: exact depths, for the lengths in between;
//! * [`LevelSolver`] asks only who wins, level by level of forward play: for the far lengths.
//!
//! The parts: [`store`] (nodes, look-up, garbage), `cache` (results), [`algebra`] (sets, placements), [`starts`]
//! and `jumps` (jump turns), [`closure`]
//! (placements to the end), [`portable`] (diagrams outside a store), `depths`, `levels`, `threads` and `recompute` (the solvers). Counting and
//! membership are those of [`crate::diagram`].

pub mod algebra;
mod cache;
mod checkpoint;
pub mod closure;
mod depths;
mod jumps;
mod levels;
pub mod portable;
mod recompute;
pub mod starts;
pub mod store;
mod threads;
mod zones;

pub use checkpoint::CheckpointError;
pub use depths::DepthSolver;
pub use levels::{LevelSolver, Levels, Live, MOST_THREADS};
pub use store::SymbolicLimits;

use crate::diagram::count::{contains, count, count_by_ball, size};
use crate::games::strip::{MAX_LENGTH, MIN_LENGTH, Strip};
use crate::outcome::Wdl;
use algebra::Algebra;
use closure::Pair;
use num_bigint::BigUint;
use store::{Id, Store};

/// Why a length could not be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SymbolicError {
    /// Out of range.
    #[error("the symbolic engine solves lengths {MIN_LENGTH} to {MAX_LENGTH}, not {0}")]
    Length(usize),
    /// The diagrams, or the garbage of one step, pass the memory limit.
    #[error(
        "length {length}: {nodes} nodes take {bytes} bytes and the next would pass the limit of {limit}: allow more memory, or stop at a shorter length"
    )]
    MemoryLimit {
        /// The length.
        length: usize,
        /// Nodes at that moment.
        nodes: usize,
        /// Bytes held at that moment.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
}

impl SymbolicError {
    /// The same about another length, which the work was for.
    fn of_length(mut self, wanted: usize) -> SymbolicError {
        let (SymbolicError::Length(length) | SymbolicError::MemoryLimit { length, .. }) = &mut self;
        *length = wanted;
        self
    }
}

/// The algebra of a length in range.
fn begin(length: usize, limits: SymbolicLimits) -> Result<Algebra, SymbolicError> {
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        return Err(SymbolicError::Length(length));
    }
    Algebra::new(length, limits).map_err(|_| SymbolicError::MemoryLimit {
        length,
        nodes: 0,
        bytes: 0,
        limit: limits.memory,
    })
}

/// Says how far a store got when it was full.
fn stopped(algebra: &Algebra) -> SymbolicError {
    let store = algebra.store();
    SymbolicError::MemoryLimit {
        length: store.length(),
        nodes: store.nodes(),
        bytes: store.bytes(),
        limit: store.limits().memory,
    }
}

/// Who wins each position of one length, as far as it has been decided.
pub struct Winners<'a> {
    algebra: &'a Algebra,
    sets: Pair,
}

/// Totals of one length, for positions with Left to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// All positions.
    pub positions: BigUint,
    /// Those that the player to move wins.
    pub wins: BigUint,
    /// Those that the player to move loses.
    pub losses: BigUint,
    /// The rest.
    pub draws: BigUint,
}

impl Winners<'_> {
    /// Who wins a position; a position that is not decided counts as a draw.
    ///
    /// # Panics
    /// If the position is of another length.
    pub fn wdl(&self, strip: &Strip) -> Wdl {
        assert_eq!(strip.length(), self.algebra.length(), "a strip of another length");
        let left = strip.normalised();
        let store = self.algebra.store();
        if contains(store, self.sets.left_to_move, &left) {
            Wdl::Win
        } else if contains(store, self.sets.right_to_move, &left.mirror()) {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }

    /// Wins and losses with Left to move, by the ball's square.
    pub fn by_ball(&self) -> Vec<(u128, u128)> {
        let store = self.algebra.store();
        let wins = count_by_ball(store, self.sets.left_to_move);
        // A loss with the ball on b is a win of Left's with Right to move and the ball on the mirror square.
        let losses = count_by_ball(store, self.sets.right_to_move);
        wins.into_iter().zip(losses.into_iter().rev()).collect()
    }

    /// Totals with Left to move.
    pub fn totals(&self) -> Totals {
        let store = self.algebra.store();
        let length = store.length();
        let positions = BigUint::from(length - 2) << (length - 1);
        let wins = count(store, self.sets.left_to_move);
        let losses = count(store, self.sets.right_to_move);
        let draws = &positions - &wins - &losses;
        Totals {
            positions,
            wins,
            losses,
            draws,
        }
    }

    /// The boards that Left wins, with Left and with Right to move.
    pub fn sets(&self) -> [Id; 2] {
        [self.sets.left_to_move, self.sets.right_to_move]
    }

    /// The nodes.
    pub fn store(&self) -> &Store {
        self.algebra.store()
    }

    /// Nodes of both sets together.
    pub fn nodes(&self) -> usize {
        size(
            self.algebra.store(),
            &[self.sets.left_to_move, self.sets.right_to_move],
        )
    }

    /// Nodes of each set by itself: Left to move, Right to move.
    pub fn nodes_by_side(&self) -> (usize, usize) {
        let store = self.algebra.store();
        (
            size(store, &[self.sets.left_to_move]),
            size(store, &[self.sets.right_to_move]),
        )
    }
}
