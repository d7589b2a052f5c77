//! Opening and probing one dense table.

use super::cache::FrameCache;
use super::error::TableError;
use super::header::{DensePayload, Description, Header, Payload, check_counts};
pub use super::storage::Storage;
use super::storage::map_file;
use super::trie::Trie;
use super::{Layout, Metric, low_bits, place};
use crate::games::strip::{MAX_LENGTH, MIN_LENGTH, Strip, positions};
use crate::outcome::{Depth, Side, Value, Verdict, Wdl};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Bytes of an entry of the frame index: offset, size, CRC-32.
const INDEX_ENTRY: usize = 16;
/// Unpacked bytes that a table keeps in memory unless told otherwise.
pub const DEFAULT_CACHE: usize = 256 << 20;

/// One question to a plane: does Left win, and when?
#[derive(Clone, Copy, Debug)]
struct Question {
    to_move: Side,
    ball: usize,
    pattern: u64,
}

impl Question {
    /// The question about a board as it is, for the player who is to move there.
    fn new(strip: &Strip) -> Question {
        Question {
            to_move: strip.side(),
            ball: strip.ball(),
            pattern: strip.pattern() as u64,
        }
    }
}

/// Where the answer lies.
#[derive(Clone, Copy, Debug)]
struct Spot {
    frame: usize,
    /// The position's number in the frame.
    position: usize,
}

/// One open table. Cheap to share between threads.
pub struct DenseTable {
    file: PathBuf,
    storage: Box<dyn Storage>,
    header: Header,
    payload: DensePayload,
    description: Description,
    trie: Trie,
    cache: FrameCache,
}

impl std::fmt::Debug for DenseTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DenseTable")
            .field("file", &self.file)
            .field("header", &self.header)
            .finish()
    }
}

impl DenseTable {
    /// Maps a file and checks its header, description, trie and frame index. Frames are checked when they are unpacked.
    ///
    /// # Errors
    /// Every way in which the file can be no table: [`TableError`].
    pub fn open(path: &Path) -> Result<DenseTable, TableError> {
        DenseTable::from_storage(map_file(path)?, path, DEFAULT_CACHE)
    }

    /// Opens a table whose bytes are at hand. `name` stands for the file in errors; `cache` is the number of unpacked
    /// bytes to keep.
    ///
    /// # Errors
    /// As [`open`](DenseTable::open).
    pub fn from_storage(
        storage: Box<dyn Storage>,
        name: &Path,
        cache: usize,
    ) -> Result<DenseTable, TableError> {
        let bytes = storage.bytes();
        let header = Header::decode(bytes, name)?;
        let Payload::Dense(payload) = header.payload else {
            return Err(TableError::Foreign {
                file: name.to_path_buf(),
                field: "the layout",
                found: header.payload.layout().to_string(),
                expected: Layout::Dense.to_string(),
            });
        };
        let corrupt = |field: &str| TableError::Corrupt {
            file: name.to_path_buf(),
            field: field.to_string(),
        };
        if !(MIN_LENGTH..=MAX_LENGTH.min(64)).contains(&header.length) {
            return Err(corrupt("the length is out of range"));
        }
        for (section, field) in [
            (header.description, "the description's checksum is wrong"),
            (payload.trie, "the trie's checksum is wrong"),
            (payload.index, "the frame index's checksum is wrong"),
        ] {
            if crc32fast::hash(section.of(bytes)) != section.crc {
                return Err(corrupt(field));
            }
        }
        let description = Description::decode(header.description.of(bytes))
            .ok_or_else(|| corrupt("the description cannot be read"))?;
        let trie = Trie::new(payload.trie.of(bytes)).ok_or_else(|| corrupt("the trie cannot be read"))?;
        check_shape(&header, &payload).map_err(|field| corrupt(&field))?;
        let frames = (payload.index.bytes as usize) / INDEX_ENTRY;
        Ok(DenseTable {
            file: name.to_path_buf(),
            cache: FrameCache::new(frames, cache),
            header,
            payload,
            description,
            trie,
            storage,
        })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where the values are.
    pub fn payload(&self) -> &DensePayload {
        &self.payload
    }

    /// The description.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// The number of positions, with Left to move.
    pub fn positions(&self) -> u128 {
        positions(self.header.length).unwrap_or(0)
    }

    /// The value of a position, with its depth.
    ///
    /// # Errors
    /// [`TableError::NoDepths`] from a `wdl` table, [`TableError::OtherLength`], [`TableError::Corrupt`].
    pub fn value(&self, strip: &Strip) -> Result<Value, TableError> {
        self.need_depths()?;
        let strip = self.of_this_length(strip)?;
        let win = self.answer(&Question::new(&strip))?;
        let loss = if win == 0 {
            self.answer(&Question::new(&strip.mirror()))?
        } else {
            0
        };
        Ok(value_of(win, loss))
    }

    /// Who wins a position. Works on tables of either metric.
    ///
    /// # Errors
    /// [`TableError::OtherLength`], [`TableError::Corrupt`].
    pub fn wdl(&self, strip: &Strip) -> Result<Wdl, TableError> {
        let strip = self.of_this_length(strip)?;
        if self.answer(&Question::new(&strip))? != 0 {
            return Ok(Wdl::Win);
        }
        let lost = self.answer(&Question::new(&strip.mirror()))? != 0;
        Ok(if lost { Wdl::Loss } else { Wdl::Draw })
    }

    /// What the table says of a position: with its depth if the table has depths.
    ///
    /// # Errors
    /// [`TableError::OtherLength`], [`TableError::Corrupt`].
    pub fn verdict(&self, strip: &Strip) -> Result<Verdict, TableError> {
        match self.header.metric {
            Metric::Dtw => self.value(strip).map(Verdict::from),
            Metric::Wdl => self.wdl(strip).map(Verdict::from),
        }
    }

    /// [`verdict`](DenseTable::verdict) for many positions, in their order, in parallel; every frame is visited once.
    ///
    /// # Errors
    /// As [`verdict`](DenseTable::verdict), for the first position or frame at fault.
    pub fn verdicts(&self, strips: &[Strip]) -> Result<Vec<Verdict>, TableError> {
        Ok(match self.header.metric {
            Metric::Dtw => self.values(strips)?.into_iter().map(Verdict::from).collect(),
            Metric::Wdl => self.wdls(strips)?.into_iter().map(Verdict::from).collect(),
        })
    }

    /// The values of many positions, in their order, in parallel; every frame is visited once.
    ///
    /// # Errors
    /// As [`value`](DenseTable::value), for the first position or frame at fault.
    pub fn values(&self, strips: &[Strip]) -> Result<Vec<Value>, TableError> {
        self.need_depths()?;
        let answers = self.batch(strips)?;
        Ok(answers.chunks(2).map(|pair| value_of(pair[0], pair[1])).collect())
    }

    /// Who wins many positions, in their order, in parallel; every frame is visited once.
    ///
    /// # Errors
    /// As [`wdl`](DenseTable::wdl).
    pub fn wdls(&self, strips: &[Strip]) -> Result<Vec<Wdl>, TableError> {
        let answers = self.batch(strips)?;
        Ok((answers.chunks(2))
            .map(|pair| match (pair[0] != 0, pair[1] != 0) {
                (true, _) => Wdl::Win,
                (false, true) => Wdl::Loss,
                (false, false) => Wdl::Draw,
            })
            .collect())
    }

    /// Reads every frame and checks it, so that any damage in the file shows.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] for the first damaged frame.
    pub fn check_frames(&self) -> Result<(), TableError> {
        let damage = (0..self.frames())
            .into_par_iter()
            .find_map_first(|frame| self.unpack(frame).err());
        damage.map_or(Ok(()), Err)
    }

    /// The bytes of the block at a place of a plane: under `dtw` a depth byte for each position (plies until Left wins,
    /// 0 where Left does not), under `wdl` a bit for each.
    ///
    /// # Errors
    /// [`TableError::NoSuchBlock`], [`TableError::Corrupt`].
    pub fn block(&self, to_move: Side, ball: usize, high: u64) -> Result<Vec<u8>, TableError> {
        let number = self.block_number(to_move, ball, high)?;
        let size = self.payload.block_bytes as usize;
        let at = (number % self.payload.frame_blocks) as usize * size;
        let frame = (number / self.payload.frame_blocks) as usize;
        self.with_frame(frame, |frame| frame[at..at + size].to_vec())
    }

    /// A number for the contents of that block: two places of the file have the same number exactly if their blocks are
    /// equal. Below `payload().blocks`.
    ///
    /// # Errors
    /// As [`block`](DenseTable::block).
    pub fn block_number(&self, to_move: Side, ball: usize, high: u64) -> Result<u32, TableError> {
        let length = self.header.length;
        if !(1..=length - 2).contains(&ball) || high >> (length - 1 - low_bits(length)) != 0 {
            return Err(TableError::NoSuchBlock { length, ball, high });
        }
        let place = place(length, to_move, ball, high);
        let bytes = self.payload.trie.of(self.storage.bytes());
        (self.trie.get(bytes, place))
            .filter(|&number| number < self.payload.blocks)
            .ok_or_else(|| self.corrupt("the trie leads to a block that is not there"))
    }

    fn of_this_length(&self, strip: &Strip) -> Result<Strip, TableError> {
        if strip.length() != self.header.length {
            return Err(TableError::OtherLength {
                found: strip.length(),
                expected: self.header.length,
            });
        }
        Ok(strip.normalised())
    }

    fn need_depths(&self) -> Result<(), TableError> {
        match self.header.metric {
            Metric::Dtw => Ok(()),
            Metric::Wdl => Err(TableError::NoDepths {
                length: self.header.length,
                directory: self.file.parent().unwrap_or(Path::new("")).to_path_buf(),
            }),
        }
    }

    /// Two answers for each position: does its mover win, does its mover lose?
    fn batch(&self, strips: &[Strip]) -> Result<Vec<u8>, TableError> {
        let spots: Vec<Spot> = strips
            .par_iter()
            .map(|strip| {
                let strip = self.of_this_length(strip)?;
                let ask = |strip: &Strip| self.locate(&Question::new(strip));
                Ok([ask(&strip)?, ask(&strip.mirror())?])
            })
            .collect::<Result<Vec<[Spot; 2]>, TableError>>()?
            .into_iter()
            .flatten()
            .collect();
        let mut order: Vec<u32> = (0..spots.len() as u32).collect();
        order.par_sort_unstable_by_key(|&at| spots[at as usize].frame);
        let same_frame = |a: &u32, b: &u32| spots[*a as usize].frame == spots[*b as usize].frame;
        let visits: Vec<&[u32]> = order.chunk_by(same_frame).collect();
        let found: Vec<Vec<(u32, u8)>> = visits
            .into_par_iter()
            .map(|visit| {
                self.with_frame(spots[visit[0] as usize].frame, |frame| {
                    let answer = |&at: &u32| (at, self.read(frame, spots[at as usize].position));
                    visit.iter().map(answer).collect()
                })
            })
            .collect::<Result<_, TableError>>()?;
        let mut answers = vec![0; spots.len()];
        for (at, answer) in found.into_iter().flatten() {
            answers[at as usize] = answer;
        }
        Ok(answers)
    }

    /// A single answer: the depth byte, or 1 for a member of a `wdl` set; 0 if Left does not win.
    #[inline]
    fn answer(&self, question: &Question) -> Result<u8, TableError> {
        let spot = self.locate(question)?;
        self.with_frame(spot.frame, |frame| self.read(frame, spot.position))
    }

    #[inline]
    fn locate(&self, question: &Question) -> Result<Spot, TableError> {
        let bits = low_bits(self.header.length);
        let high = question.pattern >> bits;
        let number = self.block_number(question.to_move, question.ball, high)?;
        let low = question.pattern as usize & ((1 << bits) - 1);
        Ok(Spot {
            frame: (number / self.payload.frame_blocks) as usize,
            position: (((number % self.payload.frame_blocks) as usize) << bits) | low,
        })
    }

    /// The byte of a frame at which a position that begins a block stands.
    fn byte_of(&self, position: usize) -> usize {
        (position >> low_bits(self.header.length)) * self.payload.block_bytes as usize
    }

    #[inline]
    fn read(&self, frame: &[u8], position: usize) -> u8 {
        match self.header.metric {
            Metric::Dtw => frame[position],
            Metric::Wdl => {
                let low = position & ((1 << low_bits(self.header.length)) - 1);
                frame[self.byte_of(position) + low / 8] >> (low % 8) & 1
            }
        }
    }

    #[inline]
    fn with_frame<T>(&self, number: usize, read: impl FnOnce(&[u8]) -> T) -> Result<T, TableError> {
        self.cache.with(number, || self.unpack(number), read)
    }

    fn frames(&self) -> usize {
        self.payload.index.bytes as usize / INDEX_ENTRY
    }

    /// Checks a frame's bytes and unpacks them; the result has exactly the size that its blocks need.
    fn unpack(&self, number: usize) -> Result<Vec<u8>, TableError> {
        let bytes = self.storage.bytes();
        let index = self.payload.index.of(bytes);
        let (entry, _) = index[number * INDEX_ENTRY..]
            .split_first_chunk::<INDEX_ENTRY>()
            .ok_or_else(|| self.corrupt("the frame index is too short"))?;
        let field = |from: usize, to: usize| {
            (entry[from..to].iter().rev()).fold(0, |value, &byte| value << 8 | u64::from(byte))
        };
        let (offset, size, crc) = (field(0, 8), field(8, 12), field(12, 16));
        let packed = usize::try_from(offset)
            .ok()
            .and_then(|offset| bytes.get(offset..offset.checked_add(size as usize)?))
            .ok_or_else(|| self.corrupt("a frame lies outside the file"))?;
        if u64::from(crc32fast::hash(packed)) != crc {
            return Err(self.corrupt(&format!("the checksum of frame {number} is wrong")));
        }
        let blocks = (self.payload.blocks as usize - number * self.payload.frame_blocks as usize)
            .min(self.payload.frame_blocks as usize);
        let expected = blocks * self.payload.block_bytes as usize;
        zstd::bulk::decompress(packed, expected)
            .ok()
            .filter(|frame| frame.len() == expected)
            .ok_or_else(|| self.corrupt(&format!("frame {number} does not unpack to its size")))
    }

    fn corrupt(&self, field: &str) -> TableError {
        TableError::Corrupt {
            file: self.file.clone(),
            field: field.to_string(),
        }
    }
}

/// The value of a position from the plies in which its mover, and its mover's opponent, wins.
fn value_of(win: u8, loss: u8) -> Value {
    match (win, loss) {
        (0, 0) => Value::Draw,
        (0, loss) => Value::Loss(Depth(loss.into())),
        (win, _) => Value::Win(Depth(win.into())),
    }
}

/// Whether the sizes in a header go together.
fn check_shape(header: &Header, payload: &DensePayload) -> Result<(), String> {
    let block_positions = 1u32 << low_bits(header.length);
    let block_bytes = match header.metric {
        Metric::Dtw => block_positions,
        Metric::Wdl => block_positions.div_ceil(8),
    };
    if payload.block_bytes != block_bytes || payload.blocks == 0 {
        return Err("the block size is wrong".to_string());
    }
    if payload.frame_blocks == 0 || payload.frame_blocks > (1 << 16) {
        return Err("the frame size is out of range".to_string());
    }
    let frames = u64::from(payload.blocks.div_ceil(payload.frame_blocks));
    if payload.index.bytes != frames * INDEX_ENTRY as u64 {
        return Err("the frame index has the wrong size".to_string());
    }
    check_counts(header)
}
