//! A player that looks one turn ahead and maximizes a potential.
//!
//! On the strip it uses the generalized potential of Grossman & Nowakowski: turns after which the
//! mover is predicted to win come first, then those with the greatest lead. No potential is known for
//! the pitch; there it compares how near one turn of jumps can bring the ball to each goal.

use super::super::limits::SearchLimits;
use super::super::position::{Turn, win_at_once};
use super::super::search::pitch::PitchArena;
use phutbase_base::outcome::Side;
use phutbase_rules::position::{Phutball, Standing};
use phutbase_rules::potentials::{self, predicted_winner};
use phutbase_rules::strip::Halves;
use std::cmp::Reverse;

/// Chooses one of some turns: one that wins at once, else the first with the highest mark found in
/// time. Returns `None` if there is none.
pub fn choose(position: &Phutball, mut turns: Vec<Turn>, limits: &SearchLimits) -> Option<Turn> {
    if turns.is_empty() {
        return None;
    }
    if let Some(place) = win_at_once(&turns, position.side()) {
        return Some(turns.swap_remove(place));
    }
    let arena = match position {
        Phutball::Pitch(pitch) => Some(PitchArena::new(pitch.shape())),
        Phutball::Strip(_) => None,
    };
    let marks = (turns.iter())
        .take_while(|_| !limits.is_overdue())
        .map(|turn| mark(arena.as_ref(), &turn.after, position.side()));
    // `max_by_key` would take the last of equals.
    let best = (0..).zip(marks).min_by_key(|&(_, mark)| Reverse(mark));
    let place = best.map_or(0, |(place, _)| place);
    Some(turns.swap_remove(place))
}

/// Marks the result of a turn: whether the mover is predicted to win, and by how much.
fn mark(arena: Option<&PitchArena>, after: &Standing, mover: Side) -> (bool, i32) {
    match (after, arena) {
        (Standing::Won { .. }, _) => (false, i32::MIN),
        (Standing::Open(Phutball::Strip(strip)), _) => (predicted_winner(strip) == mover, lead(strip, mover)),
        (Standing::Open(Phutball::Pitch(pitch)), Some(arena)) => {
            let value = -arena.value_of(pitch);
            (value > 0, value)
        }
        (Standing::Open(Phutball::Pitch(_)), None) => (false, 0),
    }
}

/// Returns the lead in potential of a player.
fn lead(strip: &impl Halves, side: Side) -> i32 {
    let (left, right) = potentials::of_strip(strip);
    let lead = right as i32 - left as i32;
    if side == Side::Left { lead } else { -lead }
}
