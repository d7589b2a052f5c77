//! The rules, and nothing else: boards, turns, notation. No module here knows that tables exist.
//!
//! [`mod@rules`] says by which rules Phutball is played. [`boards`] and [`position`] are the one grammar of all games: what verbs, addresses and engines are asked with.

pub mod boards;
pub mod obstruction;
pub mod oddish;
pub mod pitch;
pub mod position;
pub mod rules;
pub mod strip;

use crate::outcome::{ParseError, Side};

/// A board and who is to move: the letter after it, the first player's if there is none.
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

/// Digits and nothing else; a number past all bounds is as good as the greatest.
fn number(text: &str) -> Option<usize> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().unwrap_or(usize::MAX))
}

/// `7x3` as numbers of rows and columns.
fn size(text: &str) -> Option<(usize, usize)> {
    let (rows, columns) = text.split_once(['x', '×'])?;
    Some((number(rows)?, number(columns)?))
}
