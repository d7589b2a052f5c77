//! Checks a diagram table: that its sets follow from one another by the rules.
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
//! last level is closed under *all* turns: that is checked where the table says that there are draws. Under the directional rules some kinds of
//! turns are missing, and the rest is as here.

use super::turns::{Kind, Turns};
use super::{Counted, Fault};
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::count::count;
use crate::diagram::graph::{Ref, TooLarge};
use crate::diagram::members::Members;
use crate::diagram::turns::Which;
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::Metric;
use crate::table::diagram::DiagramTable;
use num_bigint::BigUint;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Steps of the check, for a progress bar.
pub(super) fn steps(table: &DiagramTable) -> u64 {
    match table.header().metric {
        Metric::Dtw => table.roots().len() as u64 + 1,
        Metric::Wdl => 2 * table.levels() as u64,
    }
}

/// Checks one table.
pub(super) fn check(table: &DiagramTable, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
    let fault = match table.header().metric {
        Metric::Dtw => check_plies(table, done)?,
        Metric::Wdl => match check_levels(table, done)? {
            None if table.header().draws != BigUint::ZERO => check_closed(table)?,
            fault => fault,
        },
    };
    let plies = |strip: &Strip| {
        let verdict = table.verdict(&strip.under(table.header().rules));
        verdict.ok()?.depth.map(|depth| depth.0)
    };
    match fault {
        None => Ok(counted(table).compare(table.header(), table.description(), plies)),
        fault => Ok(fault),
    }
}

/// A few sets of a table in a graph of their own, to be worked on and forgotten.
fn bring<const N: usize>(table: &DiagramTable, roots: [u32; N]) -> Result<(Turns, [Ref; N]), TooLarge> {
    let mut graph = table.workspace();
    let sets = graph.copy(&table.nodes(), &roots)?;
    let sets = sets.try_into().expect("as many sets as were asked for");
    Ok((Turns::new(Sets::new(graph))?, sets))
}

fn check_plies(table: &DiagramTable, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
    let last = table.roots().len();
    for plies in 1..=last + 1 {
        let root = |plies: usize| table.won_within(plies);
        let before = plies.saturating_sub(2);
        let (mut turns, [here, target, known]) = bring(table, [root(plies), root(plies - 1), root(before)])?;
        let which = match plies % 2 {
            1 => Which::Some,
            _ => Which::Every,
        };
        let decided = turns.lead_by(which, Kind::all(table.header().rules, to_move(plies)), target)?;
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

fn check_levels(table: &DiagramTable, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
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
fn check_left(table: &DiagramTable, level: usize) -> Result<Option<String>, TooLarge> {
    let below = level.checked_sub(1).map_or(0, |below| table.level(below)[1]);
    let [a, r] = table.level(level);
    let (mut turns, [below, a, r]) = bring(table, [below, a, r])?;
    let forward = turns.lead_by(Which::Some, &Kind::FORWARD, r)?;
    let backward = turns.lead_by(Which::Some, Kind::backward(table.header().rules), below)?;
    let expected = turns.sets().join(Join::Or, forward, backward)?;
    difference(turns.sets(), a, expected, Side::Left)
}

/// The equation of R(k): a position at which it does not hold.
fn check_right(table: &DiagramTable, level: usize) -> Result<Option<String>, TooLarge> {
    let (mut turns, [a, r]) = bring(table, table.level(level))?;
    let kinds = Kind::all(table.header().rules, Side::Right);
    let expected = turns.lead_by(Which::Every, kinds, a)?;
    difference(turns.sets(), r, expected, Side::Right)
}

/// Whether the sets of all boards that Left wins follow from each other: then no turn leads from the others into a win.
fn check_closed(table: &DiagramTable) -> Result<Option<Fault>, TooLarge> {
    let roots = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
    let (mut turns, [a, r]) = bring(table, roots)?;
    for (which, side, set, target) in [(Which::Some, Side::Left, a, r), (Which::Every, Side::Right, r, a)] {
        let expected = turns.lead_by(which, Kind::all(table.header().rules, side), target)?;
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
pub(super) fn difference(sets: &mut Sets, a: Ref, b: Ref, side: Side) -> Result<Option<String>, TooLarge> {
    for (a, b) in [(a, b), (b, a)] {
        let only = sets.join(Join::Minus, a, b)?;
        if let Some(strip) = Members::new(sets.graph(), only).nth(&BigUint::ZERO, side) {
            return Ok(Some(strip.to_string()));
        }
    }
    Ok(None)
}

/// What the sets add up to.
fn counted(table: &DiagramTable) -> Counted {
    let nodes = table.nodes();
    let won = |side| count(&nodes, table.won_by_left(side));
    let depths = match table.header().metric {
        Metric::Wdl => 0..0,
        Metric::Dtw => 1..table.roots().len() + 1,
    };
    let within = |plies: usize| count(&nodes, table.won_within(plies));
    let here = |plies: usize| within(plies) - plies.checked_sub(2).map_or(BigUint::ZERO, within);
    Counted {
        wins: won(Side::Left),
        losses: won(Side::Right),
        depths: (depths.map(|plies| (plies as u16, here(plies))))
            .filter(|(_, count)| *count != BigUint::ZERO)
            .collect(),
    }
}
