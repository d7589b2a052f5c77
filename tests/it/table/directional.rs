//! Files of the directional game: never read as those of the ordinary one, nor the other way round, and checked by their own rules.

use crate::common::container::resealed;
use crate::common::{RULES, reference_value};
use crate::games::pitch_support::shape;
use crate::table::support::{
    METRICS, contained, generate_pitch_in, generate_under, names, open, request as plain,
};
use phutbase::games::pitch::{Pitch, Shape};
use phutbase::games::rules::Rules;
use phutbase::games::strip::Strip;
use phutbase::generate::pitch::{PitchRequest, generate_pitch};
use phutbase::generate::{Event, GenerateError, Request, TablesLock, generate};
use phutbase::solve::pitch::Setup;
use phutbase::solve::ranks::Team;
use phutbase::table::Metric;
use phutbase::table::container::cache::FrameCache;
use phutbase::table::error::TableError;
use phutbase::table::id::TableId;
use phutbase::table::pitch::PitchTable;
use phutbase::table::places::Places;
use phutbase::table::tablebase::Tablebase;
use phutbase::verify;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

fn request(rules: Rules, metric: Metric, length: usize, directory: &Path) -> Request {
    Request {
        checkpoint_every: Duration::ZERO,
        ..plain(rules, metric, length, directory)
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

fn tablebase(rules: Rules, directory: &Path) -> Tablebase {
    Tablebase::search_with(rules, Places::only(directory), |_| {}).unwrap()
}

fn other(rules: Rules) -> Rules {
    RULES[1 - rules as usize]
}

/// Asserts that an error states which rules a file has and which were expected.
fn names_both(error: &TableError, found: Rules, file: &str) {
    names(error, file);
    let words = format!("the set of rules is {found}, expected {}", other(found));
    assert!(error.to_string().contains(&words), "{error}");
}

#[test]
fn a_table_under_the_name_of_the_other_game_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    for rules in RULES {
        for metric in METRICS {
            let file = generate_under(rules, path, 7, metric);
            let good = tablebase(rules, path);
            assert_eq!(good.strip_table(metric, 7).unwrap().rules(), rules);
            assert_eq!(fs::read(&file).unwrap()[11], rules as u8);
            let renamed = TableId::Strip(other(rules), metric, 7).to_string();
            fs::rename(&file, path.join(&renamed)).unwrap();
            let error = tablebase(other(rules), path).strip_table(metric, 7).unwrap_err();
            names_both(&error, rules, &renamed);
            let missing = tablebase(rules, path).strip_table(metric, 7).unwrap_err();
            assert!(matches!(missing, TableError::Missing { .. }), "{missing}");
            fs::remove_file(path.join(renamed)).unwrap();
        }
        let file = generate_pitch_in(rules, path, "4x3");
        assert_eq!(tablebase(rules, path).pitch(shape("4x3")).unwrap().rules(), rules);
        let renamed = TableId::Pitch(other(rules), shape("4x3")).to_string();
        fs::rename(file, path.join(&renamed)).unwrap();
        let error = tablebase(other(rules), path).pitch(shape("4x3")).err().unwrap();
        names_both(&error, rules, &renamed);
        fs::remove_file(path.join(renamed)).unwrap();
    }
}

#[test]
fn a_head_with_other_rules_is_no_table() {
    let directory = tempfile::tempdir().unwrap();
    let nimbers = fs::read("tables/obstruction.phut").unwrap();
    let strip = fs::read(generate_under(Rules::Ordinary, directory.path(), 5, Metric::Dtw)).unwrap();
    for (bytes, rules) in [(&nimbers, 1), (&nimbers, 2), (&strip, 2), (&strip, 255)] {
        let bytes = resealed(bytes, |parts| parts.kind |= rules << 8);
        let error = contained(bytes, "t.phut").err().unwrap();
        assert!(error.to_string().contains("unknown rules"), "{error}");
    }
}

#[test]
fn a_table_is_asked_under_its_own_rules_only() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let strip: Strip = "o@o.o.o.".parse().unwrap();
    let pitch: Pitch = "3/@2/1o1/3 B".parse().unwrap();
    let foreign = |error: TableError| matches!(error, TableError::Foreign { .. });
    for rules in RULES {
        generate_pitch_in(rules, path, "4x3");
        let tables = METRICS.map(|metric| generate_under(rules, path, 10, metric));
        for table in tables.map(|file| open(fs::read(file).unwrap(), "t.phut").unwrap()) {
            assert!(table.verdict(&strip.under(rules)).is_ok());
            assert!(table.verdicts(&[strip.under(rules)]).is_ok());
            assert!(foreign(table.verdict(&strip.under(other(rules))).unwrap_err()));
            assert!(foreign(table.verdicts(&[strip.under(other(rules))]).unwrap_err()));
        }
        let tables = tablebase(rules, path);
        let strip = strip.under(rules);
        assert_eq!(tables.value(&strip).unwrap(), reference_value(&strip));
        assert!(foreign(tables.value(&strip.under(other(rules))).unwrap_err()));
        let table = tables.pitch(pitch.shape()).unwrap();
        assert!(table.value(&pitch.under(rules)).is_ok());
        assert!(foreign(table.value(&pitch.under(other(rules))).unwrap_err()));
        assert_eq!(table.position(0).unwrap().rules(), rules);
    }
}

#[test]
fn verify_follows_the_rules_of_the_head() {
    let directory = tempfile::tempdir().unwrap();
    // At 20 squares depths differ, at 22 winners do: on three boards each.
    for (metric, length) in [(Metric::Dtw, 20), (Metric::Wdl, 22)] {
        let check = |bytes: Vec<u8>| {
            let table = open(bytes, "t.phut").unwrap();
            verify::strip::check(&table, &AtomicU64::new(0)).unwrap()
        };
        for rules in RULES {
            let bytes = fs::read(generate_under(rules, directory.path(), length, metric)).unwrap();
            assert_eq!(check(bytes.clone()), None, "{metric}, {rules}");
            let wrong = check(resealed(&bytes, |parts| parts.kind ^= 0x100));
            assert!(wrong.is_some(), "{metric}: {rules} values under the other rules");
        }
    }
    for rules in RULES {
        let bytes = fs::read(generate_pitch_in(rules, directory.path(), "3x3")).unwrap();
        let check = |bytes: Vec<u8>| {
            let table = PitchTable::new(contained(bytes, "t.phut").unwrap(), &FrameCache::new(0)).unwrap();
            let room = verify::pitch::Room::new(verify::pitch::ample_memory(&table));
            verify::pitch::check(&table, &room, &AtomicU64::new(0), &Team::alone()).unwrap()
        };
        assert_eq!(check(bytes.clone()), None);
        let wrong = check(resealed(&bytes, |parts| parts.kind ^= 0x100));
        assert!(wrong.is_some(), "{rules}");
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

#[test]
fn a_checkpoint_is_never_resumed_under_other_rules() {
    for rules in RULES {
        // Long enough not to be done before anybody is asked whether to go on.
        for (metric, length) in [(Metric::Dtw, 16), (Metric::Wdl, 36)] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path();
            let lock = TablesLock::hold(path).unwrap();
            let asked = request(rules, metric, length, path);
            let stopped = generate(&asked, &lock, &mut stop_soon()).unwrap_err();
            let saved = matches!(stopped, GenerateError::Interrupted { saved: true, .. });
            assert!(saved, "{stopped}");
            let wrong = request(other(rules), metric, length, path);
            fs::copy(asked.checkpoint(), wrong.checkpoint()).unwrap();
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
            assert!(went.is_ok() && resumed, "{metric}");
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
