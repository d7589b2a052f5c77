//! Sets of 4,096 positions, and the operations of a ply on them.
//!
//! A [`Block`] has one bit for each of the 2^12 stone patterns with the same high bits. Index bit
//! `i` is bit `i` of a position's number in the block: bits 0–5 select the bit in a word, bits 6–11
//! the word.
//!
//! ```text
//!            index bit   11 10  9  8  7  6 | 5  4  3  2  1  0
//!                        └─── word 0‥63 ──┘ └── bit in word ──┘
//! ```
//!
//! The code is plain Rust over `[u64; 64]`, always inlined, so that it is compiled once for each
//! instruction set (see `simd.rs`) and vectorised by the compiler.

use bytemuck::{Pod, Zeroable};
use phutbase_base::bits::ZEROS;
use phutbase_base::bits::bits;

pub const BLOCK_BITS: usize = 12;
pub const BLOCK_WORDS: usize = 1 << (BLOCK_BITS - 6);

/// Largest depth that fits into a depth byte.
pub const MAX_PLIES: u8 = u8::MAX - 1;

/// A set of positions, one bit for each value of the 12 lowest pattern bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Block(pub [u64; BLOCK_WORDS]);

impl Block {
    pub const EMPTY: Block = Block([0; BLOCK_WORDS]);

    /// Counts the members among the first `1 << bits` positions.
    pub fn count(&self, bits: usize) -> u64 {
        if bits < 6 {
            let mask = (1u64 << (1 << bits)) - 1;
            return (self.0[0] & mask).count_ones().into();
        }
        let words = 1 << (bits.min(BLOCK_BITS) - 6);
        self.0[..words].iter().map(|w| u64::from(w.count_ones())).sum()
    }

    pub fn members(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(word, &set)| bits(set).map(move |bit| word * 64 + bit))
    }
}

/// Combination of the turns of a position: *some* turn leads into a set, or *every* turn does.
///
/// *Every turn leads into X* is the complement of *some turn leads into the complement of X*, so
/// the same code serves both, with 0 and 1 exchanged.
pub trait Combination: Copy + Send + Sync + 'static {
    /// All bits of the value of a nonexistent turn: the neutral element of `join`.
    const NEUTRAL: u64;
    /// Combines the values of two turns.
    fn join(a: u64, b: u64) -> u64;

    /// Values of nonexistent turns.
    const NEUTRAL_BLOCK: Block = Block([Self::NEUTRAL; BLOCK_WORDS]);
}

#[derive(Clone, Copy)]
pub struct AnyTurn;
#[derive(Clone, Copy)]
pub struct EveryTurn;

impl Combination for AnyTurn {
    const NEUTRAL: u64 = 0;
    #[inline(always)]
    fn join(a: u64, b: u64) -> u64 {
        a | b
    }
}

impl Combination for EveryTurn {
    const NEUTRAL: u64 = u64::MAX;
    #[inline(always)]
    fn join(a: u64, b: u64) -> u64 {
        a & b
    }
}

#[inline(always)]
pub fn join<Q: Combination>(into: &mut Block, from: &Block) {
    for (a, b) in into.0.iter_mut().zip(&from.0) {
        *a = Q::join(*a, *b);
    }
}

#[inline(always)]
pub fn joined<Q: Combination>(a: &Block, b: &Block) -> Block {
    let mut result = *a;
    join::<Q>(&mut result, b);
    result
}

/// Joins into `into` the results of placing a stone inside the block: for each of these index bits,
/// a pattern with that bit clear takes the value of the pattern with it set.
#[inline(always)]
pub fn join_placements<Q: Combination>(bits: impl Iterator<Item = usize>, from: &Block, into: &mut Block) {
    for bit in bits {
        if let Some(empty) = ZEROS.get(bit) {
            for (into, from) in into.0.iter_mut().zip(&from.0) {
                *into = Q::join(*into, from >> (1 << bit) & empty | Q::NEUTRAL & !empty);
            }
        } else {
            let step = 1 << (bit - 6);
            for (into, from) in (into.0.chunks_exact_mut(2 * step)).zip(from.0.chunks_exact(2 * step)) {
                for (into, from) in into[..step].iter_mut().zip(&from[step..]) {
                    *into = Q::join(*into, *from);
                }
            }
        }
    }
}

/// Results for a ball moving across one square: see [`hop`].
#[derive(Clone, Copy)]
pub struct Flight {
    /// The ball is *in flight* above the square: it has just removed the stone there and must land
    /// or jump on.
    pub above: Block,
    /// The ball *stands* on the square, and the turn ends there or continues with a jump.
    pub on: Block,
}

/// Moves the jump recurrence one square away from the goal.
///
/// Index bit `bit` is the neighbouring square that the jump goes over. In patterns of the ball here
/// it is the square next to the ball; in patterns of a ball there it is the square left behind,
/// which is empty, so only the half of `ahead` with the bit clear is read. With the bit set the
/// ball passes over the stone and flies on; with the bit clear a ball in flight lands. Returns
/// `(above, jump)` for the ball here: the results for a ball in flight above it, and for a jump
/// from it (neutral where the bit is clear).
#[inline(always)]
pub fn hop<Q: Combination>(bit: usize, ahead: &Flight) -> (Block, Block) {
    match bit {
        0 => hop_in_word::<Q, 0>(ahead),
        1 => hop_in_word::<Q, 1>(ahead),
        2 => hop_in_word::<Q, 2>(ahead),
        3 => hop_in_word::<Q, 3>(ahead),
        4 => hop_in_word::<Q, 4>(ahead),
        5 => hop_in_word::<Q, 5>(ahead),
        6 => hop_words::<Q, 1>(ahead),
        7 => hop_words::<Q, 2>(ahead),
        8 => hop_words::<Q, 4>(ahead),
        9 => hop_words::<Q, 8>(ahead),
        10 => hop_words::<Q, 16>(ahead),
        _ => hop_words::<Q, 32>(ahead),
    }
}

#[inline(always)]
fn hop_in_word<Q: Combination, const BIT: usize>(ahead: &Flight) -> (Block, Block) {
    let empty = ZEROS[BIT];
    let (mut above, mut jump) = (Block::EMPTY, Block::EMPTY);
    for word in 0..BLOCK_WORDS {
        let over = (ahead.above.0[word] & empty) << (1 << BIT);
        above.0[word] = over | (ahead.on.0[word] & empty);
        jump.0[word] = over | (Q::NEUTRAL & empty);
    }
    (above, jump)
}

#[inline(always)]
fn hop_words<Q: Combination, const STEP: usize>(ahead: &Flight) -> (Block, Block) {
    let (mut above, mut jump) = (Block::EMPTY, Q::NEUTRAL_BLOCK);
    for base in (0..BLOCK_WORDS).step_by(2 * STEP) {
        for word in base..base + STEP {
            above.0[word] = ahead.on.0[word];
            above.0[word + STEP] = ahead.above.0[word];
            jump.0[word + STEP] = ahead.above.0[word];
        }
    }
    (above, jump)
}
