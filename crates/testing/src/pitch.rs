//! Helpers shared by tests of the pitch.

use crate::prelude::*;
use phutbase_rules::pitch::After;

/// Generates a position with about `density` of 256 points occupied.
pub fn random_pitch(shape: Shape, numbers: &mut impl Iterator<Item = u64>, density: u64) -> Pitch {
    let mut next = || numbers.next().unwrap();
    let interior = shape.interior();
    let ball = interior.start + (next() % interior.len() as u64) as usize;
    let chaps = (0..shape.points())
        .filter(|&point| next() >> 20 & 255 < density && point != ball)
        .collect();
    let side = if next() & 1 == 0 { Side::Left } else { Side::Right };
    Pitch::new(shape, ball, chaps, side).unwrap()
}

pub fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

pub fn pitch(text: &str) -> Pitch {
    text.parse().unwrap_or_else(|error| panic!("'{text}': {error}"))
}

/// Lists the shapes with at most this many points.
pub fn shapes_up_to(points: usize) -> impl Iterator<Item = Shape> {
    let sizes = (3..=19).flat_map(|rows| (1..=19).map(move |columns| (rows, columns)));
    sizes
        .filter(move |(rows, columns)| rows * columns <= points)
        .map(|(rows, columns)| Shape::new(rows, columns).unwrap())
}

/// The position after a turn that does not end the game.
pub fn after(pitch: &Pitch, turn: &str) -> Pitch {
    match pitch.after(&pitch.parse_turn(turn).unwrap()) {
        After::Position(next) => next,
        After::Over { .. } => panic!("'{pitch}' is over after {turn}"),
    }
}
