//! The table of nimbers: saving, reading, and concurrent writers.

use phutbase_fixtures::prelude::*;
use phutbase_tables::nimbers::NimberTable;

fn rectangle(rows: usize, columns: usize) -> Grid {
    Grid::new(Form::Rectangle, &[rows, columns]).unwrap()
}

fn table() -> NimberTable {
    let mut table = NimberTable::default();
    for (rows, columns, nimber) in [(1, 1, 1), (7, 1, 1), (3, 3, 1), (2, 9, 3)] {
        table.insert(rectangle(rows, columns), Nimber(nimber));
    }
    table
}

#[test]
fn shapes_are_told_apart_and_turned_upright() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("obstruction.phut");
    let mut table = table();
    let flat = |form, rows, columns| Grid::new(form, &[rows, columns]).unwrap();
    for (nimber, form) in (1..).zip(Form::ALL.into_iter().filter(|&form| form != Form::Box)) {
        table.insert(flat(form, 5, 4), Nimber(nimber));
    }
    table.insert(Grid::of_sides(Form::Box, [3, 2, 4]).unwrap(), Nimber(7));
    table.save(&file).unwrap();
    let again = NimberTable::read(&file).unwrap();
    assert_eq!(again, table);
    assert_eq!(again.rectangle(4, 5), Some(Nimber(1)));
    assert_eq!(again.get(flat(Form::Torus, 4, 5)), Some(Nimber(3)));
    assert_eq!(again.get(flat(Form::Cylinder, 4, 5)), None);
    assert_eq!(again.get(flat(Form::Moebius, 5, 4)), Some(Nimber(5)));
    assert_eq!(
        again.get(Grid::of_sides(Form::Box, [2, 3, 4]).unwrap()),
        Some(Nimber(7))
    );
    // A box of one layer is a rectangle.
    assert_eq!(
        again.get(Grid::of_sides(Form::Box, [9, 1, 2]).unwrap()),
        Some(Nimber(3))
    );
    assert_eq!(again.rectangles().count(), 5);
}

#[test]
fn saved_nimbers_are_read_and_merged() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("deep/er/obstruction.phut");
    assert_eq!(NimberTable::read(&file).unwrap(), NimberTable::default());
    table().save(&file).unwrap();
    let again = NimberTable::read(&file).unwrap();
    assert_eq!(again, table());
    assert_eq!(again.rectangle(9, 2), Some(Nimber(3)));
    assert_eq!(again.rectangle(2, 2), None);
    let mut more = NimberTable::default();
    more.insert(rectangle(2, 2), Nimber(1));
    more.save(&file).unwrap();
    assert_eq!(more.len(), table().len() + 1);
    assert_eq!(NimberTable::read(&file).unwrap(), more);
}

#[test]
fn many_writers_at_once_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("obstruction.phut");
    std::thread::scope(|scope| {
        for rows in 1..=8 {
            let file = &file;
            scope.spawn(move || {
                for columns in rows..=10 {
                    let mut one = NimberTable::default();
                    one.insert(rectangle(rows, columns), Nimber(1));
                    one.save(file).unwrap();
                }
            });
        }
    });
    let all: usize = (1..=8).map(|rows| 11 - rows).sum();
    assert_eq!(NimberTable::read(&file).unwrap().len(), all);
}
