//! Misère Dawson's chess: the winner of rows when a player who cannot move wins, by search over
//! multisets of rows.
//!
//! A position is the sorted list of its row lengths, not a set of vertices as in
//! [`misere`](super::misere): all arrangements of the rows are one position. Three facts shorten
//! the list. A row of 2 equals a row of 1: both are over after one turn. Two rows of 1 cancel (the
//! proof is in [`misere`](super::misere)). And a row of 4 can be removed: every turn in it leaves a
//! row that is over after one more turn. The winner of the rest R answers a turn in the row with
//! the last turn there. If R is over while the row is left, it is the winner's turn; two turns end
//! the row, and it is the winner's turn again.

use hashbrown::HashMap;
use phutbase_base::job::{Job, Stopped};

/// Search results: for each list of rows, whether the player to move wins.
pub struct MisereRows {
    known: HashMap<Box<[u8]>, bool>,
    /// Maximum number of stored positions.
    most: usize,
}

/// Bytes that a position takes, also while the map grows.
const POSITION_BYTES: u64 = 128;

impl MisereRows {
    /// Creates a search within this many bytes. At the bound it clears its memory, which costs
    /// time.
    pub fn new(bytes: u64) -> MisereRows {
        MisereRows {
            known: HashMap::new(),
            most: usize::try_from(bytes / POSITION_BYTES).unwrap_or(usize::MAX),
        }
    }

    /// Returns the number of positions whose winner is stored.
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    /// Returns whether the player to move wins rows of these lengths.
    pub fn wins(&mut self, lengths: &[u8], job: &Job) -> Result<bool, Stopped> {
        self.position_wins(reduced(lengths.to_vec()), job)
    }

    fn position_wins(&mut self, rows: Vec<u8>, job: &Job) -> Result<bool, Stopped> {
        match rows[..] {
            [] => return Ok(true),
            [1] => return Ok(false),
            _ => {}
        }
        if let Some(&wins) = self.known.get(&rows[..]) {
            return Ok(wins);
        }
        job.check()?;
        let mut wins = false;
        'turns: for (place, &row) in rows.iter().enumerate() {
            if place > 0 && rows[place - 1] == row {
                continue;
            }
            for mark in 0..row.div_ceil(2) {
                let sides = [mark.saturating_sub(1), (row - mark).saturating_sub(2)];
                let mut after = rows.clone();
                after.swap_remove(place);
                after.extend(sides);
                if !self.position_wins(reduced(after), job)? {
                    wins = true;
                    break 'turns;
                }
            }
        }
        if self.known.len() >= self.most {
            self.known.clear();
        }
        self.known.insert(rows.into(), wins);
        Ok(wins)
    }
}

/// Sorts the rows and removes those that do not matter.
fn reduced(rows: Vec<u8>) -> Vec<u8> {
    let ones = rows.iter().filter(|&&row| row == 1 || row == 2).count();
    let mut left: Vec<u8> = rows.into_iter().filter(|&row| row == 3 || row > 4).collect();
    left.extend((ones % 2 == 1).then_some(1));
    left.sort_unstable();
    left
}
