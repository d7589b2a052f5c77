//! Preimages under jumps, as recursions over the diagram of the target set.
//!
//! **To the right** the diagram is read in the direction of the flight. Let `U` be the part of the
//! target from square i on, for fixed squares before it. A ball in flight above square i (which is
//! now empty) meets square i + 1: over a stone it flies on; on an empty square it lands, and may
//! stay (the target's ball child) or jump on:
//!
//! ```text
//!     hop(U)  =  stone(i+1) ∧ fly(U.empty)                                  a ball that stands on i
//!     fly(U)  =  stone(i+1) ∧ fly(U.empty)  ∨  empty(i+1) ∧ (U.empty.ball ∨ hop(U.empty))
//! ```
//!
//! On or beyond square n − 1 Left has won. Under 'every turn', ∨ becomes ∧ and 'no jump' is true.
//!
//! **To the left** the ball comes last, so the recursion guesses the square a where the turn ends.
//! There the target has its ball and the source is empty. Then the source has a run of stones where
//! the target is empty, possibly an empty intermediate landing square, another run, and so on to
//! the ball. A guess follows the target's binary part along its empty branches while the source has
//! stones, with at least one between two landings. Let `U` be the target from square i on:
//!
//! ```text
//!     left(U)    =  empty(i) ∧ (left(U.empty) ∨ landed(U.ball))  ∨  stone(i) ∧ left(U.stone)
//!     landed(U)  =  stone(i) ∧ run(U.empty)                        a landing on the square before
//!     run(U)     =  stone(i) ∧ run(U.empty)  ∨  empty(i) ∧ landed(U.empty)  ∨  ball(i) ∧ U.empty
//! ```
//!
//! Different guesses are different turns and are joined. A turn that ends on or beyond square 0 has
//! lost for Left: it adds nothing under 'some turn', and under 'every turn' the guess has the target
//! ⊥ ([`Algebra::left_from_goal`]).
//!
//! **Proper** jump turns have at least three squares, or win. A turn of two squares is over one
//! stone, on the square next to the landing. So only the first landing of a flight to the right is
//! affected, and only the first square after the stone next to the landing of a turn to the left.

use super::algebra::{Algebra, Operation, Quantifier};
use super::ball_set::BallSet;
use super::cache::Key;
use super::store::{Halt, Id, Node};

/// The jump turns that an operation takes into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Jumps {
    All,
    /// See [`Algebra::proper_jumps`].
    Proper,
}

impl Jumps {
    /// Returns the key of an operation with one operand. The second operand tells the jumps apart.
    #[inline(always)]
    fn key(self, key: impl FnOnce((Id, Id)) -> Key, set: Id) -> Key {
        key(match self {
            Jumps::All => (set, Id::BOTTOM),
            Jumps::Proper => (set, Id::TOP),
        })
    }
}

impl Algebra {
    /// Returns the positions from which some jump of Left, or every jump of Right, wins for Left at
    /// once or leads into `set`.
    pub fn jumps(&self, q: Quantifier, set: Id, from: &BallSet) -> Result<Id, Halt> {
        let (forward, backward) = self.both_forking(
            || self.forward_jumps(q, set, from),
            || self.backward_jumps(q, set, from),
        )?;
        self.join(q, forward, backward)
    }

    /// Returns the positions from which some *proper* jump turn of Left wins at once or leads into
    /// `set`: one of at least three squares in either direction, or one that wins (docs/PROOF.md,
    /// Theorem N).
    pub fn proper_jumps(&self, set: Id, from: &BallSet) -> Result<Id, Halt> {
        let (jumps, q) = (Jumps::Proper, Quantifier::Exists);
        let (to_right, to_left) = self.both_forking(
            || self.jumps_right(jumps, q, 0, set, from),
            || self.jumps_left(jumps, q, 0, set, from),
        )?;
        self.or(to_right, to_left)
    }

    /// Like [`jumps`](Algebra::jumps), for jumps to the right only.
    pub fn forward_jumps(&self, q: Quantifier, set: Id, from: &BallSet) -> Result<Id, Halt> {
        if from.is_mirrored() {
            self.jumps_left(Jumps::All, q, 0, set, from)
        } else {
            self.jumps_right(Jumps::All, q, 0, set, from)
        }
    }

    /// Like [`jumps`](Algebra::jumps), for jumps to the left only.
    pub fn backward_jumps(&self, q: Quantifier, set: Id, from: &BallSet) -> Result<Id, Halt> {
        if from.is_mirrored() {
            self.jumps_right(Jumps::All, q, 0, set, from)
        } else {
            self.jumps_left(Jumps::All, q, 0, set, from)
        }
    }

    /// Returns the result of a turn that ends on or beyond the first (or the last) square, as a set
    /// of squares after the ball.
    fn goal(first: bool, from: &BallSet) -> Id {
        if first == from.is_mirrored() {
            Id::TOP
        } else {
            Id::BOTTOM
        }
    }

    fn jumps_right(
        &self,
        jumps: Jumps,
        q: Quantifier,
        level: usize,
        set: Id,
        from: &BallSet,
    ) -> Result<Id, Halt> {
        if !from.reaches(level) {
            return Ok(Id::BOTTOM);
        }
        let key = jumps.key(
            |operands| from.key_at(Operation::JumpRight, q, level, operands),
            set,
        );
        self.store.once(key, || {
            let node = self.store.node(set);
            let (empty, stone) = Algebra::both(
                self.forks_at(level),
                || self.jumps_right(jumps, q, level + 1, node.empty, from),
                || self.jumps_right(jumps, q, level + 1, node.stone, from),
            )?;
            let ball = if from.contains(level) {
                self.hop_right(jumps, q, level, set, from)?
            } else {
                Id::BOTTOM
            };
            self.store.ternary(level, empty, stone, ball)
        })
    }

    /// Returns the preimage under jumps of a ball on `square`.
    fn hop_right(
        &self,
        jumps: Jumps,
        q: Quantifier,
        square: usize,
        set: Id,
        from: &BallSet,
    ) -> Result<Id, Halt> {
        let over_stone = self.fly_right(jumps, q, square + 1, self.store.node(set).empty, from)?;
        self.store.binary(square + 1, Algebra::identity(q), over_stone)
    }

    /// Returns the preimage for a ball that flies over a stone on `square`; `set` is the target
    /// from that square on, which is now empty. With proper jumps the stone is the first of the
    /// turn.
    fn fly_right(
        &self,
        jumps: Jumps,
        q: Quantifier,
        square: usize,
        set: Id,
        from: &BallSet,
    ) -> Result<Id, Halt> {
        if square + 2 >= self.length() {
            return Ok(Algebra::goal(false, from));
        }
        let key = jumps.key(
            |operands| from.directed_key_at(Operation::FlyRight, q, square, operands),
            set,
        );
        self.store.once(key, || {
            let after = self.store.node(set).empty;
            let stone = self.fly_right(Jumps::All, q, square + 1, after, from)?;
            let jump_on = self.hop_right(Jumps::All, q, square + 1, after, from)?;
            let landed = self.store.node(after).ball;
            let empty = match jumps {
                Jumps::All => self.join_forking(self.forks_at(square), q, landed, jump_on)?,
                Jumps::Proper => jump_on,
            };
            self.store.binary(square + 1, empty, stone)
        })
    }

    fn jumps_left(
        &self,
        jumps: Jumps,
        q: Quantifier,
        level: usize,
        set: Id,
        from: &BallSet,
    ) -> Result<Id, Halt> {
        let may_win = level == 0 && from.is_mirrored();
        if !from.reaches(level) || (set == Id::BOTTOM && q == Quantifier::Exists && !may_win) {
            return Ok(Id::BOTTOM);
        }
        let key = jumps.key(
            |operands| from.key_at(Operation::JumpLeft, q, level, operands),
            set,
        );
        self.store.once(key, || {
            let node = self.store.node(set);
            if level == 0 {
                return self.left_from_goal(jumps, q, node, from);
            }
            let landed = || self.landed_left(jumps, q, level + 1, node.ball, from);
            let [empty, stone] = self.guesses_left(jumps, q, level, node, landed, from)?;
            self.store
                .ternary(level, empty, stone, from.identity_at(q, level))
        })
    }

    /// [`jumps_left`](Algebra::jumps_left) from the first square on: a landing there, and a jump over
    /// a run that begins there, end the game. They win, or add nothing.
    fn left_from_goal(&self, jumps: Jumps, q: Quantifier, node: Node, from: &BallSet) -> Result<Id, Halt> {
        let goal = Algebra::goal(true, from);
        let landed = || self.landed_left(Jumps::All, q, 1, goal, from);
        let [empty, stone] = self.guesses_left(jumps, q, 0, node, landed, from)?;
        let off = self.run_left(Jumps::All, q, 1, goal, from)?;
        let stone = self.join(q, stone, off)?;
        self.store.ternary(0, empty, stone, from.identity_at(q, 0))
    }

    /// Returns the sets after an empty square and after a stone; `landed` returns the set for a turn
    /// that ends on the empty square.
    fn guesses_left(
        &self,
        jumps: Jumps,
        q: Quantifier,
        level: usize,
        node: Node,
        landed: impl FnOnce() -> Result<Id, Halt> + Send,
        from: &BallSet,
    ) -> Result<[Id; 2], Halt> {
        let forks = self.forks_at(level);
        let empty = || {
            let further = || self.jumps_left(jumps, q, level + 1, node.empty, from);
            let (further, landed) = Algebra::both(forks, further, landed)?;
            self.join_forking(forks, q, further, landed)
        };
        let stone = || self.jumps_left(jumps, q, level + 1, node.stone, from);
        let (empty, stone) = Algebra::both(forks, empty, stone)?;
        Ok([empty, stone])
    }

    /// Handles a landing on the square before: this one must have a stone. `set` is the target from
    /// here on. With proper jumps it is the last landing of the turn.
    fn landed_left(
        &self,
        jumps: Jumps,
        q: Quantifier,
        level: usize,
        set: Id,
        from: &BallSet,
    ) -> Result<Id, Halt> {
        if !from.reaches(level) || (set == Id::BOTTOM && q == Quantifier::Exists) {
            return Ok(Id::BOTTOM);
        }
        let key = jumps.key(
            |operands| from.key_at(Operation::LandedLeft, q, level, operands),
            set,
        );
        self.store.once(key, || {
            let (if_empty, _) = self.store.halves(set, level);
            let stone = self.run_left(jumps, q, level + 1, if_empty, from)?;
            let other = from.identity(q, level + 1);
            let ball = from.identity_at(q, level);
            self.store.ternary(level, other, stone, ball)
        })
    }

    /// Handles a square after a stone of the run. With proper jumps that is the last stone of the
    /// turn.
    fn run_left(
        &self,
        jumps: Jumps,
        q: Quantifier,
        level: usize,
        set: Id,
        from: &BallSet,
    ) -> Result<Id, Halt> {
        if !from.reaches(level) || (set == Id::BOTTOM && q == Quantifier::Exists) {
            return Ok(Id::BOTTOM);
        }
        let key = jumps.key(
            |operands| from.key_at(Operation::RunLeft, q, level, operands),
            set,
        );
        self.store.once(key, || {
            let (if_empty, _) = self.store.halves(set, level);
            let empty = self.landed_left(Jumps::All, q, level + 1, if_empty, from)?;
            let stone = self.run_left(Jumps::All, q, level + 1, if_empty, from)?;
            let ball = match jumps {
                Jumps::All if from.contains(level) => if_empty,
                Jumps::All => Id::BOTTOM,
                Jumps::Proper => from.identity_at(q, level),
            };
            self.store.ternary(level, empty, stone, ball)
        })
    }
}
