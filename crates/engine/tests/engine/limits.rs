//! Limits of a search.

use phutbase_engine::limits::{Go, SearchLimits, Stop};
use phutbase_engine::protocol::{Command, parse};
use std::time::{Duration, Instant};

fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

#[test]
fn a_clock_is_shared_out_and_never_overrun() {
    let go = |left: u64, increment: u64| Go {
        clock: [None, Some(ms(left))],
        increment: [ms(0), ms(increment)],
        ..Go::default()
    };
    assert_eq!(go(10_000, 0).time(1), Some(ms(400)));
    assert_eq!(go(10_000, 100).time(1), Some(ms(475)));
    // The increment comes after the turn, so it cannot be spent before.
    assert!(go(50, 1000).time(1).unwrap() < ms(50));
    assert_eq!(go(0, 1000).time(1), Some(ms(0)));
    // Fewer turns until the clock is renewed have more time each, at most half of what is left.
    for (turns, time) in [(100, 400_000), (10, 1_000_000), (1, 4_997_500)] {
        let Ok(Some(Command::Go(go, errors))) = parse(&format!("go p1time 1 p2time 10000 movestogo {turns}"))
        else {
            panic!("a command");
        };
        assert_eq!(
            (go.time(1), errors.len()),
            (Some(Duration::from_micros(time)), 0),
            "{turns}"
        );
    }
}

#[test]
fn the_shorter_time_counts_and_infinite_has_none() {
    let both = Go {
        movetime: Some(ms(1000)),
        clock: [Some(ms(1000)), None],
        ..Go::default()
    };
    assert_eq!(both.time(0), Some(ms(40)));
    assert_eq!(both.time(1), Some(ms(995)));
    let infinite = Go {
        infinite: true,
        ..both
    };
    assert_eq!(infinite.time(0), None);
    assert_eq!(Go::default().time(0), Some(ms(1000)));
    let to_depth = Go {
        depth: Some(3),
        ..Go::default()
    };
    assert_eq!(to_depth.time(0), None);
}

#[test]
fn a_stop_from_another_thread_ends_the_wait() {
    let stop = Stop::default();
    let other = stop.clone();
    let thread = std::thread::spawn(move || other.wait());
    stop.set();
    thread.join().unwrap();
    assert!(SearchLimits::new(&Go::default(), 0, stop).is_spent(0));
}

/// At its end a search has three milliseconds more to choose a turn.
#[test]
fn a_search_is_overdue_three_milliseconds_after_its_end() {
    let grace = ms(3);
    let mut limits = SearchLimits::new(&Go::default(), 0, Stop::default());
    // The thread may sleep between two lines.
    let soon = (0..1000).find_map(|_| {
        let end = Instant::now();
        limits.deadline = Some(end);
        let found = (limits.is_spent(0), limits.is_overdue());
        (end.elapsed() < grace).then_some(found)
    });
    assert_eq!(soon, Some((true, false)));
    limits.deadline = Some(Instant::now() - grace);
    assert!(limits.is_overdue());
}
