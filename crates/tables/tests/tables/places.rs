//! Tables that cannot be used, in places that the user named and in others.

use phutbase_fixtures::prelude::*;
use phutbase_tables::nimbers::NimberTable;
use phutbase_tables::places::{Role, SearchPath};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns the tables of a directory that was found for this reason, and the number of reports of
/// unusable tables.
fn found(role: Role, directory: &Path) -> (Tablebase, Arc<AtomicUsize>) {
    let mut places = SearchPath::default();
    places.add(role, directory.to_path_buf());
    let reports = Arc::new(AtomicUsize::new(0));
    let count = reports.clone();
    let tables = Tablebase::search_with(Rules::Ordinary, places, move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    (tables.unwrap(), reports)
}

#[test]
fn an_unusable_table_that_nobody_named_is_reported_once() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("strip-9-dtw.phut"), "no table").unwrap();
    let (tables, reports) = found(Role::User, directory.path());
    for _ in 0..3 {
        assert!(tables.verdict(&strip(".@.o..o..")).is_err());
        assert_eq!(reports.load(Ordering::Relaxed), 1);
    }
}

/// A file that is not there for a while, and one that is replaced.
#[test]
fn a_file_is_read_again_unless_it_was_found_damaged_in_a_place_that_nobody_named() {
    let board = strip(".@.o..o..");
    for (role, is_damaged_used_again) in [(Role::Named, true), (Role::Variable, true), (Role::User, false)] {
        let directory = tempfile::tempdir().unwrap();
        let path = generate_in(directory.path(), 9, Metric::Dtw);
        let good = std::fs::read(&path).unwrap();
        let (tables, _) = found(role, directory.path());
        std::fs::remove_file(&path).unwrap();
        assert!(tables.verdict(&board).is_err(), "{role:?}");
        std::fs::write(&path, &good).unwrap();
        assert!(tables.verdict(&board).is_ok(), "{role:?}: it is back");
        let (tables, _) = found(role, directory.path());
        std::fs::write(&path, &good[1..]).unwrap();
        assert!(tables.verdict(&board).is_err(), "{role:?}");
        std::fs::write(&path, &good).unwrap();
        assert_eq!(tables.verdict(&board).is_ok(), is_damaged_used_again, "{role:?}");
    }
}

#[test]
fn nimbers_of_the_first_place_win() {
    let board = Grid::new(Form::Rectangle, &[2, 9]).unwrap();
    let directories = [3, 5].map(|nimber| {
        let directory = tempfile::tempdir().unwrap();
        let mut table = NimberTable::default();
        table.insert(board, Nimber(nimber));
        table.save(&directory.path().join("obstruction.phut")).unwrap();
        directory
    });
    let [first, second] = directories
        .each_ref()
        .map(|directory| directory.path().to_path_buf());
    for (order, nimber) in [([first.clone(), second.clone()], 3), ([second, first], 5)] {
        let tables = Tablebase::search(SearchPath::of(&order)).unwrap();
        assert_eq!(tables.nimbers().unwrap().get(board), Some(Nimber(nimber)));
    }
}
