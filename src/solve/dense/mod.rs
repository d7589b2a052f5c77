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
//! * `walk` — jumps over far stones;
//! * `sweep` — one ply over one slice: the heart;
//! * [`pool`] — equal blocks kept once, and depths;
//! * [`sets`] — the values as diagrams, to be held against a table.

pub mod block;
pub mod layout;
pub mod pool;
pub mod sets;
#[doc(hidden)]
pub mod sweep;
mod walk;

pub use walk::{Landing, LeftWalk, RightWalk};

use super::scratch::{NoRoom, Room};
use super::simd::Simd;
use crate::games::rules::Rules;
use crate::outcome::Side;
use block::{AnyTurn, EveryTurn, Flight, Quantifier};
use layout::DenseLayout;
use pool::{Pool, State};
use rayon::prelude::*;
use std::marker::PhantomData;
use sweep::{Balls, Ply, Scratch, Slice};

/// The longest strips that the engine enumerates: there are more boards on longer ones than any memory holds.
pub const MAX_DENSE_LENGTH: usize = 40;

/// The most plies that a depth byte holds.
const MAX_PLIES: u8 = u8::MAX - 1;

/// Why a length could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum DenseError {
    /// Out of the engine's range.
    #[error(
        "the dense engine solves lengths {least} to {MAX_DENSE_LENGTH}, not {0}",
        least = crate::games::strip::MIN_LENGTH
    )]
    Length(usize),
    /// No room for the planes.
    #[error(transparent)]
    Room(#[from] NoRoom),
    /// A game longer than a depth byte holds.
    #[error("a game of more than 254 plies at length {0}: depths do not fit in a byte")]
    TooDeep(usize),
}

/// The work on one length, ply by ply.
pub struct DenseSolver {
    layout: DenseLayout,
    rules: Rules,
    simd: Simd,
    sides: [PlaneData; 2],
    /// New positions per ply, from ply 1.
    counts: Vec<u64>,
}

/// A plane with what the engine keeps beside it.
struct PlaneData {
    /// The states of its blocks, slice by slice.
    states: Room<State>,
    pool: Pool,
    changed: Vec<Balls>,
    entries: Vec<Flight>,
}

impl DenseSolver {
    /// Begins a length.
    ///
    /// # Errors
    /// [`DenseError::Length`], [`DenseError::Room`].
    pub fn new(length: usize) -> Result<DenseSolver, DenseError> {
        if !(crate::games::strip::MIN_LENGTH..=MAX_DENSE_LENGTH).contains(&length) {
            return Err(DenseError::Length(length));
        }
        let layout = DenseLayout::new(length);
        let side = |pool| -> Result<PlaneData, DenseError> {
            Ok(PlaneData {
                states: Room::new(layout.blocks(), None)?,
                pool,
                changed: vec![0; 1 << layout.high_bits()],
                entries: Vec::new(),
            })
        };
        Ok(DenseSolver {
            layout,
            rules: Rules::Ordinary,
            simd: Simd::best(),
            sides: [
                side(Pool::new::<EveryTurn>(layout.low_bits()))?,
                side(Pool::new::<AnyTurn>(layout.low_bits()))?,
            ],
            counts: Vec::new(),
        })
    }

    /// Plays by these rules; to be said before the first ply.
    pub fn under(self, rules: Rules) -> DenseSolver {
        DenseSolver { rules, ..self }
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Chooses the instruction set; the results do not depend on it.
    pub fn with_simd(self, simd: Simd) -> DenseSolver {
        DenseSolver { simd, ..self }
    }

    /// New positions in each ply so far, from ply 1.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The states of the plane with this player to move; [`DenseLayout::place`] says where a block's is.
    pub fn plane(&self, to_move: Side) -> &[State] {
        &self.sides[to_move as usize].states
    }

    /// What the states of a plane stand for.
    pub fn pool(&self, to_move: Side) -> &Pool {
        &self.sides[to_move as usize].pool
    }

    /// The shape of both planes.
    pub fn layout(&self) -> &DenseLayout {
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
            .ok_or(DenseError::TooDeep(self.layout.length()))?;
        let count = if ply % 2 == 1 {
            self.sweep_plane::<AnyTurn>(Side::Left, ply)
        } else {
            self.sweep_plane::<EveryTurn>(Side::Right, ply)
        };
        self.counts.push(count);
        Ok(count)
    }

    fn sweep_plane<Q: Quantifier>(&mut self, grown: Side, ply_number: u8) -> u64 {
        let [left, right] = &mut self.sides;
        let (known, target) = match grown {
            Side::Left => (left, right),
            Side::Right => (right, left),
        };
        let layout = self.layout;
        let mut ply = Ply {
            layout,
            rules: self.rules,
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
            Side::Left => known.pool.end_ply::<EveryTurn>(ply_number),
            Side::Right => known.pool.end_ply::<AnyTurn>(ply_number),
        }
        count
    }
}
