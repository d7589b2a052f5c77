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
}

/// `GET /api/lengths`; the first one opens every table, the others get the same bytes.
pub async fn lengths(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    if let Some(known) = app.lengths.get() {
        return Ok(answer(known.clone()));
    }
    let shared = app.clone();
    let response = app.batch.work(move || json(&collect(&shared)?)).await?;
    let bytes = (response.into_body().collect().await)
        .map_err(|error| ApiError::Internal(error.to_string()))?
        .to_bytes();
    Ok(answer(app.lengths.get_or_init(|| bytes).clone()))
}

fn answer(bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], Body::from(bytes)).into_response()
}

fn collect(app: &App) -> Result<Lengths, ApiError> {
    let strips = (app.strips.lengths().into_iter())
        .map(|length| Ok(StripStats::new(app.strips.best(length)?)?))
        .collect::<Result<_, ApiError>>()?;
    let pitches = (app.pitches.shapes())
        .map(|shape| Ok(PitchSummary::of(app.pitches.table(shape)?)))
        .collect::<Result<_, ApiError>>()?;
    Ok(Lengths {
        strips,
        pitches,
        obstruction_boards: app.boards,
    })
}
