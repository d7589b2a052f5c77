//! `/tables/NAME`: tables as files, whole or in part.

use super::PIECE;
use super::app::App;
use super::cached::{self, range};
use super::error::ApiError;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use phutbase_ask::sources::AskError;
use phutbase_base::disk::open_regular;
use phutbase_files::container::HEADER_BYTES;
use phutbase_files::error::io_error;
use phutbase_tables::places::TableLocation;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use tokio::io::AsyncReadExt;
use tokio_util::io::ReaderStream;

/// `GET /tables/NAME`
pub async fn table(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let shared = app.clone();
    let opened = app.work(&app.probes, move || open(&shared, &name)).await?;
    let (length, tag) = (opened.length(), opened.tag());
    let part = range(&headers, &tag, length)?;
    let (status, asked) = match part {
        Some(part) => (StatusCode::PARTIAL_CONTENT, part),
        None => (StatusCode::OK, 0..length),
    };
    let described = [
        (header::CONTENT_TYPE, "application/octet-stream".to_string()),
        (header::ACCEPT_RANGES, "bytes".to_string()),
        (header::CONTENT_LENGTH, (asked.end - asked.start).to_string()),
    ];
    let (first, end) = (asked.start, asked.end);
    let mut response = (status, described, opened.body(asked)?).into_response();
    // A part has at least one byte; a damaged file may have none.
    if status == StatusCode::PARTIAL_CONTENT
        && let Ok(place) = format!("bytes {first}-{}/{length}", end - 1).parse()
    {
        response.headers_mut().insert(header::CONTENT_RANGE, place);
    }
    cached::tag(&mut response, &tag);
    Ok(response)
}

/// An open table, as it is sent.
enum Opened {
    Embedded(&'static [u8]),
    /// A file, its size and its first bytes.
    File(File, u64, Vec<u8>),
}

impl Opened {
    fn length(&self) -> u64 {
        match self {
            Opened::Embedded(bytes) => bytes.len() as u64,
            Opened::File(_, length, _) => *length,
        }
    }

    /// Returns a tag of the contents: the header has a checksum of all checksums.
    fn tag(&self) -> String {
        let header = match self {
            Opened::Embedded(bytes) => &bytes[..HEADER_BYTES.min(bytes.len())],
            Opened::File(_, _, header) => header,
        };
        cached::tag_of(self.length(), header)
    }

    fn body(self, part: Range<u64>) -> Result<Body, ApiError> {
        match self {
            Opened::Embedded(bytes) => {
                Ok(Bytes::from_static(&bytes[part.start as usize..part.end as usize]).into())
            }
            Opened::File(mut file, ..) => {
                file.seek(SeekFrom::Start(part.start))
                    .map_err(|error| ApiError::Internal(format!("cannot read the table: {error}")))?;
                let mut file = tokio::fs::File::from_std(file);
                file.set_max_buf_size(PIECE);
                let part = file.take(part.end - part.start);
                Ok(Body::from_stream(ReaderStream::with_capacity(part, PIECE)))
            }
        }
    }
}

/// Opens a table by comparing names, never paths; links out of the directory are not followed.
fn open(app: &App, name: &str) -> Result<Opened, ApiError> {
    let failed = |error| app.refusal(&AskError::Table(error));
    let no_such_table = || ApiError::Missing("no such table; /api/stats lists the tables".to_string());
    let tables = app
        .ordinary
        .sources
        .tables
        .places()
        .tables(&|_| {})
        .map_err(failed)?;
    let is_named = |source: &TableLocation| match source {
        TableLocation::File(file) => file.file_name().is_some_and(|file| file == name),
        TableLocation::Embedded(embedded, _) => *embedded == name,
    };
    match tables.into_iter().map(|found| found.source).find(is_named) {
        None => Err(no_such_table()),
        Some(TableLocation::Embedded(_, bytes)) => Ok(Opened::Embedded(bytes)),
        Some(TableLocation::File(path)) => {
            let open_within = || {
                let (file, directory) = (path.canonicalize()?, path.with_file_name("").canonicalize()?);
                if file.starts_with(directory) {
                    open_regular(&file)
                } else {
                    Ok(None)
                }
            };
            let found = open_within().map_err(|error| failed(io_error(&path, "open it")(error).into()))?;
            let (mut file, length) = found.ok_or_else(no_such_table)?;
            let mut header = Vec::new();
            (file.by_ref().take(HEADER_BYTES as u64).read_to_end(&mut header))
                .map_err(|error| failed(io_error(&path, "read it")(error).into()))?;
            Ok(Opened::File(file, length, header))
        }
    }
}
