//! Placements, as recursions over the set that they lead into and over a set that they are joined with.
//!
//! A stone placed on a square leads from the empty child to the stone child: to the boards with the square empty is joined what the
//! target holds with a stone there. One recursion does both, as the set that is joined with keeps everything on the way small.

use super::algebra::{Algebra, Operation, Quantifier};
use super::store::{Halt, Id};

/// Which stones are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stones {
    /// To the left of the ball.
    Backward,
    /// On any square.
    All,
}

impl Algebra {
    /// The boards of `set` and those from which some of the stones leads into `target`; or those boards of `set` from which every
    /// one does.
    pub fn join_placements(&self, q: Quantifier, stones: Stones, set: Id, target: Id) -> Result<Id, Halt> {
        self.place_before_ball(q, stones, 0, (set, target))
    }

    fn place_before_ball(
        &self,
        q: Quantifier,
        stones: Stones,
        level: usize,
        (set, target): (Id, Id),
    ) -> Result<Id, Halt> {
        match (q, set, target) {
            (Quantifier::Some, _, Id::BOTTOM) | (Quantifier::Every, Id::BOTTOM, _) => return Ok(set),
            (Quantifier::Every, _, Id::BOTTOM) if stones == Stones::All => {
                return self.combine::<false>(self.forks_at(level), set, self.all_stones(level));
            }
            _ => {}
        }
        let operation = match stones {
            Stones::All => Operation::Place,
            Stones::Backward => Operation::PlaceBackward,
        };
        self.store
            .once(Algebra::key_at(operation, q, level, (set, target)), || {
                let (set, target) = (self.store.node(set), self.store.node(target));
                let forks = self.forks_at(level);
                let further = |set, target| self.place_before_ball(q, stones, level + 1, (set, target));
                let empty = || {
                    further(
                        self.join_forking(forks, q, set.empty, target.stone)?,
                        target.empty,
                    )
                };
                let stone = || further(set.stone, target.stone);
                let ball = || match stones {
                    Stones::Backward => Ok(set.ball),
                    Stones::All => self.place_after_ball(q, level + 1, (set.ball, target.ball)),
                };
                let ((empty, stone), ball) =
                    Algebra::both(forks, || Algebra::both(forks, empty, stone), ball)?;
                self.store.ternary(level, empty, stone, ball)
            })
    }

    fn place_after_ball(&self, q: Quantifier, level: usize, (set, target): (Id, Id)) -> Result<Id, Halt> {
        match (q, set, target) {
            (Quantifier::Some, Id::TOP, _) | (Quantifier::Some, _, Id::BOTTOM) => return Ok(set),
            (Quantifier::Every, Id::BOTTOM, _) | (Quantifier::Every, _, Id::TOP) => return Ok(set),
            (Quantifier::Every, _, Id::BOTTOM) => {
                return self.combine::<false>(self.forks_at(level), set, self.all_stones_no_ball(level));
            }
            _ if level == self.length() => return Ok(set),
            _ => {}
        }
        // No operation before the ball has a level with the same two operands, which are of the other kind.
        self.store
            .once(Algebra::key_at(Operation::Place, q, level, (set, target)), || {
                let (set, target) = (self.store.halves(set, level), self.store.halves(target, level));
                let forks = self.forks_at(level);
                let further = |set, target| self.place_after_ball(q, level + 1, (set, target));
                let (empty, stone) = Algebra::both(
                    forks,
                    || further(self.join_forking(forks, q, set.0, target.1)?, target.0),
                    || further(set.1, target.1),
                )?;
                self.store.binary(level, empty, stone)
            })
    }
}
