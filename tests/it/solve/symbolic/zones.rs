//! Zones: pairs of neighbouring ball squares.

use phutbase::solve::symbolic::zones::zones;

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
