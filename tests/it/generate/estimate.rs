//! How long it will take.

use phutbase::games::pitch::Shape;
use phutbase::generate::Engine;
use phutbase::generate::estimate::{about, estimate, estimate_pitch, of_pitch, on_its_machine};
use phutbase::solve::ranks::Team;
use phutbase::table::Metric;
use std::time::Duration;

#[test]
fn the_model_is_within_a_factor_of_three_of_what_was_measured() {
    // docs/BENCHMARKS.md; the dense engine: of one thread; symbolic depths: `generate N --metric dtw`.
    for (engine, metric, length, measured) in [
        (Engine::Dense, Metric::Dtw, 27, 1.6),
        (Engine::Dense, Metric::Dtw, 28, 2.9),
        (Engine::Dense, Metric::Dtw, 30, 11.4),
        (Engine::Symbolic, Metric::Dtw, 40, 54.6),
        (Engine::Symbolic, Metric::Dtw, 44, 272.0),
        (Engine::Symbolic, Metric::Wdl, 64, 4.8),
        (Engine::Symbolic, Metric::Wdl, 72, 14.8),
        (Engine::Symbolic, Metric::Wdl, 80, 34.0),
        (Engine::Symbolic, Metric::Wdl, 96, 218.0),
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
        (7, 3, 0.15),
        (8, 3, 0.93),
        (6, 4, 0.51),
        (5, 5, 1.0),
        (9, 3, 8.7),
        (7, 4, 11.6),
    ] {
        let said = of_pitch(Shape::new(rows, columns).unwrap());
        assert!(
            said < 3.0 * measured && measured < 3.0 * said,
            "{rows}x{columns}: {said}"
        );
    }
    assert_eq!(
        estimate_pitch(Shape::new(3, 3).unwrap(), true, &Team::alone()),
        None
    );
    assert!(estimate_pitch(Shape::new(6, 5).unwrap(), false, &Team::alone()).is_some());
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
