//! Reading a board by hand: the name after every square, and why a player wins (Heads and tails,
//! docs/RULES.md).
//!
//! [`Reading`] has every step, [`Comparison`] the values of both halves. Both are data; names, values and
//! steps have the notation of the text as their `Display`.

use crate::half::HalfState;
use crate::rule::{Head, Kind, Name, Tail, Value, is_further_case, wins};
use phutbase_base::outcome::Side;
use phutbase_rules::half::HalfAutomaton;
use phutbase_rules::strip::Halves;
use std::fmt;

/// A half strip, read square by square from its goal line to the ball.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// A step for each square.
    pub steps: Vec<Step>,
}

/// One square, with the names after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// True if the square holds a stone.
    pub stone: bool,
    /// The names that the word gets one after the other; at least one. The last one stays.
    pub names: Vec<Renaming>,
    /// Potential and type of the word up to this square.
    pub value: Value,
}

/// A name, and the rule that gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renaming {
    /// The number of the rule near the goal line; `None` for a name by the sections on stones, empty
    /// squares and chains.
    pub rule: Option<u8>,
    /// The name.
    pub name: Name,
}

impl Reading {
    /// Reads a word from its goal line to the ball; true for a stone.
    pub fn of(word: impl IntoIterator<Item = bool>) -> Reading {
        let mut name = Name::EMPTY;
        let steps = word.into_iter().map(|stone| {
            let step = Step::after(name, stone);
            name = step.name();
            step
        });
        Reading {
            steps: steps.collect(),
        }
    }

    /// Returns the name of the whole word.
    pub fn name(&self) -> Name {
        self.steps.last().map_or(Name::EMPTY, Step::name)
    }

    /// Returns potential and type of the whole word.
    pub fn value(&self) -> Value {
        self.name().value()
    }
}

impl Step {
    /// Reads one more square after a name.
    fn after(name: Name, stone: bool) -> Step {
        let names = name.names(stone).map(|(rule, name)| Renaming { rule, name });
        let names: Vec<Renaming> = names.collect();
        let value = names[names.len() - 1].name.value();
        Step { stone, names, value }
    }

    /// Returns the name that stays.
    pub fn name(&self) -> Name {
        self.names[self.names.len() - 1].name
    }

    /// Returns the square as a letter, `o` or `.`.
    pub fn letter(&self) -> char {
        if self.stone { 'o' } else { '.' }
    }
}

/// Writes `o: G_{0,-1} o [0] = A_0 o [0] (rule 1) = L [0] (rule 7)`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.letter())?;
        for (at, Renaming { rule, name }) in self.names.iter().enumerate() {
            write!(f, "{}{name}", if at == 0 { " " } else { " = " })?;
            if let Some(rule) = rule {
                write!(f, " (rule {rule})")?;
            }
        }
        Ok(())
    }
}

/// The comparison of both halves of a strip: the player to move wins if what is behind the ball is worth at
/// least what is ahead, and in two further cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The player to move.
    pub side: Side,
    /// The half that ends at the opponent's goal line.
    pub behind: Value,
    /// The half that ends at the player's own goal line.
    pub ahead: Value,
}

impl Comparison {
    /// Compares the halves of a strip of the ordinary game. Time is linear in its length.
    pub fn of(strip: &impl Halves) -> Comparison {
        let side = strip.side();
        let value = |goal| HalfState::value_of(strip.towards(goal));
        let [behind, ahead] = [side.opponent(), side].map(value);
        Comparison { side, behind, ahead }
    }

    /// Returns, in eighths, the potential behind the ball with the correction x of its type, and the one ahead
    /// with the correction y.
    pub fn eighths(&self) -> [i32; 2] {
        let Comparison { behind, ahead, .. } = self;
        [
            8 * behind.potential + behind.kind.to_move(),
            8 * ahead.potential + ahead.kind.not_to_move(),
        ]
    }

    /// True if one of the two further cases holds.
    pub fn is_further_case(&self) -> bool {
        is_further_case(self.behind, self.ahead)
    }

    /// Returns the winner.
    pub fn winner(&self) -> Side {
        if wins(self.behind, self.ahead) {
            self.side
        } else {
            self.side.opponent()
        }
    }
}

/// Writes the head with its indices and mark, the tail, and K: `G_{-1,-1}' oooo [4]`. The number n of
/// a head G is a third index where it is not 0. The index of T is that of the Q which follows.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Name { i, j, n, .. } = *self;
        match self.head {
            Head::L => write!(f, "L"),
            Head::LStar => write!(f, "L*"),
            Head::E => write!(f, "E"),
            Head::T if i < 0 => write!(f, "T"),
            Head::G if n > 0 => write!(f, "G_{{{i},{j},{n}}}"),
            head @ (Head::G | Head::Q | Head::Y) => write!(f, "{head:?}_{{{i},{j}}}"),
            head if i < 0 => write!(f, "{head:?}_{{{i}}}"),
            head => write!(f, "{head:?}_{i}"),
        }?;
        if self.marked {
            write!(f, "'")?;
        }
        if self.tail != Tail::Bare {
            write!(f, " {}", self.tail)?;
        }
        write!(f, " [{}]", self.number)
    }
}

/// Writes the squares; nothing for no tail.
impl fmt::Display for Tail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tail::Bare => "",
            Tail::S => "o",
            Tail::SS => "oo",
            Tail::SSD => "oo.",
            Tail::SSS => "ooo",
            Tail::SSSS => "oooo",
            Tail::SD => "o.",
            Tail::SDS => "o.o",
            Tail::SDSS => "o.oo",
            Tail::SDSSD => "o.oo.",
        })
    }
}

/// Writes the letter.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
