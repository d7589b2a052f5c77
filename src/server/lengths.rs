//! `/api/lengths`: what there is to ask about.

use super::app::App;
use super::error::ApiError;
use super::json;
use crate::answer::stats::{PitchSummary, StripStats};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use serde::Serialize;
use std::sync::Arc;

/// The tables.
#[derive(Serialize)]
struct Lengths {
    /// What `phutbase stats --json` says of each length.
    strips: Vec<StripStats>,
    pitches: Vec<PitchSummary>,
    /// Boards of Obstruction whose nimbers are in the table.
    obstruction_boards: usize,
    /// Lengths, pitches and games whose tables cannot be used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<String>,
}

/// `GET /api/lengths`; the first one opens every table, the others get the same bytes.
pub async fn lengths(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    if let Some(known) = app.lengths.get() {
        return Ok(answer(known.clone()));
    }
    let shared = app.clone();
    let response = app.batch.work(move || json(&collect(&shared))).await?;
    let bytes = (response.into_body().collect().await)
        .map_err(|error| ApiError::Internal(error.to_string()))?
        .to_bytes();
    Ok(answer(app.lengths.get_or_init(|| bytes).clone()))
}

fn answer(bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], Body::from(bytes)).into_response()
}

fn collect(app: &App) -> Lengths {
    let tables = &app.tables;
    let mut damaged = Vec::new();
    let mut strips = Vec::new();
    for length in tables.lengths() {
        match tables.best(length) {
            Ok(table) => strips.push(StripStats::new(table)),
            Err(_) => damaged.push(length.to_string()),
        }
    }
    let mut pitches = Vec::new();
    for shape in tables.shapes() {
        match tables.pitch(shape) {
            Ok(table) => pitches.push(PitchSummary::of(table)),
            Err(_) => damaged.push(shape.to_string()),
        }
    }
    if tables.nimbers().is_err() {
        damaged.push("obstruction".to_string());
    }
    Lengths {
        strips,
        pitches,
        obstruction_boards: app.boards,
        damaged,
    }
}
