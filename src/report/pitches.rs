//! Which small pitches have draws: counts that were computed once, and those of the tables at hand.
//!
//! Solving all of them takes half an hour, so the counts are kept in `pitches.tsv`. Each line is what one command prints:
//!
//! ```text
//! phutbase draws 7x3 --count-only --json
//! ```
//!
//! The tests solve the smaller ones again, and the atlas does so for pitches up to [`AGAIN`] points while it is made.

use super::ReportError;
use crate::games::boards::Boards;
use crate::games::pitch::{MAX_SIDE, Shape, positions};
use crate::generate::GenerateError;
use crate::solve::pitch::PitchSolver;
use crate::table::Summary;
use crate::table::tablebase::Tablebase;
use crate::theory::watch::Watch;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Pitches of so many points are solved again for each atlas.
pub const AGAIN: usize = 21;

/// The counts: rows, columns, wins, losses, draws with Alfred to move, and the plies of the longest game.
const COUNTS: &str = include_str!("pitches.tsv");

/// One pitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Its size.
    pub shape: Shape,
    /// Positions with Alfred to move that he wins.
    pub wins: u64,
    /// Those that he loses.
    pub losses: u64,
    /// Those that neither can win.
    pub draws: u64,
    /// The longest win or loss, in plies.
    pub longest: usize,
}

impl Counts {
    /// All positions with Alfred to move.
    pub fn positions(&self) -> u128 {
        [self.wins, self.losses, self.draws].map(u128::from).iter().sum()
    }
}

/// The counts that were computed once, by area and then by columns.
pub fn settled() -> Vec<Counts> {
    let mut counts: Vec<Counts> = COUNTS.lines().filter_map(parse).collect();
    sort(&mut counts);
    counts
}

fn sort(counts: &mut [Counts]) {
    counts.sort_by_key(|counts| (counts.shape.points(), counts.shape.columns()));
}

/// A line; `None` for a comment.
fn parse(line: &str) -> Option<Counts> {
    let fields: Vec<u64> = line
        .split('\t')
        .map(|field| field.parse().ok())
        .collect::<Option<_>>()?;
    let &[rows, columns, wins, losses, draws, longest] = &fields[..] else {
        return None;
    };
    Some(Counts {
        shape: Shape::new(rows as usize, columns as usize)?,
        wins,
        losses,
        draws,
        longest: longest as usize,
    })
}

/// Solves a pitch for its counts.
///
/// # Errors
/// [`ReportError::Pitch`], also if it is interrupted.
pub fn count(shape: Shape, watch: Watch<'_>) -> Result<Counts, ReportError> {
    let mut solver = PitchSolver::new(shape, false).map_err(GenerateError::from)?;
    while solver.step().map_err(GenerateError::from)? > 0 {
        if watch.check(shape.points()).is_err() {
            let ply = solver.counts().len();
            return Err(GenerateError::Interrupted {
                boards: Boards::Pitch(shape),
                place: format!("ply {ply}"),
                saved: false,
            }
            .into());
        }
    }
    Ok(Counts::of(&solver))
}

impl Counts {
    /// The same without depths.
    pub fn summary(&self) -> Summary {
        Summary {
            wins: self.wins.into(),
            losses: self.losses.into(),
            draws: self.draws.into(),
            ..Summary::default()
        }
    }

    /// Those of a pitch that is solved.
    pub fn of(solver: &PitchSolver) -> Counts {
        let shape = solver.layout().shape();
        let plies = solver.counts();
        let all = positions(shape).and_then(|all| u64::try_from(all).ok());
        let all = all.expect("a pitch that is solved has fewer than 2^64 positions");
        let sum = |first: usize| -> u64 { plies.iter().skip(first).step_by(2).sum() };
        let (wins, losses) = (sum(0), sum(1));
        let last = plies.iter().rposition(|&count| count > 0);
        Counts {
            shape,
            wins,
            losses,
            draws: all - wins - losses,
            longest: last.map_or(0, |last| last + 1),
        }
    }
}

/// All counts: those that were computed once, the small ones computed again, and those of the tables of a directory.
///
/// # Errors
/// [`ReportError::Wrong`] if two of them differ; [`ReportError::Pitch`], [`ReportError::Table`].
pub fn collect(tables: &Tablebase, watch: Watch<'_>) -> Result<Vec<Counts>, ReportError> {
    let mut known: BTreeMap<Shape, Counts> = BTreeMap::new();
    for counts in settled() {
        known.insert(counts.shape, counts);
        if counts.shape.points() <= AGAIN {
            (watch.say)(format!("pitch {}", counts.shape));
            agree(&mut known, count(counts.shape, watch)?)?;
        }
    }
    for shape in tables.shapes() {
        let summary = tables.pitch(shape)?.summary();
        let count = |count: BigUint| {
            u64::try_from(count).expect("a pitch that has a table has fewer than 2^64 positions")
        };
        let counts = Counts {
            shape,
            longest: summary.longest().into(),
            wins: count(summary.wins),
            losses: count(summary.losses),
            draws: count(summary.draws),
        };
        agree(&mut known, counts)?;
    }
    let mut all: Vec<Counts> = known.into_values().collect();
    sort(&mut all);
    Ok(all)
}

fn agree(known: &mut BTreeMap<Shape, Counts>, found: Counts) -> Result<(), ReportError> {
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

/// The most points such that every pitch of at least two columns with no more of them is among the counts.
pub fn settled_up_to(counts: &[Counts]) -> usize {
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
