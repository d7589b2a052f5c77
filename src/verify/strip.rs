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
use crate::diagram::mirror::mirrored;
use crate::diagram::turns::Quantifier;
use crate::diagram::{Diagram, Graph, Join, Ref, Sets, TooLarge};
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::{Metric, StripSets, StripTable, TableError};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
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

/// A statement about two sets, with Left or Right to move: `here` is `known` together with the
/// boards from which some turn of Left, or every turn of Right, wins for Left or leads into these
/// sets.
struct Equation {
    to_move: Side,
    here: u32,
    known: u32,
    /// The target of turns that touch only squares to the right of the ball.
    right: u32,
    /// The target of the other turns.
    left: u32,
}

/// The work of a check, with a bound on the steps of all equations together.
///
/// Each equation is checked for the balls of either half of the strip, read from the end that is
/// nearer ([`Turns::reading`]).
struct Work<'t> {
    table: &'t StripSets,
    /// The mirror images of all roots, and their places by root.
    images: Graph,
    image: HashMap<u32, Ref>,
    steps: AtomicU64,
}

/// Copies of a table in the budget for all its equations: 64 squares take 12 million steps in 6
/// equations, of 27 million for one copy.
const COPIES: u64 = 8;

impl Work<'_> {
    fn new(table: &StripSets) -> Result<Work<'_>, TooLarge> {
        let mut images = Graph::within(table.length(), table.budget(COPIES));
        let copies = images.copy(table, table.roots())?;
        let mut image = HashMap::from([(0, Ref::BOTTOM)]);
        for (&root, copy) in table.roots().iter().zip(copies) {
            if let Entry::Vacant(new) = image.entry(root) {
                new.insert(mirrored(&mut images, copy)?);
            }
        }
        let steps = AtomicU64::new(images.budget().steps());
        Ok(Work {
            table,
            images,
            image,
            steps,
        })
    }

    /// Returns a position that violates an equation.
    fn check(&self, equation: &Equation) -> Result<Option<Strip>, TooLarge> {
        let found = ([false, true].into_par_iter())
            .map(|is_mirrored| self.check_half(equation, is_mirrored))
            .find_first(|found| !matches!(found, Ok(None)));
        found.unwrap_or(Ok(None))
    }

    /// Checks an equation for the balls of one half, in a temporary graph.
    fn check_half(&self, equation: &Equation, is_mirrored: bool) -> Result<Option<Strip>, TooLarge> {
        let (length, one) = (self.table.length(), self.table.budget(1));
        let steps = self.steps.load(Ordering::Relaxed).min(one.steps());
        let mut graph = Graph::within(length, one.with_steps(steps));
        let &Equation {
            to_move,
            here,
            known,
            right,
            left,
        } = equation;
        let sets = if is_mirrored {
            graph.copy(
                &self.images,
                &[here, known, left, right].map(|root| self.image[&root]),
            )?
        } else {
            graph.copy(self.table, &[here, known, right, left])?
        };
        // The middle square of an odd strip belongs to the left half.
        let last = (length - 1 - usize::from(is_mirrored)) / 2;
        let mut turns = Turns::reading(Sets::new(graph), last, is_mirrored)?;
        let found = differing(&mut turns, to_move, &sets)?;
        let spent = steps - turns.sets().graph().budget().steps();
        let rest = |steps: u64| Some(steps.saturating_sub(spent));
        let _ = (self.steps).fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
        if is_mirrored {
            return Ok(found.map(|strip| strip.mirror().with_side(strip.side())));
        }
        Ok(found)
    }
}

/// Returns a board that violates an [`Equation`] of these sets.
fn differing(turns: &mut Turns, to_move: Side, sets: &[Ref]) -> Result<Option<Strip>, TooLarge> {
    let &[here, known, right, left] = sets else {
        unreachable!("an equation has four sets");
    };
    let (quantifier, how) = match to_move {
        Side::Left => (Quantifier::Exists, Join::Or),
        Side::Right => (Quantifier::ForAll, Join::And),
    };
    let mut found = turns.preimage(quantifier, &[TurnKind::JumpRight], right)?;
    let mut others = vec![(TurnKind::JumpLeft, left)];
    let mut last = TurnKind::Place;
    if left != right {
        others.push((TurnKind::PlaceLeft, left));
        last = TurnKind::PlaceRight;
    }
    for (kind, target) in others {
        let other = turns.preimage(quantifier, &[kind], target)?;
        found = turns.sets().join(how, found, other)?;
    }
    // The most turns come last, and are joined to what is known one by one.
    let known = turns.within(known)?;
    if how == Join::Or {
        found = turns.sets().join(Join::Or, found, known)?;
    }
    found = turns.join(how, found, last, right)?;
    found = turns.sets().join(Join::Or, found, known)?;
    let here = turns.within(here)?;
    turns.sets().first_differing(here, found, to_move)
}

fn check_plies(table: &StripSets, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
    let last = table.roots().len();
    let work = Work::new(table)?;
    for plies in 1..=last + 1 {
        let target = table.won_within(plies - 1);
        let found = work.check(&Equation {
            to_move: if plies % 2 == 1 { Side::Left } else { Side::Right },
            here: table.won_within(plies),
            known: table.won_within(plies.saturating_sub(2)),
            right: target,
            left: target,
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

fn check_levels(table: &StripSets, done: &AtomicU64) -> Result<Option<Fault>, TooLarge> {
    let equations: Vec<(usize, Side)> = (0..table.levels())
        .flat_map(|level| [(level, Side::Left), (level, Side::Right)])
        .collect();
    let work = Work::new(table)?;
    let checked = (equations.into_par_iter())
        .map(|(level, to_move)| {
            let [a, r] = table.level(level);
            let below = level.checked_sub(1).map_or(0, |below| table.level(below)[1]);
            let (here, right, left) = match to_move {
                Side::Left => (a, r, below),
                Side::Right => (r, a, a),
            };
            let position = work.check(&Equation {
                to_move,
                here,
                known: 0,
                right,
                left,
            })?;
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

/// Checks that the sets of all boards that Left wins follow from each other, so that no turn leads
/// from the others into a win.
fn check_closed(table: &StripSets) -> Result<Option<Fault>, TooLarge> {
    let work = Work::new(table)?;
    for to_move in [Side::Left, Side::Right] {
        let target = table.won_by_left(to_move.opponent());
        let found = work.check(&Equation {
            to_move,
            here: table.won_by_left(to_move),
            known: 0,
            right: target,
            left: target,
        })?;
        if let Some(position) = found {
            let claim = "its stored outcome does not follow from the boards after its turns";
            return Ok(Some(Fault::of_sets(position, claim.to_string())));
        }
    }
    Ok(None)
}
