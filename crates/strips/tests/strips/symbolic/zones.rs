//! Zones: pairs of neighbouring ball squares.

use phutbase_strips::symbolic::zones::zones;

#[test]
fn every_ball_square_is_in_one_zone_of_at_most_two() {
    for length in 3..=255 {
        let zones = zones(length, 1);
        assert!(
            zones.iter().all(|zone| (1..=2).contains(&zone.clone().count())),
            "{zones:?}"
        );
        let reversed: Vec<_> = self::zones(length, 0).into_iter().rev().collect();
        assert_eq!(reversed, zones);
        let balls: Vec<usize> = zones.into_iter().flatten().collect();
        assert_eq!(balls, (1..=length - 2).collect::<Vec<_>>());
    }
}
