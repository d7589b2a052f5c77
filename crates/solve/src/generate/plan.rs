//! Estimates of the memory and disk that a table needs, made before anything is allocated.

use super::Request;
use crate::bits;
use phutbase_base::digits::human_bytes;
use phutbase_base::fault;
use phutbase_machine::space::{UnknownMemory, available_space, memory_limit};
use phutbase_pitches::solver::{MAX_PITCH_POINTS, Needs, Setup};
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::{MIN_LENGTH, positions};
use phutbase_tables::Metric;
use std::path::Path;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The strips of one length, or a pitch.
    pub boards: Boards,
    /// Positions with Left, or Alfred, to move.
    pub positions: u64,
    /// Bytes of memory, without those kept on the scratch directory.
    pub memory: u64,
    pub scratch: u64,
    /// Bytes in the directory of tables: two checkpoints (the next is written before the last is
    /// removed) and the table.
    pub disk: u64,
    /// Bytes of [`memory`](Plan::memory) that could move to a scratch directory.
    pub movable: u64,
}

/// Why a table cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// Longer strips or a larger pitch than the engine solves.
    #[error("{0}")]
    OutOfRange(String),
    #[error("{0}")]
    DoesNotFit(String),
    #[error(transparent)]
    Unknown(#[from] UnknownMemory),
}

fault! { PlanError {
    PlanError::OutOfRange(_) => Usage,
    PlanError::DoesNotFit(_) => System,
    PlanError::Unknown(error) => Of(error),
} }

/// Refuses work that needs more memory than the limit, or without one than is free. `way_out` gets
/// the memory that may be used.
fn expect_memory(
    boards: &Boards,
    needed: u64,
    limit: Option<u64>,
    way_out: impl FnOnce(u64) -> String,
) -> Result<(), PlanError> {
    let available = memory_limit(limit)?;
    if needed <= available {
        return Ok(());
    }
    Err(PlanError::DoesNotFit(format!(
        "{} needs {} of memory and {} may be used: {}",
        boards.words(),
        human_bytes(needed),
        human_bytes(available),
        way_out(available)
    )))
}

impl Plan {
    pub fn of_enumeration(length: usize) -> Result<Plan, PlanError> {
        if !(MIN_LENGTH..=bits::MAX_LENGTH).contains(&length) {
            return Err(PlanError::OutOfRange(format!(
                "length {length} is out of range: lengths {MIN_LENGTH} to {} can be enumerated",
                bits::MAX_LENGTH
            )));
        }
        Ok(Plan {
            boards: Boards::strip(length),
            positions: u64::try_from(positions(length))
                .expect("the longest strip that is enumerated has fewer than 2^64 positions"),
            memory: bits::bytes(length),
            scratch: 0,
            disk: 0,
            movable: 0,
        })
    }

    pub fn check_memory(&self, memory: Option<u64>) -> Result<(), PlanError> {
        let way_out = |available| self.way_out(memory.is_some(), available);
        expect_memory(&self.boards, self.memory, memory, way_out)
    }

    /// Estimates a pitch.
    pub fn of_pitch(setup: &Setup) -> Result<Plan, PlanError> {
        let shape = setup.shape;
        let needs = Needs::of(setup).map_err(|_| {
            let positions = phutbase_rules::pitch::positions(shape).unwrap_or(u128::MAX);
            PlanError::OutOfRange(format!(
                "a {shape} pitch has {} points and {positions} positions: the engine supports up to {MAX_PITCH_POINTS} points",
                shape.points()
            ))
        })?;
        Ok(Plan::of_needs(setup, &needs, needs.saved()))
    }

    /// Estimates a pitch with these needs, of which this process writes `written` bytes, unpacked.
    /// The disk estimate is several times the measured use; if it is still too low, the run ends
    /// with an error and keeps the last checkpoint.
    pub fn of_needs(setup: &Setup, needs: &Needs, written: u64) -> Plan {
        // An eighth of the unpacked size; a fiftieth was measured on 8 x 3. Doubled, because the
        // next checkpoint is written before the last is deleted.
        const PACKED: u64 = 8;
        let checkpoints = 2 * needs.saved() / PACKED;
        let table = u64::from(setup.with_depths) * (needs.depths / PACKED + 4096);
        // Packed frames in memory while writing.
        const WRITING: u64 = 256 << 20;
        let stores = needs.stores();
        let movable = if setup.scratch.is_none() { stores } else { 0 };
        let positions = phutbase_rules::pitch::positions(setup.shape);
        Plan {
            boards: Boards::Pitch(setup.shape),
            positions: (positions.and_then(|count| u64::try_from(count).ok()))
                .expect("a pitch that is solved has fewer than 2^64 positions"),
            memory: movable + needs.maps + WRITING.min(written),
            scratch: stores - movable,
            disk: checkpoints + table,
            movable,
        }
    }

    /// Checks that a pitch fits into the memory, a limit or the free one, and on the disks.
    pub fn check_pitch(&self, request: &Request<Setup>, memory: Option<u64>) -> Result<(), PlanError> {
        self.check_memory(memory)?;
        // An interrupted run left bytes in the directory of tables.
        let left = std::fs::metadata(request.checkpoint()).map_or(0, |file| file.len());
        self.check_disk(&request.tables, self.disk.saturating_sub(left))?;
        match &request.work.scratch {
            Some(directory) => self.check_disk(directory, self.scratch),
            None => Ok(()),
        }
    }

    fn way_out(&self, limited: bool, available: u64) -> String {
        if self.movable > 0 && self.memory - self.movable <= available {
            let movable = human_bytes(self.movable);
            format!("keep {movable} of it on a disk with --scratch DIR, or allow more with --memory")
        } else {
            allow_more(limited).to_string()
        }
    }

    fn check_disk(&self, directory: &Path, needed: u64) -> Result<(), PlanError> {
        let available = available_space(directory);
        if needed > available {
            let (needed, available) = (human_bytes(needed), human_bytes(available));
            let (boards, directory) = (self.boards.words(), directory.display());
            return Err(PlanError::DoesNotFit(format!(
                "{boards} needs {needed} in '{directory}' and {available} are free: free some, or choose another directory"
            )));
        }
        Ok(())
    }
}

fn allow_more(limited: bool) -> &'static str {
    if limited {
        "allow more with --memory"
    } else {
        "free some memory, or choose smaller boards"
    }
}

/// Refuses to make a table of strips in too little memory.
pub fn check_strip_memory(length: usize, metric: Metric, memory: Option<u64>) -> Result<(), PlanError> {
    let way_out = |_| allow_more(memory.is_some()).to_string();
    expect_memory(
        &Boards::strip(length),
        strip_memory(length, metric),
        memory,
        way_out,
    )
}

/// Estimates the memory, in bytes, that a table of strips takes, from those measured
/// (docs/BENCHMARKS.md): depths of 36 and 44 squares, levels of 64 and 80, and winners of 64, 144 and 200.
pub fn strip_memory(length: usize, metric: Metric) -> u64 {
    let from = |mebibytes: f64, at: usize, factor: f64| {
        (1.0 + mebibytes * factor.powi(length as i32 - at as i32)) * f64::from(1 << 20)
    };
    // Conversions saturate.
    let bytes = match metric {
        Metric::Dtw => from(360.0, 36, 1.35),
        Metric::Levels => from(160.0, 64, 1.13),
        Metric::Wdl => 10e6 + 160e6 * (length as f64 / 144.0).powf(4.1),
    };
    bytes as u64
}

/// Estimates the processor time that the levels of a length take, from the 3 s of 64 squares and the 25 s
/// of 80 (docs/BENCHMARKS.md).
pub fn levels_estimate(length: usize) -> Duration {
    Duration::try_from_secs_f64(3.0 * 1.145f64.powi(length as i32 - 64)).unwrap_or(Duration::MAX)
}

/// Estimates the processor time that depths of a length take, from those measured for 28, 32, 36 and 44
/// squares (docs/BENCHMARKS.md).
pub fn depths_estimate(length: usize) -> Duration {
    Duration::try_from_secs_f64(5.0 * 1.47f64.powi(length as i32 - 36)).unwrap_or(Duration::MAX)
}
