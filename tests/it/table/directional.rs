//! Files of the directional game: never read as those of the ordinary one, nor the other way round, and checked by their own rules.

use crate::common::container::resealed;
use crate::games::pitch_support::shape;
use crate::table::support::{contained, make, says_what_to_do};
use phutbase::games::pitch::{Pitch, Shape};
use phutbase::games::rules::Rules;
use phutbase::games::strip::Strip;
use phutbase::generate::pitch::{PitchRequest, generate_pitch};
use phutbase::generate::{Engine, Event, GenerateError, Request, TablesLock, generate};
use phutbase::solve::pitch::Setup;
use phutbase::solve::ranks::Team;
use phutbase::table::any::Table;
use phutbase::table::directory::Tablebase;
use phutbase::table::error::TableError;
use phutbase::table::pitch::{PitchTable, pitch_path};
use phutbase::table::places::Places;
use phutbase::table::{Layout, Metric, table_path};
use phutbase::verify::{self, pitch};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

const BOTH: [Rules; 2] = [Rules::Ordinary, Rules::Directional];

fn request(rules: Rules, engine: Engine, metric: Metric, length: usize, directory: &Path) -> Request {
    Request {
        rules,
        engine,
        layout: (engine == Engine::Symbolic).then_some(Layout::Diagram),
        tables: directory.to_path_buf(),
        checkpoint_every: Duration::ZERO,
        ..Request::new(length, metric)
    }
}

fn pitch_request(rules: Rules, shape: Shape, directory: &Path) -> PitchRequest {
    PitchRequest {
        setup: Setup {
            rules,
            ..Setup::in_memory(shape, true)
        },
        checkpoint_every: Duration::ZERO,
        ..PitchRequest::new(shape, directory)
    }
}

fn make_pitch(rules: Rules, shape: Shape, directory: &Path) {
    let lock = TablesLock::hold(directory).unwrap();
    let request = pitch_request(rules, shape, directory);
    generate_pitch(&request, &lock, &mut |_| ControlFlow::Continue(())).unwrap();
}

fn tablebase(rules: Rules, directory: &Path) -> Tablebase {
    Tablebase::search_under(rules, Places::only(directory)).unwrap()
}

fn other(rules: Rules) -> Rules {
    BOTH[1 - rules as usize]
}

/// The error says which rules are there, which were expected, in which file, and what to do.
fn names_both(error: &TableError, found: Rules, file: &str) {
    says_what_to_do(error, file);
    let words = format!("the set of rules is {found}, expected {}", other(found));
    assert!(error.to_string().contains(&words), "{error}");
}

#[test]
fn a_table_under_the_name_of_the_other_game_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    for rules in BOTH {
        for (engine, metric, length) in [
            (Engine::Dense, Metric::Dtw, 6),
            (Engine::Dense, Metric::Wdl, 6),
            (Engine::Symbolic, Metric::Dtw, 7),
            (Engine::Symbolic, Metric::Wdl, 7),
        ] {
            make(&request(rules, engine, metric, length, path));
            let good = tablebase(rules, path);
            assert_eq!(good.table(length, metric).unwrap().unwrap().header().rules, rules);
            let file = table_path(path, rules, length, metric);
            assert_eq!(fs::read(&file).unwrap()[11], rules as u8);
            let renamed = table_path(path, other(rules), length, metric);
            fs::rename(&file, &renamed).unwrap();
            let error = tablebase(other(rules), path).table(length, metric).unwrap_err();
            names_both(&error, rules, renamed.file_name().unwrap().to_str().unwrap());
            assert!(tablebase(rules, path).table(length, metric).unwrap().is_none());
            fs::remove_file(renamed).unwrap();
        }
        let shape = shape("4x3");
        make_pitch(rules, shape, path);
        assert_eq!(tablebase(rules, path).pitch(shape).unwrap().header().rules, rules);
        let renamed = pitch_path(path, other(rules), shape);
        fs::rename(pitch_path(path, rules, shape), &renamed).unwrap();
        let error = tablebase(other(rules), path).pitch(shape).err().unwrap();
        names_both(&error, rules, renamed.file_name().unwrap().to_str().unwrap());
        fs::remove_file(renamed).unwrap();
    }
}

#[test]
fn a_head_with_other_rules_is_no_table() {
    let directory = tempfile::tempdir().unwrap();
    let nimbers = fs::read("tables/obstruction.phut").unwrap();
    make(&request(
        Rules::Ordinary,
        Engine::Dense,
        Metric::Dtw,
        5,
        directory.path(),
    ));
    let strip = fs::read(table_path(directory.path(), Rules::Ordinary, 5, Metric::Dtw)).unwrap();
    for (bytes, rules) in [(&nimbers, 1), (&nimbers, 2), (&strip, 2), (&strip, 255)] {
        let bytes = resealed(bytes, |parts| parts.kind |= rules << 8);
        let error = contained(bytes, "t.phut").err().unwrap();
        assert!(error.to_string().contains("unknown rules"), "{error}");
    }
}

#[test]
fn a_table_is_asked_under_its_own_rules_only() {
    let directory = tempfile::tempdir().unwrap();
    let strip: Strip = "o@o.o.o...".parse().unwrap();
    let pitch: Pitch = "3/@2/1o1/3 B".parse().unwrap();
    for rules in BOTH {
        let path = directory.path();
        make(&request(rules, Engine::Dense, Metric::Dtw, 10, path));
        make(&request(rules, Engine::Symbolic, Metric::Wdl, 10, path));
        make_pitch(rules, pitch.shape(), path);
        let tables = tablebase(rules, path);
        for metric in Metric::ALL {
            let table = tables.table(10, metric).unwrap().unwrap();
            assert!(table.verdict(&strip.under(rules)).is_ok());
            assert!(table.verdicts(&[strip.under(rules)]).is_ok());
            let refused = table.verdict(&strip.under(other(rules)));
            assert!(matches!(refused, Err(TableError::NotHeld(_))), "{refused:?}");
            let refused = table.verdicts(&[strip.under(other(rules))]);
            assert!(matches!(refused, Err(TableError::NotHeld(_))), "{refused:?}");
        }
        let table = tables.pitch(pitch.shape()).unwrap();
        assert!(table.value(&pitch.under(rules)).is_ok());
        let refused = table.value(&pitch.under(other(rules)));
        assert!(matches!(refused, Err(TableError::NotHeld(_))), "{refused:?}");
        assert_eq!(table.position(0).unwrap().rules(), rules);
    }
}

/// A table with the bytes of a good one under the other game's head.
fn beheaded(file: &Path, name: &str) -> Table {
    let bytes = resealed(&fs::read(file).unwrap(), |parts| parts.kind ^= 0x100);
    Table::new(contained(bytes, name).unwrap(), 1 << 20).unwrap()
}

#[test]
fn verify_follows_the_rules_of_the_head() {
    let directory = tempfile::tempdir().unwrap();
    let check = |table: &Table| verify::check(table, &AtomicU64::new(0)).unwrap();
    // At 20 squares depths differ, at 22 winners do: on three boards each.
    for (engine, metric, length) in [
        (Engine::Dense, Metric::Dtw, 20),
        (Engine::Symbolic, Metric::Dtw, 20),
        (Engine::Symbolic, Metric::Wdl, 22),
    ] {
        for rules in BOTH {
            make(&request(rules, engine, metric, length, directory.path()));
        }
        let [ordinary, own] = BOTH.map(|rules| table_path(directory.path(), rules, length, metric));
        assert_eq!(check(&Table::open(&own).unwrap()), None, "{engine:?} {metric}");
        let fault = check(&beheaded(&ordinary, "t.phut"));
        assert!(
            fault.is_some(),
            "{engine:?} {metric}: ordinary values under directional rules"
        );
    }
    for rules in BOTH {
        make_pitch(rules, shape("3x3"), directory.path());
        let bytes = fs::read(pitch_path(directory.path(), rules, shape("3x3"))).unwrap();
        let check = |bytes: Vec<u8>| {
            let table = PitchTable::new(contained(bytes, "t.phut").unwrap(), 0).unwrap();
            let room = pitch::Room::new(pitch::ample_memory(&table));
            pitch::check(&table, &room, &AtomicU64::new(0), &Team::alone()).unwrap()
        };
        assert_eq!(check(bytes.clone()), None);
        assert!(
            check(resealed(&bytes, |parts| parts.kind ^= 0x100)).is_some(),
            "{rules}"
        );
    }
}

/// Stops after the first ply or step.
fn stop_soon() -> impl FnMut(Event<'_>) -> ControlFlow<()> {
    let mut steps = 0;
    move |event| {
        steps += usize::from(matches!(event, Event::Ply { .. } | Event::Diagrams(_)));
        match steps {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}

/// The one checkpoint in a directory.
fn only_checkpoint(directory: &Path) -> String {
    let names = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let mut names = names.filter_map(|name| {
        name.into_string()
            .ok()
            .filter(|name| name.ends_with(".checkpoint"))
    });
    let name = names.next().unwrap();
    assert_eq!(names.next(), None);
    name
}

#[test]
fn a_checkpoint_is_never_resumed_under_other_rules() {
    for rules in BOTH {
        // Long enough not to be done before anybody is asked whether to go on.
        for (engine, metric, length) in [
            (Engine::Dense, Metric::Dtw, 16),
            (Engine::Symbolic, Metric::Dtw, 16),
            (Engine::Symbolic, Metric::Wdl, 36),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path();
            let lock = TablesLock::hold(path).unwrap();
            let asked = request(rules, engine, metric, length, path);
            let stopped = generate(&asked, &lock, &mut stop_soon()).unwrap_err();
            assert!(
                matches!(stopped, GenerateError::Interrupted { saved: true, .. }),
                "{stopped}"
            );
            let name = only_checkpoint(path);
            let wrong = request(other(rules), engine, metric, length, path);
            fs::copy(path.join(&name), wrong.checkpoint()).unwrap();
            let error = generate(&wrong, &lock, &mut |_| ControlFlow::Continue(())).unwrap_err();
            let GenerateError::Table(error) = error else {
                panic!("{error}")
            };
            names_both(
                &error,
                rules,
                wrong.checkpoint().file_name().unwrap().to_str().unwrap(),
            );
            // Under its own rules the work goes on.
            let mut resumed = false;
            let went = generate(&asked, &lock, &mut |event| {
                resumed |= matches!(event, Event::Resumed { .. } | Event::ResumedDiagrams { .. });
                ControlFlow::Continue(())
            });
            assert!(went.is_ok() && resumed, "{engine:?} {metric}");
        }
        let directory = tempfile::tempdir().unwrap();
        let lock = TablesLock::hold(directory.path()).unwrap();
        let asked = pitch_request(rules, shape("6x3"), directory.path());
        generate_pitch(&asked, &lock, &mut stop_soon()).unwrap_err();
        let wrong = pitch_request(other(rules), shape("6x3"), directory.path());
        fs::copy(asked.checkpoint(), wrong.checkpoint()).unwrap();
        let error = generate_pitch(&wrong, &lock, &mut |_| ControlFlow::Continue(())).unwrap_err();
        let GenerateError::Table(error) = error else {
            panic!("{error}")
        };
        names_both(
            &error,
            rules,
            wrong.checkpoint().file_name().unwrap().to_str().unwrap(),
        );
    }
}

/// What goes on from a checkpoint is still the game that was begun: the values at 20 squares tell.
#[test]
fn a_resumed_run_ends_with_the_bytes_of_an_uninterrupted_one() {
    let (whole, pieces) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (engine, metric, length) in [
        (Engine::Dense, Metric::Dtw, 20),
        (Engine::Symbolic, Metric::Dtw, 20),
        (Engine::Symbolic, Metric::Wdl, 36),
    ] {
        let asked = |path: &Path| request(Rules::Directional, engine, metric, length, path);
        let path = |path: &Path| table_path(path, Rules::Directional, length, metric);
        make(&asked(whole.path()));
        let lock = TablesLock::hold(pieces.path()).unwrap();
        generate(&asked(pieces.path()), &lock, &mut stop_soon()).unwrap_err();
        drop(lock);
        make(&asked(pieces.path()));
        assert!(fs::read(path(whole.path())).unwrap() == fs::read(path(pieces.path())).unwrap());
        for directory in [&whole, &pieces] {
            fs::remove_file(path(directory.path())).unwrap();
        }
    }
}
