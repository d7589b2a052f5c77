//! Which half boards beat which on lengths past any array: read off diagrams.
//!
//! A diagram of positions reads the strip from the left. Down to the ball it is an automaton that reads the left half from
//! the goal line, and the binary part that it reaches below the ball is the set of right halves that go with it. So with
//! the ball fixed every left half has a node, equal rows are equal nodes, and the chain is a question about few
//! diagrams: is one contained in the other?

use super::rows::{Ranks, Role, Unranked, ranked};
use super::trie::Tries;
use crate::diagram::count::{count, members_after_ball, size};
use crate::diagram::graph::{Graph, Ref, TooLarge};
use crate::diagram::{Diagram, Symbol, View};
use crate::outcome::Side;
use crate::table::error::TableError;
use crate::table::strip::metadata::all_positions;
use crate::table::strip::sets::StripSets;
use crate::theory::chain::Inclusion;
use crate::theory::half::Half;
use hashbrown::DefaultHashBuilder;
use indexmap::IndexSet;
use num_bigint::BigUint;
use std::sync::atomic::AtomicU64;

/// The longest strips taken on: all counts of half boards fit in 64 bits.
pub const MAX_LENGTH: usize = 64;

/// The positions of one length that Left wins, as reduced diagrams.
pub struct Diagrams {
    graph: Graph,
    /// With Left and with Right to move.
    won: [Ref; 2],
    draws: bool,
}

impl Diagrams {
    /// Reads the sets of a table.
    ///
    /// # Errors
    /// [`TableError::Limit`] if that is more work than the file warrants.
    ///
    /// # Panics
    /// If the strips are longer than [`MAX_LENGTH`].
    pub fn of(sets: &StripSets) -> Result<Diagrams, TableError> {
        assert!(sets.length() <= MAX_LENGTH);
        let mut graph = sets.workspace();
        let roots = [Side::Left, Side::Right].map(|side| sets.won_by_left(side));
        let won = graph.copy(sets, &roots).map_err(|TooLarge| sets.unwieldy())?;
        let mut diagrams = Diagrams {
            graph,
            won: [won[0], won[1]],
            draws: false,
        };
        let [wins, losses] = diagrams.wins_and_losses();
        diagrams.draws = wins + losses != all_positions(sets.length());
        Ok(diagrams)
    }

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.graph.length()
    }

    /// Positions with Left to move: those that Left wins, and those that Left loses.
    pub fn wins_and_losses(&self) -> [BigUint; 2] {
        self.won.map(|set| count(&self.graph, set))
    }

    /// Nodes of both sets together.
    pub fn nodes(&self) -> usize {
        size(&self.graph, &self.won)
    }

    /// The ranks of the half boards to the left of the ball; by the mirror they are those to the right as well.
    pub fn ranks(&self, tries: &mut Tries, role: Role, half_length: usize) -> Result<Ranks, Unranked> {
        if self.draws {
            return Err(Unranked::Draws(self.length()));
        }
        let graph = &self.graph;
        let [left_to_move, right_to_move] = self.won;
        // With Right to move the left half is the mover's own, and its node holds the right halves that it does *not* beat.
        let (root, complements) = match role {
            Role::Own => (right_to_move, true),
            Role::Other => (left_to_move, false),
        };
        let mut sets: IndexSet<Ref, DefaultHashBuilder> = IndexSet::default();
        let child = |set: Ref, symbol: Symbol| match (graph.view(set), symbol) {
            (View::Ternary { empty, .. }, Symbol::Empty) => empty,
            (View::Ternary { stone, .. }, Symbol::Stone) => stone,
            (View::Ternary { ball, .. }, Symbol::Ball) => ball,
            _ => Ref::BOTTOM,
        };
        let read = |set, stone| child(set, if stone { Symbol::Stone } else { Symbol::Empty });
        let map = tries.from_automaton(half_length, root, &read, &mut |set| {
            sets.insert_full(child(set, Symbol::Ball)).0 as u32
        });
        let nodes: Vec<Ref> = sets.into_iter().collect();
        let right = self.length() - 1 - half_length;
        let size = |members: u128| match complements {
            false => members as u64,
            true => (1 << right) - members as u64,
        };
        let sizes = members_after_ball(graph, &nodes, half_length + 1);
        let sizes: Vec<u64> = sizes.into_iter().map(size).collect();
        let room = AtomicU64::new(u64::MAX);
        let mut inclusion = Inclusion::new(graph, &room);
        ranked(tries, role, map, &sizes, |a, b| {
            let (a, b) = if complements { (b, a) } else { (a, b) };
            let stones = inclusion.beyond(nodes[a as usize], nodes[b as usize]);
            let stones = stones.expect("nobody looks at 2^64 pairs")?;
            Some(Half::right_of(stones, half_length + 1, self.length()))
        })
    }
}
