//! Time sharing between questions of unknown difficulty.
//!
//! Each question gets a short slice of time. Unanswered ones are asked again after all others, in a
//! slice four times as long, from the beginning. A hard question therefore delays no easy one. Its
//! slices together take at most 7/3 of the time that it takes alone, less if the solver reuses its
//! results: just above 4^k s they are 1 + 4 + … + 4^k s and that time.

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
