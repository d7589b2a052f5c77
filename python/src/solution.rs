//! The solution of the strip, for words: half strips, read from the goal line to the ball.

use crate::errors::{limit, notation, shortened, stopped};
use crate::{memory, pool};
use hashbrown::HashMap;
use num_bigint::BigUint;
use phutbase_rules::strip::MAX_LENGTH;
use phutbase_solution::HalfState;
use phutbase_solution::classes::Class;
use pyo3::prelude::*;

/// Returns the squares of a word; true for a stone.
fn read(word: &str) -> PyResult<Vec<bool>> {
    let square = |(place, symbol)| match symbol {
        '.' => Ok(false),
        'o' => Ok(true),
        other => Err(notation(format!(
            "'{other}' at place {place} of '{}' is not a square of a word: write '.' for empty, 'o' for a stone",
            shortened(word)
        ))),
    };
    word.chars().enumerate().map(square).collect()
}

fn text(word: Vec<bool>) -> String {
    let letter = |stone| if stone { 'o' } else { '.' };
    word.into_iter().map(letter).collect()
}

/// Returns the shortest word that wins alike in every context.
#[pyfunction]
pub fn canonical(word: &str) -> PyResult<String> {
    Ok(text(Class::of(read(word)?).canonical()))
}

/// Returns the name, the potential and the type of a word.
#[pyfunction]
pub fn half(word: &str) -> PyResult<(String, i32, char)> {
    let half = HalfState::of(read(word)?);
    let value = half.value();
    Ok((half.name().to_string(), value.potential, value.kind.letter()))
}

/// Returns whether the player to move wins, with these words behind the ball and ahead of it.
#[pyfunction]
pub fn mover_wins(behind: &str, ahead: &str) -> PyResult<bool> {
    let [behind, ahead] = [read(behind)?, read(ahead)?];
    Ok(phutbase_solution::wins(
        HalfState::of(behind),
        HalfState::of(ahead),
    ))
}

/// Most squares of a half of a strip that has tables.
const MAX_HALF: usize = MAX_LENGTH - 2;

/// Bytes of a class, of its count and of both texts of its word, besides its squares.
const CLASS_BYTES: usize = 500;

/// Returns the canonical words of the classes of words of a length, and the numbers of these words.
#[pyfunction]
pub fn classes(py: Python<'_>, length: usize) -> PyResult<Vec<(String, String)>> {
    if length > MAX_HALF {
        return Err(limit(format!(
            "words of {length} squares have too many classes: at most {MAX_HALF} squares"
        )));
    }
    pool::interruptible(py, |job| {
        let mut counts = HashMap::from([(Class::EMPTY, BigUint::from(1u8))]);
        for _ in 0..length {
            job.check().map_err(stopped)?;
            let mut next: HashMap<Class, BigUint> = HashMap::with_capacity(counts.len() * 5 / 4);
            for (class, count) in counts {
                *next.entry(class.step(false)).or_default() += &count;
                *next.entry(class.step(true)).or_default() += count;
            }
            counts = next;
        }
        let bytes = counts.len() * (CLASS_BYTES + 2 * length);
        memory::ensure(bytes, &format!("{} classes", counts.len()))?;
        let counts = counts.into_iter();
        Ok(counts
            .map(|(class, count)| (text(class.canonical()), count.to_string()))
            .collect())
    })
}
