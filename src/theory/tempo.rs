//! The value of the move and of the ends of the strip, tested on whole tables, level by level
//! (docs/PROOF.md, Theorem Z and its lemmas).
//!
//! Let A(n, k) be the boards of n squares that Left wins with Left to move and at most k backward
//! turns, and R(n, k) those with Right to move; with depths, k counts plies. The statements are
//! inclusions between these sets at lengths n, n − 1 and n − 2.

use crate::diagram::{Diagram, Join, Pattern, Ref, Sets, TooLarge, View};
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::{Metric, StripSets, StripTable, TableError};
use std::ops::RangeInclusive;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    pub statement: &'static str,
    /// The level, or with depths the number of plies.
    pub level: usize,
    pub board: Strip,
}

/// Returns the first board that Left wins with Right to move but not with Left to move; `None` if
/// there is none. Tests each level, or with depths all boards that Left wins.
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
            if let Some(board) = algebra.first_beyond(sets[1], sets[0], Side::Left)? {
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

/// Returns the first board of `length` squares that contradicts one of these statements, with
/// either player to move and for every level; `None` if there is none.
///
/// * A stone on the first or the last square changes nothing: the board has the value of the board
///   without that square (Lemma 1).
/// * A board that Left wins stays won with any square in front, and without its last square (Lemma
///   2).
/// * If the last square is empty and Left wins with Right to move without it, Left wins with Left
///   to move.
/// * A board that ends in a stone and an empty square has the value of the board without these two.
pub fn ends(table: &StripTable, length: usize) -> Result<Option<Exception>, TableError> {
    assert!(length >= 5, "the statements remove two squares");
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
        let found = exception([&here, &shorter, &shortest], level, side);
        let found = found.map_err(|TooLarge| here.unwieldy())?;
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

/// Returns the set of a level, or of a number of plies, capped at the last one.
fn root(table: &StripSets, level: usize, side: Side) -> u32 {
    match table.metric() {
        Metric::Wdl => table.level(level.min(table.levels() - 1))[side as usize],
        Metric::Dtw => table.won_within(level),
    }
}

/// Returns the first exception for one level and one player to move, with its statement.
fn exception(
    [here, shorter, shortest]: [&StripSets; 3],
    level: usize,
    side: Side,
) -> Result<Option<(&'static str, Strip)>, TooLarge> {
    let length = here.length();
    let mut graph = here.workspace();
    let mut copied = |table: &StripSets, side| -> Result<Ref, TooLarge> {
        Ok(graph.copy(table, &[root(table, level, side)])?[0])
    };
    // Boards of `length` squares whose first squares are in a shorter set.
    let (won, without_last) = (copied(here, side)?, copied(shorter, side)?);
    let (without_two, waiting) = (copied(shortest, side)?, copied(shorter, Side::Right)?);
    let moved = graph.copy(&Shifted(shorter), &[root(shorter, level, side)])?[0];
    let without_first = graph.ternary(0, moved, moved, Ref::BOTTOM)?;
    let mut sets = Sets::new(graph);
    let among = |sets: &mut Sets, pattern: &str, balls: RangeInclusive<usize>, set: Ref| {
        let pattern = Pattern::parse(pattern, length).and_then(|pattern| pattern.with_ball(balls));
        let boards = pattern.expect("a pattern for five squares or more");
        let boards = boards.set(sets.graph_mut())?;
        sets.join(Join::And, set, boards)
    };
    // Sets that must have the same boards of a pattern as `won`.
    let equal = [
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
        (
            "'o.' at the end changes nothing",
            "*o.",
            1..=length - 4,
            without_two,
        ),
    ];
    // All other statements concern winners, not depths.
    let winners = here.metric() == Metric::Wdl;
    for (statement, pattern, balls, expected) in equal.into_iter().take(if winners { 3 } else { 2 }) {
        let found = among(&mut sets, pattern, balls.clone(), won)?;
        let expected = among(&mut sets, pattern, balls, expected)?;
        if let Some(board) = sets.first_differing(found, expected, side)? {
            return Ok(Some((statement, board)));
        }
    }
    // Without its last square a board must have its ball between the ends.
    let inclusions = [
        (
            "a won board stays won with any square in front",
            "*",
            length - 2,
            [without_first, won],
        ),
        (
            "a won board stays won without its last square",
            "*",
            length - 3,
            [won, without_last],
        ),
        (
            "an empty last square is worth a move",
            "*.",
            length - 3,
            [waiting, won],
        ),
    ];
    let number = match (winners, side) {
        (false, _) => 0,
        (true, Side::Right) => 2,
        (true, Side::Left) => 3,
    };
    for (statement, pattern, last_ball, [one, other]) in inclusions.into_iter().take(number) {
        let one = among(&mut sets, pattern, 1..=last_ball, one)?;
        if let Some(board) = sets.first_beyond(one, other, side)? {
            return Ok(Some((statement, board)));
        }
    }
    Ok(None)
}

/// Sets of boards shifted one square to the right.
struct Shifted<'s>(&'s StripSets);

impl Diagram for Shifted<'_> {
    type Ref = u32;

    fn length(&self) -> usize {
        self.0.length() + 1
    }

    fn view(&self, at: u32) -> View<u32> {
        match self.0.view(at) {
            View::Ternary(level, children) => View::Ternary(level + 1, children),
            View::Binary(level, children) => View::Binary(level + 1, children),
            leaf => leaf,
        }
    }
}
