//! Making a pitch table. What the header counts is counted here, from the bytes that are written.

use super::super::container::Kind;
use super::super::container::write::{self as container, generator, write_blocks, write_file};
use super::super::error::TableError;
use super::super::id::TableId;
use super::metadata::{Metadata, cut, stored_balls};
use super::position;
use crate::games::pitch::Shape;
use crate::games::rules::Rules;
use bytemuck::{Pod, Zeroable};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

/// The zstd level: higher ones save little on depths and cost much time.
const ZSTD_LEVEL: i32 = 3;

/// The values of one shape, as an engine hands them over.
pub trait PitchSource: Sync {
    /// The size of the pitch.
    fn shape(&self) -> Shape;
    /// The rules that it is played by.
    fn rules(&self) -> Rules;
    /// The point of each bit of a pattern.
    fn order(&self) -> &[usize];
    /// Copies depth bytes from index `start` on; the index is `slot · 2^(points − 1) + pattern`, where the slot counts
    /// [`stored_balls`] and the pattern has the ball's own bit left out.
    fn copy(&self, start: u64, into: &mut [u8]);
}

/// What was seen of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Counts {
    /// Positions by depth byte, those that only the mirror has counted in.
    depths: [u64; 256],
    /// The greatest odd byte, 0 if there is none, and the index where it first stands.
    longest_win: [u64; 2],
}

impl Counts {
    /// Of the bytes from an index on, each of which stands for so many positions.
    fn of(start: u64, raw: &[u8], times: u64) -> Counts {
        // A byte is often followed by the same, and to count that in the same place would wait until the last one is counted.
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
        Counts {
            depths,
            longest_win: longest_win.unwrap_or([0; 2]),
        }
    }

    /// Adds what was seen of other bytes.
    pub fn add(&mut self, other: &Counts) {
        for (count, more) in self.depths.iter_mut().zip(other.depths) {
            *count += more;
        }
        let longest = |counts: &Counts| (counts.longest_win[0], Reverse(counts.longest_win[1]));
        if longest(other) > longest(self) {
            self.longest_win = other.longest_win;
        }
    }
}

/// A frame as it stands in the file, and what was seen of its bytes.
pub type Packed = (Vec<u8>, Counts);

/// Writes the table of a shape into a directory and returns its path.
///
/// # Errors
/// [`TableError::Io`] with the file and the deed; nothing but complete tables is left behind.
pub fn write(source: &dyn PitchSource, directory: &Path) -> Result<PathBuf, TableError> {
    write_packed(source, directory, pack(source, 0..cut(source.shape()).frames()))
}

/// Packs frames of a table when they are asked for, many at a time in parallel.
///
/// # Panics
/// If there is no memory for it.
pub fn pack(source: &dyn PitchSource, frames: impl Iterator<Item = u64>) -> impl Iterator<Item = Packed> {
    let shape = source.shape();
    let balls = stored_balls(shape);
    container::pack(cut(shape), ZSTD_LEVEL, frames, move |start, raw| {
        source.copy(start, raw);
        let ball = balls[(start >> (shape.points() - 1)) as usize];
        Counts::of(start, raw, if shape.mirrored(ball) == ball { 1 } else { 2 })
    })
}

/// Writes the table of a source whose frames are packed, all in order.
///
/// # Errors
/// As [`write()`].
pub fn write_packed(
    source: &dyn PitchSource,
    directory: &Path,
    frames: impl Iterator<Item = Packed>,
) -> Result<PathBuf, TableError> {
    let id = TableId::Pitch(source.rules(), source.shape());
    let path = directory.join(id.to_string());
    write_file(&path, (Kind::Pitch, source.rules()), |out| {
        let mut counts = Counts::zeroed();
        let frames = frames
            .inspect(|(_, seen)| counts.add(seen))
            .map(|(frame, _)| frame);
        write_blocks(out, frames)?;
        Ok(metadata(source, &counts))
    })?;
    Ok(path)
}

fn metadata(source: &dyn PitchSource, counts: &Counts) -> Metadata {
    let (shape, order) = (source.shape(), source.order());
    let last = (1..256).rev().find(|&depth| counts.depths[depth] > 0);
    let [depth, index] = counts.longest_win;
    let longest_win = (depth > 0).then(|| position(shape, order, index)).flatten();
    Metadata {
        rows: shape.rows() as u8,
        columns: shape.columns() as u8,
        generator: generator(),
        order: order.iter().map(|&point| point as u16).collect(),
        draws: counts.depths[0],
        depths: counts.depths[1..=last.unwrap_or(0)].to_vec(),
        longest_win: longest_win.map_or(String::new(), |pitch| pitch.to_string()),
    }
}
