//! The perfect index of one shape: a bijection between positions with Alfred to move and 0, 1, 2, …
//!
//! `index = (ball − columns) · 2^(points − 1) + pattern`: interior points row by row from the
//! bottom, and for each the chaps without the ball's point, points beyond it moved down by one.
//! Positions with Betty to move have the index of the pitch turned round.

use super::{Pitch, Points, Shape, Turn};
use crate::rules::Rules;
use phutbase_base::bits::{spread, squeeze};
use phutbase_base::game::{Game, Successor};
use phutbase_base::outcome::Side;

/// Most points of a pitch with an index of 64 bits.
pub const MAX_INDEXED_POINTS: usize = 58;

/// Counts the positions with Alfred to move and the ball on an interior point, `columns · (rows −
/// 2) · 2^(rows · columns − 1)`; `None` past 128 bits.
pub fn positions(shape: Shape) -> Option<u128> {
    (shape.interior().len() as u128).checked_mul(1u128.checked_shl(shape.points() as u32 - 1)?)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PitchGame {
    shape: Shape,
    rules: Rules,
}

impl PitchGame {
    /// Creates the ordinary game of one shape; `None` with more than [`MAX_INDEXED_POINTS`] points.
    pub fn new(shape: Shape) -> Option<PitchGame> {
        (shape.points() <= MAX_INDEXED_POINTS).then_some(PitchGame {
            shape,
            rules: Rules::Ordinary,
        })
    }

    /// Returns the same pitches under these rules.
    pub fn under(self, rules: Rules) -> PitchGame {
        PitchGame { rules, ..self }
    }

    pub fn shape(&self) -> Shape {
        self.shape
    }
}

impl Game for PitchGame {
    type Position = Pitch;
    type Turn = Turn;

    fn positions(&self) -> u64 {
        (self.shape.interior().len() as u64) << (self.shape.points() - 1)
    }

    fn index(&self, position: &Pitch) -> u64 {
        assert_eq!(position.shape(), self.shape, "a pitch of another shape");
        let alfred = position.normalised();
        let ball = alfred.ball();
        let chaps = alfred.chaps().low_bits();
        let pattern = squeeze(chaps, ball);
        (((ball - self.shape.columns()) as u64) << (self.shape.points() - 1)) | pattern
    }

    fn position(&self, index: u64) -> Pitch {
        let bits = self.shape.points() - 1;
        let ball = (index >> bits) as usize + self.shape.columns();
        let pattern = index & ((1 << bits) - 1);
        let chaps = Points::from_bits(spread(pattern, ball));
        let pitch = Pitch::new(self.shape, ball, chaps, Side::Left).expect("an index below positions()");
        pitch.under(self.rules)
    }

    fn turns(&self, position: &Pitch, visit: &mut dyn FnMut(Turn, Successor<Pitch>)) {
        let turns = position.turns_up_to(usize::MAX).expect("the search has no limit");
        for turn in turns {
            visit(turn, position.after(&turn).successor(position.side()));
        }
    }
}
