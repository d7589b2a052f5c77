//! Numbers and pictures for people: the atlas, one self-contained page and its Markdown twin.
//!
//! * [`collect`] — everything that the atlas shows, from tables;
//! * [`tables`], [`pitches`] — what is stored, and what was computed once;
//! * `results` — how far the strip is settled, in one table;
//! * [`limit`] — an estimate of the limit of wins to losses;
//! * [`claims`] — the statements of the papers and the project's own, each with its verdict;
//! * [`charts`] — curves as SVG; [`boards`] — positions as SVG;
//! * [`document`] — sections, tables and pictures in their order, the same for both forms;
//! * [`page`] — the HTML page; [`markdown`] — its twin, with the pictures as files beside it;
//! * [`text`] — numbers in digits and words.

pub mod boards;
pub mod charts;
pub mod claims;
pub mod document;
pub mod limit;
pub mod markdown;
pub mod page;
pub mod pitches;
mod plot;
mod results;
pub mod tables;
pub mod text;

use crate::games::boards::Boards;
use crate::games::strip::MIN_LENGTH;
use crate::generate::GenerateError;
use crate::solve::nimbers::Stopped;
use crate::table::error::TableError;
use crate::table::nimbers::NimberTable;
use crate::table::tablebase::Tablebase;
use crate::theory::chain::Crossing;
use crate::theory::exact::diagrams::Diagrams;
use crate::theory::exact::relation::Relation;
use crate::theory::exact::rows::Unranked;
use crate::theory::exact::trie::Tries;
use crate::theory::exact::{Duel, ExactPotential, PairClass, one_number_suffices};
use crate::theory::forward::Needed;
use crate::theory::generalized::count_by_classes;
use crate::theory::watch::{TheoryError, Watch};
use claims::Claim;
use limit::Limit;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;
use std::fmt::Display;

/// How far the atlas reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Potentials are computed for strips up to this length.
    pub length: usize,
    /// Oddish boards up to this many squares.
    pub oddish_squares: usize,
}

/// Why there is no atlas.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Numbers that should agree do not, or what should be so is not, in words.
    #[error("{0}")]
    Wrong(String),
    /// A computation failed or was stopped.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// A table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A pitch could not be solved.
    #[error(transparent)]
    Pitch(#[from] GenerateError),
    /// A nimber was not found.
    #[error(transparent)]
    Nimber(#[from] Stopped),
}

impl ReportError {
    fn disagreement(length: usize, one: &BigUint, other: &BigUint) -> ReportError {
        ReportError::Wrong(format!(
            "length {length}: one count says {one} wins and another {other}; `phutbase verify {length}` checks the table"
        ))
    }

    fn example(position: impl Display, claim: &str) -> ReportError {
        ReportError::Wrong(format!(
            "'{position}' should show that {claim}, and does not: this is a bug"
        ))
    }
}

/// What is known of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The number of squares.
    pub length: usize,
    /// Positions with Left to move.
    pub positions: BigUint,
    /// Those that the mover wins.
    pub wins: BigUint,
    /// Those that the mover loses.
    pub losses: BigUint,
    /// Positions by plies to the end, from 1; empty where neither arrays nor a table reach.
    pub depths: Vec<u128>,
    /// Nodes of the two sets of won positions as diagrams, where they are known.
    pub nodes: Option<usize>,
    /// The backward turns that boards need, where levels of forward play are known.
    pub needed: Option<Needed>,
    /// Whether the chain property holds, where a table can be asked; boards that show it if it does not.
    pub chain: Option<Result<(), Crossing>>,
    /// The potentials; `None` past the scope of the atlas.
    pub potentials: Option<Potentials>,
    /// The most backward turns that a board needs, where a table has levels of forward play.
    pub backward_turns: Option<usize>,
    /// Whether a table holds the length.
    pub tabled: bool,
}

/// The potentials of one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Potentials {
    /// Mismatches of the generalized potential.
    pub errors: u128,
    /// The largest number among the least κ and λ for all lengths up to this one.
    pub largest: u32,
    /// Half strips that no single numbers κ = λ explain, up to here; empty if such numbers do.
    pub cycle: Vec<Duel>,
}

impl Row {
    /// The longest game in plies, where depths are known.
    pub fn longest(&self) -> Option<usize> {
        let last = self.depths.iter().rposition(|&count| count > 0)?;
        Some(last + 1)
    }

    /// Wins to a loss.
    pub fn ratio(&self) -> f64 {
        float(&self.wins) / float(&self.losses)
    }

    /// Whether neither player can be held to a draw.
    pub fn decided(&self) -> bool {
        &self.wins + &self.losses == self.positions
    }
}

/// A number as near as a picture shows it.
fn float(number: &BigUint) -> f64 {
    number.to_f64().unwrap_or(f64::INFINITY)
}

/// Everything that the atlas shows.
#[derive(Clone, Debug)]
pub struct Atlas {
    /// How far it reaches.
    pub scope: Scope,
    /// By length, from 3; past what was computed only the lengths of which there is a table.
    pub rows: Vec<Row>,
    /// The limit of wins to losses, where the lengths suffice for an estimate.
    pub limit: Option<Limit>,
    /// The classes of the exact potential by half length, from 1.
    pub classes: Vec<Vec<PairClass>>,
    /// States of the minimal automata, by half length, from the goal line on.
    pub states: Vec<Vec<usize>>,
    /// Which small pitches have draws.
    pub pitches: Vec<pitches::Counts>,
    /// The nimbers of Obstruction in the directory of tables.
    pub nimbers: NimberTable,
    /// Statements with verdicts.
    pub claims: Vec<Claim>,
}

impl Atlas {
    /// The last length whose potentials were computed; 0 if there is none.
    pub fn computed(&self) -> usize {
        let computed = self.rows.iter().rfind(|row| row.potentials.is_some());
        computed.map_or(0, |row| row.length)
    }
}

/// Computes an atlas from tables.
pub fn collect(scope: Scope, tablebase: &Tablebase, watch: Watch<'_>) -> Result<Atlas, ReportError> {
    let mut rows = tables::read(tablebase)?;
    if rows.is_empty() {
        return Err(tablebase.missing(Boards::strip(MIN_LENGTH), false).into());
    }
    let nimbers = tablebase.nimbers()?.clone();
    let mut found: Option<ExactPotential> = None;
    for row in rows.iter_mut().take_while(|row| row.length <= scope.length) {
        let shorter = found
            .take()
            .map_or(Relation::default(), ExactPotential::into_relation);
        found = Some(step(&format!("length {}", row.length), watch, |watch| {
            watch.check(row.length)?;
            potentials(shorter, row, tablebase)
        })?);
    }
    let pitches = step("pitches", watch, |watch| pitches::collect(tablebase, watch))?;
    let examiner = claims::Examiner::new(tablebase, watch)?;
    let claims = examiner.finish(scope, &rows, tablebase, &pitches, &nimbers, watch)?;
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

/// Does a part of the work under a title.
fn step<T>(
    what: &str,
    watch: Watch<'_>,
    work: impl FnOnce(Watch<'_>) -> Result<T, ReportError>,
) -> Result<T, ReportError> {
    let say = |detail: String| (watch.say)(format!("{what}: {detail}"));
    (watch.say)(what.to_string());
    work(Watch { say: &say, ..watch })
}

/// Finds the potentials of a length, added to the relation of those before; its counts must be the table's.
fn potentials(
    mut relation: Relation,
    row: &mut Row,
    tablebase: &Tablebase,
) -> Result<ExactPotential, ReportError> {
    let length = row.length;
    let unranked = |source: Unranked| ReportError::Wrong(format!("length {length}: {source}"));
    let diagrams = tablebase.ask(length, |table| Diagrams::of(&table.sets(length)?))?;
    let [wins, losses] = diagrams.wins_and_losses();
    if (&wins, &losses) != (&row.wins, &row.losses) {
        return Err(ReportError::disagreement(length, &wins, &row.wins));
    }
    let errors = count_by_classes(&diagrams, &mut Tries::default()).map_err(unranked)?;
    relation.add(&diagrams).map_err(unranked)?;
    let cycle = one_number_suffices(&mut relation).err().unwrap_or_default();
    let explained = ExactPotential::new(relation).map_err(|(_, cycle)| {
        ReportError::Wrong(format!(
            "lengths up to {length}: the difference constraints on κ and λ have no solution; a cycle of {} duels",
            cycle.len()
        ))
    })?;
    row.nodes = Some(diagrams.nodes());
    row.potentials = Some(Potentials {
        errors: errors.false_wins + errors.false_losses,
        largest: explained.largest(),
        cycle,
    });
    Ok(explained)
}
