//! Checks a table of strips: that its sets follow from one another by the rules.
//!
//! **With depths.** Root d must be exactly root d − 2 together with the boards from which some turn of Left (odd d), or every turn of
//! Right (even d), leads into root d − 1; and one ply more must add nothing. By induction every board of root d is then won within
//! d plies and in no root before it within fewer; and from a board in no root Right can (Left must) always go to another such.
//!
//! **Without depths** the sets are the *levels* A(0), R(0), A(1), R(1), … of forward play (docs/PROOF.md): of every level it is
//! checked that
//!
//! ```text
//!     A(k) = the boards from which a forward turn of Left wins or leads into R(k), or another turn into R(k − 1)
//!     R(k) = the boards from which every turn of Right leads into A(k) or wins for Left
//! ```
//!
//! with R(−1) = ∅. A turn of Left's is forward if it touches only squares to the right of the ball. Play with at most k others ends
//! whatever Right does, so Left wins every board of level k, and a board that no level has and no mirror image of one is drawn only if the
//! last level is closed under *all* turns: that is checked where the table counts draws. Under the directional rules some kinds of
//! turns are missing, and the rest is as here.

use super::Fault;
use super::turns::{Kind, Turns};
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::graph::{Ref, TooLarge};
use crate::diagram::members::Members;
use crate::diagram::turns::Which;
use crate::outcome::Side;
use crate::table::Metric;
use crate::table::error::TableError;
use crate::table::strip::StripTable;
use crate::table::strip::sets::StripSets;
use num_bigint::BigUint;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Steps of [`check`], for a progress bar.
pub fn steps(table: &StripTable) -> u64 {
    let counts = table.metadata().counts(table.length());
    match table.metric() {
        Metric::Dtw => counts.roots() as u64 + 1,
        Metric::Wdl => counts.roots() as u64,
    }
}

/// Checks one table: all checksums, every value of its longest strips, the levels of forward play if it has them, and the counts of every
/// length. `done` counts up to [`steps`].
///
/// # Errors
/// [`TableError`] if the file itself is damaged, or takes more work than a file of its size warrants.
pub fn check(table: &StripTable, done: &AtomicU64) -> Result<Option<Fault>, TableError> {
    table.check_frames()?;
    let sets = table.sets(table.length())?;
    let found = match table.metric() {
        Metric::Dtw => check_plies(&sets, done),
        Metric::Wdl => check_levels(&sets, done).and_then(|fault| match fault {
            None if sets.summary().draws != BigUint::ZERO => check_closed(&sets),
            fault => Ok(fault),
        }),
    };
    match found.map_err(|TooLarge| sets.unwieldy())? {
        None => Ok(check_counts(table, &sets)),
        fault => Ok(fault),
    }
}

/// Holds the counts of every length against what is counted again.
fn check_counts(table: &StripTable, sets: &StripSets) -> Option<Fault> {
    let counted = sets.count_lengths();
    table.lengths().zip(counted).find_map(|(length, counted)| {
        let stored = table.metadata().counts(length);
        let field = |name: &str| format!("{name} of {length} squares");
        Fault::of_count(&field("wins"), &stored.wins.0, &counted.wins.0)
            .or_else(|| Fault::of_count(&field("losses"), &stored.losses.0, &counted.losses.0))
            .or_else(|| Fault::of_count(&field("longest win"), stored.longest_win, counted.longest_win))
            .or_else(|| Fault::of_count(&field("longest loss"), stored.longest_loss, counted.longest_loss))
            .or_else(|| Fault::of_count(&field("levels"), stored.levels, counted.levels))
    })
}

/// Whether two tables agree on who wins the longest strips that both hold, and so every shorter one.
///
/// # Errors
/// [`TableError`] if a file is damaged, or takes more work than a file of its size warrants.
pub fn compare(one: &StripTable, other: &StripTable) -> Result<Option<Fault>, TableError> {
    let length = one.length().min(other.length());
    let (one, other) = (one.sets(length)?, other.sets(length)?);
    let differing = || -> Result<Option<String>, TooLarge> {
        for side in [Side::Left, Side::Right] {
            let mut graph = one.workspace();
            let a = graph.copy(&one, &[one.won_by_left(side)])?[0];
            let b = graph.copy(&other, &[other.won_by_left(side)])?[0];
            if let Some(position) = difference(&mut Sets::new(graph), a, b, side)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    };
    let position = differing().map_err(|TooLarge| one.unwieldy())?;
    Ok(position.map(|position| Fault::Difference { position }))
}

/// A few sets of a table in a graph of their own, to be worked on and forgotten.
fn bring<const N: usize>(table: &StripSets, roots: [u32; N]) -> Result<(Turns, [Ref; N]), TooLarge> {
    let mut graph = table.workspace();
    let sets = graph.copy(table, &roots)?;
    let sets = sets.try_into().expect("as many sets as were asked for");
    Ok((Turns::new(Sets::new(graph))?, sets))
}

fn check_plies(table: &StripSets, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
    let last = table.roots().len();
    for plies in 1..=last + 1 {
        let root = |plies: usize| table.won_within(plies);
        let before = plies.saturating_sub(2);
        let (mut turns, [here, target, known]) = bring(table, [root(plies), root(plies - 1), root(before)])?;
        let which = match plies % 2 {
            1 => Which::Some,
            _ => Which::Every,
        };
        let decided = turns.lead_by(which, Kind::all(table.rules(), to_move(plies)), target)?;
        let expected = turns.sets().join(Join::Or, known, decided)?;
        if let Some(position) = difference(turns.sets(), here, expected, to_move(plies))? {
            return Ok(Some(Fault::Sets {
                position,
                claim: format!(
                    "the boards won within {plies} plies do not follow from those won within fewer"
                ),
            }));
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    Ok(None)
}

fn to_move(plies: usize) -> Side {
    match plies % 2 {
        1 => Side::Left,
        _ => Side::Right,
    }
}

fn check_levels(table: &StripSets, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
    let equations: Vec<(usize, Side)> = (0..table.levels())
        .flat_map(|level| [(level, Side::Left), (level, Side::Right)])
        .collect();
    let checked = (equations.into_par_iter())
        .map(|(level, side)| {
            let position = match side {
                Side::Left => check_left(table, level),
                Side::Right => check_right(table, level),
            }?;
            done.fetch_add(1, Ordering::Relaxed);
            Ok(position.map(|position| Fault::Sets {
                position,
                claim: format!(
                    "that it is won by Left with at most {level} turns that are not forward does not agree with its turns"
                ),
            }))
        })
        .find_first(|checked| !matches!(checked, Ok(None)));
    checked.unwrap_or(Ok(None))
}

/// The equation of A(k): a position at which it does not hold.
fn check_left(table: &StripSets, level: usize) -> Result<Option<String>, TooLarge> {
    let below = level.checked_sub(1).map_or(0, |below| table.level(below)[1]);
    let [a, r] = table.level(level);
    let (mut turns, [below, a, r]) = bring(table, [below, a, r])?;
    let forward = turns.lead_by(Which::Some, &Kind::FORWARD, r)?;
    let backward = turns.lead_by(Which::Some, Kind::backward(table.rules()), below)?;
    let expected = turns.sets().join(Join::Or, forward, backward)?;
    difference(turns.sets(), a, expected, Side::Left)
}

/// The equation of R(k): a position at which it does not hold.
fn check_right(table: &StripSets, level: usize) -> Result<Option<String>, TooLarge> {
    let (mut turns, [a, r]) = bring(table, table.level(level))?;
    let kinds = Kind::all(table.rules(), Side::Right);
    let expected = turns.lead_by(Which::Every, kinds, a)?;
    difference(turns.sets(), r, expected, Side::Right)
}

/// Whether the sets of all boards that Left wins follow from each other: then no turn leads from the others into a win.
fn check_closed(table: &StripSets) -> Result<Option<Fault>, TooLarge> {
    let roots = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
    let (mut turns, [a, r]) = bring(table, roots)?;
    for (which, side, set, target) in [(Which::Some, Side::Left, a, r), (Which::Every, Side::Right, r, a)] {
        let expected = turns.lead_by(which, Kind::all(table.rules(), side), target)?;
        if let Some(position) = difference(turns.sets(), set, expected, side)? {
            return Ok(Some(Fault::Sets {
                position,
                claim: "what the table says of it does not follow from the boards after its turns"
                    .to_string(),
            }));
        }
    }
    Ok(None)
}

/// The first board, in notation, that is in one of two sets only.
fn difference(sets: &mut Sets, a: Ref, b: Ref, side: Side) -> Result<Option<String>, TooLarge> {
    for (a, b) in [(a, b), (b, a)] {
        let only = sets.join(Join::Minus, a, b)?;
        if let Some(strip) = Members::new(sets.graph(), only).nth(&BigUint::ZERO, side) {
            return Ok(Some(strip.to_string()));
        }
    }
    Ok(None)
}
