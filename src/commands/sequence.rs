//! Sequences over the lengths of strips, as the On-Line Encyclopedia of Integer Sequences takes them: a line `n a(n)` for each n.

use super::not_for;
use super::output::{CommandError, no_tables, stdout};
use crate::games::boards::Boards;
use crate::games::strip::MIN_LENGTH;
use crate::outcome::{ParseError, read_word};
use crate::table::Summary;
use crate::table::tablebase::Tablebase;
use num_bigint::BigUint;
use std::io::Write;
use std::str::FromStr;

/// What is counted of each length, with Left to move; what is longest in plies.
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

const NAMES: [(&str, Sequence); 7] = [
    ("positions", Sequence::Positions),
    ("wins", Sequence::Wins),
    ("losses", Sequence::Losses),
    ("draws", Sequence::Draws),
    ("longest", Sequence::Longest),
    ("longest-win", Sequence::LongestWin),
    ("longest-loss", Sequence::LongestLoss),
];

impl FromStr for Sequence {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Sequence, ParseError> {
        read_word(text, &NAMES)
    }
}

impl Sequence {
    /// Prints the terms for some lengths; by default all that a table holds.
    pub fn print(self, tables: &Tablebase, boards: Option<&Boards>) -> Result<(), CommandError> {
        let lengths = match boards {
            Some(Boards::Strips(lengths)) => lengths.clone(),
            Some(boards) => return Err(not_for("stats --bfile", boards, "strips, such as 3..24")),
            None => {
                let longest = tables.longest_strips(self.needs_depths());
                MIN_LENGTH..=longest.ok_or_else(|| no_tables(tables.places()))?
            }
        };
        let mut out = stdout();
        for length in lengths {
            let table = match self.needs_depths() {
                true => tables.with_depths(length)?,
                false => tables.best(length)?,
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
