//! A position of any of the games, determined by its notation: a strip is bare (`o@o.o.o....`), a
//! pitch has rows separated by `/` (`3/3/2o/1o1/3/@2/3 A`), the others begin with the game's name
//! (`obstruction:1+2+3`, `oddish:..o^o.`).

use super::obstruction::graph_file::ReadText;
use super::obstruction::{Sum, Term};
use super::oddish::Oddish;
use super::pitch::{self, Pitch, Points, Shape};
use super::strip::{self, AnyStrip, Halves, Strip, Turn};
use super::{Boards, Rules};
use hashbrown::HashSet;
use phutbase_base::game::Rated;
use phutbase_base::outcome::{ParseError, Side};
use std::fmt;
use std::str::FromStr;

/// Length limit of notation in bytes. Only graphs with many edges, which can be in a file, and long
/// strips need more.
pub const MAX_TEXT: usize = 4096;

/// A position, with the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// On a strip or a pitch.
    Phutball(Phutball),
    /// A sum of boards of Obstruction; the first player is to move.
    Obstruction(Sum),
    /// A board of Oddish Phutball.
    Oddish(Oddish),
}

/// A position of Phutball on a strip or a pitch: the games that the engine plays.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Phutball {
    /// On the strip.
    Strip(AnyStrip),
    /// On the pitch.
    Pitch(Pitch),
}

impl FromStr for Position {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Position, ParseError> {
        Position::read(text, Rules::Ordinary)
    }
}

impl Position {
    /// Reads a position under these rules.
    pub fn read(text: &str, rules: Rules) -> Result<Position, ParseError> {
        let text = text.trim();
        if !text.contains([':', '/']) {
            let strip = AnyStrip::from_str(text)?.under(rules);
            return Ok(Position::Phutball(Phutball::Strip(strip)));
        }
        let too_long = |found: usize| {
            ParseError(format!(
                "{found} bytes are too long for a position: at most {MAX_TEXT} are allowed"
            ))
        };
        if text.len() > MAX_TEXT {
            return Err(too_long(text.len()));
        }
        let position = match text.split_once(':') {
            Some(("obstruction", sum)) => {
                let position = Position::Obstruction(sum.parse()?);
                // The printed notation may be longer and must be readable too.
                match position.to_string().len() {
                    found if found > MAX_TEXT => return Err(too_long(found)),
                    _ => position,
                }
            }
            Some(("oddish", board)) => Position::Oddish(board.parse()?),
            Some((name, _)) => {
                return Err(ParseError(format!(
                    "unknown game '{name}': write obstruction: or oddish: before the board, and nothing before a strip or a pitch"
                )));
            }
            None => Pitch::from_str(text)?.into(),
        };
        position.under(rules)
    }

    /// Parses a position in which `graph:FILE` stands for the graph in a file. Do not use it on
    /// untrusted text: it opens files. A graph from a file may exceed [`MAX_TEXT`].
    pub fn with_files(text: &str, rules: Rules, read_text: ReadText) -> Result<Position, ParseError> {
        match text.trim().split_once(':') {
            Some(("obstruction", sum)) if sum.contains("graph:") && sum.len() <= MAX_TEXT => {
                Position::Obstruction(Sum::with_files(sum, read_text)?).under(rules)
            }
            _ => Position::read(text, rules),
        }
    }
}

impl FromStr for Phutball {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Phutball, ParseError> {
        match text.parse()? {
            Position::Phutball(position) => Ok(position),
            other => Err(ParseError(format!(
                "a position of {}: only strips and pitches can be played",
                other.game()
            ))),
        }
    }
}

impl From<Strip> for Position {
    fn from(strip: Strip) -> Position {
        Position::Phutball(strip.into())
    }
}

impl From<Strip> for Phutball {
    fn from(strip: Strip) -> Phutball {
        Phutball::Strip(AnyStrip::from(&strip))
    }
}

impl From<Pitch> for Position {
    fn from(pitch: Pitch) -> Position {
        Position::Phutball(Phutball::Pitch(pitch))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Phutball(position) => position.fmt(f),
            Position::Obstruction(sum) => write!(f, "obstruction:{sum}"),
            Position::Oddish(oddish) => write!(f, "oddish:{oddish}"),
        }
    }
}

impl fmt::Display for Phutball {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Phutball::Strip(strip) => strip.fmt(f),
            Phutball::Pitch(pitch) => pitch.fmt(f),
        }
    }
}

impl Position {
    /// Returns the same board under these rules. Games other than Phutball have ordinary ones only.
    fn under(self, rules: Rules) -> Result<Position, ParseError> {
        match (self, rules) {
            (Position::Phutball(Phutball::Pitch(pitch)), rules) => Ok(pitch.under(rules).into()),
            (other, Rules::Ordinary) => Ok(other),
            (other, Rules::Directional) => Err(ParseError(format!(
                "a position of {}: only strips and pitches are played by {rules} rules",
                other.game()
            ))),
        }
    }

    /// Returns true for strips and pitches.
    pub fn is_phutball(&self) -> bool {
        matches!(self, Position::Phutball(_))
    }

    /// Returns the rules of Phutball; ordinary in other games.
    pub fn rules(&self) -> Rules {
        match self {
            Position::Phutball(position) => position.rules(),
            Position::Obstruction(_) | Position::Oddish(_) => Rules::Ordinary,
        }
    }

    /// Returns the game's name in answers.
    pub fn game(&self) -> &'static str {
        match self {
            Position::Phutball(Phutball::Pitch(_)) => "pitch",
            Position::Phutball(_) => "strip",
            Position::Obstruction(_) => "obstruction",
            Position::Oddish(_) => "oddish",
        }
    }

    /// Returns the player to move; in Obstruction always the first.
    pub fn side(&self) -> Side {
        match self {
            Position::Phutball(position) => position.side(),
            Position::Obstruction(_) => Side::Left,
            Position::Oddish(oddish) => oddish.side(),
        }
    }

    /// Returns a player's name in answers: left and right, alfred and betty, first and second.
    pub fn player(&self, side: Side) -> &'static str {
        match (self, side) {
            (Position::Phutball(Phutball::Pitch(_)), Side::Left) => "alfred",
            (Position::Phutball(Phutball::Pitch(_)), Side::Right) => "betty",
            (Position::Obstruction(_), Side::Left) => "first",
            (Position::Obstruction(_), Side::Right) => "second",
            _ => side.word(),
        }
    }

    /// Describes the size of the board, with its unit.
    pub fn size(&self) -> String {
        let squares: usize = match self {
            Position::Phutball(Phutball::Pitch(pitch)) => return format!("{} points", pitch.shape()),
            Position::Phutball(Phutball::Strip(strip)) => strip.length(),
            Position::Obstruction(sum) => sum.terms.iter().map(Term::squares).sum(),
            Position::Oddish(oddish) => oddish.squares(),
        };
        format!("{squares} squares")
    }
}

impl Phutball {
    /// Plays a turn in notation.
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

    /// Returns the boards of this size.
    pub fn boards(&self) -> Boards {
        match self {
            Phutball::Strip(strip) => Boards::strip(strip.length()),
            Phutball::Pitch(pitch) => Boards::Pitch(pitch.shape()),
        }
    }

    /// Creates the empty strip with the ball in the middle, Left to move; `None` if the length is
    /// even or out of range.
    pub fn empty_strip(length: usize) -> Option<Phutball> {
        let middle = (length % 2 == 1).then_some(length / 2)?;
        AnyStrip::new(std::iter::repeat_n(false, length), middle, Side::Left).map(Phutball::Strip)
    }

    /// Creates the empty pitch with the ball in the middle, Alfred to move; `None` if a side is
    /// even or out of range.
    pub fn empty_pitch(rows: usize, columns: usize) -> Option<Phutball> {
        let shape = Shape::new(rows, columns).filter(|_| rows % 2 == 1 && columns % 2 == 1)?;
        let middle = shape.point(rows / 2, columns / 2);
        Pitch::new(shape, middle, Points::EMPTY, Side::Left).map(Phutball::Pitch)
    }

    /// Returns the player to move.
    pub fn side(&self) -> Side {
        match self {
            Phutball::Strip(strip) => strip.side(),
            Phutball::Pitch(pitch) => pitch.side(),
        }
    }

    /// Returns the rules.
    pub fn rules(&self) -> Rules {
        match self {
            Phutball::Strip(strip) => strip.rules(),
            Phutball::Pitch(pitch) => pitch.rules(),
        }
    }

    /// Writes the notation, always with the letter of the player to move.
    pub fn fen(&self) -> String {
        match self {
            Phutball::Pitch(pitch) => pitch.to_string(),
            strip if strip.side() == Side::Left => format!("{strip} L"),
            strip => strip.to_string(),
        }
    }

    /// Returns a player's name: Left or Right, Alfred or Betty.
    pub fn name_of(&self, side: Side) -> &'static str {
        match (self, side) {
            (Phutball::Pitch(_), side) => pitch::side_name(side),
            (_, Side::Left) => "Left",
            (_, Side::Right) => "Right",
        }
    }
}

/// The standing of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The game goes on.
    Open(Phutball),
    /// The ball reached a goal.
    Won {
        /// The owner of the goal.
        winner: Side,
        /// The player who would move next.
        next: Side,
        /// The board, with the letter of the player who would move next.
        fen: String,
    },
}

impl Standing {
    /// Returns the standing after a legal turn on a strip.
    pub fn after(strip: &AnyStrip, turn: Turn) -> Standing {
        match strip.after(turn) {
            strip::After::Position(strip) => Standing::Open(Phutball::Strip(strip)),
            strip::After::Over { winner } => {
                let (mut fen, next) = (strip.notation_after(turn), strip.side().opponent());
                if next == Side::Left {
                    fen += " L";
                }
                Standing::Won { winner, next, fen }
            }
        }
    }

    /// Returns the standing after a turn on a pitch; `next` would move next.
    pub fn of_pitch(after: pitch::After, next: Side) -> Standing {
        match after {
            pitch::After::Position(pitch) => Standing::Open(Phutball::Pitch(pitch)),
            pitch::After::Over { winner, .. } => Standing::Won {
                winner,
                next,
                fen: after.notation(next),
            },
        }
    }

    /// Returns the position if the game goes on.
    pub fn open(&self) -> Option<&Phutball> {
        match self {
            Standing::Open(position) => Some(position),
            Standing::Won { .. } => None,
        }
    }

    /// Returns the winner, if any.
    pub fn winner(&self) -> Option<Side> {
        match self {
            Standing::Open(_) => None,
            Standing::Won { winner, .. } => Some(*winner),
        }
    }

    /// Returns the player to move, or who would be.
    pub fn side(&self) -> Side {
        match self {
            Standing::Open(position) => position.side(),
            Standing::Won { next, .. } => *next,
        }
    }

    /// Returns the board in notation, with the letter of the side to move.
    pub fn fen(&self) -> String {
        match self {
            Standing::Open(position) => position.fen(),
            Standing::Won { fen, .. } => fen.clone(),
        }
    }

    /// Returns the board as answers print it: a strip without the letter of Left.
    pub fn notation(&self) -> String {
        let fen = self.fen();
        fen.strip_suffix(" L").map(str::to_string).unwrap_or(fen)
    }
}

/// A turn of Phutball in notation, with its value.
pub type RatedTurn = Rated<String, Standing>;

/// Prints rated turns; `standing` returns what each leads to.
pub fn in_notation<T: ToString, A>(
    rated: Vec<Rated<T, A>>,
    standing: impl Fn(&T, A) -> Standing,
) -> Vec<RatedTurn> {
    let printed = |rated: Rated<T, A>| Rated {
        turn: rated.turn.to_string(),
        after: standing(&rated.turn, rated.after),
        verdict: rated.verdict,
    };
    rated.into_iter().map(printed).collect()
}

/// Follows the first rated turns until the game ends, a position repeats, or `most` turns are made.
pub fn best_line<E>(
    start: &Phutball,
    most: usize,
    rated: impl Fn(&Phutball) -> Result<Vec<RatedTurn>, E>,
) -> Result<Vec<RatedTurn>, E> {
    let (mut line, mut met, mut next) = (Vec::new(), HashSet::new(), Some(start.clone()));
    while let Some(position) = next.filter(|position| line.len() < most && met.insert(position.clone())) {
        let Some(best) = rated(&position)?.into_iter().next() else {
            break;
        };
        next = best.after.open().cloned();
        line.push(best);
    }
    Ok(line)
}
