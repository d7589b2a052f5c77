//! How a game stands: the turns of a position and what they lead to, notation in, notation out.

use crate::games::position::Phutball;
use crate::games::{pitch, strip};
use crate::outcome::{ParseError, Side};
use crate::solve::wins::{Answer, search};

/// The most boards that the jumps of one turn on a pitch are listed from: a turn past them is legal and can be played, but is
/// not offered, unless it wins.
const LISTED_BOARDS: usize = 1 << 12;
/// The most boards that a turn that wins is searched through.
const SEARCHED_BOARDS: usize = 1 << 12;

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Play goes on.
    Open(Phutball),
    /// The ball is home.
    Won {
        /// Whose goal it reached.
        winner: Side,
        /// The player who would be to move.
        next: Side,
        /// The board, with the letter of the player who would be to move.
        fen: String,
    },
}

/// A legal turn, in notation, and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The turn as `phutbase probe` prints it.
    pub notation: String,
    /// What it leads to.
    pub after: Standing,
}

/// Turns of a position to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The turns.
    pub turns: Vec<Turn>,
    /// Whether no other turn could be better.
    pub complete: bool,
}

impl Phutball {
    /// The legal turns, as each game generates them; on a pitch with very many jumps only the nearest of those, and one that
    /// wins if it is found. Fewer if `stop` says so: then placements and what jumps were found by then.
    pub fn turns(&self, stop: &dyn Fn() -> bool) -> Listing {
        match self {
            Phutball::Strip(strip) => Listing {
                turns: (strip.turns().into_iter())
                    .map(|turn| Turn {
                        notation: turn.to_string(),
                        after: Standing::of_strip(strip.after(turn), strip.side().opponent()),
                    })
                    .collect(),
                complete: true,
            },
            Phutball::Pitch(pitch) => pitch_turns(pitch, stop),
        }
    }

    /// The place of the first of some turns that ends the game in favour of the player to move.
    pub fn win_at_once(&self, turns: &[Turn]) -> Option<usize> {
        turns
            .iter()
            .position(|turn| turn.after.winner() == Some(self.side()))
    }

    /// Makes a turn.
    ///
    /// # Errors
    /// [`ParseError`] if it is none, or not a legal one.
    pub fn play(&self, turn: &str) -> Result<Standing, ParseError> {
        let next = self.side().opponent();
        Ok(match self {
            Phutball::Strip(strip) => {
                let after = strip.play(turn.parse()?);
                Standing::of_strip(after.map_err(|illegal| ParseError(illegal.to_string()))?, next)
            }
            Phutball::Pitch(pitch) => Standing::of_pitch(pitch.after(&pitch.parse_turn(turn)?), next),
        })
    }
}

fn pitch_turns(pitch: &pitch::Pitch, stop: &dyn Fn() -> bool) -> Listing {
    let (mut jumps, complete) = pitch.jumps_up_to(LISTED_BOARDS, stop);
    if !complete
        && let Answer::Wins(path) = search::search(pitch, &rows_to_goal(pitch), SEARCHED_BOARDS, stop)
    {
        jumps.push(pitch.jump_by(path));
    }
    let places = pitch
        .empty_points()
        .map(|point| (pitch::Turn::Place(point as u16), pitch.shape().point_name(point)));
    let jumps = (jumps.iter()).map(|(jump, path)| (pitch::Turn::Jump(*jump), pitch.path_notation(path)));
    let turns = (places.chain(jumps))
        .map(|(turn, notation)| Turn {
            notation,
            after: Standing::of_pitch(pitch.after(&turn), pitch.side().opponent()),
        })
        .collect();
    Listing { turns, complete }
}

/// How many rows each point is from the goal of the player to move.
fn rows_to_goal(pitch: &pitch::Pitch) -> Vec<u16> {
    let shape = pitch.shape();
    let rows = |point: usize| match pitch.side() {
        Side::Left => shape.rows() - shape.row(point),
        Side::Right => shape.row(point) + 1,
    };
    (0..shape.points()).map(|point| rows(point) as u16).collect()
}

impl Standing {
    fn of_strip(after: strip::After, next: Side) -> Standing {
        match after {
            strip::After::Position(strip) => Standing::Open(Phutball::Strip(strip)),
            strip::After::Over { winner, .. } => {
                let mut fen = after.notation(next);
                if next == Side::Left {
                    fen += " L";
                }
                Standing::Won { winner, next, fen }
            }
        }
    }

    fn of_pitch(after: pitch::After, next: Side) -> Standing {
        match after {
            pitch::After::Position(pitch) => Standing::Open(Phutball::Pitch(pitch)),
            pitch::After::Over { winner, .. } => Standing::Won {
                winner,
                next,
                fen: after.notation(next),
            },
        }
    }

    /// The position, if play goes on.
    pub fn open(&self) -> Option<&Phutball> {
        match self {
            Standing::Open(position) => Some(position),
            Standing::Won { .. } => None,
        }
    }

    /// The winner, if the ball is home.
    pub fn winner(&self) -> Option<Side> {
        match self {
            Standing::Open(_) => None,
            Standing::Won { winner, .. } => Some(*winner),
        }
    }

    /// The player to move, or who would be.
    pub fn side(&self) -> Side {
        match self {
            Standing::Open(position) => position.side(),
            Standing::Won { next, .. } => *next,
        }
    }

    /// The board in notation, with the letter of the side to move.
    pub fn fen(&self) -> String {
        match self {
            Standing::Open(position) => position.fen(),
            Standing::Won { fen, .. } => fen.clone(),
        }
    }
}
