//! Types shared by every module: players, outcomes, depths and values.
//!
//! Conventions (docs/RULES.md): values are seen by the player to move. A *ply* is one turn of one
//! player. A win takes an odd number of plies (1 = the ball reaches the goal this turn), a loss an
//! even number. A draw has no depth.

use std::cmp::Ordering;
use std::fmt;

/// An invalid text. The message quotes it and states where it is wrong and what is valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(pub String);

/// Returns the value that `words` assigns to `found`.
pub fn read_word<T: Copy>(found: &str, words: &[(&str, T)]) -> Result<T, ParseError> {
    let known = words.iter().find(|(word, _)| *word == found);
    known.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let expected: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        ParseError(format!("'{found}' is not one of {}", expected.join(", ")))
    })
}

/// Implements `word`, `Display` and `FromStr` for an enum from its words.
#[macro_export]
macro_rules! words {
    ($type:ty: $($variant:ident = $word:literal),*) => {
        impl $type {
            /// All words.
            pub const WORDS: &[&str] = &[$($word),*];

            /// Returns the word.
            pub fn word(self) -> &'static str {
                match self {
                    $(<$type>::$variant => $word,)*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::outcome::ParseError;

            fn from_str(text: &str) -> Result<$type, Self::Err> {
                $crate::outcome::read_word(text, &[$(($word, <$type>::$variant)),*])
            }
        }
    };
}
pub use crate::words;

/// One of the two players of a game.
///
/// Left attacks the right end of the strip and Right the left end; in games with other names
/// (Alfred and Betty on the pitch) Left stands for the first-named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The first-named player.
    Left,
    /// The second-named player.
    Right,
}

impl Side {
    /// Returns the other player.
    pub fn opponent(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    /// Returns the letter that notation uses: `L` or `R`.
    pub fn letter(self) -> char {
        match self {
            Side::Left => 'L',
            Side::Right => 'R',
        }
    }
}

words!(Side: Left = "left", Right = "right");

/// A number of plies until the game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Depth(pub u16);

impl Depth {
    /// Returns the depth one ply earlier, for the player who moved.
    pub fn next(self) -> Depth {
        Depth(self.0 + 1)
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The outcome for the player to move, without the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wdl {
    /// The opponent wins.
    Loss,
    /// Neither player can force a win.
    Draw,
    /// The player to move wins.
    Win,
}

impl Wdl {
    /// Returns the outcome for the other player.
    pub fn flip(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// Returns the outcome if `winner` wins, for `mover`.
    pub fn won_by(winner: Side, mover: Side) -> Wdl {
        if winner == mover { Wdl::Win } else { Wdl::Loss }
    }

    /// Returns the winner, if any, when `mover` is the player to move.
    pub fn winner(self, mover: Side) -> Option<Side> {
        match self {
            Wdl::Win => Some(mover),
            Wdl::Loss => Some(mover.opponent()),
            Wdl::Draw => None,
        }
    }
}

words!(Wdl: Win = "win", Loss = "loss", Draw = "draw");

/// The exact value of a position or of a turn, for the player to move.
///
/// Values are ordered by preference: short wins, longer wins, the draw, long losses, short losses.
/// `max` over the turns of a position is therefore its value.
///
/// A turn that carries the ball over one's own goal line ends the game after one ply. The value *of
/// that turn* is `Loss(1)`, the least of all; no position on the strip has this value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The player to move wins in this many plies against the longest defence.
    Win(Depth),
    /// The player to move loses, after this many plies at most.
    Loss(Depth),
    /// Neither player can force a win.
    Draw,
}

impl Value {
    /// Returns the outcome without the depth.
    pub fn wdl(self) -> Wdl {
        match self {
            Value::Win(_) => Wdl::Win,
            Value::Loss(_) => Wdl::Loss,
            Value::Draw => Wdl::Draw,
        }
    }

    /// Returns the plies to the end; `None` for a draw.
    pub fn depth(self) -> Option<Depth> {
        match self {
            Value::Win(depth) | Value::Loss(depth) => Some(depth),
            Value::Draw => None,
        }
    }

    /// Returns the value of a turn, from the opponent's value of the position after it.
    pub fn before(self) -> Value {
        match self {
            Value::Win(depth) => Value::Loss(depth.next()),
            Value::Loss(depth) => Value::Win(depth.next()),
            Value::Draw => Value::Draw,
        }
    }

    /// Returns the value of a turn that ends the game with this outcome, after one ply.
    pub fn at_once(outcome: Wdl) -> Value {
        match outcome {
            Wdl::Win => Value::Win(Depth(1)),
            Wdl::Loss => Value::Loss(Depth(1)),
            Wdl::Draw => Value::Draw,
        }
    }

    /// Decodes a depth byte of a `dtw` table: 0 = draw, odd = win, even = loss.
    pub fn from_depth_byte(byte: u8) -> Value {
        match byte {
            0 => Value::Draw,
            d if d % 2 == 1 => Value::Win(Depth(d.into())),
            d => Value::Loss(Depth(d.into())),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        let preference = |value: Value| Verdict::from(value).preference();
        preference(*self).cmp(&preference(*other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Verdict::from(*self).fmt(f)
    }
}

/// A possibly incomplete value: the outcome, with the depth if a table has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The outcome for the player to move.
    pub wdl: Wdl,
    /// Plies to the end; `None` for a draw or if only the outcome is known.
    pub depth: Option<Depth>,
}

impl Verdict {
    /// Returns the value; `None` for a win or a loss of unknown depth.
    pub fn value(self) -> Option<Value> {
        match (self.wdl, self.depth) {
            (Wdl::Win, depth) => depth.map(Value::Win),
            (Wdl::Loss, depth) => depth.map(Value::Loss),
            (Wdl::Draw, _) => Some(Value::Draw),
        }
    }

    /// Returns the verdict on a turn, from that of the position after it.
    pub fn before(self) -> Verdict {
        Verdict {
            wdl: self.wdl.flip(),
            depth: self.depth.map(Depth::next),
        }
    }

    /// Returns a key that sorts verdicts by preference, consistent with [`Value`]'s order. An
    /// unknown depth counts as a long game.
    pub fn preference(self) -> (Wdl, i32) {
        let depth = self.depth.map_or(i32::from(u16::MAX), |depth| depth.0.into());
        match self.wdl {
            Wdl::Win => (self.wdl, -depth),
            Wdl::Draw => (self.wdl, 0),
            Wdl::Loss => (self.wdl, depth),
        }
    }
}

impl From<Value> for Verdict {
    fn from(value: Value) -> Verdict {
        Verdict {
            wdl: value.wdl(),
            depth: value.depth(),
        }
    }
}

impl From<Wdl> for Verdict {
    fn from(wdl: Wdl) -> Verdict {
        Verdict { wdl, depth: None }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.depth {
            Some(depth) => write!(f, "{} in {depth}", self.wdl),
            None => self.wdl.fmt(f),
        }
    }
}
