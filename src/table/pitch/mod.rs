//! The values of every position of a small pitch in a file; `docs/PITCH.md` has the format byte by byte.
//!
//! One depth byte for each position with Alfred to move and the ball in the left half; turning the pitch round gives
//! the positions with Betty to move, the mirror those with the ball in the right half. Blocks of 65,536 bytes are compressed
//! with zstd, each with its own checksum; a probe unpacks one block and keeps it.
//!
//! * [`directory`] — the tables of a directory;
//! * [`header`] — the fixed header, the description;
//! * [`writer`] — making a file, whole or not at all;
//! * [`PitchTable`] — opening and probing one.

pub mod directory;
pub mod header;
pub mod writer;

use super::cache::FrameCache;
use super::error::{TableError, io_error};
use crate::games::pitch::{After, Pitch, Shape, TooManyJumps, Turn};
use crate::outcome::Value;
use header::{Description, HEADER_BYTES, Header, INDEX_ENTRY, block_bits, blocks, number, stored_balls};
use memmap2::Mmap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Bytes of unpacked blocks that a table keeps.
const CACHE_BYTES: usize = 256 << 20;

/// Why a pitch table cannot be opened or asked.
#[derive(Debug, thiserror::Error)]
pub enum PitchTableError {
    /// What can be wrong with any table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No table for this shape.
    #[error("no table for a {shape} pitch in '{}'; make it with: phutbase generate {shape}{}", directory.display(), tables_option(directory))]
    Missing {
        /// The shape.
        shape: Shape,
        /// Where it was looked for.
        directory: PathBuf,
    },
    /// A position that the table does not hold.
    #[error("a {found} position was looked up in the table of the {expected} pitch")]
    OtherShape {
        /// The position's shape.
        found: Shape,
        /// The table's shape.
        expected: Shape,
    },
    /// The turns of a position are too many.
    #[error(transparent)]
    TooManyJumps(#[from] TooManyJumps),
}

/// The option that names a directory of tables, unless it is the default.
fn tables_option(directory: &Path) -> String {
    match directory == Path::new("tables") {
        true => String::new(),
        false => format!(
            " --tables '{}'",
            directory.display().to_string().replace('\'', r"'\''")
        ),
    }
}

/// The file of a shape in its directory.
pub fn pitch_path(directory: &Path, shape: Shape) -> PathBuf {
    directory.join(format!("pitch-{shape}-dtw.phut"))
}

/// The shapes that have a file in a directory, smaller areas first; a directory that cannot be listed has none.
pub fn shapes(directory: &Path) -> Vec<Shape> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut shapes: Vec<Shape> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let shape = name
                .strip_prefix("pitch-")?
                .strip_suffix("-dtw.phut")?
                .parse()
                .ok()?;
            (pitch_path(Path::new(""), shape).to_str() == Some(&name)).then_some(shape)
        })
        .collect();
    shapes.sort_by_key(|shape| (shape.points(), shape.columns()));
    shapes
}

/// A turn of a position with its value for the player who makes it.
#[derive(Clone, Debug)]
pub struct RatedPitchTurn {
    /// The turn.
    pub turn: Turn,
    /// The turn in notation.
    pub notation: String,
    /// The board after it.
    pub after: After,
    /// What it is worth.
    pub value: Value,
}

/// One open table.
pub struct PitchTable {
    path: PathBuf,
    bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
    header: Header,
    description: Description,
    /// For each point its slot, if balls there are stored.
    slots: Vec<Option<u64>>,
    /// For each point its bit in a pattern.
    bits: Vec<u32>,
    cache: FrameCache,
}

impl PitchTable {
    /// Opens the table of a shape in a directory.
    ///
    /// # Errors
    /// [`PitchTableError::Missing`], or what is wrong with the file.
    pub fn open(directory: &Path, shape: Shape) -> Result<PitchTable, PitchTableError> {
        let path = pitch_path(directory, shape);
        let file = match File::open(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(PitchTableError::Missing {
                    shape,
                    directory: directory.to_path_buf(),
                });
            }
            file => file.map_err(io_error(&path, "open the table"))?,
        };
        let empty = file
            .metadata()
            .map_err(io_error(&path, "read the table's size"))?
            .len()
            == 0;
        // An empty file cannot be mapped.
        let table = match empty {
            true => PitchTable::from_bytes(Vec::new(), path)?,
            false => PitchTable::from_bytes(map(&file).map_err(io_error(&path, "map the table"))?, path)?,
        };
        if table.header.shape != shape {
            return Err(TableError::Foreign {
                file: table.path,
                field: "the size of the pitch",
                found: table.header.shape.to_string(),
                expected: shape.to_string(),
            }
            .into());
        }
        Ok(table)
    }

    /// Opens a table from its bytes; `path` is what errors call it.
    ///
    /// # Errors
    /// [`PitchTableError::Table`] with what is wrong.
    pub fn from_bytes(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        path: PathBuf,
    ) -> Result<PitchTable, PitchTableError> {
        let all = bytes.as_ref();
        let header = Header::decode(all, &path)?;
        let corrupt = |field: &str| TableError::Corrupt {
            file: path.clone(),
            field: field.to_string(),
        };
        let shape = header.shape;
        let index_bytes = blocks(shape).checked_mul(INDEX_ENTRY as u64);
        let tail_bytes = index_bytes.and_then(|bytes| bytes.checked_add(header.description_bytes.into()));
        let payload_bytes = tail_bytes
            .and_then(|tail| header.file_bytes.checked_sub(HEADER_BYTES as u64 + tail))
            .ok_or_else(|| corrupt("too short for its index"))?;
        let tail = &all[HEADER_BYTES + payload_bytes as usize..];
        if crc32fast::hash(tail) != header.tail_crc {
            return Err(corrupt("the checksum of its index is wrong").into());
        }
        let (index, description) = tail.split_at(tail.len() - header.description_bytes as usize);
        let ends: Vec<u64> = index
            .chunks_exact(INDEX_ENTRY)
            .map(|entry| number::<8>(entry, 0))
            .collect();
        if !ends.is_sorted() || ends.last() != Some(&payload_bytes) {
            return Err(corrupt("its index does not fit its blocks").into());
        }
        let description = Description::decode(description)
            .filter(|description| description.order_is_whole(shape))
            .ok_or_else(|| corrupt("its description cannot be read"))?;
        let mut slots = vec![None; shape.points()];
        for (slot, ball) in (0..).zip(stored_balls(shape)) {
            slots[ball] = Some(slot);
        }
        let mut bits = vec![0; shape.points()];
        for (bit, &point) in (0..).zip(&description.order) {
            bits[usize::from(point)] = bit;
        }
        Ok(PitchTable {
            cache: FrameCache::new(blocks(shape) as usize, CACHE_BYTES),
            path,
            bytes: Box::new(bytes),
            header,
            description,
            slots,
            bits,
        })
    }

    /// The same table, keeping at most so many bytes of unpacked blocks from now on.
    pub fn with_cache(self, bytes: usize) -> PitchTable {
        PitchTable {
            cache: FrameCache::new(blocks(self.header.shape) as usize, bytes),
            ..self
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The fixed header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The description.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The value of a position, for the player to move.
    ///
    /// # Errors
    /// [`PitchTableError::OtherShape`]; [`PitchTableError::Table`] if the block is damaged.
    pub fn value(&self, pitch: &Pitch) -> Result<Value, PitchTableError> {
        if pitch.shape() != self.header.shape {
            return Err(PitchTableError::OtherShape {
                found: pitch.shape(),
                expected: self.header.shape,
            });
        }
        let index = self.index(pitch);
        let bits = block_bits(self.header.shape);
        let block = (index >> bits) as usize;
        let at = index as usize & ((1 << bits) - 1);
        let byte = self.cache.with(block, || self.unpack(block), |bytes| bytes[at])?;
        Ok(Value::from_depth_byte(byte))
    }

    /// The place of a position's byte.
    fn index(&self, pitch: &Pitch) -> u64 {
        let alfred = pitch.normalised();
        let stored = match self.slots[alfred.ball()] {
            Some(_) => alfred,
            None => alfred.mirrored(),
        };
        let slot = self.slots[stored.ball()].unwrap_or(0);
        let pattern = stored
            .chaps()
            .iter()
            .fold(0u64, |bits, point| bits | 1 << self.bits[point]);
        let below = (1u64 << self.bits[stored.ball()]) - 1;
        (slot << (self.header.shape.points() - 1)) | (pattern & below) | (pattern >> 1 & !below)
    }

    /// The position with an index, Alfred to move and the ball in the left half; `None` past the last.
    pub fn position(&self, index: u64) -> Option<Pitch> {
        let order: Vec<usize> = self.description.order.iter().map(|&point| point.into()).collect();
        writer::position(self.header.shape, &order, index)
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        blocks(self.header.shape)
    }

    /// The depth bytes of a block, `2^`[`block_bits`] of them; the blocks one after the other are all bytes by index.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] if the block is damaged.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn block(&self, block: u64) -> Result<Vec<u8>, TableError> {
        assert!(block < self.blocks(), "the table has no block {block}");
        self.unpack(block as usize)
    }

    fn unpack(&self, block: usize) -> Result<Vec<u8>, TableError> {
        let corrupt = |what: &str| TableError::Corrupt {
            file: self.path.clone(),
            field: format!("block {block} {what}"),
        };
        let all = (*self.bytes).as_ref();
        let index = all.len()
            - self.header.description_bytes as usize
            - blocks(self.header.shape) as usize * INDEX_ENTRY;
        let entry = index + block * INDEX_ENTRY;
        let begin = if block == 0 {
            0
        } else {
            number::<8>(all, entry - INDEX_ENTRY)
        };
        let end = number::<8>(all, entry);
        // The index was checked when the table was opened: ends ascend up to the payload's.
        let packed = &all[HEADER_BYTES + begin as usize..HEADER_BYTES + end as usize];
        if crc32fast::hash(packed) != number::<4>(all, entry + 8) as u32 {
            return Err(corrupt("has a wrong checksum"));
        }
        let bytes = 1 << block_bits(self.header.shape);
        match zstd::bulk::decompress(packed, bytes) {
            Ok(raw) if raw.len() == bytes => Ok(raw),
            _ => Err(corrupt("cannot be unpacked")),
        }
    }

    /// Every turn of a position with its value, best first; equal values in the order of generation.
    ///
    /// # Errors
    /// As [`value`](PitchTable::value).
    pub fn rated_turns(&self, pitch: &Pitch) -> Result<Vec<RatedPitchTurn>, PitchTableError> {
        let jumps = pitch.jumps(crate::games::pitch::MAX_BOARDS)?;
        let places = pitch
            .empty_points()
            .map(|point| (Turn::Place(point as u16), pitch.shape().point_name(point)));
        let jumps = jumps
            .iter()
            .map(|(jump, path)| (Turn::Jump(*jump), pitch.path_notation(path)));
        let mut rated = Vec::new();
        for (turn, notation) in places.chain(jumps) {
            let after = pitch.after(&turn);
            let value = match after {
                After::Position(next) => self.value(&next)?.before(),
                After::Over { winner, .. } if winner == pitch.side() => Value::Win(crate::outcome::Depth(1)),
                After::Over { .. } => Value::Loss(crate::outcome::Depth(1)),
            };
            rated.push(RatedPitchTurn {
                turn,
                notation,
                after,
                value,
            });
        }
        rated.sort_by_key(|turn| std::cmp::Reverse(turn.value));
        Ok(rated)
    }

    /// Best play from a position: to the end of the game, or in a draw until a position comes back; of equally good turns
    /// the first generated.
    ///
    /// # Errors
    /// As [`value`](PitchTable::value).
    pub fn best_line(&self, pitch: &Pitch) -> Result<Vec<RatedPitchTurn>, PitchTableError> {
        let mut line: Vec<RatedPitchTurn> = Vec::new();
        let mut met = hashbrown::HashSet::new();
        let mut next = Some(*pitch);
        while let Some(pitch) = next.filter(|pitch| met.insert(*pitch)) {
            let Some(best) = self.rated_turns(&pitch)?.into_iter().next() else {
                break;
            };
            next = match best.after {
                After::Position(after) => Some(after),
                After::Over { .. } => None,
            };
            line.push(best);
        }
        Ok(line)
    }
}

/// Maps a table file to read.
fn map(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: tables are made under another name and renamed when complete, and never changed in place; whoever cuts a
    // mapped file short from outside stops the program with a bus error, but cannot make it answer wrongly.
    unsafe { Mmap::map(file) }
}
