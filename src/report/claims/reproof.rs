//! Positions that the atlas shows, proved again: by the reference solver where it reaches, else by playing out every reply.

use super::super::ReportError;
use super::super::text::grouped;
use crate::game::Game;
use crate::games::strip::{Strip, StripGame};
use crate::outcome::{Side, Value};
use crate::solve::reference;
use crate::theory::planes::Planes;
use crate::theory::proof::{PROOF_LIMIT, prove_backward_only};
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

/// Proves by the rules alone that only jumps backward win these positions, and says in words how.
///
/// # Errors
/// [`ReportError::Wrong`] if one is not proved.
pub fn proved_backward(planes: &Planes, positions: &[Strip]) -> Result<String, ReportError> {
    let mut visited = Vec::new();
    for strip in positions {
        let unproved = |error| format!("only a jump backward wins ({error})");
        let proof = prove_backward_only(planes, strip, PROOF_LIMIT)
            .map_err(|error| ReportError::example(strip, &unproved(error)))?;
        visited.push(grouped(proof.positions));
    }
    Ok(format!(
        "proved by the rules alone, a strategy played out against every reply: {} positions",
        visited.join(", ")
    ))
}
