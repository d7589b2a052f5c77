//! `/api/example`: a position with a given number of plies. The bars of the page's charts link to
//! it.

use super::app::App;
use super::ask::{Ask, expect_one_size, parsed};
use super::error::ApiError;
use super::json;
use axum::extract::State;
use axum::response::Response;
use num_bigint::BigUint;
use phutbase_ask::queries::find::{FindError, Query, find};
use phutbase_ask::sources::AskError;
use phutbase_base::job::Job;
use phutbase_base::outcome::{Depth, Side, Value};
use phutbase_rules::{Boards, Pitch, Position, Strip};
use phutbase_sets::pattern::Pattern;
use phutbase_tables::pitch::metadata::block_bits;
use phutbase_tables::{Metric, PitchTable, StripTable, TableError, Tablebase};
use serde::Deserialize;
use std::sync::Arc;

/// `boards=16` or `boards=7x3`, `depth=9`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    #[serde(deserialize_with = "parsed")]
    boards: Boards,
    depth: u16,
}

/// `GET /api/example?boards=…&depth=…`
pub async fn find_example(
    State(app): State<Arc<App>>,
    Ask(wanted): Ask<Wanted>,
) -> Result<Response, ApiError> {
    let boards = wanted.boards;
    expect_one_size(&boards)?;
    let shared = app.clone();
    let look = move || {
        let job = Job::default().within(shared.limits.search_time);
        let refused = |error| match error {
            AskError::Stopped(_) => ApiError::TooHard(shared.too_slow("'phutbase find' has none")),
            error => shared.refusal(&error),
        };
        let found = example(&shared.ordinary.sources.tables, &boards, wanted.depth, &job);
        let position = found.map_err(refused)?.ok_or_else(|| {
            ApiError::Missing(format!(
                "no position of {boards} that ends after {} turns was found",
                wanted.depth
            ))
        })?;
        let answer = shared.ordinary.sources.probe(&position, false, &Job::default());
        json(&shared, &answer.map_err(refused)?)
    };
    app.work(&app.searches, look).await
}

/// Finds a position with Left or Alfred to move that ends after this many turns, in the shortest
/// table of strips or in a pitch; `None` if there is none.
fn example(tables: &Tablebase, boards: &Boards, turns: u16, job: &Job) -> Result<Option<Position>, AskError> {
    match boards {
        Boards::Strips(lengths) => {
            let length = *lengths.start();
            let strip =
                tables.ask_strips(length, Some(Metric::Dtw), |table| on_strip(table, length, turns))?;
            Ok(strip.map(Position::from))
        }
        Boards::Pitch(shape) => {
            let pitch = on_pitch(tables.ask_pitch(*shape, Ok)?, turns, job)?;
            Ok(pitch.map(Position::from))
        }
        Boards::Obstruction(..) | Boards::Oddish(_) => Ok(None),
    }
}

fn on_strip(table: &StripTable, length: usize, turns: u16) -> Result<Option<Strip>, TableError> {
    let query = Query {
        value: None,
        depth: Some(turns..=turns),
        side: Side::Left,
        pattern: Pattern::any(length),
    };
    match find(&table.sets(length)?, &query) {
        Ok(found) => Ok(found.members().nth(&BigUint::ZERO)),
        Err(FindError::Table(error)) => Err(error),
        Err(error) => unreachable!("every value of every board is valid: {error}"),
    }
}

fn on_pitch(table: &PitchTable, turns: u16, job: &Job) -> Result<Option<Pitch>, AskError> {
    let bits = block_bits(table.shape());
    for block in 0..table.blocks() {
        job.check()?;
        let bytes = table.block(block)?;
        let ends = |&byte: &u8| match Value::from_depth_byte(byte) {
            Value::Win(Depth(depth)) | Value::Loss(Depth(depth)) => depth == turns,
            Value::Draw => false,
        };
        if let Some(at) = bytes.iter().position(ends) {
            return Ok(table.position(block << bits | at as u64));
        }
    }
    Ok(None)
}
