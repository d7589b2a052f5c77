//! The dense engine: bit-parallel retrograde analysis of every position of a strip.
//!
//! It keeps two planes of bits, *Left wins* with Left to move and with Right to move. Ply d adds to
//! one plane the positions from which the player can force the other plane as of ply d − 1: odd
//! plies ask for *some* turn of Left, even plies for *every* turn of Right. The added positions are
//! decided in exactly d plies; when a ply adds nothing, the rest are draws. By mirroring, *Left
//! wins with Right to move* is *Left loses with Left to move*, so the two planes contain every
//! value.
//!
//! * [`block`](phutbase_machine::block): sets of 4,096 positions and their algebra;
//! * [`layout`]: the place of every position in a plane;
//! * `walk`: jumps over far stones;
//! * `sweep`: one ply over one slice, the inner loop;
//! * [`pool`]: equal blocks stored once, and depths;
//! * [`sets`]: the values as diagrams, for comparison with a table.

pub mod layout;
pub mod pool;
pub mod sets;
pub mod sweep;
mod walk;

use layout::DenseLayout;
use phutbase_base::job::{Job, Stopped};
use phutbase_base::outcome::Side;
use phutbase_machine::block::{AnyTurn, Block, Combination, EveryTurn, Flight, MAX_PLIES};
use phutbase_machine::scratch::{Mapping, MappingError};
use phutbase_machine::simd::Simd;
use pool::{BlockState, Pool};
use rayon::prelude::*;
use std::marker::PhantomData;
use sweep::{Balls, PlyInput, Scratch, SliceSweep};

/// Longest strip that the engine enumerates; the boards of longer ones exceed any memory.
pub const MAX_DENSE_LENGTH: usize = 40;

/// Reason why a length could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum DenseError {
    #[error(
        "the dense engine solves lengths {least} to {MAX_DENSE_LENGTH}, not {0}",
        least = phutbase_rules::strip::MIN_LENGTH
    )]
    Length(usize),
    #[error(transparent)]
    Mapping(#[from] MappingError),
    /// A win takes more plies than a depth byte holds.
    #[error("length {0}: a win takes more than 254 plies, the limit of a depth byte")]
    TooDeep(usize),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

pub struct DenseSolver {
    layout: DenseLayout,
    simd: Simd,
    sides: [PlaneData; 2],
    /// New positions per ply, from ply 1.
    counts: Vec<u64>,
}

struct PlaneData {
    states: Mapping<BlockState>,
    pool: Pool,
    changed: Vec<Balls>,
    entries: Vec<Flight>,
}

impl DenseSolver {
    pub fn new(length: usize) -> Result<DenseSolver, DenseError> {
        if !(phutbase_rules::strip::MIN_LENGTH..=MAX_DENSE_LENGTH).contains(&length) {
            return Err(DenseError::Length(length));
        }
        let layout = DenseLayout::new(length);
        let side = |pool| -> Result<PlaneData, DenseError> {
            Ok(PlaneData {
                states: Mapping::new(layout.blocks(), None)?,
                pool,
                changed: vec![0; 1 << layout.high_bits()],
                entries: Vec::new(),
            })
        };
        Ok(DenseSolver {
            layout,
            simd: Simd::best(),
            sides: [
                side(Pool::new::<EveryTurn>(layout.low_bits()))?,
                side(Pool::new::<AnyTurn>(layout.low_bits()))?,
            ],
            counts: Vec::new(),
        })
    }

    /// Selects the instruction set; results do not depend on it.
    pub fn with_simd(self, simd: Simd) -> DenseSolver {
        DenseSolver { simd, ..self }
    }

    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the block states of the plane with this player to move, indexed by
    /// [`DenseLayout::place`].
    pub fn plane(&self, to_move: Side) -> &[BlockState] {
        &self.sides[to_move as usize].states
    }

    pub fn pool(&self, to_move: Side) -> &Pool {
        &self.sides[to_move as usize].pool
    }

    pub fn layout(&self) -> &DenseLayout {
        &self.layout
    }

    /// Runs the next ply in parallel over slices and returns the number of positions it decided. If
    /// it is stopped, the solver is unusable.
    pub fn step(&mut self, job: &Job) -> Result<u64, DenseError> {
        let ply = u8::try_from(self.counts.len() + 1)
            .ok()
            .filter(|&ply| ply <= MAX_PLIES)
            .ok_or(DenseError::TooDeep(self.layout.length()))?;
        let count = if ply % 2 == 1 {
            self.sweep_plane::<AnyTurn>(Side::Left, ply, job)?
        } else {
            self.sweep_plane::<EveryTurn>(Side::Right, ply, job)?
        };
        self.counts.push(count);
        job.step(self.counts.iter().sum(), format!("ply {ply}"))?;
        Ok(count)
    }

    fn sweep_plane<Q: Combination>(
        &mut self,
        grown: Side,
        ply_number: u8,
        job: &Job,
    ) -> Result<u64, Stopped> {
        let [left, right] = &mut self.sides;
        let (known, target) = match grown {
            Side::Left => (left, right),
            Side::Right => (right, left),
        };
        let layout = self.layout;
        let mut ply = PlyInput {
            layout,
            target: &target.states,
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
        let count = (known.states.par_chunks_mut(layout.slice_blocks()))
            .zip(known.changed.par_chunks_mut(1 << layout.slice_bits()))
            .enumerate()
            .map_init(
                || Scratch::new(&layout),
                |scratch, (slice, (known, gained))| {
                    let mut count = 0;
                    if job.check().is_err() {
                        return count;
                    }
                    simd.run(SliceSweep {
                        ply: &ply,
                        slice,
                        known,
                        gained,
                        scratch,
                        report: |new: &Block| count += new.count(layout.low_bits()),
                        quantifier: PhantomData::<Q>,
                    });
                    count
                },
            )
            .sum();
        job.check()?;
        match grown {
            Side::Left => known.pool.end_ply::<EveryTurn>(ply_number),
            Side::Right => known.pool.end_ply::<AnyTurn>(ply_number),
        }
        Ok(count)
    }
}
