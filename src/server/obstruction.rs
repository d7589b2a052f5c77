//! `/api/obstruction` and `/api/obstruction/moves`: what `phutbase obstruction nimber` and `move` say, within a limit of time.
//!
//! Unlike the other questions these may need a search, of which nobody knows how long it takes. One search is at work at a time, on a thread
//! of its own, and stops after [`App::hard_time`]; what it found is remembered, within its bound of memory.

use super::app::App;
use super::ask::{Ask, short};
use super::error::ApiError;
use super::json;
use crate::answer::obstruction::{NimberAnswer, TurnsAnswer};
use crate::games::obstruction::{Sum, Term};
use crate::solve::nimbers::{Limits, Solver, Stopped};
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;

/// Every turn of a sum is listed with the whole sum after it: with many squares and boards the lists would be long.
const MAX_SQUARES_TO_LIST: usize = 1000;
/// Boards of a sum whose turns are listed.
const MAX_TERMS_TO_LIST: usize = 32;

/// `board=…`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    board: String,
}

impl Question {
    /// The board or sum. In an address a plus sign stands for a blank, so a blank stands for a plus sign too.
    fn sum(&self) -> Result<Sum, ApiError> {
        let text = short("board", &self.board)?;
        let whole = match text.contains('+') {
            true => text.to_string(),
            false => text.split_whitespace().collect::<Vec<_>>().join("+"),
        };
        whole
            .parse()
            .map_err(|error| ApiError::Bad(format!("board '{text}': {error}")))
    }
}

/// `GET /api/obstruction?board=…`
pub async fn nimber(State(app): State<Arc<App>>, Ask(ask): Ask<Question>) -> Result<Response, ApiError> {
    search(app, ask.sum()?, "nimber", NimberAnswer::find).await
}

/// `GET /api/obstruction/moves?board=…`
pub async fn moves(State(app): State<Arc<App>>, Ask(ask): Ask<Question>) -> Result<Response, ApiError> {
    let sum = ask.sum()?;
    let squares: usize = sum.terms.iter().map(squares).sum();
    if squares > MAX_SQUARES_TO_LIST || sum.terms.len() > MAX_TERMS_TO_LIST {
        return Err(ApiError::TooHard(format!(
            "{} boards with {squares} squares: moves are listed of up to {MAX_TERMS_TO_LIST} boards with \
             {MAX_SQUARES_TO_LIST} squares; 'phutbase obstruction move' has no limit",
            sum.terms.len()
        )));
    }
    search(app, sum, "move", TurnsAnswer::find).await
}

fn squares(term: &Term) -> usize {
    match term {
        Term::Row(length) => *length,
        Term::Board(board) => board.rows() * board.columns(),
    }
}

/// Finds an answer on the thread for searches, or gives up when the time is over.
async fn search<T: Serialize + Send + 'static>(
    app: Arc<App>,
    sum: Sum,
    command: &'static str,
    find: fn(&Solver, &Sum, Limits) -> Result<T, Stopped>,
) -> Result<Response, ApiError> {
    let shared = app.clone();
    let work = move || {
        let limits = Limits {
            stop: None,
            deadline: Instant::now().checked_add(shared.hard_time),
        };
        let found = shared
            .searchers
            .install(|| find(&shared.obstruction, &sum, limits));
        let answer = found.map_err(|Stopped| {
            ApiError::TooHard(format!(
                "not solved within {} s, which is this server's limit; 'phutbase obstruction {command} \"{sum}\"' has none",
                shared.hard_time.as_secs_f64()
            ))
        })?;
        json(&answer)
    };
    app.hard.work(work).await
}
