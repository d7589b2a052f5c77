//! Jumps, as recursions over the diagram of the set that they lead into.
//!
//! **To the right** the diagram is read in the order in which the ball flies. Let `U` be the part of the target from
//! square i on, when the squares before it are settled. A ball in flight above square i (which is empty now) looks at
//! square i + 1: over a stone it flies on, on an empty square it lands, and may stay (the target's ball child) or jump on:
//!
//! ```text
//!     hop(U)  =  stone(i+1) ∧ fly(U.empty)                                  a ball that stands on i
//!     fly(U)  =  stone(i+1) ∧ fly(U.empty)  ∨  empty(i+1) ∧ (U.empty.ball ∨ hop(U.empty))
//! ```
//!
//! On or beyond square n − 1 Left has won. Under 'every turn' ∨ joins by ∧ and 'no jump' is true.
//!
//! **To the left** the ball comes last, so the recursion guesses the square a where the turn ends. There the target has
//! its ball and the source is empty; then the source has a run of stones where the target is empty, perhaps an empty
//! square where the ball landed on its way, another run, and so on to the ball. So a guess follows the target's binary
//! part along its empty branches and lets the source show stones, with at least one between two landings
//! ([`Algebra::landed_left`], [`Algebra::run_left`]). Different guesses are different turns and are joined. A turn that
//! ends on or beyond square 0 has lost for Left: 'some turn' gains nothing there, and under 'every turn' the guess
//! has the target ⊥.

use super::algebra::{Algebra, Operation, Quantifier};
use super::starts::Starts;
use super::store::{Halt, Id};
use crate::games::rules::Rules;

impl Algebra {
    /// The positions from which some jump of Left's, or every jump of Right's, wins for Left at once or leads into `set`.
    pub fn jumps(&self, q: Quantifier, set: Id, from: &Starts) -> Result<Id, Halt> {
        match (self.rules, q) {
            (Rules::Ordinary, _) => {}
            (Rules::Directional, Quantifier::Some) => return self.forward_jumps(q, set, from),
            (Rules::Directional, Quantifier::Every) => return self.backward_jumps(q, set, from),
        }
        let forward = self.forward_jumps(q, set, from)?;
        let backward = self.backward_jumps(q, set, from)?;
        self.join(q, forward, backward)
    }

    /// The same of jumps to the right alone.
    pub fn forward_jumps(&self, q: Quantifier, set: Id, from: &Starts) -> Result<Id, Halt> {
        self.jumps_right(q, 0, set, from)
    }

    /// The same of jumps to the left alone.
    pub fn backward_jumps(&self, q: Quantifier, set: Id, from: &Starts) -> Result<Id, Halt> {
        self.jumps_left(q, 0, set, from)
    }

    fn jumps_right(&self, q: Quantifier, level: usize, set: Id, from: &Starts) -> Result<Id, Halt> {
        if !from.may_be_at(level) {
            return Ok(Id::BOTTOM);
        }
        let key = from.key_at(Operation::JumpRight, q, level, (set, Id::BOTTOM));
        self.store.once(key, || {
            let node = self.store.node(set);
            let (empty, stone) = Algebra::both(
                self.forks_at(level),
                || self.jumps_right(q, level + 1, node.empty, from),
                || self.jumps_right(q, level + 1, node.stone, from),
            )?;
            let ball = if from.at(level) {
                self.hop_right(q, level, set)?
            } else {
                Id::BOTTOM
            };
            self.store.ternary(level, empty, stone, ball)
        })
    }

    /// The jumps of a ball on a square.
    fn hop_right(&self, q: Quantifier, square: usize, set: Id) -> Result<Id, Halt> {
        let over_stone = self.fly_right(q, square + 1, self.store.node(set).empty)?;
        self.store.binary(square + 1, Algebra::no_turn(q), over_stone)
    }

    /// What a ball reaches that flies over a stone on `square`, which `set` reads as the next square, empty now.
    fn fly_right(&self, q: Quantifier, square: usize, set: Id) -> Result<Id, Halt> {
        if square + 2 >= self.length() {
            return Ok(Id::TOP);
        }
        let key = Algebra::key_at(Operation::FlyRight, q, square, (set, Id::BOTTOM));
        self.store.once(key, || {
            let after = self.store.node(set).empty;
            let stone = self.fly_right(q, square + 1, after)?;
            let jump_on = self.hop_right(q, square + 1, after)?;
            let empty = self.join_forking(self.forks_at(square), q, self.store.node(after).ball, jump_on)?;
            self.store.binary(square + 1, empty, stone)
        })
    }

    fn jumps_left(&self, q: Quantifier, level: usize, set: Id, from: &Starts) -> Result<Id, Halt> {
        if !from.may_be_at(level) || (set == Id::BOTTOM && q == Quantifier::Some) {
            return Ok(Id::BOTTOM);
        }
        let key = from.key_at(Operation::JumpLeft, q, level, (set, Id::BOTTOM));
        self.store.once(key, || {
            let node = self.store.node(set);
            let forks = self.forks_at(level);
            let empty = || {
                let (further, landed) = Algebra::both(
                    forks,
                    || self.jumps_left(q, level + 1, node.empty, from),
                    || self.landed_left(q, level + 1, node.ball, from),
                )?;
                self.join_forking(forks, q, further, landed)
            };
            let stone = || self.jumps_left(q, level + 1, node.stone, from);
            let (empty, mut stone) = Algebra::both(forks, empty, stone)?;
            if level == 0 {
                let off = self.run_left(q, 1, Id::BOTTOM, from)?;
                stone = self.join(q, stone, off)?;
            }
            let ball = from.no_turn_on(q, level);
            self.store.ternary(level, empty, stone, ball)
        })
    }

    /// The square before is a landing place: this one must hold a stone. `set` is the target from here on.
    fn landed_left(&self, q: Quantifier, level: usize, set: Id, from: &Starts) -> Result<Id, Halt> {
        if !from.may_be_at(level) || (set == Id::BOTTOM && q == Quantifier::Some) {
            return Ok(Id::BOTTOM);
        }
        let key = from.key_at(Operation::LandedLeft, q, level, (set, Id::BOTTOM));
        self.store.once(key, || {
            let (if_empty, _) = self.store.halves(set, level);
            let stone = self.run_left(q, level + 1, if_empty, from)?;
            let other = from.no_turn(q, level + 1);
            let ball = from.no_turn_on(q, level);
            self.store.ternary(level, other, stone, ball)
        })
    }

    /// The square before holds a stone of the run.
    fn run_left(&self, q: Quantifier, level: usize, set: Id, from: &Starts) -> Result<Id, Halt> {
        if !from.may_be_at(level) || (set == Id::BOTTOM && q == Quantifier::Some) {
            return Ok(Id::BOTTOM);
        }
        let key = from.key_at(Operation::RunLeft, q, level, (set, Id::BOTTOM));
        self.store.once(key, || {
            let (if_empty, _) = self.store.halves(set, level);
            let empty = self.landed_left(q, level + 1, if_empty, from)?;
            let stone = self.run_left(q, level + 1, if_empty, from)?;
            let ball = if from.at(level) { if_empty } else { Id::BOTTOM };
            self.store.ternary(level, empty, stone, ball)
        })
    }
}
