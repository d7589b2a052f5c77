//! Memory that a table takes, and refusals before any work.

use phutbase_fixtures::prelude::*;
use phutbase_solve::generate::plan::{Plan, PlanError, check_strip_memory, strip_memory};

#[test]
fn work_fits_exactly_into_the_memory_that_it_takes() {
    let does_not_fit = |refused| matches!(refused, Err(PlanError::DoesNotFit(_)));
    for length in [3, 20, 30] {
        let plan = Plan::of_enumeration(length).unwrap();
        assert!(plan.check_memory(Some(plan.memory)).is_ok(), "{length} squares");
        assert!(
            does_not_fit(plan.check_memory(Some(plan.memory - 1))),
            "{length} squares"
        );
        for metric in METRICS {
            let takes = strip_memory(length, metric);
            let check = |memory| check_strip_memory(length, metric, Some(memory));
            assert!(check(takes).is_ok(), "{length} squares, {metric}");
            assert!(does_not_fit(check(takes - 1)), "{length} squares, {metric}");
        }
    }
}
