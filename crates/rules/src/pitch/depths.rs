//! The depth bytes of a pitch: one for each position with Alfred to move and the ball in the left
//! half, in the order of tables.

use super::Shape;
use crate::rules::Rules;

/// Maximum number of points of a pitch that has a table.
pub const MAX_POINTS: usize = 40;

/// Returns the interior points in the left half including the middle column, row by row from the
/// bottom: the balls that a table stores. The others follow by the mirror.
pub fn stored_balls(shape: Shape) -> Vec<usize> {
    let half = shape.columns().div_ceil(2);
    let interior = shape.interior();
    interior.filter(|&ball| shape.column(ball) < half).collect()
}

/// The values of one shape, as an engine provides them.
pub trait PitchSource: Sync {
    /// Returns rows and columns.
    fn shape(&self) -> Shape;
    /// Returns the rules of play.
    fn rules(&self) -> Rules;
    /// Returns the point of each bit of a pattern.
    fn order(&self) -> &[usize];
    /// Copies depth bytes starting at index `start`. The index is `slot · 2^(points − 1) +
    /// pattern`: the slot counts [`stored_balls`], and the pattern omits the ball's own bit.
    fn copy(&self, start: u64, into: &mut [u8]);
}
