//! `/api/turn`: the turn that the program plays. Where no table has a pitch it searches, for at most
//! [`TURN_TIME`] and never longer than
//! [`RequestLimits::search_time`](super::app::RequestLimits::search_time).

use super::app::App;
use super::ask::{Ask, Turned};
use super::error::ApiError;
use super::json;
use axum::extract::State;
use axum::response::Response;
use phutbase_ask::Answer;
use phutbase_ask::sources::Sources;
use phutbase_base::outcome::{Verdict, Wdl};
use phutbase_engine::limits::{Go, SearchLimits, Stop};
use phutbase_engine::position::turns;
use phutbase_engine::search::{DEFAULT_MEBIBYTES, Evaluation, Searcher};
use phutbase_rules::pitch::Pitch;
use phutbase_rules::position::{Phutball, Position};
use phutbase_tables::TableError;
use std::sync::Arc;
use std::time::Duration;

/// Time of a search for which the request names none.
const TURN_TIME: Duration = Duration::from_secs(1);

/// `GET /api/turn?position=…&side=…&rules=…&time=…`
pub async fn turn(State(app): State<Arc<App>>, Ask(ask): Ask<Turned>) -> Result<Response, ApiError> {
    let position = ask.position()?;
    let Position::Phutball(phutball) = position.clone() else {
        return Err(ApiError::bad("turns are chosen for strips and pitches"));
    };
    let time = ask.time().unwrap_or(TURN_TIME).min(app.limits.search_time);
    let (known, shared) = (position.clone(), app.clone());
    let looked_up = move || match look_up(&shared.under(known.rules()).sources, &known, &phutball) {
        Err(TableError::Missing { .. }) => Ok(Err(phutball)),
        found => Ok(Ok(found.map_err(|error| shared.refusal(&error.into()))?)),
    };
    let answer = match app.work(&app.probes, looked_up).await? {
        Err(Phutball::Pitch(pitch)) => {
            let work = move || Ok(search(&position, &pitch, time));
            app.work(&app.searches, work).await?
        }
        Err(Phutball::Strip(_)) => return Err(ApiError::Internal("a strip without a value".to_string())),
        Ok(answer) => answer,
    };
    json(&app, &answer)
}

/// Returns the value and a best turn, which the solution or a table has.
fn look_up(sources: &Sources, position: &Position, phutball: &Phutball) -> Result<Answer, TableError> {
    let verdict = sources.verdict(phutball)?;
    Ok(Answer {
        turn: Some(sources.best_turn(phutball)?.turn),
        ..Answer::new(position, Some(verdict))
    })
}

/// Searches a pitch for a turn. The answer has a value if the search has proved one, and no depth,
/// because the search bounds it only.
fn search(position: &Position, pitch: &Pitch, time: Duration) -> Answer {
    let limits = SearchLimits::new(&Go::movetime(time), 0, Stop::default());
    let part = limits.quarter();
    let listing = turns(&Phutball::Pitch(*pitch), &|| part.is_spent(0));
    let mut searcher = Searcher::new(DEFAULT_MEBIBYTES);
    let found = searcher.choose(pitch, &listing, &limits, &mut |_| {});
    let value = found.and_then(|(_, score)| match score {
        Evaluation::Win(_) => Some(Wdl::Win),
        Evaluation::Loss(_) => Some(Wdl::Loss),
        Evaluation::Draw => Some(Wdl::Draw),
        Evaluation::Guess(_) => None,
    });
    let verdict = value.map(|wdl| Verdict { wdl, depth: None });
    Answer {
        turn: found.map(|(place, _)| listing.turns()[place].notation.clone()),
        ..Answer::new(position, verdict)
    }
}
