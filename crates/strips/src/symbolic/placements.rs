//! Preimages under placements, joined with a set in the same recursion.
//!
//! A stone placed on a square leads from the empty child to the stone child, so the target's boards
//! with a stone there are joined to the boards with the square empty. Joining in the same recursion
//! keeps all intermediate sets small.

use super::algebra::{Algebra, Operation, Quantifier};
use super::store::{Halt, Id};

/// The squares on which stones are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stones {
    /// On the squares before the ball.
    BeforeBall,
    /// On the squares after the ball.
    AfterBall,
    /// On any square.
    All,
}

impl Algebra {
    /// Returns the union of `set` and the boards from which some placement leads into `target`; or
    /// the boards of `set` from which every placement does.
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
            (Quantifier::Exists, _, Id::BOTTOM) | (Quantifier::ForAll, Id::BOTTOM, _) => return Ok(set),
            (Quantifier::ForAll, _, Id::BOTTOM) if stones == Stones::All => {
                return self.combine::<false>(self.forks_at(level), set, self.all_stones(level));
            }
            _ => {}
        }
        let operation = match stones {
            Stones::All => Operation::Place,
            Stones::BeforeBall => Operation::PlaceBeforeBall,
            Stones::AfterBall => Operation::PlaceAfterBall,
        };
        self.store
            .once(Algebra::key_at(operation, q, level, (set, target)), || {
                let (set, target) = (self.store.node(set), self.store.node(target));
                let forks = self.forks_at(level);
                let further = |set, target| self.place_before_ball(q, stones, level + 1, (set, target));
                let empty = || match stones {
                    Stones::AfterBall => further(set.empty, target.empty),
                    _ => further(
                        self.join_forking(forks, q, set.empty, target.stone)?,
                        target.empty,
                    ),
                };
                let stone = || further(set.stone, target.stone);
                let ball = || match stones {
                    Stones::BeforeBall => Ok(set.ball),
                    _ => self.place_after_ball(forks, q, level + 1, (set.ball, target.ball)),
                };
                let ((empty, stone), ball) =
                    Algebra::both(forks, || Algebra::both(forks, empty, stone), ball)?;
                self.store.ternary(level, empty, stone, ball)
            })
    }

    /// Like [`join_placements`](Algebra::join_placements) on the squares from `level` on, after the
    /// ball, forking on `forks` levels.
    pub(super) fn place_after_ball(
        &self,
        forks: u32,
        q: Quantifier,
        level: usize,
        (set, target): (Id, Id),
    ) -> Result<Id, Halt> {
        match (q, set, target) {
            (Quantifier::Exists, Id::TOP, _) | (Quantifier::Exists, _, Id::BOTTOM) => return Ok(set),
            (Quantifier::ForAll, Id::BOTTOM, _) | (Quantifier::ForAll, _, Id::TOP) => return Ok(set),
            (Quantifier::ForAll, _, Id::BOTTOM) => {
                return self.combine::<false>(forks, set, self.all_stones_no_ball(level));
            }
            _ if level == self.length() => return Ok(set),
            _ => {}
        }
        // No collision with an operation before the ball: its operands are ternary.
        self.store
            .once(Algebra::key_at(Operation::Place, q, level, (set, target)), || {
                let (halves, target) = (self.store.halves(set, level), self.store.halves(target, level));
                let forks = forks.saturating_sub(1);
                let further = |set, target| self.place_after_ball(forks, q, level + 1, (set, target));
                let halves = Algebra::both(
                    forks,
                    || further(self.join_forking(forks, q, halves.0, target.1)?, target.0),
                    || further(halves.1, target.1),
                )?;
                self.store.binary_like(set, level, halves)
            })
    }
}
