//! Random numbers that are the same on every machine.

use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Uniform random numbers below a bound, reproducible from the seed on every machine.
pub struct Uniform(ChaCha8Rng);

impl Uniform {
    pub fn new(seed: u64) -> Uniform {
        Uniform(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Returns 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns an index below `bound`, which must be positive.
    pub fn index(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(&bound.into())).expect("below a number of that type")
    }

    /// Returns a number below `bound`, which must be positive, by rejection sampling.
    pub fn below(&mut self, bound: &BigUint) -> BigUint {
        let bits = bound.bits();
        let mut bytes = vec![0; bits.div_ceil(8) as usize];
        loop {
            self.0.fill_bytes(&mut bytes);
            if let Some(last) = bytes.last_mut() {
                *last &= 0xff >> ((8 - bits % 8) % 8);
            }
            let number = BigUint::from_bytes_le(&bytes);
            if number < *bound {
                return number;
            }
        }
    }
}
