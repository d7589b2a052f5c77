//! Checks that the sets of a table of strips follow from one another by the rules.
//!
//! **Who wins** (`wdl`). The table has two sets, A with Left and R with Right to move:
//!
//! ```text
//!     A = boards from which a proper turn of Left wins or leads into R
//!     R = boards from which every turn of Right leads into A or wins for Left
//! ```
//!
//! Play in which Left makes proper turns only ends (docs/PROOF.md, Theorem N), so Left wins every
//! board of two sets with '⊆' instead of '='; and if their numbers add up to all boards, Right wins
//! the others. Where they do not, the table counts draws, and no turn may lead from the others into a
//! win.
//!
//! **Levels** are pairs A(k), R(k) with *forward* turns instead of proper ones: a turn of Left is
//! forward if it touches only squares to the right of the ball.
//!
//! ```text
//!     A(k) = boards from which a forward turn wins or leads into R(k), or another into R(k − 1)      R(−1) = ∅
//!     R(k) = boards from which every turn of Right leads into A(k) or wins for Left
//! ```
//!
//! Play with at most k other turns ends, so these equations have one solution.
//!
//! **With depths** (`dtw`) root d must be exactly root d − 2 together with the boards from which some
//! turn of Left (odd d), or every turn of Right (even d), leads into root d − 1; and one ply more must
//! add nothing. By induction every board of root d is won within d plies, and boards of no earlier
//! root within fewer. From a board in no root, Right can (Left must) always move to another such
//! board.
//!
//! The questions about turns are those of [`super::inclusion`].

use super::Fault;
use super::inclusion::turns::TurnKind;
use super::inclusion::{Checker, Halt, Room, Set};
use crate::diagram::Diagram;
use crate::games::strip::{After, Strip, Turn};
use crate::job::{Job, Need};
use crate::outcome::Side;
use crate::table::{Metric, StripSets, StripTable, TableError};
use num_bigint::BigUint;
use rayon::prelude::*;

/// Checks a table: all checksums, every value of its greatest length, and the counts of every length.
/// The job counts statements; its memory bounds what the check may take.
pub fn check(table: &StripTable, job: &Job) -> Result<Option<Fault>, TableError> {
    table.check_frames()?;
    let sets = table.sets(table.length())?;
    let statements = match table.metric() {
        Metric::Dtw => equations_of_plies(&sets),
        Metric::Levels => equations_of_levels(&sets),
        Metric::Wdl => statements_of_winners(&sets),
    };
    job.expect(statements.len() as u64, "statements");
    let mut checker = checker(&sets, job)?;
    let found = violated(&mut checker, &sets, &statements, job);
    job.check()?;
    let found = found.map_err(|halt| halted(&sets, halt))?;
    Ok(found.map_or_else(|| check_counts(table, &sets), Some))
}

/// Compares the winners of two tables on the greatest length that both hold; shorter lengths
/// follow.
pub fn compare(one: &StripTable, other: &StripTable) -> Result<Option<Fault>, TableError> {
    let length = one.length().min(other.length());
    let (one, other) = (one.sets(length)?, other.sets(length)?);
    let job = Job::default();
    let mut checker = checker(&one, &job)?;
    let mut differing = || -> Result<Option<Strip>, Halt> {
        for side in [Side::Left, Side::Right] {
            let a = checker.copy(&one, &[one.won_by_left(side)])?[0];
            let b = checker.copy(&other, &[other.won_by_left(side)])?[0];
            let beyond = checker.first_beyond(a, b)?;
            if let Some(board) = beyond.map_or_else(|| checker.first_beyond(b, a), |board| Ok(Some(board)))? {
                return Ok(Some(board.with_side(side)));
            }
        }
        Ok(None)
    };
    let position = differing().map_err(|halt| halted(&one, halt))?;
    Ok(position.map(|position| Fault::Difference {
        position: position.to_string(),
    }))
}

/// Results that a check keeps for each node of the table, if there is room: with four times as many
/// 144 squares take a quarter longer, because memory is slow, and with a quarter as many a tenth.
const RESULTS_PER_NODE: usize = 32;
/// Nodes that a check may make for each node of the table.
const COPIES: u64 = 4;

/// Returns a checker for the sets of a table, without any set yet. It takes at most the memory of the
/// job, and its budget of steps follows from the size of the table.
pub(crate) fn checker(sets: &StripSets, job: &Job) -> Result<Checker, TableError> {
    let budget = sets.budget(COPIES);
    let nodes = sets.nodes().max(1 << 10);
    let mut room = Room {
        nodes: [8 * nodes, budget.nodes().min(1 << 31) as usize],
        results: (RESULTS_PER_NODE * nodes).next_power_of_two(),
        steps: budget.steps(),
    };
    if let Some(memory) = job.memory() {
        while room.bytes() > memory && room.results > nodes {
            room.results /= 2;
        }
        if room.bytes() > memory {
            return Err(TableError::Limit {
                file: sets.path().to_path_buf(),
                reason: format!(
                    "checking it takes {} bytes of memory and {memory} may be used",
                    room.bytes()
                ),
            });
        }
        while room.nodes[0] < room.nodes[1] && room.bytes_with(room.nodes[1]) > memory {
            room.nodes[1] /= 2;
        }
    }
    job.need(Need {
        memory: room.bytes(),
        ..Need::default()
    });
    Ok(Checker::new(sets.length(), room, job))
}

/// Returns the error of a question about a table that a checker could not answer.
pub(crate) fn halted(sets: &StripSets, halt: Halt) -> TableError {
    match halt {
        Halt::Stopped(stopped) => stopped.into(),
        Halt::Full | Halt::Budget => sets.unwieldy(),
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

/// A statement about the boards of a set with one player to move: `here` is `known` together with
/// the boards from which some turn of Left's, or every turn of Right's, wins for Left or leads into
/// the target of its kind.
struct Statement {
    to_move: Side,
    relation: Relation,
    /// The kinds of turns that count.
    kinds: &'static [TurnKind],
    /// The roots of the table that it is about.
    roots: Roots<u32>,
    /// The claim that a violating board contradicts.
    claim: String,
}

#[derive(Clone, Copy)]
struct Roots<S> {
    here: S,
    known: S,
    /// The target of turns that change squares to the right of the ball.
    right: S,
    /// The target of the other turns.
    left: S,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// The boards in `here` have the turns, and the others do not.
    Exact,
    /// The boards in `here` have the turns.
    Sound,
    /// The boards that are not in `here` do not have the turns.
    Complete,
}

/// Checks statements, until the job is stopped. Returns the fault of the first violated one.
fn violated(
    checker: &mut Checker,
    table: &StripSets,
    statements: &[Statement],
    job: &Job,
) -> Result<Option<Fault>, Halt> {
    let roots = statements.iter().map(|statement| statement.roots);
    let roots = roots.flat_map(|roots| [roots.here, roots.known, roots.right, roots.left]);
    let sets = checker.copy(table, &roots.collect::<Vec<_>>())?;
    let sets = sets.as_chunks().0;
    checker.growing(|checker| {
        job.set_done(0);
        let found =
            (statements.par_iter().zip(sets)).find_map_first(|(statement, &[here, known, right, left])| {
                let sets = Roots {
                    here,
                    known,
                    right,
                    left,
                };
                let found = statement.violation(checker, sets).transpose();
                found.or_else(|| Some(Err(job.advance(1).err()?.into())))
            });
        found.transpose()
    })
}

impl Statement {
    /// Returns the fault of a board that violates the statement.
    fn violation(&self, checker: &Checker, sets: Roots<Set>) -> Result<Option<Fault>, Halt> {
        let board = match (self.to_move, self.relation) {
            (Side::Left, Relation::Exact) => {
                let have =
                    checker.some_apart(self.kinds, sets.known, |kind| sets.target(kind), Side::Left)?;
                match checker.first_beyond(sets.here, have)? {
                    None => checker.first_beyond(have, sets.here)?,
                    found => found,
                }
            }
            (Side::Right, Relation::Exact) => {
                let others = sets.complements(checker)?;
                let have =
                    checker.some_apart(self.kinds, Set::NONE, |kind| others.target(kind), Side::Right)?;
                match checker.first_beyond(others.here, have)? {
                    None => checker.first_beyond(have, others.here)?,
                    found => found,
                }
            }
            (Side::Left, Relation::Sound) => {
                let have = checker.some(self.kinds, sets.known, |kind| sets.target(kind), Side::Left)?;
                checker.first_beyond(sets.here, have)?
            }
            (Side::Right, Relation::Sound) => {
                return self.with_turn(checker, sets.here, sets, Side::Left);
            }
            (Side::Left, Relation::Complete) => {
                let others = sets.complements(checker)?;
                return self.with_turn(checker, others.here, others, Side::Right);
            }
            (Side::Right, Relation::Complete) => {
                let others = sets.complements(checker)?;
                let have = checker.some(self.kinds, Set::NONE, |kind| others.target(kind), Side::Right)?;
                checker.first_beyond(others.here, have)?
            }
        };
        Ok(board.map(|board| Fault::of_sets(board.with_side(self.to_move), self.claim.clone())))
    }

    /// Returns the fault of a board of `from` with a turn that neither wins for a side nor leads into
    /// the target of its kind.
    fn with_turn(
        &self,
        checker: &Checker,
        from: Set,
        into: Roots<Set>,
        winner: Side,
    ) -> Result<Option<Fault>, Halt> {
        let found = checker.every(self.kinds, from, |kind| into.target(kind), winner)?;
        Ok(found.map(|board| {
            let board = board.with_side(self.to_move);
            // By the rules, not by the automaton that found the board.
            let leads_out = |turn: &Turn| match board.after(*turn) {
                After::Over { winner: over, .. } => over != winner,
                After::Position(next) => !checker.contains(into.of(turn.is_rightward(&board)), &next),
            };
            let turn = board.turns().into_iter().find(leads_out);
            let turn = turn.map_or(String::new(), |turn| format!(": {turn}"));
            Fault::of_sets(board, format!("{}{turn}", self.claim))
        }))
    }
}

impl Roots<Set> {
    fn target(self, kind: TurnKind) -> Set {
        self.of(kind.is_rightward())
    }

    fn of(self, rightward: bool) -> Set {
        if rightward { self.right } else { self.left }
    }

    fn complements(self, checker: &Checker) -> Result<Roots<Set>, Halt> {
        Ok(Roots {
            here: checker.complement(self.here)?,
            known: checker.complement(self.known)?,
            right: checker.complement(self.right)?,
            left: checker.complement(self.left)?,
        })
    }
}

/// Returns an equation, in which every turn counts.
fn equation(to_move: Side, roots: Roots<u32>, claim: &str) -> Statement {
    Statement {
        to_move,
        relation: Relation::Exact,
        kinds: &TurnKind::EVERY,
        roots,
        claim: claim.to_string(),
    }
}

/// Returns the equations of a table with depths.
fn equations_of_plies(table: &StripSets) -> Vec<Statement> {
    let of_plies = |plies: usize| {
        let target = table.won_within(plies - 1);
        let roots = Roots {
            here: table.won_within(plies),
            known: table.won_within(plies.saturating_sub(2)),
            right: target,
            left: target,
        };
        let claim = format!("the boards won within {plies} plies do not follow from those won within fewer");
        let to_move = if plies % 2 == 1 { Side::Left } else { Side::Right };
        equation(to_move, roots, &claim)
    };
    (1..=table.roots().len() + 1).map(of_plies).collect()
}

/// Returns the equations of the levels of forward play.
fn equations_of_levels(table: &StripSets) -> Vec<Statement> {
    let of_level = |level: usize| {
        let [a, r] = table.level(level);
        let below = level.checked_sub(1).map_or(0, |below| table.level(below)[1]);
        let claim = format!("its turns contradict that Left wins it with at most {level} backward turns");
        let of_player = |(to_move, here, right, left)| {
            let roots = Roots {
                here,
                known: 0,
                right,
                left,
            };
            equation(to_move, roots, &claim)
        };
        [(Side::Left, a, r, below), (Side::Right, r, a, a)].map(of_player)
    };
    let levels = (0..table.levels()).flat_map(of_level);
    levels.chain(others_are_draws(table)).collect()
}

/// Returns the two inclusions that prove every win, with those that prove the draws, if there are
/// any.
fn statements_of_winners(table: &StripSets) -> Vec<Statement> {
    let sound = |to_move: Side, kinds, claim: &str| Statement {
        to_move,
        relation: Relation::Sound,
        kinds,
        roots: winners(table, to_move),
        claim: claim.to_string(),
    };
    let proofs = [
        sound(
            Side::Left,
            &TurnKind::PROPER,
            "it is stored as a win, but no proper turn wins or leads to a stored win",
        ),
        sound(
            Side::Right,
            &TurnKind::EVERY,
            "it is stored as a loss, but a turn leads to no stored loss",
        ),
    ];
    proofs.into_iter().chain(others_are_draws(table)).collect()
}

/// Returns the sets of all boards that Left wins, as those of an equation.
fn winners(table: &StripSets, to_move: Side) -> Roots<u32> {
    let target = table.won_by_left(to_move.opponent());
    Roots {
        here: table.won_by_left(to_move),
        known: 0,
        right: target,
        left: target,
    }
}

/// Returns the statements that no turn leads from a draw into a win, if there are draws.
fn others_are_draws(table: &StripSets) -> Vec<Statement> {
    if table.summary().draws == BigUint::ZERO {
        return Vec::new();
    }
    let of_player = |to_move: Side| {
        let claim = "its stored outcome does not follow from the boards after its turns";
        Statement {
            relation: Relation::Complete,
            ..equation(to_move, winners(table, to_move), claim)
        }
    };
    [Side::Left, Side::Right].map(of_player).into()
}
