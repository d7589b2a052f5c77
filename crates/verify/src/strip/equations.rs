//! The equations of tables with depths and with levels: sets that follow exactly from others.
//!
//! Each half of the strip is read from its own end, so that the ball comes early: before the ball a
//! set has many nodes, past it few. The right half is read in the mirror image, in which the turns
//! that win for Left win for the other side.

use super::super::Mismatch;
use super::super::inclusion::turns::TurnKind;
use super::super::inclusion::{Checker, CheckerLimits, Halt, Set};
use super::halted;
use hashbrown::HashMap;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Strip;
use phutbase_sets::Diagram;
use phutbase_tables::{StripSets, TableError};

/// A statement about the boards of a set with one player to move: `here` is `known` together with
/// the boards from which some turn of Left's, or every turn of Right's, wins for Left or leads into
/// the target of its kind.
pub struct Equation {
    to_move: Side,
    sets: Sets<u32>,
    /// The claim that a violating board contradicts.
    claim: String,
}

/// The sets of an equation: roots of a table, or sets of a checker.
#[derive(Clone, Copy)]
struct Sets<S> {
    here: S,
    known: S,
    /// The target of turns that change squares to the right of the ball.
    right: S,
    /// The target of the other turns.
    left: S,
}

/// Returns the equations of a table with depths.
pub fn of_plies(table: &StripSets) -> Vec<Equation> {
    let of_plies = |plies: usize| {
        let target = table.won_within(plies - 1);
        Equation {
            to_move: if plies % 2 == 1 { Side::Left } else { Side::Right },
            sets: Sets {
                here: table.won_within(plies),
                known: table.won_within(plies.saturating_sub(2)),
                right: target,
                left: target,
            },
            claim: format!("the boards won within {plies} plies do not follow from those won within fewer"),
        }
    };
    (1..=table.roots().len() + 1).map(of_plies).collect()
}

/// Returns the equations of the levels of forward play.
pub fn of_levels(table: &StripSets) -> Vec<Equation> {
    let of_level = |level: usize| {
        let [a, r] = table.level(level);
        let below = level.checked_sub(1).map_or(0, |below| table.level(below)[1]);
        let of_player = |(to_move, here, right, left)| Equation {
            to_move,
            sets: Sets {
                here,
                known: 0,
                right,
                left,
            },
            claim: format!("its turns contradict that Left wins it with at most {level} backward turns"),
        };
        [(Side::Left, a, r, below), (Side::Right, r, a, a)].map(of_player)
    };
    (0..table.levels()).flat_map(of_level).collect()
}

/// Checks equations, until the job is stopped. Returns the fault of the first violated one.
pub fn check(
    table: &StripSets,
    equations: &[Equation],
    limits: CheckerLimits,
    job: &Job,
) -> Result<Option<Mismatch>, TableError> {
    let mut first = None;
    let halves = [false, true].into_iter().filter(|_| !equations.is_empty());
    for is_mirrored in halves {
        let reached = first.as_ref().map_or(equations.len(), |&(place, _)| place);
        let found = HalfSets::new(table, is_mirrored, limits, job)
            .and_then(|mut half| half.violated(&equations[..reached], job));
        job.check()?;
        first = found.map_err(|halt| halted(table, halt))?.or(first);
    }
    Ok(first.map(|(place, board)| Mismatch::of_sets(board, equations[place].claim.clone())))
}

/// The sets of a table for the boards with the ball in one half of the strip.
struct HalfSets {
    is_mirrored: bool,
    checker: Checker,
    sets: HashMap<u32, Set>,
}

impl HalfSets {
    fn new(table: &StripSets, is_mirrored: bool, limits: CheckerLimits, job: &Job) -> Result<HalfSets, Halt> {
        let length = table.length();
        // The middle square of an odd strip belongs to the left half.
        let last_ball = (length - 1 - usize::from(is_mirrored)) / 2;
        let mut checker = Checker::new(length, limits, job).with_balls_up_to(last_ball);
        let mut roots = table.roots().to_vec();
        roots.push(0);
        roots.sort_unstable();
        roots.dedup();
        let sets = if is_mirrored {
            checker.copy_mirrored(table, &roots)?
        } else {
            checker.copy(table, &roots)?
        };
        Ok(HalfSets {
            is_mirrored,
            checker,
            sets: roots.into_iter().zip(sets).collect(),
        })
    }

    /// Returns the place of the first violated equation with a board that violates it.
    fn violated(&mut self, equations: &[Equation], job: &Job) -> Result<Option<(usize, Strip)>, Halt> {
        for (place, equation) in equations.iter().enumerate() {
            if let Some(board) = self.differing(equation.to_move, self.read(equation))? {
                return Ok(Some((place, board)));
            }
            job.advance(1)?;
        }
        Ok(None)
    }

    /// Returns the sets of an equation as this half is read.
    fn read(&self, equation: &Equation) -> Sets<Set> {
        let Sets {
            here,
            known,
            right,
            left,
        } = equation.sets;
        let [right, left] = if self.is_mirrored {
            [left, right]
        } else {
            [right, left]
        };
        let [here, known, right, left] = [here, known, right, left].map(|root| self.sets[&root]);
        Sets {
            here,
            known,
            right,
            left,
        }
    }

    /// Returns all kinds of turns. The last is joined turn by turn to the boards found so far: near the
    /// player's goal stones beyond the ball, because other kinds decide most boards there; far from it
    /// stones before the ball. In one fixed order 64 squares took three times as long.
    fn kinds(&self, to_move: Side) -> &'static [TurnKind; 4] {
        use TurnKind::*;
        let is_near = self.is_mirrored == (to_move == Side::Left);
        match is_near {
            true => &[JumpRight, JumpLeft, PlaceLeft, PlaceRight],
            false => &[JumpRight, JumpLeft, PlaceRight, PlaceLeft],
        }
    }

    /// Returns a board that violates an equation of these sets.
    fn differing(&mut self, to_move: Side, sets: Sets<Set>) -> Result<Option<Strip>, Halt> {
        let kinds = self.kinds(to_move);
        let checker = &mut self.checker;
        // For Right the boards that Left does not win: some turn leads to another or wins for Right.
        let mut set = |set| match to_move {
            Side::Left => Ok(set),
            Side::Right => checker.complement(set),
        };
        let here = set(sets.here)?;
        let (right, left) = (set(sets.right)?, set(sets.left)?);
        let here = checker.within(here)?;
        let known = match to_move {
            Side::Left => checker.within(sets.known)?,
            Side::Right => Set::NONE,
        };
        let winner = if self.is_mirrored {
            to_move.opponent()
        } else {
            to_move
        };
        let into = |kind: TurnKind| if kind.is_rightward() { right } else { left };
        let (last, apart) = kinds.split_last().expect("there are kinds");
        let have = checker.some_apart(apart, known, into, winner)?;
        let have = checker.some(&[*last], have, into, winner)?;
        let found = match checker.first_beyond(here, have)? {
            None => checker.first_beyond(have, here)?,
            found => found,
        };
        Ok(found.map(|board| {
            let board = if self.is_mirrored { board.mirror() } else { board };
            board.with_side(to_move)
        }))
    }
}
