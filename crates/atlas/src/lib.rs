//! The atlas: one text in Markdown, with its pictures.

pub mod charts;
pub mod claims;
pub mod depths;
pub mod document;
pub mod pitches;
mod plot;
pub mod tables;
pub mod text;

use claims::ClaimRow;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use phutbase_base::fault;
use phutbase_base::job::{Job, Stopped};
use phutbase_solution::count::limit;
use phutbase_solve::generate::GenerateError;
use phutbase_tables::{NimberTable, TableError, Tablebase};
use phutbase_theory::error::TheoryError;
use phutbase_theory::forward::Needed;
use phutbase_theory::generalized;
use std::fmt::Display;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    pub length: usize,
    pub oddish_squares: usize,
}

/// The reason why there is no atlas.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Numbers disagree, or an expected fact does not hold.
    #[error("{0}")]
    Wrong(String),
    /// A computation failed or was stopped.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Pitch(#[from] GenerateError),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

fault! { ReportError {
    ReportError::Wrong(_) => Failure,
    ReportError::Theory(error) => Of(error),
    ReportError::Table(error) => Of(error),
    ReportError::Pitch(error) => Of(error),
    ReportError::Stopped(error) => Of(error),
} }

impl ReportError {
    fn disagreement(length: usize, one: &BigUint, other: &BigUint) -> ReportError {
        ReportError::Wrong(format!(
            "length {length}: one count says {one} wins and another {other}; `phutbase verify {length}` checks the table"
        ))
    }

    fn example(position: impl Display, claim: &str) -> ReportError {
        ReportError::Wrong(format!("'{position}' does not show that {claim}, which is a bug"))
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub length: usize,
    pub positions: BigUint,
    pub wins: BigUint,
    pub losses: BigUint,
    /// Positions by plies to the end, from 1; empty without depths.
    pub depths: Vec<u128>,
    /// The maximum of the backward turns that boards need.
    pub backward_turns: usize,
    /// True if a table holds the levels of forward play.
    pub has_levels: bool,
    /// The backward turns that boards need, at the lengths of a table where the maximum rises.
    pub needed: Option<Needed>,
    /// Errors of the generalized potential; `None` beyond the scope of the atlas.
    pub errors: Option<u128>,
}

impl Row {
    /// Returns the longest game in plies, if depths are known.
    pub fn longest(&self) -> Option<usize> {
        let last = self.depths.iter().rposition(|&count| count > 0)?;
        Some(last + 1)
    }

    pub fn ratio(&self) -> f64 {
        float(&self.wins) / float(&self.losses)
    }
}

/// Converts a number with the precision of a picture.
fn float(number: &BigUint) -> f64 {
    number.to_f64().unwrap_or(f64::INFINITY)
}

#[derive(Clone, Debug)]
pub struct Atlas {
    pub scope: Scope,
    /// By length, from 3.
    pub rows: Vec<Row>,
    /// The limit of the share of wins on long strips.
    pub limit: f64,
    pub pitches: Vec<pitches::PitchCounts>,
    pub nimbers: NimberTable,
    pub claims: Vec<ClaimRow>,
}

pub fn collect(scope: Scope, tablebase: &Tablebase, job: &Job) -> Result<Atlas, ReportError> {
    let mut rows = tables::read(tablebase, job)?;
    depths::complete(&mut rows)?;
    let nimbers = tablebase.nimbers()?.clone();
    for row in rows.iter_mut().take_while(|row| row.length <= scope.length) {
        let counts = generalized::count(row.length, job)?;
        row.errors = Some(counts.false_wins + counts.false_losses);
    }
    let pitches = pitches::collect(tablebase, job)?;
    let claims = claims::all(scope, &rows, tablebase, &pitches, &nimbers, job)?;
    job.note("the limit")?;
    Ok(Atlas {
        scope,
        limit: limit(job)?,
        rows,
        pitches,
        nimbers,
        claims,
    })
}
