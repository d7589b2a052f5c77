//! Jumps compiled for blocks: the bits of the block number that a jump needs, and its action on
//! the bits inside a block.

use super::super::dense::block::{BLOCK_BITS, Block};
use super::layout::PitchLayout;
use crate::games::pitch::{Direction, Step};
use crate::games::rules::Rules;
use crate::outcome::Side;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The goal aimed at, or beyond it: the jump succeeds.
    Home,
    /// On this point.
    Ball(usize),
}

/// A jump of a given length from a given point, for all patterns at once.
#[derive(Clone, Copy, Debug)]
pub struct Hop {
    /// Bits of the block number that must be set: chaps that are jumped over.
    pub over: usize,
    /// Bits of the block number that must be clear: the landing point.
    pub clear: usize,
    /// Bits of the word number that must be set; the jump clears them.
    word_over: usize,
    /// Bits of the word number that must be clear.
    word_clear: usize,
    /// Bits of a word with a pattern that allows the jump.
    mask: u64,
    /// Distance by which the jump moves patterns down inside a word.
    shift: u32,
    pub target: Target,
}

impl Hop {
    /// Returns whether the block number leaves the landing point empty.
    #[inline(always)]
    pub fn may_land(&self, high: usize) -> bool {
        high & self.clear == 0
    }

    pub fn is_inside(&self) -> bool {
        self.over == 0 && self.target != Target::Home
    }

    #[inline(always)]
    fn mask_of(&self, word: usize) -> u64 {
        let fits = word & self.word_over == self.word_over && word & self.word_clear == 0;
        self.mask & u64::from(fits).wrapping_neg()
    }

    /// Adds to `into` the patterns from which this jump reaches the goal.
    #[inline(always)]
    pub fn join_home(&self, into: &mut Block) {
        for (word, bits) in into.0.iter_mut().enumerate() {
            *bits |= self.mask_of(word);
        }
    }

    /// Adds to `into` the patterns from which this jump leads into `from`.
    #[inline(always)]
    pub fn join(&self, from: &Block, into: &mut Block) {
        if self.word_over | self.word_clear != 0 || self.shift != 0 {
            for word in 0..into.0.len() {
                into.0[word] |= self.moved(from, word);
            }
        } else if self.mask != u64::MAX {
            for (bits, from) in into.0.iter_mut().zip(&from.0) {
                *bits |= from & self.mask;
            }
        } else {
            for (bits, from) in into.0.iter_mut().zip(&from.0) {
                *bits |= from;
            }
        }
    }

    /// Computes one word of the patterns that [`join`](Hop::join) adds.
    #[inline(always)]
    pub fn moved(&self, from: &Block, word: usize) -> u64 {
        (from.0[word & !self.word_over] << self.shift) & self.mask_of(word)
    }
}

#[derive(Clone, Debug, Default)]
pub struct CompiledJumps {
    /// For each direction, the jumps that leave their block or reach the goal, shortest first.
    pub outward: Vec<Vec<Hop>>,
    pub inside: Vec<Hop>,
}

/// Compiles the jumps from every point for the player `home`, aiming at that player's goal. Jumps
/// that end in the other goal are left out; landing on the home row counts as reaching the goal.
pub fn compile(layout: &PitchLayout, rules: Rules, home: Side) -> Vec<CompiledJumps> {
    let points = 0..layout.shape().points();
    (points.map(|ball| jumps_from(layout, rules, home, ball))).collect()
}

fn jumps_from(layout: &PitchLayout, rules: Rules, home: Side, ball: usize) -> CompiledJumps {
    let mut jumps = CompiledJumps::default();
    let allowed = |direction: &Direction| rules.allow(home, direction.towards());
    for direction in Direction::ALL.into_iter().filter(allowed) {
        let hops = hops_in(layout, home, ball, direction);
        let (inside, outward): (Vec<Hop>, Vec<Hop>) = hops.into_iter().partition(Hop::is_inside);
        jumps.inside.extend(inside);
        if !outward.is_empty() {
            jumps.outward.push(outward);
        }
    }
    jumps
}

fn hops_in(layout: &PitchLayout, home: Side, ball: usize, direction: Direction) -> Vec<Hop> {
    let shape = layout.shape();
    let mut hops = Vec::new();
    let mut over = 0u64;
    let mut at = ball;
    loop {
        let step = shape.step(at, direction);
        let (landing, target) = match step {
            Step::Sideline => return hops,
            Step::Goal(side) => (0, (side == home).then_some(Target::Home)),
            Step::Point(point) => {
                let is_home = shape.winner_on(point) == Some(home);
                let target = if is_home {
                    Target::Home
                } else {
                    Target::Ball(point)
                };
                (1 << layout.bit(point), Some(target))
            }
        };
        hops.extend(
            target
                .filter(|_| over != 0)
                .map(|target| hop(over, landing, target)),
        );
        let Step::Point(point) = step else {
            return hops;
        };
        over |= landing;
        at = point;
    }
}

/// Compiles a jump from the patterns that contain all of `over` and none of `clear`.
fn hop(over: u64, clear: u64, target: Target) -> Hop {
    let word = |bits: u64| (bits >> 6) as usize & ((1 << (BLOCK_BITS - 6)) - 1);
    let in_word = |bits: u64| bits & 63;
    Hop {
        over: (over >> BLOCK_BITS) as usize,
        clear: (clear >> BLOCK_BITS) as usize,
        word_over: word(over),
        word_clear: word(clear),
        mask: (0..64)
            .filter(|index| index & in_word(over) == in_word(over) && index & in_word(clear) == 0)
            .fold(0, |mask, index| mask | 1 << index),
        shift: in_word(over) as u32,
        target,
    }
}
