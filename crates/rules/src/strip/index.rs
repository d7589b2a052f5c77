//! The perfect index of one length: a bijection between positions with Left to move and 0, 1, 2, …
//!
//! `index = (ball − 1) · 2^(n−1) + pattern`, where the pattern is the stones with the ball's square
//! left out ([`Strip::pattern`]). Positions with Right to move have the index of their mirror
//! image.

use super::{MIN_LENGTH, Strip, Turn};
use crate::rules::Rules;
use num_bigint::BigUint;
use phutbase_base::game::{Game, Successor};
use phutbase_base::outcome::Side;

/// Length of the longest strip with an index of 64 bits.
pub const MAX_INDEXED_LENGTH: usize = 59;

/// Counts the positions of a length with Left to move, `(n − 2) · 2^(n−1)`.
pub fn positions(length: usize) -> BigUint {
    BigUint::from(length.saturating_sub(2)) << length.saturating_sub(1)
}

/// The strips of one length as a [`Game`] with an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripGame {
    length: usize,
    rules: Rules,
}

impl StripGame {
    /// Creates the ordinary game of one length; `None` outside `MIN_LENGTH ..= MAX_INDEXED_LENGTH`.
    pub fn new(length: usize) -> Option<StripGame> {
        (MIN_LENGTH..=MAX_INDEXED_LENGTH)
            .contains(&length)
            .then_some(StripGame {
                length,
                rules: Rules::Ordinary,
            })
    }

    /// Returns the same strips under these rules.
    pub fn under(self, rules: Rules) -> StripGame {
        StripGame { rules, ..self }
    }
}

impl Game for StripGame {
    type Position = Strip;
    type Turn = Turn;

    fn positions(&self) -> u64 {
        (self.length as u64 - 2) << (self.length - 1)
    }

    fn index(&self, position: &Strip) -> u64 {
        assert_eq!(position.length(), self.length, "a strip of another length");
        let left = position.normalised();
        ((left.ball() as u64 - 1) << (self.length - 1)) | left.pattern().as_u64()
    }

    fn position(&self, index: u64) -> Strip {
        let ball = (index >> (self.length - 1)) as usize + 1;
        let pattern = index & ((1 << (self.length - 1)) - 1);
        Strip::from_pattern(self.length, ball, pattern, Side::Left)
            .expect("an index below positions()")
            .under(self.rules)
    }

    fn turns(&self, position: &Strip, visit: &mut dyn FnMut(Turn, Successor<Strip>)) {
        position.for_each_turn(|turn| visit(turn, position.after(turn).successor(position.side())));
    }
}
