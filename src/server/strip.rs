//! `/api/strip` and `/api/strip/line`: what `phutbase probe` says, without and with `--line`.

use super::app::App;
use super::ask::{Ask, Position};
use super::error::ApiError;
use super::json;
use crate::answer::strip::StripProbe;
use crate::games::strip::Strip;
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

/// `GET /api/strip?position=…&side=…`
pub async fn probe(State(app): State<Arc<App>>, Ask(ask): Ask<Position>) -> Result<Response, ApiError> {
    answer(app, &ask, false).await
}

/// `GET /api/strip/line?position=…&side=…`
pub async fn line(State(app): State<Arc<App>>, Ask(ask): Ask<Position>) -> Result<Response, ApiError> {
    answer(app, &ask, true).await
}

async fn answer(app: Arc<App>, ask: &Position, line: bool) -> Result<Response, ApiError> {
    let strip: Strip = ask.parse(["left", "right"])?;
    let shared = app.clone();
    (app.quick)
        .work(move || json(&StripProbe::new(&shared.tables, &strip, line)?.answer()))
        .await
}
