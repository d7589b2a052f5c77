//! Zones: pairs of neighbouring ball squares that are solved together.
//!
//! A jump moves the ball at least two squares, so the boards of a zone depend on each other only by
//! placements. Solving both takes little longer than one, because their diagrams share most nodes.
//! With three squares in a zone, some would be computed from stale sets, which costs far more than
//! the sharing saves.

use std::ops::RangeInclusive;

/// Returns the ball squares of each zone in the order in which a level is computed.
///
/// An error of the sets should be found before the sets that follow from it are computed. Level 0
/// starts from a set that is too large: Left's wins against a jump of Right's to the right are the
/// errors, so the squares are visited from right to left. The other levels, and the system of proper
/// turns, start from sets that are too small: a win by a turn of Left's to the left is missing, so
/// they are visited from left to right. The opposite orders need several times as many nodes.
pub fn zones(length: usize, level: usize) -> Vec<RangeInclusive<usize>> {
    let (last, middle) = (length - 2, (length - 1) / 2);
    // The halves are read from different ends (`mirrored`), so no zone is in both.
    let near = (1..=middle).rev().step_by(2);
    let near = near.map(|ball| ball.saturating_sub(1).max(1)..=ball);
    let far = (middle + 1..=last).step_by(2);
    let far = far.map(|ball| ball..=(ball + 1).min(last));
    let mut zones: Vec<_> = near.collect();
    zones.reverse();
    zones.extend(far);
    if level == 0 {
        zones.reverse();
    }
    zones
}
