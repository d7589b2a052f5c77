//! `/tables/NAME`: tables as files.

use super::PIECE;
use super::app::App;
use super::error::ApiError;
use crate::answer::sources::AskError;
use crate::disk::open_regular;
use crate::table::error::io_error;
use crate::table::places::TableLocation;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

/// `GET /tables/NAME`
pub async fn table(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, ApiError> {
    let shared = app.clone();
    let (length, body) = app.work(&app.probes, move || open(&shared, &name)).await?;
    let kind = (header::CONTENT_TYPE, "application/octet-stream".to_string());
    Ok(([kind, (header::CONTENT_LENGTH, length.to_string())], body).into_response())
}

/// Opens a table by comparing names, never paths; links out of the directory are not followed.
fn open(app: &App, name: &str) -> Result<(u64, Body), ApiError> {
    let failed = |error| app.refusal(&AskError::Table(error));
    let no_such_table = || ApiError::Missing("no such table; /api/stats lists the tables".to_string());
    let tables = app.sources.tables.places().tables(&|_| {}).map_err(failed)?;
    let is_named = |source: &TableLocation| match source {
        TableLocation::File(file) => file.file_name().is_some_and(|file| file == name),
        TableLocation::Embedded(embedded, _) => *embedded == name,
    };
    match tables.into_iter().map(|found| found.source).find(is_named) {
        None => Err(no_such_table()),
        Some(TableLocation::Embedded(_, bytes)) => Ok((bytes.len() as u64, Bytes::from_static(bytes).into())),
        Some(TableLocation::File(path)) => {
            let open_within = || {
                let (file, directory) = (path.canonicalize()?, path.with_file_name("").canonicalize()?);
                if file.starts_with(directory) {
                    open_regular(&file)
                } else {
                    Ok(None)
                }
            };
            let found = open_within()
                .map_err(io_error(&path, "open it"))
                .map_err(failed)?;
            let (file, length) = found.ok_or_else(no_such_table)?;
            Ok((length, Body::from_stream(try_unfold((file, length), next_piece))))
        }
    }
}

/// Reads the next piece of a file, small enough for the thread that serves the connection.
async fn next_piece((mut file, rest): (File, u64)) -> io::Result<Option<(Bytes, (File, u64))>> {
    let mut piece = vec![0; rest.min(PIECE as u64) as usize];
    // Fails if the file was truncated in the meantime.
    file.read_exact(&mut piece)?;
    let rest = rest - piece.len() as u64;
    Ok((!piece.is_empty()).then_some((piece.into(), (file, rest))))
}
