//! The HTTP API and the page: one process that opens the tables once for all clients.
//!
//! ```text
//!     connection ──listen: bounded number, time for the head──> router
//!         page, openapi, healthz                    answered at once
//!         probe or turn, known; board; files ────┐
//!         puzzle; nimbers ───────────────────────┤
//!         batch, a piece at a time; stats ───────┼─ a semaphore each: further requests wait, then get 429
//!         probe or turn, by a search; example ───┘
//! ```
//!
//! * [`app`] — the tables and the semaphores; [`routes`] — the router;
//! * [`listen`] — connections, and slow clients;
//! * [`error`] — every refusal with its status;
//! * `ask`, `probe`, `turn`, `batch`, [`stats`], [`daily`], `example`, `files` — the questions;
//! * `hosts` — the names under which the server is asked;
//! * `cached` — answers that clients may keep;
//! * `page` — the page's embedded files.

pub mod app;
mod ask;
mod atlas;
mod batch;
mod cached;
pub mod daily;
pub mod error;
mod example;
mod files;
mod hosts;
pub mod listen;
mod page;
mod probe;
pub mod stats;
mod turn;

use app::{App, MAX_ANSWER};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::Method;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use error::ApiError;
use futures_util::stream::unfold;
use serde::Serialize;
use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::Arc;
use tower_http::cors::{Any, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::{DefaultMakeSpan, DefaultOnResponse, TraceLayer};
use tracing::Level;

/// Bytes of a body passed to a connection at a time.
const PIECE: usize = 8 << 10;

/// The OpenAPI document; tests compare the routes with it.
pub const OPENAPI: &str = include_str!("openapi.json");

const HEALTH: &str = concat!(
    "{\"status\":\"ok\",\"version\":\"",
    env!("CARGO_PKG_VERSION"),
    "\"}\n"
);

/// The clients that a server answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Programs and the server's own page, under the names of this machine.
    Local,
    /// Programs and the server's own page, under any name.
    AnyHost,
    /// Pages of other sites too (CORS).
    Any,
}

/// Returns the router.
pub fn routes(app: Arc<App>, access: Access) -> Router {
    let any_origin = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE]);
    // Failures are logged where they occur.
    let log = TraceLayer::new_for_http()
        .make_span_with(DefaultMakeSpan::new().level(Level::INFO))
        .on_response(DefaultOnResponse::new().level(Level::INFO))
        .on_failure(());
    let api = Router::new()
        .route("/api/probe", get(probe::probe))
        .route("/api/board", get(probe::board))
        .route("/api/turn", get(turn::turn))
        .route("/api/batch", post(batch::batch))
        .route("/api/stats", get(stats::stats))
        .route("/api/nimbers", get(stats::nimbers))
        .route("/api/puzzle", get(daily::of_day))
        .route("/api/example", get(example::find_example))
        .route("/tables/{name}", get(files::table))
        .route("/openapi.json", get(|| async { kept(OPENAPI) }))
        .route("/healthz", get(|| async { json_answer(HEALTH) }))
        .layer(from_fn(cached::unless_known))
        .with_state(app);
    let routes = (api.merge(page::routes()))
        .fallback(page::not_found)
        .method_not_allowed_fallback(|| async { ApiError::Method });
    let routes = match access {
        Access::Local => routes.layer(from_fn(hosts::local)),
        Access::AnyHost => routes,
        Access::Any => routes.layer(any_origin),
    };
    (routes.layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff")))
        .layer(fixed(header::REFERRER_POLICY, "no-referrer"))
        .layer(log)
}

fn fixed(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

fn json(app: &App, answer: &impl Serialize) -> Result<Response, ApiError> {
    let bytes = line(answer)?;
    let memory = app.answer_memory(bytes.len())?;
    if memory.is_none() {
        return Ok(kept(bytes));
    }
    let (length, tag) = (bytes.len(), cached::tag_of(bytes.len() as u64, &bytes));
    // Copied, so that the answer is freed with its last piece.
    let pieces = unfold((bytes, memory), |(mut rest, memory)| async {
        let piece = Bytes::copy_from_slice(&rest.split_to(rest.len().min(PIECE)));
        (!piece.is_empty()).then_some((Ok::<_, Infallible>(piece), (rest, memory)))
    });
    let mut response = json_answer(Body::from_stream(pieces));
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, length.into());
    cached::tag(&mut response, &tag);
    Ok(response)
}

/// Returns an answer that clients may keep.
fn kept(json: impl Into<Bytes>) -> Response {
    let bytes = json.into();
    let tag = cached::tag_of(bytes.len() as u64, &bytes);
    let mut response = json_answer(bytes);
    cached::tag(&mut response, &tag);
    response
}

fn line(answer: &impl Serialize) -> Result<Bytes, ApiError> {
    let mut bytes = bounded_json(answer)?;
    bytes.push(b'\n');
    Ok(bytes.into())
}

/// Serializes to at most [`MAX_ANSWER`] bytes of JSON.
fn bounded_json(answer: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Bounded(Vec::new());
    match serde_json::to_writer(&mut bytes, answer) {
        Ok(()) => Ok(bytes.0),
        Err(error) if error.is_io() => Err(ApiError::TooHard(format!(
            "the answer is longer than {} MiB, which is this server's limit; 'phutbase probe' has none",
            MAX_ANSWER as f64 / f64::from(1 << 20)
        ))),
        Err(error) => Err(ApiError::Internal(error.to_string())),
    }
}

/// A buffer of at most [`MAX_ANSWER`] bytes.
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_ANSWER {
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn json_answer(body: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body.into()).into_response()
}
