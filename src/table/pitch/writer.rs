//! Making a pitch table: whole or not at all.
//!
//! The file is written under a temporary name, flushed to the disk, and renamed when complete. What the header counts is
//! counted here, from the bytes that are written.

use super::super::error::{TableError, io_error};
use super::header::{Description, HEADER_BYTES, Header, block_bits, blocks, stored_balls};
use super::pitch_path;
#[cfg(feature = "cli")]
use crate::disk::replace_file;
use crate::games::pitch::{Pitch, Points, Shape};
use crate::outcome::Side;
use rayon::prelude::*;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The zstd level: higher ones save little on depths and cost much time.
const ZSTD_LEVEL: i32 = 3;
/// Blocks compressed at a time: enough to keep many threads busy, few enough to hold.
const BLOCKS_AT_A_TIME: u64 = 1024;

/// The values of one shape, as an engine hands them over.
pub trait PitchSource: Sync {
    /// The size of the pitch.
    fn shape(&self) -> Shape;
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

/// A compressed block with what it holds.
struct Packed {
    bytes: Vec<u8>,
    crc: u32,
    depths: [u64; 256],
    /// The greatest odd byte and where it first stands.
    longest_win: Option<(u8, usize)>,
}

/// Writes the table of a shape into a directory and returns its path.
///
/// # Errors
/// [`TableError::Io`] with the file and the deed; nothing but complete tables is left behind.
#[cfg(feature = "cli")]
pub fn write(source: &dyn PitchSource, directory: &Path) -> Result<PathBuf, TableError> {
    std::fs::create_dir_all(directory).map_err(io_error(directory, "make the directory"))?;
    let path = pitch_path(directory, source.shape());
    replace_file(&path, ".pitch-", |file| write_all(source, file))
        .map_err(|error| io_error(&path, error.doing)(error.source))?;
    Ok(path)
}

fn write_all(source: &dyn PitchSource, file: &mut (impl Write + Seek)) -> std::io::Result<()> {
    let shape = source.shape();
    let mut out = BufWriter::with_capacity(1 << 20, file);
    out.write_all(&[0; HEADER_BYTES])?;
    let mut counts = Counts {
        depths: [0; 256],
        longest_win: None,
    };
    let mut tail = Vec::new();
    let mut end = 0u64;
    let total = blocks(shape);
    for first in (0..total).step_by(BLOCKS_AT_A_TIME as usize) {
        let last = (first + BLOCKS_AT_A_TIME).min(total);
        let packed: Vec<Packed> = (first..last)
            .into_par_iter()
            .map(|block| pack(source, block))
            .collect::<std::io::Result<_>>()?;
        for (block, packed) in (first..).zip(packed) {
            out.write_all(&packed.bytes)?;
            end += packed.bytes.len() as u64;
            tail.extend(end.to_le_bytes());
            tail.extend(packed.crc.to_le_bytes());
            counts.add(shape, block, &packed);
        }
    }
    let description = describe(source, &counts).encode();
    tail.extend(&description);
    out.write_all(&tail)?;
    let longest = |parity| {
        (0..256)
            .rev()
            .find(|depth| depth % 2 == parity && *depth > 0 && counts.depths[*depth] > 0)
    };
    let header = Header {
        shape,
        wins: counts.depths.iter().skip(1).step_by(2).sum(),
        losses: counts.depths.iter().skip(2).step_by(2).sum(),
        draws: counts.depths[0],
        longest_win: longest(1).unwrap_or(0) as u16,
        longest_loss: longest(0).unwrap_or(0) as u16,
        description_bytes: description.len() as u32,
        file_bytes: HEADER_BYTES as u64 + end + tail.len() as u64,
        tail_crc: crc32fast::hash(&tail),
    };
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&header.encode())?;
    out.flush()
}

fn pack(source: &dyn PitchSource, block: u64) -> std::io::Result<Packed> {
    let bits = block_bits(source.shape());
    let mut raw = vec![0; 1 << bits];
    source.copy(block << bits, &mut raw);
    let mut depths = [0; 256];
    raw.iter().for_each(|&byte| depths[usize::from(byte)] += 1);
    let longest = (1..=255u8)
        .rev()
        .step_by(2)
        .find(|&depth| depths[usize::from(depth)] > 0);
    let bytes = zstd::bulk::compress(&raw, ZSTD_LEVEL)?;
    Ok(Packed {
        crc: crc32fast::hash(&bytes),
        bytes,
        depths,
        longest_win: longest.and_then(|depth| Some((depth, raw.iter().position(|&byte| byte == depth)?))),
    })
}

impl Counts {
    fn add(&mut self, shape: Shape, block: u64, packed: &Packed) {
        let slot = block >> (shape.points() - 1 - block_bits(shape));
        let column = shape.column(stored_balls(shape)[slot as usize]);
        let times = if 2 * column + 1 == shape.columns() { 1 } else { 2 };
        for (count, new) in self.depths.iter_mut().zip(packed.depths) {
            *count += times * new;
        }
        if let Some((depth, at)) = packed.longest_win
            && self.longest_win.is_none_or(|(longest, _)| depth > longest)
        {
            self.longest_win = Some((depth, (block << block_bits(shape)) + at as u64));
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
        generator: concat!("phutbase ", env!("CARGO_PKG_VERSION")).to_string(),
        engine: source.engine().to_string(),
        order: order.iter().map(|&point| point as u16).collect(),
        depths: counts.depths[1..=last].to_vec(),
        longest_win: longest_win.map_or(String::new(), |pitch| pitch.to_string()),
    }
}

/// The position with an index, Alfred to move; `None` if there is none.
pub(super) fn position(shape: Shape, order: &[usize], index: u64) -> Option<Pitch> {
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
