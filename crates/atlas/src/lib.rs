//! The atlas: a self-contained page, and the same in Markdown.

pub mod boards;
pub mod charts;
pub mod claims;
pub mod depths;
pub mod document;
pub mod limit;
pub mod markdown;
pub mod page;
pub mod pitches;
mod plot;
pub mod tables;
pub mod text;

use claims::Claim;
use limit::Limit;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use phutbase_base::job::{Job, Stopped};
use phutbase_generate::GenerateError;
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_table::{NimberTable, TableError, Tablebase};
use phutbase_theory::chain::Crossing;
use phutbase_theory::error::TheoryError;
use phutbase_theory::exact::diagrams::Diagrams;
use phutbase_theory::exact::explain::explain;
use phutbase_theory::exact::trie::Tries;
use phutbase_theory::exact::{Duel, ExactPotential, PairClass};
use phutbase_theory::forward::Needed;
use phutbase_theory::generalized::count_by_classes;
use std::collections::BTreeMap;
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
    /// Diagram nodes of the two sets of won positions, if known.
    pub nodes: Option<usize>,
    /// The backward turns that boards need, if levels of forward play are known.
    pub needed: Option<Needed>,
    /// The chain property by tables: `Err` holds a counterexample, `None` if unknown.
    pub chain: Option<Result<(), Crossing>>,
    /// The potentials; `None` beyond the scope of the atlas.
    pub potentials: Option<Potentials>,
    /// The maximum of the backward turns that boards need, if known.
    pub backward_turns: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Potentials {
    pub errors: u128,
    /// The largest of the least κ and λ for all lengths up to this one.
    pub largest: u32,
    /// Half strips that exclude κ = λ up to this length; empty if κ = λ suffices.
    pub cycle: Vec<Duel>,
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

    pub fn decided(&self) -> bool {
        &self.wins + &self.losses == self.positions
    }
}

/// Converts a number with the precision of a picture.
fn float(number: &BigUint) -> f64 {
    number.to_f64().unwrap_or(f64::INFINITY)
}

#[derive(Clone, Debug)]
pub struct Atlas {
    pub scope: Scope,
    /// By length, from 3; beyond the scope only lengths with a table.
    pub rows: Vec<Row>,
    /// The limit of wins to losses, if the lengths suffice for an estimate.
    pub limit: Option<Limit>,
    /// The classes of the exact potential by half length, from 1.
    pub classes: Vec<Vec<PairClass>>,
    /// States of the minimal automata, by half length, from the goal line on.
    pub states: Vec<Vec<usize>>,
    pub pitches: Vec<pitches::PitchCounts>,
    pub nimbers: NimberTable,
    pub claims: Vec<Claim>,
}

/// Returns the last length with potentials; 0 if there is none.
fn last_computed(rows: &[Row]) -> usize {
    let computed = rows.iter().rfind(|row| row.potentials.is_some());
    computed.map_or(0, |row| row.length)
}

pub fn collect(scope: Scope, tablebase: &Tablebase, job: &Job) -> Result<Atlas, ReportError> {
    let mut rows = tables::read(tablebase)?;
    depths::complete(&mut rows)?;
    if rows.is_empty() {
        return Err(tablebase.missing(Boards::strip(MIN_LENGTH), false).into());
    }
    let nimbers = tablebase.nimbers()?.clone();
    let mut found: Option<ExactPotential> = None;
    for row in rows.iter_mut().take_while(|row| row.length <= scope.length) {
        let shorter = found.take();
        job.note(format!("potentials of {} squares", row.length))?;
        found = Some(potentials(shorter, row, tablebase)?);
    }
    let pitches = pitches::collect(tablebase, job)?;
    let claims = claims::all(scope, &rows, tablebase, &pitches, &nimbers, job)?;
    let (classes, states) = (found.iter())
        .flat_map(|found| (1..=found.max_half()).map(|half| (found.classes(half), found.states(half))))
        .unzip();
    let wins: BTreeMap<usize, BigUint> = rows.iter().map(|row| (row.length, row.wins.clone())).collect();
    Ok(Atlas {
        scope,
        limit: limit::estimate(&wins),
        rows,
        classes,
        states,
        pitches,
        nimbers,
        claims,
    })
}

/// Computes the potentials of a length after those before; its counts must match the table's.
fn potentials(
    shorter: Option<ExactPotential>,
    row: &mut Row,
    tablebase: &Tablebase,
) -> Result<ExactPotential, ReportError> {
    let length = row.length;
    let diagrams = tablebase.ask_strips(length, None, |table| Diagrams::of(&table.sets(length)?))?;
    let [wins, losses] = diagrams.wins_and_losses();
    if (&wins, &losses) != (&row.wins, &row.losses) {
        return Err(ReportError::disagreement(length, &wins, &row.wins));
    }
    let errors = count_by_classes(&diagrams, &mut Tries::default())
        .map_err(|source| ReportError::Wrong(format!("length {length}: {source}")))?;
    let (explained, cycle) = explain(shorter, &diagrams)?;
    row.nodes = Some(diagrams.nodes());
    row.potentials = Some(Potentials {
        errors: errors.false_wins + errors.false_losses,
        largest: explained.largest(),
        cycle,
    });
    Ok(explained)
}
