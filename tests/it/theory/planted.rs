//! Windows on tables with a wrong value: the claim fails where the definition says.

use crate::prelude::*;
use phutbase_theory::window::{formula, is_enough};

/// Returns whether a table of nine squares contradicts the formula of windows.
fn breaks_a_window(table: &StripTable, right: usize) -> bool {
    let enough = |left: usize, side| left + right >= 9 || is_enough(table, left, right, side).unwrap();
    let sides = [Side::Left, Side::Right].into_iter();
    let mut numbers = sides.map(|side| (formula(right, side), side));
    numbers.any(|(least, side)| {
        !enough(least, side) || (1..least).any(|left| left + right < 9 && enough(left, side))
    })
}

#[test]
fn a_wrong_value_breaks_the_claims_that_it_contradicts() {
    let mut seen = false;
    plant(9, 37, |planes, metric, _| {
        if metric != Metric::Wdl || seen {
            return;
        }
        let table = planes.table(metric);
        let window = (1..=4).find(|&right| breaks_a_window(&table, right));
        let tables = Tables::none();
        std::fs::write(tables.path().join("strip-9-wdl.phut"), planes.bytes(metric)).unwrap();
        let run = tables.run("theory window 1..4");
        match window {
            None => assert_eq!(run.code, Some(0)),
            Some(first) => {
                run.fails(
                    1,
                    &[&format!("it fails at {first}"), " squares right of the ball"],
                );
                seen = true;
            }
        }
    });
    assert!(seen);
}
