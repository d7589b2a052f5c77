//! Law N, tested on whole tables: every board that Left wins he wins by proper turns (docs/PROOF.md,
//! Theorem N).
//!
//! The test asks for one proper turn that wins or leads to a board that Left wins with Right to move.
//! Play with proper turns ends, so Left wins by such turns if every board that he wins has one.

use super::claim::{Claim, Finding, Statement, WINNERS, ask};
use super::error::TheoryError;
use num_bigint::BigUint;
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Strip;
use phutbase_table::{StripSets, StripTable, TableError, Tablebase};
use phutbase_verify::inclusion::turns::TurnKind;
use phutbase_verify::inclusion::{Checker, Halt, Set};
use phutbase_verify::strip::{checker, halted};
use serde::Serialize;

pub const LAW_N: Statement = Statement {
    words: "Law N: every board that Left wins he wins by proper turns.",
    source: "This project; a theorem for every length, docs/THEORY.md",
};

/// [`LAW_N`], on every board of a length, or the same with fewer turns.
pub struct Proper<'a> {
    pub tables: &'a Tablebase,
    /// Forward jumps of at least this many squares count, 3 to 5, and those that win.
    pub forward: usize,
    /// Backward jumps of at least this many squares count, 3 to 6.
    pub backward: usize,
    /// Lists at most this many exceptions.
    pub limit: usize,
}

impl<'a> Proper<'a> {
    /// The law itself.
    pub fn law(tables: &'a Tablebase, limit: usize) -> Proper<'a> {
        let [forward, backward] = [3, 3];
        Proper {
            tables,
            forward,
            backward,
            limit,
        }
    }
}

impl<'a> Claim for Proper<'a> {
    fn check(&mut self, length: usize, job: &Job) -> Result<Finding<impl Serialize + use<'a>>, TheoryError> {
        let Proper {
            tables,
            forward,
            backward,
            limit,
        } = *self;
        let kinds = [
            TurnKind::PlaceRight,
            TurnKind::proper_right(forward).expect("at most 5 squares"),
            TurnKind::proper_left(backward).expect("at most 6 squares"),
        ];
        let question = |table: &StripTable| exceptions(&table.sets(length)?, &kinds, limit, job);
        let (found, file) = ask(tables, length, WINNERS, question)?;
        let holds = found.count == BigUint::ZERO;
        let turn = if kinds == TurnKind::PROPER {
            "a proper turn"
        } else {
            "a stone in front of the ball, a jump this long, or a win at once"
        };
        let words = if holds {
            "holds".to_string()
        } else {
            format!(
                "boards that Left wins, but not by {turn}: {}",
                grouped(&found.count)
            )
        };
        Ok(Finding {
            holds,
            words,
            lines: found.first.iter().map(Strip::to_string).collect(),
            fields: object! {
                /// The least lengths of jumps that count; a jump that wins always does.
                forward: forward,
                backward: backward,
                holds: holds,
                /// Boards that Left wins with Left to move, but by no such turn.
                exceptions: Count(found.count),
                /// The first of them.
                examples: found.first,
                file: file,
            },
        })
    }
}

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
