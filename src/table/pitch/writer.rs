//! Making a pitch table. What the header counts is counted here, from the bytes that are written.

use super::super::container::Kind;
use super::super::container::write::{Writer, generator, write_blocks, write_file};
use super::super::error::TableError;
use super::header::{Description, Metadata, cut, stored_balls};
use super::{pitch_path, position};
use crate::games::pitch::Shape;
use crate::games::rules::Rules;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

/// The zstd level: higher ones save little on depths and cost much time.
const ZSTD_LEVEL: i32 = 3;

/// The values of one shape, as an engine hands them over.
pub trait PitchSource: Sync {
    /// The size of the pitch.
    fn shape(&self) -> Shape;
    /// The rules that it is played by.
    fn rules(&self) -> Rules;
    /// The engine's name, for the description.
    fn engine(&self) -> &str;
    /// The point of each bit of a pattern.
    fn order(&self) -> &[usize];
    /// Copies depth bytes from index `start` on; the index is `slot · 2^(points − 1) + pattern`, where the slot counts
    /// [`stored_balls`] and the pattern has the ball's own bit left out.
    fn copy(&self, start: u64, into: &mut [u8]);
}

/// What was seen of some bytes.
struct Counts {
    /// Positions by depth byte, those that only the mirror has counted in.
    depths: [u64; 256],
    /// The greatest odd byte, and the index where it first stands.
    longest_win: Option<(u8, u64)>,
}

impl Counts {
    /// Of the bytes from an index on, each of which stands for so many positions.
    fn of(start: u64, raw: &[u8], times: u64) -> Counts {
        let mut depths = [0; 256];
        raw.iter().for_each(|&byte| depths[usize::from(byte)] += times);
        let mut wins = (1..=255u8).rev().step_by(2);
        let longest = wins.find(|&depth| depths[usize::from(depth)] > 0);
        let place = |depth| raw.iter().position(|&byte| byte == depth);
        Counts {
            depths,
            longest_win: longest.and_then(|depth| Some((depth, start + place(depth)? as u64))),
        }
    }

    /// Adds what was seen of later bytes.
    fn add(&mut self, later: &Counts) {
        for (count, more) in self.depths.iter_mut().zip(later.depths) {
            *count += more;
        }
        let depth = |counts: &Counts| counts.longest_win.map(|(depth, _)| depth);
        if depth(later) > depth(self) {
            self.longest_win = later.longest_win;
        }
    }
}

/// Writes the table of a shape into a directory and returns its path.
///
/// # Errors
/// [`TableError::Io`] with the file and the deed; nothing but complete tables is left behind.
pub fn write(source: &dyn PitchSource, directory: &Path) -> Result<PathBuf, TableError> {
    let path = pitch_path(directory, source.rules(), source.shape());
    write_file(&path, (Kind::Pitch, source.rules()), |out| {
        write_sections(source, out)
    })?;
    Ok(path)
}

fn write_sections<W: Write + Seek>(source: &dyn PitchSource, out: &mut Writer<W>) -> io::Result<Metadata> {
    let shape = source.shape();
    let balls = stored_balls(shape);
    let fill = |start: u64, raw: &mut [u8]| {
        source.copy(start, raw);
        let ball = balls[(start >> (shape.points() - 1)) as usize];
        Counts::of(start, raw, if shape.mirrored(ball) == ball { 1 } else { 2 })
    };
    let mut counts = Counts::of(0, &[], 1);
    write_blocks(out, cut(shape), ZSTD_LEVEL, fill, |seen| counts.add(&seen))?;
    Ok(Metadata::new(shape, &counts.depths, describe(source, &counts)))
}

fn describe(source: &dyn PitchSource, counts: &Counts) -> Description {
    let shape = source.shape();
    let order = source.order();
    let last = (1..256)
        .rev()
        .find(|&depth| counts.depths[depth] > 0)
        .unwrap_or(0);
    let longest_win = counts
        .longest_win
        .and_then(|(_, index)| position(shape, order, index));
    Description {
        generator: generator(),
        engine: source.engine().to_string(),
        order: order.iter().map(|&point| point as u16).collect(),
        depths: counts.depths[1..=last].to_vec(),
        longest_win: longest_win.map_or(String::new(), |pitch| pitch.to_string()),
    }
}
