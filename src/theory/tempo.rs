//! What a move and the ends of the strip are worth, asked of whole tables, level by level (docs/PROOF.md, Theorem Z and its lemmas).
//!
//! Let A(n, k) be the boards of n squares that Left wins with Left to move and at most k backward turns, and R(n, k) those with Right to
//! move; in a table with depths k counts plies. The statements are inclusions between these sets at lengths n, n − 1 and n − 2.

use crate::diagram::algebra::{Join, Sets};
use crate::diagram::graph::{Ref, TooLarge};
use crate::diagram::members::Members;
use crate::diagram::pattern::Pattern;
use crate::diagram::{Diagram, View};
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::Metric;
use crate::table::error::TableError;
use crate::table::strip::StripTable;
use crate::table::strip::sets::StripSets;
use num_bigint::BigUint;
use std::ops::RangeInclusive;

/// A board that contradicts a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The statement, in words.
    pub statement: &'static str,
    /// The level, or with depths the number of plies.
    pub level: usize,
    /// The board, with the player to move.
    pub board: Strip,
}

/// The first board, with Left to move, that Left wins if Right has the move and not if Left has it: level by level in a table without depths,
/// among all boards that Left wins in a table with depths. `None` if there is none.
///
/// # Errors
/// [`TableError::Limit`] if that is more work than a file of this size warrants.
pub fn move_hurts(table: &StripSets) -> Result<Option<Exception>, TableError> {
    let levels: Vec<[u32; 2]> = match table.metric() {
        Metric::Wdl => (0..table.levels()).map(|level| table.level(level)).collect(),
        Metric::Dtw => vec![[Side::Left, Side::Right].map(|side| table.won_by_left(side))],
    };
    let first = || -> Result<Option<Exception>, TooLarge> {
        for (level, roots) in levels.iter().enumerate() {
            let mut graph = table.workspace();
            let sets = graph.copy(table, roots)?;
            let mut algebra = Sets::new(graph);
            if let Some(board) = beyond(&mut algebra, sets[1], sets[0], Side::Left)? {
                let statement = "having the move never hurts";
                return Ok(Some(Exception {
                    statement,
                    level,
                    board,
                }));
            }
        }
        Ok(None)
    };
    first().map_err(|TooLarge| table.unwieldy())
}

/// The first board of `length` squares that contradicts one of these statements, with either player to move and for every level. `None` if
/// there is none.
///
/// * A stone on the first square, or on the last, changes nothing: the board is worth what it is worth without that square (Lemma 1).
/// * Any square in front of a board that Left wins leaves it won; and without its last square a board that Left wins is won (Lemma 2).
/// * If the last square is empty and Left wins with Right to move without it, Left wins with Left to move.
/// * A board that ends in a stone and an empty square is worth what it is worth without these two.
///
/// # Errors
/// [`TableError::Missing`] if the table does not hold the length, [`TableError::Limit`] if that is more work than a file of this size warrants.
///
/// # Panics
/// If there are fewer than 5 squares.
pub fn ends(table: &StripTable, length: usize) -> Result<Option<Exception>, TableError> {
    assert!(length >= 5, "the statements speak of two squares less");
    let [here, shorter, shortest] = [length, length - 1, length - 2].map(|length| table.sets(length));
    let (here, shorter, shortest) = (here?, shorter?, shortest?);
    let mut steps: Vec<(usize, Side)> = Vec::new();
    match here.metric() {
        Metric::Wdl => {
            let levels = 0..here.levels();
            steps.extend(levels.flat_map(|level| [(level, Side::Left), (level, Side::Right)]));
        }
        Metric::Dtw => steps.extend((1..=here.roots().len()).map(|plies| {
            let side = if plies % 2 == 1 { Side::Left } else { Side::Right };
            (plies, side)
        })),
    }
    for (level, side) in steps {
        let found = Ends::new([&here, &shorter, &shortest], level, side)
            .and_then(|mut ends| ends.exception())
            .map_err(|TooLarge| here.unwieldy())?;
        if let Some((statement, board)) = found {
            return Ok(Some(Exception {
                statement,
                level,
                board,
            }));
        }
    }
    Ok(None)
}

/// The first board that is in one set and not in another.
fn beyond(sets: &mut Sets, one: Ref, other: Ref, side: Side) -> Result<Option<Strip>, TooLarge> {
    let only = sets.join(Join::Minus, one, other)?;
    Ok(Members::new(sets.graph(), only).nth(&BigUint::ZERO, side))
}

/// The set of a level, or of a number of plies; the last one past the end.
fn root(table: &StripSets, level: usize, side: Side) -> u32 {
    match table.metric() {
        Metric::Wdl => table.level(level.min(table.levels() - 1))[side as usize],
        Metric::Dtw => table.won_within(level),
    }
}

/// The sets of one level and one player to move, at a length and at the two shorter ones, as sets of boards of that length.
struct Ends {
    sets: Sets,
    metric: Metric,
    length: usize,
    side: Side,
    here: Ref,
    /// Boards that are in the shorter set without their last square.
    without_last: Ref,
    /// Boards that are in the shorter set without their first square.
    without_first: Ref,
    /// Boards that are in the set of two squares less without their last two squares.
    without_two: Ref,
    /// Boards that are in Right's shorter set without their last square.
    waiting: Ref,
}

impl Ends {
    fn new([here, shorter, shortest]: [&StripSets; 3], level: usize, side: Side) -> Result<Ends, TooLarge> {
        let mut graph = here.workspace();
        let mut copied = |table: &StripSets, side| -> Result<Ref, TooLarge> {
            Ok(graph.copy(table, &[root(table, level, side)])?[0])
        };
        Ok(Ends {
            metric: here.metric(),
            length: here.length(),
            side,
            here: copied(here, side)?,
            without_last: copied(shorter, side)?,
            without_two: copied(shortest, side)?,
            waiting: copied(shorter, Side::Right)?,
            without_first: {
                let root = root(shorter, level, side);
                let moved = graph.copy(&Moved(shorter), &[root])?[0];
                graph.ternary(0, moved, moved, Ref::BOTTOM)?
            },
            sets: Sets::new(graph),
        })
    }

    fn exception(&mut self) -> Result<Option<(&'static str, Strip)>, TooLarge> {
        let length = self.length;
        let [here, without_last, without_first] = [self.here, self.without_last, self.without_first];
        // Two sets must have the same boards of a pattern, or the first must lie in the second.
        let stones = [
            (
                "a stone on the first square changes nothing",
                "o*",
                2..=length - 2,
                without_first,
            ),
            (
                "a stone on the last square changes nothing",
                "*o",
                1..=length - 3,
                without_last,
            ),
        ];
        for (statement, pattern, balls, expected) in stones {
            if let Some(board) = self.differing(pattern, balls, here, expected)? {
                return Ok(Some((statement, board)));
            }
        }
        // The other statements are about who wins, and not how fast.
        if self.metric == Metric::Dtw {
            return Ok(None);
        }
        if let Some(board) = self.differing("*o.", 1..=length - 4, here, self.without_two)? {
            return Ok(Some(("'o.' at the end changes nothing", board)));
        }
        let mut inclusions = vec![
            (
                "a won board stays won with any square in front",
                "*",
                without_first,
                here,
            ),
            (
                "a won board stays won without its last square",
                "*",
                here,
                without_last,
            ),
        ];
        if self.side == Side::Left {
            inclusions.push(("an empty last square is worth a move", "*.", self.waiting, here));
        }
        for (statement, pattern, one, other) in inclusions {
            // Without its last square a board must have its ball between the ends.
            let last_ball = if one == without_first {
                length - 2
            } else {
                length - 3
            };
            let one = self.among(pattern, 1..=last_ball, one)?;
            if let Some(board) = beyond(&mut self.sets, one, other, self.side)? {
                return Ok(Some((statement, board)));
            }
        }
        Ok(None)
    }

    /// The boards of a set that fit a pattern with the ball on some squares.
    fn among(&mut self, pattern: &str, balls: RangeInclusive<usize>, set: Ref) -> Result<Ref, TooLarge> {
        let pattern = Pattern::parse(pattern, self.length).and_then(|pattern| pattern.with_ball(balls));
        let boards = pattern.expect("a pattern for five squares or more");
        let boards = boards.set(self.sets.graph_mut())?;
        self.sets.join(Join::And, set, boards)
    }

    /// The first board of a pattern that is in one of two sets only.
    fn differing(
        &mut self,
        pattern: &str,
        balls: RangeInclusive<usize>,
        one: Ref,
        other: Ref,
    ) -> Result<Option<Strip>, TooLarge> {
        let one = self.among(pattern, balls.clone(), one)?;
        let other = self.among(pattern, balls, other)?;
        Ok(match beyond(&mut self.sets, one, other, self.side)? {
            Some(board) => Some(board),
            None => beyond(&mut self.sets, other, one, self.side)?,
        })
    }
}

/// Sets of boards that stand one square further right.
struct Moved<'s>(&'s StripSets);

impl Diagram for Moved<'_> {
    type Ref = u32;

    fn length(&self) -> usize {
        self.0.length() + 1
    }

    fn view(&self, at: u32) -> View<u32> {
        match self.0.view(at) {
            View::Ternary {
                level,
                empty,
                stone,
                ball,
            } => View::Ternary {
                level: level + 1,
                empty,
                stone,
                ball,
            },
            View::Binary { level, empty, stone } => View::Binary {
                level: level + 1,
                empty,
                stone,
            },
            leaf => leaf,
        }
    }
}
