//! Patterns without the ball's bit.

use phutbase_base::bits::{spread, squeeze};

#[test]
fn a_bit_is_left_out_and_put_back() {
    assert_eq!(squeeze(0b1011_0110u64, 3), 0b101_1110);
    assert_eq!(spread(0b101_1110u64, 3), 0b1011_0110);
    assert_eq!(squeeze(u128::MAX ^ 1 << 127, 127), u128::MAX >> 1);
    for pattern in 0u64..256 {
        for bit in 0..8 {
            assert_eq!(squeeze(spread(pattern, bit), bit), pattern);
            assert_eq!(spread(pattern, bit) >> bit & 1, 0);
        }
    }
}
