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
    Only,
    Replace,
    /// The two parts of a closure differ in the lowest bit: their results are neighbours in the cache.
    CloseLeft,
    CloseRight,
}

/// Levels of a recursion that fork, from where it begins, where threads share the work: enough to keep many cores busy, and few
/// of the calls.
const FORKS: u32 = 8;

/// A store, and the sets that every operation may need. Threads share it: operations take it by shared reference.
pub struct Algebra {
    pub(super) store: Store,
    /// Whose jumps go where.
    pub(super) rules: Rules,
    /// Levels of each recursion that fork.
    forks: u32,
    /// For each square, every board with stones on all squares but the ball's, which is this or one to the right of it; and these
    /// without the ball.
    all_stones: Vec<Id>,
    all_stones_no_ball: Vec<Id>,
}

impl Algebra {
    /// The algebra of a strip of `length ≥ 3` squares.
    pub fn new(length: usize, limits: SymbolicLimits) -> Result<Algebra, Halt> {
        let store = Store::new(length, limits)?;
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
            forks: 0,
            all_stones,
            all_stones_no_ball,
        })
    }

    /// The same with the jumps of these rules.
    pub fn under(self, rules: Rules) -> Algebra {
        Algebra { rules, ..self }
    }

    /// Shares the work of every operation among the threads of the current pool, if there are several.
    pub fn sharing(self, threads: usize) -> Algebra {
        let forks = if threads > 1 { FORKS } else { 0 };
        Algebra { forks, ..self }
    }

    /// Does two things, on two threads if `forks` is not 0.
    #[inline(always)]
    pub(super) fn both<A: Send, B: Send>(
        forks: u32,
        one: impl FnOnce() -> Result<A, Halt> + Send,
        other: impl FnOnce() -> Result<B, Halt> + Send,
    ) -> Result<(A, B), Halt> {
        if forks > 0 {
            let (one, other) = rayon::join(one, other);
            return Ok((one?, other?));
        }
        Ok((one()?, other()?))
    }

    /// The levels that may fork from one on, in a recursion that begins at the first square.
    #[inline(always)]
    pub(super) fn forks_at(&self, level: usize) -> u32 {
        self.forks.saturating_sub(level as u32)
    }

    /// Every board with stones on all squares but the ball's, with the ball on a square or to the right of it.
    pub(super) fn all_stones(&self, level: usize) -> Id {
        self.all_stones[level]
    }

    /// Stones on all squares from one on, after the ball.
    pub(super) fn all_stones_no_ball(&self, level: usize) -> Id {
        self.all_stones_no_ball[level]
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
    pub fn collect(&mut self, roots: &mut [&mut Id]) -> Result<(), Halt> {
        let own = self.all_stones.iter_mut().chain(&mut self.all_stones_no_ball);
        let mut all: Vec<&mut Id> = roots.iter_mut().map(|root| &mut **root).chain(own).collect();
        self.store.collect(&mut all)
    }

    /// Does something that may make many nodes; if there is no room for them, again with more room, as far as the memory limit
    /// allows.
    pub fn growing<T>(&mut self, work: impl Fn(&Algebra) -> Result<T, Halt>) -> Result<T, Halt> {
        loop {
            self.store.reset_turnover();
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
        self.join_forking(self.forks, q, a, b)
    }

    /// The same, forking on `forks` levels.
    pub(super) fn join_forking(&self, forks: u32, q: Quantifier, a: Id, b: Id) -> Result<Id, Halt> {
        match q {
            Quantifier::Some => self.combine::<true>(forks, a, b),
            Quantifier::Every => self.combine::<false>(forks, a, b),
        }
    }

    /// Union.
    pub fn or(&self, a: Id, b: Id) -> Result<Id, Halt> {
        self.combine::<true>(self.forks, a, b)
    }

    /// Intersection.
    pub fn and(&self, a: Id, b: Id) -> Result<Id, Halt> {
        self.combine::<false>(self.forks, a, b)
    }

    /// Union or intersection, forking on `forks` levels.
    #[inline(always)]
    pub(super) fn combine<const OR: bool>(&self, forks: u32, a: Id, b: Id) -> Result<Id, Halt> {
        let (neutral, absorbing) = if OR {
            (Id::BOTTOM, Id::TOP)
        } else {
            (Id::TOP, Id::BOTTOM)
        };
        if a == b || b == neutral {
            return Ok(a);
        }
        if a == neutral {
            return Ok(b);
        }
        if a == absorbing || b == absorbing {
            return Ok(absorbing);
        }
        self.pairwise::<OR>(forks, a, b)
    }

    #[inline(always)]
    fn pair_key<const OR: bool>(a: Id, b: Id) -> Key {
        Algebra::key(if OR { Operation::Or } else { Operation::And }, a, b)
    }

    /// Goes through two diagrams side by side.
    fn pairwise<const OR: bool>(&self, forks: u32, a: Id, b: Id) -> Result<Id, Halt> {
        self.store.once(Algebra::pair_key::<OR>(a, b), || {
            let (x, y) = (self.store.node(a), self.store.node(b));
            if x.is_ternary() {
                let forks = forks.saturating_sub(1);
                let ((empty, stone), ball) = Algebra::both(
                    forks,
                    || {
                        self.store.prefetch(Algebra::pair_key::<OR>(x.stone, y.stone));
                        Algebra::both(
                            forks,
                            || self.combine::<OR>(forks, x.empty, y.empty),
                            || self.combine::<OR>(forks, x.stone, y.stone),
                        )
                    },
                    || self.combine::<OR>(forks, x.ball, y.ball),
                )?;
                // Often one operand is the result, which then needs no look-up.
                match (empty, stone, ball) {
                    all if all == (x.empty, x.stone, x.ball) => Ok(a),
                    all if all == (y.empty, y.stone, y.ball) => Ok(b),
                    _ => self.store.ternary(x.level(), empty, stone, ball),
                }
            } else {
                let level = x.level().min(y.level());
                let forks = forks.saturating_sub(1);
                let (x, y) = (x.halves(a, level), y.halves(b, level));
                self.store.prefetch(Algebra::pair_key::<OR>(x.1, y.1));
                let (empty, stone) = Algebra::both(
                    forks,
                    || self.combine::<OR>(forks, x.0, y.0),
                    || self.combine::<OR>(forks, x.1, y.1),
                )?;
                match (empty, stone) {
                    both if both == x => Ok(a),
                    both if both == y => Ok(b),
                    _ => self.store.binary(level, empty, stone),
                }
            }
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
            let (empty, stone) = Algebra::both(
                self.forks_at(level),
                || self.only_below(level + 1, node.empty, balls),
                || self.only_below(level + 1, node.stone, balls),
            )?;
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
            let (empty, stone) = Algebra::both(
                self.forks_at(level),
                || self.replace_below(level + 1, node.empty, balls, by.empty),
                || self.replace_below(level + 1, node.stone, balls, by.stone),
            )?;
            let ball = if balls.contains(&level) {
                by.ball
            } else {
                node.ball
            };
            self.store.ternary(level, empty, stone, ball)
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
