//! *Never jump backwards* (Grossman & Nowakowski, *One-Dimensional Phutball*, §1): positions where it is wrong, because
//! every winning turn is a jump towards one's own goal line.
//!
//! With Left to move, a position counts if Left wins, and neither a stone nor a jump to the right leads into 'Right to
//! move, Left wins'. That is one sweep over the blocks, with the dense engine's algebra and no jumps to the left:
//!
//! ```text
//!     jump[b]  = stone(b+1) ∧ above[b+1]                                     on[b] = set[b] ∨ jump[b]
//!     above[b] = jump[b] ∨ (empty(b+1) ∧ on[b+1])                            above[n−1] = on[n−1] = Left wins
//! ```
//!
//! All ball squares below 12 are done together, down the recurrence; for balls beyond, the landings are a walk over block
//! numbers ([`RightWalk`]).

use super::planes::{Planes, TheoryError, Watch};
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::solve::dense::block::{AnyTurn, BLOCK_BITS, Block, Flight, hop, join, joined, news};
use crate::solve::dense::{Landing, RightWalk};
use rayon::prelude::*;

/// The positions of one length, with Left to move, whose winning turns are all jumps backward.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BackwardOnly {
    /// How many.
    pub count: u64,
    /// The first by ball square and pattern.
    pub positions: Vec<Strip>,
}

/// Blocks done between two looks at the watch.
const CHUNK: usize = 1 << 12;

/// Scans a length and keeps the first `show` positions.
///
/// # Errors
/// [`TheoryError::Interrupted`].
pub fn scan(planes: &Planes, show: usize, watch: Watch<'_>) -> Result<BackwardOnly, TheoryError> {
    let layout = *planes.layout();
    let blocks = 1usize << layout.high_bits();
    let mut found: Vec<(usize, u64)> = Vec::new();
    let mut count = 0;
    for first in (0..blocks).step_by(CHUNK) {
        watch.check(layout.length())?;
        (watch.say)(format!("block {first} of {blocks}"));
        let chunk = (first..blocks.min(first + CHUNK)).into_par_iter();
        let (more, places) = chunk.map(|high| scan_block(planes, high, show)).reduce(
            Default::default,
            |(a, mut places), (b, more)| {
                places.extend(more);
                (a + b, places)
            },
        );
        count += more;
        found.extend(places);
        found.sort_unstable();
        found.truncate(show);
    }
    let strip = |(ball, pattern)| Strip::from_pattern(layout.length(), ball, u128::from(pattern), Side::Left);
    Ok(BackwardOnly {
        count,
        positions: found.into_iter().filter_map(strip).collect(),
    })
}

/// Left wins, Right to move: what Left's turns must lead into.
fn target(planes: &Planes, ball: usize, high: usize) -> &Block {
    planes.block(Side::Right, ball, high)
}

/// All ball squares of one block number.
fn scan_block(planes: &Planes, high: usize, show: usize) -> (u64, Vec<(usize, u64)>) {
    let layout = planes.layout();
    let last = layout.length() - 2;
    let mut count = 0;
    let mut places = Vec::new();
    let mut settle = |ball: usize, forward: &Block| {
        let Some(left) = without_other_turns(planes, ball, high, forward) else {
            return;
        };
        let more = left.count(layout.low_bits());
        count += more;
        let members = left.members().take_while(|&low| low < 1 << layout.low_bits());
        places.extend(
            members
                .take(show)
                .map(|low| (ball, (high << layout.low_bits() | low) as u64)),
        );
    };
    for ball in BLOCK_BITS..=last {
        settle(ball, &far_jumps(planes, ball, high));
    }
    let mut ahead = entry(planes, high);
    for ball in (1..=last.min(BLOCK_BITS - 1)).rev() {
        let (above, jump) = hop::<AnyTurn>(ball, &ahead);
        settle(ball, &jump);
        ahead = Flight {
            above,
            on: joined::<AnyTurn>(target(planes, ball, high), &jump),
        };
    }
    (count, places)
}

/// The wins of a block that neither `forward` nor any stone explains; `None` if there are none.
fn without_other_turns(planes: &Planes, ball: usize, high: usize, forward: &Block) -> Option<Block> {
    let layout = planes.layout();
    let mut left = news(planes.block(Side::Left, ball, high), forward)?;
    left = news(
        &left,
        planes.placed(Side::Right, planes.set(Side::Right, ball, high)),
    )?;
    let mut empty = !high & ((1 << layout.high_bits()) - 1);
    while empty != 0 {
        let stone = empty & empty.wrapping_neg();
        empty ^= stone;
        left = news(&left, target(planes, ball, high | stone))?;
    }
    Some(left)
}

/// What jumps to the right reach from a ball on square 12 or beyond.
fn far_jumps(planes: &Planes, ball: usize, high: usize) -> Block {
    let mut reached = Block::EMPTY;
    for landing in RightWalk::new(ball, high, planes.layout().pattern_bits()) {
        match landing {
            Landing::Ball(ball, high) => join::<AnyTurn>(&mut reached, target(planes, ball, high)),
            _ => reached = Block::FULL,
        }
    }
    reached
}

/// The rightward flight at ball 12, or at the Right goal if that comes first.
fn entry(planes: &Planes, high: usize) -> Flight {
    let goal = Flight {
        above: Block::FULL,
        on: Block::FULL,
    };
    let layout = planes.layout();
    if layout.pattern_bits() <= BLOCK_BITS {
        return goal;
    }
    let jump = far_jumps(planes, BLOCK_BITS, high);
    let above = if high & 1 == 1 {
        jump
    } else if BLOCK_BITS + 1 == layout.pattern_bits() {
        Block::FULL
    } else {
        let next = far_jumps(planes, BLOCK_BITS + 1, high);
        joined::<AnyTurn>(target(planes, BLOCK_BITS + 1, high), &next)
    };
    Flight {
        above,
        on: joined::<AnyTurn>(target(planes, BLOCK_BITS, high), &jump),
    }
}
