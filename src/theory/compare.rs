//! A prediction from two numbers per half board, held against every position of a length.
//!
//! A rule gives each half board two numbers, κ and λ, and predicts that the mover wins exactly if κ of the own half
//! (towards the goal attacked) is at most λ of the other half. With κ = λ that is the rule of Grossman & Nowakowski's
//! Theorem 1: *the lower potential wins; equal potentials: the mover wins*.

use super::half::Half;
use super::values::AllValues;
use super::watch::{TheoryError, Watch};
use rayon::prelude::*;

/// Where a rule and the exact values part, for positions with Left to move.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Mismatches {
    /// Positions that are predicted a win and are none.
    pub false_wins: u64,
    /// Positions that are predicted a loss and are none.
    pub false_losses: u64,
    /// The first false wins, as (ball, pattern), in the order of ball square and pattern.
    pub false_win_examples: Vec<(usize, u64)>,
    /// The first false losses.
    pub false_loss_examples: Vec<(usize, u64)>,
}

impl Mismatches {
    /// The number of mismatches of both kinds.
    pub fn total(&self) -> u64 {
        self.false_wins + self.false_losses
    }

    /// Appends the mismatches of later positions; keeps at most `show` examples of each kind.
    fn followed_by(mut self, later: Mismatches, show: usize) -> Mismatches {
        self.false_wins += later.false_wins;
        self.false_losses += later.false_losses;
        for (examples, more) in [
            (&mut self.false_win_examples, later.false_win_examples),
            (&mut self.false_loss_examples, later.false_loss_examples),
        ] {
            examples.extend(more);
            examples.truncate(show);
        }
        self
    }
}

/// Compares a rule with every position of a length, and keeps the first `show` mismatches of each kind.
pub fn compare(
    values: &AllValues,
    [kappa, lambda]: [&(dyn Fn(Half) -> u8 + Sync); 2],
    show: usize,
    watch: Watch<'_>,
) -> Result<Mismatches, TheoryError> {
    let (length, bits) = (values.length(), values.length() - 1);
    let mut found = Mismatches::default();
    for ball in 1..=length - 2 {
        watch.check(length)?;
        (watch.say)(format!("ball square {ball} of {}", length - 2));
        let lambdas: Vec<u8> = (0..1u128 << ball)
            .map(|pattern| lambda(Half::left_of(pattern, ball)))
            .collect();
        let outcomes = values.outcomes(ball);
        let with_right_half = |right: usize| {
            let kappa = kappa(Half::right_of((right as u128) << ball, ball, bits));
            let mut found = Mismatches::default();
            for (left, &lambda) in lambdas.iter().enumerate() {
                let pattern = right << ball | left;
                let (count, examples) = match (kappa <= lambda, outcomes[pattern]) {
                    (true, 1) | (false, -1) => continue,
                    (true, _) => (&mut found.false_wins, &mut found.false_win_examples),
                    (false, _) => (&mut found.false_losses, &mut found.false_loss_examples),
                };
                *count += 1;
                if examples.len() < show {
                    examples.push((ball, pattern as u64));
                }
            }
            found
        };
        let here = (0..1usize << (bits - ball))
            .into_par_iter()
            .map(with_right_half)
            .reduce(Mismatches::default, |first, later| first.followed_by(later, show));
        found = found.followed_by(here, show);
    }
    Ok(found)
}
