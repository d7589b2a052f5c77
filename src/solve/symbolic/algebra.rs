//! Sets of positions as diagrams: the operations on them, and the turns of the game.
//!
//! Everything that a solver needs is one recursion over a diagram, or over two side by side, that looks at a square at
//! a time from the left. The quantifier is a parameter: 'some turn leads into the set' joins with ∨ and is false where
//! there is no turn, 'every turn leads into the set' joins with ∧ and is true there.
//!
//! Jumps, and what placements make of them, are wanted for some ball squares ([`Starts`](super::starts::Starts)): they give the boards with the
//! ball on these squares. What jumps lead into may have its ball anywhere.
//!
//! Results depend on the operation, the operands, and often on the square where the recursion stands: a binary
//! diagram skips squares that do not matter to the set, but a free square always matters to whoever may place a stone
//! there, and ⊥ does not say where it stands.

use super::cache::Key;
use super::store::{Halt, Id, Store, SymbolicLimits};
use crate::games::rules::Rules;
use std::ops::RangeInclusive;

/// Which turns have to lead into a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// At least one: what the player to move can force.
    Some,
    /// All of them: what the player to move cannot avoid.
    Every,
}

/// The recursions, as the computed cache tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Or = 1,
    And,
    Place,
    PlaceBackward,
    JumpRight,
    FlyRight,
    JumpLeft,
    LandedLeft,
    RunLeft,
    Close,
    Only,
    Replace,
}

/// A store, and the sets that every operation may need. Threads share it: operations take it by shared reference.
pub struct Algebra {
    pub(super) store: Store,
    /// Whose jumps go where.
    pub(super) rules: Rules,
    /// For each square, every board with stones on all squares but the ball's, which is this or one to the right of it; and these
    /// without the ball.
    all_stones: Vec<Id>,
    all_stones_no_ball: Vec<Id>,
}

impl Algebra {
    /// The algebra of a strip of `length ≥ 3` squares.
    pub fn new(length: usize, limits: SymbolicLimits) -> Result<Algebra, Halt> {
        let store = Store::new(length, limits);
        let mut all_stones = vec![Id::BOTTOM; length + 1];
        let mut all_stones_no_ball = vec![Id::TOP; length + 1];
        for level in (0..length).rev() {
            let stones = all_stones_no_ball[level + 1];
            all_stones_no_ball[level] = store.binary(level, Id::BOTTOM, stones)?;
            let ball = if (1..=length - 2).contains(&level) {
                stones
            } else {
                Id::BOTTOM
            };
            all_stones[level] = store.ternary(level, Id::BOTTOM, all_stones[level + 1], ball)?;
        }
        Ok(Algebra {
            store,
            rules: Rules::Ordinary,
            all_stones,
            all_stones_no_ball,
        })
    }

    /// The same with the jumps of these rules.
    pub fn under(self, rules: Rules) -> Algebra {
        Algebra { rules, ..self }
    }

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.store.length()
    }

    /// The nodes.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The nodes, to make room for more.
    pub fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }

    /// Collects garbage; see [`Store::collect`].
    pub fn collect(&mut self, roots: &mut [&mut Id]) {
        let own = self.all_stones.iter_mut().chain(&mut self.all_stones_no_ball);
        let mut all: Vec<&mut Id> = roots.iter_mut().map(|root| &mut **root).chain(own).collect();
        self.store.collect(&mut all);
    }

    /// Does something that may make many nodes; if there is no room for them, again with more room, as far as the memory limit
    /// allows.
    pub fn growing<T>(&mut self, work: impl Fn(&Algebra) -> Result<T, Halt>) -> Result<T, Halt> {
        loop {
            self.store.begin();
            match work(self) {
                Err(Halt::Full) => self.store.grow()?,
                done => return done,
            }
        }
    }

    /// A key for an operation that depends on the square.
    pub(super) fn key_at(operation: Operation, q: Quantifier, level: usize, operands: (Id, Id)) -> Key {
        Key {
            operation: (level as u32) << 5 | (q as u32) << 4 | operation as u32,
            first: operands.0,
            second: operands.1,
        }
    }

    /// The key of an operation on its operands alone.
    fn key(operation: Operation, a: Id, b: Id) -> Key {
        Key {
            operation: operation as u32,
            first: a.min(b),
            second: a.max(b),
        }
    }

    /// The neutral answer to 'does such a turn lead into the set?' where there is no such turn, after the ball.
    pub(super) fn no_turn(q: Quantifier) -> Id {
        match q {
            Quantifier::Some => Id::BOTTOM,
            Quantifier::Every => Id::TOP,
        }
    }

    /// Joins what two kinds of turns lead to.
    pub fn join(&self, q: Quantifier, a: Id, b: Id) -> Result<Id, Halt> {
        match q {
            Quantifier::Some => self.or(a, b),
            Quantifier::Every => self.and(a, b),
        }
    }

    /// Union.
    pub fn or(&self, a: Id, b: Id) -> Result<Id, Halt> {
        if a == b || b == Id::BOTTOM {
            return Ok(a);
        }
        if a == Id::BOTTOM {
            return Ok(b);
        }
        if a == Id::TOP || b == Id::TOP {
            return Ok(Id::TOP);
        }
        self.pairwise::<true>(a, b)
    }

    /// Intersection.
    pub fn and(&self, a: Id, b: Id) -> Result<Id, Halt> {
        if a == b || b == Id::TOP {
            return Ok(a);
        }
        if a == Id::TOP {
            return Ok(b);
        }
        if a == Id::BOTTOM || b == Id::BOTTOM {
            return Ok(Id::BOTTOM);
        }
        self.pairwise::<false>(a, b)
    }

    fn combine<const OR: bool>(&self, a: Id, b: Id) -> Result<Id, Halt> {
        if OR { self.or(a, b) } else { self.and(a, b) }
    }

    /// Goes through two diagrams side by side.
    fn pairwise<const OR: bool>(&self, a: Id, b: Id) -> Result<Id, Halt> {
        let operation = if OR { Operation::Or } else { Operation::And };
        let key = Algebra::key(operation, a, b);
        self.store.once(key, || {
            let (x, y) = (self.store.node(a), self.store.node(b));
            Ok(if x.is_ternary() {
                let empty = self.combine::<OR>(x.empty, y.empty)?;
                let stone = self.combine::<OR>(x.stone, y.stone)?;
                let ball = self.combine::<OR>(x.ball, y.ball)?;
                // Often one operand is the result: then there is no need to look it up.
                match (empty, stone, ball) {
                    all if all == (x.empty, x.stone, x.ball) => a,
                    all if all == (y.empty, y.stone, y.ball) => b,
                    _ => self.store.ternary(x.level(), empty, stone, ball)?,
                }
            } else {
                let level = x.level().min(y.level());
                let (x, y) = (self.store.halves(a, level), self.store.halves(b, level));
                let empty = self.combine::<OR>(x.0, y.0)?;
                let stone = self.combine::<OR>(x.1, y.1)?;
                match (empty, stone) {
                    both if both == x => a,
                    both if both == y => b,
                    _ => self.store.binary(level, empty, stone)?,
                }
            })
        })
    }

    /// The boards of a set with the ball on some squares.
    pub fn only(&self, set: Id, balls: &RangeInclusive<usize>) -> Result<Id, Halt> {
        self.only_below(0, set, balls)
    }

    fn only_below(&self, level: usize, set: Id, balls: &RangeInclusive<usize>) -> Result<Id, Halt> {
        if set == Id::BOTTOM || level > *balls.end() {
            return Ok(Id::BOTTOM);
        }
        let key = balls_key(Operation::Only, balls, set, Id::BOTTOM);
        self.store.once(key, || {
            let node = self.store.node(set);
            let empty = self.only_below(level + 1, node.empty, balls)?;
            let stone = self.only_below(level + 1, node.stone, balls)?;
            let ball = if balls.contains(&level) {
                node.ball
            } else {
                Id::BOTTOM
            };
            self.store.ternary(level, empty, stone, ball)
        })
    }

    /// A set whose boards with the ball on some squares are replaced by `by`, a set of such boards.
    pub fn replace(&self, set: Id, balls: &RangeInclusive<usize>, by: Id) -> Result<Id, Halt> {
        self.replace_below(0, set, balls, by)
    }

    fn replace_below(
        &self,
        level: usize,
        set: Id,
        balls: &RangeInclusive<usize>,
        by: Id,
    ) -> Result<Id, Halt> {
        if set == by || level > *balls.end() {
            return Ok(set);
        }
        if set == Id::BOTTOM {
            return Ok(by);
        }
        let key = balls_key(Operation::Replace, balls, set, by);
        self.store.once(key, || {
            let (node, by) = (self.store.node(set), self.store.node(by));
            let empty = self.replace_below(level + 1, node.empty, balls, by.empty)?;
            let stone = self.replace_below(level + 1, node.stone, balls, by.stone)?;
            let ball = if balls.contains(&level) {
                by.ball
            } else {
                node.ball
            };
            self.store.ternary(level, empty, stone, ball)
        })
    }

    /// The positions from which some stone, or every stone, that can be placed leads into `set`.
    pub fn placements(&self, q: Quantifier, set: Id) -> Result<Id, Halt> {
        self.place_before_ball(q, 0, set)
    }

    fn place_before_ball(&self, q: Quantifier, level: usize, set: Id) -> Result<Id, Halt> {
        if set == Id::BOTTOM {
            return Ok(match q {
                Quantifier::Some => Id::BOTTOM,
                Quantifier::Every => self.all_stones[level],
            });
        }
        let key = Algebra::key_at(Operation::Place, q, level, (set, Id::BOTTOM));
        self.store.once(key, || {
            let node = self.store.node(set);
            let further = self.place_before_ball(q, level + 1, node.empty)?;
            let empty = self.join(q, further, node.stone)?;
            let stone = self.place_before_ball(q, level + 1, node.stone)?;
            let ball = if (1..=self.length() - 2).contains(&level) {
                self.place_after_ball(q, level + 1, node.ball)?
            } else {
                Id::BOTTOM
            };
            self.store.ternary(level, empty, stone, ball)
        })
    }

    /// The boards of `known`, and those from which some stone that can be placed to the left of the ball leads into `set`.
    ///
    /// One recursion for both: what is known on the way keeps the sets small.
    pub fn or_backward_placements(&self, known: Id, set: Id) -> Result<Id, Halt> {
        self.or_place_backward(0, known, set)
    }

    fn or_place_backward(&self, level: usize, known: Id, set: Id) -> Result<Id, Halt> {
        if set == Id::BOTTOM {
            return Ok(known);
        }
        let key = Key {
            operation: Operation::PlaceBackward as u32,
            first: known,
            second: set,
        };
        if let Some((result, _)) = self.store.recall(key) {
            return Ok(result);
        }
        let (known, set) = (self.store.node(known), self.store.node(set));
        let empty = self.or(known.empty, set.stone)?;
        let empty = self.or_place_backward(level + 1, empty, set.empty)?;
        let stone = self.or_place_backward(level + 1, known.stone, set.stone)?;
        let result = self.store.ternary(level, empty, stone, known.ball)?;
        self.store.remember(key, (result, Id::BOTTOM))?;
        Ok(result)
    }

    fn place_after_ball(&self, q: Quantifier, level: usize, set: Id) -> Result<Id, Halt> {
        match (q, set) {
            (Quantifier::Some, Id::BOTTOM) | (Quantifier::Every, Id::TOP) => return Ok(set),
            (Quantifier::Every, Id::BOTTOM) => return Ok(self.all_stones_no_ball[level]),
            _ if level == self.length() => return Ok(Algebra::no_turn(q)),
            _ => {}
        }
        let key = Algebra::key_at(Operation::Place, q, level, (set, Id::TOP));
        self.store.once(key, || {
            let (if_empty, if_stone) = self.store.halves(set, level);
            let further = self.place_after_ball(q, level + 1, if_empty)?;
            let empty = self.join(q, further, if_stone)?;
            let stone = self.place_after_ball(q, level + 1, if_stone)?;
            self.store.binary(level, empty, stone)
        })
    }
}

/// The key of an operation that is about some ball squares. Its operands are ternary nodes, whose numbers determine their squares.
fn balls_key(operation: Operation, balls: &RangeInclusive<usize>, first: Id, second: Id) -> Key {
    Key {
        operation: ((balls.start() << 7 | balls.end()) as u32) << 5 | operation as u32,
        first,
        second,
    }
}
