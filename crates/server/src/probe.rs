//! `/api/probe`: the answer of `phutbase probe` for a position of any game. `/api/board`: its turns
//! without their values.
//!
//! A strip needs no search: the time follows from its length, which the head of a request bounds. A
//! board of Obstruction and the turns that win at once may need one, which ends after
//! [`RequestLimits::search_time`](super::app::RequestLimits::search_time). One search runs at a time; of Obstruction a
//! bounded number of solved regions is kept.

use super::app::App;
use super::ask::{Ask, Played, Question};
use super::error::ApiError;
use super::json;
use axum::extract::State;
use axum::response::Response;
use phutbase_ask::board::BoardAnswer;
use phutbase_ask::sources::AskError;
use phutbase_ask::wins::WinsInOne;
use phutbase_base::job::Job;
use phutbase_pitches::wins::WinLimits;
use phutbase_rules::Pitch;
use phutbase_rules::obstruction::{Sum, Term};
use phutbase_rules::position::{Phutball, Position};
use std::sync::Arc;

/// Maximum number of squares for listing turns: each is listed with the whole sum after it.
const MAX_SQUARES_TO_LIST: usize = 1000;
/// Maximum number of winning turns that are listed.
const MAX_WINS: usize = 1000;
/// Limits of their search, within about 50 MiB.
const WIN_LIMITS: WinLimits = WinLimits {
    boards: 1 << 17,
    literals: 2_000_000,
};
/// Maximum number of boards in a sum for listing turns.
const MAX_TERMS_TO_LIST: usize = 32;

/// `GET /api/probe?position=…&side=…&rules=…&line=…&nimbers=…&wins=…`
pub async fn probe(State(app): State<Arc<App>>, Ask(ask): Ask<Question>) -> Result<Response, ApiError> {
    let position = ask.position()?;
    let shared = app.clone();
    if ask.line && !position.is_phutball() {
        return Err(ApiError::bad("line=true only applies to strips and pitches"));
    }
    if ask.nimbers && position.is_phutball() {
        return Err(ApiError::bad("nimbers=true only applies to Obstruction"));
    }
    if ask.wins && ask.line {
        return Err(ApiError::bad(
            "wins=true lists turns that win at once, without a line",
        ));
    }
    if ask.wins {
        let Position::Phutball(Phutball::Pitch(pitch)) = position else {
            return Err(ApiError::bad("wins=true only applies to pitches"));
        };
        return app.work(&app.searches, move || wins(&shared, &pitch)).await;
    }
    if let Position::Obstruction(sum) = &position {
        refuse_long_lists(sum)?;
        let every = ask.nimbers;
        return app
            .work(&app.searches, move || search(&shared, &position, every))
            .await;
    }
    let work = move || {
        let sources = &shared.under(position.rules()).sources;
        let answer = sources.probe(&position, ask.line, &Job::default());
        json(&shared, &answer.map_err(|error| shared.refusal(&error))?)
    };
    app.work(&app.probes, work).await
}

/// `GET /api/board?position=…&side=…&rules=…&turns=…`
pub async fn board(State(app): State<Arc<App>>, Ask(ask): Ask<Played>) -> Result<Response, ApiError> {
    let (position, shared) = (ask.position()?, app.clone());
    let work = move || {
        let answer = BoardAnswer::after(&position, &ask.turns());
        json(&shared, &answer.map_err(ApiError::bad)?)
    };
    app.work(&app.probes, work).await
}

fn refuse_long_lists(sum: &Sum) -> Result<(), ApiError> {
    let squares: usize = sum.terms.iter().map(Term::squares).sum();
    if squares <= MAX_SQUARES_TO_LIST && sum.terms.len() <= MAX_TERMS_TO_LIST {
        return Ok(());
    }
    Err(ApiError::TooHard(format!(
        "{} boards with {squares} squares: turns are listed for up to {MAX_TERMS_TO_LIST} boards with \
         {MAX_SQUARES_TO_LIST} squares; 'phutbase probe' lists more",
        sum.terms.len()
    )))
}

/// Finds the turns that win at once, until the time limit.
fn wins(app: &App, pitch: &Pitch) -> Result<Response, ApiError> {
    let job = Job::default().within(app.limits.search_time);
    match WinsInOne::find(pitch, MAX_WINS, WIN_LIMITS, &job) {
        Ok(found) => json(app, &found),
        Err(_) => {
            let remedy = format!("'phutbase probe --wins \"{pitch}\"' searches longer");
            Err(ApiError::TooHard(app.too_slow(&remedy)))
        }
    }
}

/// Searches on the search thread until the time limit.
fn search(app: &App, position: &Position, every: bool) -> Result<Response, ApiError> {
    let job = Job::default().within(app.limits.search_time);
    let found = (app.searchers).install(|| match position {
        Position::Obstruction(sum) if every => app.ordinary.sources.nimbers(sum, &job),
        _ => app.ordinary.sources.probe(position, false, &job),
    });
    let answer = found.map_err(|error| match error {
        AskError::Stopped(_) => {
            ApiError::TooHard(app.too_slow(&format!("'phutbase probe \"{position}\"' has none")))
        }
        error => app.refusal(&error),
    })?;
    json(app, &answer)
}
