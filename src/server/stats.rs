//! `/api/stats`: what there is to ask about.

use super::app::App;
use super::error::ApiError;
use super::json;
use crate::answer::stats::{DamagedTable, TableStats};
use crate::games::boards::Boards;
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
    tables: Vec<Entry>,
    /// Boards of Obstruction whose nimbers are in the table.
    obstruction_boards: usize,
}

/// A table, or why it cannot be read.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry {
    Whole(Box<TableStats>),
    Damaged(DamagedTable),
}

/// `GET /api/stats`; the first one opens every table, the others get the same bytes.
pub async fn stats(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    if let Some(known) = app.stats.get() {
        return Ok(answer(known.clone()));
    }
    let shared = app.clone();
    let response = app.batch.work(move || json(&collect(&shared))).await?;
    let bytes = (response.into_body().collect().await)
        .map_err(|error| ApiError::Internal(error.to_string()))?
        .to_bytes();
    Ok(answer(app.stats.get_or_init(|| bytes).clone()))
}

fn answer(bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], Body::from(bytes)).into_response()
}

fn collect(app: &App) -> Stats {
    let tables = &app.sources.tables;
    let strips = tables.lengths().into_iter().map(|length| {
        let stats = tables.best(length).map(TableStats::of_strip);
        entry(Boards::strip(length), stats.map_err(|error| error.to_string()))
    });
    let pitches = tables.shapes().into_iter().map(|shape| {
        let stats = tables.pitch(shape).map(TableStats::of_pitch);
        entry(Boards::Pitch(shape), stats.map_err(|error| error.to_string()))
    });
    Stats {
        tables: strips.chain(pitches).collect(),
        obstruction_boards: app.boards,
    }
}

fn entry(boards: Boards, stats: Result<TableStats, String>) -> Entry {
    match stats {
        Ok(stats) => Entry::Whole(Box::new(stats)),
        Err(error) => Entry::Damaged(DamagedTable {
            game: boards.game(),
            boards: boards.to_string(),
            error,
        }),
    }
}
