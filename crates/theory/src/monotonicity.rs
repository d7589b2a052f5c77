//! Two plausible but false assertions (Grossman & Nowakowski, *One-Dimensional Phutball*,
//! § 1), and the values of the empty strip.
//!
//! *'Your position can only improve by having a stone placed between the ball and the opponent's
//! goalline'*, and *'… if an empty square between the ball and the opponent's goalline is
//! deleted'*. Every position of a length that Left wins is tried, with either player to move, and
//! every empty square to the right of the ball, goal line included. The assertion fails if Left
//! does not win with a stone there, or on the strip without that square.

use super::claim::{Claim, Finding, Statement};
use super::error::TheoryError;
use super::proof::prove_by_table;
use super::values::AllValues;
use phutbase_base::bits::squeeze;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{MIN_LENGTH, Strip};
use phutbase_tables::Tablebase;
use rayon::prelude::*;
use serde::{Serialize, Serializer};

pub const STONE: Statement = Statement {
    words: "An extra stone between the ball and the goal line attacked never hurts.",
    source: "Grossman & Nowakowski §1, as a tempting assertion",
};
pub const DELETION: Statement = Statement {
    words: "One empty square fewer between the ball and the goal line attacked never hurts.",
    source: STONE.source,
};

/// [`STONE`] and [`DELETION`], on every position of a length. The counterexamples are proved by the
/// rules alone.
pub struct Monotone<'a> {
    tables: &'a Tablebase,
    /// Lists at most this many counterexamples of each kind.
    limit: usize,
    /// The values of the length before.
    before: Option<AllValues>,
}

impl<'a> Monotone<'a> {
    pub fn new(tables: &'a Tablebase, limit: usize) -> Monotone<'a> {
        let before = None;
        Monotone {
            tables,
            limit,
            before,
        }
    }

    /// Examines a length, and proves the counterexamples.
    pub fn examine(&mut self, length: usize, job: &Job) -> Result<Monotonicity, TheoryError> {
        let before = (self.before.take()).filter(|before| before.length() + 1 == length);
        let shorter = match before {
            None if length > MIN_LENGTH => Some(AllValues::ask(self.tables, length - 1)?),
            before => before,
        };
        let values = AllValues::ask(self.tables, length)?;
        let found = examine(&values, shorter.as_ref(), self.limit, job)?;
        for harm in (found.stone_hurts.examples.iter()).chain(&found.deletion_hurts.examples) {
            prove_by_table(&harm.before, Side::Left, self.tables)?;
            prove_by_table(&harm.after, Side::Right, self.tables)?;
        }
        self.before = Some(values);
        Ok(found)
    }
}

impl<'a> Claim for Monotone<'a> {
    fn check(&mut self, length: usize, job: &Job) -> Result<Finding<impl Serialize + use<'a>>, TheoryError> {
        let found = self.examine(length, job)?;
        let total = |harms: &Harms| grouped(harms.left_to_move + harms.right_to_move);
        let [stones, deletions] = [&found.stone_hurts, &found.deletion_hurts].map(total);
        let empty_strip = format!("empty strip, by ball square: {}", found.empty_strip.join(" "));
        Ok(Finding {
            holds: true,
            words: format!("a stone hurts {stones} times, a deletion {deletions} times"),
            lines: (found.stone_hurts.examples.iter())
                .chain(&found.deletion_hurts.examples)
                .map(|harm| format!("Left wins '{}' and loses '{}'", harm.before, harm.after))
                .chain([empty_strip])
                .collect(),
            fields: found,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Harm {
    pub before: Strip,
    /// Left does not win this one, which has a stone more or a square less to the right of the
    /// ball.
    pub after: Strip,
}

impl Serialize for Harm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.before, self.after].serialize(serializer)
    }
}

/// The counterexamples of one assertion on one length.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Harms {
    /// Number of pairs of a position with Left to move and a square that contradict the assertion.
    pub left_to_move: u64,
    pub right_to_move: u64,
    /// The first ones: Left to move before Right to move, then by ball square and pattern.
    pub examples: Vec<Harm>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Monotonicity {
    pub stone_hurts: Harms,
    pub deletion_hurts: Harms,
    /// The empty strip, Left to move, by ball square from 1: `W13` a win in 13, `L8` a loss, `D`.
    pub empty_strip: Vec<String>,
}

/// Examines a length. `shorter` holds the strips with one square less; `None` for the shortest
/// length.
pub fn examine(
    values: &AllValues,
    shorter: Option<&AllValues>,
    show: usize,
    job: &Job,
) -> Result<Monotonicity, TheoryError> {
    let length = values.length();
    let (mut stone, mut square) = (Harms::default(), Harms::default());
    for to_move in [Side::Left, Side::Right] {
        for ball in 1..=length - 2 {
            job.note(format!("ball square {ball} of {}", length - 2))?;
            let place = (ball, to_move);
            let with_stone = |pattern: u64, square: usize| {
                let after = pattern | 1 << square;
                (!values.left_wins(to_move, ball, after)).then_some((length, after))
            };
            stone.add(to_move, harms(values, place, show, with_stone), show);
            if let Some(shorter) = shorter.filter(|_| ball <= length - 3) {
                let without = |pattern: u64, square: usize| {
                    let after = squeeze(pattern, square);
                    (!shorter.left_wins(to_move, ball, after)).then_some((length - 1, after))
                };
                square.add(to_move, harms(values, place, show, without), show);
            }
        }
    }
    let strips = (1..=length - 2).filter_map(|ball| Strip::new(length, ball, 0u8, Side::Left));
    let short = |strip: Strip| {
        let value = values.value(&strip);
        let depth = value.depth().map_or(String::new(), |depth| depth.to_string());
        value.wdl().word()[..1].to_uppercase() + &depth
    };
    Ok(Monotonicity {
        stone_hurts: stone,
        deletion_hurts: square,
        empty_strip: strips.map(short).collect(),
    })
}

impl Harms {
    fn add(&mut self, to_move: Side, found: (u64, Vec<Harm>), show: usize) {
        match to_move {
            Side::Left => self.left_to_move += found.0,
            Side::Right => self.right_to_move += found.0,
        }
        self.examples.extend(found.1);
        self.examples.truncate(show);
    }
}

/// Tries `change` on every position that Left wins with the ball on one square and one player to
/// move, for each empty square right of the ball. `change` returns the changed strip's length and
/// pattern (see [`Strip::pattern`]) if Left does not win it.
fn harms(
    values: &AllValues,
    (ball, to_move): (usize, Side),
    show: usize,
    change: impl Fn(u64, usize) -> Option<(usize, u64)> + Sync,
) -> (u64, Vec<Harm>) {
    let bits = values.length() - 1;
    let strip = |length, pattern: u64| Strip::from_pattern(length, ball, pattern, to_move);
    let harm = |pattern, (length, after)| {
        Some(Harm {
            before: strip(bits + 1, pattern)?,
            after: strip(length, after)?,
        })
    };
    let count = |(mut count, mut first): (u64, Vec<Harm>), pattern: u64| {
        for square in (ball..bits).filter(|square| pattern >> square & 1 == 0) {
            let Some(after) = change(pattern, square) else {
                continue;
            };
            count += 1;
            if first.len() < show {
                first.extend(harm(pattern, after));
            }
        }
        (count, first)
    };
    (0..1u64 << bits)
        .into_par_iter()
        .filter(|&pattern| values.left_wins(to_move, ball, pattern))
        .fold(Default::default, count)
        .reduce(Default::default, |(a, mut first), (b, more)| {
            first.extend(more);
            first.truncate(show);
            (a + b, first)
        })
}
