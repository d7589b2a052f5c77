//! The members of a set that fit a pattern: how many, the k-th, random ones.
//!
//! Members are in the order of their notation with `.` before `o` before `@`: square 0 counts most. To know the number below
//! every node is enough to go straight to the k-th member, so the first ones and uniformly random ones cost the same.

use super::{Diagram, View};
use crate::games::strip::Strip;
use crate::outcome::Side;
use hashbrown::HashMap;
use num_bigint::BigUint;

/// What may stand on each square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    squares: Vec<Allowed>,
}

/// What may stand on one square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Allowed {
    empty: bool,
    stone: bool,
    ball: bool,
}

const ANYTHING: Allowed = Allowed {
    empty: true,
    stone: true,
    ball: true,
};

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// A character that means nothing.
    #[error(
        "'{symbol}' at place {place} of the pattern: use '.', 'o', '@', '?' (anything) and one '*' (any squares)"
    )]
    Symbol {
        /// The character.
        symbol: char,
        /// Its place in the text, from 0.
        place: usize,
    },
    /// It does not fit the length.
    #[error("the pattern is for {} {found} squares, not {length}: fill it up with '?', or put one '*' where any squares may be", if *open { "at least" } else { "exactly" })]
    Length {
        /// The squares that it speaks of.
        found: usize,
        /// The strip's.
        length: usize,
        /// Whether it has a `*`.
        open: bool,
    },
}

impl Pattern {
    /// Every board of a length.
    pub fn any(length: usize) -> Pattern {
        Pattern {
            squares: vec![ANYTHING; length],
        }
    }

    /// Reads a pattern for strips of `length` squares: `.`, `o` and `@` as in positions, `?` for anything, and one `*` for as many
    /// squares with anything on them as are missing.
    ///
    /// # Errors
    /// [`PatternError`].
    pub fn parse(text: &str, length: usize) -> Result<Pattern, PatternError> {
        let mut squares = Vec::new();
        let mut star = None;
        for (place, symbol) in text.chars().enumerate() {
            let only = |empty, stone, ball| Allowed { empty, stone, ball };
            match symbol {
                '.' => squares.push(only(true, false, false)),
                'o' | 'O' => squares.push(only(false, true, false)),
                '@' => squares.push(only(false, false, true)),
                '?' => squares.push(ANYTHING),
                '*' if star.is_none() => star = Some(squares.len()),
                _ => return Err(PatternError::Symbol { symbol, place }),
            }
        }
        let found = squares.len();
        match star {
            Some(at) if found <= length => {
                squares.splice(at..at, vec![ANYTHING; length - found]);
            }
            None if found == length => {}
            _ => {
                return Err(PatternError::Length {
                    found,
                    length,
                    open: star.is_some(),
                });
            }
        }
        Ok(Pattern { squares })
    }

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.squares.len()
    }

    /// The pattern of the mirror images.
    pub fn mirror(&self) -> Pattern {
        Pattern {
            squares: self.squares.iter().rev().copied().collect(),
        }
    }

    /// Whether a board, whoever is to move on it, fits.
    pub fn fits(&self, strip: &Strip) -> bool {
        strip.length() == self.length()
            && (self.squares.iter().enumerate()).all(|(square, allowed)| {
                if square == strip.ball() {
                    allowed.ball
                } else if strip.stones() >> square & 1 == 1 {
                    allowed.stone
                } else {
                    allowed.empty
                }
            })
    }
}

/// The members of one set that fit one pattern.
pub struct Members<'a, D: Diagram> {
    diagram: &'a D,
    set: D::Ref,
    pattern: &'a Pattern,
    /// Members below each node, from its own square on.
    known: HashMap<D::Ref, BigUint>,
    total: BigUint,
}

impl<'a, D: Diagram> Members<'a, D> {
    /// Counts them.
    ///
    /// # Panics
    /// If the pattern is of another length.
    pub fn new(diagram: &'a D, set: D::Ref, pattern: &'a Pattern) -> Members<'a, D> {
        assert_eq!(diagram.length(), pattern.length(), "a pattern of another length");
        let mut members = Members {
            diagram,
            set,
            pattern,
            known: HashMap::new(),
            total: BigUint::ZERO,
        };
        members.total = members.count(set, 0, false);
        members
    }

    /// How many there are.
    pub fn total(&self) -> &BigUint {
        &self.total
    }

    /// The k-th member, from 0, with `side` to move; `None` past the last.
    pub fn nth(&mut self, k: &BigUint, side: Side) -> Option<Strip> {
        if *k >= self.total {
            return None;
        }
        let mut rest = k.clone();
        let mut at = self.set;
        let mut ball = None;
        let mut stones = 0u128;
        for square in 0..self.diagram.length() {
            for (symbol, child) in self.branches(at, square, ball.is_some()) {
                let below = self.count(child, square + 1, ball.is_some() || symbol == Symbol::Ball);
                if rest < below {
                    match symbol {
                        Symbol::Empty => {}
                        Symbol::Stone => stones |= 1 << square,
                        Symbol::Ball => ball = Some(square),
                    }
                    at = child;
                    break;
                }
                rest -= below;
            }
        }
        Strip::new(self.diagram.length(), ball?, stones, side)
    }

    /// The members from `square` on, of a node that stands there or further right.
    fn count(&mut self, at: D::Ref, square: usize, ball_met: bool) -> BigUint {
        let level = match self.diagram.view(at) {
            View::Bottom => return BigUint::ZERO,
            View::Top => self.diagram.length(),
            View::Ternary { level, .. } | View::Binary { level, .. } => level,
        };
        if level > square {
            let free = self.free(square, level);
            return match free {
                None => BigUint::ZERO,
                Some(free) => self.count(at, level, ball_met) << free,
            };
        }
        if square == self.diagram.length() {
            return BigUint::from(1u8);
        }
        if let Some(known) = self.known.get(&at) {
            return known.clone();
        }
        let mut total = BigUint::ZERO;
        for (symbol, child) in self.branches(at, square, ball_met) {
            total += self.count(child, square + 1, ball_met || symbol == Symbol::Ball);
        }
        self.known.insert(at, total.clone());
        total
    }

    /// Of the squares `from … to − 1`, after the ball and of no matter to the set, how many may hold either; `None` if one
    /// may hold neither.
    fn free(&self, from: usize, to: usize) -> Option<usize> {
        let mut free = 0;
        for allowed in &self.pattern.squares[from..to] {
            match (allowed.empty, allowed.stone) {
                (true, true) => free += 1,
                (false, false) => return None,
                _ => {}
            }
        }
        Some(free)
    }

    /// The children of a node on a square that the pattern lets through, in order.
    fn branches(
        &self,
        at: D::Ref,
        square: usize,
        ball_met: bool,
    ) -> impl Iterator<Item = (Symbol, D::Ref)> + use<D> {
        let allowed = self.pattern.squares[square];
        let (empty, stone, ball) = match self.diagram.view(at) {
            View::Ternary {
                level,
                empty,
                stone,
                ball,
            } if level == square && !ball_met => (empty, stone, Some(ball)),
            View::Binary { level, empty, stone } if level == square => (empty, stone, None),
            _ => (at, at, None),
        };
        [
            (Symbol::Empty, Some(empty).filter(|_| allowed.empty)),
            (Symbol::Stone, Some(stone).filter(|_| allowed.stone)),
            (Symbol::Ball, ball.filter(|_| allowed.ball)),
        ]
        .into_iter()
        .filter_map(|(symbol, child)| child.map(|child| (symbol, child)))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Symbol {
    Empty,
    Stone,
    Ball,
}
