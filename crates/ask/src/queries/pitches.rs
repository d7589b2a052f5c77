//! Searches the positions of a pitch by value, depth and stones, which reads every value.

use phutbase_base::game::Game;
use phutbase_base::job::Job;
use phutbase_base::outcome::{Side, Verdict, Wdl};
use phutbase_base::random::Uniform;
use phutbase_rules::pitch::Pitch;
use phutbase_tables::values::verdicts;
use phutbase_tables::{PitchTable, TableError};
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

/// Positions that are valued at a time.
const PART: u64 = 1 << 16;

/// Calls `each` with every position with Alfred to move and its value, in the order of the index.
pub fn scan(
    table: &PitchTable,
    job: &Job,
    mut each: impl FnMut(u64, &Pitch, Verdict) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let game = table.game();
    job.expect(game.positions(), "positions");
    for first in (0..game.positions()).step_by(PART as usize) {
        job.set_done(first);
        job.check()?;
        let end = game.positions().min(first + PART);
        for (index, verdict) in (first..).zip(verdicts(table, first..end)?) {
            each(index, &game.position(index), verdict)?;
        }
    }
    Ok(())
}

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
        let mut sample = self.seed.map(|seed| Sample::new(self.most, seed));
        let mut found = FoundPitches {
            count: 0,
            listed: Vec::new(),
        };
        scan(table, job, |index, pitch, value| {
            if self.matches(pitch, value) {
                found.count += 1;
                match &mut sample {
                    Some(sample) => sample.offer(index),
                    None if found.listed.len() < self.most => found.listed.push(index),
                    None => {}
                }
            }
            Ok(())
        })?;
        if let Some(sample) = sample {
            found.listed = sample.numbers();
        }
        Ok(found)
    }

    fn matches(&self, pitch: &Pitch, value: Verdict) -> bool {
        let depth = value.depth.map(|depth| depth.0);
        let stones = pitch.chaps().len() as u16;
        self.value.is_none_or(|wanted| wanted == value.wdl)
            && (self.depth.as_ref()).is_none_or(|wanted| depth.is_some_and(|depth| wanted.contains(&depth)))
            && (self.stones.as_ref()).is_none_or(|wanted| wanted.contains(&stones))
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

/// A uniform sample of the numbers that are offered: those with the least hashes. The same seed
/// gives the same sample.
pub struct Sample {
    seed: u64,
    count: usize,
    /// Hashes and numbers.
    kept: BinaryHeap<(u64, u64)>,
}

impl Sample {
    /// Creates a sample of at most `count` numbers.
    pub fn new(count: usize, seed: u64) -> Sample {
        let kept = BinaryHeap::new();
        Sample { seed, count, kept }
    }

    /// Offers a number.
    pub fn offer(&mut self, number: u64) {
        let start = Uniform::new(self.seed).word();
        let hash = Uniform::new(start ^ number).word();
        if self.kept.len() == self.count && self.kept.peek().is_none_or(|&(largest, _)| hash >= largest) {
            return;
        }
        self.kept.push((hash, number));
        if self.kept.len() > self.count {
            self.kept.pop();
        }
    }

    /// Returns the sample in random order.
    pub fn numbers(self) -> Vec<u64> {
        let sorted = self.kept.into_sorted_vec().into_iter();
        sorted.map(|(_, number)| number).collect()
    }
}
