//! What a table holds, as JSON: counts, and for a table by itself its depths.

use super::count::{BigCount, Count};
use crate::diagram::count::count_by_ball;
use crate::games::boards::Boards;
use crate::games::rules::Rules;
use crate::solve::ranks::{InCommon, Team};
use crate::table::any::Table;
use crate::table::diagram::DiagramTable;
use crate::table::directory::Tablebase;
use crate::table::error::TableError;
use crate::table::pitch::PitchTable;
use crate::table::{Layout, Metric};
use crate::theory::{draws, pitch_draws};
use num_bigint::BigUint;
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

/// One table: its counts, a longest win, the size of its file.
#[derive(Clone, Debug, Serialize)]
pub struct TableStats {
    /// What its head says.
    #[serde(flatten)]
    pub counts: Counts,
    /// `dense` or `diagram`.
    pub layout: String,
    /// The longest win, in plies.
    pub longest_win: Option<u16>,
    /// The longest loss, in plies.
    pub longest_loss: Option<u16>,
    /// A position with the longest win.
    pub longest_win_example: Option<String>,
    /// The size of the file.
    pub bytes: u64,
}

/// The same, with what has to be counted.
#[derive(Clone, Debug, Serialize)]
pub struct TableDetails {
    /// What needs no counting.
    #[serde(flatten)]
    pub stats: TableStats,
    /// Boards that are draws whoever moves.
    pub mutual_draws: BigCount,
    /// How many positions have each depth.
    pub depths: Option<BTreeMap<usize, Count>>,
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
    pub depths: BTreeMap<usize, Count>,
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

/// The tables of strips and pitches that are wanted, each opened when its turn comes. One that is damaged is nothing to the others.
pub fn overview<'a>(
    tables: &'a Tablebase,
    wanted: impl Fn(&Boards) -> bool + 'a,
) -> impl Iterator<Item = TableEntry> + 'a {
    let rules = tables.rules();
    let strips = tables.lengths().into_iter().map(Boards::strip);
    let pitches = tables.shapes().into_iter().map(Boards::Pitch);
    strips.chain(pitches).filter(wanted).flat_map(move |boards| {
        let stats = match &boards {
            Boards::Strips(length) => of_length(tables, *length.start()),
            Boards::Pitch(shape) => vec![tables.pitch(*shape).map(TableStats::of_pitch)],
            Boards::Obstruction(..) | Boards::Oddish(_) => Vec::new(),
        };
        (stats.into_iter()).map(move |stats| TableEntry::new(boards.clone(), rules, stats))
    })
}

/// The table of a length that says most, after those that would say more and are damaged.
fn of_length(tables: &Tablebase, length: usize) -> Vec<Result<TableStats, TableError>> {
    let mut found = Vec::new();
    for metric in Metric::ALL {
        match tables.table(length, metric).transpose() {
            Some(Ok(table)) => {
                found.push(Ok(TableStats::of_strip(table)));
                break;
            }
            Some(Err(error)) => found.push(Err(error)),
            None => {}
        }
    }
    found
}

impl TableEntry {
    fn new(boards: Boards, rules: Rules, stats: Result<TableStats, TableError>) -> TableEntry {
        match stats {
            Ok(stats) => TableEntry::Whole(Box::new(stats)),
            Err(error) => TableEntry::Damaged(DamagedTable {
                game: boards.game(),
                rules: rules.name_if_special(),
                boards: boards.to_string(),
                error: error.to_string(),
            }),
        }
    }
}

impl Counts {
    /// These wins, losses and draws, which are all positions.
    pub fn new(
        boards: &Boards,
        rules: Rules,
        metric: Metric,
        [wins, losses, draws]: [BigUint; 3],
        longest: Option<u16>,
    ) -> Counts {
        Counts {
            game: boards.game(),
            rules: rules.name_if_special(),
            boards: boards.to_string(),
            metric: metric.to_string(),
            positions: BigCount(&wins + &losses + &draws),
            wins: BigCount(wins),
            losses: BigCount(losses),
            draws: BigCount(draws),
            longest,
        }
    }

    /// The counts of the table of a strip.
    pub fn of_strip(table: &Table) -> Counts {
        let header = table.header();
        let counts = [&header.wins, &header.losses, &header.draws].map(BigUint::clone);
        let longest = header.longest_win.max(header.longest_loss);
        let longest = table.has_depths().then_some(longest);
        let boards = Boards::strip(header.length);
        Counts::new(&boards, header.rules, header.metric, counts, longest)
    }

    /// The counts of the table of a pitch.
    pub fn of_pitch(table: &PitchTable) -> Counts {
        let header = table.header();
        let counts = [header.wins, header.losses, header.draws].map(BigUint::from);
        let longest = header.longest_win.max(header.longest_loss);
        let boards = Boards::Pitch(header.shape);
        Counts::new(&boards, header.rules, Metric::Dtw, counts, Some(longest))
    }
}

impl TableStats {
    /// What the table of a strip says of itself.
    pub fn of_strip(table: &Table) -> TableStats {
        let (header, deep) = (table.header(), table.has_depths());
        TableStats {
            counts: Counts::of_strip(table),
            layout: table.layout().to_string(),
            longest_win: deep.then_some(header.longest_win),
            longest_loss: deep.then_some(header.longest_loss),
            longest_win_example: deep.then(|| table.description().longest_win.clone()),
            bytes: header.file_bytes,
        }
    }

    /// What the table of a pitch says of itself.
    pub fn of_pitch(table: &PitchTable) -> TableStats {
        let header = table.header();
        TableStats {
            counts: Counts::of_pitch(table),
            layout: Layout::Dense.to_string(),
            longest_win: Some(header.longest_win),
            longest_loss: Some(header.longest_loss),
            longest_win_example: Some(table.description().longest_win.clone()),
            bytes: header.file_bytes,
        }
    }
}

impl BallDetails {
    /// Counts them.
    ///
    /// # Errors
    /// [`TableError::NoDepths`]; [`TableError::Corrupt`] if the sets do not grow with the plies.
    pub fn of(table: &DiagramTable, ball: usize) -> Result<BallDetails, TableError> {
        if table.header().metric == Metric::Wdl {
            return Err(table.no_depths());
        }
        let damaged = || TableError::Corrupt {
            file: table.path().to_path_buf(),
            field: "the sets do not grow with the plies".to_string(),
        };
        let (nodes, length) = (table.nodes(), table.header().length);
        let mut depths = BTreeMap::new();
        // Won, with Left and with Right to move; what Left wins with Right to move are mirror images of losses.
        let mut sums = [0u128; 2];
        for (plies, &root) in (1..).zip(table.roots()) {
            let (parity, seen) = match plies % 2 {
                1 => (0, ball),
                _ => (1, length - 1 - ball),
            };
            let sum = count_by_ball(&nodes, root)[seen];
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
            rules: table.header().rules.name_if_special(),
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
    /// Looks at every drawn position of a strip's table.
    ///
    /// # Errors
    /// As [`draws::count`].
    pub fn of_strip(table: &Table) -> Result<TableDetails, TableError> {
        let depths = table.description().depths.iter();
        Ok(TableDetails {
            stats: TableStats::of_strip(table),
            mutual_draws: BigCount(draws::count(table, 0)?.mutual_draws),
            depths: (table.has_depths()).then(|| {
                depths
                    .map(|(&plies, &count)| (plies.into(), Count(count)))
                    .collect()
            }),
        })
    }

    /// Looks at every drawn position of a pitch's table, together with other processes.
    ///
    /// # Errors
    /// As [`PitchTable::value`].
    pub fn of_pitch(table: &PitchTable, team: &Team) -> Result<TableDetails, InCommon<TableError>> {
        let depths = table.description().depths.iter();
        Ok(TableDetails {
            stats: TableStats::of_pitch(table),
            mutual_draws: BigCount(pitch_draws::find(table, team)?.mutual_draws.into()),
            depths: Some((1..).zip(depths.map(|&count| Count(count.into()))).collect()),
        })
    }
}
