//! The symbolic engine: the sets of won and lost positions as decision diagrams, without
//! enumerating them.
//!
//! The positions that Left wins, with Left to move and with Right to move, are sets of strips of
//! `n` characters. Their diagrams have thousands of nodes at 36 squares and millions at 144, where
//! an array has 2^n bits, so the engine solves lengths too long for any array. As in the dense
//! engine both sets are computed, and by the mirror the second one gives the positions that Left
//! loses with Left to move.
//!
//! Two solvers share the operations:
//!
//! * [`DepthSolver`] computes exact depths ply by ply, like the dense engine, for medium lengths;
//! * [`LevelSolver`] computes only the winners, or the levels of forward play, for great lengths.
//!
//! Modules: [`store`] (nodes, look-up, garbage collection), `cache` (results), [`algebra`] (set
//! operations), [`ball_set`] and `jumps` (jumps), [`placements`], [`closure`] and `waves` (placements),
//! [`mirrored`] (both readings of a strip), `complete` (decided ball squares), [`portable`] (diagrams
//! outside a store) and `checkpoint`, `depths`, `levels`, `state`, `zones`, `guess`, `recompute` and `workers` (the solvers), [`counters`].
//! [`phutbase_sets`] has counting and membership.

pub mod algebra;
pub mod ball_set;
pub mod cache;
mod checkpoint;
pub mod closure;
mod complete;
pub mod counters;
mod depths;
pub mod guess;
mod jumps;
mod levels;
pub mod mirrored;
pub mod placements;
pub mod portable;
pub mod recompute;
mod state;
pub mod store;
mod waves;
mod workers;
pub mod zones;

pub use checkpoint::CheckpointError;
pub use depths::DepthSolver;
pub use levels::{Goal, LevelSolver};
pub use store::SymbolicLimits;
pub use workers::Live;

use algebra::Algebra;
use phutbase_base::job::Stopped;
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH};
use store::Halt;

/// Why a length could not be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SymbolicError {
    /// The length is out of range.
    #[error("the symbolic engine solves lengths {MIN_LENGTH} to {most}, not {length}")]
    Length {
        /// The length.
        length: usize,
        /// The greatest possible.
        most: usize,
    },
    /// The diagrams, or the garbage of one step, exceed the memory limit.
    #[error(
        "length {length}: {nodes} nodes take {bytes} bytes, and more would exceed the limit of {limit} bytes; going on takes a limit of at least {least} bytes"
    )]
    MemoryLimit {
        /// The length.
        length: usize,
        /// Number of nodes.
        nodes: usize,
        /// Bytes held.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
        /// The limit that the next growth needs.
        least: u64,
    },
    /// The system refused memory that the limit allows.
    #[error(
        "length {length}: out of memory at {nodes} nodes ({bytes} bytes); free memory or choose a shorter length"
    )]
    Refused {
        /// The length.
        length: usize,
        /// Number of nodes.
        nodes: usize,
        /// Bytes held.
        bytes: u64,
    },
    /// A ply removes boards, so the checkpoint holds sets of other work.
    #[error(
        "length {length}: ply {ply} removes boards; the sets of the checkpoint are not those of a solver"
    )]
    Shrinks {
        /// The length.
        length: usize,
        /// The ply.
        ply: usize,
    },
    /// The job was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Creates the algebra of a length, which must be in range.
fn new_algebra(length: usize, limits: SymbolicLimits) -> Result<Algebra, SymbolicError> {
    let most = MAX_LENGTH;
    if !(MIN_LENGTH..=most).contains(&length) {
        return Err(SymbolicError::Length { length, most });
    }
    let refused = SymbolicError::Refused {
        length,
        nodes: 0,
        bytes: 0,
    };
    Algebra::new(length, limits).map_err(|_| refused)
}

/// Converts a halt to the error of a solver.
fn stopped(algebra: &Algebra, halt: Halt) -> SymbolicError {
    let store = algebra.store();
    let (length, nodes, bytes) = (store.length(), store.nodes(), store.bytes());
    match halt {
        Halt::Interrupted => return Stopped.into(),
        Halt::Refused => return SymbolicError::Refused { length, nodes, bytes },
        Halt::Full => {}
    }
    let (limit, least) = (store.limits().memory, store.least_limit());
    SymbolicError::MemoryLimit {
        length,
        nodes,
        bytes,
        limit,
        least,
    }
}
