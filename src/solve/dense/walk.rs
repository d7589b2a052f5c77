//! Jump chains over far stones: the landings of a ball in flight, as a walk over block numbers.
//!
//! Seen from ball b, square b+1 to the right is pattern bit b and square b−1 to the left is pattern
//! bit b−1. Pattern bit `i ≥ 12` is bit `i − 12` of the block number. Jumping over a run clears its
//! bits and keeps the others.

use super::block::BLOCK_BITS;

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

/// The landings of jumps to the right from a ball at square 12 or beyond, nearest first.
#[derive(Clone, Copy)]
pub struct RightWalk {
    ball: usize,
    high: usize,
    /// Number of pattern bits, which is the Right goal-line square.
    goal: usize,
}

impl RightWalk {
    #[inline(always)]
    pub fn new(ball: usize, high: usize, pattern_bits: usize) -> RightWalk {
        RightWalk {
            ball,
            high,
            goal: pattern_bits,
        }
    }
}

impl Iterator for RightWalk {
    type Item = Landing;

    #[inline(always)]
    fn next(&mut self) -> Option<Landing> {
        let ahead = self.high >> (self.ball - BLOCK_BITS);
        if ahead & 1 == 0 {
            return None;
        }
        // Bits past the pattern are 0, so a run ends at the goal line.
        let run = ahead.trailing_ones() as usize;
        self.high ^= ((1 << run) - 1) << (self.ball - BLOCK_BITS);
        self.ball += run + 1;
        Some(if self.ball >= self.goal {
            self.high = 0;
            self.ball = self.goal;
            Landing::RightHome
        } else {
            Landing::Ball(self.ball, self.high)
        })
    }
}

/// The landings of jumps to the left from a ball beyond square 12, nearest first, down to square
/// 12.
#[derive(Clone, Copy)]
pub struct LeftWalk {
    ball: usize,
    high: usize,
}

impl LeftWalk {
    #[inline(always)]
    pub fn new(ball: usize, high: usize) -> LeftWalk {
        LeftWalk { ball, high }
    }
}

impl Iterator for LeftWalk {
    type Item = Landing;

    #[inline(always)]
    fn next(&mut self) -> Option<Landing> {
        let width = self.ball - BLOCK_BITS;
        if width == 0 {
            return None;
        }
        // Shift the bits between ball 12 and the ball to the top of the word, the nearest square
        // first.
        let run = (self.high << (usize::BITS as usize - width)).leading_ones() as usize;
        if run == 0 {
            return None;
        }
        let run = run.min(width);
        self.high ^= ((1 << run) - 1) << (width - run);
        if run == width {
            self.ball = BLOCK_BITS;
            return Some(Landing::AboveEntry(self.high));
        }
        self.ball -= run + 1;
        Some(if self.ball == BLOCK_BITS {
            Landing::OnEntry(self.high)
        } else {
            Landing::Ball(self.ball, self.high)
        })
    }
}
