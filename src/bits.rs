//! Patterns of bits without the bit of the ball: nothing else can stand on its square.

use num_traits::PrimInt;

/// A pattern with one bit left out: those above it move down by one.
#[inline(always)]
pub fn squeeze<T: PrimInt>(pattern: T, bit: usize) -> T {
    let below = (T::one() << bit) - T::one();
    (pattern & below) | (pattern >> 1 & !below)
}

/// The inverse of [`squeeze`]: makes room for a bit, which is 0.
#[inline(always)]
pub fn spread<T: PrimInt>(pattern: T, bit: usize) -> T {
    let below = (T::one() << bit) - T::one();
    (pattern & below) | (pattern & !below) << 1
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
