//! Misère Dawson's chess: who wins a row if who cannot move wins, row by row, from the positions that play can lead to.
//!
//! A position is the lengths of its rows in order. Three things make them fewer. A row of 2 is a row of 1: both are over with one turn.
//! Two rows of 1 cancel (the proof is in [`misere`](super::misere)). And a row of 4 may go: every turn in it leaves one that is over with one turn, so who wins
//! the rest R answers the other's turn in the row with the last one there; and if R is over with the row still there, it is the winner's turn: two
//! turns end the row, and it is the winner's turn again.

use super::{NimberLimits, Stopped};
use hashbrown::HashMap;

/// What was found of positions: their rows, and whether the player to move wins.
#[derive(Default)]
pub struct MisereRows {
    known: HashMap<Box<[u8]>, bool>,
}

impl MisereRows {
    /// Whether the player to move wins rows of so many squares.
    pub fn wins(&mut self, lengths: &[u8], limits: NimberLimits) -> Result<bool, Stopped> {
        self.position_wins(reduced(lengths.to_vec()), limits)
    }

    /// The positions that were looked at.
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    fn position_wins(&mut self, rows: Vec<u8>, limits: NimberLimits) -> Result<bool, Stopped> {
        match rows[..] {
            [] => return Ok(true),
            [1] => return Ok(false),
            _ => {}
        }
        if let Some(&wins) = self.known.get(&rows[..]) {
            return Ok(wins);
        }
        if limits.are_reached() {
            return Err(Stopped);
        }
        let mut wins = false;
        for (place, &row) in rows.iter().enumerate() {
            if place > 0 && rows[place - 1] == row {
                continue;
            }
            for mark in 0..row.div_ceil(2) {
                let sides = [mark.saturating_sub(1), (row - mark).saturating_sub(2)];
                let mut after = rows.clone();
                after.swap_remove(place);
                after.extend(sides);
                if !self.position_wins(reduced(after), limits)? {
                    wins = true;
                    break;
                }
            }
            if wins {
                break;
            }
        }
        self.known.insert(rows.into(), wins);
        Ok(wins)
    }
}

/// Rows in order, without those that may go.
fn reduced(rows: Vec<u8>) -> Vec<u8> {
    let ones = rows.iter().filter(|&&row| row == 1 || row == 2).count();
    let mut left: Vec<u8> = rows.into_iter().filter(|&row| row == 3 || row > 4).collect();
    left.extend((ones % 2 == 1).then_some(1));
    left.sort_unstable();
    left
}
