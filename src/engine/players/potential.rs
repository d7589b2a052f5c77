//! A player who looks one turn ahead and goes by a potential.
//!
//! On the strip it is the generalized potential of Grossman & Nowakowski: a turn after which it predicts that the mover wins, and
//! of several the one with the greatest lead; where it predicts a loss, the least. On the pitch, for which no potential is known,
//! it is how much nearer one turn of jumps can bring the ball to one's own goal than to the other's.

use super::super::budget::Budget;
use super::super::position::{Standing, Turn};
use super::super::search::pitch::PitchArena;
use crate::games::position::Phutball;
use crate::outcome::Side;
use crate::theory::generalized;

/// Chooses a turn: one that wins at once, else the first with the highest mark of those that there is time for; `None` if there is
/// none.
pub fn choose(position: &Phutball, budget: &Budget) -> Option<Turn> {
    let part = budget.part(1, 4);
    let mut turns = position.turns(&|| part.is_spent(0)).turns;
    if turns.is_empty() {
        return None;
    }
    if let Some(place) = position.win_at_once(&turns) {
        return Some(turns.swap_remove(place));
    }
    let arena = match position {
        Phutball::Pitch(pitch) => Some(PitchArena::new(pitch.shape())),
        Phutball::Strip(_) => None,
    };
    let marks = (turns.iter())
        .take_while(|_| !budget.is_overdue())
        .map(|turn| mark(arena.as_ref(), &turn.after, position.side()));
    // The last of equals is what `max_by_key` would take.
    let best = (0..)
        .zip(marks)
        .fold(None, |best: Option<(usize, _)>, (place, mark)| match best {
            Some((_, known)) if known >= mark => best,
            _ => Some((place, mark)),
        });
    let place = best.map_or(0, |(place, _)| place);
    Some(turns.swap_remove(place))
}

/// How the mover likes what a turn leads to: whether it is predicted to win, and by how much.
fn mark(arena: Option<&PitchArena>, after: &Standing, mover: Side) -> (bool, i32) {
    match (after, arena) {
        (Standing::Won { .. }, _) => (false, i32::MIN),
        (Standing::Open(Phutball::Strip(strip)), _) => {
            let (left, right) = generalized::potentials(strip);
            let lead = i32::from(right) - i32::from(left);
            let lead = if mover == Side::Left { lead } else { -lead };
            (generalized::predicted_winner(strip) == mover, lead)
        }
        (Standing::Open(Phutball::Pitch(pitch)), Some(arena)) => {
            let value = -arena.value_of(pitch);
            (value > 0, value)
        }
        (Standing::Open(Phutball::Pitch(_)), None) => (false, 0),
    }
}
