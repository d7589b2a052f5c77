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

/// The levels of the longest strips hold those of all shorter ones, which need fewer.
#[test]
fn lengths_without_a_table_are_read_from_the_longest() {
    let tables = Tables::none();
    let lines = tables.lines("theory forward 20..24 --limit 1 --replay-length 0");
    assert_eq!(lines.len(), 5);
    for (line, length) in lines.iter().zip(20..) {
        let alone = tables.lines(&format!("theory forward {length} --limit 1 --replay-length 0"));
        assert_eq!(*line, alone[0]);
    }
}
