//! The number of backward turns that Left needs (docs/PROOF.md), from the levels of a
//! length and by the rules alone.

use super::claim::{Claim, Finding, Statement};
use super::error::TheoryError;
use super::proof::{NotProved, follow};
use num_bigint::BigUint;
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{After, Strip};
use phutbase_sets::count::{contains, count};
use phutbase_sets::{Diagram, Graph, Join, Members, Ref, Sets, Shorter, TooLarge};
use phutbase_solve::levels::Levels;
use phutbase_tables::{Metric, TableError, Tablebase};
use serde::Serialize;

pub const FORWARD_PLAY: Statement = Statement {
    words: "Forward play is enough: who wins has a winning turn on the side of the ball that is nearer to the goal line attacked.",
    source: "Grossman & Nowakowski §1 warn of backward jumps as a heuristic that 'does not always work'; docs/PROOF.md",
};

/// The backward turns that wins need, by length.
pub struct Forward<'a, S> {
    pub tables: &'a Tablebase,
    /// Solves the longest length, which gives all, where no table has levels.
    pub solve: S,
    pub solved: Option<Levels>,
    pub replays: Replays,
    /// Lists at most this many examples for each number of turns and each player to move.
    pub limit: usize,
}

/// The examples that are played out.
#[derive(Clone, Copy)]
pub struct Replays {
    /// The most squares of an example.
    pub length: usize,
    /// The most positions of a game tree, as by [`states_within`](super::proof::states_within).
    pub positions: usize,
}

impl<'a, S: FnMut(&Job) -> Result<Levels, TheoryError>> Claim for Forward<'a, S> {
    fn check(
        &mut self,
        length: usize,
        job: &Job,
    ) -> Result<Finding<impl Serialize + use<'a, S>>, TheoryError> {
        let (limit, replays) = (self.limit, self.replays);
        let found = self
            .tables
            .ask_strips(length, Some(Metric::Levels), |table| table.sets(length));
        let (found, replayed) = match found {
            Ok(sets) => replayed(sets.workspace(), &sets, sets.roots(), limit, replays)?,
            Err(TableError::Missing { .. }) => {
                let solver = match self.solved.take() {
                    Some(solver) => solver,
                    None => (self.solve)(job)?,
                };
                let solver = self.solved.insert(solver);
                let (sets, roots) = (Shorter::new(solver.graph(), length), solver.roots());
                replayed(Graph::new(length), &sets, &roots, limit, replays)?
            }
            Err(error) => return Err(error.into()),
        };
        let mut words = format!("at most {}", found.most());
        for turns in 1..=found.most() {
            let counts = [&found.left_to_move, &found.right_to_move];
            let [left, right] = counts.map(|counts| grouped(&counts[turns]));
            words += &format!("; {turns}: {left} with Left to move, {right} with Right");
        }
        let (mut lines, mut examples) = (Vec::new(), Vec::new());
        for ((turns, position), replayed) in found.examples.into_iter().zip(replayed) {
            let played = replayed.map_or("not played out".to_string(), |positions| {
                format!("played out, {} positions", grouped(positions))
            });
            lines.push(format!("{turns}: {position}   {played}"));
            examples.push(object! {
                position: position,
                turns: turns,
                /// Positions visited in the replay; null if it was not requested or is too long.
                replayed: replayed,
            });
        }
        let counts = |counts: Vec<BigUint>| counts.into_iter().map(Count).collect::<Vec<_>>();
        Ok(Finding {
            holds: true,
            words,
            lines,
            fields: object! {
                /// Entry k: boards with Left to move that need exactly k backward turns.
                left_to_move: counts(found.left_to_move),
                right_to_move: counts(found.right_to_move),
                examples: examples,
            },
        })
    }
}

/// Counts the turns needed, and plays the examples out; one that contradicts the levels is an error.
fn replayed<D: Diagram>(
    graph: Graph,
    diagram: &D,
    levels: &[D::Ref],
    limit: usize,
    replays: Replays,
) -> Result<(Needed, Vec<Option<usize>>), TheoryError> {
    let found = needed(graph, diagram, levels, limit)?;
    let replayed = found.examples.iter().map(|(turns, strip)| {
        if diagram.length() > replays.length {
            return Ok(None);
        }
        match replay(diagram, levels, strip, *turns, replays.positions) {
            Ok(positions) => Ok(Some(positions)),
            Err(NotProved::TooLong(_)) => Ok(None),
            Err(error) => Err(TheoryError::Wrong(format!("'{strip}', {turns} turns: {error}"))),
        }
    });
    let replayed = replayed.collect::<Result<_, _>>()?;
    Ok((found, replayed))
}

/// The boards that Left wins, by the least number of backward turns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    /// Entry k: boards with Left to move that Left wins with k such turns but not with fewer.
    pub left_to_move: Vec<BigUint>,
    pub right_to_move: Vec<BigUint>,
    /// The first boards of each entry past the first, with their k.
    pub examples: Vec<(usize, Strip)>,
}

impl Needed {
    /// Returns the greatest number of such turns that a board needs.
    pub fn most(&self) -> usize {
        self.left_to_move.len().max(1) - 1
    }

    /// Returns the number of boards that need this many such turns, with either player to move.
    pub fn count(&self, turns: usize) -> BigUint {
        &self.left_to_move[turns] + &self.right_to_move[turns]
    }

    pub fn boards(&self, turns: usize) -> impl Iterator<Item = Strip> {
        let these = self.examples.iter().filter(move |(needed, _)| *needed == turns);
        these.map(|&(_, strip)| strip)
    }
}

/// Counts the boards that each level adds, in an empty `graph`. `levels` are the sets of levels 0,
/// 1, …, Left and Right to move alternating; the last ones may add nothing.
pub fn needed<D: Diagram>(
    mut graph: Graph,
    diagram: &D,
    levels: &[D::Ref],
    show: usize,
) -> Result<Needed, TooLarge> {
    let mut levels = graph.copy(diagram, levels)?;
    while let [.., a, b, left, right] = levels[..]
        && (a, b) == (left, right)
    {
        levels.truncate(levels.len() - 2);
    }
    let mut sets = Sets::new(graph);
    let mut needed = Needed::default();
    let mut below = [Ref::BOTTOM; 2];
    for (k, level) in levels.as_chunks::<2>().0.iter().enumerate() {
        for (place, side) in [Side::Left, Side::Right].into_iter().enumerate() {
            let added = sets.join(Join::Minus, level[place], below[place])?;
            let counts = match side {
                Side::Left => &mut needed.left_to_move,
                Side::Right => &mut needed.right_to_move,
            };
            counts.push(count(sets.graph(), added));
            if k > 0 {
                let mut members = Members::new(sets.graph(), added);
                let first = members.first(show, side).into_iter();
                needed.examples.extend(first.map(|strip| (k, strip)));
            }
        }
        below = *level;
    }
    Ok(needed)
}

/// The most positions of a replay that is worth its time: about 1 GiB.
pub const REPLAY_LIMIT: usize = 10_000_000;

/// Plays a board out by the rules alone. Shows that Left wins it with `turns` turns that are not
/// forward against every reply, and that Right prevents a win with fewer. The levels suggest one
/// turn of the player with the strategy; every turn of the other is followed. Returns the number of
/// positions visited.
pub fn replay<D: Diagram>(
    diagram: &D,
    levels: &[D::Ref],
    strip: &Strip,
    turns: usize,
    limit: usize,
) -> Result<usize, NotProved> {
    // Turns of Left that are not forward are spent until none is left.
    let is_won = |strip: &Strip, spare: usize| {
        let place = 2 * spare.min(levels.len() / 2 - 1) + strip.side() as usize;
        contains(diagram, levels[place], strip)
    };
    let play = |turns: usize, wins: bool| {
        follow((*strip, turns), limit, |&(strip, spare)| {
            let own = (strip.side() == Side::Left) == wins;
            let mut open = Vec::new();
            for turn in strip.turns() {
                let cost = usize::from(strip.side() == Side::Left && !turn.is_forward(&strip));
                let Some(spare) = spare.checked_sub(cost) else {
                    continue;
                };
                open.push(match strip.after(turn) {
                    After::Over { winner, .. } if (winner == Side::Left) == wins => None,
                    After::Over { .. } if own => continue,
                    After::Over { .. } => return Err(NotProved::lost(&strip)),
                    After::Position(next) if own && is_won(&next, spare) != wins => continue,
                    After::Position(next) => Some((next, spare)),
                });
                if own {
                    return Ok(open);
                }
            }
            if own {
                Err(NotProved::lost(&strip))
            } else {
                Ok(open)
            }
        })
    };
    let to_win = play(turns, true)?.positions;
    let to_prevent = turns.checked_sub(1).map(|fewer| play(fewer, false));
    Ok(to_win + to_prevent.transpose()?.map_or(0, |proof| proof.positions))
}
