//! `/api/stats`: counts of the tables, and the depths of one table.

use super::app::App;
use super::ask::{Ask, expect_one_size, parsed};
use super::error::ApiError;
use super::{json, kept, line};
use axum::extract::State;
use axum::response::Response;
use phutbase_ask::BoardsLabel;
use phutbase_ask::stats::{ServedTables, TableDepths, TableEntry, overview};
use phutbase_rules::{Boards, Rules};
use serde::{Deserialize, Deserializer};
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

/// `GET /api/stats?rules=…&boards=…`; the answer without boards opens every table and is cached.
pub async fn stats(State(app): State<Arc<App>>, Ask(wanted): Ask<Wanted>) -> Result<Response, ApiError> {
    let (shared, rules) = (app.clone(), wanted.rules);
    if let Some(boards) = wanted.boards {
        expect_one_size(&boards)?;
        let look = move || {
            let details = shared
                .under(rules)
                .sources
                .tables
                .ask_boards(&boards, TableDepths::of);
            let details = details.map_err(|error| shared.refusal(&error.into()))?;
            let answer = ServedTables {
                tables: vec![details],
                obstruction_boards: shared.boards,
            };
            json(&shared, &answer)
        };
        // The sets of a whole length take memory: one at a time.
        return app.work(&app.batches, look).await;
    }
    let stats = &app.under(rules).stats;
    if let Some(known) = stats.get() {
        return Ok(kept(known.clone()));
    }
    let look = move || {
        // Another request may have counted them while this one waited.
        if let Some(known) = shared.under(rules).stats.get() {
            return Ok(known.clone());
        }
        let describe = |error: &_| shared.describe_table(error);
        let mut tables: Vec<TableEntry> = overview(&shared.under(rules).sources.tables, |_| true, describe);
        if let Err(error) = shared.ordinary.sources.tables.nimbers() {
            tables.push(TableEntry::Damaged {
                label: BoardsLabel::all_obstruction(),
                error: shared.describe_table(&error),
            });
        }
        line(&ServedTables {
            tables,
            obstruction_boards: shared.boards,
        })
    };
    let bytes = app.work(&app.batches, look).await?;
    Ok(kept(stats.get_or_init(|| bytes).clone()))
}
