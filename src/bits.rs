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
