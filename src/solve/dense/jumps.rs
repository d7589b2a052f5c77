//! Where jumps land: all that tells apart the games that the dense engine solves.
//!
//! ```text
//!     strip     a ball over a run of stones lands behind the run, and may go on if another run begins there
//!     Oddish    an arrow over a run of stones stops in any gap of it
//! ```
//!
//! The arrow's gap g stands for the ball's square: squares g, g + 1, … to its right are pattern bits g, g + 1, …, squares g − 1,
//! g − 2, … to its left pattern bits g − 1, g − 2, …, exactly as for a ball on square g of a strip with one square more. So
//! positions, placements, goals and slices are the same for both games, and only the landings differ.

use super::block::{Block, Flight, Quantifier, joined};
use super::walk::{Landing, LeftSteps, LeftWalk, RightSteps, RightWalk};

/// Where the jumps of a game land.
pub trait Jumps: Copy + Default + Send + Sync + 'static {
    /// The landings of jumps to the right from a ball at square 12 or beyond, nearest first.
    type Right: Iterator<Item = Landing>;
    /// The landings of jumps to the left from a ball beyond square 12, nearest first, down to square 12.
    type Left: Iterator<Item = Landing>;

    /// Starts to the right, at a ball square with a block number.
    fn right(self, ball: usize, high: usize, pattern_bits: usize) -> Self::Right;

    /// Starts to the left.
    fn left(self, ball: usize, high: usize) -> Self::Left;

    /// What a ball can reach at a square on its way: `target` is the set with the ball there, `jump` what a jump from
    /// there reaches, `above` what a ball reaches that may not stop there unless the next square is empty.
    fn flight<Q: Quantifier>(self, target: &Block, jump: &Block, above: impl FnOnce() -> Block) -> Flight;
}

/// Jumps of one-dimensional Phutball.
#[derive(Clone, Copy, Debug, Default)]
pub struct StripJumps;

impl Jumps for StripJumps {
    type Right = RightWalk;
    type Left = LeftWalk;

    #[inline(always)]
    fn right(self, ball: usize, high: usize, pattern_bits: usize) -> RightWalk {
        RightWalk::new(ball, high, pattern_bits)
    }

    #[inline(always)]
    fn left(self, ball: usize, high: usize) -> LeftWalk {
        LeftWalk::new(ball, high)
    }

    #[inline(always)]
    fn flight<Q: Quantifier>(self, target: &Block, jump: &Block, above: impl FnOnce() -> Block) -> Flight {
        Flight {
            above: above(),
            on: joined::<Q>(target, jump),
        }
    }
}

/// Jumps of Oddish Phutball.
#[derive(Clone, Copy, Debug, Default)]
pub struct OddishJumps;

impl Jumps for OddishJumps {
    type Right = RightSteps;
    type Left = LeftSteps;

    #[inline(always)]
    fn right(self, ball: usize, high: usize, pattern_bits: usize) -> RightSteps {
        RightSteps::new(ball, high, pattern_bits)
    }

    #[inline(always)]
    fn left(self, ball: usize, high: usize) -> LeftSteps {
        LeftSteps::new(ball, high)
    }

    #[inline(always)]
    fn flight<Q: Quantifier>(self, target: &Block, jump: &Block, _: impl FnOnce() -> Block) -> Flight {
        let on = joined::<Q>(target, jump);
        Flight { above: on, on }
    }
}
