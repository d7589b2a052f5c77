//! Numbers and pictures for people: the atlas, one self-contained page and its Markdown twin.
//!
//! * [`collect`] — everything that the atlas shows, computed;
//! * [`claims`] — the statements of the papers and the project's own, each with its verdict;
//! * [`charts`] — curves as SVG; [`strips`] — positions as SVG;
//! * [`page`] — the HTML page; [`markdown`] — its twin, with the pictures as files beside it.

pub mod charts;
pub mod claims;
pub mod markdown;
pub mod page;
pub mod strips;

use crate::games::strip::MIN_LENGTH;
use crate::generate::Request;
use crate::generate::plan::{Plan, free_memory};
use crate::solve::symbolic::Limits;
use crate::table::Metric;
use crate::theory::exact::diagrams::Diagrams;
use crate::theory::exact::relation::Relation;
use crate::theory::exact::rows::Unranked;
use crate::theory::exact::trie::Tries;
use crate::theory::exact::{Duel, ExactPotential, PairClass, one_number_suffices};
use crate::theory::generalized::count_by_classes;
use crate::theory::planes::{Planes, TheoryError, Watch};
use claims::Claim;

/// How far the atlas reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Strips up to this length are enumerated: depths, counterexamples.
    pub dense_length: usize,
    /// Strips up to this length are solved as diagrams: counts, potentials.
    pub symbolic_length: usize,
    /// Oddish boards up to this many squares.
    pub oddish_squares: usize,
}

/// Why there is no atlas.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A length could not be solved.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// The half boards of a length have no ranks.
    #[error("length {length}: {source}")]
    Unranked {
        /// The length.
        length: usize,
        /// Why.
        source: Unranked,
    },
    /// No κ and λ explain the lengths.
    #[error("lengths up to {length}: no κ and λ explain them; a circle of {} duels", circle.len())]
    Unexplained {
        /// The last length.
        length: usize,
        /// The counterexample.
        circle: Vec<Duel>,
    },
    /// Arrays and diagrams disagree.
    #[error("length {length}: arrays count {dense} wins and diagrams {symbolic}")]
    Disagreement {
        /// The length.
        length: usize,
        /// Wins by arrays.
        dense: u128,
        /// Wins by diagrams.
        symbolic: u128,
    },
    /// A picture could not be drawn.
    #[error("cannot draw the picture '{picture}': {reason}")]
    Picture {
        /// Its name.
        picture: &'static str,
        /// What the library says.
        reason: String,
    },
}

/// What is known of one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The number of squares.
    pub length: usize,
    /// Positions with Left to move.
    pub positions: u128,
    /// Those that the mover wins.
    pub wins: u128,
    /// Those that the mover loses.
    pub losses: u128,
    /// Positions by plies to the end, from 1; empty where only diagrams reach.
    pub depths: Vec<u64>,
    /// Mismatches of the generalized potential.
    pub errors: u128,
    /// The largest number among the least κ and λ for all lengths up to this one.
    pub largest: u32,
    /// Half strips that no single numbers κ = λ explain, up to here; empty if such numbers do.
    pub circle: Vec<Duel>,
    /// Nodes of the two sets of positions as diagrams.
    pub nodes: usize,
}

impl Row {
    /// The longest game in plies, where depths are known.
    pub fn longest(&self) -> Option<usize> {
        self.depths
            .iter()
            .rposition(|&count| count > 0)
            .map(|last| last + 1)
    }
}

/// Everything that the atlas shows.
#[derive(Clone, Debug)]
pub struct Atlas {
    /// How far it reaches.
    pub scope: Scope,
    /// By length, from 3.
    pub rows: Vec<Row>,
    /// The classes of the exact potential by half length, from 1.
    pub classes: Vec<Vec<PairClass>>,
    /// States of the minimal automata, by half length, from the goal line on.
    pub states: Vec<Vec<usize>>,
    /// Statements with verdicts.
    pub claims: Vec<Claim>,
    /// The lengths for which there are tables where the user keeps them.
    pub tables: Vec<usize>,
}

/// The memory in bytes that the arrays of an atlas take at once, at most: two neighbouring strips, or one Oddish board. The
/// diagrams come on top and take what they need, up to what the watch allows.
///
/// # Errors
/// [`ReportError::Theory`] if a length is out of range.
pub fn array_memory(scope: Scope) -> Result<u64, ReportError> {
    let memory = |length: usize| {
        let plan = Plan::new(&Request::new(length, Metric::Dtw)).map_err(TheoryError::from)?;
        Ok::<_, ReportError>(plan.memory)
    };
    let shorter = scope.dense_length.saturating_sub(1).max(MIN_LENGTH);
    let strips = memory(scope.dense_length)? + memory(shorter)?;
    Ok(strips.max(memory(scope.oddish_squares + 1)?))
}

/// Computes an atlas.
///
/// # Errors
/// [`ReportError`].
pub fn collect(scope: Scope, tables: Vec<usize>, watch: Watch<'_>) -> Result<Atlas, ReportError> {
    let mut relation = Relation::default();
    let mut rows = Vec::new();
    let mut claims = claims::Examiner::new(scope);
    let mut found = None;
    let last = scope.symbolic_length.max(scope.dense_length);
    for length in MIN_LENGTH..=last {
        (watch.say)(format!("length {length} of {last}"));
        let (row, with_length) = row(relation, length, scope, &mut claims, watch)?;
        rows.push(row);
        if length == last {
            found = Some(with_length);
            break;
        }
        relation = with_length.into_relation();
    }
    let claims = claims.finish(&rows, watch)?;
    let halves = 1..=found.as_ref().map_or(0, ExactPotential::max_half);
    let of_half = |half| {
        found
            .as_ref()
            .map(|found| (found.classes(half), found.states(half)))
    };
    let (classes, states) = halves.filter_map(of_half).unzip();
    Ok(Atlas {
        scope,
        rows,
        classes,
        states,
        claims,
        tables,
    })
}

/// One length, added to the relation of those before.
fn row(
    mut relation: Relation,
    length: usize,
    scope: Scope,
    claims: &mut claims::Examiner,
    watch: Watch<'_>,
) -> Result<(Row, ExactPotential), ReportError> {
    let unranked = |source| ReportError::Unranked { length, source };
    let limits = Limits {
        memory: watch.memory.unwrap_or_else(free_memory),
        ..Limits::default()
    };
    let mut diagrams = Diagrams::solve(length, limits, watch)?;
    let (wins, losses) = diagrams.wins_and_losses();
    let wins = u128::try_from(wins).unwrap_or(u128::MAX);
    let losses = u128::try_from(losses).unwrap_or(u128::MAX);
    let errors = count_by_classes(&mut diagrams, &mut Tries::default()).map_err(unranked)?;
    relation.add(&mut diagrams).map_err(unranked)?;
    let mut depths = Vec::new();
    if length <= scope.dense_length {
        let planes = Planes::strip(length, watch)?;
        if u128::from(planes.wins()) != wins {
            let dense = planes.wins().into();
            return Err(ReportError::Disagreement {
                length,
                dense,
                symbolic: wins,
            });
        }
        depths = planes.depths().to_vec();
        claims.examine(planes, watch)?;
    }
    let circle = one_number_suffices(&mut relation).err().unwrap_or_default();
    let explained =
        ExactPotential::new(relation).map_err(|(_, circle)| ReportError::Unexplained { length, circle })?;
    let row = Row {
        length,
        positions: crate::games::strip::positions(length).unwrap_or(0),
        wins,
        losses,
        depths,
        errors: errors.false_wins + errors.false_losses,
        largest: explained.largest(),
        circle,
        nodes: diagrams.nodes(),
    };
    Ok((row, explained))
}
