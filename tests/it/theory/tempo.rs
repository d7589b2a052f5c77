//! Whether having the move hurts, held against the reference solver and against planted sets.

use crate::common::cli::run;
use phutbase::game::Game;
use phutbase::games::strip::StripGame;
use phutbase::outcome::{Side, Wdl};
use phutbase::solve::reference;
use phutbase::table::Metric;
use phutbase::table::any::Table;
use phutbase::table::table_path;
use phutbase::theory::tempo::move_hurts;
use std::path::Path;

#[test]
fn it_holds_on_short_strips_as_the_reference_solver_says() {
    for length in 3..=12 {
        let game = StripGame::new(length).unwrap();
        let values = reference::solve(&game);
        let hurts = (0..game.positions()).any(|index| {
            let board = game.position(index);
            // With Right to move it is the mirror image with Left to move, and the other wins.
            let other = board.with_side(Side::Right).normalised();
            values[index as usize].wdl() == Wdl::Loss
                && values[game.index(&other) as usize].wdl() == Wdl::Loss
        });
        let file = table_path(Path::new("tables"), length, Metric::Wdl);
        let Table::Diagram(table) = Table::open(&file).unwrap() else {
            panic!("length {length} has blocks");
        };
        assert_eq!(move_hurts(&table).unwrap().is_some(), hurts, "length {length}");
        assert!(!hurts);
    }
}

#[test]
fn the_command_goes_to_the_longest_table() {
    let lines = run("theory tempo --json").ok().json_lines();
    let lengths: Vec<u64> = lines
        .iter()
        .map(|line| line["length"].as_u64().unwrap())
        .collect();
    for length in (3..=64).chain([72, 80, 88, 96]) {
        assert!(lengths.contains(&length), "{length}");
    }
    assert!(
        lines
            .iter()
            .all(|line| line["holds"] == true && line["example"].is_null())
    );
    assert_eq!(run("theory tempo 127").code, Some(1));
    assert_eq!(run("theory tempo 7x3").code, Some(2));
}
