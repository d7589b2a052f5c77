//! Zones: pairs of neighbouring ball squares, which are solved together.
//!
//! A jump leads two squares away at least, so the boards of a zone do not depend on one another but by placements. Solved together they
//! take little more work than one of them: their diagrams share most nodes. With three squares in a zone, some would be solved from
//! sets that are about to change; that costs far more than the sharing brings.

use std::ops::RangeInclusive;

/// The ball squares of each zone of a strip: the middle, then outwards, on the left and on the right in turn.
pub(super) fn zones(length: usize) -> Vec<RangeInclusive<usize>> {
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

#[cfg(test)]
mod tests {
    use super::zones;

    #[test]
    fn every_ball_square_is_in_one_zone_of_at_most_two() {
        for length in 3..=128 {
            let zones = zones(length);
            assert!(
                zones.iter().all(|zone| (1..=2).contains(&zone.clone().count())),
                "{zones:?}"
            );
            let mut balls: Vec<usize> = zones.into_iter().flatten().collect();
            balls.sort_unstable();
            assert_eq!(balls, (1..=length - 2).collect::<Vec<_>>());
        }
    }
}
