//! Two tempting assertions (Grossman & Nowakowski, *One-Dimensional Phutball*, §1), and what having the move is worth.
//!
//! *'Your position can only improve by having a stone placed between the ball and the opponent's goalline'*, and *'… if an
//! empty square between the ball and the opponent's goalline is deleted'*. Both are false. Every position of a length where
//! Left wins is tried, with either player to move, and every empty square to the right of the ball, goal line included:
//! the assertion is wrong if Left does not win any more with a stone there, or on the strip without that square.

use super::values::AllValues;
use super::watch::{TheoryError, Watch};
use crate::bits::squeeze;
use crate::games::strip::Strip;
use crate::outcome::{Side, Value};
use rayon::prelude::*;

/// A position and what was done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Harm {
    /// Left wins here.
    pub before: Strip,
    /// Left does not win here, though there is a stone more, or a square less, to the right of the ball.
    pub after: Strip,
}

/// One assertion on one length.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Harms {
    /// Pairs of a position and a square, Left to move: how often the assertion is wrong.
    pub left_to_move: u64,
    /// The same with Right to move.
    pub right_to_move: u64,
    /// The first, Left to move before Right to move, by ball square and pattern.
    pub first: Vec<Harm>,
}

/// All that is asked of one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monotonicity {
    /// The number of squares.
    pub length: usize,
    /// A stone placed.
    pub stone: Harms,
    /// A square deleted.
    pub square: Harms,
    /// The value of the empty strip for its player to move, Left, by ball square from 1.
    pub empty: Vec<Value>,
}

/// Examines a length; `shorter` holds the strips with one square less, `None` for the shortest length.
pub fn examine(
    values: &AllValues,
    shorter: Option<&AllValues>,
    show: usize,
    watch: Watch<'_>,
) -> Result<Monotonicity, TheoryError> {
    let length = values.length();
    let (mut stone, mut square) = (Harms::default(), Harms::default());
    for to_move in [Side::Left, Side::Right] {
        for ball in 1..=length - 2 {
            watch.check(length)?;
            (watch.say)(format!("ball square {ball} of {}", length - 2));
            let place = (ball, to_move);
            let with_stone = |pattern: u64, square: usize| {
                let after = pattern | 1 << square;
                (!values.left_wins(to_move, ball, after)).then_some((length, after))
            };
            stone.add(to_move, harms(values, place, show, with_stone), show);
            if let Some(shorter) = shorter.filter(|_| ball <= length - 3) {
                let without = |pattern: u64, square: usize| {
                    let after = squeeze(pattern, square);
                    (!shorter.left_wins(to_move, ball, after)).then_some((length - 1, after))
                };
                square.add(to_move, harms(values, place, show, without), show);
            }
        }
    }
    let strips = (1..=length - 2).filter_map(|ball| Strip::new(length, ball, 0, Side::Left));
    Ok(Monotonicity {
        length,
        stone,
        square,
        empty: strips.map(|strip| values.value(&strip)).collect(),
    })
}

impl Harms {
    fn add(&mut self, to_move: Side, found: (u64, Vec<Harm>), show: usize) {
        match to_move {
            Side::Left => self.left_to_move += found.0,
            Side::Right => self.right_to_move += found.0,
        }
        self.first.extend(found.1);
        self.first.truncate(show);
    }
}

/// Tries `change` on every pattern (see [`Strip::pattern`]) with the ball on one square and one player to move where Left wins, and each of
/// its bits for an empty square to the right of the ball; it returns the changed strip's length and pattern, if Left does not win there.
fn harms(
    values: &AllValues,
    (ball, to_move): (usize, Side),
    show: usize,
    change: impl Fn(u64, usize) -> Option<(usize, u64)> + Sync,
) -> (u64, Vec<Harm>) {
    let bits = values.length() - 1;
    let strip = |length, pattern: u64| Strip::from_pattern(length, ball, pattern.into(), to_move);
    let harm = |pattern, (length, after)| {
        Some(Harm {
            before: strip(bits + 1, pattern)?,
            after: strip(length, after)?,
        })
    };
    let count = |(mut count, mut first): (u64, Vec<Harm>), pattern: u64| {
        for square in (ball..bits).filter(|square| pattern >> square & 1 == 0) {
            let Some(after) = change(pattern, square) else {
                continue;
            };
            count += 1;
            if first.len() < show {
                first.extend(harm(pattern, after));
            }
        }
        (count, first)
    };
    (0..1u64 << bits)
        .into_par_iter()
        .filter(|&pattern| values.left_wins(to_move, ball, pattern))
        .fold(Default::default, count)
        .reduce(Default::default, |(a, mut first), (b, more)| {
            first.extend(more);
            first.truncate(show);
            (a + b, first)
        })
}
