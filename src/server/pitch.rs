//! `/api/pitch` and `/api/pitch/line`: what `phutbase probe` says of pitches.

use super::app::App;
use super::ask::{Ask, Position};
use super::error::ApiError;
use super::json;
use crate::answer::pitch::PitchProbe;
use crate::games::pitch::Pitch;
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

/// `GET /api/pitch?position=…&side=…`
pub async fn probe(State(app): State<Arc<App>>, Ask(ask): Ask<Position>) -> Result<Response, ApiError> {
    answer(app, &ask, false).await
}

/// `GET /api/pitch/line?position=…&side=…`
pub async fn line(State(app): State<Arc<App>>, Ask(ask): Ask<Position>) -> Result<Response, ApiError> {
    answer(app, &ask, true).await
}

async fn answer(app: Arc<App>, ask: &Position, line: bool) -> Result<Response, ApiError> {
    let pitch: Pitch = ask.parse(["alfred", "betty"])?;
    let shared = app.clone();
    (app.quick)
        .work(move || {
            let table = shared.tables.pitch(pitch.shape())?;
            json(&PitchProbe::new(table, &pitch, line)?.answer())
        })
        .await
}
