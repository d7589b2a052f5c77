//! `/api/stats`: counts of the tables, and the depths of one table.

use super::app::App;
use super::ask::{Ask, expect_one_size, parsed};
use super::error::ApiError;
use super::{json, json_answer, line};
use crate::answer::BoardsLabel;
use crate::answer::stats::{TableDepths, TableEntry, overview};
use crate::games::{Boards, Rules};
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Deserializer, Serialize};
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

#[derive(Serialize)]
struct Stats<T> {
    /// The fields that `phutbase stats --json` prints for each.
    tables: Vec<T>,
    obstruction_boards: usize,
}

/// `GET /api/stats?rules=…&boards=…`; the answer without boards opens every table and is cached.
pub async fn stats(State(app): State<Arc<App>>, Ask(wanted): Ask<Wanted>) -> Result<Response, ApiError> {
    let (shared, rules) = (app.clone(), wanted.rules);
    if let Some(boards) = wanted.boards {
        expect_one_size(&boards)?;
        let look = move || {
            let details = shared.under(rules).tables.ask_boards(&boards, TableDepths::of);
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

fn collect(app: &App, rules: Rules) -> Stats<TableEntry> {
    let describe = |error: &_| app.describe_table(error);
    let mut tables: Vec<TableEntry> = overview(&app.under(rules).tables, |_| true, describe).collect();
    if let Err(error) = app.sources.tables.nimbers() {
        tables.push(TableEntry::Damaged {
            label: BoardsLabel::all_obstruction(),
            error: app.describe_table(&error),
        });
    }
    Stats {
        tables,
        obstruction_boards: app.boards,
    }
}
