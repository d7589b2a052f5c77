//! The dense engine: every position of a strip, bit-parallel, labelled by retrograde analysis.
//!
//! Two planes of bits are kept, *Left wins* with Left to move and with Right to move. Ply d adds to the one what can be
//! forced into the other as it stands after ply d − 1: odd plies ask for *some* turn of Left, even plies for
//! *every* turn of Right. Positions that a ply adds are decided in exactly d plies; when a ply adds nothing, the rest are
//! draws. By the mirror, 'Right to move, Left wins' is 'Left to move, Left loses' read from the other end, so
//! the two planes hold every value.
//!
//! * [`block`] — 4,096 positions and the algebra on them;
//! * [`layout`] — where positions stand in a plane;
//! * [`planes`] — where planes are kept;
//! * [`jumps`] — where jumps land, for each game of this shape;
//! * `walk` — jumps over far stones;
//! * `sweep` — one ply over one slice: the heart;
//! * [`pool`] — equal blocks kept once, and depths;
//! * [`checkpoint`] — the work in a file, to go on later.

pub mod block;
pub mod checkpoint;
pub mod jumps;
pub mod layout;
pub mod planes;
pub mod pool;
mod sweep;
#[cfg(test)]
mod sweep_tests;
mod walk;

pub use checkpoint::CheckpointError;
pub use walk::Landing;

use super::simd::Simd;
use block::{AnyTurn, EveryTurn, Flight, Quantifier};
use jumps::{Jumps, OddishJumps, StripJumps};
use layout::Layout;
use planes::{MappedPlane, MemoryPlane, PlaneStore};
use pool::Pool;
use rayon::prelude::*;
use std::marker::PhantomData;
use std::path::PathBuf;
use sweep::{Balls, Ply, Scratch, Slice};

/// The longest strip that the dense engine takes on; longer ones pass what a depth byte, a block number or any disk
/// holds.
pub const MAX_DENSE_LENGTH: usize = 40;

/// The most plies that a depth byte holds.
const MAX_PLIES: u8 = u8::MAX - 1;

/// Why a length could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum DenseError {
    /// Out of the engine's range.
    #[error(
        "the dense engine solves lengths {} to {MAX_DENSE_LENGTH}, not {length}",
        crate::games::strip::MIN_LENGTH
    )]
    Length {
        /// The length asked for.
        length: usize,
    },
    /// The system refused memory.
    #[error("no memory for {bytes} bytes: give a scratch directory with --scratch, or try a shorter length")]
    OutOfMemory {
        /// The size of the allocation.
        bytes: u64,
    },
    /// A scratch file failed.
    #[error("scratch directory '{}': {source}; free space there or name another with --scratch", directory.display())]
    Scratch {
        /// The directory.
        directory: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A game longer than a depth byte holds.
    #[error("a game of more than 254 plies at length {length}: depths do not fit in a byte")]
    TooDeep {
        /// The length.
        length: usize,
    },
}

/// A plane's place among the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// Left to move, Left wins.
    LeftToMove = 0,
    /// Right to move, Left wins.
    RightToMove = 1,
}

/// The work on one length, ply by ply.
///
/// The strip unless `J` says otherwise.
pub struct Solver<S: PlaneStore, J: Jumps = StripJumps> {
    layout: Layout,
    jumps: J,
    simd: Simd,
    sides: [PlaneData<S>; 2],
    /// New positions per ply, from ply 1.
    counts: Vec<u64>,
}

/// A plane with what the engine keeps beside it.
struct PlaneData<S> {
    plane: S,
    pool: Pool,
    changed: Vec<Balls>,
    entries: Vec<Flight>,
}

impl Solver<MemoryPlane> {
    /// Begins a length in memory.
    ///
    /// # Errors
    /// [`DenseError::Length`], [`DenseError::OutOfMemory`].
    pub fn in_memory(length: usize) -> Result<Solver<MemoryPlane>, DenseError> {
        Solver::new(length, MemoryPlane::new)
    }
}

impl Solver<MappedPlane> {
    /// Begins a length with its planes in files below a scratch directory.
    ///
    /// # Errors
    /// [`DenseError::Length`], [`DenseError::Scratch`].
    pub fn on_scratch(length: usize, directory: &std::path::Path) -> Result<Self, DenseError> {
        Solver::new(length, |layout| MappedPlane::new(layout, directory))
    }
}

impl Solver<MemoryPlane, OddishJumps> {
    /// Begins an Oddish board in memory; its layout is that of a strip with one square more.
    ///
    /// # Errors
    /// [`DenseError::Length`] with the length of that strip, [`DenseError::OutOfMemory`].
    pub fn oddish(squares: usize) -> Result<Self, DenseError> {
        Solver::new(squares.saturating_add(1), MemoryPlane::new)
    }
}

impl<S: PlaneStore, J: Jumps> Solver<S, J> {
    fn new(
        length: usize,
        plane: impl Fn(&Layout) -> Result<S, DenseError>,
    ) -> Result<Solver<S, J>, DenseError> {
        if !(crate::games::strip::MIN_LENGTH..=MAX_DENSE_LENGTH).contains(&length) {
            return Err(DenseError::Length { length });
        }
        let layout = Layout::new(length);
        let side = |pool| -> Result<PlaneData<S>, DenseError> {
            Ok(PlaneData {
                plane: plane(&layout)?,
                pool,
                changed: vec![0; 1 << layout.high_bits()],
                entries: Vec::new(),
            })
        };
        Ok(Solver {
            layout,
            jumps: J::default(),
            simd: Simd::best(),
            sides: [
                side(Pool::new::<EveryTurn>(layout.low_bits()))?,
                side(Pool::new::<AnyTurn>(layout.low_bits()))?,
            ],
            counts: Vec::new(),
        })
    }

    /// Chooses the instruction set; the results do not depend on it.
    pub fn with_simd(self, simd: Simd) -> Solver<S, J> {
        Solver { simd, ..self }
    }

    /// New positions in each ply so far, from ply 1.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The states of a plane, slice by slice.
    pub fn plane(&self, plane: Plane) -> &S {
        &self.sides[plane as usize].plane
    }

    /// What the states of a plane stand for.
    pub fn pool(&self, plane: Plane) -> &Pool {
        &self.sides[plane as usize].pool
    }

    /// The shape of both planes.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Does the next ply, in parallel over slices, and returns how many positions it decided.
    ///
    /// # Errors
    /// [`DenseError::TooDeep`] past 254 plies.
    pub fn step(&mut self) -> Result<u64, DenseError> {
        let ply = u8::try_from(self.counts.len() + 1)
            .ok()
            .filter(|&ply| ply <= MAX_PLIES)
            .ok_or(DenseError::TooDeep {
                length: self.layout.length(),
            })?;
        let count = if ply % 2 == 1 {
            self.sweep_plane::<AnyTurn>(Plane::LeftToMove, ply)
        } else {
            self.sweep_plane::<EveryTurn>(Plane::RightToMove, ply)
        };
        self.counts.push(count);
        Ok(count)
    }

    fn sweep_plane<Q: Quantifier>(&mut self, grown: Plane, ply_number: u8) -> u64 {
        let [left, right] = &mut self.sides;
        let (known, target) = match grown {
            Plane::LeftToMove => (left, right),
            Plane::RightToMove => (right, left),
        };
        let layout = self.layout;
        let mut ply = Ply {
            jumps: self.jumps,
            layout,
            target: &target.plane,
            target_pool: &target.pool,
            known_pool: &known.pool,
            changed: (ply_number > 2).then_some(&target.changed[..]),
            entries: &[],
        };
        if layout.slices() > 1 {
            target.entries = (0..layout.slices())
                .into_par_iter()
                .map_init(
                    || Scratch::new(&layout),
                    |scratch, slice| ply.entry::<Q>(slice, scratch),
                )
                .collect();
            ply.entries = &target.entries;
        }
        let simd = self.simd;
        let count = (known.plane.slices_mut().into_par_iter())
            .zip(known.changed.par_chunks_mut(1 << layout.slice_bits()))
            .enumerate()
            .map_init(
                || Scratch::new(&layout),
                |scratch, (slice, (known, gained))| {
                    let mut count = 0;
                    simd.run(Slice {
                        ply: &ply,
                        slice,
                        known,
                        gained,
                        scratch,
                        report: |new: &block::Block| count += new.count(layout.low_bits()),
                        quantifier: PhantomData::<Q>,
                    });
                    count
                },
            )
            .sum();
        match grown {
            Plane::LeftToMove => known.pool.end_ply::<EveryTurn>(ply_number),
            Plane::RightToMove => known.pool.end_ply::<AnyTurn>(ply_number),
        }
        count
    }
}
