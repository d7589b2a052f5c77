//! `/api/stats`: what there is to ask about.

use super::app::App;
use super::ask::ByRules;
use super::error::ApiError;
use super::json;
use crate::answer::stats::{DamagedTable, TableEntry, overview};
use crate::games::rules::Rules;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use serde::Serialize;
use std::sync::Arc;

/// The tables.
#[derive(Serialize)]
struct Stats {
    /// What `phutbase stats --json` says of each.
    tables: Vec<TableEntry>,
    /// Boards of Obstruction whose nimbers are in the table.
    obstruction_boards: usize,
}

/// `GET /api/stats?rules=…`; the first one opens every table, the others get the same bytes.
pub async fn stats(State(app): State<Arc<App>>, ByRules(rules): ByRules) -> Result<Response, ApiError> {
    let stats = &app.stats[rules as usize];
    if let Some(known) = stats.get() {
        return Ok(answer(known.clone()));
    }
    let shared = app.clone();
    let response = app.batch.work(move || json(&collect(&shared, rules))).await?;
    let bytes = (response.into_body().collect().await)
        .map_err(|error| ApiError::Internal(error.to_string()))?
        .to_bytes();
    Ok(answer(stats.get_or_init(|| bytes).clone()))
}

fn answer(bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], Body::from(bytes)).into_response()
}

fn collect(app: &App, rules: Rules) -> Stats {
    let tables = &app.sources.tables;
    let mut entries: Vec<TableEntry> = overview(&app.under(rules).tables, |_| true).collect();
    for entry in &mut entries {
        if let TableEntry::Damaged(damaged) = entry {
            damaged.error = app.told(&damaged.error);
        }
    }
    if let Err(error) = tables.nimbers() {
        entries.push(TableEntry::Damaged(DamagedTable {
            game: "obstruction",
            rules: None,
            boards: "obstruction".to_string(),
            error: app.told(&error),
        }));
    }
    Stats {
        tables: entries,
        obstruction_boards: app.boards,
    }
}
