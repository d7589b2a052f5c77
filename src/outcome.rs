//! The words that every module shares: who moves, who wins, and in how many plies.
//!
//! One convention holds everywhere (docs/QUERY.md, "Notation"): values are seen by the player whose turn it is;
//! a *ply* is one turn of one player; a win takes an odd number of plies (1 = the ball goes home this turn), a loss
//! an even number. A draw is a value of its own and has no depth.

use std::cmp::Ordering;
use std::fmt;

/// Why a text says nothing that is possible: in words that quote it, say where it goes wrong, and what to write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(pub String);

/// The meaning of one of some words.
///
/// # Errors
/// [`ParseError`] with the words that there are.
pub fn read_word<T: Copy>(found: &str, words: &[(&str, T)]) -> Result<T, ParseError> {
    let known = words.iter().find(|(word, _)| *word == found);
    known.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let expected: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        ParseError(format!("'{found}' is not one of {}", expected.join(", ")))
    })
}

/// Gives an enum its words: it is printed and read as them.
macro_rules! words {
    ($type:ty: $($variant:ident = $word:literal),*) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $(<$type>::$variant => $word,)*
                })
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
pub(crate) use words;

/// One of the two players of a game.
///
/// Left attacks the right end of the strip and Right the left end; in games with other names (Alfred and
/// Betty on the pitch) Left stands for the first-named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The first-named player.
    Left,
    /// The second-named player.
    Right,
}

impl Side {
    /// The other player.
    pub fn opponent(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    /// The letter that notation uses: `L` or `R`.
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
    /// The depth seen one ply earlier, by the player who moved.
    pub fn next(self) -> Depth {
        Depth(self.0 + 1)
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who wins, without the depth; seen by the player to move.
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
    /// The same outcome seen by the other player.
    pub fn flip(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// `win`, `loss` or `draw`.
    pub fn word(self) -> &'static str {
        match self {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        }
    }

    /// The winner, if there is one, when `mover` is the player to move.
    pub fn winner(self, mover: Side) -> Option<Side> {
        match self {
            Wdl::Win => Some(mover),
            Wdl::Loss => Some(mover.opponent()),
            Wdl::Draw => None,
        }
    }
}

words!(Wdl: Win = "win", Loss = "loss", Draw = "draw");

/// The exact value of a position or of a turn, seen by the player to move.
///
/// The order is that of preference: a short win is greatest, then longer wins, the draw, long losses, and the
/// shortest loss is least. `max` over the turns of a position is therefore its value.
///
/// A turn that carries the ball over one's own goal line ends the game after one ply, so as the value *of a turn*
/// it is `Loss(1)`, the least of all; the value of a position on the strip is never that.
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
    /// The outcome without the depth.
    pub fn wdl(self) -> Wdl {
        match self {
            Value::Win(_) => Wdl::Win,
            Value::Loss(_) => Wdl::Loss,
            Value::Draw => Wdl::Draw,
        }
    }

    /// Plies to the end; `None` for a draw.
    pub fn depth(self) -> Option<Depth> {
        match self {
            Value::Win(depth) | Value::Loss(depth) => Some(depth),
            Value::Draw => None,
        }
    }

    /// The value of the turn that leads to a position with this value (this value is its opponent's).
    pub fn before(self) -> Value {
        match self {
            Value::Win(depth) => Value::Loss(depth.next()),
            Value::Loss(depth) => Value::Win(depth.next()),
            Value::Draw => Value::Draw,
        }
    }

    /// The value of a turn that ends the game with this outcome: after one ply, whoever wins.
    pub fn at_once(outcome: Wdl) -> Value {
        match outcome {
            Wdl::Win => Value::Win(Depth(1)),
            Wdl::Loss => Value::Loss(Depth(1)),
            Wdl::Draw => Value::Draw,
        }
    }

    /// Reads a depth byte of a `dtw` table: 0 = draw, odd = win, even = loss.
    pub fn from_depth_byte(byte: u8) -> Value {
        match byte {
            0 => Value::Draw,
            d if d % 2 == 1 => Value::Win(Depth(d.into())),
            d => Value::Loss(Depth(d.into())),
        }
    }

    /// A number that grows with the value to the player; see the type's documentation for the order.
    fn rank(self) -> i32 {
        const FAR: i32 = 1 << 20;
        match self {
            Value::Win(depth) => FAR - i32::from(depth.0),
            Value::Draw => 0,
            Value::Loss(depth) => i32::from(depth.0) - FAR,
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
        self.rank().cmp(&other.rank())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(depth) => write!(f, "win in {depth}"),
            Value::Loss(depth) => write!(f, "loss in {depth}"),
            Value::Draw => f.write_str("draw"),
        }
    }
}

/// What is known of a position or turn: the outcome, and the depth where a table has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who wins, seen by the player to move.
    pub wdl: Wdl,
    /// Plies to the end; `None` for a draw, and where only the outcome is known.
    pub depth: Option<Depth>,
}

impl Verdict {
    /// The value with its depth; `None` of a win or a loss whose depth is not known.
    pub fn value(self) -> Option<Value> {
        match (self.wdl, self.depth) {
            (Wdl::Win, depth) => depth.map(Value::Win),
            (Wdl::Loss, depth) => depth.map(Value::Loss),
            (Wdl::Draw, _) => Some(Value::Draw),
        }
    }

    /// The verdict on the turn that leads to a position with this one.
    pub fn before(self) -> Verdict {
        Verdict {
            wdl: self.wdl.flip(),
            depth: self.depth.map(Depth::next),
        }
    }

    /// A key that is greater the better the verdict is for the player: as [`Value`]'s order where depths are known; among wins and among losses
    /// an unknown depth counts as long.
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
