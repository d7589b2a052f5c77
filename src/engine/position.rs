//! Positions as engines see them: legal turns and their results, in notation.

use crate::decide::search::listed_turns;
use crate::game::Listing;
use crate::games::strip::{self, AnyStrip};
use crate::games::{Phutball, Standing, pitch};
use crate::outcome::{ParseError, Side};
use crate::solve::wins::{Answer, search};

/// Maximum number of boards from which the jumps of one turn on a pitch are listed. Turns beyond
/// are legal and can be played, but are only offered if they win.
const LISTED_BOARDS: usize = 1 << 12;
const SEARCHED_BOARDS: usize = 1 << 12;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The turn as `phutbase probe` prints it.
    pub notation: String,
    pub after: Standing,
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

impl Phutball {
    /// Lists the legal turns. On a very long strip only the stones near the ball; on a pitch with
    /// very many jumps only the nearest, and a winning turn if one is found. When `stop` returns true, the list ends with the jumps found until then.
    pub fn turns(&self, stop: &dyn Fn() -> bool) -> Listing<Turn> {
        match self {
            Phutball::Strip(strip) => listed_turns(strip).map(|turns| {
                let turns = turns.into_iter();
                turns.map(|turn| Turn::on_strip(strip, turn)).collect()
            }),
            Phutball::Pitch(pitch) => pitch_turns(pitch, stop),
        }
    }

    /// Lists the turns with some notations, and the notations that are no legal turns.
    pub fn turns_among(&self, notations: &[String]) -> (Vec<Turn>, Vec<String>) {
        let mut turns: Vec<Turn> = Vec::new();
        let mut illegal = Vec::new();
        for notation in notations {
            match self.play(notation) {
                Ok(after) => turns.push(Turn {
                    notation: notation.clone(),
                    after,
                }),
                Err(_) => illegal.push(notation.clone()),
            }
        }
        (turns, illegal)
    }

    /// Returns the index of the first turn that wins at once for the player to move.
    pub fn win_at_once(&self, turns: &[Turn]) -> Option<usize> {
        turns
            .iter()
            .position(|turn| turn.after.winner() == Some(self.side()))
    }

    pub fn play(&self, turn: &str) -> Result<Standing, ParseError> {
        Ok(match self {
            Phutball::Strip(strip) => {
                let turn = turn.parse()?;
                strip
                    .play(turn)
                    .map_err(|illegal| ParseError(illegal.to_string()))?;
                Standing::after(strip, turn)
            }
            Phutball::Pitch(pitch) => {
                let after = pitch.after(&pitch.parse_turn(turn)?);
                Standing::of_pitch(after, pitch.side().opponent())
            }
        })
    }
}

fn pitch_turns(pitch: &pitch::Pitch, stop: &dyn Fn() -> bool) -> Listing<Turn> {
    let (mut jumps, complete) = pitch.jumps_up_to(LISTED_BOARDS, stop);
    if !complete
        && let Answer::Wins(path) = search::search(pitch, &rows_to_goal(pitch), SEARCHED_BOARDS, stop)
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
