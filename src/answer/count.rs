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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_past_2_to_the_53_are_strings() {
        assert_eq!(
            serde_json::to_string(&Count(1 << 53)).unwrap(),
            "9007199254740992"
        );
        assert_eq!(
            serde_json::to_string(&Count((1 << 53) + 1)).unwrap(),
            "\"9007199254740993\""
        );
    }

    #[test]
    fn big_counts_are_written_like_counts() {
        let json = |count: BigUint| serde_json::to_string(&BigCount(count)).unwrap();
        assert_eq!(json(BigUint::from(1u64 << 53)), "9007199254740992");
        assert_eq!(json(BigUint::from(1u8) << 64), "\"18446744073709551616\"");
        let past_128_bits = json(BigUint::from(1u8) << 130);
        assert_eq!(past_128_bits, "\"1361129467683753853853498429727072845824\"");
    }
}
