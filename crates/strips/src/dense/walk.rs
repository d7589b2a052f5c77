//! Jump chains over far stones: the landings of a ball in flight, as a walk over block numbers.
//!
//! Seen from ball b, square b+1 to the right is pattern bit b and square b−1 to the left is pattern
//! bit b−1. Pattern bit `i ≥ 12` is bit `i − 12` of the block number. Jumping over a run clears its
//! bits and keeps the others.

use phutbase_machine::block::BLOCK_BITS;

/// End of a chain of jumps, or the point from which it continues inside blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// On this ball square, in the block with this number.
    Ball(usize, usize),
    /// On or beyond the Right goal line.
    RightHome,
    /// In flight above ball 12, in the block with this number.
    AboveEntry(usize),
    /// On ball 12, in the block with this number.
    OnEntry(usize),
}

/// Iterates over the landings of jumps to the right from a ball at square 12 or beyond, nearest
/// first. `goal` is the number of pattern bits, which is the Right goal-line square.
#[inline(always)]
pub fn right_walk(mut ball: usize, mut high: usize, goal: usize) -> impl Iterator<Item = Landing> {
    std::iter::from_fn(move || {
        // Bits past the pattern are 0, so a run ends at the goal line.
        let run = (high >> (ball - BLOCK_BITS)).trailing_ones() as usize;
        if run == 0 {
            return None;
        }
        high ^= ((1 << run) - 1) << (ball - BLOCK_BITS);
        ball += run + 1;
        if ball < goal {
            return Some(Landing::Ball(ball, high));
        }
        (ball, high) = (goal, 0);
        Some(Landing::RightHome)
    })
}

/// Iterates over the landings of jumps to the left from a ball beyond square 12, nearest first,
/// down to square 12.
#[inline(always)]
pub fn left_walk(mut ball: usize, mut high: usize) -> impl Iterator<Item = Landing> {
    std::iter::from_fn(move || {
        let width = ball - BLOCK_BITS;
        if width == 0 {
            return None;
        }
        // Shift the bits between ball 12 and the ball to the top of the word, the nearest square
        // first.
        let run = (high << (usize::BITS as usize - width)).leading_ones() as usize;
        if run == 0 {
            return None;
        }
        let run = run.min(width);
        high ^= ((1 << run) - 1) << (width - run);
        if run == width {
            ball = BLOCK_BITS;
            return Some(Landing::AboveEntry(high));
        }
        ball -= run + 1;
        Some(if ball == BLOCK_BITS {
            Landing::OnEntry(high)
        } else {
            Landing::Ball(ball, high)
        })
    })
}
