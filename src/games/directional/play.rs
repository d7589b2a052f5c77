//! Rated turns of a directional strip, and lines to the end of the game.

use super::{keeping_turn, winner};
use crate::games::position::{Phutball, RatedTurn, Standing, best_line, in_notation};
use crate::games::strip::{LongStrip, Strip};
use crate::outcome::{Verdict, Wdl};
use std::convert::Infallible;

/// Maximum length of a displayed line.
const MAX_LINE: usize = 1 << 12;

/// Returns the value of a position for the player to move.
pub fn verdict(strip: &LongStrip) -> Verdict {
    if winner(strip) == strip.side() {
        Wdl::Win.into()
    } else {
        Wdl::Loss.into()
    }
}

/// Returns every turn of a position of the directional game, best first; a winner's first turn is
/// [`keeping_turn`]. The depth is known only for a turn that ends the game.
pub fn rated_turns(strip: &Strip) -> Vec<RatedTurn> {
    let Ok(turns) = strip.rated_turns(|next| Ok::<_, Infallible>(verdict(&next.into())));
    let mut turns = in_notation(turns, Standing::of_strip, strip.side().opponent());
    let keeping = keeping_turn(&strip.into()).map(|turn| turn.to_string());
    turns.sort_by_key(|rated| keeping.as_ref() != Some(&rated.turn));
    turns
}

/// Returns a winning line to the end of the game. The winner keeps the win with forward turns, so
/// the line ends.
pub fn winning_line(strip: &Strip) -> Vec<RatedTurn> {
    let rated = |position: &Phutball| match position {
        Phutball::Strip(strip) => Ok::<_, Infallible>(rated_turns(strip)),
        Phutball::Pitch(_) => Ok(Vec::new()),
    };
    let Ok(line) = best_line(&Phutball::Strip(*strip), MAX_LINE, rated);
    line
}
