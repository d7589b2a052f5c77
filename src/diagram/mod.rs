//! Sets of boards as decision diagrams: what they are, and how to read them.
//!
//! A set of boards is one diagram for all ball squares, read from left to right. As long as the ball has not been met, a
//! node has three children: the square is *empty*, holds a *stone*, or holds the *ball*; after the ball it has two.
//! The leaves are ⊤, in the set, and ⊥, not in it. The two kinds of nodes are reduced differently:
//!
//! * a **binary** node whose children are equal is left out: its square does not matter, and its child may stand
//!   anywhere further right;
//! * a **ternary** node stands on exactly the square after its parent's; left out is only the one without a
//!   member, which is ⊥.
//!
//! So every set has exactly one diagram, and whoever finds the set finds the same diagram.
//!
//! Engines and files keep their nodes in their own ways; the trait [`Diagram`] is what they have in common, and what can be
//! said of a set needs no more:
//!
//! * [`count`] — numbers of members, membership, size;
//! * [`members`] — the members of a set in order: the first, the k-th, random ones;
//! * [`pattern`] — boards that fit a pattern, as a set;
//! * [`graph`] — diagrams in memory, made by whoever needs some;
//! * [`algebra`] — union, intersection, difference;
//! * [`mirror`] — the same set seen from the right;
//! * [`turns`] — from which boards turns lead into a set, for any game with a table of transitions.

pub mod algebra;
pub mod count;
pub mod graph;
pub mod members;
pub mod mirror;
pub mod pattern;
pub mod turns;

use std::hash::Hash;

/// What a square holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    Empty,
    Stone,
    Ball,
}

/// Diagrams of one length, to be read.
pub trait Diagram {
    /// A leaf or a node.
    type Ref: Copy + Eq + Hash;

    /// The number of squares.
    fn length(&self) -> usize;

    /// What stands at a reference.
    fn view(&self, at: Self::Ref) -> View<Self::Ref>;
}

/// One leaf or node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View<R> {
    /// No board.
    Bottom,
    /// Every arrangement of what is left of the strip; stands only after the ball.
    Top,
    /// A square before the ball, or the ball's own.
    Ternary {
        /// The square.
        level: usize,
        /// Where it is empty.
        empty: R,
        /// Where it holds a stone.
        stone: R,
        /// Where it holds the ball.
        ball: R,
    },
    /// A square after the ball.
    Binary {
        /// The square.
        level: usize,
        /// Where it is empty.
        empty: R,
        /// Where it holds a stone.
        stone: R,
    },
}
