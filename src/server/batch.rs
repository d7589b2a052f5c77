//! `/api/batch`: the values of many positions, of any games.
//!
//! The body is JSON, `{"positions": ["o@o.o.o....", ".@. R"]}`, and the answer an array; or it is text, one position a line, and the
//! answer has one object a line, as `phutbase probe --batch` prints them. A batch keeps its place in the lane until its answer is sent,
//! so that what slow readers hold in memory is bounded too; one that makes no progress loses it when another needs it.

use super::app::App;
use super::ask::ByRules;
use super::error::ApiError;
use super::held::Held;
use super::lane::Place;
use crate::answer::batch::{Line, LineAnswer, answers};
use crate::solve::nimbers::NimberLimits;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;

/// Positions of a batch.
pub const MAX_POSITIONS: usize = 100_000;
/// Bytes of its body: as many of the longest positions.
pub const MAX_BYTES: usize = 16 << 20;
/// How long the body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(30);
/// Positions that are answered at a time: answers take more memory than what is sent of them.
const PART: usize = 10_000;
/// Bytes of an answer that are handed on at a time.
const PIECE: usize = 8 << 10;

/// How positions and answers are written.
#[derive(Clone, Copy, PartialEq)]
enum Format {
    Json,
    Lines,
}

/// `POST /api/batch?rules=…`
pub async fn batch(
    State(app): State<Arc<App>>,
    ByRules(rules): ByRules,
    request: Request,
) -> Result<Response, ApiError> {
    let format = Format::of(request.headers())?;
    // A body has no place before it is complete, so that slow ones keep nobody waiting.
    let body = tokio::time::timeout(BODY_TIME, receive(&app, request)).await;
    let (body, upload) = body.map_err(|_| ApiError::Slow(BODY_TIME.as_secs()))??;
    let place = app.answers.make_room(|| app.batch.enter()).await?;
    drop(upload);
    let shared = app.clone();
    let bytes = place
        .work(move || {
            let lines = format.parse(&body)?.into_iter();
            let lines: Vec<Line> = lines.map(|line| line.under(rules)).collect();
            drop(body);
            let limits = NimberLimits {
                stop: None,
                deadline: Instant::now().checked_add(shared.hard_time),
            };
            let mut bytes = Vec::new();
            for part in lines.chunks(PART) {
                for mut answer in answers(shared.under(rules), part, limits) {
                    if let LineAnswer::Bad(bad) = &mut answer {
                        bad.error = shared.told(&bad.error);
                    }
                    format.write(&answer, &mut bytes)?;
                }
            }
            format.finish(&mut bytes);
            Ok(bytes)
        })
        .await?;
    let kind = [(header::CONTENT_TYPE, format.content_type())];
    let pieces = Pieces {
        rest: bytes.len(),
        answer: app.answers.hold(Answer { bytes, _place: place }),
    };
    Ok((kind, axum::body::Body::new(pieces)).into_response())
}

/// A body as far as it has arrived, with the permits for its memory.
pub type Body = (Vec<u8>, Vec<OwnedSemaphorePermit>);

/// Reads a body to its end.
async fn receive(app: &App, request: Request) -> Result<Body, ApiError> {
    let displaced = || ApiError::Busy;
    let too_large = || ApiError::TooLarge(format!("a batch has up to {MAX_BYTES} bytes"));
    let mut incoming = request.into_body();
    if incoming.size_hint().lower() > MAX_BYTES as u64 {
        return Err(too_large());
    }
    let held = app.bodies.hold((Vec::new(), Vec::new()));
    // A body is said to arrive when a piece has, not with every byte.
    let (mut size, mut piece) = (0, 0);
    while let Some(frame) = incoming.frame().await {
        let frame = frame.map_err(|error| ApiError::Bad(format!("the body cannot be read: {error}")))?;
        let Ok(data) = frame.into_data() else { continue };
        size += data.len();
        if size > MAX_BYTES {
            return Err(too_large());
        }
        let permit = app.bodies.make_room(|| app.uploads.take(data.len())).await?;
        let add = |(body, permits): &mut Body| {
            body.extend_from_slice(&data);
            permits.push(permit);
        };
        piece += data.len();
        let arrived = piece >= PIECE;
        held.step(arrived, add).ok_or_else(displaced)?;
        piece %= PIECE;
    }
    held.take().ok_or_else(displaced)
}

/// An answer that keeps its place until it is sent.
pub struct Answer {
    bytes: Vec<u8>,
    _place: Place,
}

/// A body that holds its answer until the last piece is asked for. Every piece has memory of its own: what waits to be sent then is one
/// piece and not the answer.
struct Pieces {
    answer: Arc<Held<Answer>>,
    /// Bytes to come.
    rest: usize,
}

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let this = self.get_mut();
        let piece = this.answer.progress(|answer| {
            let rest = &answer.bytes[answer.bytes.len() - this.rest..];
            Bytes::copy_from_slice(&rest[..rest.len().min(PIECE)])
        });
        let Some(piece) = piece else {
            // Others needed the place.
            return Poll::Ready(Some(Err(io::ErrorKind::TimedOut.into())));
        };
        this.rest -= piece.len();
        Poll::Ready((!piece.is_empty()).then(|| Ok(Frame::data(piece))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest as u64)
    }
}

impl Format {
    /// The format of a body.
    fn of(headers: &HeaderMap) -> Result<Format, ApiError> {
        let named = headers.get(header::CONTENT_TYPE).map(|value| value.to_str());
        let kind = named.and_then(Result::ok).and_then(|kind| kind.split(';').next());
        match kind.map(|kind| kind.trim().to_ascii_lowercase()).as_deref() {
            Some("application/json") => Ok(Format::Json),
            Some("text/plain") => Ok(Format::Lines),
            _ => Err(ApiError::MediaType(
                "send application/json, {\"positions\": [\"o@o.o.o....\"]}, or text/plain, one position a line"
                    .to_string(),
            )),
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            Format::Json => "application/json",
            Format::Lines => "application/x-ndjson",
        }
    }

    fn parse(self, body: &[u8]) -> Result<Vec<Line>, ApiError> {
        let mut gathered = Gathered::default();
        match self {
            Format::Json => {
                let batch: Batch = serde_json::from_slice(body)
                    .map_err(|error| ApiError::Bad(format!("the body is not a batch: {error}")))?;
                gathered = batch.positions;
            }
            Format::Lines => {
                body.split(|&byte| byte == b'\n').all(|line| gathered.add(line));
            }
        }
        match gathered.too_many {
            true => Err(ApiError::TooLarge(format!(
                "a batch has up to {MAX_POSITIONS} positions: send several"
            ))),
            false => Ok(gathered.lines),
        }
    }

    /// Adds an answer, as `probe --batch` prints it.
    fn write(self, answer: &LineAnswer, bytes: &mut Vec<u8>) -> Result<(), ApiError> {
        if self == Format::Json {
            bytes.push(if bytes.is_empty() { b'[' } else { b',' });
        }
        serde_json::to_writer(&mut *bytes, answer).map_err(|error| ApiError::Internal(error.to_string()))?;
        if self == Format::Lines {
            bytes.push(b'\n');
        }
        Ok(())
    }

    /// Adds what stands after the last answer.
    fn finish(self, bytes: &mut Vec<u8>) {
        if self == Format::Json {
            let end: &[u8] = if bytes.is_empty() { b"[]\n" } else { b"]\n" };
            bytes.extend(end);
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    positions: Gathered,
}

/// Positions as far as they were read: up to the limit.
#[derive(Default)]
struct Gathered {
    lines: Vec<Line>,
    read: u64,
    too_many: bool,
}

impl Gathered {
    /// Adds a line; `false` if no more are wanted.
    fn add(&mut self, text: &[u8]) -> bool {
        self.read += 1;
        if let Some(line) = Line::read(self.read, text) {
            self.too_many = self.lines.len() == MAX_POSITIONS;
            if !self.too_many {
                self.lines.push(line);
            }
        }
        !self.too_many
    }
}

impl<'de> Deserialize<'de> for Gathered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Gathered, D::Error> {
        struct Positions;
        impl<'de> Visitor<'de> for Positions {
            type Value = Gathered;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an array of positions")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut texts: A) -> Result<Gathered, A::Error> {
                let mut gathered = Gathered::default();
                while let Some(text) = texts.next_element::<Cow<str>>()? {
                    // An empty line is passed over; an empty position has no value, but a place in the answer.
                    let text = if text.trim().is_empty() { "''" } else { &*text };
                    if !gathered.add(text.as_bytes()) {
                        break;
                    }
                }
                // What follows is read past, so that the error is the one above.
                while texts.next_element::<IgnoredAny>()?.is_some() {}
                Ok(gathered)
            }
        }
        deserializer.deserialize_seq(Positions)
    }
}
