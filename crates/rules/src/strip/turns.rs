//! Turns: generating them, and what they lead to.

use super::notation::excerpt;
use super::{Halves, SquareSet, Strip, squares};
use crate::pitch::Direction;
use phutbase_base::game::{Rated, Successor, rated};
use phutbase_base::outcome::{Side, Verdict, Wdl};

/// A turn of the strip, as notation prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Turn {
    /// A stone on this empty square: `o5`.
    Place(usize),
    /// One or more jumps that end on this square, goal-line squares included: `@8`.
    Jump(usize),
    /// One or more jumps, the last one off the end of the strip: `@L` past square 0, `@R` past
    /// square n−1.
    Off(Side),
}

impl Turn {
    /// Returns whether the turn touches only squares in front of the ball: for Left those to its
    /// right.
    pub fn is_forward(self, strip: &impl Halves) -> bool {
        let ball = strip.ball();
        match (self, strip.side()) {
            (Turn::Place(square) | Turn::Jump(square), Side::Left) => square > ball,
            (Turn::Place(square) | Turn::Jump(square), Side::Right) => square < ball,
            (Turn::Off(end), side) => end != side,
        }
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
            Turn::Jump(square) => square.abs_diff(strip.ball()) > 2 || square == goal,
        }
    }
}

/// The result of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After<S = Strip> {
    /// Play goes on.
    Position(S),
    /// The ball is home, on a goal-line square or off the strip.
    Over {
        /// The player whose goal the ball reached.
        winner: Side,
    },
}

impl<S: Clone> After<S> {
    /// Returns the result for the player who made the turn.
    pub fn successor(&self, mover: Side) -> Successor<S> {
        match self {
            After::Position(strip) => Successor::Position(strip.clone()),
            After::Over { winner } => Successor::Over(Wdl::won_by(*winner, mover)),
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
        check_legal(self, turn)?;
        Ok(self.after(turn))
    }

    /// Returns the board after a turn that is known to be legal.
    pub fn after(&self, turn: Turn) -> After {
        let ball = match ball_after(self, turn) {
            Ok(ball) => ball,
            Err(winner) => return After::Over { winner },
        };
        let (low, high) = (self.ball().min(ball), self.ball().max(ball));
        let stones = match turn {
            Turn::Place(square) => self.stones | SquareSet::ONE << square,
            _ => self.stones & !(squares(high) & !squares(low)),
        };
        After::Position(Strip {
            ball: ball as u8,
            side: self.side.opponent(),
            stones,
            ..*self
        })
    }
}

/// Fails unless a turn is legal.
pub(super) fn check_legal(strip: &(impl Halves + ToString), turn: Turn) -> Result<(), IllegalTurn> {
    let mut is_legal = match turn {
        Turn::Place(square) => square < strip.length() && square != strip.ball() && !strip.stone(square),
        Turn::Jump(_) | Turn::Off(_) => false,
    };
    for_each_jump(strip, &mut |jump| is_legal |= jump == turn);
    let illegal = || IllegalTurn {
        turn,
        position: excerpt(&strip.to_string()),
    };
    is_legal.then_some(()).ok_or_else(illegal)
}

/// Returns the ball's square after a legal turn; as an error, the player who wins by it.
pub(super) fn ball_after(strip: &impl Halves, turn: Turn) -> Result<usize, Side> {
    match turn {
        Turn::Place(_) => Ok(strip.ball()),
        Turn::Jump(0) => Err(Side::Right),
        Turn::Jump(square) if square + 1 == strip.length() => Err(Side::Left),
        Turn::Jump(square) => Ok(square),
        Turn::Off(end) => Err(end.opponent()),
    }
}

/// Visits every legal turn, in the order of [`Strip::for_each_turn`].
pub(super) fn for_each_turn(strip: &impl Halves, mut visit: impl FnMut(Turn)) {
    for square in 0..strip.length() {
        if square != strip.ball() && !strip.stone(square) {
            visit(Turn::Place(square));
        }
    }
    for_each_jump(strip, &mut visit);
}

/// Visits the legal jumps, those to the right first.
pub(super) fn for_each_jump(strip: &impl Halves, visit: &mut impl FnMut(Turn)) {
    for (end, direction) in [(Side::Right, Direction::N), (Side::Left, Direction::S)] {
        if strip.rules().allow(strip.side(), direction) {
            jumps_towards(strip, end, visit);
        }
    }
}

/// Visits the jumps towards one end: over a run to the first empty square, and on while a stone is
/// next.
fn jumps_towards(strip: &impl Halves, end: Side, visit: &mut impl FnMut(Turn)) {
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
        visit(Turn::Jump(square));
        ball = square;
    }
}
