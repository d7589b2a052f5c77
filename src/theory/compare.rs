//! A prediction from two numbers per half board, held against every position of a length.
//!
//! A [`Rule`] gives each half board two numbers, κ and λ, and predicts that the mover wins exactly if κ of the own half
//! (towards the goal attacked) is at most λ of the other half. With κ = λ that is the rule of Grossman & Nowakowski's
//! Theorem 1: *the lower potential wins; equal potentials: the mover wins*.
//!
//! So with Left to move Left wins if κ(right) ≤ λ(left), and with Right to move Left wins unless κ(left) ≤ λ(right).
//! Both are compared; the predictions are built block by block from tables of κ and λ by half.

use super::half::Half;
use super::planes::{Planes, TheoryError, Watch};
use crate::outcome::Side;
use crate::solve::dense::block::{BLOCK_WORDS, Block, news};
use rayon::prelude::*;

/// Two numbers for each half board.
pub trait Rule: Sync {
    /// What the mover's own half needs.
    fn kappa(&self, half: Half) -> u8;
    /// What the other half resists.
    fn lambda(&self, half: Half) -> u8;
}

/// A potential is a rule with κ = λ.
impl<F: Fn(Half) -> u8 + Sync> Rule for F {
    fn kappa(&self, half: Half) -> u8 {
        self(half)
    }

    fn lambda(&self, half: Half) -> u8 {
        self(half)
    }
}

/// Where a rule and the exact values part, for positions with Left to move.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Mismatches {
    /// Predicted a win; it is none.
    pub false_wins: u64,
    /// Predicted a loss; it is none.
    pub false_losses: u64,
    /// The first of the false wins, as (ball, pattern), in the order of ball square and pattern.
    pub false_win_examples: Vec<(usize, u64)>,
    /// The first of the false losses.
    pub false_loss_examples: Vec<(usize, u64)>,
}

impl Mismatches {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.false_wins + self.false_losses
    }
}

/// Compares a rule with every position of a length, and keeps the first `show` mismatches of each kind.
///
/// # Errors
/// [`TheoryError::Interrupted`].
pub fn compare(
    planes: &Planes,
    rule: &impl Rule,
    show: usize,
    watch: Watch<'_>,
) -> Result<Mismatches, TheoryError> {
    let mut found = Mismatches::default();
    let layout = *planes.layout();
    let bits = layout.pattern_bits();
    let mirrored = |(ball, pattern): Place| (bits - ball, pattern.reverse_bits() >> (64 - bits));
    for ball in 1..=layout.balls() {
        watch.check(layout.length())?;
        (watch.say)(format!("ball square {ball} of {}", layout.balls()));
        let tables = Tables::new(rule, ball, bits);
        let (count, first) = false_positives(planes, &tables, Side::Left, show, |place| place);
        found.false_wins += count;
        found.false_win_examples = merged(found.false_win_examples, first, show);
        // A predicted loss with Left to move is, in the mirror, a predicted win of Left's with Right to move.
        let (count, first) = false_positives(planes, &tables, Side::Right, show, mirrored);
        found.false_losses += count;
        found.false_loss_examples = merged(found.false_loss_examples, first, show);
    }
    Ok(found)
}

/// A position by its ball square and its pattern.
type Place = (usize, u64);

/// The first `show` of two lists.
fn merged(mut a: Vec<Place>, b: Vec<Place>, show: usize) -> Vec<Place> {
    a.extend(b);
    a.sort_unstable();
    a.truncate(show);
    a
}

/// κ and λ of every half to the left and to the right of one ball square, by pattern bits.
struct Tables {
    ball: usize,
    left: [Vec<u8>; 2],
    right: [Vec<u8>; 2],
}

const KAPPA: usize = 0;
const LAMBDA: usize = 1;

impl Tables {
    fn new(rule: &impl Rule, ball: usize, pattern_bits: usize) -> Tables {
        let table = |bits: usize, value: &(dyn Fn(u128) -> u8 + Sync)| -> Vec<u8> {
            (0..1u64 << bits)
                .into_par_iter()
                .map(|pattern| value(pattern.into()))
                .collect()
        };
        let both = |bits: usize, half: &(dyn Fn(u128) -> Half + Sync)| {
            [
                table(bits, &|pattern| rule.kappa(half(pattern))),
                table(bits, &|pattern| rule.lambda(half(pattern))),
            ]
        };
        let right = |pattern| Half::right_of(pattern << ball, ball, pattern_bits);
        Tables {
            ball,
            left: both(ball, &|pattern| Half::left_of(pattern, ball)),
            right: both(pattern_bits - ball, &right),
        }
    }

    /// The predicted wins of one block.
    fn block(&self, to_move: Side, high: usize, low_bits: usize) -> Block {
        // Left wins if the number of the left half is at least that of the right half, or more than it.
        let (lefts, rights, margin) = match to_move {
            Side::Left => (&self.left[LAMBDA], &self.right[KAPPA], 0),
            Side::Right => (&self.left[KAPPA], &self.right[LAMBDA], 1),
        };
        let mut block = Block::EMPTY;
        let first = high << low_bits;
        for (word, bits) in block.0[..words(low_bits)].iter_mut().enumerate() {
            let first = first + word * 64;
            *bits = if self.ball >= 6 {
                // One right half, 64 left ones.
                let left = first & ((1 << self.ball) - 1);
                wins_against(&lefts[left..][..64], rights[first >> self.ball], margin)
            } else {
                // Every left half against several right ones.
                let right = first >> self.ball;
                let several = rights[right..].iter().take(64 >> self.ball).enumerate();
                several.fold(0, |bits, (place, &right)| {
                    bits | wins_against(lefts, right, margin) << (place << self.ball)
                })
            };
        }
        block
    }
}

/// The words that `1 << low_bits` positions fill.
fn words(low_bits: usize) -> usize {
    BLOCK_WORDS.min(1 << low_bits.saturating_sub(6))
}

/// Which of at most 64 left halves have a number that is larger than `right` by `margin` or more.
#[inline(always)]
fn wins_against(lefts: &[u8], right: u8, margin: u8) -> u64 {
    let Some(least) = right.checked_add(margin) else {
        return 0;
    };
    let bits = lefts.iter().enumerate();
    bits.fold(0, |bits, (place, &left)| bits | u64::from(left >= least) << place)
}

/// Predicted wins of Left's that are none, with the ball on one square: how many, and the first few as `named`.
fn false_positives(
    planes: &Planes,
    tables: &Tables,
    to_move: Side,
    show: usize,
    named: impl Fn(Place) -> Place + Sync,
) -> (u64, Vec<Place>) {
    let layout = planes.layout();
    let low_bits = layout.low_bits();
    let per_block = (0..1usize << layout.high_bits()).into_par_iter().map(|high| {
        let predicted = tables.block(to_move, high, low_bits);
        let Some(wrong) = news(&predicted, planes.block(to_move, tables.ball, high)) else {
            return Default::default();
        };
        let pattern = |low| ((high << low_bits) | low) as u64;
        let places = (wrong.members()).map(|low| named((tables.ball, pattern(low))));
        let first = match show {
            0 => Vec::new(),
            _ => merged(places.collect(), Vec::new(), show),
        };
        (wrong.count(low_bits), first)
    });
    per_block.reduce(Default::default, |(a, first), (b, more)| {
        (a + b, merged(first, more, show))
    })
}
