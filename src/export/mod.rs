//! Every value of a length, or of a pitch, in formats that other programs read: a row for each position, in the order of the index, with
//! Left (on a pitch Alfred) to move.
//!
//! Values are read and put into words a batch at a time, so that memory does not grow with the length; `csv` and `npy` write
//! them one after the other. [`proof`] writes no values but the sets that prove them.

mod csv;
mod npy;
pub mod proof;

use crate::diagram::Diagram;
use crate::game::Game;
use crate::games::boards::Boards;
use crate::games::pitch::PitchGame;
use crate::games::strip::{Strip, StripGame};
use crate::outcome::{Wdl, words};
use crate::table::Metric;
use crate::table::error::TableError;
use crate::table::pitch::PitchTable;
use crate::table::strip::sets::StripSets;
use crate::table::values::{MAX_LENGTH, Run, fill, fill_pitch};
use rayon::prelude::*;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text: `position,ball,stones,value,depth`.
    Csv,
    /// An array of NumPy: for a strip of shape (n − 2, 2^(n−1)), ball square and pattern; each element is an outcome (1, 0, −1) and a depth.
    Npy,
}

words!(Format: Csv = "csv", Npy = "npy");

/// Why an export stops.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// More positions than any disk holds.
    #[error(
        "strips of up to {MAX_LENGTH} squares can be exported, not of {0}: for some of their positions: phutbase find {0}"
    )]
    Length(usize),
}

/// A table that is exported.
pub struct Source<'t> {
    table: Exported<'t>,
    boards: Boards,
    /// The number of positions.
    positions: u64,
    /// Squares, or points.
    cells: usize,
    /// Whether depths are known.
    has_depths: bool,
}

enum Exported<'t> {
    Strip(&'t StripSets, StripGame),
    Pitch(&'t PitchTable, PitchGame),
}

/// One position.
struct Row {
    position: String,
    /// The square, or the point.
    ball: u32,
    stones: u32,
    value: Wdl,
    /// Plies, where they are known and there is no draw.
    depth: Option<u8>,
}

/// The values of some positions that follow each other.
struct Values {
    first: u64,
    outcome: Vec<i8>,
    depth: Vec<u8>,
}

/// Positions that are worked on at once: a power of two.
const PART: u64 = 1 << 14;
/// Parts in a batch.
const PARTS: u64 = 64;

impl<'t> Source<'t> {
    /// All positions of a strip.
    pub fn strip(table: &'t StripSets) -> Result<Source<'t>, ExportError> {
        let length = table.length();
        let game = StripGame::new(length).filter(|_| length <= MAX_LENGTH);
        let game = game.ok_or(ExportError::Length(length))?;
        Ok(Source {
            boards: Boards::strip(length),
            positions: game.positions(),
            cells: length,
            has_depths: table.metric() == Metric::Dtw,
            table: Exported::Strip(table, game),
        })
    }

    /// All positions of a pitch.
    pub fn pitch(table: &'t PitchTable) -> Source<'t> {
        let shape = table.shape();
        let game = PitchGame::new(shape).expect("a table has fewer points than an index");
        Source {
            boards: Boards::Pitch(shape),
            positions: game.positions(),
            cells: shape.points(),
            has_depths: true,
            table: Exported::Pitch(table, game),
        }
    }

    /// The boards.
    pub fn boards(&self) -> &Boards {
        &self.boards
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// About how many bytes that makes.
    pub fn bytes(&self, format: Format) -> u64 {
        let row = match format {
            Format::Npy => 1 + u64::from(self.has_depths),
            // Notation, and a few numbers or a few bits.
            Format::Csv => self.cells as u64 + 13,
        };
        self.positions * row
    }

    /// Rows and columns of all values, by ball and pattern.
    fn shape(&self) -> (u64, u64) {
        let columns = 1 << (self.cells - 1);
        (self.positions / columns, columns)
    }

    fn values(&self, first: u64, count: u64) -> Result<Values, TableError> {
        let (mut outcome, mut depth) = (vec![0; count as usize], vec![0; count as usize]);
        let run = Run {
            outcome: &mut outcome,
            depth: &mut depth,
        };
        match &self.table {
            Exported::Strip(table, _) => {
                let (_, columns) = self.shape();
                fill(table, (first / columns) as usize + 1, first % columns, run)?;
            }
            Exported::Pitch(table, _) => fill_pitch(table, first, run)?,
        }
        Ok(Values {
            first,
            outcome,
            depth,
        })
    }

    fn row(&self, values: &Values, place: usize) -> Row {
        let index = values.first + place as u64;
        let (position, ball, stones) = match &self.table {
            Exported::Strip(_, game) => {
                let strip: Strip = game.position(index);
                (strip.to_string(), strip.ball(), strip.stones().count_ones())
            }
            Exported::Pitch(_, game) => {
                let pitch = game.position(index);
                (pitch.to_string(), pitch.ball(), pitch.chaps().len() as u32)
            }
        };
        let value = match values.outcome[place] {
            1 => Wdl::Win,
            0 => Wdl::Draw,
            _ => Wdl::Loss,
        };
        let known = self.has_depths && value != Wdl::Draw;
        Row {
            position,
            ball: ball as u32,
            stones,
            value,
            depth: known.then(|| values.depth[place]),
        }
    }

    /// Works on every part, many at once, and hands what comes out to `write` in order, a batch at a time.
    fn batches<T: Send>(
        &self,
        done: &AtomicU64,
        work: impl Fn(&Values) -> T + Sync,
        mut write: impl FnMut(Vec<T>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let (positions, (_, columns)) = (self.positions, self.shape());
        let part = columns.min(PART);
        let mut first = 0;
        while first < positions {
            let end = positions.min(first + PARTS * part);
            let parts: Vec<u64> = (first..end).step_by(part as usize).collect();
            let batch: Result<Vec<T>, TableError> = (parts.into_par_iter())
                .map(|first| Ok(work(&self.values(first, part)?)))
                .collect();
            write(batch?)?;
            done.store(end, Ordering::Relaxed);
            first = end;
        }
        Ok(())
    }

    /// Writes all positions; `done` counts them.
    pub fn write(&self, format: Format, out: impl Write, done: &AtomicU64) -> Result<(), ExportError> {
        match format {
            Format::Csv => csv::write(self, out, done),
            Format::Npy => npy::write(self, out, done),
        }
    }
}
