//! Writes tables of pitches. The counts in the metadata are computed from the bytes that are
//! written.

use super::metadata::{PitchMetadata, cut};
use super::position;
use crate::{TableError, TableId};
use phutbase_files::container::write::{self as container, write_blocks, write_file};
use phutbase_files::container::{FileKind, GENERATOR};
use phutbase_rules::pitch::depths::{PitchSource, stored_balls};
use std::cmp::Reverse;
use std::io;
use std::path::{Path, PathBuf};

/// zstd level: higher ones save little and take much longer.
const ZSTD_LEVEL: i32 = 3;

/// Statistics of some depth bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthCounts {
    /// Positions by depth byte, including those that only the mirror has.
    depths: [u64; 256],
    /// The greatest odd byte (0 if there is none) and its first index.
    longest_win: [u64; 2],
}

impl DepthCounts {
    /// Counts of no positions.
    pub const NONE: DepthCounts = DepthCounts {
        depths: [0; 256],
        longest_win: [0; 2],
    };
    /// Numbers in [`words`](DepthCounts::words).
    pub const WORDS: usize = 258;

    /// All numbers, in the order of the fields.
    pub fn words(&self) -> Vec<u64> {
        [&self.depths[..], &self.longest_win].concat()
    }

    /// The inverse of [`words`](DepthCounts::words).
    pub fn of_words(words: &[u64; DepthCounts::WORDS]) -> DepthCounts {
        let [depths @ .., longest, index] = *words;
        DepthCounts {
            depths,
            longest_win: [longest, index],
        }
    }

    /// Counts bytes from an index on, each of which stands for `times` positions.
    fn of(start: u64, raw: &[u8], times: u64) -> DepthCounts {
        // Equal bytes often follow each other: four counters break the dependency between
        // increments.
        let mut lanes = [[0; 256]; 4];
        for four in raw.chunks(4) {
            for (lane, &byte) in lanes.iter_mut().zip(four) {
                lane[usize::from(byte)] += times;
            }
        }
        let depths = std::array::from_fn(|depth| lanes.iter().map(|lane| lane[depth]).sum());
        let longest = (1..256).rev().step_by(2).find(|&depth| depths[depth] > 0);
        let place = |depth| raw.iter().position(|&byte| usize::from(byte) == depth);
        let longest_win = longest.and_then(|depth| Some([depth as u64, start + place(depth)? as u64]));
        DepthCounts {
            depths,
            longest_win: longest_win.unwrap_or([0; 2]),
        }
    }

    /// Adds the counts of other positions.
    pub fn add(&mut self, other: &DepthCounts) {
        for (count, more) in self.depths.iter_mut().zip(other.depths) {
            *count += more;
        }
        let longest = |counts: &DepthCounts| (counts.longest_win[0], Reverse(counts.longest_win[1]));
        if longest(other) > longest(self) {
            self.longest_win = other.longest_win;
        }
    }
}

/// A packed frame with the statistics of its bytes.
pub type Packed = (Vec<u8>, DepthCounts);

/// Writes the table of a shape into a directory and returns its path.
/// On errors incomplete tables are removed.
pub fn write(source: &dyn PitchSource, directory: &Path) -> Result<PathBuf, TableError> {
    write_packed(source, directory, pack(source, 0..cut(source.shape()).frames()))
}

/// Packs frames of a table lazily, many at a time in parallel.
pub fn pack(
    source: &dyn PitchSource,
    frames: impl Iterator<Item = u64>,
) -> impl Iterator<Item = io::Result<Packed>> {
    let shape = source.shape();
    let balls = stored_balls(shape);
    container::pack(cut(shape), ZSTD_LEVEL, frames, move |start, raw| {
        source.copy(start, raw);
        let ball = balls[(start >> (shape.points() - 1)) as usize];
        DepthCounts::of(start, raw, if shape.mirrored(ball) == ball { 1 } else { 2 })
    })
}

/// Writes the table of a source from its packed frames, in order.
pub fn write_packed(
    source: &dyn PitchSource,
    directory: &Path,
    frames: impl Iterator<Item = io::Result<Packed>>,
) -> Result<PathBuf, TableError> {
    let id = TableId::Pitch(source.rules(), source.shape());
    let path = directory.join(id.to_string());
    write_file(&path, (FileKind::Pitch, source.rules()), |out| {
        let mut counts = DepthCounts::NONE;
        let frames = frames.map(|packed| {
            let (frame, seen) = packed?;
            counts.add(&seen);
            Ok(frame)
        });
        write_blocks(out, frames)?;
        Ok(metadata(source, &counts))
    })?;
    Ok(path)
}

fn metadata(source: &dyn PitchSource, counts: &DepthCounts) -> PitchMetadata {
    let (shape, order) = (source.shape(), source.order());
    let last = (1..256).rev().find(|&depth| counts.depths[depth] > 0);
    let [depth, index] = counts.longest_win;
    let longest_win = (depth > 0).then(|| position(shape, order, index)).flatten();
    PitchMetadata {
        rows: shape.rows() as u8,
        columns: shape.columns() as u8,
        generator: GENERATOR.to_string(),
        order: order.iter().map(|&point| point as u16).collect(),
        draws: counts.depths[0],
        depths: counts.depths[1..=last.unwrap_or(0)].to_vec(),
        longest_win: longest_win.map_or(String::new(), |pitch| pitch.to_string()),
    }
}
