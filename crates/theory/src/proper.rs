//! Law N, tested on whole tables: every board that Left wins he wins by proper turns (docs/PROOF.md,
//! Theorem N).
//!
//! The test asks for one proper turn that wins or leads to a board that Left wins with Right to move.
//! Play with proper turns ends, so Left wins by such turns if every board that he wins has one.

use num_bigint::BigUint;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Strip;
use phutbase_table::{StripSets, TableError};
use phutbase_verify::inclusion::turns::TurnKind;
use phutbase_verify::inclusion::{Checker, Halt, Set};
use phutbase_verify::strip::{checker, halted};

/// The boards that contradict Law N.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exceptions {
    pub count: BigUint,
    /// The first ones in the order of notation, with Left to move.
    pub first: Vec<Strip>,
}

/// Finds the boards that Left wins, with Left to move, from which no turn of some kinds wins or leads
/// to a board that he wins. Lists at most `limit` of them. The job counts the kinds, and its memory
/// bounds the search.
pub fn exceptions(
    table: &StripSets,
    kinds: &[TurnKind],
    limit: usize,
    job: &Job,
) -> Result<Exceptions, TableError> {
    let mut checker = checker(table, job)?;
    job.expect(kinds.len() as u64, "kinds of turns");
    let roots = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
    let found = checker.copy(table, &roots).and_then(|sets| {
        let [won, target] = [sets[0], sets[1]];
        checker.growing(|checker| {
            job.set_done(0);
            let mut have = Set::NONE;
            for &kind in kinds {
                have = checker.some(&[kind], have, |_| target, Side::Left)?;
                job.advance(1)?;
            }
            beyond(checker, won, have, limit)
        })
    });
    found.map_err(|halt| halted(table, halt))
}

/// Counts and lists the boards of one set that are not in another.
fn beyond(checker: &Checker, set: Set, other: Set, limit: usize) -> Result<Exceptions, Halt> {
    // Makes no set where there is no such board.
    if checker.first_beyond(set, other)?.is_none() {
        return Ok(Exceptions::default());
    }
    let mut members = checker.members(checker.difference(set, other)?);
    Ok(Exceptions {
        count: members.total().clone(),
        first: members.first(limit, Side::Left),
    })
}
