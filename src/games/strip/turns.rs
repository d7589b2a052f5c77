//! Turns: generating them, and what they lead to.

use super::{Halves, SquareSet, Strip, squares};
use crate::game::{Rated, Successor, rated};
use crate::games::pitch::Direction;
use crate::outcome::{Side, Verdict, Wdl};

/// A turn of the strip, as notation prints it. Squares of long strips need more than a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Turn<Square = u8> {
    /// A stone on this empty square: `o5`.
    Place(Square),
    /// One or more jumps that end on this square, goal-line squares included: `@8`.
    Jump(Square),
    /// One or more jumps, the last one off the end of the strip: `@L` past square 0, `@R` past
    /// square n−1.
    Off(Side),
}

impl<S: Copy + Into<u32>> Turn<S> {
    /// Returns whether the turn touches only squares in front of the ball: for Left those to its
    /// right.
    pub fn is_forward(self, strip: &impl Halves) -> bool {
        let ball = strip.ball() as u32;
        match (self, strip.side()) {
            (Turn::Place(square) | Turn::Jump(square), Side::Left) => square.into() > ball,
            (Turn::Place(square) | Turn::Jump(square), Side::Right) => square.into() < ball,
            (Turn::Off(end), side) => end != side,
        }
    }

    /// Returns whether the turn touches only squares to the right of the ball.
    pub fn is_rightward(self, strip: &impl Halves) -> bool {
        self.is_forward(strip) == (strip.side() == Side::Left)
    }

    /// Returns whether the turn is *proper*: a stone in front of the ball, a jump turn of at least
    /// three squares in either direction, or a turn that wins at once. Play in which one player makes
    /// only finitely many other turns ends (docs/PROOF.md, Theorem N).
    pub fn is_proper(self, strip: &impl Halves) -> bool {
        let goal = match strip.side() {
            Side::Left => strip.length() - 1,
            Side::Right => 0,
        };
        match self {
            Turn::Place(_) | Turn::Off(_) => self.is_forward(strip),
            Turn::Jump(square) => {
                let square = square.into() as usize;
                square.abs_diff(strip.ball()) > 2 || square == goal
            }
        }
    }
}

/// The board after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Play goes on.
    Position(Strip),
    /// The ball is home, on a goal-line square or off the strip.
    Over {
        /// The number of squares.
        length: usize,
        /// The goal-line square that the ball stands on; `None` if it left the strip.
        ball: Option<usize>,
        /// The stones left, bit `i` for square `i`.
        stones: SquareSet,
        /// The player whose goal the ball reached.
        winner: Side,
    },
}

impl After {
    /// Returns the result for the player who made the turn.
    pub fn successor(&self, mover: Side) -> Successor<Strip> {
        match *self {
            After::Position(strip) => Successor::Position(strip),
            After::Over { winner, .. } => Successor::Over(Wdl::won_by(winner, mover)),
        }
    }
}

/// A turn of a strip with its value.
pub type RatedStripTurn = Rated<Turn, After>;

/// A turn that the rules do not allow in a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{turn} is not a legal turn in '{position}'")]
pub struct IllegalTurn {
    /// The turn.
    pub turn: Turn,
    /// The position, in notation.
    pub position: String,
}

impl Strip {
    /// Calls `visit` for every legal turn: stones by ascending square, then jumps to the right by
    /// growing distance, then jumps to the left. No two turns lead to the same board.
    pub fn for_each_turn(&self, visit: impl FnMut(Turn)) {
        for_each_turn(self, visit);
    }

    /// Returns the legal turns, in the order of [`for_each_turn`](Strip::for_each_turn).
    pub fn turns(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        self.for_each_turn(|turn| turns.push(turn));
        turns
    }

    /// Returns the legal turns with their values, from those of positions: best first, ties in the
    /// order of generation.
    pub fn rated_turns<E>(
        &self,
        value: impl Fn(&Strip) -> Result<Verdict, E>,
    ) -> Result<Vec<RatedStripTurn>, E> {
        let turns = self.turns().into_iter().map(|turn| (turn, self.after(turn)));
        rated(turns, |after| after.successor(self.side), value)
    }

    /// Plays a legal turn.
    pub fn play(&self, turn: Turn) -> Result<After, IllegalTurn> {
        let mut legal = false;
        self.for_each_turn(|candidate| legal |= candidate == turn);
        if legal {
            Ok(self.after(turn))
        } else {
            Err(IllegalTurn {
                turn,
                position: self.to_string(),
            })
        }
    }

    /// Returns the board after a turn that is known to be legal.
    pub(crate) fn after(&self, turn: Turn) -> After {
        match turn {
            Turn::Place(square) => After::Position(Strip {
                stones: self.stones | SquareSet::ONE << square,
                side: self.side.opponent(),
                ..*self
            }),
            Turn::Jump(square) => self.landed(square.into()),
            Turn::Off(end) => self.left_the_strip(end),
        }
    }

    /// Moves the ball to `target` and removes the stones jumped over.
    fn landed(&self, target: usize) -> After {
        let (low, high) = (self.ball().min(target), self.ball().max(target));
        let stones = self.stones & !(squares(high) & !squares(low));
        let last = self.length() - 1;
        if target == 0 || target == last {
            return After::Over {
                length: self.length(),
                ball: Some(target),
                stones,
                winner: if target == 0 { Side::Right } else { Side::Left },
            };
        }
        After::Position(Strip {
            length: self.length,
            ball: target as u8,
            side: self.side.opponent(),
            rules: self.rules,
            stones,
        })
    }

    /// Moves the ball off one end, which removes every stone on that side.
    fn left_the_strip(&self, end: Side) -> After {
        let left_part = squares(self.ball());
        let stones = match end {
            Side::Left => self.stones & !left_part,
            Side::Right => self.stones & left_part,
        };
        After::Over {
            length: self.length(),
            ball: None,
            stones,
            winner: end.opponent(),
        }
    }
}

/// Visits every legal turn, in the order of [`Strip::for_each_turn`].
pub(super) fn for_each_turn<S: TryFrom<usize>>(strip: &impl Halves, mut visit: impl FnMut(Turn<S>)) {
    for square in 0..strip.length() {
        if square != strip.ball() && !strip.stone(square) {
            visit(Turn::Place(number(square)));
        }
    }
    for_each_jump(strip, &mut visit);
}

/// Visits the legal jumps, those to the right first.
pub(super) fn for_each_jump<S: TryFrom<usize>>(strip: &impl Halves, visit: &mut impl FnMut(Turn<S>)) {
    for (end, direction) in [(Side::Right, Direction::N), (Side::Left, Direction::S)] {
        if strip.rules().allow(strip.side(), direction) {
            jumps_towards(strip, end, visit);
        }
    }
}

/// Visits the jumps towards one end: over a run to the first empty square, and on while a stone is
/// next.
fn jumps_towards<S: TryFrom<usize>>(strip: &impl Halves, end: Side, visit: &mut impl FnMut(Turn<S>)) {
    let step = |square: usize| match end {
        Side::Right => (square + 1 < strip.length()).then_some(square + 1),
        Side::Left => square.checked_sub(1),
    };
    let mut ball = strip.ball();
    loop {
        let mut ahead = step(ball);
        if !ahead.is_some_and(|square| strip.stone(square)) {
            return;
        }
        while ahead.is_some_and(|square| strip.stone(square)) {
            ahead = ahead.and_then(step);
        }
        let Some(square) = ahead else {
            return visit(Turn::Off(end));
        };
        visit(Turn::Jump(number(square)));
        ball = square;
    }
}

fn number<S: TryFrom<usize>>(square: usize) -> S {
    S::try_from(square).ok().expect("a square of the strip")
}
