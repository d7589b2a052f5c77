//! `/tables/NAME`: the tables themselves, to take home.

use super::app::App;
use super::error::ApiError;
use crate::table::places::Source;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use http_body::{Body, Frame, SizeHint};
use std::fs::File;
use std::io::{self, Read};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Bytes of a file that are read at a time: a moment's work, so it is done where connections are served.
const PIECE: u64 = 64 << 10;

/// `GET /tables/NAME`
pub async fn table(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, ApiError> {
    let shared = app.clone();
    let body = app.quick.work(move || open(&shared, &name)).await?;
    let kind = [(header::CONTENT_TYPE, "application/octet-stream")];
    Ok((kind, body).into_response())
}

/// Opens a table that there is; a name is compared and never made into a path.
fn open(app: &App, name: &str) -> Result<axum::body::Body, ApiError> {
    let failed = |error: &dyn std::fmt::Display| ApiError::Internal(app.told(error));
    let tables = app.sources.tables.places().tables(&|_| {});
    let mut sources = (tables.map_err(|error| failed(&error))?.into_iter()).map(|found| found.source);
    let found = sources.find(|source| match source {
        Source::File(file) => file.file_name().is_some_and(|file| file == name),
        Source::Embedded(embedded, _) => *embedded == name,
    });
    match found {
        None => Err(ApiError::Missing(
            "no such table; /api/stats lists those that there are".to_string(),
        )),
        Some(Source::Embedded(_, bytes)) => Ok(Bytes::from_static(bytes).into()),
        Some(Source::File(path)) => {
            let file = File::open(path).map_err(|error| failed(&error))?;
            let rest = file.metadata().map_err(|error| failed(&error))?.len();
            Ok(axum::body::Body::new(Pieces { file, rest }))
        }
    }
}

/// A file that is read as it is sent.
struct Pieces {
    file: File,
    /// Bytes to come.
    rest: u64,
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let this = self.get_mut();
        if this.rest == 0 {
            return Poll::Ready(None);
        }
        let length = this.rest.min(PIECE);
        let mut piece = Vec::new();
        let read = (&mut this.file).take(length).read_to_end(&mut piece);
        Poll::Ready(Some(match read {
            Ok(count) if count as u64 == length => {
                this.rest -= length;
                Ok(Frame::data(piece.into()))
            }
            // Somebody has cut the file meanwhile.
            Ok(_) => Err(io::ErrorKind::UnexpectedEof.into()),
            Err(error) => Err(error),
        }))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest)
    }
}
