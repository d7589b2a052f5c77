//! Searches the positions of a pitch by value, depth and stones, which reads every value.

use super::blocks::{Block, scan};
use phutbase_base::game::Game;
use phutbase_base::job::Job;
use phutbase_base::outcome::{Side, Verdict, Wdl};
use phutbase_base::random::Uniform;
use phutbase_rules::pitch::Pitch;
use phutbase_tables::{PitchTable, TableError};
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

/// A search, from the view of the player to move.
pub struct PitchQuery {
    /// The value; `None` matches any.
    pub value: Option<Wdl>,
    /// Plies to the end; `None` matches any, and draws.
    pub depth: Option<RangeInclusive<u16>>,
    /// Numbers of chaps; any if none are given.
    pub stones: Option<RangeInclusive<u16>>,
    /// The player to move.
    pub side: Side,
    /// Positions that are listed.
    pub most: usize,
    /// Lists distinct, uniformly random positions instead of the first ones.
    pub seed: Option<u64>,
}

/// The positions that match a query.
pub struct FoundPitches {
    /// The number of positions.
    pub count: u64,
    /// The listed positions, as indices of positions with Alfred to move.
    pub listed: Vec<u64>,
}

impl PitchQuery {
    /// Finds the positions in a table.
    pub fn find(&self, table: &PitchTable, job: &Job) -> Result<FoundPitches, TableError> {
        let (mut count, mut listed) = (0, Listing::new(self.most, self.seed));
        // No greater index is listed.
        let greatest = AtomicU64::new(u64::MAX);
        let of_block = |block: &Block| {
            let (mut count, mut listed) = (0, Listing::new(self.most, self.seed));
            let is_listed = block.least_index() <= greatest.load(Ordering::Relaxed);
            for (position, _) in (block.values()).filter(|&(at, value)| self.matches(block.chaps(at), value))
            {
                count += block.images();
                if is_listed {
                    block.indices(position).for_each(|index| listed.offer(index));
                }
            }
            (count, listed)
        };
        scan(table, job, of_block, |(of_block, more)| {
            count += of_block;
            listed.merge(more);
            greatest.store(listed.greatest_index(), Ordering::Relaxed);
        })?;
        Ok(FoundPitches {
            count,
            listed: listed.indices(),
        })
    }

    fn matches(&self, chaps: u16, value: Verdict) -> bool {
        let depth = value.depth.map(|depth| depth.0);
        self.value.is_none_or(|wanted| wanted == value.wdl)
            && (self.depth.as_ref()).is_none_or(|wanted| depth.is_some_and(|depth| wanted.contains(&depth)))
            && (self.stones.as_ref()).is_none_or(|wanted| wanted.contains(&chaps))
    }

    /// Returns a listed position, with the player of the query to move.
    pub fn position(&self, table: &PitchTable, index: u64) -> Pitch {
        let pitch = table.game().position(index);
        match self.side {
            Side::Left => pitch,
            Side::Right => pitch.turned(),
        }
    }
}

/// The positions that are listed of those that are offered: the first ones, or a uniform sample, which
/// are those whose hashes are least. The same seed gives the same sample.
pub struct Listing {
    most: usize,
    seed: Option<u64>,
    /// Indices, or hashes, with the indices.
    kept: BinaryHeap<(u64, u64)>,
}

impl Listing {
    /// Creates a list of at most `most` positions: the first ones, or a sample.
    pub fn new(most: usize, seed: Option<u64>) -> Listing {
        let kept = BinaryHeap::new();
        Listing { most, seed, kept }
    }

    /// Offers the position with an index.
    pub fn offer(&mut self, index: u64) {
        let key = self.seed.map_or(index, |seed| {
            let start = Uniform::new(seed).word();
            Uniform::new(start ^ index).word()
        });
        self.keep((key, index));
    }

    /// Offers the positions of another list.
    pub fn merge(&mut self, other: Listing) {
        other.kept.into_iter().for_each(|position| self.keep(position));
    }

    fn keep(&mut self, position: (u64, u64)) {
        if self.kept.len() == self.most && self.kept.peek().is_none_or(|&greatest| position >= greatest) {
            return;
        }
        self.kept.push(position);
        if self.kept.len() > self.most {
            self.kept.pop();
        }
    }

    /// Returns an index that no position of the final list exceeds.
    fn greatest_index(&self) -> u64 {
        match (self.seed, self.kept.peek()) {
            (None, Some(&(greatest, _))) if self.kept.len() == self.most => greatest,
            _ => u64::MAX,
        }
    }

    /// Returns the indices of the list, ascending, or those of a sample in random order.
    pub fn indices(self) -> Vec<u64> {
        let sorted = self.kept.into_sorted_vec().into_iter();
        sorted.map(|(_, index)| index).collect()
    }
}
