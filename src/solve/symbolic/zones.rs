//! Zones: pairs of neighbouring ball squares, which are solved together.
//!
//! A jump leads two squares away at least, so the boards of a zone do not depend on one another but by placements. Solved together they
//! take little more work than one of them: their diagrams share most nodes. With three squares in a zone, some would be solved from
//! sets that are about to change; that costs far more than the sharing brings.

use std::ops::RangeInclusive;

/// The ball squares of each zone of a strip: the middle, then outwards, on the left and on the right in turn.
pub fn zones(length: usize) -> Vec<RangeInclusive<usize>> {
    let (last, middle) = (length - 2, ((length - 1) / 2).max(1));
    let mut zones = vec![middle..=(middle + 1).min(last)];
    for step in (2..=last).step_by(2) {
        if step <= middle {
            zones.push((middle - step).max(1)..=middle - step + 1);
        }
        if middle + step <= last {
            zones.push(middle + step..=(middle + step + 1).min(last));
        }
    }
    zones
}
