//! What an atlas will take, before it begins.
//!
//! The times are measured: processor time of one core of a cloud machine, rounded up. Other machines are faster or slower; how
//! the times grow with the size is the same everywhere.

use super::{ReportError, Scope};
use crate::games::oddish::MIN_SQUARES;
use crate::games::strip::MIN_LENGTH;
use crate::generate::Request;
use crate::generate::plan::Plan;
use crate::table::Metric;
use crate::theory::planes::TheoryError;

/// Seconds for what does not depend on the scope: Oddish sets, pitches, Obstruction, certificates.
pub const FIXED_SECONDS: f64 = 4.0;

/// The memory in bytes that the arrays of an atlas take at once, at most: two neighbouring strips. The
/// diagrams come on top and take what they need, up to what the watch allows.
///
/// # Errors
/// [`ReportError::Theory`] if a length is out of range.
pub fn array_memory(scope: Scope) -> Result<u64, ReportError> {
    let memory = |length: usize| {
        let plan = Plan::new(&Request::new(length, Metric::Dtw)).map_err(TheoryError::from)?;
        Ok::<_, ReportError>(plan.memory)
    };
    let shorter = scope.dense_length.saturating_sub(1).max(MIN_LENGTH);
    Ok(memory(scope.dense_length)? + memory(shorter)?)
}

/// The processor time in seconds that one strip takes.
pub fn length_seconds(length: usize, scope: Scope) -> f64 {
    let growing = |at_once: f64, known: i32, factor: f64| at_once * factor.powi(length as i32 - known);
    let diagrams = growing(1.9, 40, 1.27);
    let arrays = if length <= scope.dense_length {
        growing(3.3, 28, 1.9)
    } else {
        0.0
    };
    diagrams + arrays
}

/// The processor time in seconds that one Oddish board takes.
pub fn oddish_seconds(squares: usize) -> f64 {
    1.3 * 2.06f64.powi(squares as i32 - 22) + if squares <= 16 { 0.1 } else { 0.0 }
}

/// The processor time in seconds that an atlas takes.
pub fn seconds(scope: Scope) -> f64 {
    let last = scope.symbolic_length.max(scope.dense_length);
    let strips: f64 = (MIN_LENGTH..=last)
        .map(|length| length_seconds(length, scope))
        .sum();
    let oddish: f64 = (MIN_SQUARES..=scope.oddish_squares).map(oddish_seconds).sum();
    FIXED_SECONDS + strips + oddish
}
