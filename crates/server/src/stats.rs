//! `/api/stats`: counts of the tables, the depths of one table, and the numbers of wins of strips that no
//! table holds. `/api/nimbers`: the stored nimbers of Obstruction.

use super::app::App;
use super::ask::{Ask, expect_one_size, parsed};
use super::error::ApiError;
use super::{json, kept, line};
use axum::extract::State;
use axum::response::Response;
use phutbase_ask::BoardsLabel;
use phutbase_ask::counts::WinCounts;
use phutbase_ask::stats::{ServedTables, TableDepths, TableEntry, overview};
use phutbase_base::job::Job;
use phutbase_rules::{Boards, Rules};
use phutbase_tables::TableError;
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::Arc;

/// Greatest length of a strip whose wins are counted without a table.
const MAX_COUNTED: usize = 144;

/// `rules=…&boards=…`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    #[serde(default, deserialize_with = "parsed")]
    rules: Rules,
    #[serde(default, deserialize_with = "some_boards")]
    boards: Option<Boards>,
}

fn some_boards<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Boards>, D::Error> {
    parsed(deserializer).map(Some)
}

/// `GET /api/stats?rules=…&boards=…`; the answer without boards opens every table and is cached.
pub async fn stats(State(app): State<Arc<App>>, Ask(wanted): Ask<Wanted>) -> Result<Response, ApiError> {
    let (shared, rules) = (app.clone(), wanted.rules);
    if let Some(boards) = wanted.boards {
        expect_one_size(&boards)?;
        let look = move || {
            let details = details(&shared, rules, &boards)?;
            let answer = ServedTables {
                tables: vec![details],
                obstruction_boards: shared.boards,
            };
            json(&shared, &answer)
        };
        // The sets of a whole length take memory: one at a time.
        return app.work(&app.batches, look).await;
    }
    let stats = &app.under(rules).stats;
    if let Some(known) = stats.get() {
        return Ok(kept(known.clone()));
    }
    let look = move || {
        // Another request may have counted them while this one waited.
        if let Some(known) = shared.under(rules).stats.get() {
            return Ok(known.clone());
        }
        let describe = |error: &_| shared.describe_table(error);
        let mut tables: Vec<TableEntry> = overview(
            &shared.under(rules).sources.tables,
            Some(win_counts(&shared, rules)),
            |_| true,
            describe,
        );
        if let Err(error) = shared.ordinary.sources.tables.nimbers() {
            tables.push(TableEntry::Damaged {
                label: BoardsLabel::all_obstruction(),
                error: shared.describe_table(&error),
            });
        }
        line(&ServedTables {
            tables,
            obstruction_boards: shared.boards,
        })
    };
    let bytes = app.work(&app.batches, look).await?;
    Ok(kept(stats.get_or_init(|| bytes).clone()))
}

/// Describes the table that holds boards, or the strips of a length by the solution if none does.
fn details(app: &App, rules: Rules, boards: &Boards) -> Result<TableDepths, ApiError> {
    let tables = &app.under(rules).sources.tables;
    tables.ask_boards(boards, TableDepths::of).or_else(|error| {
        let is_missing = matches!(error, TableError::Missing { .. });
        let solved = (boards.one_length())
            .filter(|&length| is_missing && length <= MAX_COUNTED)
            .and_then(|length| win_counts(app, rules).of_length(length));
        let depths = solved.map(|stats| TableDepths { stats, depths: None });
        depths.ok_or_else(|| app.refusal(&error.into()))
    })
}

/// Returns the numbers of wins, counted on first use. Only one request counts at a time.
fn win_counts(app: &App, rules: Rules) -> &WinCounts {
    (app.under(rules).win_counts).get_or_init(|| {
        let counts = match rules {
            Rules::Ordinary => WinCounts::up_to(MAX_COUNTED, &Job::default()),
            Rules::Directional => WinCounts::directional(MAX_COUNTED, &Job::default()),
        };
        counts.expect("a job without limits is not stopped")
    })
}

/// The nimber of an empty board of Obstruction.
#[derive(Clone, Debug, Serialize)]
pub struct StoredNimber {
    /// Shape and size.
    pub board: String,
    pub nimber: u8,
}

/// `GET /api/nimbers`: the boards of Obstruction whose nimbers are stored, by shape and size.
pub async fn nimbers(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    let shared = app.clone();
    let look = move || {
        let table = shared.ordinary.sources.tables.nimbers();
        let table = table.map_err(|error| shared.refusal(&error.into()))?;
        let boards: Vec<StoredNimber> = table
            .iter()
            .map(|(board, nimber)| StoredNimber {
                board: board.to_string(),
                nimber: nimber.0,
            })
            .collect();
        json(&shared, &boards)
    };
    app.work(&app.probes, look).await
}
