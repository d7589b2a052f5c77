//! Numbers for readers.

use num_bigint::BigUint;
use phutbase_base::digits::{grouped, human_bytes, short};

#[test]
fn digits_are_grouped_from_the_right() {
    assert_eq!(grouped(7), "7");
    assert_eq!(grouped(1234), "1,234");
    assert_eq!(grouped(123_456_789u128), "123,456,789");
}

#[test]
fn long_numbers_are_rounded() {
    let cases = [
        (999_999_999_999u64, "999,999,999,999"),
        (1_049_999_999_999, "1.0·10¹²"),
        (1_050_000_000_000, "1.1·10¹²"),
        (99_500_000_000_000, "1.0·10¹⁴"),
    ];
    for (number, expected) in cases {
        assert_eq!(short(&BigUint::from(number)), expected);
    }
    assert_eq!(short(&(BigUint::from(142u8) << 143)), "1.6·10⁴⁵");
}

#[test]
fn bytes_have_the_largest_unit_that_they_fill() {
    let cases = [
        (0, "0 bytes"),
        (1023, "1023 bytes"),
        (1 << 10, "1.0 KiB"),
        (3 << 9, "1.5 KiB"),
        (1 << 20, "1.0 MiB"),
        (1 << 30, "1.0 GiB"),
        ((1 << 20) - 1, "1.0 MiB"),
        ((1 << 20) - 60, "1023.9 KiB"),
        (1 << 50, "1024.0 TiB"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(human_bytes(bytes), expected);
    }
}
