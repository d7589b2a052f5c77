//! Counts in JSON: numbers as far as every reader keeps them exact (2^53), strings beyond.

use num_bigint::BigUint;
use serde::{Serialize, Serializer};

/// A count in JSON: a number as far as every reader keeps it exact (2^53), a string beyond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count(pub u128);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: u128 = 1 << 53;
        match u64::try_from(self.0) {
            Ok(number) if self.0 <= EXACT => serializer.serialize_u64(number),
            _ => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

/// A [`Count`] without an upper limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BigCount(pub BigUint);

impl Serialize for BigCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u128::try_from(&self.0) {
            Ok(small) => Count(small).serialize(serializer),
            Err(_) => serializer.serialize_str(&self.0.to_string()),
        }
    }
}
