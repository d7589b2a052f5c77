//! Positions as engines see them: legal turns and their results, in notation.

use phutbase_base::game::Listing;
use phutbase_base::outcome::Side;
use phutbase_pitches::wins::{WinSearch, search};
use phutbase_rules::strip::{self, AnyStrip, Halves};
use phutbase_rules::{Phutball, RatedTurn, Standing, pitch};

/// Maximum number of boards from which the jumps of one turn on a pitch are listed. Turns beyond
/// are legal and can be played, but are only offered if they win.
const LISTED_BOARDS: usize = 1 << 12;
const SEARCHED_BOARDS: usize = 1 << 12;

/// Greatest length of a strip of which every turn is listed.
const MAX_LISTED: usize = 1000;
/// Number of stones that are listed on the longest strips.
const MIN_STONES: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The turn as `phutbase probe` prints it.
    pub notation: String,
    pub after: Standing,
}

impl From<RatedTurn> for Turn {
    fn from(rated: RatedTurn) -> Turn {
        Turn {
            notation: rated.turn,
            after: rated.after,
        }
    }
}

impl Turn {
    /// Creates a legal turn on a strip.
    pub fn on_strip(strip: &AnyStrip, turn: strip::Turn) -> Turn {
        Turn {
            notation: turn.to_string(),
            after: Standing::after(strip, turn),
        }
    }
}

/// Lists the legal turns of a position. On a very long strip only the stones near the ball; on a pitch
/// with very many jumps only the nearest, and a winning turn if one is found. When `stop` returns true,
/// the list ends with the jumps found until then.
pub fn turns(position: &Phutball, stop: &dyn Fn() -> bool) -> Listing<Turn> {
    match position {
        Phutball::Strip(strip) => listed_turns(strip).map(|turns| {
            let turns = turns.into_iter();
            turns.map(|turn| Turn::on_strip(strip, turn)).collect()
        }),
        Phutball::Pitch(pitch) => pitch_turns(pitch, stop),
    }
}

/// Lists the turns with some notations, and the notations that are no legal turns.
pub fn turns_among(position: &Phutball, notations: &[String]) -> (Vec<Turn>, Vec<String>) {
    let mut turns: Vec<Turn> = Vec::new();
    let mut illegal = Vec::new();
    for notation in notations.iter().cloned() {
        match position.play(&notation) {
            Ok(after) => turns.push(Turn { notation, after }),
            Err(_) => illegal.push(notation),
        }
    }
    (turns, illegal)
}

/// Returns the index of the first turn that wins at once for the player who makes it.
pub fn win_at_once(turns: &[Turn], mover: Side) -> Option<usize> {
    turns.iter().position(|turn| turn.after.winner() == Some(mover))
}

/// Lists the turns, the most forcing first: jumps, then stones by their distance from the ball.
/// Of more than [`MAX_LISTED`] squares the list has only the stones near the ball, and fewer the
/// longer the strip is.
fn listed_turns(strip: &AnyStrip) -> Listing<strip::Turn> {
    let (ball, last) = (strip.ball(), strip.length() - 1);
    let is_complete = strip.length() <= MAX_LISTED;
    let stones = if is_complete {
        MAX_LISTED
    } else {
        (MAX_LISTED * MAX_LISTED / strip.length()).clamp(MIN_STONES, MAX_LISTED)
    };
    let mut turns = strip.jumps();
    let at_distance = |distance: usize| {
        let right = Some(ball + distance).filter(|&square| square <= last);
        right.into_iter().chain(ball.checked_sub(distance))
    };
    let empty = (1..=ball.max(last - ball))
        .flat_map(at_distance)
        .filter(|&square| !strip.stone(square));
    turns.extend(empty.take(stones).map(strip::Turn::Place));
    if is_complete {
        Listing::complete(turns)
    } else {
        Listing::partial(turns)
    }
}

fn pitch_turns(pitch: &pitch::Pitch, stop: &dyn Fn() -> bool) -> Listing<Turn> {
    let (mut jumps, complete) = pitch.jumps_up_to(LISTED_BOARDS, stop);
    if !complete
        && let WinSearch::Wins(path) = search::search(pitch, &rows_to_goal(pitch), SEARCHED_BOARDS, stop)
    {
        jumps.push(pitch.jump_by(path));
    }
    let turns = (pitch.in_notation(&jumps))
        .map(|(turn, notation)| Turn {
            notation,
            after: Standing::of_pitch(pitch.after(&turn), pitch.side().opponent()),
        })
        .collect();
    if complete {
        Listing::complete(turns)
    } else {
        Listing::partial(turns)
    }
}

/// Returns each point's distance in rows from the goal of the player to move.
fn rows_to_goal(pitch: &pitch::Pitch) -> Vec<u16> {
    let shape = pitch.shape();
    let rows = |point: usize| match pitch.side() {
        Side::Left => shape.rows() - shape.row(point),
        Side::Right => shape.row(point) + 1,
    };
    (0..shape.points()).map(|point| rows(point) as u16).collect()
}
