//! Oddish Phutball (Grossman & Nowakowski, *One-Dimensional Phutball*, §2): the strip with stones
//! placed at odd distance from the ball only, without the squares at even distance.
//!
//! A board has `m` squares, 0 … m−1 from left to right, each empty or with a stone, and an arrow in
//! a *gap*: gap g lies before square g, gap m after the last. A turn places a stone on an empty
//! square, or moves the arrow over one or more of the stones next to it, on one side, and removes
//! those it passes. Gap m wins for Left, gap 0 for Right, whichever player moved it there; play
//! starts from an interior gap.
//!
//! * [`Oddish`] is a position: squares, gap, stones, side to move.
//! * [`Turn`] is a turn, printed `o5` (a stone on square 5) or `^3` (the arrow to gap 3).
//! * [`OddishGame`] is the [`Game`] of one number of squares, with its perfect index.

mod notation;

use phutbase_base::game::{Game, Successor};
use phutbase_base::outcome::{Side, Wdl};

/// Fewest squares of a board: one on each side of the arrow.
pub const MIN_SQUARES: usize = 2;
/// Most squares of a single position.
pub const MAX_SQUARES: usize = 63;
/// Most squares of boards whose sets of positions are computed symbolically.
pub const MAX_SET_SQUARES: usize = 120;
/// Most squares with an index of 64 bits.
pub const MAX_INDEXED_SQUARES: usize = 58;

/// A position of Oddish Phutball.
///
/// Invariants: `MIN_SQUARES ≤ squares ≤ MAX_SQUARES`, `1 ≤ gap ≤ squares − 1`, and `stones` (bit
/// `i` = square `i`) holds no square past the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Oddish {
    squares: u8,
    gap: u8,
    side: Side,
    stones: u64,
}

/// A turn of Oddish Phutball.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Turn {
    /// A stone on this empty square.
    Place(u8),
    /// The arrow to this gap, over stones only.
    Move(u8),
}

impl Oddish {
    /// Creates a position; `None` if an invariant of the type does not hold.
    pub fn new(squares: usize, gap: usize, stones: u64, side: Side) -> Option<Oddish> {
        let fits = (MIN_SQUARES..=MAX_SQUARES).contains(&squares)
            && (1..squares).contains(&gap)
            && stones >> squares == 0;
        fits.then_some(Oddish {
            squares: squares as u8,
            gap: gap as u8,
            side,
            stones,
        })
    }

    /// Returns the number of squares.
    pub fn squares(&self) -> usize {
        self.squares.into()
    }

    /// Returns the arrow's gap: the number of squares to its left.
    pub fn gap(&self) -> usize {
        self.gap.into()
    }

    /// Returns the stones, bit `i` for square `i`.
    pub fn stones(&self) -> u64 {
        self.stones
    }

    /// Returns the player to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns the same board with `side` to move.
    pub fn with_side(self, side: Side) -> Oddish {
        Oddish { side, ..self }
    }

    /// Returns the board reversed with the players swapped: the same game from the other end.
    pub fn mirror(&self) -> Oddish {
        Oddish {
            squares: self.squares,
            gap: self.squares - self.gap,
            side: self.side.opponent(),
            stones: self.stones.reverse_bits() >> (64 - self.squares()),
        }
    }

    /// Returns this position, or its mirror image if Right is to move; Left is to move in the
    /// result.
    pub fn normalised(&self) -> Oddish {
        match self.side {
            Side::Left => *self,
            Side::Right => self.mirror(),
        }
    }

    /// Calls `visit` for every legal turn: stones by ascending square, then the arrow to the right
    /// by growing distance, then to the left. No two turns lead to the same board.
    pub fn for_each_turn(&self, mut visit: impl FnMut(Turn)) {
        for square in 0..self.squares {
            if self.stones >> square & 1 == 0 {
                visit(Turn::Place(square));
            }
        }
        let right = (self.stones >> self.gap).trailing_ones() as u8;
        for distance in 1..=right {
            visit(Turn::Move(self.gap + distance));
        }
        let left = (self.stones << (64 - self.gap)).leading_ones() as u8;
        for distance in 1..=left {
            visit(Turn::Move(self.gap - distance));
        }
    }

    /// Returns the legal turns, in the order of [`for_each_turn`](Oddish::for_each_turn).
    pub fn turns(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        self.for_each_turn(|turn| turns.push(turn));
        turns
    }

    /// Plays a turn; `None` if it is not legal.
    pub fn play(&self, turn: Turn) -> Option<Successor<Oddish>> {
        self.turns().contains(&turn).then(|| self.after(turn))
    }

    /// Returns the arrow's gap and the stones after a legal turn.
    fn moved(&self, turn: Turn) -> (u8, u64) {
        match turn {
            Turn::Place(square) => (self.gap, self.stones | 1 << square),
            Turn::Move(gap) => {
                let (low, high) = (self.gap.min(gap), self.gap.max(gap));
                let passed = (1u64 << high) - (1u64 << low);
                (gap, self.stones & !passed)
            }
        }
    }

    fn after(&self, turn: Turn) -> Successor<Oddish> {
        let (gap, stones) = self.moved(turn);
        if gap == 0 || gap == self.squares {
            let winner = if gap == 0 { Side::Right } else { Side::Left };
            return Successor::Over(Wdl::won_by(winner, self.side));
        }
        Successor::Position(Oddish {
            squares: self.squares,
            gap,
            side: self.side.opponent(),
            stones,
        })
    }
}

/// The boards of one size as a [`Game`] with an index: `index = (gap − 1) · 2^m + stones`, Left to
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OddishGame {
    squares: usize,
}

impl OddishGame {
    /// Creates the game of one size; `None` outside `MIN_SQUARES ..= MAX_INDEXED_SQUARES`.
    pub fn new(squares: usize) -> Option<OddishGame> {
        (MIN_SQUARES..=MAX_INDEXED_SQUARES)
            .contains(&squares)
            .then_some(OddishGame { squares })
    }
}

impl Game for OddishGame {
    type Position = Oddish;
    type Turn = Turn;

    fn positions(&self) -> u64 {
        (self.squares as u64 - 1) << self.squares
    }

    fn index(&self, position: &Oddish) -> u64 {
        assert_eq!(position.squares(), self.squares, "a board of another size");
        let left = position.normalised();
        (left.gap() as u64 - 1) << self.squares | left.stones
    }

    fn position(&self, index: u64) -> Oddish {
        let gap = (index >> self.squares) as usize + 1;
        let stones = index & ((1 << self.squares) - 1);
        Oddish::new(self.squares, gap, stones, Side::Left).expect("an index below positions()")
    }

    fn turns(&self, position: &Oddish, visit: &mut dyn FnMut(Turn, Successor<Oddish>)) {
        position.for_each_turn(|turn| visit(turn, position.after(turn)));
    }
}
