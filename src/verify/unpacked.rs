//! The depth bytes of a pitch's table in memory, as many of its blocks as there is room for.
//!
//! A block is unpacked when it is read. All threads share *sets* of a few blocks each, the last used of those that belong there; and each
//! thread has *near* blocks, those that it reads at the moment, at hand without a lock. Where there is room for the whole table every
//! block has a place in its set, and none is unpacked twice.
//!
//! The check goes through a table by the *walk*: pattern by pattern, with all balls, as a turn moves the ball anywhere but
//! changes few bits of the pattern.

use crate::table::error::TableError;
use crate::table::pitch::PitchTable;
use crate::table::pitch::metadata::{block_bits, stored_balls};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The blocks of a set.
const WAYS: usize = 8;
/// The most near blocks: more than a thread reads for a block of its own on the largest pitches that have tables.
const MOST_NEAR: u64 = 1024;

/// The memory for all blocks at once, in bytes. Each thread may have unpacked one that another was faster with.
pub(super) fn ample(table: &PitchTable, threads: usize) -> u64 {
    (table.blocks() + threads as u64) << block_bits(table.shape())
}

/// The memory in which each thread has so many blocks at hand, each at a place that is hardly any other's, and as many are shared.
pub(super) fn least(table: &PitchTable, threads: usize, near: u64) -> u64 {
    let near = (2 * near).next_power_of_two().max(WAYS as u64);
    let blocks = 2 * threads as u64 * (near + 1);
    (blocks << block_bits(table.shape())).min(ample(table, threads))
}

/// An error of a block, small where there is none.
pub(super) type Damage = Box<TableError>;

/// The memory that unpacked blocks may take, and what they took.
pub struct Room {
    bytes: u64,
    held: AtomicU64,
    most: AtomicU64,
}

impl Room {
    /// So many bytes.
    pub fn new(bytes: u64) -> Room {
        let [held, most] = [0; 2].map(AtomicU64::new);
        Room { bytes, held, most }
    }

    /// The most bytes that were taken at one time.
    pub fn most_held(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }
}

/// A block, as long as anybody has it.
pub(super) struct Block<'a> {
    pub bytes: Vec<u8>,
    takes: u64,
    room: &'a Room,
}

impl<'a> Block<'a> {
    /// A block that will have so many bytes.
    fn taking(takes: u64, room: &'a Room) -> Block<'a> {
        let held = room.held.fetch_add(takes, Ordering::Relaxed) + takes;
        room.most.fetch_max(held, Ordering::Relaxed);
        let bytes = Vec::new();
        Block { bytes, takes, room }
    }
}

impl Drop for Block<'_> {
    fn drop(&mut self) {
        self.room.held.fetch_sub(self.takes, Ordering::Relaxed);
    }
}

/// The number of a block, and the block.
type Kept<'a> = (u64, Arc<Block<'a>>);

/// The blocks that all threads share.
pub(super) struct Unpacked<'a> {
    table: &'a PitchTable,
    room: &'a Room,
    balls: u64,
    /// Blocks of each ball.
    per_ball: u64,
    /// In each the block used last comes first.
    sets: Vec<Mutex<Vec<Kept<'a>>>>,
    /// How many near blocks each thread has, a power of two.
    near: u64,
}

impl<'a> Unpacked<'a> {
    /// None yet, for so many threads.
    pub fn new(table: &'a PitchTable, room: &'a Room, threads: usize) -> Unpacked<'a> {
        let (blocks, threads) = (table.blocks(), threads as u64);
        let (near, sets) = match room.bytes >= ample(table, threads as usize) {
            true => (
                blocks.next_power_of_two().clamp(2, MOST_NEAR),
                blocks.div_ceil(WAYS as u64),
            ),
            false => {
                let frames = room.bytes >> block_bits(table.shape());
                let near = 1 << (frames / 2 / threads).clamp(2, MOST_NEAR).ilog2();
                // While a thread unpacks a block, it has one more.
                (
                    near,
                    (frames.saturating_sub(threads * (near + 1)) / WAYS as u64).max(1),
                )
            }
        };
        let balls = stored_balls(table.shape()).len() as u64;
        Unpacked {
            table,
            room,
            balls,
            per_ball: blocks / balls,
            sets: (0..sets).map(|_| Mutex::default()).collect(),
            near,
        }
    }

    /// The block at a step of the walk.
    pub fn at(&self, step: u64) -> u64 {
        step % self.balls * self.per_ball + step / self.balls
    }

    /// The step at which the walk comes to a block.
    fn step(&self, block: u64) -> u64 {
        block % self.per_ball * self.balls + block / self.per_ball
    }

    /// A block of the table.
    pub fn block(&self, number: u64) -> Result<Arc<Block<'a>>, Damage> {
        let set = &self.sets[(self.step(number) % self.sets.len() as u64) as usize];
        let kept = || set.lock().expect("no thread panics with a set");
        if let Some(block) = find(&mut kept(), number) {
            return Ok(block);
        }
        // Nobody waits for this.
        let mut block = Block::taking(1 << block_bits(self.table.shape()), self.room);
        block.bytes = self.table.block(number)?;
        let mut kept = kept();
        Ok(find(&mut kept, number).unwrap_or_else(|| {
            let block = Arc::new(block);
            kept.truncate(WAYS - 1);
            kept.insert(0, (number, Arc::clone(&block)));
            block
        }))
    }

    /// What one thread has at hand.
    pub fn near(&self) -> Near<'_, 'a> {
        let nothing = Arc::new(Block::taking(0, self.room));
        Near {
            unpacked: self,
            block_bits: block_bits(self.table.shape()),
            shift: u64::BITS - self.near.ilog2(),
            blocks: vec![(u64::MAX, nothing); self.near as usize],
        }
    }
}

/// The block with a number, which is the one used last now.
fn find<'a>(kept: &mut [Kept<'a>], number: u64) -> Option<Arc<Block<'a>>> {
    let at = kept.iter().position(|&(there, _)| there == number)?;
    kept[..=at].rotate_right(1);
    Some(Arc::clone(&kept[0].1))
}

/// The blocks that a thread has at hand, each at the one place where its number puts it.
pub(super) struct Near<'s, 'a> {
    unpacked: &'s Unpacked<'a>,
    block_bits: usize,
    shift: u32,
    blocks: Vec<Kept<'a>>,
}

impl Near<'_, '_> {
    /// The depth byte of a position.
    #[inline(always)]
    pub fn byte(&mut self, index: u64) -> Result<u8, Damage> {
        let block = index >> self.block_bits;
        // The golden ratio spreads numbers that differ in few bits.
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
