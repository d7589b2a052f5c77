//! Zones: pairs of neighbouring ball squares that are solved together.
//!
//! A jump moves the ball at least two squares, so the boards of a zone depend on each other only by
//! placements. Solving both takes little longer than one, because their diagrams share most nodes.
//! With three squares in a zone, some would be computed from stale sets, which costs far more than
//! the sharing saves.

use std::ops::RangeInclusive;

/// Returns the ball squares of each zone: from the middle to the left end, then from there to the
/// right end.
///
/// The halves are read from different ends (`mirrored`), so one is finished before the other
/// starts.
pub fn zones(length: usize) -> Vec<RangeInclusive<usize>> {
    let (last, middle) = (length - 2, (length - 1) / 2);
    let near = (1..=middle)
        .rev()
        .step_by(2)
        .map(|ball| ball.saturating_sub(1).max(1)..=ball);
    let far = (middle + 1..=last)
        .step_by(2)
        .map(|ball| ball..=(ball + 1).min(last));
    near.chain(far).collect()
}
