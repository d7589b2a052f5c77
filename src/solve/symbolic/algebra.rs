//! Sets of positions as diagrams: the operations on them, and the turns of the game.
//!
//! Everything that a solver needs is one recursion over a diagram, or over two side by side, that looks at a square at
//! a time from the left. The quantifier is a parameter: 'some turn leads into the set' joins with ∨ and is false where
//! there is no turn, 'every turn leads into the set' joins with ∧ and is true there.
//!
//! The universe may be narrowed to a *zone* of ball squares ([`Algebra::set_zone`]): what turns and placements lead from
//! is then a position with the ball in the zone. What they lead into may have its ball anywhere; but union and
//! intersection are for sets within the zone, since they take 'everything' to mean everything in it.
//!
//! Results depend on the operation, the operands, and often on the square where the recursion stands: a binary
//! diagram skips squares that do not matter to the set, but a free square always matters to whoever may place a stone
//! there, and ⊥ does not say where it stands.

use super::store::{Full, Id, Key, Limits, Store};
use crate::games::strip::Strip;
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
    JumpRight,
    FlyRight,
    JumpLeft,
    LandedLeft,
    RunLeft,
    Close,
}

/// A store, and the sets that every operation may need.
pub struct Algebra {
    pub(super) store: Store,
    /// The zone: where the ball may be.
    first_ball: usize,
    last_ball: usize,
    /// For each square, every position of the zone with the ball on it or to the right of it.
    everything: Vec<Id>,
    /// For each square, the same with stones on all other squares; and without the ball.
    all_stones: Vec<Id>,
    all_stones_no_ball: Vec<Id>,
}

impl Algebra {
    /// The algebra of a strip of `length ≥ 3` squares, with the ball anywhere.
    ///
    /// # Errors
    /// [`Full`].
    pub fn new(length: usize, limits: Limits) -> Result<Algebra, Full> {
        let mut algebra = Algebra {
            store: Store::new(length, limits),
            first_ball: 1,
            last_ball: length - 2,
            everything: Vec::new(),
            all_stones: Vec::new(),
            all_stones_no_ball: Vec::new(),
        };
        algebra.set_zone(1..=length - 2)?;
        Ok(algebra)
    }

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.store.length()
    }

    /// The nodes.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Narrows or widens the universe to the positions with the ball on these squares.
    ///
    /// # Errors
    /// [`Full`].
    pub fn set_zone(&mut self, zone: RangeInclusive<usize>) -> Result<(), Full> {
        (self.first_ball, self.last_ball) = (*zone.start(), *zone.end());
        let length = self.length();
        self.everything = vec![Id::BOTTOM; length + 1];
        self.all_stones = vec![Id::BOTTOM; length + 1];
        self.all_stones_no_ball = vec![Id::TOP; length + 1];
        for level in (0..length).rev() {
            let stones = self.all_stones_no_ball[level + 1];
            self.all_stones_no_ball[level] = self.store.binary(level, Id::BOTTOM, stones)?;
            let (ball, stones) = if zone.contains(&level) {
                (Id::TOP, stones)
            } else {
                (Id::BOTTOM, Id::BOTTOM)
            };
            let later = self.everything[level + 1];
            self.everything[level] = self.store.ternary(level, later, later, ball)?;
            let later = self.all_stones[level + 1];
            self.all_stones[level] = self.store.ternary(level, Id::BOTTOM, later, stones)?;
        }
        Ok(())
    }

    /// Collects garbage if it is time to; see [`Store::tidy`].
    pub fn tidy(&mut self, roots: &mut [&mut Id]) {
        self.with_own_roots(roots, Store::tidy);
    }

    /// Collects garbage; see [`Store::collect`].
    pub fn collect(&mut self, roots: &mut [&mut Id]) {
        self.with_own_roots(roots, Store::collect);
    }

    fn with_own_roots(&mut self, roots: &mut [&mut Id], collect: impl Fn(&mut Store, &mut [&mut Id])) {
        let own = (self.everything.iter_mut())
            .chain(&mut self.all_stones)
            .chain(&mut self.all_stones_no_ball);
        let mut all: Vec<&mut Id> = roots.iter_mut().map(|root| &mut **root).chain(own).collect();
        collect(&mut self.store, &mut all);
    }

    /// Whether the ball may stand on a square.
    pub(super) fn in_zone(&self, square: usize) -> bool {
        (self.first_ball..=self.last_ball).contains(&square)
    }

    /// Whether the ball may stand on a square or to the right of it.
    pub(super) fn may_come(&self, square: usize) -> bool {
        square <= self.last_ball
    }

    /// All positions with the ball on a square or to the right of it.
    pub(super) fn everything(&self, level: usize) -> Id {
        self.everything[level]
    }

    /// A key for an operation that depends on the square and the zone.
    pub(super) fn key_at(
        &self,
        operation: Operation,
        q: Quantifier,
        level: usize,
        operands: (Id, Id),
    ) -> Key {
        let zone = (self.first_ball << 7 | self.last_ball) as u32;
        Key {
            operation: zone << 13 | (level as u32) << 5 | (q as u32) << 4 | operation as u32,
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

    /// The same for all positions with the ball on a square or to the right of it.
    pub(super) fn no_turn_anywhere(&self, q: Quantifier, level: usize) -> Id {
        match q {
            Quantifier::Some => Id::BOTTOM,
            Quantifier::Every => self.everything[level],
        }
    }

    /// The set of one board.
    ///
    /// # Errors
    /// [`Full`].
    ///
    /// # Panics
    /// If the board is of another length.
    pub fn board(&mut self, strip: &Strip) -> Result<Id, Full> {
        assert_eq!(strip.length(), self.length(), "a strip of another length");
        let mut set = Id::TOP;
        for square in (0..self.length()).rev() {
            let stone = strip.stones() >> square & 1 == 1;
            let (on_empty, on_stone) = if stone {
                (Id::BOTTOM, set)
            } else {
                (set, Id::BOTTOM)
            };
            set = if square == strip.ball() {
                self.store.ternary(square, Id::BOTTOM, Id::BOTTOM, set)?
            } else if square > strip.ball() {
                self.store.binary(square, on_empty, on_stone)?
            } else {
                self.store.ternary(square, on_empty, on_stone, Id::BOTTOM)?
            };
        }
        Ok(set)
    }

    /// Joins what two kinds of turns lead to.
    ///
    /// # Errors
    /// [`Full`].
    pub fn join(&mut self, q: Quantifier, a: Id, b: Id) -> Result<Id, Full> {
        match q {
            Quantifier::Some => self.or(a, b),
            Quantifier::Every => self.and(a, b),
        }
    }

    /// Union.
    ///
    /// # Errors
    /// [`Full`].
    pub fn or(&mut self, a: Id, b: Id) -> Result<Id, Full> {
        if a == b || b == Id::BOTTOM {
            return Ok(a);
        }
        if a == Id::BOTTOM {
            return Ok(b);
        }
        if a == Id::TOP || b == Id::TOP {
            return Ok(Id::TOP);
        }
        if let Some(everything) = self.one_is_everything(a, b) {
            return Ok(everything.0);
        }
        self.pairwise::<true>(a, b)
    }

    /// Intersection.
    ///
    /// # Errors
    /// [`Full`].
    pub fn and(&mut self, a: Id, b: Id) -> Result<Id, Full> {
        if a == b || b == Id::TOP {
            return Ok(a);
        }
        if a == Id::TOP {
            return Ok(b);
        }
        if a == Id::BOTTOM || b == Id::BOTTOM {
            return Ok(Id::BOTTOM);
        }
        if let Some(everything) = self.one_is_everything(a, b) {
            return Ok(everything.1);
        }
        self.pairwise::<false>(a, b)
    }

    /// If one of two sets is everything: that one, and the other.
    fn one_is_everything(&self, a: Id, b: Id) -> Option<(Id, Id)> {
        let everything = self.everything[self.store.node(a).level()];
        if a == everything {
            Some((a, b))
        } else if b == everything {
            Some((b, a))
        } else {
            None
        }
    }

    fn combine<const OR: bool>(&mut self, a: Id, b: Id) -> Result<Id, Full> {
        if OR { self.or(a, b) } else { self.and(a, b) }
    }

    /// Goes through two diagrams side by side.
    fn pairwise<const OR: bool>(&mut self, a: Id, b: Id) -> Result<Id, Full> {
        let operation = if OR { Operation::Or } else { Operation::And };
        let key = Algebra::key(operation, a, b);
        if let Some((known, _)) = self.store.recall(key) {
            return Ok(known);
        }
        let (x, y) = (self.store.node(a), self.store.node(b));
        let result = if x.is_ternary() {
            let empty = self.combine::<OR>(x.empty, y.empty)?;
            let stone = self.combine::<OR>(x.stone, y.stone)?;
            let ball = self.combine::<OR>(x.ball, y.ball)?;
            self.store.ternary(x.level(), empty, stone, ball)?
        } else {
            let level = x.level().min(y.level());
            let ((a0, a1), (b0, b1)) = (self.store.halves(a, level), self.store.halves(b, level));
            let empty = self.combine::<OR>(a0, b0)?;
            let stone = self.combine::<OR>(a1, b1)?;
            self.store.binary(level, empty, stone)?
        };
        self.store.remember(key, (result, Id::BOTTOM));
        Ok(result)
    }

    /// The positions from which some stone, or every stone, that can be placed leads into `set`.
    ///
    /// # Errors
    /// [`Full`].
    pub fn placements(&mut self, q: Quantifier, set: Id) -> Result<Id, Full> {
        self.place_before_ball(q, 0, set)
    }

    fn place_before_ball(&mut self, q: Quantifier, level: usize, set: Id) -> Result<Id, Full> {
        if !self.may_come(level) {
            return Ok(Id::BOTTOM);
        }
        if set == Id::BOTTOM {
            return Ok(match q {
                Quantifier::Some => Id::BOTTOM,
                Quantifier::Every => self.all_stones[level],
            });
        }
        let key = self.key_at(Operation::Place, q, level, (set, Id::BOTTOM));
        if let Some((known, _)) = self.store.recall(key) {
            return Ok(known);
        }
        let node = self.store.node(set);
        let further = self.place_before_ball(q, level + 1, node.empty)?;
        let empty = self.join(q, further, node.stone)?;
        let stone = self.place_before_ball(q, level + 1, node.stone)?;
        let ball = if self.in_zone(level) {
            self.place_after_ball(q, level + 1, node.ball)?
        } else {
            Id::BOTTOM
        };
        let result = self.store.ternary(level, empty, stone, ball)?;
        self.store.remember(key, (result, Id::BOTTOM));
        Ok(result)
    }

    fn place_after_ball(&mut self, q: Quantifier, level: usize, set: Id) -> Result<Id, Full> {
        match (q, set) {
            (Quantifier::Some, Id::BOTTOM) | (Quantifier::Every, Id::TOP) => return Ok(set),
            (Quantifier::Every, Id::BOTTOM) => return Ok(self.all_stones_no_ball[level]),
            _ if level == self.length() => return Ok(Algebra::no_turn(q)),
            _ => {}
        }
        let key = self.key_at(Operation::Place, q, level, (set, Id::TOP));
        if let Some((known, _)) = self.store.recall(key) {
            return Ok(known);
        }
        let (if_empty, if_stone) = self.store.halves(set, level);
        let further = self.place_after_ball(q, level + 1, if_empty)?;
        let empty = self.join(q, further, if_stone)?;
        let stone = self.place_after_ball(q, level + 1, if_stone)?;
        let result = self.store.binary(level, empty, stone)?;
        self.store.remember(key, (result, Id::BOTTOM));
        Ok(result)
    }
}
