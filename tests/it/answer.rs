//! Answers as JSON.

use num_bigint::BigUint;
use phutbase::count::Count;

#[test]
fn counts_past_2_to_the_53_are_strings() {
    let json = |count: u64| serde_json::to_string(&Count(count)).unwrap();
    assert_eq!(json(1 << 53), "9007199254740992");
    assert_eq!(json((1 << 53) + 1), "\"9007199254740993\"");
    let json = |count: BigUint| serde_json::to_string(&Count(count)).unwrap();
    assert_eq!(json(BigUint::from(1u64 << 53)), "9007199254740992");
    assert_eq!(json(BigUint::from(1u8) << 64), "\"18446744073709551616\"");
}
