//! One-dimensional Phutball: the strip of Grossman & Nowakowski, *One-Dimensional Phutball*.
//!
//! A strip has `n` squares, 0 … n−1 from left to right. The ball stands on an interior square;
//! every other square is empty or holds a stone. A turn places a stone on an empty square, or jumps
//! the ball over the stones next to it, on either side, as often as runs of stones lie ahead. A
//! turn that ends with the ball on or beyond square n−1 wins for Left, on or beyond square 0 for
//! Right, whichever player made it.
//!
//! * [`AnyStrip`] is a position of any length: squares, ball, side to move.
//! * [`Strip`] is one of at most [`MAX_LENGTH`] squares in a few words, as tables, solvers and checks
//!   hold it; [`Halves`] is what both have in common.
//! * [`Turn`] is a turn, printed `o5`, `@8`, `@L`, `@R`.
//! * [`StripGame`] is the [`Game`](phutbase_base::game::Game) of one length, with its perfect index.

mod any;
mod index;
mod notation;
mod turns;

pub use any::{AnyStrip, LONGEST};
pub use index::{MAX_INDEXED_LENGTH, StripGame, positions};
pub use turns::{After, IllegalTurn, RatedStripTurn, Turn};

use super::rules::Rules;
use ethnum::U256;
use phutbase_base::outcome::Side;

/// Length of the shortest strip: two goal lines and one square between them.
pub const MIN_LENGTH: usize = 3;
/// Length of the longest strip that a table can hold.
pub const MAX_LENGTH: usize = 255;

/// A set of squares, bit `i` for square `i`.
pub type SquareSet = U256;

/// A position of at most [`MAX_LENGTH`] squares, packed.
///
/// Invariants: `MIN_LENGTH ≤ length ≤ MAX_LENGTH`, `1 ≤ ball ≤ length − 2`, and `stones` (bit `i` =
/// square `i`) holds neither the ball's square nor squares past the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Strip {
    length: u8,
    ball: u8,
    side: Side,
    rules: Rules,
    stones: SquareSet,
}

impl Strip {
    /// Creates a position of the ordinary game; `None` if an invariant of the type does not hold.
    pub fn new(length: usize, ball: usize, stones: impl Into<SquareSet>, side: Side) -> Option<Strip> {
        let stones = stones.into();
        let fits = (MIN_LENGTH..=MAX_LENGTH).contains(&length)
            && (1..=length - 2).contains(&ball)
            && stones & !squares(length) == 0
            && stones >> ball & 1 == 0;
        fits.then_some(Strip {
            length: length as u8,
            ball: ball as u8,
            side,
            rules: Rules::Ordinary,
            stones,
        })
    }

    /// Returns the number of squares.
    pub fn length(&self) -> usize {
        self.length.into()
    }

    /// Returns the ball's square.
    pub fn ball(&self) -> usize {
        self.ball.into()
    }

    /// Returns the stones, bit `i` for square `i`.
    pub fn stones(&self) -> SquareSet {
        self.stones
    }

    /// Returns the stones in words of 64 squares.
    #[inline]
    pub fn words(&self) -> [u64; 4] {
        let (high, low) = self.stones.into_words();
        [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64]
    }

    /// Returns the player to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns the same board with `side` to move.
    pub fn with_side(self, side: Side) -> Strip {
        Strip { side, ..self }
    }

    /// Returns the rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the same board under these rules.
    pub fn under(self, rules: Rules) -> Strip {
        Strip { rules, ..self }
    }

    /// Returns the strip reversed with the players swapped: the same game from the other end.
    pub fn mirror(&self) -> Strip {
        Strip {
            length: self.length,
            ball: self.length - 1 - self.ball,
            side: self.side.opponent(),
            stones: self.stones.reverse_bits() >> (U256::BITS as usize - self.length()),
            rules: self.rules,
        }
    }

    /// Extends the board to `length` squares with stones behind its right end. The longer strip has
    /// the same value (docs/PROOF.md, Lemma 1).
    pub fn followed_by_stones(&self, length: usize) -> Strip {
        assert!((self.length()..=MAX_LENGTH).contains(&length), "a longer strip");
        Strip {
            length: length as u8,
            stones: self.stones | squares(length) & !squares(self.length()),
            ..*self
        }
    }

    /// Returns this position, or its mirror image if Right is to move; Left is to move in the
    /// result.
    pub fn normalised(&self) -> Strip {
        match self.side {
            Side::Left => *self,
            Side::Right => self.mirror(),
        }
    }

    /// Returns the stones without the ball's square, the squares beyond it moved down by one: bit
    /// `i` is square `i` for `i < ball`, square `i + 1` otherwise. The result is below `2^(length −
    /// 1)`.
    pub fn pattern(&self) -> SquareSet {
        let below = squares(self.ball());
        self.stones & below | self.stones >> 1 & !below
    }

    /// Inverts [`pattern`](Strip::pattern); `None` if the parts do not form a position.
    pub fn from_pattern(
        length: usize,
        ball: usize,
        pattern: impl Into<SquareSet>,
        side: Side,
    ) -> Option<Strip> {
        let pattern = pattern.into();
        let interior = (MIN_LENGTH..=MAX_LENGTH).contains(&length) && (1..=length - 2).contains(&ball);
        if !interior || pattern & !squares(length - 1) != 0 {
            return None;
        }
        let below = squares(ball);
        Strip::new(length, ball, pattern & below | (pattern & !below) << 1, side)
    }
}

/// A position on a strip of some length, read square by square.
pub trait Halves {
    /// Returns the number of squares.
    fn length(&self) -> usize;

    /// Returns the ball's square.
    fn ball(&self) -> usize;

    /// Returns the player to move.
    fn side(&self) -> Side;

    /// Returns the rules.
    fn rules(&self) -> Rules;

    /// Returns whether a square holds a stone.
    fn stone(&self, square: usize) -> bool;

    /// Returns the board of the squares from `first` to `last`; `None` if the ball is not between
    /// them or there are too many for a [`Strip`].
    fn window(&self, first: usize, last: usize) -> Option<Strip> {
        let ball = self.ball().checked_sub(first)?;
        let length = (last + 1).checked_sub(first)?;
        if length > MAX_LENGTH || last >= self.length() {
            return None;
        }
        let squares = (first..=last).enumerate();
        let stones = squares.fold(U256::ZERO, |bits, (at, square)| {
            bits | U256::from(self.stone(square)) << at
        });
        Strip::new(length, ball, stones, self.side()).map(|strip| strip.under(self.rules()))
    }

    /// Returns the square at a distance from a player's goal line, and the distance of a square. Left's
    /// goal line is the last square.
    #[inline]
    fn square_from(&self, goal: Side, distance: usize) -> usize {
        match goal {
            Side::Left => self.length() - 1 - distance,
            Side::Right => distance,
        }
    }

    /// Yields the squares from a player's goal line to the ball; true for a stone.
    fn towards(&self, goal: Side) -> impl Iterator<Item = bool> {
        let squares = 0..self.square_from(goal, self.ball());
        squares.map(move |at| self.stone(self.square_from(goal, at)))
    }
}

impl Halves for Strip {
    fn length(&self) -> usize {
        self.length.into()
    }

    fn ball(&self) -> usize {
        self.ball.into()
    }

    fn side(&self) -> Side {
        self.side
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn stone(&self, square: usize) -> bool {
        self.words()[square / 64] >> (square % 64) & 1 == 1
    }
}

/// Joins words of 64 squares; squares past the last word are not in the set.
pub fn square_set(words: &[u64]) -> SquareSet {
    let words = words.iter().rev();
    words.fold(U256::ZERO, |higher, &word| higher << 64 | U256::from(word))
}

/// Returns the set of the first `count ≤ MAX_LENGTH` squares.
fn squares(count: usize) -> SquareSet {
    (U256::ONE << count) - 1
}
