//! `/api/puzzle`: the puzzle of a day, the same on every server.
//!
//! Random boards, with the number of the day as the seed, until Left has a single winning turn. It
//! is a jump that does not end the game, or a stone that is not beside the ball, and the board is
//! not one of the page's puzzles. Boards have 12 squares on Mondays, two more on each later day of
//! the week, and 24 on Sundays. The solution decides who wins, so no table is needed.

use super::app::App;
use super::ask::Ask;
use super::error::ApiError;
use super::json;
use axum::extract::State;
use axum::response::Response;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_base::random::Uniform;
use phutbase_rules::position::{Phutball, Position};
use phutbase_rules::strip::{AnyStrip, Halves, Turn};
use phutbase_solution::Turns;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds of a day.
const DAY: u64 = 24 * 60 * 60;
/// Number of squares on a Monday.
const SHORTEST: usize = 12;
/// The puzzles of the page, which are no puzzles of a day.
const LISTED: &str = include_str!("page/puzzles.json");

/// `day=20787`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    day: Option<u32>,
}

/// The puzzle of a day.
#[derive(Clone, Debug, Serialize)]
pub struct DailyPuzzle {
    /// Number of the day: days since 1970-01-01, UTC.
    pub day: u32,
    /// A strip with Left to move, who has a single winning turn.
    pub position: String,
    /// Plies to the win, if a table holds the strip.
    pub depth: Option<u16>,
}

/// `GET /api/puzzle?day=…`; without a number, the puzzle of today.
pub async fn of_day(State(app): State<Arc<App>>, Ask(wanted): Ask<Wanted>) -> Result<Response, ApiError> {
    let shared = app.clone();
    let look = move || {
        let day = wanted.day.unwrap_or_else(today);
        let position = Position::Phutball(Phutball::Strip(puzzle(day)));
        let value = shared.ordinary.sources.value(&position, &Job::default());
        // A damaged table is logged; the puzzle needs none.
        let depth = value.inspect_err(|error| drop(shared.describe(error)));
        let puzzle = DailyPuzzle {
            day,
            position: position.to_string(),
            depth: depth.ok().and_then(|answer| answer.depth),
        };
        json(&shared, &puzzle)
    };
    app.work(&app.probes, look).await
}

/// Returns the number of the day.
fn today() -> u32 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(now.as_secs() / DAY).unwrap_or(u32::MAX)
}

/// Returns the board of a day.
fn puzzle(day: u32) -> AnyStrip {
    let mut numbers = Uniform::new(day.into());
    // Day 0 was a Thursday.
    let length = SHORTEST + 2 * ((day % 7 + 3) % 7) as usize;
    let mut boards = std::iter::repeat_with(|| {
        let (ball, stones) = (1 + numbers.index(length - 2), numbers.word());
        let squares = (0..length).map(|square| square != ball && stones >> square & 1 == 1);
        AnyStrip::new(squares, ball, Side::Left)
    });
    let found = boards.find_map(|board| board.filter(is_puzzle));
    found.expect("random boards have no end, and some are puzzles")
}

/// True if Left has a single winning turn, and it is no obvious one.
fn is_puzzle(strip: &AnyStrip) -> bool {
    let mut turns = Turns::of(strip).list().into_iter().filter(|&(_, wins)| wins);
    let (Some((turn, _)), None) = (turns.next(), turns.next()) else {
        return false;
    };
    let is_subtle = match turn {
        Turn::Place(square) => square.abs_diff(strip.ball()) > 1,
        Turn::Jump(landing) => landing != strip.length() - 1,
        Turn::Off(_) => false,
    };
    is_subtle && !LISTED.contains(&format!("\"{strip}\""))
}
