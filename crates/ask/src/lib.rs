//! Answers as JSON, shared by `--json`, the server and Python.
//!
//! One vocabulary serves all games ([`Common`]): `game`, `position`, `side` (to move), `value` (`win`,
//! `loss` or `draw`, for that side), `depth` (plies, or null), `winner`.
//!
//! * [`Answer`], [`Move`] — a position of each game, and its turns;
//! * [`sources`] — the sources of the values of each game;
//! * [`strip`] — strips: the solution, and tables;
//! * [`batch`] — many positions, one per line;
//! * [`board`] — a board with its turns, as pages draw it;
//! * [`queries`] — positions by value, depth and pattern, and draws;
//! * [`stats`] — the contents of a table;
//! * [`counts`] — numbers of wins without a table;
//! * [`export`] — all values of a length or of a pitch, as CSV or for NumPy;
//! * [`certificates`] — proofs of values on pitches.

pub mod batch;
pub mod board;
pub mod certificates;
pub mod counts;
pub mod export;
pub mod obstruction;
pub mod queries;
pub mod sources;
pub mod stats;
pub mod strip;
pub mod wins;

use obstruction::ComponentAnswer;
use phutbase_base::outcome::{Verdict, Wdl};
use phutbase_rules::{Boards, Phutball, Position, Rules};
use serde::{Serialize, Serializer};
use strip::{Reason, TurnCounts};
/// The crates whose types functions take.
pub use {phutbase_base, phutbase_rules, phutbase_tables};

/// The boards that a line of JSON is about.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BoardsLabel {
    /// `strip`, `pitch`, `obstruction` or `oddish`.
    pub game: &'static str,
    /// `ordinary` or `directional`, of strips and pitches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<&'static str>,
    /// The boards: `16`, `7x3`, `obstruction:8x8`, `oddish:9`.
    pub boards: String,
}

impl BoardsLabel {
    pub fn new(boards: &Boards, rules: Rules) -> BoardsLabel {
        let phutball = matches!(boards, Boards::Strips(_) | Boards::Pitch(_));
        BoardsLabel {
            game: boards.game(),
            rules: phutball.then(|| rules.word()),
            boards: boards.to_string(),
        }
    }

    pub fn all_obstruction() -> BoardsLabel {
        BoardsLabel {
            game: "obstruction",
            rules: None,
            boards: "obstruction".to_string(),
        }
    }

    pub fn strip(length: usize) -> BoardsLabel {
        BoardsLabel::new(&Boards::strip(length), Rules::Ordinary)
    }
}

/// Writes an outcome as its word, or null.
fn word<S: Serializer>(value: &Option<Wdl>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(Wdl::word).serialize(serializer)
}

/// The answer about a position. In JSON the name of the game is the first field.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "game", rename_all = "lowercase")]
pub enum Answer {
    Strip(Box<StripAnswer>),
    Pitch(PitchAnswer),
    Obstruction(ObstructionAnswer),
    Oddish(OddishAnswer),
}

/// The fields of every answer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Common {
    /// `ordinary` or `directional`, of strips and pitches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<&'static str>,
    pub position: String,
    /// The player to move: left or right, alfred or betty, first.
    pub side: &'static str,
    /// The value for the player to move; `None` if nothing is proved.
    #[serde(serialize_with = "word")]
    pub value: Option<Wdl>,
    /// Plies; `None` for a draw, or if only the winner is known.
    pub depth: Option<u16>,
    pub winner: Option<&'static str>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct StripAnswer {
    #[serde(flatten)]
    pub common: Common,
    /// The source of the value, and what both halves come to, for ordinary rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The least number of backward turns that the winner needs, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backward_turns: Option<usize>,
    /// The potentials of the left and the right half, for directional rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub potentials: Option<[i64; 2]>,
    /// A best turn, if turns are not listed; for directional rules any that keeps a win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// The numbers of turns, if they are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_counts: Option<TurnCounts>,
    /// Every turn, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<Move>>,
    /// Best play to the end or to a repetition; each value is for the player who makes that turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<Move>>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct PitchAnswer {
    #[serde(flatten)]
    pub common: Common,
    /// Every turn, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<Move>>,
    /// Best play to the end or to a repetition; each value is for the player who makes that turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<Move>>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct ObstructionAnswer {
    #[serde(flatten)]
    pub common: Common,
    /// The nimber, except in misère play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<ComponentAnswer>>,
    /// Every turn, best first, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<Mark>>,
    /// The winning turns, if not every turn was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_turns: Option<Vec<Mark>>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct OddishAnswer {
    #[serde(flatten)]
    pub common: Common,
    /// Every turn, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<Move>>,
}

/// A turn with the position after it, and its value for the player who makes it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Move {
    /// The turn in the notation of its game.
    #[serde(rename = "move")]
    pub turn: String,
    /// Empty, and not written, on a strip of more than [`MAX_SHOWN`](strip::MAX_SHOWN) squares, in a
    /// line of more than [`MAX_SHOWN_IN_LINE`](strip::MAX_SHOWN_IN_LINE).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub position: String,
    /// `None` if nothing is proved.
    #[serde(serialize_with = "word")]
    pub value: Option<Wdl>,
    /// Plies, if known and not a draw.
    pub depth: Option<u16>,
}

/// A turn of Obstruction.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Mark {
    #[serde(flatten)]
    pub turn: Move,
    /// The marked board in a sum of boards, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<usize>,
    /// The nimber after the turn, if every turn was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u8>,
    /// The components of the boards after the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<ComponentAnswer>>,
}

impl Answer {
    /// Creates the answer without details; `None` if nothing is proved.
    pub fn new(position: &Position, value: Option<Verdict>) -> Answer {
        let common = Common::new(position, value);
        match position {
            Position::Phutball(Phutball::Strip(_)) => Answer::Strip(Box::new(StripAnswer {
                common,
                ..StripAnswer::default()
            })),
            Position::Phutball(Phutball::Pitch(_)) => Answer::Pitch(PitchAnswer {
                common,
                ..PitchAnswer::default()
            }),
            Position::Obstruction(_) => Answer::Obstruction(ObstructionAnswer {
                common,
                ..ObstructionAnswer::default()
            }),
            Position::Oddish(_) => Answer::Oddish(OddishAnswer {
                common,
                ..OddishAnswer::default()
            }),
        }
    }

    /// Returns the fields of every answer.
    pub fn common(&self) -> &Common {
        match self {
            Answer::Strip(strip) => &strip.common,
            Answer::Pitch(pitch) => &pitch.common,
            Answer::Obstruction(sum) => &sum.common,
            Answer::Oddish(oddish) => &oddish.common,
        }
    }

    /// Returns the turns of Phutball and of Oddish Phutball, if they are listed.
    pub fn turns(&self) -> Option<&[Move]> {
        match self {
            Answer::Strip(strip) => strip.turns.as_deref(),
            Answer::Pitch(pitch) => pitch.turns.as_deref(),
            Answer::Oddish(oddish) => oddish.turns.as_deref(),
            Answer::Obstruction(_) => None,
        }
    }

    /// Returns the best line of Phutball, if it was requested.
    pub fn line(&self) -> Option<&[Move]> {
        match self {
            Answer::Strip(strip) => strip.line.as_deref(),
            Answer::Pitch(pitch) => pitch.line.as_deref(),
            Answer::Obstruction(_) | Answer::Oddish(_) => None,
        }
    }
}

impl Common {
    fn new(position: &Position, value: Option<Verdict>) -> Common {
        let winner = value.and_then(|verdict| verdict.wdl.winner(position.side()));
        Common {
            rules: position.is_phutball().then(|| position.rules().word()),
            position: position.to_string(),
            side: position.player(position.side()),
            value: value.map(|verdict| verdict.wdl),
            depth: value.and_then(|verdict| verdict.depth).map(|depth| depth.0),
            winner: winner.map(|side| position.player(side)),
        }
    }
}

impl Move {
    /// Creates a turn with the position after it, and its value for the player who makes it; `None`
    /// if nothing is proved.
    pub fn new(turn: String, position: String, value: Option<Verdict>) -> Move {
        Move {
            turn,
            position,
            value: value.map(|verdict| verdict.wdl),
            depth: value.and_then(|verdict| verdict.depth).map(|depth| depth.0),
        }
    }
}
