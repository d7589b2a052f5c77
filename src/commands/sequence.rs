//! Sequences over the lengths of strips in OEIS format: a line `n a(n)` for each n.

use super::not_for;
use super::output::{CommandError, no_tables, stdout};
use crate::games::boards::Boards;
use crate::games::strip::MIN_LENGTH;
use crate::outcome::words;
use crate::table::{Summary, Tablebase};
use num_bigint::BigUint;
use std::io::Write;

/// A count with Left to move, or the longest game in plies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sequence {
    Positions,
    Wins,
    Losses,
    Draws,
    Longest,
    LongestWin,
    LongestLoss,
}

words!(Sequence: Positions = "positions", Wins = "wins", Losses = "losses", Draws = "draws",
    Longest = "longest", LongestWin = "longest-win", LongestLoss = "longest-loss");

impl Sequence {
    /// Prints the terms for some lengths; by default all that a table holds.
    pub fn print(self, tables: &Tablebase, boards: Option<&Boards>) -> Result<(), CommandError> {
        let lengths = match boards {
            Some(Boards::Strips(lengths)) => lengths.clone(),
            Some(boards) => return Err(not_for("stats --bfile", boards, "strips, such as 3..24")),
            None => {
                let longest = tables.longest_strips(self.needs_depths());
                MIN_LENGTH..=longest.ok_or_else(|| no_tables(tables))?
            }
        };
        let mut out = stdout();
        for length in lengths {
            let table = if self.needs_depths() {
                tables.with_depths(length)?
            } else {
                tables.best(length)?
            };
            writeln!(out, "{length} {}", self.term(&table.summary(length)?))?;
        }
        Ok(out.flush()?)
    }

    fn needs_depths(self) -> bool {
        matches!(
            self,
            Sequence::Longest | Sequence::LongestWin | Sequence::LongestLoss
        )
    }

    fn term(self, summary: &Summary) -> BigUint {
        match self {
            Sequence::Positions => summary.positions(),
            Sequence::Wins => summary.wins.clone(),
            Sequence::Losses => summary.losses.clone(),
            Sequence::Draws => summary.draws.clone(),
            Sequence::Longest => summary.longest().into(),
            Sequence::LongestWin => summary.longest_win.into(),
            Sequence::LongestLoss => summary.longest_loss.into(),
        }
    }
}
