//! Bit patterns: their members, and patterns without the bit of the ball's own square, which is never
//! needed.

use num_traits::PrimInt;

/// Removes a bit from a pattern; the bits above it move down by one.
#[inline(always)]
pub fn squeeze<T: PrimInt>(pattern: T, bit: usize) -> T {
    let below = (T::one() << bit) - T::one();
    (pattern & below) | (pattern >> 1 & !below)
}

/// The inverse of [`squeeze`]: inserts a 0 bit.
#[inline(always)]
pub fn spread<T: PrimInt>(pattern: T, bit: usize) -> T {
    let below = (T::one() << bit) - T::one();
    (pattern & below) | (pattern & !below) << 1
}

/// Iterates over the bits of a set in ascending order.
#[inline(always)]
pub fn bits<T: PrimInt>(set: T) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let bit = (!rest.is_zero()).then(|| rest.trailing_zeros() as usize)?;
        rest = rest & (rest - T::one());
        Some(bit)
    })
}
