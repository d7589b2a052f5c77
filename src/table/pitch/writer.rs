//! Making a pitch table. What the header counts is counted here, from the bytes that are written.

use super::super::container::Kind;
use super::super::container::write::{Writer, generator, write_blocks, write_file};
use super::super::error::TableError;
use super::header::{Description, Header, Metadata, block_bits, cut, stored_balls};
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

/// What was seen of the bytes so far.
struct Counts {
    /// Positions by depth byte, those that only the mirror has counted in.
    depths: [u64; 256],
    /// The index of a longest win, and its depth.
    longest_win: Option<(u8, u64)>,
}

/// What a block holds.
struct Seen {
    block: u64,
    depths: [u64; 256],
    /// The greatest odd byte and where it first stands.
    longest_win: Option<(u8, usize)>,
}

impl Seen {
    fn of(block: u64, raw: &[u8]) -> Seen {
        let mut depths = [0; 256];
        raw.iter().for_each(|&byte| depths[usize::from(byte)] += 1);
        let longest = (1..=255u8)
            .rev()
            .step_by(2)
            .find(|&depth| depths[usize::from(depth)] > 0);
        Seen {
            block,
            depths,
            longest_win: longest.and_then(|depth| Some((depth, raw.iter().position(|&byte| byte == depth)?))),
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
    let mut counts = Counts {
        depths: [0; 256],
        longest_win: None,
    };
    let fill = |start: u64, raw: &mut [u8]| {
        source.copy(start, raw);
        Seen::of(start >> block_bits(shape), raw)
    };
    write_blocks(out, cut(shape), ZSTD_LEVEL, fill, |seen| counts.add(shape, &seen))?;
    let longest = |parity| {
        (0..256)
            .rev()
            .find(|depth| depth % 2 == parity && *depth > 0 && counts.depths[*depth] > 0)
    };
    let header = Header {
        rules: source.rules(),
        shape,
        wins: counts.depths.iter().skip(1).step_by(2).sum(),
        losses: counts.depths.iter().skip(2).step_by(2).sum(),
        draws: counts.depths[0],
        longest_win: longest(1).unwrap_or(0) as u16,
        longest_loss: longest(0).unwrap_or(0) as u16,
        file_bytes: 0,
    };
    Ok(Metadata::new(&header, describe(source, &counts)))
}

impl Counts {
    fn add(&mut self, shape: Shape, seen: &Seen) {
        let slot = seen.block >> (shape.points() - 1 - block_bits(shape));
        let column = shape.column(stored_balls(shape)[slot as usize]);
        let times = if 2 * column + 1 == shape.columns() { 1 } else { 2 };
        for (count, new) in self.depths.iter_mut().zip(seen.depths) {
            *count += times * new;
        }
        if let Some((depth, at)) = seen.longest_win
            && self.longest_win.is_none_or(|(longest, _)| depth > longest)
        {
            self.longest_win = Some((depth, (seen.block << block_bits(shape)) + at as u64));
        }
    }
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
