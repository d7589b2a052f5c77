//! Strips of the directional game of any length, valued by the potential.

use super::Answer;
use super::sources::with_turns;
use crate::games::directional::{keeping_turn, potentials, rated_turns, verdict, winning_line};
use crate::games::position::Position;
use crate::games::strip::{LongStrip, Strip};

/// Returns the value of a strip, the potentials of its halves, and a turn that keeps a win.
pub fn value(position: &Position, strip: &LongStrip) -> Answer {
    Answer {
        potentials: Some(potentials(strip)),
        turn: keeping_turn(strip).map(|turn| turn.to_string()),
        ..Answer::new(position, verdict(strip))
    }
}

/// As [`value`], with every turn, and a winning line if `line` is set.
pub fn probe(position: &Position, strip: &Strip, line: bool) -> Answer {
    let line = line.then(|| winning_line(strip));
    with_turns(value(position, &strip.into()), rated_turns(strip), line)
}
