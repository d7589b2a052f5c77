//! Files of directional pitches are never confused with those of the ordinary game, and are checked
//! by their own rules.

use phutbase_fixtures::prelude::*;
use phutbase_tables::id::TableId;
use phutbase_tables::places::SearchPath;
use std::fs;

fn pitch_request(rules: Rules, shape: Shape, directory: &Path) -> Request<Setup> {
    let setup = Setup {
        rules,
        ..Setup::in_memory(shape, true)
    };
    Request {
        checkpoint_every: Duration::ZERO,
        ..Request::new(setup, directory)
    }
}

fn tablebase(rules: Rules, directory: &Path) -> Tablebase {
    Tablebase::search_with(rules, SearchPath::only(directory), |_| {}).unwrap()
}

fn other(rules: Rules) -> Rules {
    let mut others = Rules::ALL.into_iter().filter(|&other| other != rules);
    others.next().unwrap()
}

/// Asserts that an error states the rules of the file and the expected ones.
fn names_both(error: &TableError, found: Rules, file: &str) {
    names(error, file);
    let words = format!("the set of rules is {found}, expected {}", other(found));
    assert!(error.to_string().contains(&words), "{error}");
}

#[test]
fn a_table_under_the_name_of_the_other_game_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    for rules in Rules::ALL {
        let file = generate_pitch_in(rules, path, "4x3");
        assert_eq!(
            tablebase(rules, path)
                .ask_pitch(shape("4x3"), Ok)
                .unwrap()
                .rules(),
            rules
        );
        assert_eq!(fs::read(&file).unwrap()[11], rules as u8);
        let renamed = TableId::Pitch(other(rules), shape("4x3")).to_string();
        fs::rename(file, path.join(&renamed)).unwrap();
        let error = tablebase(other(rules), path)
            .ask_pitch(shape("4x3"), Ok)
            .err()
            .unwrap();
        names_both(&error, rules, &renamed);
        let missing = tablebase(rules, path).ask_pitch(shape("4x3"), Ok).err().unwrap();
        assert!(matches!(missing, TableError::Missing { .. }), "{missing}");
        fs::remove_file(path.join(renamed)).unwrap();
    }
}

/// Tables of strips and of nimbers are of the ordinary game.
#[test]
fn a_head_with_other_rules_is_no_table() {
    let directory = tempfile::tempdir().unwrap();
    let nimbers = fs::read(repository("tables/obstruction.phut")).unwrap();
    let strip = fs::read(generate_in(directory.path(), 5, Metric::Dtw)).unwrap();
    for (bytes, rules) in [(&nimbers, 1), (&nimbers, 2), (&strip, 1), (&strip, 255)] {
        let bytes = resealed(bytes, |parts| parts.kind |= rules << 8);
        let error = contained(bytes, "t.phut").err().unwrap();
        assert!(error.to_string().contains("unknown rules"), "{error}");
    }
}

#[test]
fn a_table_answers_for_its_own_rules_only() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let strip: Strip = "o@o.o.o.".parse().unwrap();
    let pitch: Pitch = "3/@2/1o1/3 B".parse().unwrap();
    let foreign = |error: TableError| matches!(error, TableError::Missing { .. });
    for table in METRICS.map(|metric| table(10, metric)) {
        assert!(table.verdict(&strip).is_ok());
        let strip = strip.under(Rules::Directional);
        assert!(foreign(table.verdict(&strip).unwrap_err()));
    }
    for rules in Rules::ALL {
        generate_pitch_in(rules, path, "4x3");
        let tables = tablebase(rules, path);
        let table = tables.ask_pitch(pitch.shape(), Ok).unwrap();
        assert!(table.value(&pitch.under(rules)).is_ok());
        assert!(foreign(table.value(&pitch.under(other(rules))).unwrap_err()));
        assert_eq!(table.position(0).unwrap().rules(), rules);
    }
}

#[test]
fn verify_follows_the_rules_of_the_head() {
    let directory = tempfile::tempdir().unwrap();
    for rules in Rules::ALL {
        let bytes = fs::read(generate_pitch_in(rules, directory.path(), "3x3")).unwrap();
        let check = |bytes: Vec<u8>| {
            let table = PitchTable::new(contained(bytes, "t.phut").unwrap()).unwrap();
            let room = phutbase_verify::pitch::BlockBudget::new(phutbase_verify::pitch::ample_memory(&table));
            phutbase_verify::pitch::check(&table, &room, &Job::default()).unwrap()
        };
        assert_eq!(check(bytes.clone()), None);
        let wrong = check(resealed(&bytes, |parts| parts.kind ^= 0x100));
        assert!(wrong.is_some(), "{rules}");
    }
}

#[test]
fn a_checkpoint_is_never_resumed_under_other_rules() {
    for rules in Rules::ALL {
        let directory = tempfile::tempdir().unwrap();
        let lock = TablesLock::hold(directory.path()).unwrap();
        let asked = pitch_request(rules, shape("6x3"), directory.path());
        generate(&asked, Some(&lock), &Job::default().stopping_at_step(1)).unwrap_err();
        let wrong = pitch_request(other(rules), shape("6x3"), directory.path());
        fs::copy(asked.checkpoint(), wrong.checkpoint()).unwrap();
        let error = generate(&wrong, Some(&lock), &Job::default()).unwrap_err();
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
