//! Directional Phutball on strips: the theorem about its potential (docs/PROOF.md, Theorem 5).
//!
//! * [`count`] — numbers of won positions, and the limit of their share;
//! * [`turn_keeps`], [`compare`] — the values and turns of short strips, checked.

pub mod count;

use phutbase_base::game::{Game, Successor};
use phutbase_base::outcome::Wdl;
use phutbase_rules::directional::{keeping_turn, verdict, winner};
use phutbase_rules::rules::Rules;
use phutbase_rules::strip::{Strip, StripGame};
use phutbase_strips::reference;
use rayon::prelude::*;

/// Length of the longest strips that are solved exhaustively.
pub const MAX_SOLVED_SQUARES: usize = 22;

/// Returns whether [`keeping_turn`] is correct: a winner's turn wins at once or leads to a position
/// in `lost` for the opponent to move, and a loser has no such turn.
pub fn turn_keeps(strip: &Strip, lost: &dyn Fn(&Strip) -> bool) -> bool {
    let wins = winner(strip) == strip.side();
    let Some(turn) = keeping_turn(strip) else {
        return !wins;
    };
    let keeps = match strip.play(turn) {
        Ok(after) => match after.successor(strip.side()) {
            Successor::Position(next) => lost(&next),
            Successor::Over(outcome) => outcome == Wdl::Win,
        },
        Err(_) => false,
    };
    wins && turn.is_forward(strip) && keeps
}

/// Solves a length with the reference solver. Returns the number of positions whose value differs
/// from the potential's, and of those where [`keeping_turn`] is wrong.
///
/// # Panics
/// If the game is not directional.
pub fn compare(game: &StripGame) -> (u64, u64) {
    let values = reference::solve(game);
    let loses = |strip: &Strip| values[game.index(strip) as usize].wdl() == Wdl::Loss;
    (0..game.positions())
        .into_par_iter()
        .map(|index| {
            let strip = game.position(index);
            assert_eq!(strip.rules(), Rules::Directional);
            let wrong = verdict(&strip).wdl != values[index as usize].wdl();
            (u64::from(wrong), u64::from(!turn_keeps(&strip, &loses)))
        })
        .reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1))
}
