//! The rules of the games: boards, turns, notation. No module here depends on tables.
//!
//! [`mod@rules`] distinguishes the variants of Phutball. [`boards`] and [`position`] are the common
//! grammar of all games, used by commands, addresses and engines.
//! [`half`] has automata that read half a board, [`potentials`] those of the papers.

#![deny(missing_docs)]

pub mod boards;
pub mod half;
pub mod lines;
pub mod obstruction;
pub mod oddish;
pub mod pitch;
pub mod position;
pub mod potentials;
pub mod rules;
pub mod strip;

pub use boards::Boards;
use phutbase_base::outcome::{ParseError, Side};
pub use pitch::{Pitch, Shape};
pub use position::{Phutball, Position, RatedTurn, Standing};
pub use rules::Rules;
pub use strip::Strip;

/// Splits off the letter of the player to move; without a letter the first player moves.
fn split_side<'t>(text: &'t str, letters: [&str; 2], first: &str) -> Result<(&'t str, Side), ParseError> {
    let mut words = text.split_whitespace();
    let board = words.next().unwrap_or("");
    let side = match words.next() {
        Some(letter) if letter == letters[1] => Side::Right,
        None => Side::Left,
        Some(letter) if letter == letters[0] => Side::Left,
        Some(other) => return Err(not_a_side(other, letters, first)),
    };
    match words.next() {
        None => Ok((board, side)),
        Some(extra) => Err(not_a_side(extra, letters, first)),
    }
}

fn not_a_side(found: &str, [one, other]: [&str; 2], first: &str) -> ParseError {
    ParseError(format!(
        "'{found}' after the board is not a side: write {one} or {other}, or nothing for {first}"
    ))
}

/// Parses a string of digits. A number that overflows becomes the largest, which every limit
/// rejects.
fn number(text: &str) -> Option<usize> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().unwrap_or(usize::MAX))
}

/// Parses `7x3` as numbers of rows and columns.
fn size(text: &str) -> Option<(usize, usize)> {
    let (rows, columns) = text.split_once(['x', 'X', '×'])?;
    Some((number(rows)?, number(columns)?))
}
