//! Sharing time between questions of unknown hardness.
//!
//! Each question gets a short slice of time; what it does not answer is asked again, after all the others, in a slice four times as
//! long. So a hard question holds up no easy one, and costs at most a third more than if it had been asked alone, less
//! still where the solver remembers what it found.

use std::time::Duration;

/// The first slice.
const FIRST: Duration = Duration::from_secs(1);

/// Asks until every question is answered or the time is over, and returns those left without an answer, in their order.
///
/// `ask` answers a question within a time and says whether it did; `over` whether there is any time left.
///
/// # Errors
/// The first error of `ask`.
pub fn in_slices<Q, E>(
    mut open: Vec<Q>,
    mut ask: impl FnMut(&Q, Duration) -> Result<bool, E>,
    over: impl Fn() -> bool,
) -> Result<Vec<Q>, E> {
    let mut slice = FIRST;
    while !open.is_empty() && !over() {
        let mut left = Vec::new();
        for question in open {
            if over() || !ask(&question, slice)? {
                left.push(question);
            }
        }
        open = left;
        slice = slice.saturating_mul(4);
    }
    Ok(open)
}
