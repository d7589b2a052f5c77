//! Jumps compiled for blocks: the bits of the block number that a jump needs, and its action on
//! the bits inside a block.

use super::layout::PitchLayout;
use crate::block::{BLOCK_BITS, Block};
use phutbase_base::outcome::Side;
use phutbase_rules::pitch::{Direction, Step};
use phutbase_rules::rules::Rules;

/// The bits of a pattern inside a block.
const IN_BLOCK: usize = (1 << BLOCK_BITS) - 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The goal aimed at, or beyond it: the jump succeeds.
    Home,
    /// On this point.
    Ball(usize),
}

/// The action of a jump on a bit set: it clears bits of the index, which is the number of a word
/// followed by that of a bit in it.
#[derive(Clone, Copy, Debug)]
pub struct WordJump {
    /// Bits of the word number that must be set; the jump clears them.
    pub over: usize,
    /// Bits of the word number that must be clear.
    clear: usize,
    /// Bits of a word with an index that allows the jump.
    pub mask: u64,
    /// Distance by which the jump moves bits down inside a word.
    pub shift: u32,
}

impl WordJump {
    /// Compiles a jump from the indices that contain all of `over` and none of `clear`; a word holds
    /// `2^bits` of them.
    pub fn new(over: usize, clear: usize, bits: usize) -> WordJump {
        let (inner_over, inner_clear) = (over & 63, clear & 63);
        let fits = |index: &usize| index & inner_over == inner_over && index & inner_clear == 0;
        let fitting = (0..1usize << bits).filter(fits);
        WordJump {
            over: over >> 6,
            clear: clear >> 6,
            mask: fitting.fold(0, |mask, index| mask | 1 << index),
            shift: inner_over as u32,
        }
    }

    #[inline(always)]
    pub fn fits(&self, word: usize) -> bool {
        word & self.over == self.over && word & self.clear == 0
    }
}

/// A jump of a given length from a given point, for all patterns at once.
#[derive(Clone, Copy, Debug)]
pub struct Hop {
    /// Bits of the block number that must be set: chaps that are jumped over.
    pub over: usize,
    /// Bits of the block number that must be clear: the landing point.
    pub clear: usize,
    /// The action inside blocks.
    inside: WordJump,
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
        self.inside.mask & u64::from(self.inside.fits(word)).wrapping_neg()
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
        let WordJump {
            over,
            clear,
            mask,
            shift,
        } = self.inside;
        if over | clear != 0 || shift != 0 {
            for word in 0..into.0.len() {
                into.0[word] |= self.moved(from, word);
            }
        } else if mask != u64::MAX {
            for (bits, from) in into.0.iter_mut().zip(&from.0) {
                *bits |= from & mask;
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
        (from.0[word & !self.inside.over] << self.inside.shift) & self.mask_of(word)
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
    let allowed = |&direction: &Direction| rules.allow(home, direction);
    let jumps_from = |ball| {
        let mut jumps = CompiledJumps::default();
        for direction in Direction::ALL.into_iter().filter(allowed) {
            let hops = hops_in(layout, home, ball, direction).into_iter();
            let (inside, outward): (Vec<Hop>, Vec<Hop>) = hops.partition(Hop::is_inside);
            jumps.inside.extend(inside);
            jumps
                .outward
                .extend(Some(outward).filter(|outward| !outward.is_empty()));
        }
        jumps
    };
    (0..layout.shape().points()).map(jumps_from).collect()
}

fn hops_in(layout: &PitchLayout, home: Side, ball: usize, direction: Direction) -> Vec<Hop> {
    let shape = layout.shape();
    let mut hops = Vec::new();
    let mut over = 0;
    for step in shape.ray(ball, direction) {
        let (landing, target) = match step {
            Step::Sideline => break,
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
        hops.extend(target.filter(|_| over != 0).map(|target| Hop {
            over: over >> BLOCK_BITS,
            clear: landing >> BLOCK_BITS,
            inside: WordJump::new(over & IN_BLOCK, landing & IN_BLOCK, 6),
            target,
        }));
        over |= landing;
    }
    hops
}
