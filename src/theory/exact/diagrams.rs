//! Which half boards beat which on lengths past any array: read off the symbolic engine's diagrams.
//!
//! A diagram of positions reads the strip from the left. Down to the ball it is an automaton that reads the left half from
//! the goal line, and the binary part that it reaches below the ball is the set of right halves that go with it. So with
//! the ball fixed every left half has a node, equal rows are equal nodes, and the chain is a question about few
//! diagrams: is one contained in the other?

use super::rows::{Crossing, Ranks, Role, Source, Unranked};
use super::trie::{Map, Tries};
use crate::games::rules::Rules;
use crate::solve::symbolic::store::{Id, Store};
use crate::solve::symbolic::{Levels, SymbolicError};
use crate::theory::half::Half;
use crate::theory::planes::{TheoryError, Watch, solve_levels};
use hashbrown::{HashMap, HashSet};
use num_bigint::BigUint;
use std::cmp::Reverse;

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
        let levels = solve_levels(length, Rules::Ordinary, None, watch)?;
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
        let mut reader = Reader {
            store: self.levels.store(),
            ball: half_length,
            leaves: Vec::new(),
            numbers: HashMap::new(),
            counts: HashMap::new(),
            contained: HashSet::new(),
        };
        let [left_to_move, right_to_move] = self.levels.winners();
        let root = match role {
            // With Right to move the left half is the mover's own, and its node holds what it does not beat.
            Role::Own => right_to_move,
            Role::Other => left_to_move,
        };
        let root = reader.left_half(tries, 0, root, &mut HashMap::new());
        let map = tries.map(half_length, root);
        let sizes: Vec<u64> = reader
            .leaves
            .clone()
            .into_iter()
            .map(|set| reader.size(set))
            .collect();
        let mut order: Vec<u32> = (0..sizes.len() as u32).collect();
        match role {
            Role::Own => order.sort_by_key(|&leaf| sizes[leaf as usize]),
            Role::Other => order.sort_by_key(|&leaf| Reverse(sizes[leaf as usize])),
        }
        for pair in order.windows(2) {
            let (small, large) = match role {
                Role::Own => (pair[0], pair[1]),
                Role::Other => (pair[1], pair[0]),
            };
            if !reader.within(reader.leaves[small as usize], reader.leaves[large as usize]) {
                let crossing = reader.crossing(tries, map, role, small, large);
                return Err(Unranked::Crossing(Box::new(crossing)));
            }
        }
        let mut rank_of = vec![0; order.len()];
        for (rank, &leaf) in order.iter().enumerate() {
            rank_of[leaf as usize] = rank as u32;
        }
        let map = tries.relabelled(map, &mut |leaf| rank_of[leaf as usize]);
        let mut no_smaller = 0;
        let numbers = match role {
            Role::Own => {
                let classes = tries.classes(map).into_iter();
                let grown = classes.map(|class| {
                    no_smaller += class.size as u64;
                    no_smaller
                });
                grown.collect()
            }
            Role::Other => order.iter().map(|&leaf| sizes[leaf as usize]).collect(),
        };
        Ok(Ranks { map, numbers })
    }
}

/// Reads the diagrams below one ball square.
struct Reader<'a> {
    store: &'a Store,
    ball: usize,
    /// The different sets of right halves, and their numbers.
    leaves: Vec<Id>,
    numbers: HashMap<Id, u32>,
    counts: HashMap<Id, u64>,
    /// Pairs of sets of which the first is known to lie within the second.
    contained: HashSet<(Id, Id)>,
}

impl Reader<'_> {
    /// The automaton of left halves from a square on.
    fn left_half(
        &mut self,
        tries: &mut Tries,
        square: usize,
        set: Id,
        known: &mut HashMap<(usize, Id), u32>,
    ) -> u32 {
        if let Some(&node) = known.get(&(square, set)) {
            return node;
        }
        let node = self.store.node(set);
        let made = if square == self.ball {
            self.leaf(node.ball)
        } else {
            let empty = self.left_half(tries, square + 1, node.empty, known);
            let stone = self.left_half(tries, square + 1, node.stone, known);
            tries.join(self.ball - square, [empty, stone])
        };
        known.insert((square, set), made);
        made
    }

    fn leaf(&mut self, set: Id) -> u32 {
        let next = self.leaves.len() as u32;
        *self.numbers.entry(set).or_insert_with(|| {
            self.leaves.push(set);
            next
        })
    }

    /// The members of a set of right halves.
    fn size(&mut self, set: Id) -> u64 {
        let below = self.members(set);
        below << (self.level(set) - self.ball - 1)
    }

    /// The square that a set looks at first; the length for ⊤ and ⊥.
    fn level(&self, set: Id) -> usize {
        match set {
            Id::BOTTOM | Id::TOP => self.store.length(),
            _ => self.store.node(set).level(),
        }
    }

    /// The arrangements of the squares from its own on that belong to a set.
    fn members(&mut self, set: Id) -> u64 {
        if set == Id::BOTTOM || set == Id::TOP {
            return u64::from(set == Id::TOP);
        }
        if let Some(&known) = self.counts.get(&set) {
            return known;
        }
        let node = self.store.node(set);
        let mut members = 0;
        for child in [node.empty, node.stone] {
            members += self.members(child) << (self.level(child) - node.level() - 1);
        }
        self.counts.insert(set, members);
        members
    }

    /// Whether one set of right halves is contained in another.
    fn within(&mut self, a: Id, b: Id) -> bool {
        if a == b || a == Id::BOTTOM || b == Id::TOP || self.contained.contains(&(a, b)) {
            return true;
        }
        if a == Id::TOP || b == Id::BOTTOM {
            return false;
        }
        let level = self.level(a).min(self.level(b));
        let ((a0, a1), (b0, b1)) = (self.store.halves(a, level), self.store.halves(b, level));
        let within = self.within(a0, b0) && self.within(a1, b1);
        if within {
            self.contained.insert((a, b));
        }
        within
    }

    /// A member of `a` that is not in `b`: bit 0 is the square next to the ball.
    fn beyond(&mut self, a: Id, b: Id) -> u128 {
        let (mut a, mut b, mut pattern) = (a, b, 0u128);
        while a != Id::TOP || b != Id::BOTTOM {
            let level = self.level(a).min(self.level(b));
            let ((a0, a1), (b0, b1)) = (self.store.halves(a, level), self.store.halves(b, level));
            (a, b) = if self.within(a0, b0) {
                pattern |= 1 << (level - self.ball - 1);
                (a1, b1)
            } else {
                (a0, b0)
            };
        }
        pattern
    }

    /// Names the half boards of two leaves that do not contain each other.
    fn crossing(&mut self, tries: &Tries, map: Map, role: Role, small: u32, large: u32) -> Crossing {
        let classes = tries.classes(map);
        let none = Half::right_of(0, 0, self.ball);
        let half = |leaf: u32| {
            let class = classes.iter().find(|class| class.value == leaf);
            class.map_or(none, |class| class.smallest)
        };
        let (a, b) = (self.leaves[small as usize], self.leaves[large as usize]);
        let only = [self.beyond(a, b), self.beyond(b, a)];
        let right = only.map(|pattern| Half::right_of(pattern, 0, self.store.length() - 1 - self.ball));
        match role {
            // A left half's node holds the right halves that it does not beat.
            Role::Own => Crossing {
                own: [half(small), half(large)],
                other: [right[1], right[0]],
            },
            Role::Other => Crossing {
                own: right,
                other: [half(small), half(large)],
            },
        }
    }
}
