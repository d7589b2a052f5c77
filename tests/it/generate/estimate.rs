//! How long it will take.

use phutbase::games::pitch::Shape;
use phutbase::generate::Engine;
use phutbase::generate::estimate::{about, estimate, estimate_pitch, of_pitch, on_its_machine};
use phutbase::table::Metric;
use std::time::Duration;

#[test]
fn the_model_is_within_a_factor_of_three_of_what_was_measured() {
    // docs/BENCHMARKS.md; symbolic depths: measured with `generate N --engine symbolic`.
    for (engine, metric, length, measured) in [
        (Engine::Dense, Metric::Dtw, 26, 0.59),
        (Engine::Dense, Metric::Dtw, 28, 1.8),
        (Engine::Dense, Metric::Dtw, 30, 6.6),
        (Engine::Dense, Metric::Dtw, 32, 27.0),
        (Engine::Symbolic, Metric::Wdl, 64, 8.1),
        (Engine::Symbolic, Metric::Wdl, 81, 76.9),
        (Engine::Symbolic, Metric::Wdl, 89, 160.6),
    ] {
        let said = on_its_machine(engine, metric, length);
        assert!(
            said < 3.0 * measured && measured < 3.0 * said,
            "{engine:?} {length}: {said}"
        );
    }
}

#[test]
fn pitches_are_within_a_factor_of_three_of_what_was_measured() {
    // Processor times of `generate RxC --threads 1`, docs/BENCHMARKS.md.
    for (rows, columns, measured) in [
        (7, 3, 0.28),
        (8, 3, 1.8),
        (6, 4, 0.87),
        (5, 5, 2.5),
        (9, 3, 24.6),
        (7, 4, 25.0),
    ] {
        let said = of_pitch(Shape::new(rows, columns).unwrap());
        assert!(
            said < 3.0 * measured && measured < 3.0 * said,
            "{rows}x{columns}: {said}"
        );
    }
    assert_eq!(estimate_pitch(Shape::new(3, 3).unwrap()), None);
}

#[test]
fn short_work_is_not_estimated_and_long_work_is_not_guessed() {
    assert_eq!(estimate(Engine::Dense, Metric::Dtw, 20), None);
    assert_eq!(estimate(Engine::Symbolic, Metric::Dtw, 100), None);
    assert!(estimate(Engine::Symbolic, Metric::Wdl, 64).is_some());
    assert_eq!(about(Duration::from_secs(40)), "about 40 s");
    assert_eq!(about(Duration::from_secs(200)), "about 3 min");
    assert_eq!(about(Duration::from_secs(20_000)), "about 6 h");
}
