//! What the commands print of what the other modules compute.

use crate::prelude::*;

#[test]
fn every_claim_prints_its_numbers() {
    let mut printed: BTreeMap<&str, Json> = BTreeMap::new();
    for line in include_str!("../../data/theory.tsv").lines().skip(1) {
        let [claim, pointer, value] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let lines = || Json::Array(lines(&format!("theory {claim}")));
        let found = printed.entry(claim).or_insert_with(lines).pointer(pointer);
        let value: Json = serde_json::from_str(value).unwrap();
        assert_eq!(found.unwrap_or(&Json::Null), &value, "{line}");
    }
}
