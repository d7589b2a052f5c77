//! What a solver needs to know about a game: one small trait.
//!
//! Positions are *normalised* to one player to move wherever the game has a symmetry that swaps the players
//! (the strip's mirror, the pitch turned round), so an index numbers positions "with the mover to move" and
//! [`Game::turns`] hands back successors in which the opponent has become the mover.

use crate::outcome::Wdl;

/// What a turn leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Successor<P> {
    /// The game goes on; it is the opponent's turn.
    Position(P),
    /// The game is over; the outcome is that of the player who made the turn.
    Over(Wdl),
}

/// A two-player game of perfect information whose positions are numbered `0 .. positions()`.
///
/// Play may be loopy: a game that never ends is a draw. A player without a turn loses (normal play), which the
/// Phutball games never meet and Obstruction lives by.
pub trait Game {
    /// A position together with the player to move.
    type Position: Clone;
    /// A turn, as notation prints it.
    type Turn: Copy;

    /// How many positions are numbered.
    fn positions(&self) -> u64;

    /// The number of a position, below [`positions`](Game::positions).
    fn index(&self, position: &Self::Position) -> u64;

    /// The position with a number; the inverse of [`index`](Game::index).
    fn position(&self, index: u64) -> Self::Position;

    /// Calls `visit` once for every distinct turn and what it leads to.
    fn turns(&self, position: &Self::Position, visit: &mut dyn FnMut(Self::Turn, Successor<Self::Position>));
}
