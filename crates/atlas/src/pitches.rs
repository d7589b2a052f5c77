//! Counts of draws on small pitches, computed once or from tables.
//!
//! Solving all of them takes half an hour, so `pitches.tsv` keeps the output of:
//!
//! ```text
//! phutbase generate 7x3 --count-only --json
//! ```
//!
//! The tests repeat the smaller ones, and every atlas those of up to [`AGAIN`] points.

use super::ReportError;
use num_bigint::BigUint;
use phutbase_base::job::Job;
use phutbase_pitches::solver::PitchSolver;
use phutbase_rules::pitch::{MAX_SIDE, Shape};
use phutbase_solve::generate::GenerateError;
use phutbase_tables::{Summary, Tablebase};
use std::collections::BTreeMap;

/// Pitches of up to this many points are solved again for each atlas.
pub const AGAIN: usize = 21;

/// Rows, columns, wins, losses, draws with Alfred to move, and the plies of the longest game.
const COUNTS: &str = include_str!("pitches.tsv");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PitchCounts {
    pub shape: Shape,
    /// Positions with Alfred to move that he wins.
    pub wins: u64,
    /// Positions with Alfred to move that he loses.
    pub losses: u64,
    pub draws: u64,
    pub longest: usize,
}

impl PitchCounts {
    fn of(shape: Shape, summary: Summary) -> PitchCounts {
        let count = |count: BigUint| {
            u64::try_from(count).expect("a pitch that is solved has fewer than 2^64 positions")
        };
        PitchCounts {
            shape,
            longest: summary.longest().into(),
            wins: count(summary.wins),
            losses: count(summary.losses),
            draws: count(summary.draws),
        }
    }

    pub fn positions(&self) -> u128 {
        [self.wins, self.losses, self.draws].map(u128::from).iter().sum()
    }
}

/// Returns the stored counts, by area and then by columns.
pub fn settled() -> Vec<PitchCounts> {
    let mut counts: Vec<PitchCounts> = COUNTS.lines().filter_map(parse).collect();
    sort(&mut counts);
    counts
}

fn sort(counts: &mut [PitchCounts]) {
    counts.sort_by_key(|counts| (counts.shape.points(), counts.shape.columns()));
}

fn parse(line: &str) -> Option<PitchCounts> {
    let fields: Vec<u64> = line
        .split('\t')
        .map(|field| field.parse().ok())
        .collect::<Option<_>>()?;
    let &[rows, columns, wins, losses, draws, longest] = &fields[..] else {
        return None;
    };
    Some(PitchCounts {
        shape: Shape::new(rows as usize, columns as usize)?,
        wins,
        losses,
        draws,
        longest: longest as usize,
    })
}

pub fn count(shape: Shape, job: &Job) -> Result<PitchCounts, ReportError> {
    let mut solver = PitchSolver::new(shape, false).map_err(GenerateError::from)?;
    while solver.step(job).map_err(GenerateError::from)? > 0 {}
    Ok(PitchCounts::of(shape, Summary::of_pitch(shape, solver.counts())))
}

/// Combines stored counts, repeated for small pitches, with those of the tables.
pub fn collect(tables: &Tablebase, job: &Job) -> Result<Vec<PitchCounts>, ReportError> {
    let mut known: BTreeMap<Shape, PitchCounts> = BTreeMap::new();
    for counts in settled() {
        known.insert(counts.shape, counts);
        if counts.shape.points() <= AGAIN {
            job.note(format!("pitch {}", counts.shape))?;
            agree(&mut known, count(counts.shape, job)?)?;
        }
    }
    for shape in tables.shapes() {
        let summary = tables.ask_pitch(shape, Ok)?.summary();
        agree(&mut known, PitchCounts::of(shape, summary))?;
    }
    let mut all: Vec<PitchCounts> = known.into_values().collect();
    sort(&mut all);
    Ok(all)
}

fn agree(known: &mut BTreeMap<Shape, PitchCounts>, found: PitchCounts) -> Result<(), ReportError> {
    match known.insert(found.shape, found) {
        Some(before) if before != found => Err(ReportError::Wrong(format!(
            "pitch {shape}: one count says {} draws and another {}, or other wins; `phutbase verify {shape}` checks the table",
            before.draws,
            found.draws,
            shape = found.shape
        ))),
        _ => Ok(()),
    }
}

/// Returns the largest area up to which all pitches of at least two columns are counted.
pub fn settled_up_to(counts: &[PitchCounts]) -> usize {
    let largest = counts.last().map_or(0, |counts| counts.shape.points());
    let known = |shape: Shape| counts.iter().any(|counts| counts.shape == shape);
    let whole = |points: &usize| {
        let mut shapes = (2..=MAX_SIDE)
            .filter(|columns| points.is_multiple_of(*columns))
            .filter_map(|columns| Shape::new(points / columns, columns));
        shapes.all(known)
    };
    (1..=largest).take_while(whole).last().unwrap_or(0)
}
