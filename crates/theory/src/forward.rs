//! The number of backward turns that Left needs (docs/PROOF.md), from the levels of a
//! length and by the rules alone.

use super::proof::{NotProved, follow};
use num_bigint::BigUint;
use phutbase_base::outcome::Side;
use phutbase_diagram::count::{contains, count};
use phutbase_diagram::{Diagram, Graph, Join, Members, Ref, Sets, TooLarge};
use phutbase_rules::strip::{After, Strip};

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

/// Maximum number of positions that the replay of an example visits.
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
