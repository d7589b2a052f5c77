//! What a table holds, as JSON: what `phutbase stats --json` prints.

use super::count::{BigCount, Count};
use crate::table::Metric;
use crate::table::any::Table;
use crate::table::error::TableError;
use crate::table::pitch::PitchTable;
use crate::theory::pitch_draws;
use num_bigint::BigUint;
use serde::Serialize;
use std::collections::BTreeMap;

/// Counts and depths of the table of a strip.
#[derive(Clone, Debug, Serialize)]
pub struct StripStats {
    /// The number of squares.
    pub length: usize,
    /// `dtw` (depths) or `wdl` (who wins).
    pub metric: String,
    /// `dense` or `diagram`.
    pub layout: String,
    /// Positions with Left to move.
    pub positions: BigCount,
    /// Those that the player to move wins.
    pub wins: BigCount,
    /// Those that he loses.
    pub losses: BigCount,
    /// Those that neither wins.
    pub draws: BigCount,
    /// Boards that are draws whoever moves: known to be none if there are no draws, else not counted here (`draws` counts them).
    pub mutual_draws: Option<BigCount>,
    /// The longest game, in plies.
    pub longest: Option<u16>,
    /// The longest win, in plies.
    pub longest_win: Option<u16>,
    /// The longest loss, in plies.
    pub longest_loss: Option<u16>,
    /// A position with the longest win.
    pub longest_win_example: Option<String>,
    /// How many positions have each depth.
    pub depths: Option<BTreeMap<u16, Count>>,
    /// The size of the file.
    pub bytes: u64,
}

impl StripStats {
    /// What a table's header and description say; cheap.
    pub fn new(table: &Table) -> StripStats {
        let header = table.header();
        let deep = header.metric == Metric::Dtw;
        let description = table.description();
        StripStats {
            length: header.length,
            metric: header.metric.to_string(),
            layout: table.layout().to_string(),
            positions: BigCount(table.positions()),
            wins: BigCount(header.wins.clone()),
            losses: BigCount(header.losses.clone()),
            draws: BigCount(header.draws.clone()),
            mutual_draws: (header.draws == BigUint::ZERO).then_some(BigCount(BigUint::ZERO)),
            longest: deep.then(|| header.longest_win.max(header.longest_loss)),
            longest_win: deep.then_some(header.longest_win),
            longest_loss: deep.then_some(header.longest_loss),
            longest_win_example: deep.then(|| description.longest_win.clone()),
            depths: deep.then(|| {
                (description.depths.iter())
                    .map(|(&plies, &count)| (plies, Count(count)))
                    .collect()
            }),
            bytes: header.file_bytes,
        }
    }
}

/// What the header of a pitch's table says; cheap.
#[derive(Clone, Debug, Serialize)]
pub struct PitchSummary {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// Positions with Alfred to move.
    pub positions: Count,
    /// Those that he wins.
    pub wins: Count,
    /// Those that he loses.
    pub losses: Count,
    /// Those that neither can win.
    pub draws: Count,
    /// The longest win or loss, in plies.
    pub longest: u16,
    /// A longest win.
    pub longest_win_example: String,
    /// The size of the file.
    pub bytes: u64,
}

impl PitchSummary {
    /// The summary of a table.
    pub fn of(table: &PitchTable) -> PitchSummary {
        let header = table.header();
        PitchSummary {
            rows: header.shape.rows(),
            columns: header.shape.columns(),
            positions: Count((header.wins + header.losses + header.draws).into()),
            wins: Count(header.wins.into()),
            losses: Count(header.losses.into()),
            draws: Count(header.draws.into()),
            longest: header.longest_win.max(header.longest_loss),
            longest_win_example: table.description().longest_win.clone(),
            bytes: header.file_bytes,
        }
    }
}

/// Counts and depths of the table of a pitch.
#[derive(Clone, Debug, Serialize)]
pub struct PitchStats {
    /// What the header says.
    #[serde(flatten)]
    pub summary: PitchSummary,
    /// `dtw`.
    pub metric: &'static str,
    /// Draws whoever is to move.
    pub mutual_draws: Count,
    /// The longest win, in plies.
    pub longest_win: u16,
    /// The longest loss, in plies.
    pub longest_loss: u16,
    /// Positions by depth, in plies.
    pub depths: BTreeMap<usize, Count>,
}

impl PitchStats {
    /// Counts what a table holds; looks at every drawn position.
    ///
    /// # Errors
    /// As [`PitchTable::value`].
    pub fn of(table: &PitchTable) -> Result<PitchStats, TableError> {
        let header = table.header();
        let depths = table.description().depths.iter();
        Ok(PitchStats {
            summary: PitchSummary::of(table),
            metric: "dtw",
            mutual_draws: Count(pitch_draws::find(table)?.mutual_draws.into()),
            longest_win: header.longest_win,
            longest_loss: header.longest_loss,
            depths: (1..).zip(depths.map(|&count| Count(count.into()))).collect(),
        })
    }
}
