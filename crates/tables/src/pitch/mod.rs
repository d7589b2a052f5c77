//! Files with the values of every position of a small pitch.
//!
//! There is one depth byte for each position with Alfred to move and the ball in the left half.
//! Rotation gives the positions with Betty to move, reflection those with the ball in the right
//! half. A probe unpacks and caches one block.

pub mod cache;
pub mod metadata;
pub mod writer;

use super::error::TableError;
use super::{SearchPath, Summary};
use cache::FrameCache;
use metadata::{PitchMetadata, block_bits};
use phutbase_base::bits::squeeze;
use phutbase_base::game::{Rated, rated};
use phutbase_base::outcome::{Side, Value};
use phutbase_files::container::blocks::{Blocks, SECTIONS};
use phutbase_files::container::read::Container;
use phutbase_rules::Boards;
use phutbase_rules::pitch::depths::stored_balls;
use phutbase_rules::pitch::{After, MAX_BOARDS, Pitch, PitchGame, Points, Shape};
use phutbase_rules::rules::Rules;
use std::path::Path;
use std::sync::Arc;

/// Returns the position with an index, Alfred to move; `None` if there is none.
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

/// An open table. It can be shared between threads.
pub struct PitchTable {
    shape: Shape,
    metadata: PitchMetadata,
    blocks: Blocks,
    frames: Arc<FrameCache>,
    /// Its number in the cache.
    number: u64,
    /// The slot of each point whose balls are stored.
    slots: Vec<Option<u64>>,
    /// The pattern bit of each point.
    bits: Vec<u32>,
}

impl PitchTable {
    /// Opens a file with a cache of its own; blocks are checked when they are unpacked.
    pub fn open(path: &Path) -> Result<PitchTable, TableError> {
        PitchTable::new(Container::open(path)?)
    }

    /// Opens a container with a cache of its own.
    pub fn new(container: Container) -> Result<PitchTable, TableError> {
        PitchTable::with_cache(container, &FrameCache::of_default_size())
    }

    /// Opens a container with a cache that tables share.
    pub fn with_cache(container: Container, cache: &Arc<FrameCache>) -> Result<PitchTable, TableError> {
        let (metadata, shape) = PitchMetadata::read(&container)?;
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
            frames: cache.clone(),
            number: FrameCache::number_of_table(),
            blocks,
            slots,
            bits,
        })
    }

    /// Returns the file.
    pub fn path(&self) -> &Path {
        self.blocks.container.path()
    }

    /// Returns the size of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.blocks.container.file_bytes()
    }

    /// Returns the rules by which it is played.
    pub fn rules(&self) -> Rules {
        self.blocks.container.rules()
    }

    /// Returns the size of the pitch.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns its positions with Alfred to move, by index.
    pub fn game(&self) -> PitchGame {
        let game = PitchGame::new(self.shape).expect("a table has fewer points than an index");
        game.under(self.rules())
    }

    /// Returns the metadata of the file.
    pub fn metadata(&self) -> &PitchMetadata {
        &self.metadata
    }

    /// Returns the counts.
    pub fn summary(&self) -> Summary {
        Summary::of_pitch(self.shape, &self.metadata.depths)
    }

    /// Returns the value of a position, for the player to move.
    pub fn value(&self, pitch: &Pitch) -> Result<Value, TableError> {
        if pitch.rules() != self.rules() || pitch.shape() != self.shape {
            return Err(TableError::Missing {
                boards: Boards::Pitch(pitch.shape()),
                rules: pitch.rules(),
                depths: true,
                places: SearchPath::only(self.path()),
            });
        }
        let index = self.index(pitch);
        let bits = block_bits(self.shape);
        let block = (index >> bits) as usize;
        let at = index as usize & ((1 << bits) - 1);
        let frame = (self.number, block);
        let frame = self.frames.frame(frame, || self.blocks.unpack(block))?;
        Ok(Value::from_depth_byte(frame[at]))
    }

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

    /// Returns the position with an index, Alfred to move and the ball in the left half; `None`
    /// past the last.
    pub fn position(&self, index: u64) -> Option<Pitch> {
        let order: Vec<usize> = self.metadata.order.iter().map(|&point| point.into()).collect();
        Some(position(self.shape, &order, index)?.under(self.rules()))
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> u64 {
        metadata::cut(self.shape).frames()
    }

    /// Returns the depth bytes of a block, `2^`[`block_bits`] of them, in index order.
    pub fn block(&self, block: u64) -> Result<Vec<u8>, TableError> {
        assert!(block < self.blocks(), "the table has no block {block}");
        Ok(self.blocks.unpack(block as usize)?)
    }

    /// Unpacks and checks every block.
    pub fn check_blocks(&self) -> Result<(), TableError> {
        Ok(self.blocks.check()?)
    }

    /// Returns every turn of a position with its value, best first, ties in the order of
    /// generation.
    pub fn rated_turns(&self, pitch: &Pitch) -> Result<Vec<RatedPitchTurn>, TableError> {
        let jumps = pitch.jumps(MAX_BOARDS)?;
        let turns = pitch
            .in_notation(&jumps)
            .map(|(turn, name)| (name, pitch.after(&turn)));
        let value = |next: &Pitch| Ok(self.value(next)?.into());
        rated(turns, |after| after.successor(pitch.side()), value)
    }
}
