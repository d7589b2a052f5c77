//! `/api/stats`: counts of the tables, and the distribution of depths of one table.

use super::app::App;
use super::ask::{Ask, expect_one_size, parsed};
use super::error::ApiError;
use super::{json, json_answer, line};
use crate::answer::count::BigCount;
use crate::answer::stats::{DamagedTable, TableEntry, TableStats, overview};
use crate::games::boards::Boards;
use crate::games::rules::Rules;
use crate::table::error::TableError;
use crate::table::tablebase::Tablebase;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// `rules=…&boards=…`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    #[serde(default, deserialize_with = "parsed")]
    rules: Rules,
    #[serde(default, deserialize_with = "some_boards")]
    boards: Option<Boards>,
}

fn some_boards<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Boards>, D::Error> {
    parsed(deserializer).map(Some)
}

/// The tables.
#[derive(Serialize)]
struct Stats<T> {
    /// The fields that `phutbase stats --json` prints for each.
    tables: Vec<T>,
    /// Boards of Obstruction whose nimbers are in the table.
    obstruction_boards: usize,
}

/// The strips of one length or a pitch.
#[derive(Serialize)]
struct Details {
    #[serde(flatten)]
    stats: TableStats,
    /// Positions by depth, where the table has depths.
    depths: Option<BTreeMap<u16, BigCount>>,
}

/// `GET /api/stats?rules=…&boards=…`; the first question without boards opens every table, and its answer is kept.
pub async fn stats(State(app): State<Arc<App>>, Ask(wanted): Ask<Wanted>) -> Result<Response, ApiError> {
    let (shared, rules) = (app.clone(), wanted.rules);
    if let Some(boards) = wanted.boards {
        expect_one_size(&boards)?;
        let look = move || {
            let details = details(&shared.under(rules).tables, &boards);
            let tables = vec![details.map_err(|error| shared.refusal(&error.into()))?];
            let obstruction_boards = shared.boards;
            json(
                &shared,
                &Stats {
                    tables,
                    obstruction_boards,
                },
            )
        };
        return app.work(&app.probes, look).await;
    }
    let stats = &app.stats[rules as usize];
    if let Some(known) = stats.get() {
        return Ok(json_answer(known.clone()));
    }
    let bytes = app
        .work(&app.batches, move || line(&collect(&shared, rules)))
        .await?;
    Ok(json_answer(stats.get_or_init(|| bytes).clone()))
}

fn details(tables: &Tablebase, boards: &Boards) -> Result<Details, TableError> {
    match boards {
        Boards::Strips(lengths) => tables.ask(*lengths.start(), |table| {
            let length = *lengths.start();
            let depths = if table.has_depths() {
                Some(table.sets(length)?.depths()?)
            } else {
                None
            };
            Ok(Details {
                stats: TableStats::of_strip(table, length)?,
                depths: depths.map(|depths| {
                    depths
                        .into_iter()
                        .map(|(plies, count)| (plies, BigCount(count)))
                        .collect()
                }),
            })
        }),
        Boards::Pitch(shape) => tables.ask_pitch(*shape, |table| {
            let depths = table.metadata().depths.iter();
            Ok(Details {
                stats: TableStats::of_pitch(table),
                depths: Some((1..).zip(depths.map(|&count| BigCount(count.into()))).collect()),
            })
        }),
        Boards::Obstruction(..) | Boards::Oddish(_) => Err(tables.missing(boards.clone(), true)),
    }
}

fn collect(app: &App, rules: Rules) -> Stats<TableEntry> {
    let describe = |error: &_| app.describe_table(error);
    let mut tables: Vec<TableEntry> = overview(&app.under(rules).tables, |_| true, describe).collect();
    if let Err(error) = app.sources.tables.nimbers() {
        tables.push(TableEntry::Damaged(DamagedTable {
            game: "obstruction",
            rules: None,
            boards: "obstruction".to_string(),
            error: app.describe_table(&error),
        }));
    }
    Stats {
        tables,
        obstruction_boards: app.boards,
    }
}
