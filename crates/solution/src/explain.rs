//! Reading a board by hand: the name after every square, and why a player wins (Heads and tails,
//! docs/RULES.md).
//!
//! [`BothHalves`] has what a half strip comes to, in the same words for every answer. [`Reading`] has every
//! step. Both are data; names, values and steps have the notation of the text as their `Display`.

use crate::classes::canonical;
use crate::half::HalfState;
use crate::rule::{Head, Kind, Name, Tail, Value, is_further_case, wins};
use phutbase_base::outcome::Side;
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
        let mut names = Vec::with_capacity(1);
        if let Some(name) = name.exception(stone) {
            names.push(Renaming { rule: Some(10), name });
        } else {
            let mut name = name.letter(stone);
            names.push(Renaming { rule: None, name });
            while let Some((rule, other)) = name.near_goal_line() {
                name = other;
                let rule = Some(rule);
                names.push(Renaming { rule, name });
            }
        }
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

/// A half strip in short: its canonical word, its name and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HalfSummary {
    /// The shortest word with the same winners in every context, from the goal line to the ball;
    /// empty for a half that is no defence.
    pub word: String,
    /// Its name.
    pub name: Name,
    /// Its potential and type.
    pub value: Value,
}

impl HalfSummary {
    /// Sums up a word, read from its goal line to the ball; true for a stone. Time is linear in its
    /// length.
    pub fn of(word: impl IntoIterator<Item = bool> + Clone) -> HalfSummary {
        let half = HalfState::of(word.clone());
        let letter = |stone| if stone { 'o' } else { '.' };
        HalfSummary {
            word: canonical(word).into_iter().map(letter).collect(),
            name: half.name(),
            value: half.value(),
        }
    }
}

/// The halves of a strip in short, and the comparison for either player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BothHalves {
    /// The half left of the ball, read from the left end.
    pub left: HalfSummary,
    /// The half right of the ball, read from the right end.
    pub right: HalfSummary,
    /// Potential of the left half minus that of the right half: the lead as Left sees it.
    pub lead: i32,
    /// With Left to move and with Right to move.
    pub comparisons: [Comparison; 2],
}

/// The comparison of both halves: the player to move wins if `behind` is at least `ahead`, and in two
/// further cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The player to move.
    pub side: Side,
    /// In eighths, the potential behind the ball and the correction x of its type.
    pub behind: i32,
    /// In eighths, the potential ahead of the ball and the correction y of its type.
    pub ahead: i32,
    /// True if one of the two further cases holds.
    pub is_further_case: bool,
    /// The winner.
    pub winner: Side,
}

impl BothHalves {
    /// Returns why a player wins a strip of the ordinary game. Time is linear in its length.
    pub fn of(strip: &impl Halves) -> BothHalves {
        // The left half ends at Right's goal line.
        let word = |goal| strip.towards(goal).collect::<Vec<bool>>();
        let [left, right] = [Side::Right, Side::Left].map(word).map(HalfSummary::of);
        BothHalves {
            lead: left.value.potential - right.value.potential,
            comparisons: [
                Comparison::of(Side::Left, left.value, right.value),
                Comparison::of(Side::Right, right.value, left.value),
            ],
            left,
            right,
        }
    }

    /// Returns the comparison with a player to move.
    pub fn comparison(&self, side: Side) -> &Comparison {
        match side {
            Side::Left => &self.comparisons[0],
            Side::Right => &self.comparisons[1],
        }
    }
}

impl Comparison {
    /// Compares two halves, behind the ball and ahead of it, for the player to move.
    pub fn of(side: Side, behind: Value, ahead: Value) -> Comparison {
        let is_won = wins(behind, ahead);
        Comparison {
            side,
            behind: 8 * behind.potential + behind.kind.to_move(),
            ahead: 8 * ahead.potential + ahead.kind.not_to_move(),
            is_further_case: is_further_case(behind, ahead),
            winner: if is_won { side } else { side.opponent() },
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
