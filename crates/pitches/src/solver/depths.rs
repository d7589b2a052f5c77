//! Depths as they are found: one byte for each position with Alfred to move and the ball in the
//! left half. Symmetry gives the others.

use super::layout::PitchLayout;
use super::{PitchSolveError, Setup};
use crate::block::{BLOCK_BITS, Block};
use crate::scratch::Mapping;
use phutbase_base::bits::{spread, squeeze};
use phutbase_base::outcome::Side;
use phutbase_rules::pitch::depths::stored_balls;
use std::sync::atomic::{AtomicU8, Ordering};

/// Depth bytes of the positions with Alfred to move and the ball in the left half.
///
/// `index = slot · 2^(points − 1) + pattern`. Slots are the interior points of the left half, row
/// by row from the bottom; patterns are in the order of [`PitchLayout::order`] without the ball's
/// own bit. 0 is a draw, odd a win, even a loss. Bytes are stored by chunk and within a chunk by
/// slot.
pub struct Depths {
    chunks: Vec<Mapping<AtomicU8>>,
    pub pieces: Pieces,
}

/// Division of the bytes by slot and chunk.
pub struct Pieces {
    slots: Vec<Option<usize>>,
    bits: Vec<usize>,
    points: usize,
    /// Number of pattern bits below the chunk number.
    low: usize,
}

/// A range of the bytes of a slot in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub chunk: usize,
    pub at: usize,
    pub bytes: usize,
}

impl Pieces {
    pub fn new(layout: &PitchLayout) -> Pieces {
        let balls = stored_balls(layout.shape());
        let points = layout.shape().points();
        let mut slots = vec![None; points];
        for (slot, &ball) in balls.iter().enumerate() {
            slots[ball] = Some(slot);
        }
        Pieces {
            slots,
            bits: balls.iter().map(|&ball| layout.bit(ball)).collect(),
            points,
            low: points - layout.chunks().trailing_zeros() as usize,
        }
    }

    /// Counts the bytes of a slot in a chunk: none if the chunk's number has the ball's bit.
    #[inline(always)]
    fn size(&self, slot: usize, chunk: usize) -> usize {
        match self.bits[slot].checked_sub(self.low) {
            None => 1 << (self.low - 1),
            Some(own) if chunk >> own & 1 == 1 => 0,
            Some(_) => 1 << self.low,
        }
    }

    pub fn chunk_bytes(&self, chunk: usize) -> usize {
        (0..self.bits.len()).map(|slot| self.size(slot, chunk)).sum()
    }

    #[inline(always)]
    fn start(&self, slot: usize, chunk: usize) -> usize {
        (0..slot).map(|slot| self.size(slot, chunk)).sum()
    }

    /// Returns the chunk of a position and its place in the bytes of the chunk.
    #[inline(always)]
    fn place(&self, slot: usize, pattern: u64) -> (usize, usize) {
        let chunk = (pattern >> self.low) as usize;
        (chunk, self.start(slot, chunk) + self.inner(slot, pattern))
    }

    /// Returns the place of a position in the bytes of its slot and chunk.
    #[inline(always)]
    fn inner(&self, slot: usize, pattern: u64) -> usize {
        let within = pattern & ((1 << self.low) - 1);
        let bit = self.bits[slot];
        // From `low` on, the ball's bit belongs to the chunk number.
        (if bit < self.low {
            squeeze(within, bit)
        } else {
            within
        }) as usize
    }

    pub fn bytes(&self) -> u64 {
        (self.bits.len() as u64) << (self.points - 1)
    }

    /// Iterates over the pieces that hold `bytes` bytes from index `start` on.
    pub fn of(&self, start: u64, bytes: usize) -> impl Iterator<Item = Piece> + '_ {
        let end = (start + bytes as u64).min(self.bytes());
        let mut at = start;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let slot = (at >> (self.points - 1)) as usize;
            let index = at & ((1 << (self.points - 1)) - 1);
            let pattern = spread(index, self.bits[slot]);
            let (chunk, place) = self.place(slot, pattern);
            let left = self.start(slot, chunk) + self.size(slot, chunk) - place;
            let bytes = left.min((end - at) as usize);
            at += bytes as u64;
            Some(Piece {
                chunk,
                at: place,
                bytes,
            })
        })
    }
}

impl Depths {
    /// Allocates the bytes, all of them draws; `times` is 1 for the chunks to allocate, else 0.
    pub(super) fn new(
        layout: &PitchLayout,
        setup: &Setup,
        times: impl Fn(usize) -> usize,
    ) -> Result<Depths, PitchSolveError> {
        let pieces = Pieces::new(layout);
        let chunks =
            setup.allocate((0..layout.chunks()).map(|chunk| times(chunk) * pieces.chunk_bytes(chunk)))?;
        Ok(Depths { chunks, pieces })
    }

    /// Records that Alfred wins in `ply` plies from the new members of a block and their mirror
    /// images, with Alfred or Betty to move.
    #[inline(always)]
    pub fn record(
        &self,
        layout: &PitchLayout,
        to_move: Side,
        ball: usize,
        high: usize,
        new: &Block,
        ply: u8,
    ) {
        // Alfred wins with Betty to move exactly if Betty wins with Alfred to move on the pitch
        // turned round, and turning it round is a row flip of the mirror image.
        let flips = to_move == Side::Right;
        let to = if flips { layout.flipped(ball) } else { ball };
        let flip = |pattern: u64| if flips { layout.flip(pattern) } else { pattern };
        self.store(to, high, new, ply, flip);
        self.store(layout.shape().mirrored(to), high, new, ply, |pattern| {
            layout.mirror(flip(pattern))
        });
    }

    /// Stores the depth of the images of a block's members, all of them in one chunk, if the ball
    /// is in the left half.
    #[inline(always)]
    fn store(&self, ball: usize, high: usize, new: &Block, ply: u8, image: impl Fn(u64) -> u64) {
        let pieces = &self.pieces;
        let Some(slot) = pieces.slots[ball] else { return };
        let chunk = (image((high << BLOCK_BITS) as u64) >> pieces.low) as usize;
        let bytes = &self.chunks[chunk][pieces.start(slot, chunk)..][..pieces.size(slot, chunk)];
        for member in new.members() {
            let pattern = image((high << BLOCK_BITS | member) as u64);
            bytes[pieces.inner(slot, pattern)].store(ply, Ordering::Relaxed);
        }
    }

    pub(super) fn chunk_bytes(&self, chunk: usize) -> usize {
        self.chunks[chunk].len()
    }

    /// Restores the bytes of a chunk from `start` on, as [`copy_chunk`](Depths::copy_chunk) copied
    /// them.
    pub(super) fn restore(&self, chunk: usize, start: usize, from: &[u8]) {
        let bytes = &self.chunks[chunk][start..][..from.len()];
        for (byte, &from) in bytes.iter().zip(from) {
            byte.store(from, Ordering::Relaxed);
        }
    }

    /// Copies bytes from index `start` on.
    pub fn copy(&self, start: u64, mut into: &mut [u8]) {
        for Piece { chunk, at, bytes } in self.pieces.of(start, into.len()) {
            let (now, later) = into.split_at_mut(bytes);
            self.copy_chunk(chunk, at, now);
            into = later;
        }
        assert!(into.is_empty(), "the range is within the table");
    }

    pub fn copy_chunk(&self, chunk: usize, start: usize, into: &mut [u8]) {
        let from = &self.chunks[chunk][start..][..into.len()];
        for (to, byte) in into.iter_mut().zip(from) {
            *to = byte.load(Ordering::Relaxed);
        }
    }
}
