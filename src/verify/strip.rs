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
use crate::job::Job;
use crate::outcome::Side;
use crate::table::{Metric, StripSets, StripTable, TableError};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use num_bigint::BigUint;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Returns the number of equations of a table, in both halves of the strip.
fn steps(table: &StripTable) -> u64 {
    let counts = table.metadata().counts(table.length());
    let equations = match table.metric() {
        Metric::Dtw => counts.roots() as u64 + 1,
        Metric::Wdl => counts.roots() as u64,
    };
    // One for each half of the strip.
    2 * equations
}

/// Checks a table: all checksums, every value of its greatest length, the levels of forward play if
/// it has them, and the counts of every length. The job counts equations.
pub fn check(table: &StripTable, job: &Job) -> Result<Option<Fault>, TableError> {
    job.expect(steps(table), "equations");
    table.check_frames()?;
    let sets = table.sets(table.length())?;
    let equations = match table.metric() {
        Metric::Dtw => equations_of_plies(&sets),
        Metric::Wdl => equations_of_levels(&sets),
    };
    let found = violated(&sets, &equations, job).and_then(|fault| {
        let has_draws = table.metric() == Metric::Wdl && sets.summary().draws != BigUint::ZERO;
        match fault {
            None if has_draws => violated(&sets, &equations_of_winners(&sets), job),
            fault => Ok(fault),
        }
    });
    job.check()?;
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
    /// The message for a board that violates the equation.
    claim: String,
}

/// Checks equations, until the job is stopped. Returns the fault of the first violated
/// equation.
fn violated(table: &StripSets, equations: &[Equation], job: &Job) -> Result<Option<Fault>, TooLarge> {
    let work = Work::new(table, equations, job)?;
    // The one that takes longest comes first.
    let jobs = [
        (Side::Left, true),
        (Side::Left, false),
        (Side::Right, true),
        (Side::Right, false),
    ];
    let found = (jobs.into_par_iter())
        .map(|(to_move, is_mirrored)| work.check(to_move, is_mirrored))
        .collect::<Result<Vec<_>, _>>()?;
    let first = found.into_iter().flatten().min_by_key(|(place, _)| *place);
    Ok(first.map(|(place, board)| Fault::of_sets(board, equations[place].claim.clone())))
}

/// The work of a check, with a bound on the steps of all equations together.
///
/// Equations with the same player to move have similar sets. They are checked one after the other in
/// one graph, and reuse cached results. Each half of the strip has its own graph for the balls in it,
/// and is read from its own end ([`Turns::reading`]).
struct Work<'t> {
    table: &'t StripSets,
    equations: &'t [Equation],
    /// The mirror images of all roots, and their places by root.
    images: Graph,
    image: HashMap<u32, Ref>,
    steps: AtomicU64,
    /// The smallest place of an equation that is known to be violated.
    first: AtomicUsize,
    job: &'t Job,
}

/// Copies of a table in the budget for all its equations. The equations of 64 squares take at most a
/// quarter of the steps of one copy, those of 128 squares half of them.
const COPIES: u64 = 4;

impl<'t> Work<'t> {
    fn new(table: &'t StripSets, equations: &'t [Equation], job: &'t Job) -> Result<Work<'t>, TooLarge> {
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
            equations,
            images,
            image,
            steps,
            first: AtomicUsize::new(usize::MAX),
            job,
        })
    }

    /// Checks the equations with this player to move, for the balls of one half. Returns the place
    /// of the first violated equation and a board that violates it.
    fn check(&self, to_move: Side, is_mirrored: bool) -> Result<Option<(usize, Strip)>, TooLarge> {
        let (length, one) = (self.table.length(), self.table.budget(1));
        // The middle square of an odd strip belongs to the left half.
        let last = (length - 1 - usize::from(is_mirrored)) / 2;
        let graph = Graph::within(length, one.with_steps(self.steps.load(Ordering::Relaxed)));
        let mut turns = Turns::reading(Sets::new(graph), last, is_mirrored)?;
        let equations = self.equations.iter().enumerate();
        for (place, equation) in equations.filter(|(_, equation)| equation.to_move == to_move) {
            if place > self.first.load(Ordering::Relaxed) {
                break;
            }
            let graph = turns.sets().graph_mut();
            let before = graph.budget().steps();
            let sets = self.copy(equation, is_mirrored, graph)?;
            let found = differing(&mut turns, to_move, is_mirrored, sets)?;
            let spent = before - turns.sets().graph().budget().steps();
            let rest = |steps: u64| steps.checked_sub(spent);
            let bound = (self.steps).fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
            bound.map_err(|_| TooLarge)?;
            let stopped = self.job.advance(1);
            if let Some(board) = found {
                self.first.fetch_min(place, Ordering::Relaxed);
                let board = if is_mirrored {
                    board.mirror().with_side(board.side())
                } else {
                    board
                };
                return Ok(Some((place, board)));
            }
            if stopped.is_err() {
                break;
            }
        }
        Ok(None)
    }

    /// Copies the sets of an equation into a graph: here, known, right, left as it is read.
    fn copy(&self, equation: &Equation, is_mirrored: bool, graph: &mut Graph) -> Result<[Ref; 4], TooLarge> {
        let &Equation {
            here,
            known,
            right,
            left,
            ..
        } = equation;
        let copies = if is_mirrored {
            let images = [here, known, left, right].map(|root| self.image[&root]);
            graph.copy(&self.images, &images)?
        } else {
            graph.copy(self.table, &[here, known, right, left])?
        };
        Ok(copies.try_into().expect("one copy of each set"))
    }
}

/// Returns a board that violates an [`Equation`] of these sets.
fn differing(
    turns: &mut Turns,
    to_move: Side,
    is_mirrored: bool,
    [here, known, right, left]: [Ref; 4],
) -> Result<Option<Strip>, TooLarge> {
    let known = turns.within(known)?;
    let (quantifier, how, mut found) = match to_move {
        Side::Left => (Quantifier::Exists, Join::Or, known),
        Side::Right => (Quantifier::ForAll, Join::And, turns.boards()),
    };
    let mut kinds = [
        (TurnKind::JumpRight, right),
        (TurnKind::JumpLeft, left),
        (TurnKind::PlaceLeft, left),
        (TurnKind::PlaceRight, right),
    ];
    // The last kind is joined turn by turn to the boards found so far. Near the player's goal the
    // last kind is stones past the ball, because the other kinds decide most boards there. Far from
    // it, the preimage of these stones alone is smaller.
    let is_near = is_mirrored == (to_move == Side::Left);
    if !is_near {
        kinds.swap(2, 3);
    }
    let [others @ .., (last, target)] = kinds;
    for (kind, target) in others {
        let other = turns.preimage(quantifier, &[kind], target)?;
        found = turns.sets().join(how, found, other)?;
    }
    found = turns.join(how, found, last, target)?;
    found = turns.sets().join(Join::Or, found, known)?;
    let here = turns.within(here)?;
    turns.sets().first_differing(here, found, to_move)
}

/// Returns the equations of a table with depths.
fn equations_of_plies(table: &StripSets) -> Vec<Equation> {
    let equation = |plies: usize| {
        let target = table.won_within(plies - 1);
        Equation {
            to_move: if plies % 2 == 1 { Side::Left } else { Side::Right },
            here: table.won_within(plies),
            known: table.won_within(plies.saturating_sub(2)),
            right: target,
            left: target,
            claim: format!("the boards won within {plies} plies do not follow from those won within fewer"),
        }
    };
    (1..=table.roots().len() + 1).map(equation).collect()
}

/// Returns the equations of the levels of forward play.
fn equations_of_levels(table: &StripSets) -> Vec<Equation> {
    let equations = |level: usize| {
        let [a, r] = table.level(level);
        let below = level.checked_sub(1).map_or(0, |below| table.level(below)[1]);
        [(Side::Left, a, r, below), (Side::Right, r, a, a)].map(|(to_move, here, right, left)| Equation {
            to_move,
            here,
            known: 0,
            right,
            left,
            claim: format!("its turns contradict that Left wins it with at most {level} backward turns"),
        })
    };
    (0..table.levels()).flat_map(equations).collect()
}

/// Returns the equations of the sets of all boards that Left wins: no turn leads from the others into
/// a win.
fn equations_of_winners(table: &StripSets) -> Vec<Equation> {
    let equation = |to_move: Side| {
        let target = table.won_by_left(to_move.opponent());
        Equation {
            to_move,
            here: table.won_by_left(to_move),
            known: 0,
            right: target,
            left: target,
            claim: "its stored outcome does not follow from the boards after its turns".to_string(),
        }
    };
    [Side::Left, Side::Right].map(equation).into()
}
