//! What a table holds, as JSON: counts, and for a table by itself its depths.

use super::count::{BigCount, Count};
use crate::diagram::Diagram;
use crate::diagram::count::count_by_ball;
use crate::games::boards::Boards;
use crate::games::rules::Rules;
use crate::games::strip::MIN_LENGTH;
use crate::solve::ranks::{InCommon, Team};
use crate::table::error::TableError;
use crate::table::id::TableId;
use crate::table::pitch::PitchTable;
use crate::table::strip::StripTable;
use crate::table::strip::sets::StripSets;
use crate::table::tablebase::Tablebase;
use crate::table::{Metric, Summary};
use crate::theory::{draws, pitch_draws};
use serde::Serialize;
use std::collections::BTreeMap;

/// What the head of a table says of its boards; cheap.
#[derive(Clone, Debug, Serialize)]
pub struct Counts {
    /// `strip` or `pitch`.
    pub game: &'static str,
    /// The rules, unless they are the ordinary ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<&'static str>,
    /// The boards: `16`, `7x3`.
    pub boards: String,
    /// `dtw` (depths) or `wdl` (who wins).
    pub metric: String,
    /// Positions with the first player to move.
    pub positions: BigCount,
    /// Those that the player to move wins.
    pub wins: BigCount,
    /// Those that the player to move loses.
    pub losses: BigCount,
    /// Those that neither wins.
    pub draws: BigCount,
    /// The longest win or loss, in plies, where there are depths.
    pub longest: Option<u16>,
}

/// The positions of one board size, by the table that says most about them.
#[derive(Clone, Debug, Serialize)]
pub struct TableStats {
    /// Counts of all positions.
    #[serde(flatten)]
    pub counts: Counts,
    /// The longest win, in plies.
    pub longest_win: Option<u16>,
    /// The longest loss, in plies.
    pub longest_loss: Option<u16>,
    /// The name of the table's file.
    pub file: String,
    /// The size of the file, which may hold other boards too.
    pub bytes: u64,
}

/// The same, with what has to be counted.
#[derive(Clone, Debug, Serialize)]
pub struct TableDetails {
    /// What needs no counting.
    #[serde(flatten)]
    pub stats: TableStats,
    /// Boards that are draws with either player to move.
    pub mutual_draws: BigCount,
    /// How many positions have each depth.
    pub depths: Option<BTreeMap<u16, BigCount>>,
    /// A position with the longest win.
    pub longest_win_example: Option<String>,
}

/// The boards of one length with the ball on one square, Left to move.
#[derive(Clone, Debug, Serialize)]
pub struct BallDetails {
    /// `strip`.
    pub game: &'static str,
    /// The rules, unless they are the ordinary ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<&'static str>,
    /// The length.
    pub boards: String,
    /// The square, counted from 0.
    pub ball: usize,
    /// All of them.
    pub positions: Count,
    /// Those that Left wins.
    pub wins: Count,
    /// Those that Left loses.
    pub losses: Count,
    /// Those that neither wins.
    pub draws: Count,
    /// How many have each depth.
    pub depths: BTreeMap<u16, Count>,
}

/// One of a directory's tables, or why it cannot be read.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum TableEntry {
    /// What it says of itself.
    Whole(Box<TableStats>),
    /// What is wrong with it.
    Damaged(DamagedTable),
}

/// A table that cannot be read.
#[derive(Clone, Debug, Serialize)]
pub struct DamagedTable {
    /// `strip`, `pitch` or `obstruction`.
    pub game: &'static str,
    /// The rules, unless they are the ordinary ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<&'static str>,
    /// The boards: `16`, `7x3`; `obstruction` for all of that game.
    pub boards: String,
    /// What is wrong with it.
    pub error: String,
}

/// Every length of strips that a table holds, and every pitch, as far as they are wanted. A table is opened when its turn comes. A damaged
/// one does not hide the others; `describe` renders its error.
pub fn overview<'a>(
    tables: &'a Tablebase,
    wanted: impl Fn(&Boards) -> bool + 'a,
    describe: impl Fn(&TableError) -> String + 'a,
) -> impl Iterator<Item = TableEntry> + 'a {
    let rules = tables.rules();
    let longest = tables.longest_strips(false).unwrap_or(0);
    let strips = (MIN_LENGTH..=longest).map(Boards::strip);
    let pitches = tables.shapes().into_iter().map(Boards::Pitch);
    strips.chain(pitches).filter(wanted).filter_map(move |boards| {
        let stats = match &boards {
            Boards::Strips(length) => tables.ask(*length.start(), |table| {
                TableStats::of_strip(table, *length.start())
            }),
            Boards::Pitch(shape) => tables.ask_pitch(*shape, |table| Ok(TableStats::of_pitch(table))),
            Boards::Obstruction(..) | Boards::Oddish(_) => return None,
        };
        Some(TableEntry::new(
            boards,
            rules,
            stats.map_err(|error| describe(&error)),
        ))
    })
}

impl TableEntry {
    fn new(boards: Boards, rules: Rules, stats: Result<TableStats, String>) -> TableEntry {
        match stats {
            Ok(stats) => TableEntry::Whole(Box::new(stats)),
            Err(error) => TableEntry::Damaged(DamagedTable {
                game: boards.game(),
                rules: rules.name_if_special(),
                boards: boards.to_string(),
                error,
            }),
        }
    }
}

impl Counts {
    /// Counts of some boards; the longest game is known with depths only.
    pub fn new(boards: &Boards, rules: Rules, metric: Metric, summary: &Summary) -> Counts {
        Counts {
            game: boards.game(),
            rules: rules.name_if_special(),
            boards: boards.to_string(),
            metric: metric.to_string(),
            positions: BigCount(summary.positions()),
            wins: BigCount(summary.wins.clone()),
            losses: BigCount(summary.losses.clone()),
            draws: BigCount(summary.draws.clone()),
            longest: (metric == Metric::Dtw).then_some(summary.longest()),
        }
    }

    /// Counts of the strips of a length.
    ///
    /// # Errors
    /// [`TableError::Missing`] if the table does not hold the length.
    pub fn of_strip(table: &StripTable, length: usize) -> Result<Counts, TableError> {
        let summary = table.summary(length)?;
        Ok(Counts::new(
            &Boards::strip(length),
            table.rules(),
            table.metric(),
            &summary,
        ))
    }

    /// Counts of a pitch.
    pub fn of_pitch(table: &PitchTable) -> Counts {
        let boards = Boards::Pitch(table.shape());
        Counts::new(&boards, table.rules(), Metric::Dtw, &table.summary())
    }
}

impl TableStats {
    /// The strips of a length.
    ///
    /// # Errors
    /// [`TableError::Missing`] if the table does not hold the length.
    pub fn of_strip(table: &StripTable, length: usize) -> Result<TableStats, TableError> {
        let (summary, deep) = (table.summary(length)?, table.has_depths());
        Ok(TableStats {
            counts: Counts::of_strip(table, length)?,
            longest_win: deep.then_some(summary.longest_win),
            longest_loss: deep.then_some(summary.longest_loss),
            file: TableId::Strip(table.rules(), table.metric(), table.length()).to_string(),
            bytes: table.file_bytes(),
        })
    }

    /// A pitch.
    pub fn of_pitch(table: &PitchTable) -> TableStats {
        let summary = table.summary();
        TableStats {
            counts: Counts::of_pitch(table),
            longest_win: Some(summary.longest_win),
            longest_loss: Some(summary.longest_loss),
            file: TableId::Pitch(table.rules(), table.shape()).to_string(),
            bytes: table.file_bytes(),
        }
    }
}

impl BallDetails {
    /// Counts them.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] if the sets do not grow with the plies.
    pub fn of(sets: &StripSets, ball: usize) -> Result<BallDetails, TableError> {
        let damaged = || TableError::corrupt(sets.path(), "the sets do not grow with the plies");
        let length = sets.length();
        let mut depths = BTreeMap::new();
        // Won, with Left and with Right to move; what Left wins with Right to move are mirror images of losses.
        let mut sums = [0u128; 2];
        for (plies, &root) in (1u16..).zip(sets.roots()) {
            let (parity, seen) = match plies % 2 {
                1 => (0, ball),
                _ => (1, length - 1 - ball),
            };
            let sum = count_by_ball(sets, root)[seen];
            let count = sum.checked_sub(sums[parity]).ok_or_else(damaged)?;
            sums[parity] = sum;
            if count > 0 {
                depths.insert(plies, Count(count));
            }
        }
        let (positions, [wins, losses]) = (1u128 << (length - 1), sums);
        let draws = positions
            .checked_sub(wins)
            .and_then(|rest| rest.checked_sub(losses));
        Ok(BallDetails {
            game: Boards::strip(length).game(),
            rules: sets.rules().name_if_special(),
            boards: length.to_string(),
            ball,
            positions: Count(positions),
            wins: Count(wins),
            losses: Count(losses),
            draws: Count(draws.ok_or_else(damaged)?),
            depths,
        })
    }
}

impl TableDetails {
    /// The strips of a length: counts their draws and depths.
    pub fn of_strip(table: &StripTable, length: usize) -> Result<TableDetails, TableError> {
        let sets = table.sets(length)?;
        let depths = sets.depths()?.into_iter();
        Ok(TableDetails {
            stats: TableStats::of_strip(table, length)?,
            mutual_draws: BigCount(draws::count(table, length, 0)?.mutual_draws),
            depths: (table.has_depths())
                .then(|| depths.map(|(plies, count)| (plies, BigCount(count))).collect()),
            longest_win_example: sets.longest_win()?.map(|strip| strip.to_string()),
        })
    }

    /// A pitch: looks at every drawn position, together with other processes.
    pub fn of_pitch(table: &PitchTable, team: &Team) -> Result<TableDetails, InCommon<TableError>> {
        let depths = table.metadata().depths.iter();
        Ok(TableDetails {
            stats: TableStats::of_pitch(table),
            mutual_draws: BigCount(pitch_draws::find(table, team)?.mutual_draws.into()),
            depths: Some((1..).zip(depths.map(|&count| BigCount(count.into()))).collect()),
            longest_win_example: Some(table.metadata().longest_win.clone()),
        })
    }
}
