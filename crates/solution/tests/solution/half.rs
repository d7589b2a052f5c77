//! The compiled table against the rule, name by name.

use phutbase_solution::half::HalfState;
use phutbase_solution::rule::Name;
use std::collections::HashSet;

#[test]
fn the_table_is_the_rule() {
    let mut known = HashSet::from([HalfState::EMPTY]);
    let mut names = vec![(Name::EMPTY, HalfState::EMPTY)];
    let mut at = 0;
    while at < names.len() {
        let (name, half) = names[at];
        assert_eq!(half.name(), name);
        assert_eq!(half.value(), name.value(), "{name:?}");
        for stone in [false, true] {
            let (next, after) = (name.step(stone), half.step(stone));
            assert_eq!(after.name(), next, "{name:?} and {stone}");
            if next.number <= 24 && known.insert(after) {
                names.push((next, after));
            }
        }
        at += 1;
    }
    assert_eq!(names.len(), 58_142);
}
