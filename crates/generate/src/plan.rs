//! Estimates of the memory and disk that a table needs, made before anything is allocated.

use super::Request;
use phutbase_base::digits::human_bytes;
use phutbase_machine::space::{available_space, free_memory};
use phutbase_pitches::solver::{MAX_PITCH_POINTS, Needs, Setup};
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::{MIN_LENGTH, positions};
use phutbase_strips::dense::MAX_DENSE_LENGTH;
use phutbase_strips::dense::layout::DenseLayout;
use phutbase_strips::symbolic::SymbolicLimits;
use phutbase_table::Metric;
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
}

/// Refuses work that needs more memory than the limit, or without one than is free. `way_out` gets
/// the memory that may be used.
fn expect_memory(
    boards: &Boards,
    needed: u64,
    limit: Option<u64>,
    way_out: impl FnOnce(u64) -> String,
) -> Result<(), PlanError> {
    let available = limit.unwrap_or_else(free_memory);
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
        if !(MIN_LENGTH..=MAX_DENSE_LENGTH).contains(&length) {
            return Err(PlanError::OutOfRange(format!(
                "length {length} is out of range: lengths {MIN_LENGTH} to {MAX_DENSE_LENGTH} can be enumerated"
            )));
        }
        let layout = DenseLayout::new(length);
        // Per block number, the changed ball squares of either plane.
        let masks = 16u64 << layout.high_bits();
        // The blocks that planes share: a fit above measurements for lengths 20 to 32. The exact
        // number is known only afterwards.
        let shared = 1.5 * (1 << 20) as f64 * 1.34f64.powi(length as i32 - 13);
        Ok(Plan {
            boards: Boards::strip(length),
            positions: u64::try_from(positions(length))
                .expect("the longest strip that is enumerated has fewer than 2^64 positions"),
            memory: 2 * layout.plane_bytes() + masks + shared as u64,
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
                "a {shape} pitch has {} points and {positions} positions, {} of depths alone: the engine supports up to {MAX_PITCH_POINTS} points",
                shape.points(),
                u64::try_from(positions).map_or("more than 16 EiB".to_string(), human_bytes)
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

/// Refuses to solve strips of a length in so little memory that most of the time goes into repeated
/// work, or that writing the table of depths takes more.
pub fn check_strip_memory(length: usize, metric: Metric, memory: Option<u64>) -> Result<(), PlanError> {
    let needed = match metric {
        Metric::Levels => winners_estimate(length),
        Metric::Wdl => won_estimate(length),
        // Writing the table of 36 squares takes 50 MiB.
        Metric::Dtw => depths_estimate(length).1 / 8,
    };
    let way_out = |_| allow_more(memory.is_some()).to_string();
    expect_memory(&Boards::strip(length), needed, memory, way_out)
}

/// Estimates the least memory, in bytes, with which the levels of a length are computed in at most a
/// few times the shortest time: 64 squares do not fit in 32 MiB, with the copy for a checkpoint. It grows
/// about as the memory of a run without a limit ([`winners_memory`]).
fn winners_estimate(length: usize) -> u64 {
    (40.0 * (1 << 20) as f64 * 1.067f64.powi(length as i32 - 64)) as u64
}

/// Estimates the memory, in bytes, that the boards won on a length take when the solution makes them:
/// 15 MB for 64 squares, 170 MB for 144 and 630 MB for 200.
pub fn won_estimate(length: usize) -> u64 {
    (10e6 + 160e6 * (length as f64 / 144.0).powf(4.1)) as u64
}

/// Estimates the memory, in bytes, with which the levels of a length take the least time. Without a
/// collection of garbage, 64 squares took 110 MiB, 96 squares 1.3 GiB and 112 squares 3.1 GiB.
pub fn winners_memory(length: usize) -> u64 {
    (1.4 * (1 << 30) as f64 * 1.07f64.powi(length as i32 - 96)) as u64
}

/// Estimates the processor time that the levels of a length take, from the 23 s of 96 squares, the 130 s
/// of 112 and the 133 minutes of 144 (docs/BENCHMARKS.md).
pub fn levels_estimate(length: usize) -> Duration {
    Duration::try_from_secs_f64(23.0 * 1.125f64.powi(length as i32 - 96)).unwrap_or(Duration::MAX)
}

/// Estimates the processor time and the bytes of memory that depths of a length take, from those
/// measured for 28, 32 and 36 squares (docs/BENCHMARKS.md): either grows by the same factor from
/// one length to the next.
pub fn depths_estimate(length: usize) -> (Duration, u64) {
    let more = length as i32 - 36;
    let seconds = 3.3 * 1.42f64.powi(more);
    let bytes = 357.0 * (1 << 20) as f64 * 1.35f64.powi(more);
    // Conversions saturate.
    (Duration::from_secs(seconds as u64), bytes as u64)
}

/// Returns the limits of the symbolic engine: a number of bytes, or the free memory.
pub fn symbolic_limits(memory: Option<u64>) -> SymbolicLimits {
    SymbolicLimits {
        memory: memory.unwrap_or_else(free_memory),
        ..SymbolicLimits::default()
    }
}
