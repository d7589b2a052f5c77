//! Lists of boards, and random numbers.

use phutbase_base::game::Game;
use phutbase_base::outcome::Side;
use phutbase_base::random::Uniform;
use phutbase_rules::rules::Rules;
use phutbase_rules::strip::{Strip, StripGame};
use std::path::{Path, PathBuf};

/// Returns reproducible pseudo-random numbers.
pub fn random_numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut random = Uniform::new(seed);
    std::iter::repeat_with(move || random.word())
}

/// Iterates over every position of a length under some rules, Left to move, in index order.
pub fn positions_under(rules: Rules, length: usize) -> impl Iterator<Item = Strip> {
    let game = StripGame::new(length).unwrap().under(rules);
    (0..game.positions()).map(move |index| game.position(index))
}

/// Iterates over every position of a length, Left to move, in index order.
pub fn positions(length: usize) -> impl Iterator<Item = Strip> {
    positions_under(Rules::Ordinary, length)
}

/// Returns every `step`-th position of a length, Left to move.
pub fn sample(length: usize, step: usize) -> Vec<Strip> {
    let game = StripGame::new(length).unwrap();
    let indices = (0..game.positions()).step_by(step);
    indices.map(|index| game.position(index)).collect()
}

/// Iterates over every position of a length under some rules, with either player to move.
pub fn both_sides_under(rules: Rules, length: usize) -> impl Iterator<Item = Strip> {
    let boards = positions_under(rules, length);
    boards.flat_map(|strip| [Side::Left, Side::Right].map(|side| strip.with_side(side)))
}

/// Iterates over every position of a length, with either player to move.
pub fn both_sides(length: usize) -> impl Iterator<Item = Strip> {
    both_sides_under(Rules::Ordinary, length)
}

/// Parses a position.
pub fn strip(notation: &str) -> Strip {
    notation.parse().unwrap()
}

/// Returns the path of a file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Returns the file of a table: one that is in the program, or one that tests compare with.
pub fn table_file(name: &str) -> PathBuf {
    let shipped = repository("tables").join(name);
    if shipped.exists() {
        shipped
    } else {
        repository("tests/data").join(name)
    }
}
