//! Answers as JSON.

use phutbase_ask::sources::{AskError, Sources};
use phutbase_base::count::Count;
use phutbase_fixtures::prelude::*;
use phutbase_rules::Position;

#[test]
fn counts_past_2_to_the_53_are_strings() {
    let json = |count: u64| serde_json::to_string(&Count(count)).unwrap();
    assert_eq!(json(1 << 53), "9007199254740992");
    assert_eq!(json((1 << 53) + 1), "\"9007199254740993\"");
    let json = |count: BigUint| serde_json::to_string(&Count(count)).unwrap();
    assert_eq!(json(BigUint::from(1u64 << 53)), "9007199254740992");
    assert_eq!(json(BigUint::from(1u8) << 64), "\"18446744073709551616\"");
}

/// Positions after the deadline of a batch are errors of their lines.
#[test]
fn a_batch_that_runs_out_of_time_says_so() {
    let position = Position::read("obstruction:5x5", Rules::Ordinary).unwrap();
    let sources = Sources::new(Tablebase::empty(), 1 << 20);
    let at_once = Job::default().within(Duration::ZERO);
    let [answer] = &sources.batch(&[&position], &at_once)[..] else {
        panic!("one answer");
    };
    assert!(matches!(answer, Err(AskError::Stopped(_))), "{answer:?}");
}
