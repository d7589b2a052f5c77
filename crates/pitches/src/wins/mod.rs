//! Does the player to move have a winning jump? For boards with too many jump paths to list.
//!
//! The problem is NP-complete (Demaine, Demaine & Eppstein), so no method is fast on every board.
//! Three methods are tried in turn, each in bounded memory. The first is a [relaxation](relaxed) in
//! which removed chaps may still be jumped over: if it does not reach the goal, there is no win.
//! The second is a depth-first [search] towards the goal, and the third a [formula](sat) for a SAT
//! solver.

pub mod relaxed;
pub mod sat;
pub mod search;

use phutbase_base::outcome::Side;
use phutbase_rules::pitch::{Flight, Landing, Path, Pitch, Shape};

#[derive(Clone, Copy, Debug)]
pub struct WinLimits {
    /// Boards that the search visits; about 150 bytes each.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WinSearch {
    Wins(Path),
    None,
    Unknown,
}

/// Decides whether the player to move has a winning jump; `stop` is polled and ends the search.
pub fn decide(pitch: &Pitch, limits: WinLimits, stop: &(dyn Fn() -> bool + Sync)) -> WinSearch {
    let Some(reach) = relaxed::Reach::of(pitch) else {
        return WinSearch::None;
    };
    match search::search(pitch, &reach.distance, limits.boards, stop) {
        WinSearch::Unknown => sat::solve(pitch, &reach, limits.literals, stop),
        answer => answer,
    }
}

/// Returns whether a turn that ends with this flight wins for `side`.
fn is_home(shape: Shape, flight: &Flight, side: Side) -> bool {
    match flight.to {
        Landing::Off(winner) => winner == side,
        Landing::Point(point) => shape.winner_on(point.into()) == Some(side),
    }
}
