//! Counts in JSON: numbers up to 2^53, which every reader keeps exact, and strings beyond.

use ethnum::U256;
use num_bigint::BigUint;
use serde_core::{Serialize, Serializer};

/// A count in JSON: a number up to 2^53, a string beyond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count<N = BigUint>(pub N);

impl<N: Clone + ToString> Serialize for Count<N>
where
    u64: TryFrom<N>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: u64 = 1 << 53;
        match u64::try_from(self.0.clone()) {
            Ok(number) if number <= EXACT => serializer.serialize_u64(number),
            _ => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

/// Converts a count of 256 bits.
pub fn big(count: U256) -> BigUint {
    BigUint::from_bytes_le(&count.to_le_bytes())
}
