//! The search for certificates within its limits.

use phutbase_pitches::threats::Reach;
use phutbase_pitches::threats::certify::certify;
use phutbase_pitches::threats::hold::HoldLimits;
use phutbase_pitches::threats::proof::ProofLimits;

#[test]
fn boards_bound_the_search_for_wins_as_well() {
    let pitch = "9/9/9/3o5/4o4/4@4/3o1o3/9/9/9/9 A".parse().unwrap();
    let limits = HoldLimits {
        reach: Reach { shots: 5, quiet: 2 },
        boards: 1,
        proof: ProofLimits {
            nodes: 1,
            ..HoldLimits::default().proof
        },
        ..HoldLimits::default()
    };
    let found = certify(&pitch, limits);
    assert!(found.certificate.is_err() && found.boards < 100, "{found:?}");
}
