//! Sets of positions as diagrams: set operations and the turns of the game.
//!
//! Each operation is one recursion over a diagram, or over two side by side, one square at a time
//! from the left. The quantifier is a parameter: 'some turn leads into the set' joins with ∨ and is
//! false if there is no turn, 'every turn leads into the set' joins with ∧ and is then true.
//!
//! Jumps, and placements after them, are computed for some ball squares
//! ([`BallSet`](super::ball_set::BallSet)): the result has the boards with the ball on these
//! squares. The sets that jumps lead into may have the ball anywhere.
//!
//! Results depend on the operation, the operands, and often on the current square: a binary diagram
//! skips squares that do not matter to the set, but an empty square always matters to placements,
//! and ⊥ has no square.

use super::cache::{Cache, Key};
use super::store::{Halt, Id, Marks, Store, SymbolicLimits};
pub use phutbase_sets::turns::Quantifier;
use std::ops::RangeInclusive;

/// The operation codes of the computed cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Place = 1,
    /// A union, and the intersection: their codes differ in the lowest bit, which makes them
    /// neighbours in the cache.
    Or,
    And,
    PlaceBeforeBall,
    JumpRight,
    FlyRight,
    JumpLeft,
    LandedLeft,
    RunLeft,
    Only,
    Replace,
    /// The two results of a closure, neighbours too.
    CloseLeft,
    CloseRight,
    PlaceAfterBall,
    Mirror,
}

/// Percentages of the memory that the cache may fill together with the nodes, after the first, second
/// and third collection of garbage in one operation.
const CACHE_PERCENTS: [u64; 3] = [100, 50, 0];

/// Number of levels of a recursion that fork if threads share the work: enough for many cores, yet
/// few of the calls.
const FORKS: u32 = 14;

/// A store, and common sets. Operations take it by shared reference, so that threads can share it.
pub struct Algebra {
    pub(super) store: Store,
    /// Number of levels of each recursion that fork.
    pub(super) forks: u32,
    /// For each square, all boards with stones everywhere but on the ball's square, which is this
    /// square or one to the right of it; and the same without the ball.
    all_stones: Vec<Id>,
    all_stones_no_ball: Vec<Id>,
}

impl Algebra {
    /// Returns the algebra of a strip of `length ≥ 3` squares.
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
            forks: 0,
            all_stones,
            all_stones_no_ball,
        })
    }

    /// Shares the work of every operation among the threads of the current pool.
    pub fn sharing(self, threads: usize) -> Algebra {
        let forks = if threads > 1 { FORKS } else { 0 };
        Algebra { forks, ..self }
    }

    /// Runs two closures, on two threads if `forks` is positive.
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

    /// Runs two closures, on two threads if threads share the work.
    #[inline(always)]
    pub(super) fn both_forking<A: Send, B: Send>(
        &self,
        one: impl FnOnce() -> Result<A, Halt> + Send,
        other: impl FnOnce() -> Result<B, Halt> + Send,
    ) -> Result<(A, B), Halt> {
        Algebra::both(self.forks, one, other)
    }

    /// Returns the number of levels from `level` on that may fork in a recursion that starts at the
    /// first square.
    #[inline(always)]
    pub(super) fn forks_at(&self, level: usize) -> u32 {
        self.forks.saturating_sub(level as u32)
    }

    /// Returns the boards with stones everywhere but on the ball's square, which is `level` or to
    /// the right of it.
    pub(super) fn all_stones(&self, level: usize) -> Id {
        self.all_stones[level]
    }

    /// Returns the set with stones on all squares from `level` on, after the ball.
    pub(super) fn all_stones_no_ball(&self, level: usize) -> Id {
        self.all_stones_no_ball[level]
    }

    /// Returns the number of squares.
    pub fn length(&self) -> usize {
        self.store.length()
    }

    /// Returns the nodes.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the nodes, to grow or collect them.
    pub fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }

    /// Collects garbage: all nodes that these sets do not reach. All but the move of the surviving
    /// nodes can be stopped.
    pub(super) fn collect(&mut self, roots: Vec<&mut Id>) -> Result<(), Halt> {
        let kept: Vec<Id> = roots.iter().map(|root| **root).collect();
        let mut marks = self.mark(&kept)?;
        self.sweep(&mut marks);
        roots.into_iter().for_each(|root| marks.renumber(root));
        let results = self.store.surviving_results(&marks);
        self.store.end_collection(marks, results);
        Ok(())
    }

    /// Marks the nodes of some sets and the own ones; see [`Store::mark`].
    pub fn mark(&self, roots: &[Id]) -> Result<Marks, Halt> {
        self.store
            .mark(&[roots, &self.all_stones, &self.all_stones_no_ball].concat())
    }

    /// Drops every unmarked node; see [`Store::sweep`].
    pub fn sweep(&mut self, marks: &mut Marks) {
        self.store.sweep(marks);
        let own = self.all_stones.iter_mut().chain(&mut self.all_stones_no_ball);
        own.for_each(|set| marks.renumber(set));
    }

    /// Runs an operation; if it runs out of nodes, grows the store and retries, as far as the
    /// memory limit allows.
    pub fn growing<T>(&mut self, work: impl Fn(&Algebra) -> Result<T, Halt>) -> Result<T, Halt> {
        loop {
            match work(self) {
                Err(Halt::Full) => self.store.grow()?,
                done => return done,
            }
        }
    }

    /// Runs an operation of a solver. If it runs out of nodes, retries with more memory, and at the
    /// limit after collecting garbage: of other operations first, then of its own, with less memory
    /// for the cache each time. `parts` returns the solver's algebra and all sets that survive.
    pub(super) fn with_retry<S, T>(
        solver: &mut S,
        parts: fn(&mut S) -> (&mut Algebra, Vec<&mut Id>),
        work: impl Fn(&S) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let mut percents = CACHE_PERCENTS.into_iter();
        parts(solver).0.store.leave_to_cache(100);
        loop {
            match work(solver) {
                Err(Halt::Full) => {}
                done => return done,
            }
            let (algebra, sets) = parts(solver);
            if let Err(halt) = algebra.store.grow() {
                let percent = percents.next().ok_or(halt)?;
                algebra.collect(sets)?;
                algebra.store.leave_to_cache(percent);
            }
        }
    }

    /// Returns a key for an operation that depends on the square.
    pub(super) fn key_at(operation: Operation, q: Quantifier, level: usize, operands: (Id, Id)) -> Key {
        Key {
            operation: (level as u32) << 5 | (q as u32) << 4 | operation as u32,
            first: operands.0,
            second: operands.1,
        }
    }

    /// Returns the identity of the quantifier's join, the result for no turns, after the ball.
    pub(super) fn identity(q: Quantifier) -> Id {
        match q {
            Quantifier::Exists => Id::BOTTOM,
            Quantifier::ForAll => Id::TOP,
        }
    }

    /// Combines the results of two kinds of turns.
    pub fn join(&self, q: Quantifier, a: Id, b: Id) -> Result<Id, Halt> {
        self.join_forking(self.forks, q, a, b)
    }

    /// Like [`join`](Algebra::join), forking on `forks` levels.
    pub(super) fn join_forking(&self, forks: u32, q: Quantifier, a: Id, b: Id) -> Result<Id, Halt> {
        match q {
            Quantifier::Exists => self.combine::<true>(forks, a, b),
            Quantifier::ForAll => self.combine::<false>(forks, a, b),
        }
    }

    /// Returns the union.
    pub fn or(&self, a: Id, b: Id) -> Result<Id, Halt> {
        self.combine::<true>(self.forks, a, b)
    }

    /// Returns the intersection.
    pub fn and(&self, a: Id, b: Id) -> Result<Id, Halt> {
        self.combine::<false>(self.forks, a, b)
    }

    /// Returns the union or intersection, forking on `forks` levels.
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
    fn pair_key(or: bool, a: Id, b: Id) -> Key {
        let operation = if or { Operation::Or } else { Operation::And };
        Key {
            operation: operation as u32,
            first: a.min(b),
            second: a.max(b),
        }
    }

    /// Recurses over two diagrams side by side.
    fn pairwise<const OR: bool>(&self, forks: u32, a: Id, b: Id) -> Result<Id, Halt> {
        // If one operand contains the other, the union is one of them and the intersection the other.
        let implied = |cache: &Cache, place| match cache.recall(place, Algebra::pair_key(!OR, a, b)) {
            Some(dual) if dual == a => Some(b),
            Some(dual) if dual == b => Some(a),
            _ => None,
        };
        self.store.once_or(Algebra::pair_key(OR, a, b), implied, || {
            let (x, y) = (self.store.node(a), self.store.node(b));
            if x.is_ternary() {
                let forks = forks.saturating_sub(1);
                let ((empty, stone), ball) = Algebra::both(
                    forks,
                    || {
                        self.store.prefetch(Algebra::pair_key(OR, x.stone, y.stone));
                        Algebra::both(
                            forks,
                            || self.combine::<OR>(forks, x.empty, y.empty),
                            || self.combine::<OR>(forks, x.stone, y.stone),
                        )
                    },
                    || self.combine::<OR>(forks, x.ball, y.ball),
                )?;
                // Often an operand is the result, which needs no look-up.
                match (empty, stone, ball) {
                    all if all == (x.empty, x.stone, x.ball) => Ok(a),
                    all if all == (y.empty, y.stone, y.ball) => Ok(b),
                    _ => self.store.ternary(x.level(), empty, stone, ball),
                }
            } else {
                let level = x.level().min(y.level());
                let forks = forks.saturating_sub(1);
                let (x, y) = (x.halves(a, level), y.halves(b, level));
                self.store.prefetch(Algebra::pair_key(OR, x.1, y.1));
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

    /// Returns the boards of a set with the ball on some squares.
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

    /// Returns a set whose boards with the ball on some squares are replaced by `by`, a set of such
    /// boards.
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
            self.store.ternary_like(set, level, (empty, stone, ball))
        })
    }
}

/// Returns the key of an operation that depends on ball squares. Its operands are ternary nodes,
/// which determine their squares.
pub(super) fn balls_key(operation: Operation, balls: &RangeInclusive<usize>, first: Id, second: Id) -> Key {
    Key {
        operation: ((balls.start() << 8 | balls.end()) as u32) << 5 | operation as u32,
        first,
        second,
    }
}
