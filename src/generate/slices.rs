//! Time sharing between questions of unknown difficulty.
//!
//! Each question gets a short slice of time. Unanswered ones are asked again after all others, in a
//! slice four times as long. A hard question therefore delays no easy one and costs at most a third
//! more than alone, less if the solver reuses its results.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);

/// Asks until every question is answered or the time is over. Returns the unanswered ones in order.
///
/// `ask` tries to answer a question within a time and returns whether it succeeded; `over` returns
/// whether the time is over.
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
