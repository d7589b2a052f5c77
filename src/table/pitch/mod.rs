//! The values of every position of a small pitch in a file.
//!
//! One depth byte for each position with Alfred to move and the ball in the left half; turning the pitch round gives
//! the positions with Betty to move, the mirror those with the ball in the right half. A probe unpacks one block and keeps it.
//!
//! * [`header`] — what a table says of itself;
//! * [`writer`] — making a file;
//! * [`PitchTable`] — opening and probing one.

pub mod header;
#[cfg(feature = "cli")]
pub mod writer;

use super::Rated;
use super::container::blocks::{Blocks, SECTIONS};
use super::container::read::Container;
use super::dense::DEFAULT_CACHE;
use super::error::TableError;
use super::places::Places;
use crate::bits::squeeze;
use crate::game::Successor;
use crate::games::pitch::{After, Pitch, Points, Shape, Turn};
use crate::games::rules::Rules;
use crate::outcome::{Side, Value};
use header::{Description, Header, Metadata, block_bits, blocks, stored_balls};
use std::path::{Path, PathBuf};

/// The file of a shape in its directory.
pub fn pitch_path(directory: &Path, rules: Rules, shape: Shape) -> PathBuf {
    directory.join(format!("{}pitch-{shape}-dtw.phut", rules.prefix()))
}

/// The shape in the name of a file under these rules; the inverse of [`pitch_path`].
pub(super) fn parse_name(name: &str, rules: Rules) -> Option<Shape> {
    let shape = name
        .strip_prefix(rules.prefix())?
        .strip_prefix("pitch-")?
        .strip_suffix("-dtw.phut")?
        .parse()
        .ok()?;
    (pitch_path(Path::new(""), rules, shape).to_str() == Some(name)).then_some(shape)
}

/// The position with an index, Alfred to move; `None` if there is none.
fn position(shape: Shape, order: &[usize], index: u64) -> Option<Pitch> {
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

/// A turn of a pitch, in notation, with its value.
pub type RatedPitchTurn = Rated<String, After>;

/// One open table.
pub struct PitchTable {
    header: Header,
    description: Description,
    blocks: Blocks,
    /// For each point its slot, if balls there are stored.
    slots: Vec<Option<u64>>,
    /// For each point its bit in a pattern.
    bits: Vec<u32>,
}

impl PitchTable {
    /// Opens the table of a shape under some rules in a directory.
    ///
    /// # Errors
    /// [`TableError::MissingPitch`], or what is wrong with the file.
    pub fn open(directory: &Path, rules: Rules, shape: Shape) -> Result<PitchTable, TableError> {
        let container =
            Container::open(&pitch_path(directory, rules, shape)).map_err(|error| match error {
                TableError::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                    TableError::MissingPitch {
                        rules,
                        shape,
                        places: Places::only(directory),
                    }
                }
                error => error,
            })?;
        PitchTable::of(container, rules, shape, DEFAULT_CACHE)
    }

    /// Opens a container that must be the table of a shape under some rules; `cache` is the number of unpacked bytes to keep.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of(
        container: Container,
        rules: Rules,
        shape: Shape,
        cache: usize,
    ) -> Result<PitchTable, TableError> {
        container.check_rules(rules)?;
        let table = PitchTable::new(container, cache)?;
        TableError::unless_same(table.path(), "the size of the pitch", table.header.shape, shape)?;
        Ok(table)
    }

    /// Opens a container; frames are checked when they are unpacked. `cache` is the number of unpacked bytes to keep.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(container: Container, cache: usize) -> Result<PitchTable, TableError> {
        let (header, description) = Metadata::read(&container)?;
        let shape = header.shape;
        let [blocks, index] = container.sections(SECTIONS)?.clone();
        let blocks = Blocks::open(container, [&blocks, &index], header::cut(shape), cache)?;
        let mut slots = vec![None; shape.points()];
        for (slot, ball) in (0..).zip(stored_balls(shape)) {
            slots[ball] = Some(slot);
        }
        let mut bits = vec![0; shape.points()];
        for (bit, &point) in (0..).zip(&description.order) {
            bits[usize::from(point)] = bit;
        }
        Ok(PitchTable {
            header,
            description,
            blocks,
            slots,
            bits,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.blocks.container().path()
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
    /// [`TableError::NotHeld`]; [`TableError::Corrupt`] if the block is damaged.
    pub fn value(&self, pitch: &Pitch) -> Result<Value, TableError> {
        TableError::unless_under(self.header.rules, pitch.rules())?;
        if pitch.shape() != self.header.shape {
            return Err(TableError::NotHeld(format!(
                "a {} position was looked up in the table of the {} pitch",
                pitch.shape(),
                self.header.shape
            )));
        }
        let index = self.index(pitch);
        let bits = block_bits(self.header.shape);
        let block = (index >> bits) as usize;
        let at = index as usize & ((1 << bits) - 1);
        let byte = self.blocks.with(block, |bytes| bytes[at])?;
        Ok(Value::from_depth_byte(byte))
    }

    /// The place of a position's byte.
    fn index(&self, pitch: &Pitch) -> u64 {
        let alfred = pitch.normalised();
        let stored = match self.slots[alfred.ball()] {
            Some(_) => alfred,
            None => alfred.mirrored(),
        };
        let slot = self.slots[stored.ball()].expect("every ball or its mirror image is in the left half");
        let pattern = stored
            .chaps()
            .iter()
            .fold(0u64, |bits, point| bits | 1 << self.bits[point]);
        let pattern = squeeze(pattern, self.bits[stored.ball()] as usize);
        (slot << (self.header.shape.points() - 1)) | pattern
    }

    /// The position with an index, Alfred to move and the ball in the left half; `None` past the last.
    pub fn position(&self, index: u64) -> Option<Pitch> {
        let order: Vec<usize> = self.description.order.iter().map(|&point| point.into()).collect();
        Some(position(self.header.shape, &order, index)?.under(self.header.rules))
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
        self.blocks.unpack(block as usize)
    }

    /// Unpacks every block, so that any damage shows.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] for the first damaged block.
    pub fn check_blocks(&self) -> Result<(), TableError> {
        self.blocks.check()
    }

    /// Every turn of a position with its value, best first; equal values in the order of generation.
    ///
    /// # Errors
    /// As [`value`](PitchTable::value).
    pub fn rated_turns(&self, pitch: &Pitch) -> Result<Vec<RatedPitchTurn>, TableError> {
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
            let value = match after.successor(pitch.side()) {
                Successor::Position(next) => self.value(&next)?.before(),
                Successor::Over(outcome) => Value::at_once(outcome),
            };
            rated.push(Rated {
                turn: notation,
                after,
                verdict: value.into(),
            });
        }
        rated.sort_by_key(|turn| std::cmp::Reverse(turn.verdict.preference()));
        Ok(rated)
    }

    /// Best play from a position: to the end of the game, or in a draw until a position comes back; of equally good turns
    /// the first generated.
    ///
    /// # Errors
    /// As [`value`](PitchTable::value).
    pub fn best_line(&self, pitch: &Pitch) -> Result<Vec<RatedPitchTurn>, TableError> {
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
