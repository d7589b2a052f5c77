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

/// For each of the six index bits in a word, the bits with that index bit clear.
pub const ZEROS: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];
