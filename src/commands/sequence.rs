//! Sequences over the lengths of strips, as the On-Line Encyclopedia of Integer Sequences takes them: a line `n a(n)` for each n.

use super::not_for;
use super::output::{CommandError, no_tables, stdout};
use num_bigint::BigUint;
use phutbase::games::boards::Boards;
use phutbase::outcome::{ParseError, read_word};
use phutbase::table::any::Table;
use phutbase::table::directory::Tablebase;
use std::io::Write;
use std::ops::RangeInclusive;
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
    /// Prints the terms for some lengths; by default from the shortest strip as far as there are tables without a gap.
    pub fn print(self, tables: &Tablebase, boards: Option<&Boards>) -> Result<(), CommandError> {
        let lengths = match boards {
            Some(Boards::Strips(lengths)) => lengths.clone(),
            Some(boards) => return Err(not_for("stats --bfile", boards, "strips, such as 3..24")),
            None => self.without_gap(tables)?,
        };
        let mut out = stdout();
        for length in lengths {
            let table = match self.needs_depths() {
                true => tables.with_depths(length)?,
                false => tables.best(length)?,
            };
            writeln!(out, "{length} {}", self.term(table))?;
        }
        Ok(out.flush()?)
    }

    fn without_gap(self, tables: &Tablebase) -> Result<RangeInclusive<usize>, CommandError> {
        let usable = |length: &usize| match self.needs_depths() {
            true => tables.with_depths(*length).is_ok(),
            false => tables.best(*length).is_ok(),
        };
        let first = tables.lengths().into_iter().find(|length| usable(length));
        let first = first.ok_or_else(|| no_tables(tables.places()))?;
        let last = (first..).take_while(usable).last();
        Ok(first..=last.expect("the first is usable"))
    }

    fn needs_depths(self) -> bool {
        matches!(
            self,
            Sequence::Longest | Sequence::LongestWin | Sequence::LongestLoss
        )
    }

    fn term(self, table: &Table) -> BigUint {
        let header = table.header();
        match self {
            Sequence::Positions => table.positions(),
            Sequence::Wins => header.wins.clone(),
            Sequence::Losses => header.losses.clone(),
            Sequence::Draws => header.draws.clone(),
            Sequence::Longest => header.longest_win.max(header.longest_loss).into(),
            Sequence::LongestWin => header.longest_win.into(),
            Sequence::LongestLoss => header.longest_loss.into(),
        }
    }
}
