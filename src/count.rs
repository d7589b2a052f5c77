//! Counts in JSON: numbers up to 2^53, which every reader keeps exact, and strings beyond.

use num_bigint::BigUint;
use serde::{Serialize, Serializer};

/// A count in JSON: a number up to 2^53, a string beyond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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
