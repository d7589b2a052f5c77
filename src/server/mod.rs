//! The HTTP API and the page: one process that has the tables open once, for browsers and for programs in any language.
//!
//! ```text
//!     connection ──listen: bounded number, time for the head──> router
//!         page, openapi, healthz                    answered at once
//!         probe, by tables ──────┐
//!         batch, stats           ├─ a lane each: so many may wait, so many work, the next one is told 429
//!         probe, by a search ────┘
//! ```
//!
//! * [`app`] — the tables and the lanes; [`routes`] — the router;
//! * [`listen`] — connections, and the end of them; `pace`, `held` — clients that do not read or write;
//! * [`error`] — every refusal with its status;
//! * [`lane`] — bounded work off the asynchronous threads;
//! * `ask`, `probe`, `batch`, `stats`, `chart`, `files` — the questions;
//! * `page` — the page's files, which are part of the program.

pub mod app;
mod ask;
mod batch;
mod chart;
pub mod error;
mod example;
mod files;
mod held;
pub mod lane;
pub mod listen;
mod pace;
mod page;
mod probe;
mod stats;

use app::App;
use axum::Router;
use axum::body::Bytes;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use error::ApiError;
use serde::Serialize;
use std::sync::Arc;
use tower_http::cors::{Any, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;

/// The OpenAPI document, which is also what the tests hold the routes against.
pub const OPENAPI: &str = include_str!("openapi.json");

/// Everything that the server answers.
///
/// Any origin may read the answers (CORS): they are the same for everybody, there is nothing private and nothing to change.
pub fn routes(app: Arc<App>) -> Router {
    let any_origin = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE]);
    let api = Router::new()
        .route("/api/probe", get(probe::probe))
        .route("/api/batch", post(batch::batch))
        .route("/api/stats", get(stats::stats))
        .route("/api/chart", get(chart::chart))
        .route("/api/example", get(example::find_example))
        .route("/tables/{name}", get(files::table))
        .route("/openapi.json", get(openapi))
        .route("/healthz", get(health))
        .with_state(app);
    (api.merge(page::routes()))
        .fallback(|| async { ApiError::NoSuchPath })
        .method_not_allowed_fallback(|| async { ApiError::Method })
        .layer(any_origin)
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "no-referrer"))
}

/// A header that every answer has.
fn fixed(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

/// JSON on one line, as the program prints it with `--json`.
fn json(answer: &impl Serialize) -> Result<Response, ApiError> {
    Ok(json_answer(line(answer)?))
}

/// JSON on one line.
fn line(answer: &impl Serialize) -> Result<Bytes, ApiError> {
    let mut bytes = serde_json::to_vec(answer).map_err(|error| ApiError::Internal(error.to_string()))?;
    bytes.push(b'\n');
    Ok(bytes.into())
}

fn json_answer(bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}

async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}

async fn health() -> impl IntoResponse {
    let body = concat!(
        "{\"status\":\"ok\",\"version\":\"",
        env!("CARGO_PKG_VERSION"),
        "\"}\n"
    );
    (StatusCode::OK, [(header::CONTENT_TYPE, "application/json")], body)
}
