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
//! (placements to the end), [`portable`] (diagrams outside a store), `depths`, `levels`, `recompute` and `workers` (the solvers), [`counters`]. Counting and
//! membership are those of [`crate::diagram`].

pub mod algebra;
#[doc(hidden)]
pub mod cache;
mod checkpoint;
pub mod closure;
pub mod counters;
mod depths;
mod found;
mod jumps;
mod levels;
pub mod placements;
pub mod portable;
#[doc(hidden)]
pub mod recompute;
pub mod starts;
pub mod store;
mod workers;
#[doc(hidden)]
pub mod zones;

pub use checkpoint::CheckpointError;
pub use depths::DepthSolver;
pub use found::Levels;
pub use levels::{LevelSolver, Live};
pub use store::SymbolicLimits;

use crate::games::strip::{MAX_LENGTH, MIN_LENGTH};
use algebra::Algebra;
use num_bigint::BigUint;
use store::Halt;

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
    /// The system refused memory that the limit allows.
    #[error(
        "length {length}: the system refused more memory than {bytes} bytes, which {nodes} nodes take; free some, or stop at a shorter length"
    )]
    Refused {
        /// The length.
        length: usize,
        /// Nodes at that moment.
        nodes: usize,
        /// Bytes held at that moment.
        bytes: u64,
    },
}

impl SymbolicError {
    /// The same about another length, which the work was for.
    fn of_length(mut self, wanted: usize) -> SymbolicError {
        let (SymbolicError::Length(length)
        | SymbolicError::MemoryLimit { length, .. }
        | SymbolicError::Refused { length, .. }) = &mut self;
        *length = wanted;
        self
    }
}

/// The algebra of a length in range.
fn begin(length: usize, limits: SymbolicLimits) -> Result<Algebra, SymbolicError> {
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        return Err(SymbolicError::Length(length));
    }
    let refused = SymbolicError::Refused {
        length,
        nodes: 0,
        bytes: 0,
    };
    Algebra::new(length, limits).map_err(|_| refused)
}

/// The error of work that stopped for want of memory.
fn stopped(algebra: &Algebra, halt: Halt) -> SymbolicError {
    let store = algebra.store();
    let (length, nodes, bytes) = (store.length(), store.nodes(), store.bytes());
    if halt == Halt::Refused {
        return SymbolicError::Refused { length, nodes, bytes };
    }
    let limit = store.limits().memory;
    SymbolicError::MemoryLimit {
        length,
        nodes,
        bytes,
        limit,
    }
}

/// Totals of one length, for positions with Left to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Those that the player to move wins.
    pub wins: BigUint,
    /// Those that the player to move loses.
    pub losses: BigUint,
    /// The rest.
    pub draws: BigUint,
}
