//! The interface between a game and its solvers.
//!
//! Positions are *normalised* to one player to move if the game has a symmetry that swaps the
//! players (the mirror of the strip, the rotation of the pitch). Indices then refer to positions
//! with "the mover to move", and [`Game::turns`] returns successors in which the opponent has
//! become the mover.

use crate::outcome::{Value, Verdict, Wdl};
use std::cmp::Reverse;

/// The result of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Successor<P> {
    /// The game continues with the opponent's turn.
    Position(P),
    /// The game is over, with this outcome for the player who made the turn.
    Over(Wdl),
}

/// A turn with the board after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated<T, A> {
    /// The turn.
    pub turn: T,
    /// The board after it.
    pub after: A,
    /// Its value for the player who makes it, in plies from the position before it.
    pub verdict: Verdict,
}

/// Turns of a position: all of them, or a part.
///
/// A turn that wins proves a win; any other value is proved by the list of all turns only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T> {
    turns: Vec<T>,
    is_complete: bool,
}

impl<T> Listing<T> {
    /// Creates the list of all turns that might be best.
    pub fn complete(turns: Vec<T>) -> Listing<T> {
        let is_complete = true;
        Listing { turns, is_complete }
    }

    /// Creates a list outside which a turn might be better.
    pub fn partial(turns: Vec<T>) -> Listing<T> {
        let is_complete = false;
        Listing { turns, is_complete }
    }

    /// Returns the turns.
    pub fn turns(&self) -> &[T] {
        &self.turns
    }

    /// Returns the turns as a vector.
    pub fn into_turns(self) -> Vec<T> {
        self.turns
    }

    /// Returns true if no turn outside the list could be better.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Changes the turns as one vector, which may drop those that are certainly not best.
    pub fn map<U>(self, change: impl FnOnce(Vec<T>) -> Vec<U>) -> Listing<U> {
        Listing {
            turns: change(self.turns),
            is_complete: self.is_complete,
        }
    }
}

/// Rates turns, given with the boards after them: best first, ties in the given order.
pub fn rated<T, A, P, E>(
    turns: impl IntoIterator<Item = (T, A)>,
    successor: impl Fn(&A) -> Successor<P>,
    value: impl Fn(&P) -> Result<Verdict, E>,
) -> Result<Vec<Rated<T, A>>, E> {
    let rate = |(turn, after)| {
        let verdict = match successor(&after) {
            Successor::Position(next) => value(&next)?.before(),
            Successor::Over(outcome) => Value::at_once(outcome).into(),
        };
        Ok(Rated { turn, after, verdict })
    };
    let mut rated: Vec<_> = turns.into_iter().map(rate).collect::<Result<_, E>>()?;
    rated.sort_by_key(|turn| Reverse(turn.verdict.preference()));
    Ok(rated)
}

/// A two-player game of perfect information whose positions are numbered `0 .. positions()`.
///
/// Positions of another size, and indices past the last, panic.
///
/// Play may be infinite, which is a draw. A player without a turn loses (normal play); this happens
/// in Obstruction, never in Phutball.
pub trait Game {
    /// A position together with the player to move.
    type Position: Clone;
    /// A turn, as notation prints it.
    type Turn: Copy;

    /// Returns the number of positions.
    fn positions(&self) -> u64;

    /// Returns the index of a position, below [`positions`](Game::positions).
    fn index(&self, position: &Self::Position) -> u64;

    /// Returns the position with an index; the inverse of [`index`](Game::index).
    fn position(&self, index: u64) -> Self::Position;

    /// Calls `visit` once for every distinct turn and its result.
    fn turns(&self, position: &Self::Position, visit: &mut dyn FnMut(Self::Turn, Successor<Self::Position>));
}
