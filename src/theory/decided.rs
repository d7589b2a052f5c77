//! The shares of random boards that each rule for strips of any length decides.

use super::first_draw::Bits;
use crate::decide::search::SearchLimits;
use crate::decide::{Reason, decide};
use crate::games::forward::HalfValues;
use crate::games::strip::LongStrip;
use crate::outcome::Side;
use crate::table::{TableError, Tablebase};
use rayon::prelude::*;

/// Numbers of boards by the rule that decides them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// By Theorem F.
    pub forward: usize,
    /// By a table, after closed ends were cut off.
    pub table: usize,
    /// By a window.
    pub window: usize,
    /// By a search.
    pub search: usize,
    /// By nothing.
    pub undecided: usize,
}

/// Decides random boards of a length: every square but the ball's is a stone with probability 1/2,
/// the ball's square and the player to move are uniform.
pub fn decided(tables: &Tablebase, length: usize, boards: usize, seed: u64) -> Result<Decided, TableError> {
    let mut bits = Bits::new(seed);
    let random = || {
        let side = if bits.bit() { Side::Left } else { Side::Right };
        bits.board(length, side)
    };
    let boards: Vec<LongStrip> = std::iter::repeat_with(random).take(boards).collect();
    let decisions: Result<Vec<_>, TableError> = (boards.par_iter())
        .map(|board| decide(tables, board, HalfValues::both(board), SearchLimits::default()))
        .collect();
    let mut decided = Decided::default();
    for decision in decisions? {
        *match decision.map(|decision| decision.reason) {
            Some(Reason::Forward(_)) => &mut decided.forward,
            Some(Reason::Table | Reason::Cut { .. }) => &mut decided.table,
            Some(Reason::Window { .. }) => &mut decided.window,
            Some(Reason::Search { .. }) => &mut decided.search,
            None => &mut decided.undecided,
        } += 1;
    }
    Ok(decided)
}
