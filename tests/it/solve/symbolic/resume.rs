//! Interrupted runs of the symbolic engine: the resumed run writes the same bytes; invalid
//! checkpoints are rejected.

use crate::prelude::*;
use phutbase::generate::{Request, generate};

fn request(length: usize, metric: Metric, directory: &Path) -> Request {
    Request {
        tables: directory.to_path_buf(),
        checkpoint_every: Duration::ZERO,
        ..Request::new(length, metric)
    }
}

/// Runs until the table is written or `steps` steps are done. Also returns whether it resumed from
/// a checkpoint.
fn run(request: &Request, steps: usize) -> (Result<(), GenerateError>, bool) {
    let lock = TablesLock::hold(&request.tables).unwrap();
    let (mut done, mut resumed) = (0, false);
    let result = generate(request, &lock, &mut |event| {
        match event {
            Event::Step { .. } => done += 1,
            Event::Resumed(_) => resumed = true,
            _ => {}
        }
        if done >= steps {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    (result.map(|_| ()), resumed)
}

fn bytes(request: &Request) -> Vec<u8> {
    std::fs::read(request.path()).unwrap()
}

/// Returns a length for this metric at which a run has many steps.
fn long_enough(metric: Metric) -> usize {
    match metric {
        Metric::Dtw => 14,
        Metric::Wdl => 34,
    }
}

/// Returns how often a run is certain to call its callback. For winners other threads do the work,
/// so after the first call the number depends on the load of the machine.
fn surely_asked(metric: Metric) -> usize {
    match metric {
        Metric::Dtw => 7,
        Metric::Wdl => 1,
    }
}

#[test]
fn stopped_anywhere_it_ends_with_the_same_bytes() {
    for metric in METRICS {
        let whole = tempfile::tempdir().unwrap();
        let uninterrupted = request(long_enough(metric), metric, whole.path());
        run(&uninterrupted, usize::MAX).0.unwrap();
        for steps in [1, 3, 7] {
            let directory = tempfile::tempdir().unwrap();
            let request = request(long_enough(metric), metric, directory.path());
            let mut runs = 0;
            loop {
                // A run for winners that always stops at once never finishes: it checks its guess
                // first.
                let steps = if metric == Metric::Wdl && runs > 6 {
                    usize::MAX
                } else {
                    steps
                };
                let (result, resumed) = run(&request, steps);
                assert_eq!(resumed, runs > 0, "{metric}, {steps} steps at a time");
                runs += 1;
                match result {
                    Ok(()) => break,
                    Err(GenerateError::Interrupted { saved, .. }) => assert!(saved),
                    Err(error) => panic!("{error}"),
                }
            }
            assert!(
                runs > 1 || steps > surely_asked(metric),
                "{metric}: {steps} steps were never too few"
            );
            assert!(
                bytes(&request) == bytes(&uninterrupted),
                "{metric}, {steps} steps at a time"
            );
            assert!(!request.checkpoint().exists());
        }
    }
}

/// Creates an interrupted run in a directory of its own.
fn stopped(metric: Metric) -> (tempfile::TempDir, Request) {
    let directory = tempfile::tempdir().unwrap();
    let request = request(long_enough(metric), metric, directory.path());
    assert!(run(&request, surely_asked(metric)).0.is_err());
    assert!(request.checkpoint().exists());
    (directory, request)
}

#[test]
fn a_damaged_checkpoint_is_refused_and_kept() {
    for metric in METRICS {
        let (_directory, request) = stopped(metric);
        let good = std::fs::read(request.checkpoint()).unwrap();
        let step = good.len().div_ceil(200);
        for place in (0..good.len()).step_by(step).chain([good.len() - 1]) {
            let mut damaged = good.clone();
            damaged[place] ^= 0x10;
            std::fs::write(request.checkpoint(), &damaged).unwrap();
            let error = run(&request, usize::MAX).0.unwrap_err().to_string();
            assert!(error.contains(".checkpoint"), "{error}");
            assert_eq!(std::fs::read(request.checkpoint()).unwrap(), damaged);
        }
        for length in [0, 5, 15, 16, 40, good.len() - 1] {
            std::fs::write(request.checkpoint(), &good[..length]).unwrap();
            let error = run(&request, usize::MAX).0.unwrap_err().to_string();
            assert!(error.contains(".checkpoint"), "{error}");
        }
        std::fs::write(request.checkpoint(), &good).unwrap();
        run(&request, usize::MAX).0.unwrap();
    }
}

#[test]
fn a_checkpoint_of_another_length_or_metric_is_refused() {
    let (_here, dtw) = stopped(Metric::Dtw);
    let (_there, wdl) = stopped(Metric::Wdl);
    let other = Request {
        length: 13,
        ..dtw.clone()
    };
    std::fs::copy(dtw.checkpoint(), other.checkpoint()).unwrap();
    std::fs::copy(wdl.checkpoint(), dtw.checkpoint()).unwrap();
    for request in [&other, &dtw] {
        let error = run(request, usize::MAX).0.unwrap_err().to_string();
        assert!(error.contains("the work is"), "{error}");
    }
}

#[test]
fn without_need_no_checkpoint_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let request = Request {
        checkpoint_every: Duration::from_secs(3600),
        ..request(12, Metric::Dtw, directory.path())
    };
    let error = run(&request, 4).0.unwrap_err();
    assert!(matches!(error, GenerateError::Interrupted { saved: false, .. }));
    assert!(!request.checkpoint().exists());
    assert!(
        error.to_string().contains("interrupted after ply 4 of length 12"),
        "{error}"
    );
}

#[test]
fn a_length_out_of_range_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    for metric in METRICS {
        assert!(
            run(&request(129, metric, directory.path()), usize::MAX)
                .0
                .is_err()
        );
    }
}
