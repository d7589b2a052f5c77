//! Answers as JSON.

use num_bigint::BigUint;
use phutbase::answer::count::{BigCount, Count};

#[test]
fn counts_past_2_to_the_53_are_strings() {
    assert_eq!(
        serde_json::to_string(&Count(1 << 53)).unwrap(),
        "9007199254740992"
    );
    assert_eq!(
        serde_json::to_string(&Count((1 << 53) + 1)).unwrap(),
        "\"9007199254740993\""
    );
}

#[test]
fn big_counts_are_written_like_counts() {
    let json = |count: BigUint| serde_json::to_string(&BigCount(count)).unwrap();
    assert_eq!(json(BigUint::from(1u64 << 53)), "9007199254740992");
    assert_eq!(json(BigUint::from(1u8) << 64), "\"18446744073709551616\"");
    let past_128_bits = json(BigUint::from(1u8) << 130);
    assert_eq!(past_128_bits, "\"1361129467683753853853498429727072845824\"");
}
