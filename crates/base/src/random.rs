//! Random numbers that are the same on every machine.

use num_bigint::BigUint;

/// Uniform random numbers below a bound, reproducible from the seed on every machine: `SplitMix64`
/// (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
pub struct Uniform(u64);

impl Uniform {
    /// Starts the numbers of a seed.
    pub fn new(seed: u64) -> Uniform {
        Uniform(seed)
    }

    /// Returns 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns an index below `bound`, which must be positive.
    pub fn index(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(&bound.into())).expect("below a number of that type")
    }

    /// Returns a number below `bound`, which must be positive, by rejection sampling.
    pub fn below(&mut self, bound: &BigUint) -> BigUint {
        let bits = bound.bits();
        loop {
            let words = (0..bits.div_ceil(64)).flat_map(|_| {
                let word = self.word();
                [word as u32, (word >> 32) as u32]
            });
            let number = BigUint::new(words.collect()) >> (64 * bits.div_ceil(64) - bits);
            if number < *bound {
                return number;
            }
        }
    }
}
