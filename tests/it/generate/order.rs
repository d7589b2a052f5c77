//! What is made by which engine, and in what order.

use phutbase::generate::in_order::in_order;
use phutbase::generate::share::{EngineChoice, Share, share};
use phutbase::generate::slices::in_slices;
use phutbase::generate::{Engine, Request};
use phutbase::table::Metric;
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;
fn names(lengths: std::ops::RangeInclusive<usize>, choice: EngineChoice, request: &Request) -> Vec<String> {
    let shares = share(lengths, choice, request).unwrap();
    let name = |share: &Share| format!("{:?} {:?}", share.engine, share.lengths);
    shares.iter().map(name).collect()
}

#[test]
fn the_shorter_strips_go_to_the_dense_engine_unless_an_option_or_memory_forbids() {
    let plain = Request::new(18, Metric::Dtw);
    let auto = EngineChoice::Auto;
    assert_eq!(
        names(15..=18, auto, &plain),
        ["Dense [15, 16]", "Symbolic [17, 18]"]
    );
    let winners = Request::new(18, Metric::Wdl);
    assert_eq!(names(15..=18, auto, &winners), ["Symbolic [15, 16, 17, 18]"]);
    let on_scratch = Request {
        scratch: Some(PathBuf::from(".")),
        ..plain.clone()
    };
    assert_eq!(names(15..=18, auto, &on_scratch), ["Dense [15, 16, 17, 18]"]);
    let small = Request {
        memory: Some(1 << 10),
        ..plain.clone()
    };
    assert_eq!(names(15..=16, auto, &small), ["Symbolic [15, 16]"]);
    let dense = EngineChoice::Only(Engine::Dense);
    assert_eq!(names(16..=17, dense, &plain), ["Dense [16, 17]"]);
    assert!(share([41], dense, &plain).is_err());
    assert_eq!(names(41..=41, auto, &plain), ["Symbolic [41]"]);
}

/// Questions that take so many seconds, on a clock that only they move.
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

#[test]
fn results_come_in_order_however_long_each_takes() {
    let lengths: Vec<usize> = (0..20).collect();
    let mut seen = Vec::new();
    let slow_then_fast = |length: usize, _: &AtomicBool| {
        thread::sleep(Duration::from_millis((20 - length as u64) % 7));
        Ok(length)
    };
    let reported = in_order(&lengths, slow_then_fast, |length| {
        seen.push(length);
        Ok(())
    });
    assert_eq!(reported, Ok::<(), String>(()));
    assert_eq!(seen, lengths);
}

#[test]
fn the_first_error_ends_it() {
    let failing = |length: usize, _: &AtomicBool| match length {
        5.. => Err(format!("length {length}")),
        _ => Ok(length),
    };
    let lengths: Vec<usize> = (0..20).collect();
    let mut seen = Vec::new();
    let error = in_order(&lengths, failing, |length| {
        seen.push(length);
        Ok(())
    });
    assert_eq!(error, Err("length 5".to_string()));
    assert_eq!(seen, [0, 1, 2, 3, 4]);
}
