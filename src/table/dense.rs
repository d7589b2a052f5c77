//! Opening and probing one dense table.

use super::container::blocks::{Blocks, Cut, SECTIONS};
use super::container::read::Container;
use super::error::TableError;
use super::header::{DensePayload, Description, Header, Metadata, block_bytes};
use super::trie::Trie;
use super::{Layout, Metric, low_bits, place, places};
use crate::games::strip::{Strip, positions};
use crate::outcome::{Depth, Side, Value, Verdict, Wdl};
use rayon::prelude::*;
use std::path::Path;

/// Bytes in an unpacked frame, the unit of compression. A probe unpacks at most one frame for each plane.
pub const FRAME_BYTES: u64 = 32 << 10;
/// Unpacked bytes that a table keeps in memory unless told otherwise.
pub const DEFAULT_CACHE: usize = 256 << 20;

/// Where the answer lies.
#[derive(Clone, Copy, Debug)]
struct Spot {
    frame: usize,
    /// The position's number in the frame.
    position: usize,
}

/// One open table. Cheap to share between threads.
pub struct DenseTable {
    header: Header,
    payload: DensePayload,
    description: Description,
    trie: Trie,
    blocks: Blocks,
    /// Unpacked bytes of a block.
    block_bytes: usize,
    /// Blocks in a frame.
    frame_blocks: u32,
}

impl std::fmt::Debug for DenseTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DenseTable")
            .field("file", &self.path())
            .field("header", &self.header)
            .finish()
    }
}

impl DenseTable {
    /// Opens a container and checks its header, description, trie and index; frames are checked when they are unpacked. `cache` is the
    /// number of unpacked bytes to keep.
    ///
    /// # Errors
    /// Every way in which the file can be no table: [`TableError`].
    pub fn new(container: Container, cache: usize) -> Result<DenseTable, TableError> {
        let (header, payload, description): (_, DensePayload, _) = Metadata::read(&container, Layout::Dense)?;
        let (length, metric) = (header.length, header.metric);
        if header.longest_win > 255 || header.longest_loss > 255 {
            return Err(container.corrupt("more plies than a byte holds"));
        }
        if payload.blocks == 0 || u64::from(payload.blocks) > places(length) {
            return Err(container.corrupt("the number of blocks is out of range"));
        }
        let block_bytes = block_bytes(length, metric);
        let [trie, blocks, index] = container.sections(["trie", SECTIONS[0], SECTIONS[1]])?.clone();
        let trie = Trie::new(container.read(&trie)?, places(length), payload.blocks)
            .ok_or_else(|| container.corrupt("the trie cannot be read"))?;
        let cut = Cut {
            bytes: u64::from(payload.blocks) * block_bytes as u64,
            frame_bytes: FRAME_BYTES,
        };
        Ok(DenseTable {
            blocks: Blocks::open(container, [&blocks, &index], cut, cache)?,
            header,
            payload,
            description,
            trie,
            block_bytes,
            frame_blocks: FRAME_BYTES as u32 / block_bytes as u32,
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
        self.blocks.container().path()
    }

    /// The number of positions, with Left to move.
    pub fn positions(&self) -> u128 {
        positions(self.header.length).expect("the longest dense strip has fewer than 2^64 positions")
    }

    /// What the table says of a position: with its depth if the table has depths.
    ///
    /// # Errors
    /// [`TableError::NotHeld`], [`TableError::Corrupt`].
    pub fn verdict(&self, strip: &Strip) -> Result<Verdict, TableError> {
        let strip = self.of_this_table(strip)?;
        let win = self.answer(&strip)?;
        let loss = match win {
            0 => self.answer(&strip.mirror())?,
            _ => 0,
        };
        Ok(self.verdict_of(win, loss))
    }

    /// [`verdict`](DenseTable::verdict) for many positions, in their order, in parallel; every frame is visited once.
    ///
    /// # Errors
    /// As [`verdict`](DenseTable::verdict), for the first position or frame at fault.
    pub fn verdicts(&self, strips: &[Strip]) -> Result<Vec<Verdict>, TableError> {
        let answers = self.batch(strips)?;
        let pairs = answers.chunks(2);
        Ok(pairs.map(|pair| self.verdict_of(pair[0], pair[1])).collect())
    }

    /// Reads every frame and checks it, so that any damage in the file shows.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] for the first damaged frame.
    pub fn check_frames(&self) -> Result<(), TableError> {
        self.blocks.check()
    }

    /// The bytes of the block at a place of a plane: under `dtw` a depth byte for each position (plies until Left wins,
    /// 0 where Left does not), under `wdl` a bit for each.
    ///
    /// # Errors
    /// [`TableError::NotHeld`], [`TableError::Corrupt`].
    pub fn block(&self, to_move: Side, ball: usize, high: u64) -> Result<Vec<u8>, TableError> {
        let number = self.block_number(to_move, ball, high)?;
        let at = (number % self.frame_blocks) as usize * self.block_bytes;
        let frame = (number / self.frame_blocks) as usize;
        self.blocks
            .with(frame, |frame| frame[at..at + self.block_bytes].to_vec())
    }

    /// A number for the contents of that block: two places of the file have the same number exactly if their blocks are
    /// equal. Below `payload().blocks`.
    ///
    /// # Errors
    /// [`TableError::NotHeld`].
    pub fn block_number(&self, to_move: Side, ball: usize, high: u64) -> Result<u32, TableError> {
        let length = self.header.length;
        if !(1..=length - 2).contains(&ball) || high >> (length - 1 - low_bits(length)) != 0 {
            return Err(TableError::NotHeld(format!(
                "a table for length {length} has no block with ball square {ball} and high pattern {high}"
            )));
        }
        Ok(self.trie.get(place(length, to_move, ball, high)))
    }

    /// The number of the block at a place, one of [`places()`].
    #[inline]
    pub fn block_number_at(&self, place: u64) -> u32 {
        self.trie.get(place)
    }

    /// Every different block by its number, a byte for each position: its plies, or under `wdl` 1 for each member.
    ///
    /// # Errors
    /// [`TableError::Corrupt`]; [`TableError::Unwieldy`] if that is more memory than a file of its size warrants.
    pub fn different_blocks(&self) -> Result<Vec<Vec<u8>>, TableError> {
        // What this program writes unpacks to some hundred times its size at most.
        let bytes = u64::from(self.payload.blocks) << low_bits(self.header.length);
        if bytes > (1 << 26) + 1024 * self.header.file_bytes {
            return Err(TableError::unwieldy(self.path()));
        }
        let frames: Vec<Vec<u8>> = (0..self.blocks.frames())
            .into_par_iter()
            .map(|frame| self.blocks.unpack(frame))
            .collect::<Result<_, _>>()?;
        let blocks = frames
            .iter()
            .flat_map(|frame| frame.chunks_exact(self.block_bytes));
        Ok(blocks
            .map(|block| match self.header.metric {
                Metric::Dtw => block.to_vec(),
                Metric::Wdl => (block.iter())
                    .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1))
                    .collect(),
            })
            .collect())
    }

    fn of_this_table(&self, strip: &Strip) -> Result<Strip, TableError> {
        TableError::unless_of(&self.header, strip.length(), strip.rules())?;
        Ok(strip.normalised())
    }

    /// Two answers for each position: does its mover win, does its mover lose?
    fn batch(&self, strips: &[Strip]) -> Result<Vec<u8>, TableError> {
        let spots: Vec<Spot> = strips
            .par_iter()
            .map(|strip| {
                let strip = self.of_this_table(strip)?;
                Ok([self.locate(&strip)?, self.locate(&strip.mirror())?])
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
                self.blocks.with(spots[visit[0] as usize].frame, |frame| {
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

    /// Whether Left wins a board, for the player to move there: the depth byte, or 1 for a member of a `wdl` set; 0 if Left does not.
    #[inline]
    fn answer(&self, board: &Strip) -> Result<u8, TableError> {
        let spot = self.locate(board)?;
        self.blocks
            .with(spot.frame, |frame| self.read(frame, spot.position))
    }

    #[inline]
    fn locate(&self, board: &Strip) -> Result<Spot, TableError> {
        let bits = low_bits(self.header.length);
        let pattern = board.pattern() as u64;
        let number = self.block_number(board.side(), board.ball(), pattern >> bits)?;
        let low = pattern as usize & ((1 << bits) - 1);
        Ok(Spot {
            frame: (number / self.frame_blocks) as usize,
            position: (((number % self.frame_blocks) as usize) << bits) | low,
        })
    }

    /// The byte of a frame at which a position that begins a block stands.
    fn byte_of(&self, position: usize) -> usize {
        (position >> low_bits(self.header.length)) * self.block_bytes
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

    /// The value of a position whose board has these plies, or marks, in the planes of both players.
    fn verdict_of(&self, win: u8, loss: u8) -> Verdict {
        match (self.header.metric, win, loss) {
            (_, 0, 0) => Wdl::Draw.into(),
            (Metric::Dtw, 0, loss) => Value::Loss(Depth(loss.into())).into(),
            (Metric::Dtw, win, _) => Value::Win(Depth(win.into())).into(),
            (Metric::Wdl, 0, _) => Wdl::Loss.into(),
            (Metric::Wdl, ..) => Wdl::Win.into(),
        }
    }
}
