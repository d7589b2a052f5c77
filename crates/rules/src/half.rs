//! Half strips: the squares between one goal line and the ball, read from the goal line to the ball.
//!
//! The ball cuts a strip into two halves, and the arrow an Oddish board. An automaton that reads a half
//! gives it a value, such as a potential, and the values of both halves tell or predict who wins.

use super::strip::Halves;
use phutbase_base::outcome::Side;
use std::hash::Hash;

/// An automaton that reads a half strip.
pub trait HalfAutomaton: Copy + Eq + Hash {
    /// The part of a state that decides who wins.
    type Value: Copy + Ord + Hash;

    /// The state before the first square.
    const START: Self;

    /// Returns the state after one more square, a stone or an empty one.
    fn step(self, stone: bool) -> Self;

    /// Returns the value of the half that was read.
    fn value(self) -> Self::Value;

    /// Returns whether the player to move wins, with these halves behind and ahead of the ball. Of
    /// potentials the lower one wins, and of equal ones that of the player to move.
    fn wins(behind: Self::Value, ahead: Self::Value) -> bool {
        ahead <= behind
    }

    /// Returns the value of a half; true is a stone.
    fn value_of(half: impl IntoIterator<Item = bool>) -> Self::Value {
        half.into_iter().fold(Self::START, Self::step).value()
    }
}

/// Returns the values of the halves left and right of the ball.
pub fn values<A: HalfAutomaton>(strip: &impl Halves) -> [A::Value; 2] {
    // Left's goal is at the right end.
    [Side::Right, Side::Left].map(|goal| A::value_of(strip.towards(goal)))
}

/// Returns the winner of a strip, as an automaton tells it.
pub fn winner<A: HalfAutomaton>(strip: &impl Halves) -> Side {
    winner_of::<A>(values::<A>(strip), strip.side())
}

/// Returns the winner with these values of the left and the right half.
pub fn winner_of<A: HalfAutomaton>([left, right]: [A::Value; 2], mover: Side) -> Side {
    let wins = match mover {
        Side::Left => A::wins(left, right),
        Side::Right => A::wins(right, left),
    };
    if wins { mover } else { mover.opponent() }
}
