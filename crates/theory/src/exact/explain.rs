//! The claim that exact potentials exist, length by length.

use super::diagrams::Diagrams;
use super::relation::Relation;
use super::{Duel, ExactPotential, one_number_suffices};
use crate::claim::{Claim, Finding, Statement};
use crate::error::TheoryError;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_table::Tablebase;
use serde::Serialize;

pub const EXACT: Statement = Statement {
    words: "Exact potential: there are κ ≤ λ for each half strip, the same on all lengths, such that the mover \
            wins exactly if κ(own half) ≤ λ(other half).",
    source: "This project; computed, not proved for all lengths",
};
pub const ONE_NUMBER: Statement = Statement {
    words: "One number is enough: κ = λ, a potential in the sense of GN Theorem 1.",
    source: "This project",
};

/// [`EXACT`] and [`ONE_NUMBER`], for all lengths from 3 up to the one checked last.
pub struct Exact<'a> {
    tables: &'a Tablebase,
    /// The numbers of the length before.
    pub potential: Option<ExactPotential>,
    /// The first length on which one number is not enough.
    pub first_cycle: Option<usize>,
}

impl<'a> Exact<'a> {
    pub fn new(tables: &'a Tablebase) -> Exact<'a> {
        Exact {
            tables,
            potential: None,
            first_cycle: None,
        }
    }
}

impl<'a> Claim for Exact<'a> {
    fn check(&mut self, length: usize, _: &Job) -> Result<Finding<impl Serialize + use<'a>>, TheoryError> {
        let diagrams = (self.tables).ask_strips(length, None, |table| Diagrams::of(&table.sets(length)?))?;
        let (explained, cycle) = explain(self.potential.take(), &diagrams)?;
        if !cycle.is_empty() {
            self.first_cycle.get_or_insert(length);
        }
        let largest = explained.largest();
        self.potential = Some(explained);
        let one_number = match &cycle[..] {
            [] => "enough".to_string(),
            cycle => format!("not enough: {}", list(cycle)),
        };
        Ok(Finding {
            holds: true,
            words: format!(
                "an interval order on every ball square; κ and λ up to {largest}; κ = λ is {one_number}"
            ),
            lines: Vec::new(),
            fields: object! {
                kind: "length",
                /// Ball squares on which the half strips form a chain, with either player to move.
                ball_squares: length - 2,
                /// The largest of the least κ and λ for all lengths up to this one.
                largest: largest,
                one_number: cycle.is_empty(),
                /// Otherwise half strips that exclude κ = λ.
                cycle: cycle,
            },
        })
    }
}

fn list(duels: &[Duel]) -> String {
    let duels: Vec<String> = duels.iter().map(Duel::to_string).collect();
    duels.join(", ")
}

/// Extends κ and λ to the next length. Also returns a cycle of duels that rules out κ = λ; empty if
/// there is none.
pub fn explain(
    shorter: Option<ExactPotential>,
    diagrams: &Diagrams,
) -> Result<(ExactPotential, Vec<Duel>), TheoryError> {
    let length = diagrams.length();
    let mut relation = shorter.map_or(Relation::default(), ExactPotential::into_relation);
    (relation.add(diagrams)).map_err(|source| TheoryError::Wrong(format!("length {length}: {source}")))?;
    let cycle = one_number_suffices(&mut relation).err().unwrap_or_default();
    let explained = ExactPotential::new(relation).map_err(|(_, cycle)| {
        TheoryError::Wrong(format!(
            "lengths up to {length}: the difference constraints on κ and λ have no solution: {}",
            list(&cycle)
        ))
    })?;
    Ok((explained, cycle))
}
