//! Checks that the sets of a table of strips follow from one another by the rules.
//!
//! **With depths.** Root d must be exactly root d − 2 together with the boards from which some turn
//! of Left (odd d), or every turn of Right (even d), leads into root d − 1; and one ply more must
//! add nothing. By induction every board of root d is won within d plies, and boards of no earlier
//! root within fewer. From a board in no root, Right can (Left must) always move to another such
//! board.
//!
//! **Without depths** the sets are the *levels* A(0), R(0), A(1), R(1), … of forward play
//! (docs/PROOF.md), which must satisfy
//!
//! ```text
//!     A(k) = the boards from which a forward turn of Left wins or leads into R(k), or another turn into R(k − 1)
//!     R(k) = the boards from which every turn of Right leads into A(k) or wins for Left
//! ```
//!
//! with R(−1) = ∅. A turn of Left is forward if it touches only squares to the right of the ball.
//! Play with at most k other turns terminates whatever Right does, so Left wins every board of
//! level k. A board in no level whose mirror image is in none is a draw only if the last level is
//! closed under *all* turns; this is checked where the table counts draws.

use super::Fault;
use super::turns::{TurnKind, Turns};
use crate::diagram::turns::Quantifier;
use crate::diagram::{Diagram, Graph, Join, Ref, Sets, TooLarge};
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::{Metric, StripSets, StripTable, TableError};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns the number of steps of [`check`], for a progress bar.
pub fn steps(table: &StripTable) -> u64 {
    let counts = table.metadata().counts(table.length());
    match table.metric() {
        Metric::Dtw => counts.roots() as u64 + 1,
        Metric::Wdl => counts.roots() as u64,
    }
}

/// Checks a table: all checksums, every value of its greatest length, the levels of forward play if
/// it has them, and the counts of every length. `done` counts up to [`steps`].
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

/// Compares the counts of every length with a recount.
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

/// Compares the winners of two tables on the greatest length that both hold; shorter lengths
/// follow.
pub fn compare(one: &StripTable, other: &StripTable) -> Result<Option<Fault>, TableError> {
    let length = one.length().min(other.length());
    let (one, other) = (one.sets(length)?, other.sets(length)?);
    let differing = || -> Result<Option<Strip>, TooLarge> {
        for side in [Side::Left, Side::Right] {
            let mut graph = one.workspace();
            let a = graph.copy(&one, &[one.won_by_left(side)])?[0];
            let b = graph.copy(&other, &[other.won_by_left(side)])?[0];
            if let Some(position) = Sets::new(graph).first_differing(a, b, side)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    };
    let position = differing().map_err(|TooLarge| one.unwieldy())?;
    Ok(position.map(|position| Fault::Difference {
        position: position.to_string(),
    }))
}

/// The work of a check, with a bound on the steps of all equations together.
struct Work<'t> {
    table: &'t StripSets,
    steps: AtomicU64,
}

/// Copies of a table in the budget for all its equations: 64 squares take 12 million steps in 6
/// equations, of 27 million for one copy.
const COPIES: u64 = 8;

impl Work<'_> {
    fn new(table: &StripSets) -> Work<'_> {
        let steps = AtomicU64::new(table.budget(COPIES).steps());
        Work { table, steps }
    }

    /// Checks one equation of a few sets, in a temporary graph.
    fn check<const N: usize>(
        &self,
        roots: [u32; N],
        equation: impl FnOnce(&mut Turns, [Ref; N]) -> Result<Option<Strip>, TooLarge>,
    ) -> Result<Option<Strip>, TooLarge> {
        let one = self.table.budget(1);
        let steps = self.steps.load(Ordering::Relaxed).min(one.steps());
        let mut graph = Graph::within(self.table.length(), one.with_steps(steps));
        let sets = graph.copy(self.table, &roots)?;
        let sets = sets.try_into().expect("as many sets as were asked for");
        let mut turns = Turns::new(Sets::new(graph))?;
        let found = equation(&mut turns, sets)?;
        let spent = steps - turns.sets().graph().budget().steps();
        let rest = |steps: u64| Some(steps.saturating_sub(spent));
        let _ = (self.steps).fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
        Ok(found)
    }
}

fn check_plies(table: &StripSets, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
    let last = table.roots().len();
    let work = Work::new(table);
    for plies in 1..=last + 1 {
        let root = |plies: usize| table.won_within(plies);
        let quantifier = if plies % 2 == 1 {
            Quantifier::Exists
        } else {
            Quantifier::ForAll
        };
        let roots = [root(plies), root(plies - 1), root(plies.saturating_sub(2))];
        let found = work.check(roots, |turns, [here, target, known]| {
            let decided = turns.preimage(quantifier, &TurnKind::ALL, target)?;
            let expected = turns.sets().join(Join::Or, known, decided)?;
            turns.sets().first_differing(here, expected, to_move(plies))
        })?;
        if let Some(position) = found {
            let claim =
                format!("the boards won within {plies} plies do not follow from those won within fewer");
            return Ok(Some(Fault::of_sets(position, claim)));
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
    let work = Work::new(table);
    let checked = (equations.into_par_iter())
        .map(|(level, side)| {
            let position = match side {
                Side::Left => check_left(&work, level),
                Side::Right => check_right(&work, level),
            }?;
            done.fetch_add(1, Ordering::Relaxed);
            Ok(position.map(|position| {
                let claim =
                    format!("its turns contradict that Left wins it with at most {level} backward turns");
                Fault::of_sets(position, claim)
            }))
        })
        .find_first(|checked| !matches!(checked, Ok(None)));
    checked.unwrap_or(Ok(None))
}

/// Returns a position that violates the equation of A(k).
fn check_left(work: &Work<'_>, level: usize) -> Result<Option<Strip>, TooLarge> {
    let below = level.checked_sub(1).map_or(0, |below| work.table.level(below)[1]);
    let [a, r] = work.table.level(level);
    work.check([below, a, r], |turns, [below, a, r]| {
        let forward = turns.preimage(Quantifier::Exists, &TurnKind::FORWARD, r)?;
        let backward = turns.preimage(Quantifier::Exists, &TurnKind::BACKWARD, below)?;
        let expected = turns.sets().join(Join::Or, forward, backward)?;
        turns.sets().first_differing(a, expected, Side::Left)
    })
}

/// Returns a position that violates the equation of R(k).
fn check_right(work: &Work<'_>, level: usize) -> Result<Option<Strip>, TooLarge> {
    work.check(work.table.level(level), |turns, [a, r]| {
        let expected = turns.preimage(Quantifier::ForAll, &TurnKind::ALL, a)?;
        turns.sets().first_differing(r, expected, Side::Right)
    })
}

/// Checks that the sets of all boards that Left wins follow from each other, so that no turn leads
/// from the others into a win.
fn check_closed(table: &StripSets) -> Result<Option<Fault>, TooLarge> {
    let [left, right] = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
    let work = Work::new(table);
    for (quantifier, side, roots) in [
        (Quantifier::Exists, Side::Left, [left, right]),
        (Quantifier::ForAll, Side::Right, [right, left]),
    ] {
        let found = work.check(roots, |turns, [set, target]| {
            let expected = turns.preimage(quantifier, &TurnKind::ALL, target)?;
            turns.sets().first_differing(set, expected, side)
        })?;
        if let Some(position) = found {
            let claim = "its stored outcome does not follow from the boards after its turns";
            return Ok(Some(Fault::of_sets(position, claim.to_string())));
        }
    }
    Ok(None)
}
