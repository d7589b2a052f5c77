//! Directional Phutball on strips: the theorem about its potential (docs/PROOF.md, Theorem 5).
//!
//! * [`count`] — numbers of won positions, and the limit of their share;
//! * [`turn_keeps`], [`compare`] — the values and turns of short strips, checked.

pub mod count;

use super::claim::{Claim, Finding};
use super::error::TheoryError;
use num_bigint::BigUint;
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::game::{Game, Successor};
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::outcome::Wdl;
use phutbase_rules::Boards;
use phutbase_rules::rules::Rules;
use phutbase_rules::strip::{Strip, StripGame, positions};
use phutbase_solution::directional::{keeping_turn, verdict, winner};
use phutbase_solve::reference;
use rayon::prelude::*;
use serde::Serialize;

/// Length of the longest strips that are solved exhaustively.
pub const MAX_SOLVED_SQUARES: usize = 22;

/// The theorem, by length: wins are counted, and short strips compared with the reference solver.
pub struct Directional {
    /// The numbers of half strips by potential, by length from 1.
    halves: Vec<Vec<BigUint>>,
    /// Compares strips of at most this many squares.
    solved_squares: usize,
}

impl Directional {
    /// Prepares strips of up to `longest` squares.
    pub fn new(longest: usize, solved_squares: usize) -> Directional {
        let halves = count::Halves::default().take(longest - 2).collect();
        Directional {
            halves,
            solved_squares,
        }
    }
}

impl Claim for Directional {
    fn check(&mut self, length: usize, _: &Job) -> Result<Finding<impl Serialize + use<>>, TheoryError> {
        let wins = count::wins(length, &self.halves);
        let losses = positions(length) - &wins;
        let game = StripGame::new(length).filter(|_| length <= self.solved_squares);
        let wrong = game.map(|game| compare(&game.under(Rules::Directional)));
        let compared = wrong.map_or(String::new(), |(values, turns)| {
            format!("; against the reference solver {values} wrong values, {turns} wrong turns")
        });
        let (values, turns) = wrong.unzip();
        Ok(Finding {
            holds: wrong.is_none_or(|wrong| wrong == (0, 0)),
            words: format!(
                "Left to move: {} wins, {} losses{compared}",
                grouped(&wins),
                grouped(&losses)
            ),
            lines: Vec::new(),
            fields: object! {
                /// Predicted wins, with Left to move.
                wins: Count(wins),
                losses: Count(losses),
                /// Positions on which the reference solver disagrees, Left to move; null if not run.
                wrong_values: values,
                /// Positions whose claimed winning turn does not win.
                wrong_turns: turns,
            },
        })
    }

    fn boards(&self, length: usize) -> Option<(Boards, Rules)> {
        Some((Boards::strip(length), Rules::Directional))
    }
}

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
