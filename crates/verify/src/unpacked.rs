//! A cache of unpacked blocks of a pitch table, within a memory budget.
//!
//! A block is unpacked when it is read. All threads share an associative cache: *sets* of a few
//! blocks each, with LRU replacement. Each thread also has *near* blocks that it reads without a
//! lock. If the whole table fits, every block has its place, and none is unpacked twice.
//!
//! The check visits a table in the order of the *walk*: pattern by pattern, with all balls, because
//! a turn moves the ball anywhere but changes few bits of the pattern.

use phutbase_rules::pitch::depths::stored_balls;
use phutbase_tables::pitch::metadata::block_bits;
use phutbase_tables::{PitchTable, TableError};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Blocks per set.
const WAYS: usize = 8;
/// Maximum number of near blocks: more than a thread reads for one block on the largest pitches
/// that have tables.
const MAX_NEAR: u64 = 1024;

/// Returns the memory for all blocks at once, in bytes. Each thread may hold one duplicate of a
/// block that another thread unpacked first.
pub(super) fn ample(table: &PitchTable, threads: usize) -> u64 {
    (table.blocks() + threads as u64) << block_bits(table.shape())
}

/// Returns the memory for `near` blocks per thread, spread to avoid collisions, and as many shared
/// blocks.
pub(super) fn least(table: &PitchTable, threads: usize, near: u64) -> u64 {
    let near = (2 * near).next_power_of_two().max(WAYS as u64);
    let blocks = 2 * threads as u64 * (near + 1);
    (blocks << block_bits(table.shape())).min(ample(table, threads))
}

/// The error of a block, boxed to keep results small.
pub(super) type Damage = Box<TableError>;

/// The memory budget of unpacked blocks, and its use.
pub struct BlockBudget {
    bytes: u64,
    held: AtomicU64,
    most: AtomicU64,
}

impl BlockBudget {
    pub fn new(bytes: u64) -> BlockBudget {
        let [held, most] = [0; 2].map(AtomicU64::new);
        BlockBudget { bytes, held, most }
    }

    pub fn most_held(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }
}

/// A shared block; it returns its bytes to the budget when dropped.
pub(super) struct Block<'a> {
    pub bytes: Vec<u8>,
    takes: u64,
    budget: &'a BlockBudget,
}

impl<'a> Block<'a> {
    /// Charges `takes` bytes for a new block.
    fn taking(takes: u64, budget: &'a BlockBudget) -> Block<'a> {
        let held = budget.held.fetch_add(takes, Ordering::Relaxed) + takes;
        budget.most.fetch_max(held, Ordering::Relaxed);
        let bytes = Vec::new();
        Block { bytes, takes, budget }
    }
}

impl Drop for Block<'_> {
    fn drop(&mut self) {
        self.budget.held.fetch_sub(self.takes, Ordering::Relaxed);
    }
}

/// The number of a block, and the block.
type Kept<'a> = (u64, Arc<Block<'a>>);

pub(super) struct Unpacked<'a> {
    table: &'a PitchTable,
    budget: &'a BlockBudget,
    balls: u64,
    per_ball: u64,
    /// In each set the most recently used block comes first.
    sets: Vec<Mutex<Vec<Kept<'a>>>>,
    /// Number of near blocks per thread, a power of two.
    near: u64,
}

impl<'a> Unpacked<'a> {
    pub fn new(table: &'a PitchTable, budget: &'a BlockBudget, threads: usize) -> Unpacked<'a> {
        let (blocks, threads) = (table.blocks(), threads as u64);
        let (near, sets) = if budget.bytes >= ample(table, threads as usize) {
            (
                blocks.next_power_of_two().clamp(2, MAX_NEAR),
                blocks.div_ceil(WAYS as u64),
            )
        } else {
            let frames = budget.bytes >> block_bits(table.shape());
            let near = 1 << (frames / 2 / threads).clamp(2, MAX_NEAR).ilog2();
            // A thread has one more block while it unpacks.
            (
                near,
                (frames.saturating_sub(threads * (near + 1)) / WAYS as u64).max(1),
            )
        };
        let balls = stored_balls(table.shape()).len() as u64;
        Unpacked {
            table,
            budget,
            balls,
            per_ball: blocks / balls,
            sets: (0..sets).map(|_| Mutex::default()).collect(),
            near,
        }
    }

    /// Returns the block at a step of the walk.
    pub fn at(&self, step: u64) -> u64 {
        step % self.balls * self.per_ball + step / self.balls
    }

    fn step(&self, block: u64) -> u64 {
        block % self.per_ball * self.balls + block / self.per_ball
    }

    pub fn block(&self, number: u64) -> Result<Arc<Block<'a>>, Damage> {
        let set = &self.sets[(self.step(number) % self.sets.len() as u64) as usize];
        let kept = || set.lock().expect("no thread panics with a set");
        if let Some(block) = find(&mut kept(), number) {
            return Ok(block);
        }
        // Decompress outside the lock.
        let mut block = Block::taking(1 << block_bits(self.table.shape()), self.budget);
        block.bytes = self.table.block(number)?;
        let mut kept = kept();
        Ok(find(&mut kept, number).unwrap_or_else(|| {
            let block = Arc::new(block);
            kept.truncate(WAYS - 1);
            kept.insert(0, (number, Arc::clone(&block)));
            block
        }))
    }

    pub fn near(&self) -> Near<'_, 'a> {
        let nothing = Arc::new(Block::taking(0, self.budget));
        Near {
            unpacked: self,
            block_bits: block_bits(self.table.shape()),
            shift: u64::BITS - self.near.ilog2(),
            blocks: vec![(u64::MAX, nothing); self.near as usize],
        }
    }
}

/// Returns the block with a number and marks it as the most recently used.
fn find<'a>(kept: &mut [Kept<'a>], number: u64) -> Option<Arc<Block<'a>>> {
    let at = kept.iter().position(|&(there, _)| there == number)?;
    kept[..=at].rotate_right(1);
    Some(Arc::clone(&kept[0].1))
}

/// The near blocks of a thread: a direct-mapped cache.
pub(super) struct Near<'s, 'a> {
    unpacked: &'s Unpacked<'a>,
    block_bits: usize,
    shift: u32,
    blocks: Vec<Kept<'a>>,
}

impl Near<'_, '_> {
    #[inline(always)]
    pub fn byte(&mut self, index: u64) -> Result<u8, Damage> {
        let block = index >> self.block_bits;
        // Multiplication by the golden ratio spreads numbers that differ in few bits.
        let place = (block.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        if self.blocks[place].0 != block {
            self.fetch(place, block)?;
        }
        Ok(self.blocks[place].1.bytes[index as usize & ((1 << self.block_bits) - 1)])
    }

    #[cold]
    fn fetch(&mut self, place: usize, block: u64) -> Result<(), Damage> {
        self.blocks[place] = (block, self.unpacked.block(block)?);
        Ok(())
    }
}
