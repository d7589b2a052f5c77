//! What the table of a strip holds, as JSON: what `phutbase stats --json` prints.

use super::count::{BigCount, Count};
use crate::table::Metric;
use crate::table::any::Table;
use crate::table::error::TableError;
use crate::theory::draws;
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
    /// Boards that are draws whoever moves.
    pub mutual_draws: BigCount,
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
    /// What a table's header and description say, and its mutual draws.
    ///
    /// # Errors
    /// As [`draws::count`].
    pub fn new(table: &Table) -> Result<StripStats, TableError> {
        let header = table.header();
        let draws = draws::count(table, 0)?;
        let deep = header.metric == Metric::Dtw;
        let description = table.description();
        Ok(StripStats {
            length: header.length,
            metric: header.metric.to_string(),
            layout: table.layout().to_string(),
            positions: BigCount(table.positions()),
            wins: BigCount(header.wins.clone()),
            losses: BigCount(header.losses.clone()),
            draws: BigCount(header.draws.clone()),
            mutual_draws: BigCount(draws.mutual_draws),
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
        })
    }
}
