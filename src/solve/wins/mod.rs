//! Whether a turn of jumps wins at once, on boards where the jumps of one turn lead to more boards than can be listed.
//!
//! The problem is NP-complete (Demaine, Demaine & Eppstein), so nothing is quick on every board. Three methods follow each other,
//! each in bounded memory: which points the ball might reach if chaps were removed and still there, as it suits the player
//! ([`relaxed`]), which shows at once that there is no win where the goal is not among them; a [search] through the boards
//! towards the goal; and where that gives up, a [formula](sat) for a solver.

pub mod relaxed;
pub mod sat;
pub mod search;

use crate::games::pitch::{Flight, Landing, Path, Pitch, Shape};
use crate::outcome::Side;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct WinLimits {
    /// Boards that the search meets; about 150 bytes each.
    pub boards: usize,
    /// Literals of the largest formula; about 16 bytes each.
    pub literals: usize,
}

impl Default for WinLimits {
    fn default() -> WinLimits {
        WinLimits {
            boards: 1 << 20,
            literals: 20_000_000,
        }
    }
}

/// What was found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// This way wins.
    Wins(Path),
    /// No way does.
    None,
    /// The limits did not suffice.
    Unknown,
}

/// Whether the player to move wins at once; `stop` is asked now and then whether to give up.
pub fn decide(pitch: &Pitch, limits: WinLimits, stop: &(dyn Fn() -> bool + Sync)) -> Answer {
    let Some(reach) = relaxed::Reach::of(pitch) else {
        return Answer::None;
    };
    match search::search(pitch, &reach.distance, limits.boards, stop) {
        Answer::Unknown => sat::solve(pitch, &reach, limits.literals, stop),
        answer => answer,
    }
}

/// Whether a flight of this player wins if the turn ends with it.
fn is_home(shape: Shape, flight: &Flight, side: Side) -> bool {
    match flight.to {
        Landing::Off(winner) => winner == side,
        Landing::Point(point) => shape.winner_on(point.into()) == Some(side),
    }
}
