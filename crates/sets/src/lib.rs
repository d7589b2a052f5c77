//! Sets of boards as decision diagrams.
//!
//! A set of boards is one diagram for all ball squares, read from left to right. Before the ball, a
//! node has three children: the square is *empty*, holds a *stone*, or holds the *ball*. After the
//! ball it has two. The leaves are ⊤ (in the set) and ⊥ (not in it). The two kinds of nodes have
//! different reduction rules:
//!
//! * a **binary** node with equal children is elided: its square is free, so its child may be on
//!   any square further right;
//! * a **ternary** node is always on the square after its parent's; only an empty set is elided, as
//!   ⊥.
//!
//! Every set has exactly one reduced diagram.
//!
//! Engines and files store nodes in their own layouts. The trait [`Diagram`] is the common
//! interface, which suffices for all queries:
//!
//! * [`count`] — cardinality, membership, size;
//! * [`members`] — the members of a set in order;
//! * [`pattern`] — the boards that match a pattern, as a set;
//! * [`graph`] — hash-consed diagrams in memory;
//! * [`algebra`] — union, intersection, difference;
//! * [`mirror`] — mirror images;
//! * [`won`](mod@won) — the boards of any length that each player wins, by an automaton of half strips;
//! * [`turns`] — preimages under the turns of any game with a transition table.

#![allow(missing_docs)]

pub mod algebra;
mod cache;
pub mod count;
pub mod graph;
pub mod members;
pub mod mirror;
pub mod pattern;
mod shorter;
mod subsets;
pub mod turns;
pub mod won;

pub use algebra::{Join, Sets};
pub use graph::{Graph, Ref, TooLarge};
pub use members::Members;
pub use pattern::Pattern;
pub use shorter::Shorter;
use std::hash::Hash;

/// The contents of a square, which index the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    Empty,
    Stone,
    Ball,
}

/// Read access to diagrams of one length.
pub trait Diagram {
    /// A leaf or a node.
    type Ref: Copy + Eq + Hash;

    fn length(&self) -> usize;

    /// Returns the leaf or node at a reference.
    fn view(&self, at: Self::Ref) -> View<Self::Ref>;
}

/// One leaf or node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View<R> {
    /// The empty set.
    Bottom,
    /// Every arrangement of the remaining squares; occurs only after the ball.
    Top,
    /// A square before the ball or with the ball, and the children by [`Symbol`].
    Ternary(usize, [R; 3]),
    /// A square after the ball, and the children for an empty square and for a stone.
    Binary(usize, [R; 2]),
}

impl<R> View<R> {
    /// Returns the children of a node; none for a leaf.
    pub fn children(&self) -> &[R] {
        match self {
            View::Bottom | View::Top => &[],
            View::Ternary(_, children) => children,
            View::Binary(_, children) => children,
        }
    }
}
