//! Looking for the exact potential's rule: the generalized potential with a table of corrections, fitted to exact values.
//!
//! The analysis of the generalized potential's errors ([`generalized`](super::generalized)) finds their roots in how the own half
//! begins next to the ball. So the rules tried here give a half board one number v that depends on two things only: a sum in the
//! manner of the generalized potential, and the first few squares, seen from the ball. The mover wins, says the rule, exactly if
//! v(own) ≤ v(other). Two sums are tried ([`Sum`]):
//!
//! * [`Sum::Whole`]: the sums of the generalized potential, of the whole half board;
//! * [`Sum::Floored`]: the same sum from the goal line only as far as the squares that are looked at, and with a *floor*: what has been
//!   summed up before the group of empty squares that ends there counts as [`FLOOR`] at least. It says more of what lies
//!   behind the first squares, and does not tell apart what is lost anyway.
//!
//! Which v is best is asked of all positions of some lengths ([`Duels::add`]): positions are counted by the two *kinds* of their halves
//! and by who wins; then v is improved kind by kind until no change of one number makes fewer errors ([`fit`]). That is a local optimum and
//! nothing more. How good a rule is shows on longer strips than those it was fitted to.

use super::compare::Rule;
use super::generalized::Reading;
use super::half::Half;
use super::planes::{Planes, TheoryError, Watch};
use super::potentials;
use crate::outcome::Side;
use hashbrown::HashMap;

/// Numbers between two generalized potentials that differ by one.
const STEP: u32 = 4;
/// The most squares next to the ball that kinds may tell apart.
pub const MAX_NEAR: usize = 6;
/// The longest strips whose half boards have kinds.
pub const MAX_LENGTH: usize = 22;
/// What a sum counts as at least, see [`Sum::Floored`].
pub const FLOOR: u32 = 2;

/// A sum that tells half boards apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum {
    /// The sum over the whole half board and the ball's square, and whether its last square changed it.
    Whole,
    /// The sum up to the squares that are looked at, with a floor, and whether the group of empty squares there is odd so far.
    Floored,
}

impl Sum {
    /// Both.
    pub const ALL: [Sum; 2] = [Sum::Whole, Sum::Floored];

    /// The sum and what is told with it, if `near` squares next to the ball are looked at by themselves.
    fn of(self, half: Half, near: usize) -> (u32, bool) {
        match self {
            Sum::Whole => {
                let (bsum, psum) = potentials::generalized_sums(half);
                (bsum, bsum != psum)
            }
            Sum::Floored => {
                let squares = (near..half.length()).rev();
                let read = squares.fold(Reading::default(), |read, square| read.read(half.stone(square)));
                let (sum, group) = read.open();
                (sum.max(FLOOR) + group, group % 2 == 1)
            }
        }
    }
}

/// Half boards with the same sum and the same squares next to the ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The sum.
    pub sum: u32,
    /// What is told with it: that the last square changed it, or that the group of empty squares is odd.
    pub mark: bool,
    /// The squares next to the ball; `None` if none are looked at.
    pub begins: Option<Half>,
    /// The first half board of the kind, by length and stones.
    pub smallest: Half,
}

impl Kind {
    /// The generalized potential of the smallest half board of the kind; with [`Sum::Whole`] that of all.
    pub fn potential(&self) -> u32 {
        potentials::generalized(self.smallest).into()
    }
}

/// The kinds of all half boards on strips of up to [`MAX_LENGTH`] squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kinds {
    sum: Sum,
    near: usize,
    /// By sum, mark and first squares, the last with a leading 1 that tells how many there are.
    places: HashMap<(u32, bool, u32), usize>,
    kinds: Vec<Kind>,
}

impl Kinds {
    /// Kinds that look at `near` squares; `None` for more than [`MAX_NEAR`].
    pub fn new(sum: Sum, near: usize) -> Option<Kinds> {
        let mut kinds = Kinds {
            sum,
            near,
            places: HashMap::new(),
            kinds: Vec::new(),
        };
        if near > MAX_NEAR {
            return None;
        }
        for length in 1..=MAX_LENGTH - 2 {
            for half in (0..1u128 << length).filter_map(|stones| Half::new(length, stones)) {
                let key = kinds.key(half);
                let next = kinds.kinds.len();
                if *kinds.places.entry(key).or_insert(next) == next {
                    let squares = near.min(length);
                    kinds.kinds.push(Kind {
                        sum: key.0,
                        mark: key.1,
                        begins: Half::new(squares, half.stones() & ((1 << squares) - 1)),
                        smallest: half,
                    });
                }
            }
        }
        Some(kinds)
    }

    fn key(&self, half: Half) -> (u32, bool, u32) {
        let near = self.near.min(half.length());
        let begins = (half.stones() as u32 & ((1 << near) - 1)) | 1 << near;
        let (sum, mark) = self.sum.of(half, self.near);
        (sum, mark, begins)
    }

    /// The squares next to the ball that are looked at.
    pub fn near(&self) -> usize {
        self.near
    }

    /// The sum that is used.
    pub fn sum(&self) -> Sum {
        self.sum
    }

    /// All kinds; [`of`](Kinds::of) gives places in this list.
    pub fn list(&self) -> &[Kind] {
        &self.kinds
    }

    /// The kind of a half board; `None` if only longer strips have it.
    pub fn of(&self, half: Half) -> Option<usize> {
        self.places.get(&self.key(half)).copied()
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
            counts: vec![[0; 2]; kinds.list().len() * kinds.list().len()],
            kinds,
        }
    }

    /// Adds all positions of a length, which must not exceed [`MAX_LENGTH`].
    ///
    /// # Errors
    /// [`TheoryError::Interrupted`].
    pub fn add(&mut self, planes: &Planes, watch: Watch<'_>) -> Result<(), TheoryError> {
        let (length, bits) = (planes.layout().length(), planes.layout().pattern_bits());
        let all = self.kinds.list().len();
        for ball in 1..=length - 2 {
            watch.check(length)?;
            let of = |half| self.kinds.of(half);
            let left: Vec<usize> = (0..1u128 << ball)
                .filter_map(|pattern| of(Half::left_of(pattern, ball)))
                .collect();
            let right: Vec<usize> = (0..1u128 << (bits - ball))
                .filter_map(|pattern| of(Half::right_of(pattern << ball, ball, bits)))
                .collect();
            for (high, own) in right.iter().enumerate() {
                for (low, other) in left.iter().enumerate() {
                    let wins = planes.left_wins(Side::Left, ball, (high << ball | low) as u64);
                    self.counts[own * all + other][usize::from(!wins)] += 1;
                }
            }
        }
        Ok(())
    }

    fn at(&self, own: usize, other: usize) -> [u64; 2] {
        self.counts[own * self.kinds.list().len() + other]
    }

    /// The kinds that occur.
    fn occurring(&self) -> Vec<usize> {
        let all = 0..self.kinds.list().len();
        let occurs = |&kind: &usize| all.clone().any(|other| self.at(kind, other) != [0; 2]);
        all.clone().filter(occurs).collect()
    }
}

/// A number for each kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    kinds: Kinds,
    numbers: Vec<u32>,
}

impl Fitted {
    /// Every kind with its number, in units of the generalized potential.
    pub fn numbers(&self) -> impl Iterator<Item = (&Kind, f64)> {
        let numbers = self.numbers.iter();
        let scaled = numbers.map(|&number| f64::from(number) / f64::from(STEP));
        self.kinds.list().iter().zip(scaled)
    }

    /// The kinds told apart.
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// The kinds whose number is not the generalized potential of their smallest half board, each with its number.
    pub fn corrections(&self) -> impl Iterator<Item = (&Kind, f64)> {
        self.numbers()
            .filter(|(kind, number)| *number != f64::from(kind.potential()))
    }
}

impl Rule for Fitted {
    fn kappa(&self, half: Half) -> u8 {
        let number = self.kinds.of(half).map(|kind| self.numbers[kind]);
        number.unwrap_or_else(|| STEP * u32::from(potentials::generalized(half))) as u8
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
    let kinds = duels.kinds.clone();
    let occurring = duels.occurring();
    let mut numbers: Vec<u32> = kinds.list().iter().map(|kind| STEP * kind.potential()).collect();
    let largest = occurring.iter().map(|&kind| numbers[kind]).max().unwrap_or(0) + STEP;
    loop {
        let mut improved = false;
        for &kind in &occurring {
            let errors = errors_by_number(duels, &occurring, &numbers, kind, largest);
            let before = numbers[kind];
            let best = (0..=largest).min_by_key(|&number| (errors[number as usize], number.abs_diff(before)));
            if let Some(best) = best.filter(|&best| errors[best as usize] < errors[before as usize]) {
                numbers[kind] = best;
                improved = true;
            }
        }
        if !improved {
            return Fitted { kinds, numbers };
        }
    }
}

/// The errors between a kind and all others, for each number up to `largest` that the kind might have.
fn errors_by_number(
    duels: &Duels,
    occurring: &[usize],
    numbers: &[u32],
    kind: usize,
    largest: u32,
) -> Vec<u64> {
    let mut errors = vec![0; largest as usize + 1];
    for &other in occurring.iter().filter(|&&other| other != kind) {
        let ([won, lost], theirs) = (duels.at(kind, other), numbers[other]);
        let [they_win, they_lose] = duels.at(other, kind);
        if [won, lost, they_win, they_lose] == [0; 4] {
            continue;
        }
        for (number, errors) in (0..).zip(&mut errors) {
            *errors += if number <= theirs { lost } else { won };
            *errors += if theirs <= number { they_lose } else { they_win };
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::compare::compare;
    use crate::theory::planes::unwatched;

    #[test]
    fn a_kind_is_described_by_its_sum_and_its_beginning() {
        let kinds = Kinds::new(Sum::Whole, 3).unwrap();
        let half = Half::new(5, 0b01011).unwrap();
        let kind = kinds.list()[kinds.of(half).unwrap()];
        assert_eq!(kind.potential(), u32::from(potentials::generalized(half)));
        assert_eq!(kind.begins, Half::new(3, 0b011));
        let short = Half::new(2, 0b11).unwrap();
        assert_eq!(kinds.list()[kinds.of(short).unwrap()].begins, Some(short));
        assert_eq!(Kinds::new(Sum::Whole, MAX_NEAR + 1), None);
    }

    /// From the goal line: o, then four empty squares, then `o.` at the ball. The stone leaves 0, which counts as 2.
    #[test]
    fn the_floor_is_under_what_was_summed_up_before_the_open_group() {
        let half = Half::new(7, 0b1000001).unwrap();
        assert_eq!(half.to_string(), "@o.....o");
        assert_eq!(Sum::Floored.of(half, 2), (FLOOR + 4, false));
        assert_eq!(Sum::Floored.of(half, 3), (FLOOR + 3, true));
        assert_eq!(Sum::Floored.of(half, 6), (FLOOR, false));
        // Four empty squares and a stone make 3, which is more than the floor.
        let half = Half::new(7, 0b0000100).unwrap();
        assert_eq!(Sum::Floored.of(half, 1), (3 + 1, true));
    }

    /// The counts that a fit is made from are those of the comparison with every position.
    #[test]
    fn no_squares_looked_at_is_the_generalized_potential_and_more_are_never_worse_on_what_they_were_fitted_to()
     {
        let lengths: Vec<Planes> = (3..=12)
            .map(|length| Planes::strip(length, unwatched()).unwrap())
            .collect();
        let total = |rule: &dyn Fn(&Planes) -> u64| -> u64 { lengths.iter().map(rule).sum() };
        let errors = |sum: Sum, near: usize| -> u64 {
            let mut duels = Duels::new(Kinds::new(sum, near).unwrap());
            for planes in &lengths {
                duels.add(planes, unwatched()).unwrap();
            }
            let rule = fit(&duels);
            total(&|planes| compare(planes, &rule, 0, unwatched()).unwrap().total())
        };
        let plain = total(&|planes| {
            compare(planes, &potentials::generalized, 0, unwatched())
                .unwrap()
                .total()
        });
        let whole = [0, 4].map(|near| errors(Sum::Whole, near));
        assert!(whole[0] <= plain && whole[1] < plain, "{plain}: {whole:?}");
        assert!(errors(Sum::Floored, 4) < whole[1]);
    }
}
