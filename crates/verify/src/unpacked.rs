//! The unpacked blocks of a pitch table, within a memory budget.
//!
//! A block is unpacked when it is read. All threads share a cache of blocks; each thread also has
//! *near* blocks that it reads without a lock. If the whole table fits, none is unpacked twice.
//!
//! The check visits a table in the order of the *walk*: pattern by pattern, with all balls, because
//! a turn moves the ball anywhere but changes few bits of the pattern.

use phutbase_rules::pitch::depths::stored_balls;
use phutbase_tables::pitch::metadata::block_bits;
use phutbase_tables::{FrameCache, PitchTable, TableError};
use std::sync::Arc;

/// Fewest near blocks of a thread.
const LEAST_NEAR: u64 = 8;
/// Maximum number of near blocks: more than a thread reads for one block on the largest pitches
/// that have tables.
const MAX_NEAR: u64 = 1024;

/// Returns the memory for all blocks at once, in bytes, with a block that each thread unpacks.
pub(super) fn ample(table: &PitchTable, threads: usize) -> u64 {
    (table.blocks() + threads as u64) << block_bits(table.shape())
}

/// Returns the memory for `near` blocks per thread, spread to avoid collisions, and as many shared
/// blocks.
pub(super) fn least(table: &PitchTable, threads: usize, near: u64) -> u64 {
    let near = (2 * near).next_power_of_two().max(LEAST_NEAR);
    let blocks = 2 * threads as u64 * (near + 1);
    (blocks << block_bits(table.shape())).min(ample(table, threads))
}

/// The error of a block, boxed to keep results small.
pub(super) type Damage = Box<TableError>;

/// The depth bytes of a block.
type Block = Arc<Vec<u8>>;

pub(super) struct Unpacked<'a> {
    table: &'a PitchTable,
    shared: Arc<FrameCache>,
    balls: u64,
    per_ball: u64,
    /// Number of near blocks per thread, a power of two.
    near: u64,
}

impl<'a> Unpacked<'a> {
    /// Prepares blocks that take at most this many bytes.
    pub fn new(table: &'a PitchTable, bytes: u64, threads: usize) -> Unpacked<'a> {
        let (blocks, bits) = (table.blocks(), block_bits(table.shape()));
        let (near, shared) = if bytes >= ample(table, threads) {
            // Twice the room: the parts of the cache are not equally full.
            (blocks.next_power_of_two().clamp(2, MAX_NEAR), 2 * blocks)
        } else {
            let (blocks, threads) = (bytes >> bits, threads as u64);
            let near = 1 << (blocks / 2 / threads).clamp(2, MAX_NEAR).ilog2();
            // A thread has one more block while it unpacks.
            (near, blocks.saturating_sub(threads * (near + 1)).max(1))
        };
        let balls = stored_balls(table.shape()).len() as u64;
        Unpacked {
            table,
            shared: FrameCache::new((shared << bits) as usize),
            balls,
            per_ball: blocks / balls,
            near,
        }
    }

    /// Returns the block at a step of the walk.
    pub fn at(&self, step: u64) -> u64 {
        step % self.balls * self.per_ball + step / self.balls
    }

    pub fn block(&self, number: u64) -> Result<Block, Damage> {
        Ok(self.table.block_within(&self.shared, number)?)
    }

    pub fn near(&self) -> Near<'_> {
        Near {
            unpacked: self,
            block_bits: block_bits(self.table.shape()),
            shift: u64::BITS - self.near.ilog2(),
            blocks: vec![(u64::MAX, Block::default()); self.near as usize],
        }
    }
}

/// The near blocks of a thread, with their numbers: a direct-mapped cache.
pub(super) struct Near<'a> {
    unpacked: &'a Unpacked<'a>,
    block_bits: usize,
    shift: u32,
    blocks: Vec<(u64, Block)>,
}

impl Near<'_> {
    #[inline(always)]
    pub fn byte(&mut self, index: u64) -> Result<u8, Damage> {
        let block = index >> self.block_bits;
        // Multiplication by the golden ratio spreads numbers that differ in few bits.
        let place = (block.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        if self.blocks[place].0 != block {
            self.fetch(place, block)?;
        }
        Ok(self.blocks[place].1[index as usize & ((1 << self.block_bits) - 1)])
    }

    #[cold]
    fn fetch(&mut self, place: usize, block: u64) -> Result<(), Damage> {
        self.blocks[place] = (block, self.unpacked.block(block)?);
        Ok(())
    }
}
