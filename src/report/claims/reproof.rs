//! Second proofs of example positions: by the reference solver, or by playing out every reply.

use super::super::ReportError;
use crate::game::Game;
use crate::games::strip::{Strip, StripGame};
use crate::outcome::{Side, Value};
use crate::solve::reference;
use std::collections::BTreeMap;

/// Maximum length for the reference solver, which is slow.
pub const REFERENCE_LENGTH: usize = 14;

/// Values by the reference solver, computed on demand by length.
#[derive(Default)]
pub struct Reference {
    values: BTreeMap<usize, Vec<Value>>,
}

impl Reference {
    /// Returns the winner of a position; `None` if it is too long, or a draw.
    pub fn winner(&mut self, strip: &Strip) -> Option<Side> {
        let length = strip.length();
        let game = StripGame::new(length).filter(|_| length <= REFERENCE_LENGTH)?;
        let values = self
            .values
            .entry(length)
            .or_insert_with(|| reference::solve(&game));
        values[game.index(strip) as usize].wdl().winner(strip.side())
    }

    pub fn confirm(&mut self, strip: &Strip, winner: Side) -> Result<(), ReportError> {
        if self.winner(strip) == Some(winner) {
            Ok(())
        } else {
            Err(ReportError::example(strip, &format!("{winner} wins it")))
        }
    }
}
