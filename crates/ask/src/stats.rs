//! Statistics of tables as JSON: counts, and for a single table its depths.

use super::BoardsLabel;
use super::counts::WinCounts;
use ethnum::U256;
use phutbase_base::count::Count;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_rules::{Boards, Rules};
use phutbase_sets::Diagram;
use phutbase_sets::count::count_by_ball;
use phutbase_tables::{BoardTable, Metric, StripSets, Summary, TableError, Tablebase};
use serde::Serialize;
use std::collections::BTreeMap;

/// Counts from the header of a table; cheap.
#[derive(Clone, Debug, Serialize)]
pub struct TableCounts {
    #[serde(flatten)]
    pub label: BoardsLabel,
    /// `dtw` (with depths), `levels` (with the backward turns of wins) or `wdl` (winners only).
    pub metric: String,
    /// Positions with the first player to move.
    pub positions: Count,
    /// Positions that the player to move wins.
    pub wins: Count,
    /// Positions that the player to move loses.
    pub losses: Count,
    pub draws: Count,
    /// The longest win or loss, in plies, with depths only.
    pub longest: Option<u16>,
}

/// The positions of one board size, from the most detailed table, or of a length that no table holds.
#[derive(Clone, Debug, Serialize)]
pub struct TableStats {
    #[serde(flatten)]
    pub counts: TableCounts,
    /// The longest win, in plies.
    pub longest_win: Option<u16>,
    /// The longest loss, in plies.
    pub longest_loss: Option<u16>,
    /// The name of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The size of the file, which may hold other boards too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// As [`TableStats`], with the depths.
#[derive(Clone, Debug, Serialize)]
pub struct TableDepths {
    #[serde(flatten)]
    pub stats: TableStats,
    /// Number of positions by depth, if the table has depths.
    pub depths: Option<BTreeMap<u16, Count>>,
}

/// A table of a directory, or the reason why it cannot be read.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum TableEntry {
    Whole(Box<TableStats>),
    Damaged {
        /// The boards; `obstruction` for all of that game.
        #[serde(flatten)]
        label: BoardsLabel,
        error: String,
    },
}

/// The tables of a server, or one of them with its depths.
#[derive(Clone, Debug, Serialize)]
pub struct ServedTables<T> {
    pub tables: Vec<T>,
    /// Number of boards of Obstruction whose nimbers are stored.
    pub obstruction_boards: usize,
}

/// Lists the wanted lengths and pitches of the tables, which are opened one at a time, and the wanted
/// lengths beyond the tables whose wins are counted. Errors of a
/// damaged table are rendered by `describe`, once for all of its lengths, and do not hide the other
/// tables.
pub fn overview(
    tables: &Tablebase,
    counts: Option<&WinCounts>,
    wanted: impl Fn(&Boards) -> bool,
    describe: impl Fn(&TableError) -> String,
) -> Vec<TableEntry> {
    let longest = tables.longest_strips(false).unwrap_or(0);
    let strips = (MIN_LENGTH..=longest).map(Boards::strip);
    let pitches = tables.shapes().into_iter().map(Boards::Pitch);
    let solved = counts.map_or(0, WinCounts::longest);
    let beyond = (MIN_LENGTH.max(longest + 1)..=solved).map(Boards::strip);
    let mut entries = Vec::new();
    // The lengths of the last entry, and its error.
    let mut last: Option<(usize, String)> = None;
    for boards in strips.chain(beyond).chain(pitches).filter(wanted) {
        let solved = (boards.one_length().filter(|&length| length > longest))
            .and_then(|length| counts?.of_length(length));
        let found = solved.map_or_else(|| tables.ask_boards(&boards, TableStats::of), Ok);
        let error = match found {
            Ok(stats) => {
                last = None;
                entries.push(TableEntry::Whole(Box::new(stats)));
                continue;
            }
            Err(error) => describe(&error),
        };
        let length = boards.one_length();
        let first = match (last.take(), length) {
            (Some((first, same)), Some(_)) if same == error => {
                entries.pop();
                Some(first)
            }
            _ => length,
        };
        last = first.map(|first| (first, error.clone()));
        let boards = first
            .zip(length)
            .map_or(boards, |(first, length)| Boards::Strips(first..=length));
        let label = BoardsLabel::new(&boards, tables.rules());
        entries.push(TableEntry::Damaged { label, error });
    }
    entries
}

impl TableCounts {
    /// Counts boards; the longest game is known with depths only.
    pub fn new(boards: &Boards, rules: Rules, metric: Metric, summary: &Summary) -> TableCounts {
        TableCounts {
            label: BoardsLabel::new(boards, rules),
            metric: metric.to_string(),
            positions: Count(summary.positions()),
            wins: Count(summary.wins.clone()),
            losses: Count(summary.losses.clone()),
            draws: Count(summary.draws.clone()),
            longest: (metric == Metric::Dtw).then_some(summary.longest()),
        }
    }

    pub fn of(table: BoardTable<'_>) -> Result<TableCounts, TableError> {
        let (boards, summary) = (table.boards(), table.summary()?);
        Ok(TableCounts::new(&boards, table.rules(), table.metric(), &summary))
    }
}

impl TableStats {
    pub fn of(table: BoardTable<'_>) -> Result<TableStats, TableError> {
        let (summary, deep) = (table.summary()?, table.metric() == Metric::Dtw);
        Ok(TableStats {
            counts: TableCounts::of(table)?,
            longest_win: deep.then_some(summary.longest_win),
            longest_loss: deep.then_some(summary.longest_loss),
            name: Some(table.id().to_string()),
            bytes: Some(table.file_bytes()),
        })
    }
}

/// Counts the boards of a length with the ball on one square, Left to move: wins, losses and draws,
/// and the wins and losses by plies.
pub fn count_ball(sets: &StripSets, ball: usize) -> Result<([U256; 3], BTreeMap<u16, U256>), TableError> {
    let damaged = || TableError::corrupt(sets.path(), "the sets are not increasing with the plies");
    let length = sets.length();
    let mut depths = BTreeMap::new();
    // Left's wins with Left and with Right to move; the latter mirror losses.
    let mut sums = [U256::ZERO; 2];
    for (plies, &root) in (1u16..).zip(sets.roots()) {
        let (parity, seen) = match plies % 2 {
            1 => (0, ball),
            _ => (1, length - 1 - ball),
        };
        let sum = count_by_ball(sets, root)[seen];
        let count = sum.checked_sub(sums[parity]).ok_or_else(damaged)?;
        sums[parity] = sum;
        if count > 0 {
            depths.insert(plies, count);
        }
    }
    let [wins, losses] = sums;
    let draws = (U256::ONE << (length - 1)).checked_sub(wins);
    let draws = draws
        .and_then(|rest| rest.checked_sub(losses))
        .ok_or_else(damaged)?;
    Ok(([wins, losses, draws], depths))
}

impl TableDepths {
    pub fn of(table: BoardTable<'_>) -> Result<TableDepths, TableError> {
        let count = |(plies, count)| (plies, Count(count));
        let depths = table.depths()?;
        Ok(TableDepths {
            stats: TableStats::of(table)?,
            depths: depths.map(|depths| depths.into_iter().map(count).collect()),
        })
    }
}
