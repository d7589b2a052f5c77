//! How many turns that are not forward Left needs (docs/PROOF.md): from the levels of a length, and by the rules alone.

use crate::diagram::Diagram;
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::count::{contains, count};
use crate::diagram::graph::{Graph, Ref, TooLarge};
use crate::diagram::members::Members;
use crate::games::strip::{After, Strip, Turn};
use crate::outcome::Side;
use hashbrown::HashMap;
use num_bigint::BigUint;

/// The boards that Left wins, by the fewest turns that are not forward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed {
    /// Entry k: boards with Left to move that Left wins with k such turns and not with fewer.
    pub left_to_move: Vec<BigUint>,
    /// The same with Right to move.
    pub right_to_move: Vec<BigUint>,
    /// The first boards of each entry past the first, with the k they need.
    pub examples: Vec<(usize, Strip)>,
}

impl Needed {
    /// The most such turns that any board needs.
    pub fn most(&self) -> usize {
        self.left_to_move.len().max(1) - 1
    }

    /// How many boards need so many such turns, either player to move.
    pub fn count(&self, turns: usize) -> BigUint {
        &self.left_to_move[turns] + &self.right_to_move[turns]
    }

    /// The first boards that need so many such turns.
    pub fn boards(&self, turns: usize) -> impl Iterator<Item = Strip> {
        let these = self.examples.iter().filter(move |(needed, _)| *needed == turns);
        these.map(|&(_, strip)| strip)
    }
}

/// Counts what levels add to each other, in a `graph` that is empty. `levels` are the sets of level 0, 1, …, Left to move and Right to move in turn.
pub fn needed<D: Diagram>(
    mut graph: Graph,
    diagram: &D,
    levels: &[D::Ref],
    show: usize,
) -> Result<Needed, TooLarge> {
    let levels = graph.copy(diagram, levels)?;
    let mut sets = Sets::new(graph);
    let mut needed = Needed {
        left_to_move: Vec::new(),
        right_to_move: Vec::new(),
        examples: Vec::new(),
    };
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
                let first = (0..show).map_while(|number| members.nth(&number.into(), side));
                needed.examples.extend(first.map(|strip| (k, strip)));
            }
        }
        below = *level;
    }
    Ok(needed)
}

/// Positions that the replay of one example may visit.
pub const REPLAY_LIMIT: usize = 10_000_000;

/// Why a number of turns is not confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotConfirmed {
    /// More positions than allowed, or games of thousands of plies.
    #[error("it takes more than {0} positions, or games of thousands of plies")]
    TooLong(usize),
    /// Some line of play does not end as the levels say, or does not end.
    #[error("play does not go as the levels say")]
    Refuted,
}

/// Plays a board out by the rules alone, and shows that Left wins it with `turns` turns that are not forward, whatever Right does, and
/// does not win it with fewer, whatever Left does. The levels suggest one turn of the player whose strategy it is; every turn of the
/// other's is followed. Returns the number of positions visited.
pub fn replay<D: Diagram>(
    diagram: &D,
    levels: &[D::Ref],
    strip: &Strip,
    turns: usize,
    limit: usize,
) -> Result<usize, NotConfirmed> {
    let mut play = Play {
        diagram,
        levels,
        limit,
        done: HashMap::new(),
    };
    play.follow(strip, turns, true, 0)?;
    let for_the_win = play.done.len();
    if let Some(fewer) = turns.checked_sub(1) {
        play.done.clear();
        play.follow(strip, fewer, false, 0)?;
    }
    Ok(for_the_win + play.done.len())
}

/// The longest game that is followed: each ply takes some of the thread's stack.
const LONGEST_GAME: usize = 4000;

struct Play<'a, D: Diagram> {
    diagram: &'a D,
    levels: &'a [D::Ref],
    limit: usize,
    /// Positions met, with the turns that Left may still make which are not forward; whether all play from there has been followed.
    done: HashMap<(Strip, usize), bool>,
}

impl<D: Diagram> Play<'_, D> {
    /// Follows all play from a position on in which the strategy of one player is kept: Left's if `wins`, else Right's.
    fn follow(&mut self, strip: &Strip, spare: usize, wins: bool, plies: usize) -> Result<(), NotConfirmed> {
        match self.done.get(&(*strip, spare)) {
            Some(true) => return Ok(()),
            // The position is on the way: play goes round.
            Some(false) => return Err(NotConfirmed::Refuted),
            None => {}
        }
        if self.done.len() >= self.limit || plies >= LONGEST_GAME {
            return Err(NotConfirmed::TooLong(self.limit));
        }
        self.done.insert((*strip, spare), false);
        let own = (strip.side() == Side::Left) == wins;
        let mut chosen = false;
        for turn in strip.turns() {
            let cost = usize::from(strip.side() == Side::Left && !is_forward(strip, turn));
            let Some(spare) = spare.checked_sub(cost) else {
                continue;
            };
            match strip.after(turn) {
                After::Over { winner, .. } if (winner == Side::Left) == wins => chosen |= own,
                After::Over { .. } if own => continue,
                After::Over { .. } => return Err(NotConfirmed::Refuted),
                After::Position(next) if own && self.is_won(&next, spare) != wins => continue,
                After::Position(next) => {
                    self.follow(&next, spare, wins, plies + 1)?;
                    chosen |= own;
                }
            }
            if chosen {
                break;
            }
        }
        if own && !chosen {
            return Err(NotConfirmed::Refuted);
        }
        self.done.insert((*strip, spare), true);
        Ok(())
    }

    /// What the levels say: whether Left wins a position with so many turns that are not forward.
    fn is_won(&self, strip: &Strip, spare: usize) -> bool {
        let side = usize::from(strip.side() == Side::Right);
        let place = 2 * spare.min(self.levels.len() / 2 - 1) + side;
        contains(self.diagram, self.levels[place], strip)
    }
}

/// Whether a turn of Left's touches only squares to the right of the ball.
fn is_forward(strip: &Strip, turn: Turn) -> bool {
    match turn {
        Turn::Place(square) | Turn::Jump(square) => usize::from(square) > strip.ball(),
        Turn::Off(end) => end == Side::Right,
    }
}
