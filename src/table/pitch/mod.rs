//! The values of every position of a small pitch in a file.
//!
//! One depth byte for each position with Alfred to move and the ball in the left half; turning the pitch round gives
//! the positions with Betty to move, the mirror those with the ball in the right half. A probe unpacks one block and keeps it.
//!
//! * [`metadata`] — what a table says of itself;
//! * [`writer`] — making a file;
//! * [`PitchTable`] — opening and probing one.

pub mod metadata;
#[cfg(feature = "cli")]
pub mod writer;

use super::container::blocks::{Blocks, SECTIONS};
use super::container::cache::{FrameCache, Shelf};
use super::container::read::Container;
use super::error::{TableError, expect_same};
use super::{Rated, Summary};
use crate::bits::squeeze;
use crate::game::Successor;
use crate::games::pitch::{After, Pitch, Points, Shape, Turn};
use crate::games::rules::Rules;
use crate::outcome::{Side, Value};
use metadata::{Metadata, block_bits, blocks, stored_balls};
use std::path::Path;
use std::sync::Arc;

/// The position with an index, Alfred to move; `None` if there is none.
fn position(shape: Shape, order: &[usize], index: u64) -> Option<Pitch> {
    let balls = stored_balls(shape);
    let ball = *balls.get((index >> (shape.points() - 1)) as usize)?;
    let pattern = index & ((1 << (shape.points() - 1)) - 1);
    let others = order.iter().filter(|&&point| point != ball).enumerate();
    let chaps: Points = others
        .filter(|(bit, _)| pattern >> bit & 1 == 1)
        .map(|(_, &point)| point)
        .collect();
    Pitch::new(shape, ball, chaps, Side::Left)
}

/// A turn of a pitch, in notation, with its value.
pub type RatedPitchTurn = Rated<String, After>;

/// One open table. Cheap to share between threads.
pub struct PitchTable {
    shape: Shape,
    metadata: Metadata,
    blocks: Blocks,
    frames: Shelf<Vec<u8>>,
    /// For each point its slot, if balls there are stored.
    slots: Vec<Option<u64>>,
    /// For each point its bit in a pattern.
    bits: Vec<u32>,
}

impl PitchTable {
    /// Opens a file; blocks are checked when they are unpacked.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn open(path: &Path, cache: &Arc<FrameCache>) -> Result<PitchTable, TableError> {
        PitchTable::new(Container::open(path)?, cache)
    }

    /// Opens a container.
    pub fn new(container: Container, cache: &Arc<FrameCache>) -> Result<PitchTable, TableError> {
        let (metadata, shape) = Metadata::read(&container)?;
        let [blocks, index] = container.sections(SECTIONS)?.clone();
        let blocks = Blocks::open(container, [&blocks, &index], metadata::cut(shape))?;
        let mut slots = vec![None; shape.points()];
        for (slot, ball) in (0..).zip(stored_balls(shape)) {
            slots[ball] = Some(slot);
        }
        let mut bits = vec![0; shape.points()];
        for (bit, &point) in (0..).zip(&metadata.order) {
            bits[usize::from(point)] = bit;
        }
        Ok(PitchTable {
            shape,
            metadata,
            frames: Shelf::new(cache, blocks.frames(), 1 << block_bits(shape)),
            blocks,
            slots,
            bits,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.blocks.container().path()
    }

    /// The size of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.blocks.container().file_bytes()
    }

    /// The rules by which it is played.
    pub fn rules(&self) -> Rules {
        self.blocks.container().rules()
    }

    /// The size of the pitch.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// What the file says of itself.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The counts.
    pub fn summary(&self) -> Summary {
        self.metadata.summary()
    }

    /// The value of a position, for the player to move.
    ///
    /// # Errors
    /// [`TableError::Foreign`] for a pitch of another size or under other rules; [`TableError::Corrupt`] if the block is damaged.
    pub fn value(&self, pitch: &Pitch) -> Result<Value, TableError> {
        self.blocks.container().check_rules(pitch.rules())?;
        expect_same(self.path(), "the size of the pitch", self.shape, pitch.shape())?;
        let index = self.index(pitch);
        let bits = block_bits(self.shape);
        let block = (index >> bits) as usize;
        let at = index as usize & ((1 << bits) - 1);
        let byte = (self.frames.reader()).get(block, || self.blocks.unpack(block))?[at];
        Ok(Value::from_depth_byte(byte))
    }

    /// The place of a position's byte.
    fn index(&self, pitch: &Pitch) -> u64 {
        let alfred = pitch.normalised();
        let stored = match self.slots[alfred.ball()] {
            Some(_) => alfred,
            None => alfred.mirrored(),
        };
        let slot = self.slots[stored.ball()].expect("every ball or its mirror image is in the left half");
        let pattern = stored
            .chaps()
            .iter()
            .fold(0u64, |bits, point| bits | 1 << self.bits[point]);
        let pattern = squeeze(pattern, self.bits[stored.ball()] as usize);
        (slot << (self.shape.points() - 1)) | pattern
    }

    /// The position with an index, Alfred to move and the ball in the left half; `None` past the last.
    pub fn position(&self, index: u64) -> Option<Pitch> {
        let order: Vec<usize> = self.metadata.order.iter().map(|&point| point.into()).collect();
        Some(position(self.shape, &order, index)?.under(self.rules()))
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        blocks(self.shape)
    }

    /// The depth bytes of a block, `2^`[`block_bits`] of them; the blocks one after the other are all bytes by index.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] if the block is damaged.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn block(&self, block: u64) -> Result<Vec<u8>, TableError> {
        assert!(block < self.blocks(), "the table has no block {block}");
        self.blocks.unpack(block as usize)
    }

    /// Unpacks every block, so that any damage shows.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] for the first damaged block.
    pub fn check_blocks(&self) -> Result<(), TableError> {
        self.blocks.check()
    }

    /// Every turn of a position with its value, best first; equal values in the order of generation.
    pub fn rated_turns(&self, pitch: &Pitch) -> Result<Vec<RatedPitchTurn>, TableError> {
        let jumps = pitch.jumps(crate::games::pitch::MAX_BOARDS)?;
        let places = pitch
            .empty_points()
            .map(|point| (Turn::Place(point as u16), pitch.shape().point_name(point)));
        let jumps = jumps
            .iter()
            .map(|(jump, path)| (Turn::Jump(*jump), pitch.path_notation(path)));
        let mut rated = Vec::new();
        for (turn, notation) in places.chain(jumps) {
            let after = pitch.after(&turn);
            let value = match after.successor(pitch.side()) {
                Successor::Position(next) => self.value(&next)?.before(),
                Successor::Over(outcome) => Value::at_once(outcome),
            };
            rated.push(Rated {
                turn: notation,
                after,
                verdict: value.into(),
            });
        }
        rated.sort_by_key(|turn| std::cmp::Reverse(turn.verdict.preference()));
        Ok(rated)
    }

    /// Best play from a position: to the end of the game, or in a draw until a position comes back; of equally good turns
    /// the first generated.
    pub fn best_line(&self, pitch: &Pitch) -> Result<Vec<RatedPitchTurn>, TableError> {
        let mut line: Vec<RatedPitchTurn> = Vec::new();
        let mut met = hashbrown::HashSet::new();
        let mut next = Some(*pitch);
        while let Some(pitch) = next.filter(|pitch| met.insert(*pitch)) {
            let Some(best) = self.rated_turns(&pitch)?.into_iter().next() else {
                break;
            };
            next = match best.after {
                After::Position(after) => Some(after),
                After::Over { .. } => None,
            };
            line.push(best);
        }
        Ok(line)
    }
}
