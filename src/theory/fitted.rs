//! Looking for the exact potential's rule: the generalized potential with a table of corrections, fitted to exact values.
//!
//! The analysis of the generalized potential's errors ([`generalized`](super::generalized)) finds their roots in how the own half
//! begins next to the ball. So the rules tried here give a half board one number v that depends on two things only: the sums of its
//! generalized potential and its first few squares, seen from the ball. The mover wins, says the rule, exactly if v(own) ≤ v(other).
//!
//! Which v is best is asked of all positions of some lengths ([`Duels::add`]): positions are counted by the two *kinds* of their halves
//! and by who wins; then v is improved kind by kind until no change of one number makes fewer errors ([`fit`]). That is a local optimum and
//! nothing more. How good a rule is shows on longer strips than those it was fitted to.

use super::compare::Rule;
use super::half::Half;
use super::planes::{Planes, TheoryError, Watch};
use super::potentials;
use crate::outcome::Side;

/// Numbers between two generalized potentials that differ by one.
const STEP: u32 = 4;
/// Twice as many as the sums that kinds tell apart; larger sums are taken for the largest of these.
const LEVELS: usize = 40;
/// The most squares next to the ball that kinds may tell apart.
pub const MAX_NEAR: usize = 5;
/// The longest strips whose half boards have all their sums told apart.
pub const MAX_LENGTH: usize = 20;

/// Half boards by the sums of the generalized potential and the squares next to the ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds {
    near: usize,
}

impl Kinds {
    /// Kinds that look at `near` squares; `None` for more than [`MAX_NEAR`].
    pub fn new(near: usize) -> Option<Kinds> {
        (near <= MAX_NEAR).then_some(Kinds { near })
    }

    /// The squares next to the ball that are looked at.
    pub fn near(&self) -> usize {
        self.near
    }

    /// How many kinds there can be.
    pub fn most(&self) -> usize {
        LEVELS << (self.near + 1)
    }

    /// The kind of a half board. Half boards of fewer squares than are looked at have kinds of their own.
    pub fn of(&self, half: Half) -> usize {
        let near = self.near.min(half.length());
        // A leading 1 tells how many squares there are.
        let begins = (half.stones() as usize & ((1 << near) - 1)) | 1 << near;
        let (bsum, psum) = potentials::generalized_sums(half);
        let level = 2 * bsum as usize + usize::from(bsum != psum);
        level.min(LEVELS - 1) << (self.near + 1) | begins
    }

    /// The generalized potential of the half boards of a kind, in steps.
    fn uncorrected(&self, kind: usize) -> u32 {
        let level = (kind >> (self.near + 1)) as u32;
        STEP * (level / 2 / 4 + level % 2)
    }

    /// What a kind stands for.
    pub fn describe(&self, kind: usize) -> Kind {
        let begins = kind & ((2 << self.near) - 1);
        let near = begins.checked_ilog2().unwrap_or(0) as usize;
        let level = (kind >> (self.near + 1)) as u32;
        Kind {
            bsum: level / 2,
            delta: 1 - level % 2,
            begins: Half::new(near, begins as u128 & ((1 << near) - 1)),
        }
    }
}

/// What a kind stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The sum over the half board and the ball's square.
    pub bsum: u32,
    /// 1 if the sum without the ball's square is the same, else 0.
    pub delta: u32,
    /// The squares next to the ball; `None` if none are looked at.
    pub begins: Option<Half>,
}

impl Kind {
    /// The generalized potential.
    pub fn potential(&self) -> u32 {
        self.bsum / 4 + 1 - self.delta
    }
}

/// Positions by the kinds of their two halves, and by who wins.
#[derive(Clone, Debug)]
pub struct Duels {
    kinds: Kinds,
    /// Positions that the mover wins and loses, by own kind and other kind.
    counts: Vec<[u64; 2]>,
}

impl Duels {
    /// No positions.
    pub fn new(kinds: Kinds) -> Duels {
        Duels {
            kinds,
            counts: vec![[0; 2]; kinds.most() * kinds.most()],
        }
    }

    /// Adds all positions of a length.
    ///
    /// # Errors
    /// [`TheoryError::Interrupted`].
    pub fn add(&mut self, planes: &Planes, watch: Watch<'_>) -> Result<(), TheoryError> {
        let (length, bits) = (planes.layout().length(), planes.layout().pattern_bits());
        for ball in 1..=length - 2 {
            watch.check(length)?;
            let of = |half| self.kinds.of(half);
            let left: Vec<usize> = (0..1u128 << ball)
                .map(|pattern| of(Half::left_of(pattern, ball)))
                .collect();
            let right: Vec<usize> = (0..1u128 << (bits - ball))
                .map(|pattern| of(Half::right_of(pattern << ball, ball, bits)))
                .collect();
            for (high, own) in right.iter().enumerate() {
                for (low, other) in left.iter().enumerate() {
                    let wins = planes.left_wins(Side::Left, ball, (high << ball | low) as u64);
                    self.counts[own * self.kinds.most() + other][usize::from(!wins)] += 1;
                }
            }
        }
        Ok(())
    }

    /// The kinds that occur.
    pub fn occurring(&self) -> Vec<usize> {
        let occurs = |&kind: &usize| (0..self.kinds.most()).any(|other| self.at(kind, other) != [0; 2]);
        (0..self.kinds.most()).filter(occurs).collect()
    }

    fn at(&self, own: usize, other: usize) -> [u64; 2] {
        self.counts[own * self.kinds.most() + other]
    }
}

/// A number for each kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    kinds: Kinds,
    numbers: Vec<u32>,
    occurring: Vec<usize>,
}

impl Fitted {
    /// The kinds that occurred, each with its number.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, u32)> {
        self.occurring.iter().map(|&kind| (kind, self.numbers[kind]))
    }

    /// The kinds told apart.
    pub fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// The kinds whose number is not their generalized potential, each with its number.
    pub fn corrections(&self) -> impl Iterator<Item = (Kind, f64)> {
        let corrected = self
            .numbers()
            .filter(|&(kind, number)| number != self.kinds.uncorrected(kind));
        corrected.map(|(kind, number)| (self.kinds.describe(kind), f64::from(number) / f64::from(STEP)))
    }
}

impl Rule for Fitted {
    fn kappa(&self, half: Half) -> u8 {
        self.numbers[self.kinds.of(half)] as u8
    }

    fn lambda(&self, half: Half) -> u8 {
        self.kappa(half)
    }
}

/// Improves the generalized potential kind by kind, in their order, until no change of one number makes fewer errors.
///
/// Of several numbers that are equally good the one nearest to the number before is taken, so that a kind without need of a
/// correction has none.
pub fn fit(duels: &Duels) -> Fitted {
    let kinds = duels.kinds;
    let occurring = duels.occurring();
    let uncorrected = |kind: usize| kinds.uncorrected(kind);
    let mut numbers: Vec<u32> = (0..kinds.most()).map(uncorrected).collect();
    let largest = occurring.iter().map(|&kind| numbers[kind]).max().unwrap_or(0) + STEP;
    loop {
        let mut improved = false;
        for &kind in &occurring {
            let errors = |number: u32| -> u64 {
                let wrong = |own: u32, other: u32, counts: [u64; 2]| counts[usize::from(own <= other)];
                let others = occurring.iter().filter(|&&other| other != kind);
                let against = others.map(|&other| {
                    wrong(number, numbers[other], duels.at(kind, other))
                        + wrong(numbers[other], number, duels.at(other, kind))
                });
                against.sum()
            };
            let before = numbers[kind];
            let best = (0..=largest).min_by_key(|&number| (errors(number), number.abs_diff(before)));
            if let Some(best) = best.filter(|&best| errors(best) < errors(before)) {
                numbers[kind] = best;
                improved = true;
            }
        }
        if !improved {
            return Fitted {
                kinds,
                numbers,
                occurring,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::compare::compare;
    use crate::theory::planes::unwatched;

    #[test]
    fn a_kind_is_described_by_its_potential_and_its_beginning() {
        let kinds = Kinds::new(3).unwrap();
        let half = Half::new(5, 0b01011).unwrap();
        let kind = kinds.describe(kinds.of(half));
        assert_eq!(kind.potential(), u32::from(potentials::generalized(half)));
        assert_eq!(kind.begins, Half::new(3, 0b011));
        let short = Half::new(2, 0b11).unwrap();
        assert_eq!(kinds.describe(kinds.of(short)).begins, Some(short));
        assert_eq!(Kinds::new(MAX_NEAR + 1), None);
    }

    /// The counts that a fit is made from are those of the comparison with every position.
    #[test]
    fn no_squares_looked_at_is_the_generalized_potential_and_more_are_never_worse_on_what_they_were_fitted_to()
     {
        let lengths: Vec<Planes> = (3..=12)
            .map(|length| Planes::strip(length, unwatched()).unwrap())
            .collect();
        let errors = |rule: &Fitted| -> u64 {
            let of_length = |planes: &Planes| compare(planes, rule, 0, unwatched()).unwrap().total();
            lengths.iter().map(of_length).sum()
        };
        let fitted: Vec<u64> = (0..=4)
            .map(|near| {
                let mut duels = Duels::new(Kinds::new(near).unwrap());
                for planes in &lengths {
                    duels.add(planes, unwatched()).unwrap();
                }
                errors(&fit(&duels))
            })
            .collect();
        let plain: u64 = lengths
            .iter()
            .map(|planes| {
                compare(planes, &potentials::generalized, 0, unwatched())
                    .unwrap()
                    .total()
            })
            .sum();
        assert!(fitted[0] <= plain && fitted[4] < plain, "{plain}: {fitted:?}");
    }
}
