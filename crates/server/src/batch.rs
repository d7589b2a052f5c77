//! `/api/batch`: the values of many positions, of any games.
//!
//! The body is JSON, `{"positions": ["o@o.o.o....", ".@. R"]}`, answered by an array; or text, one
//! position per line, answered by one object per line, as `phutbase probe --batch` prints them.
//! Positions are answered piece by piece as the client reads: a batch holds its body and one piece
//! of its answer, and a work permit only while a piece is computed.

use super::app::{App, RequestLimits};
use super::ask::{Ask, ByRules};
use super::error::ApiError;
use super::{PIECE, bounded_json};
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::try_unfold;
use phutbase_ask::batch::{BatchLine, LineAnswer, answers};
use phutbase_rules::{Position, Rules};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

pub const MAX_POSITIONS: usize = 100_000;
/// Maximum size of a body, in bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// Time after which a batch lets another one go on.
const TURN: Duration = Duration::from_secs(1);
/// Number of positions looked up together.
const GROUP: usize = 128;

/// `POST /api/batch?rules=…`
pub async fn batch(
    State(app): State<Arc<App>>,
    Ask(ByRules { rules }): Ask<ByRules>,
    request: Request,
) -> Result<Response, ApiError> {
    let format = Format::of(request.headers())?;
    let (body, memory) = receive(&app, request.into_body()).await?;
    let shared = app.clone();
    let begin = move || {
        let mut batch = Batch {
            lines: format.lines(body)?,
            read: 0,
            number: 0,
            piece: Bytes::new(),
            piece_memory: Vec::new(),
            _memory: memory,
            app: shared,
            rules,
            format,
        };
        batch.answer();
        Ok(batch)
    };
    let batch = app.work(&app.batches, begin).await?;
    let answer = try_unfold(batch, |mut batch| async {
        if batch.piece.is_empty() && batch.read < batch.lines.len() {
            let app = batch.app.clone();
            let work = move || {
                batch.answer();
                Ok(batch)
            };
            batch = app.work_patiently(&app.batches, work).await?;
        }
        let rest = batch.piece.len();
        // Copied, so that a long piece is freed with its last part.
        let part = Bytes::copy_from_slice(&batch.piece.split_to(rest.min(PIECE)));
        Ok::<_, ApiError>((!part.is_empty()).then_some((part, batch)))
    });
    let [kind, ..] = format.frame();
    let kind = [(header::CONTENT_TYPE, kind)];
    Ok((kind, Body::from_stream(answer)).into_response())
}

/// Memory for the body of a batch; `None` if the memory of a connection suffices.
type BodyMemory = Option<OwnedSemaphorePermit>;

fn too_large() -> ApiError {
    ApiError::TooLarge(format!("a batch has up to {} MiB", MAX_BYTES >> 20))
}

/// Receives a body. Memory is reserved once the body is longer than [`PIECE`], so that clients that
/// send nothing have none.
async fn receive(app: &App, body: Body) -> Result<(Vec<u8>, BodyMemory), ApiError> {
    let length = body.size_hint().exact();
    if length.is_some_and(|length| length > MAX_BYTES as u64) {
        return Err(too_large());
    }
    let length = length.map(|length| length as usize);
    let (mut bytes, mut memory): (Vec<u8>, BodyMemory) = (Vec::new(), None);
    let mut parts = body.into_data_stream();
    let mut begun = Instant::now();
    while let Some(data) = timeout_at(deadline(&app.limits, begun, bytes.len(), length), parts.next())
        .await
        .map_err(|_| ApiError::Slow)?
    {
        let data = data.map_err(|error| ApiError::Bad(format!("the body cannot be read: {error}")))?;
        let needed = bytes.len() + data.len();
        if needed > MAX_BYTES {
            return Err(too_large());
        }
        let reserved = memory.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        if needed > reserved.max(PIECE) {
            let more = match length {
                // All of it at once, so that batches do not block each other halfway.
                Some(length) => app.wait_for(&app.bodies, length).await?,
                // A body of unknown length does not wait, because others may wait for its memory.
                // Reserved in steps, as a part may be a single byte.
                None => app.try_memory((needed - reserved).next_multiple_of(PIECE))?,
            };
            match &mut memory {
                Some(memory) => memory.merge(more),
                None => (memory, begun) = (Some(more), Instant::now()),
            }
        }
        bytes.extend_from_slice(&data);
    }
    Ok((bytes, memory))
}

/// Returns the time by which the next part of a body must arrive. Memory for a body of known length
/// is held for no longer than in proportion to the bytes that arrived.
fn deadline(limits: &RequestLimits, begun: Instant, arrived: usize, length: Option<usize>) -> Instant {
    let share = length.map_or(1.0, |length| arrived as f64 / length.max(1) as f64);
    let steady = limits.body_time.mul_f64(share) + limits.body_pause;
    let next = Instant::now() + limits.body_pause;
    next.min(begun + limits.body_time).min(begun + steady)
}

struct Batch {
    app: Arc<App>,
    rules: Rules,
    format: Format,
    lines: Vec<u8>,
    read: usize,
    number: u64,
    /// The part of the answer to send next.
    piece: Bytes,
    /// Permits for the long answers in it.
    piece_memory: Vec<OwnedSemaphorePermit>,
    _memory: Option<OwnedSemaphorePermit>,
}

impl Batch {
    /// Answers lines until there is a piece to send, or for a while.
    fn answer(&mut self) {
        let (begin, app) = (Instant::now(), self.app.clone());
        let (mut bytes, [_, opening, closing]) = (Vec::new(), self.format.frame());
        self.piece_memory.clear();
        if self.read == 0 {
            bytes.extend_from_slice(opening.as_bytes());
        }
        let time = Some(app.limits.search_time);
        while self.read < self.lines.len() {
            let (first, group) = (self.number == 0, self.group());
            let describe = |error: &_| app.describe(error);
            let found = answers(&app.under(self.rules).sources, &group, time, &describe);
            for (place, (answer, line)) in found.iter().zip(&group).enumerate() {
                if self.format == Format::Json && !(first && place == 0) {
                    bytes.push(b',');
                }
                self.write(answer, line.number, &mut bytes);
            }
            if bytes.len() >= PIECE || begin.elapsed() >= TURN {
                break;
            }
        }
        if self.read == self.lines.len() {
            bytes.extend_from_slice(closing.as_bytes());
        }
        self.piece = bytes.into();
    }

    /// Reads a group of lines: several to look up, ending with at most one to search for.
    fn group(&mut self) -> Vec<BatchLine> {
        let mut group = Vec::new();
        while group.len() < GROUP
            && let Some(line) = self.next_line()
        {
            let is_searched = matches!(line.position, Ok(Position::Obstruction(_)));
            group.push(line);
            if is_searched {
                break;
            }
        }
        group
    }

    /// Reads the next position. Blank lines are skipped in text; in JSON they stand for empty
    /// positions.
    fn next_line(&mut self) -> Option<BatchLine> {
        while self.read < self.lines.len() {
            let rest = &self.lines[self.read..];
            let end = rest.iter().position(|&byte| byte == b'\n');
            let text = &rest[..end.unwrap_or(rest.len())];
            self.read += text.len() + usize::from(end.is_some());
            self.number += 1;
            let empty = (self.format == Format::Json).then(|| BatchLine {
                number: self.number,
                position: Err("the position is empty, or a comment".to_string()),
            });
            if let Some(line) = BatchLine::read(self.number, text, self.rules).or(empty) {
                return Some(line);
            }
        }
        None
    }

    /// Appends an answer, or the reason why it cannot be sent.
    fn write(&mut self, answer: &LineAnswer, line: u64, bytes: &mut Vec<u8>) {
        let mut written = || {
            let text = bounded_json(answer)?;
            self.piece_memory.extend(self.app.answer_memory(text.len())?);
            Ok::<_, ApiError>(text)
        };
        let text = written().or_else(|error| {
            let error = error.to_string();
            bounded_json(&LineAnswer::Bad { number: line, error })
        });
        // An object of a number and a short text can always be written.
        bytes.extend_from_slice(&text.unwrap_or_default());
        if self.format == Format::Lines {
            bytes.push(b'\n');
        }
    }
}

/// The format of positions and answers.
#[derive(Clone, Copy, PartialEq)]
enum Format {
    Json,
    Lines,
}

impl Format {
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

    /// Returns the content type of the answer, its beginning and its end.
    fn frame(self) -> [&'static str; 3] {
        match self {
            Format::Json => ["application/json", "[", "]\n"],
            Format::Lines => ["application/x-ndjson", "", ""],
        }
    }

    fn lines(self, body: Vec<u8>) -> Result<Vec<u8>, ApiError> {
        let (lines, count) = match self {
            Format::Json => {
                let not_a_batch =
                    |error: &dyn fmt::Display| ApiError::Bad(format!("the body is not a batch: {error}"));
                // Serde would also accept an array for a struct.
                if body.trim_ascii_start().first() != Some(&b'{') {
                    return Err(not_a_batch(&"send {\"positions\": [\"o@o.o.o....\"]}"));
                }
                let batch: JsonBatch = serde_json::from_slice(&body).map_err(|error| not_a_batch(&error))?;
                (batch.positions.lines.into_bytes(), batch.positions.count)
            }
            Format::Lines => {
                let lines = body.split(|&byte| byte == b'\n');
                let count = lines.filter(|line| !line.trim_ascii().is_empty()).count();
                (body, count)
            }
        };
        if count > MAX_POSITIONS {
            return Err(ApiError::TooLarge(format!(
                "a batch has up to {MAX_POSITIONS} positions: send several"
            )));
        }
        Ok(lines)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonBatch {
    positions: Positions,
}

/// An array of positions as lines, up to the limit.
#[derive(Default)]
struct Positions {
    lines: String,
    count: usize,
}

impl<'de> Deserialize<'de> for Positions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Positions, D::Error> {
        struct Texts;
        impl<'de> Visitor<'de> for Texts {
            type Value = Positions;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an array of positions")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut texts: A) -> Result<Positions, A::Error> {
                let mut positions = Positions::default();
                while positions.count <= MAX_POSITIONS
                    && let Some(text) = texts.next_element::<Cow<str>>()?
                {
                    positions.count += 1;
                    // A line end within a position is white space.
                    positions.lines.push_str(&text.replace('\n', " "));
                    positions.lines.push('\n');
                }
                // The rest is skipped, so that the error is about the number of positions.
                while texts.next_element::<IgnoredAny>()?.is_some() {}
                Ok(positions)
            }
        }
        deserializer.deserialize_seq(Texts)
    }
}
