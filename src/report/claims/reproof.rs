//! Positions that the atlas shows, proved again: by the reference solver where it reaches, else by playing out every reply.

use super::super::ReportError;
use crate::game::Game;
use crate::games::strip::{Strip, StripGame};
use crate::outcome::{Side, Value};
use crate::solve::reference;
use std::collections::BTreeMap;

/// The longest strips that the reference solver is asked for: it looks at every position with the slowest of means.
pub const REFERENCE_LENGTH: usize = 14;

/// Values by the reference solver, length by length as they are asked for.
#[derive(Default)]
pub struct Reference {
    values: BTreeMap<usize, Vec<Value>>,
}

impl Reference {
    /// The winner of a position; nobody if it is too long, or a draw.
    pub fn winner(&mut self, strip: &Strip) -> Option<Side> {
        let length = strip.length();
        let game = StripGame::new(length).filter(|_| length <= REFERENCE_LENGTH)?;
        let values = self
            .values
            .entry(length)
            .or_insert_with(|| reference::solve(&game));
        values[game.index(strip) as usize].wdl().winner(strip.side())
    }

    /// Makes sure that a position has this winner.
    ///
    /// # Errors
    /// [`ReportError::Wrong`] if it has not.
    pub fn confirm(&mut self, strip: &Strip, winner: Side) -> Result<(), ReportError> {
        match self.winner(strip) == Some(winner) {
            true => Ok(()),
            false => Err(ReportError::example(strip, &format!("{winner} wins it"))),
        }
    }
}
