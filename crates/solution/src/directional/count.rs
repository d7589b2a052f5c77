//! Numbers of wins of directional strips, exact.

use super::automaton::PotentialState;
use crate::count::{MAX_LENGTH, words_by_value};
use ethnum::U256;
use num_bigint::BigUint;
use phutbase_base::job::{Job, Stopped};
use std::collections::BTreeMap;

/// Counts the positions that Left wins, with Left to move, of every length from 3 to this one.
///
/// # Errors
/// The job was stopped.
///
/// # Panics
/// If the length is greater than [`MAX_LENGTH`].
pub fn wins(longest: usize, job: &Job) -> Result<Vec<BigUint>, Stopped> {
    assert!(longest <= MAX_LENGTH, "words of at most 254 squares");
    let value = PotentialState::potential;
    let words = words_by_value(
        longest.saturating_sub(2),
        PotentialState::HOME,
        PotentialState::step,
        value,
        job,
    )?;
    let of_length = |length: usize| {
        let boards = (1..length - 1).map(|ball| pairs(&words[ball], &words[length - 1 - ball]));
        boards
            .map(|count| BigUint::from_bytes_le(&count.to_le_bytes()))
            .sum()
    };
    Ok((3..=longest).map(of_length).collect())
}

/// Counts the boards whose half ahead has at most the potential of the half behind.
fn pairs(behind: &BTreeMap<i64, U256>, ahead: &BTreeMap<i64, U256>) -> U256 {
    let (mut ahead, mut below, mut sum) = (ahead.iter().peekable(), U256::ZERO, U256::ZERO);
    for (potential, count) in behind {
        while let Some((_, more)) = ahead.next_if(|(least, _)| *least <= potential) {
            below += more;
        }
        sum += count * below;
    }
    sum
}
