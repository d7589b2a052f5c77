//! The estimated limit of the share of wins.

use phutbase_atlas::limit::estimate;
use phutbase_fixtures::prelude::*;

/// Shares that approach 2/3 by a factor of 0.9 per square, with a period of four squares.
#[test]
fn a_limit_that_is_known_is_found() {
    let wins = |length: usize| {
        let n = length as f64;
        let summed =
            2.0 / 3.0 * (n - 2.0) + 1.5 - 4.0 * 0.9f64.powf(n) + [0.0, 0.01, -0.02, 0.01][length % 4];
        BigUint::from((summed * 2f64.powi(length as i32 - 1)) as u128)
    };
    let known: BTreeMap<usize, BigUint> = (3..=60).chain([68]).map(|n| (n, wins(n))).collect();
    let limit = estimate(&known).unwrap();
    assert_eq!(limit.length, 68);
    assert!((limit.share - 2.0 / 3.0).abs() < 1e-9, "{limit:?}");
    assert!(
        (limit.decay - 0.9).abs() < 1e-6 && (limit.ratio() - 2.0).abs() < 1e-8,
        "{limit:?}"
    );
    let short: BTreeMap<usize, BigUint> = (3..=34).map(|n| (n, wins(n))).collect();
    assert_eq!(estimate(&short), None);
}
