//! Depths as they are found: one byte for every position that neither symmetry gives.

use super::super::dense::block::{BLOCK_BITS, Block};
use super::super::scratch::Room;
use super::layout::PitchLayout;
use super::{PitchSolveError, Setup};
use crate::bits::squeeze;
use crate::games::pitch::Pitch;
use crate::outcome::{Side, Value};
use std::sync::atomic::{AtomicU8, Ordering};

/// Depth bytes of the positions with Alfred to move and the ball in the left half.
///
/// `index = slot · 2^(points − 1) + pattern`: interior points of the left half row by row from the bottom, and for each
/// the chaps in the order of [`PitchLayout::order`] with the ball's own bit left out. 0 = draw, odd = win, even = loss.
pub struct Depths {
    bytes: Room<AtomicU8>,
    /// For each point its slot, if it has one.
    slots: Vec<Option<usize>>,
}

impl Depths {
    /// All draws.
    ///
    /// # Errors
    /// [`PitchSolveError::Room`].
    pub fn new(layout: &PitchLayout, setup: &Setup) -> Result<Depths, PitchSolveError> {
        let mut slots = vec![None; layout.shape().points()];
        for (slot, ball) in layout.left_balls().into_iter().enumerate() {
            slots[ball] = Some(slot);
        }
        let bytes = setup.room(bytes_needed(layout) as usize)?;
        Ok(Depths { bytes, slots })
    }

    /// Records that Alfred wins in `ply` plies from new members of a block and from their mirror images, with Alfred or Betty
    /// to move.
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
        // That Alfred wins with Betty to move is that Betty wins with Alfred to move on the pitch turned round; and
        // turning it round is the row flip of the mirror image.
        let flips = to_move == Side::Right;
        let to = if flips { layout.flipped(ball) } else { ball };
        let mirrored = layout.shape().mirrored(to);
        for member in new.members() {
            let pattern = (high << BLOCK_BITS | member) as u64;
            let pattern = if flips { layout.flip(pattern) } else { pattern };
            self.store(layout, to, pattern, ply);
            self.store(layout, mirrored, layout.mirror(pattern), ply);
        }
    }

    /// Notes the depth of a position if its ball is in the left half.
    #[inline(always)]
    fn store(&self, layout: &PitchLayout, ball: usize, pattern: u64, ply: u8) {
        if let Some(slot) = self.slots[ball] {
            let index = (slot << (layout.shape().points() - 1)) + squeezed(layout, ball, pattern);
            self.bytes[index].store(ply, Ordering::Relaxed);
        }
    }

    /// The value of a position, for the player to move.
    pub fn value(&self, layout: &PitchLayout, pitch: &Pitch) -> Value {
        let alfred = pitch.normalised();
        let (pitch, slot) = match self.slots[alfred.ball()] {
            Some(slot) => (alfred, slot),
            None => {
                let mirrored = alfred.mirrored();
                let slot = self.slots[mirrored.ball()];
                (
                    mirrored,
                    slot.expect("a ball or its mirror image is in the left half"),
                )
            }
        };
        let pattern = layout.pattern(&pitch) as u64;
        let index = (slot << (layout.shape().points() - 1)) + squeezed(layout, pitch.ball(), pattern);
        Value::from_depth_byte(self.bytes[index].load(Ordering::Relaxed))
    }

    /// The number of bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Puts bytes back that [`copy`](Depths::copy) took from `start` on.
    pub(super) fn restore(&self, start: u64, from: &[u8]) {
        let bytes = &self.bytes[start as usize..][..from.len()];
        for (byte, &from) in bytes.iter().zip(from) {
            byte.store(from, Ordering::Relaxed);
        }
    }

    /// Copies the bytes from `start` on into `into`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn copy(&self, start: u64, into: &mut [u8]) {
        let from = &self.bytes[start as usize..][..into.len()];
        for (to, byte) in into.iter_mut().zip(from) {
            *to = byte.load(Ordering::Relaxed);
        }
    }
}

/// A pattern with the ball's own bit left out.
#[inline(always)]
fn squeezed(layout: &PitchLayout, ball: usize, pattern: u64) -> usize {
    squeeze(pattern, layout.bit(ball)) as usize
}

/// The bytes that the depths of a shape take.
pub fn bytes_needed(layout: &PitchLayout) -> u64 {
    (layout.left_balls().len() as u64) << (layout.shape().points() - 1)
}
