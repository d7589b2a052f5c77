//! The search for certificates within its limits.

use phutbase_pitches::threats::Reach;
use phutbase_pitches::threats::certify::{NotFound, certify_within};
use phutbase_pitches::threats::hold::HoldLimits;

#[test]
fn boards_bound_the_search_for_wins_as_well() {
    let pitch = "9/9/9/3o5/4o4/4@4/3o1o3/9/9/9/9 A".parse().unwrap();
    let limits = HoldLimits {
        reach: Reach { shots: 5, quiet: 2 },
        boards: 1,
        ..HoldLimits::of_effort(2)
    };
    let found = certify_within(&pitch, limits);
    assert_eq!(found.certificate, Err(NotFound::Boards(1)));
    assert!(found.boards < 100, "{found:?}");
}
