//! `/api/stats`: what there is to ask about.

use super::app::App;
use super::ask::ByRules;
use super::error::ApiError;
use super::{json_answer, line};
use crate::answer::stats::{DamagedTable, TableEntry, overview};
use crate::games::rules::Rules;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use std::sync::Arc;

/// The tables.
#[derive(Serialize)]
struct Stats {
    /// What `phutbase stats --json` says of each.
    tables: Vec<TableEntry>,
    /// Boards of Obstruction whose nimbers are in the table.
    obstruction_boards: usize,
}

/// `GET /api/stats?rules=…`; the first one opens every table, the others get the same bytes.
pub async fn stats(State(app): State<Arc<App>>, ByRules(rules): ByRules) -> Result<Response, ApiError> {
    let stats = &app.stats[rules as usize];
    if let Some(known) = stats.get() {
        return Ok(json_answer(known.clone()));
    }
    let shared = app.clone();
    let bytes = app.batch.work(move || line(&collect(&shared, rules))).await?;
    Ok(json_answer(stats.get_or_init(|| bytes).clone()))
}

fn collect(app: &App, rules: Rules) -> Stats {
    let tables = &app.sources.tables;
    let mut entries: Vec<TableEntry> = overview(&app.under(rules).tables, |_| true).collect();
    for entry in &mut entries {
        if let TableEntry::Damaged(damaged) = entry {
            damaged.error = app.told(&damaged.error);
        }
    }
    if let Err(error) = tables.nimbers() {
        entries.push(TableEntry::Damaged(DamagedTable {
            game: "obstruction",
            rules: None,
            boards: "obstruction".to_string(),
            error: app.told(&error),
        }));
    }
    Stats {
        tables: entries,
        obstruction_boards: app.boards,
    }
}
