//! Time sharing between questions.

use phutbase_solve::generate::slices::in_slices;
use std::cell::Cell;

/// Asks questions that take these numbers of seconds on a simulated clock.
fn answered(costs: &[u64], time: u64) -> (Vec<u64>, Vec<u64>) {
    let clock = Cell::new(0);
    let mut answered = Vec::new();
    let left = in_slices(
        costs.to_vec(),
        |&cost, slice| {
            let given = slice.as_secs().min(time - clock.get());
            clock.set(clock.get() + cost.min(given));
            if cost <= given {
                answered.push(cost);
            }
            Ok::<bool, ()>(cost <= given)
        },
        || clock.get() >= time,
    );
    (answered, left.unwrap())
}

#[test]
fn a_hard_question_holds_up_no_easy_one() {
    assert_eq!(answered(&[1000, 1, 3, 1], 20), (vec![1, 1, 3], vec![1000]));
    assert_eq!(answered(&[1000, 10, 1], 5000), (vec![1, 10, 1000], vec![]));
    assert_eq!(answered(&[5, 7], 0), (vec![], vec![5, 7]));
    assert_eq!(answered(&[], 10), (vec![], vec![]));
}
