//! Tables of pitches, packed by several processes and written by one.

use super::{run, setup};
use phutbase_cluster::gather::write;
use phutbase_cluster::generate::{self, solve};
use phutbase_cluster::ranks::{Team, TeamError};
use phutbase_fixtures::prelude::*;

fn made(text: &str, directory: &Path, team: &Team) -> Outcome {
    let request = Request::new(setup(text), directory);
    generate::generate(&request, None, &Job::default(), team).unwrap()
}

#[test]
fn several_processes_write_the_bytes_of_one() {
    for text in ["3x1", "5x3", "7x3", "9x2"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(format!("pitch-{text}-dtw.phut"));
        generate_pitch_in(Rules::Ordinary, directory.path(), text);
        let expected = std::fs::read(&path).unwrap();
        for count in [1, 2, 3, 4, 5, 7] {
            std::fs::remove_file(&path).unwrap();
            let tables = directory.path().to_path_buf();
            let outcomes = run(count, move |team| made(text, &tables, &team));
            assert_eq!(
                outcomes,
                vec![Outcome::Written; count],
                "{text}, {count} processes"
            );
            assert!(
                std::fs::read(&path).unwrap() == expected,
                "{text}, {count} processes"
            );
        }
    }
}

#[test]
fn a_directory_that_cannot_be_written_ends_all_with_its_error() {
    // The name of the table, or the directory, is taken when it is to be written: everything is
    // packed in vain, or nothing.
    for in_the_way in ["pitch-6x3-dtw.phut", ""] {
        let directory = tempfile::tempdir().unwrap();
        let tables = directory.path().join("tables");
        std::fs::create_dir(&tables).unwrap();
        let blocked = tables.clone();
        let errors = run(3, move |team| {
            let block = || match in_the_way {
                "" => {
                    std::fs::remove_dir(&blocked).unwrap();
                    std::fs::write(&blocked, "in the way").unwrap();
                }
                name => std::fs::create_dir_all(blocked.join(name).join("full")).unwrap(),
            };
            let request = Request::new(setup("6x3"), &blocked);
            let cluster = solve(&request, None, &Job::default(), &team).unwrap();
            if team.is_first() {
                block();
            }
            // No process writes before.
            team.greatest(0);
            write(&cluster, &request).unwrap_err()
        });
        let own = errors[0].to_string();
        assert!(
            matches!(errors[0], TeamError::Local(GenerateError::Table(_))),
            "{own}"
        );
        assert!(own.contains("pitch-6x3-dtw."), "{own}");
        for other in &errors[1..] {
            assert_eq!(other.to_string(), format!("rank 0: {own}"));
        }
    }
}

/// A stop of one process, in the middle of a run, saves a checkpoint; the next run, with another
/// number of processes, writes the same table.
#[test]
fn stopped_runs_resume_with_other_numbers_of_processes() {
    let (whole, pieces) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = std::fs::read(generate_pitch_in(Rules::Ordinary, whole.path(), "6x3")).unwrap();
    let request = Request {
        checkpoint_every: Duration::ZERO,
        ..Request::new(setup("6x3"), pieces.path())
    };
    for (round, count) in [2, 5, 1, 3].into_iter().enumerate() {
        let request = request.clone();
        run(count, move |team| {
            let steps = if team.rank() == count - 1 { 3 } else { 0 };
            let job = Job::default().stopping_at_step(steps);
            let stopped = generate::generate(&request, None, &job, &team);
            assert!(matches!(
                stopped,
                Err(TeamError::Local(GenerateError::Stopped(_)))
            ));
            let saved = job.progress().saved.unwrap();
            assert_eq!(saved, format!("ply {}", 3 * (round + 1)));
        });
    }
    let (table, checkpoint) = (request.path(), request.checkpoint());
    run(4, move |team| {
        generate::generate(&request, None, &Job::default(), &team).unwrap()
    });
    assert!(std::fs::read(table).unwrap() == expected);
    assert!(!checkpoint.exists());
    assert_eq!(
        std::fs::read_dir(pieces.path()).unwrap().count(),
        1,
        "only the table is left"
    );
}
