//! The relation between half strips on lengths too long for arrays, computed from diagrams.
//!
//! A diagram of positions reads the strip from the left. Down to the ball it is an automaton that
//! reads the left half from the goal line, and the binary node below the ball is the set of right
//! halves that win with it. With the ball fixed, every left half has a node, equal rows are equal
//! nodes, and the chain property is about inclusions of a few diagrams.

use super::rows::{Ranks, Role, Unranked, ranked};
use super::trie::Tries;
use crate::chain::Inclusion;
use ethnum::U256;
use hashbrown::DefaultHashBuilder;
use indexmap::IndexSet;
use num_bigint::BigUint;
use phutbase_base::outcome::Side;
use phutbase_rules::half::Half;
use phutbase_rules::strip::positions;
use phutbase_sets::count::{count, members_after_ball, size};
use phutbase_sets::{Diagram, Graph, Ref, Symbol, TooLarge, View};
use phutbase_table::{StripSets, TableError};
use std::sync::atomic::AtomicU64;

/// Maximum length: all counts of half strips fit in 64 bits.
pub const MAX_LENGTH: usize = 64;

/// The positions of one length that Left wins, as reduced diagrams.
pub struct Diagrams {
    graph: Graph,
    /// With Left and with Right to move.
    won: [Ref; 2],
    draws: bool,
}

impl Diagrams {
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
        diagrams.draws = wins + losses != positions(sets.length());
        Ok(diagrams)
    }

    pub fn length(&self) -> usize {
        self.graph.length()
    }

    /// Returns the numbers of positions with Left to move that Left wins and loses.
    pub fn wins_and_losses(&self) -> [BigUint; 2] {
        self.won.map(|set| count(&self.graph, set))
    }

    pub fn nodes(&self) -> usize {
        size(&self.graph, &self.won)
    }

    /// Returns the ranks of the half strips left of the ball; by the mirror also of those right of
    /// it.
    pub fn ranks(&self, tries: &mut Tries, role: Role, half_length: usize) -> Result<Ranks, Unranked> {
        if self.draws {
            return Err(Unranked::Draws(self.length()));
        }
        let graph = &self.graph;
        let [left_to_move, right_to_move] = self.won;
        // With Right to move the left half is the mover's own, and its node holds the right halves
        // that it does *not* beat.
        let (root, complements) = match role {
            Role::Own => (right_to_move, true),
            Role::Other => (left_to_move, false),
        };
        let mut sets: IndexSet<Ref, DefaultHashBuilder> = IndexSet::default();
        let child = |set: Ref, symbol: Symbol| match graph.view(set) {
            View::Ternary(_, children) => children[symbol as usize],
            _ => Ref::BOTTOM,
        };
        let read = |set, stone| child(set, if stone { Symbol::Stone } else { Symbol::Empty });
        let map = tries.from_automaton(half_length, root, &read, &mut |set| {
            sets.insert_full(child(set, Symbol::Ball)).0 as u32
        });
        let nodes: Vec<Ref> = sets.into_iter().collect();
        let right = self.length() - 1 - half_length;
        let size = |members: U256| {
            let members = members.as_u64();
            if complements {
                (1 << right) - members
            } else {
                members
            }
        };
        let sizes = members_after_ball(graph, &nodes, half_length + 1);
        let sizes: Vec<u64> = sizes.into_iter().map(size).collect();
        let budget = AtomicU64::new(u64::MAX);
        let mut inclusion = Inclusion::new(graph, &budget);
        ranked(tries, role, map, &sizes, |a, b| {
            let (a, b) = if complements { (b, a) } else { (a, b) };
            let stones = inclusion.beyond(nodes[a as usize], nodes[b as usize]);
            let stones = stones.expect("fewer than 2^64 pairs")?;
            Some(Half::right_of(stones, half_length + 1, self.length()))
        })
    }
}
