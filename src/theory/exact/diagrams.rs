//! Which half boards beat which on lengths past any array: read off the symbolic engine's diagrams.
//!
//! A diagram of positions reads the strip from the left. Down to the ball it is an automaton that reads the left half from
//! the goal line, and the binary part that it reaches below the ball is the set of right halves that go with it. So with
//! the ball fixed every left half has a node, equal rows are equal nodes, and the chain is a question about few
//! diagrams: is one contained in the other?

use super::rows::{Ranks, Role, Source, Unranked, ranked};
use super::trie::Tries;
use crate::diagram::count::members_after_ball;
use crate::games::rules::Rules;
use crate::solve::symbolic::store::Id;
use crate::solve::symbolic::{Levels, SymbolicError};
use crate::theory::chain::Inclusion;
use crate::theory::half::Half;
use crate::theory::planes::{TheoryError, Watch, solve_levels};
use hashbrown::DefaultHashBuilder;
use indexmap::IndexSet;
use num_bigint::BigUint;
use std::sync::atomic::AtomicU64;

/// The longest strips taken on: all counts of half boards fit in 64 bits.
pub const MAX_LENGTH: usize = 64;

/// Who wins every position of one length, as diagrams.
pub struct Diagrams {
    levels: Levels,
    draws: bool,
}

impl Diagrams {
    /// Solves a length.
    ///
    /// # Errors
    /// [`TheoryError::Symbolic`] if it is out of range or does not fit in the limits, [`TheoryError::Interrupted`].
    pub fn solve(length: usize, watch: Watch<'_>) -> Result<Diagrams, TheoryError> {
        if length > MAX_LENGTH {
            return Err(SymbolicError::Length(length).into());
        }
        let levels = solve_levels(length, Rules::Ordinary, None, watch)?.levels()?;
        let draws = levels.totals().draws != BigUint::ZERO;
        Ok(Diagrams { levels, draws })
    }

    /// The levels that it was solved by.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// Positions with Left to move: those that Left wins, and those that Left loses.
    pub fn wins_and_losses(&self) -> (BigUint, BigUint) {
        let totals = self.levels.totals();
        (totals.wins, totals.losses)
    }

    /// Nodes of both sets together.
    pub fn nodes(&self) -> usize {
        self.levels.nodes()
    }
}

impl Source for Diagrams {
    fn length(&self) -> usize {
        self.levels.store().length()
    }

    /// The ranks of the half boards to the left of the ball; by the mirror they are those to the right as well.
    fn ranks(&mut self, tries: &mut Tries, role: Role, half_length: usize) -> Result<Ranks, Unranked> {
        if self.draws {
            return Err(Unranked::Draws(self.length()));
        }
        let store = self.levels.store();
        let [left_to_move, right_to_move] = self.levels.winners();
        // With Right to move the left half is the mover's own, and its node holds the right halves that it does *not* beat.
        let (root, complements) = match role {
            Role::Own => (right_to_move, true),
            Role::Other => (left_to_move, false),
        };
        let mut sets: IndexSet<Id, DefaultHashBuilder> = IndexSet::default();
        let read = |set: Id, stone| {
            let node = store.node(set);
            if stone { node.stone } else { node.empty }
        };
        let map = tries.from_automaton(half_length, root, &read, &mut |set| {
            sets.insert_full(store.node(set).ball).0 as u32
        });
        let nodes: Vec<Id> = sets.into_iter().collect();
        let right = self.length() - 1 - half_length;
        let size = |members: u128| match complements {
            false => members as u64,
            true => (1 << right) - members as u64,
        };
        let sizes = members_after_ball(store, &nodes, half_length + 1);
        let sizes: Vec<u64> = sizes.into_iter().map(size).collect();
        let room = AtomicU64::new(u64::MAX);
        let mut inclusion = Inclusion::new(store, &room);
        ranked(tries, role, map, &sizes, |a, b| {
            let (a, b) = if complements { (b, a) } else { (a, b) };
            let stones = inclusion.beyond(nodes[a as usize], nodes[b as usize]);
            let stones = stones.expect("nobody looks at 2^64 pairs")?;
            Some(Half::right_of(stones, half_length + 1, self.length()))
        })
    }
}
