//! The number of empty squares behind the ball that suffices, whatever is in front of it
//! (docs/PROOF.md, Windows).

use super::claim::{Claim, Finding};
use super::error::TheoryError;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::outcome::Side;
use phutbase_rules::{Boards, Rules};
use phutbase_sets::{Graph, Join, Pattern, Ref, Sets, TooLarge};
use phutbase_table::{StripTable, TableError, Tablebase};
use serde::Serialize;

/// The [formula], by the squares right of the ball, in ascending order.
pub struct Windows<'a> {
    tables: &'a Tablebase,
    /// The squares of the longest strips of the tables.
    longest: usize,
    /// The least numbers that were not excluded, with Left and with Right to move.
    least: [usize; 2],
}

impl<'a> Windows<'a> {
    pub fn new(tables: &'a Tablebase, longest: usize) -> Windows<'a> {
        let least = [1, 1];
        Windows {
            tables,
            longest,
            least,
        }
    }
}

impl<'a> Claim for Windows<'a> {
    fn check(&mut self, squares: usize, _: &Job) -> Result<Finding<impl Serialize + use<'a>>, TheoryError> {
        let sides = [Side::Left, Side::Right];
        for (least, side) in self.least.iter_mut().zip(sides) {
            // Monotone: a stone as the last square on the right changes nothing (Lemma 1).
            while *least + 1 + squares <= self.longest
                && !(self.tables).ask_strips(*least + 1 + squares, None, |table| {
                    is_enough(table, *least, squares, side)
                })?
            {
                *least += 1;
            }
        }
        let known = |left: usize| (left + 1 + squares <= self.longest).then_some(left);
        let found = self.least.map(known);
        let formula = sides.map(|side| formula(squares, side));
        // Unknown numbers do not contradict it.
        let agrees = |(found, formula): (Option<usize>, usize)| found.is_none_or(|found| found == formula);
        let holds = found.into_iter().zip(formula).all(agrees);
        let [left, right] = found.map(|found| found.map_or("unknown".to_string(), |left| left.to_string()));
        let verdict = if holds { "as" } else { "NOT as" };
        Ok(Finding {
            holds,
            words: format!(
                "least number of empty squares left of it {left} with Left to move, {right} with Right to move; {verdict} the formula says"
            ),
            lines: Vec::new(),
            fields: object! {
                half_length: squares,
                /// Sufficient empty squares on its left; null if the tables do not decide.
                left_to_move: found[0],
                right_to_move: found[1],
                /// The formula's numbers.
                formula: formula,
                holds: holds,
            },
        })
    }

    fn unit(&self) -> [&'static str; 2] {
        ["", " squares right of the ball"]
    }

    fn boards(&self, _: usize) -> Option<(Boards, Rules)> {
        None
    }
}

/// Returns the least number of empty squares left of the ball with which Left wins, whatever the
/// squares right of it hold, on strips of any length.
pub fn formula(right: usize, side: Side) -> usize {
    let fours = (right + 1) / 4;
    match side {
        Side::Left => (4 * fours).saturating_sub(1).max(1),
        Side::Right => 4 * fours + 3,
    }
}

/// Returns whether Left wins every board with `left` empty squares left of the ball and `right`
/// squares of any content right of it.
///
/// By Theorem 3 Left then also wins with any squares added on the left, so more empty squares
/// suffice too.
pub fn is_enough(table: &StripTable, left: usize, right: usize, side: Side) -> Result<bool, TableError> {
    let length = left + 1 + right;
    let sets = table.sets(length)?;
    let beyond = || -> Result<bool, TooLarge> {
        let text = format!("{}@{}", ".".repeat(left), "?".repeat(right));
        let pattern = Pattern::parse(&text, length).expect("a board of the length");
        let mut graph: Graph = sets.workspace();
        let won = graph.copy(&sets, &[sets.won_by_left(side)])?[0];
        let boards = pattern.set(&mut graph)?;
        let mut algebra = Sets::new(graph);
        Ok(algebra.join(Join::Minus, boards, won)? == Ref::BOTTOM)
    };
    beyond().map_err(|TooLarge| sets.unwieldy())
}
