//! Every value of a length or of a pitch in common formats: a row for each position in the order of
//! the index, with Left (on a pitch Alfred) to move.
//!
//! Values are read and formatted in batches, so memory is constant, and written in order.

use phutbase_base::game::Game;
use phutbase_base::job::Job;
use phutbase_base::outcome::{Value, Wdl, words};
use phutbase_rules::boards::Boards;
use phutbase_rules::pitch::PitchGame;
use phutbase_rules::strip::{Strip, StripGame};
use phutbase_sets::Diagram;
use phutbase_tables::values::{LengthValues, MAX_LENGTH, fill_pitch, outcome};
use phutbase_tables::{Metric, PitchTable, StripSets, TableError};
use rayon::prelude::*;
use std::io::{self, Write};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text: `position,ball,stones,value,depth`.
    Csv,
    /// A NumPy array of (outcome 1, 0 or −1, depth); for a strip of shape (n − 2, 2^(n−1)), by ball
    /// square and pattern.
    Npy,
}

words!(Format: Csv = "csv", Npy = "npy");

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Output(#[from] io::Error),
    /// There are more positions than any disk holds.
    #[error("cannot export {0} squares: at most {MAX_LENGTH}; list some positions with: phutbase find {0}")]
    Length(usize),
}

pub struct ExportSource<'t> {
    table: Exported<'t>,
    pub boards: Boards,
    pub positions: u64,
    /// Number of squares, or of points.
    cells: usize,
    has_depths: bool,
}

enum Exported<'t> {
    Strip(LengthValues, StripGame),
    Pitch(&'t PitchTable, PitchGame),
}

struct Values {
    first: u64,
    /// Plies: odd for a win, even for a loss, 0 for a draw.
    plies: Vec<u8>,
}

/// Positions of a unit of parallel work: a power of two.
const PART: u64 = 1 << 14;
const PARTS: u64 = 64;
/// The elements of a NumPy file start at a multiple of this many bytes.
const ALIGNMENT: usize = 64;

impl<'t> ExportSource<'t> {
    pub fn strip(table: &'t StripSets) -> Result<ExportSource<'t>, ExportError> {
        let length = table.length();
        let game = StripGame::new(length).filter(|_| length <= MAX_LENGTH);
        let game = game.ok_or(ExportError::Length(length))?;
        Ok(ExportSource {
            boards: Boards::strip(length),
            positions: game.positions(),
            cells: length,
            has_depths: table.metric() == Metric::Dtw,
            table: Exported::Strip(LengthValues::new(table, &Job::default())?, game),
        })
    }

    pub fn pitch(table: &'t PitchTable) -> ExportSource<'t> {
        let shape = table.shape();
        let game = table.game();
        ExportSource {
            boards: Boards::Pitch(shape),
            positions: game.positions(),
            cells: shape.points(),
            has_depths: true,
            table: Exported::Pitch(table, game),
        }
    }

    pub fn bytes(&self, format: Format) -> u64 {
        let row = match format {
            Format::Npy => 1 + u64::from(self.has_depths),
            // The notation, and a few digits.
            Format::Csv => self.cells as u64 + 13,
        };
        self.positions * row
    }

    /// Returns the rows and columns of all values, by ball and pattern.
    fn shape(&self) -> (u64, u64) {
        let columns = 1 << (self.cells - 1);
        (self.positions / columns, columns)
    }

    fn values(&self, first: u64, count: u64) -> Result<Values, TableError> {
        let mut plies = vec![0; count as usize];
        match &self.table {
            Exported::Strip(values, _) => {
                let (_, columns) = self.shape();
                values.fill((first / columns) as usize + 1, first % columns, &mut plies);
            }
            Exported::Pitch(table, _) => fill_pitch(table, first, &mut plies)?,
        }
        Ok(Values { first, plies })
    }

    /// Returns a position's line of comma-separated values; draws and unknown depths have no depth.
    fn line(&self, values: &Values, place: usize) -> String {
        let index = values.first + place as u64;
        let (position, ball, stones) = match &self.table {
            Exported::Strip(_, game) => {
                let strip: Strip = game.position(index);
                let stones = strip.stones().count_ones() as usize;
                (strip.to_string(), strip.ball(), stones)
            }
            Exported::Pitch(_, game) => {
                let pitch = game.position(index);
                (pitch.to_string(), pitch.ball(), pitch.chaps().len())
            }
        };
        let plies = values.plies[place];
        let value = Value::from_depth_byte(plies).wdl();
        let depth = if self.has_depths && value != Wdl::Draw {
            plies.to_string()
        } else {
            String::new()
        };
        format!("{position},{ball},{stones},{value},{depth}\n")
    }

    /// Processes all parts in parallel and passes the results to `write` in order, batch by batch.
    fn batches<T: Send>(
        &self,
        job: &Job,
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
            job.set_done(end);
            job.check().map_err(TableError::from)?;
            first = end;
        }
        Ok(())
    }

    pub fn write(&self, format: Format, out: impl Write, job: &Job) -> Result<(), ExportError> {
        job.expect(self.positions, "positions");
        match format {
            Format::Csv => self.write_csv(out, job),
            Format::Npy => self.write_npy(out, job),
        }
    }

    /// Writes a line of comma-separated values for each position.
    fn write_csv(&self, mut out: impl Write, job: &Job) -> Result<(), ExportError> {
        writeln!(out, "position,ball,stones,value,depth")?;
        let lines = |values: &Values| -> String {
            let places = 0..values.plies.len();
            places.map(|place| self.line(values, place)).collect()
        };
        self.batches(job, lines, |batch| {
            (batch.iter()).try_for_each(|lines| Ok(out.write_all(lines.as_bytes())?))
        })?;
        Ok(out.flush()?)
    }

    /// Writes the NumPy format, version 1.0: magic bytes, a header that is a Python literal, and an
    /// array of pairs, outcome and depth; without depths an array of outcomes.
    fn write_npy(&self, mut out: impl Write, job: &Job) -> Result<(), ExportError> {
        const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
        let element = if self.has_depths {
            "[('outcome', '|i1'), ('depth', '|u1')]"
        } else {
            "'|i1'"
        };
        let (rows, columns) = self.shape();
        let header =
            format!("{{'descr': {element}, 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
        let before = MAGIC.len() + 2;
        let length = (before + header.len() + 1).next_multiple_of(ALIGNMENT) - before;
        out.write_all(MAGIC)?;
        out.write_all(&(length as u16).to_le_bytes())?;
        writeln!(out, "{header:<width$}", width = length - 1)?;
        let bytes = |values: &Values| -> Vec<u8> {
            let plies = values.plies.iter();
            let byte = |&plies: &u8| outcome(plies).cast_unsigned();
            if self.has_depths {
                plies.flat_map(|plies| [byte(plies), *plies]).collect()
            } else {
                plies.map(byte).collect()
            }
        };
        self.batches(job, bytes, |batch| {
            (batch.iter()).try_for_each(|bytes| Ok(out.write_all(bytes)?))
        })?;
        Ok(out.flush()?)
    }
}
