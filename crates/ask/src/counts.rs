//! Numbers of wins of strips by the solution, for lengths that no table holds.

use super::stats::{TableCounts, TableStats};
use num_bigint::BigUint;
use phutbase_base::job::{Job, Stopped};
use phutbase_rules::strip::{MIN_LENGTH, positions};
use phutbase_rules::{Boards, Rules};
use phutbase_solution::count::Counts;
use phutbase_solution::directional;
use phutbase_tables::{Metric, Summary};

/// The numbers of wins of every strip up to some length, for the player to move.
pub struct WinCounts {
    rules: Rules,
    /// By length, from [`MIN_LENGTH`] on.
    wins: Vec<BigUint>,
}

impl WinCounts {
    /// Counts the wins of the lengths up to this one. 144 squares take about 1 s.
    ///
    /// # Errors
    /// The job was stopped.
    pub fn up_to(longest: usize, job: &Job) -> Result<WinCounts, Stopped> {
        let counts = Counts::up_to(longest, job)?;
        Ok(WinCounts {
            rules: Rules::Ordinary,
            wins: counts.lengths().map(|length| counts.wins(length)).collect(),
        })
    }

    /// Counts the wins of directional strips of the lengths up to this one.
    ///
    /// # Errors
    /// The job was stopped.
    pub fn directional(longest: usize, job: &Job) -> Result<WinCounts, Stopped> {
        Ok(WinCounts {
            rules: Rules::Directional,
            wins: directional::count::wins(longest, job)?,
        })
    }

    /// The greatest length whose wins are counted.
    pub fn longest(&self) -> usize {
        MIN_LENGTH + self.wins.len() - 1
    }

    /// The number of wins of a length; `None` if they are not counted.
    pub fn wins(&self, length: usize) -> Option<&BigUint> {
        self.wins.get(length.checked_sub(MIN_LENGTH)?)
    }

    /// The counts of a length; `None` if its wins are not counted.
    pub fn of_length(&self, length: usize) -> Option<TableStats> {
        let wins = self.wins(length)?.clone();
        let summary = Summary {
            losses: positions(length) - &wins,
            wins,
            ..Summary::default()
        };
        let boards = Boards::strip(length);
        Some(TableStats {
            counts: TableCounts::new(&boards, self.rules, Metric::Wdl, &summary),
            longest_win: None,
            longest_loss: None,
            name: None,
            bytes: None,
        })
    }
}
