//! Whether having the move hurts, held against the reference solver and where the chain property breaks.

use crate::common::cli::{run, run_with};
use phutbase::diagram::graph::{Graph, Ref, TooLarge};
use phutbase::game::Game;
use phutbase::games::rules::Rules;
use phutbase::games::strip::StripGame;
use phutbase::outcome::{Side, Wdl};
use phutbase::solve::reference;
use phutbase::table::Metric;
use phutbase::table::any::Table;
use phutbase::table::table_path;
use phutbase::theory::chain::{Inclusion, break_in_chain};
use phutbase::theory::tempo::move_hurts;
use std::path::Path;
use std::sync::atomic::AtomicU64;

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
        let file = table_path(Path::new("tables"), Rules::Ordinary, length, Metric::Wdl);
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
    for length in (3..=64).chain([72, 80, 88, 96, 112, 128]) {
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

/// Up to 64 squares the halves form chains; at 72 they do not, as the values of the four boards that are shown say.
#[test]
fn the_chain_breaks_where_the_values_of_four_boards_say_so() {
    let lines = run("theory chain 3..64 --json").ok().json_lines();
    assert_eq!(lines.len(), 62);
    assert!(lines.iter().all(|line| line["holds"] == true));
    let refuted = run("theory chain 72");
    assert_eq!(
        refuted.stdout,
        run("theory chain 72").stdout,
        "it is not the same every time"
    );
    refuted.failure(1);
    let boards: Vec<&str> = refuted.stdout.split('\'').skip(1).step_by(2).collect();
    let winners: Vec<String> = (boards.iter())
        .map(|board| {
            run_with("probe --json", board).json()["winner"]
                .as_str()
                .unwrap()
                .to_string()
        })
        .collect();
    assert_eq!(winners, ["left", "left", "right", "right"], "{boards:?}");
    // Two left halves and two right halves.
    let halves: Vec<(&str, &str)> = boards
        .iter()
        .map(|board| board.split_once('@').unwrap())
        .collect();
    assert_eq!((halves[0].0, halves[1].0), (halves[2].0, halves[3].0));
    assert_eq!((halves[0].1, halves[1].1), (halves[3].1, halves[2].1));
}

#[test]
fn two_sets_that_cross_are_no_chain() {
    let mut graph = Graph::new(5);
    let set = |graph: &mut Graph, level, empty, stone| graph.binary(level, empty, stone).unwrap();
    let first = set(&mut graph, 3, Ref::TOP, Ref::BOTTOM);
    let other = set(&mut graph, 3, Ref::BOTTOM, Ref::TOP);
    let less = set(&mut graph, 4, Ref::TOP, Ref::BOTTOM);
    let part = set(&mut graph, 3, less, Ref::BOTTOM);
    let room = AtomicU64::new(1000);
    let broken = |sets: &[Ref]| {
        let sets: Vec<(u128, Ref)> = (0..).zip(sets.iter().copied()).collect();
        break_in_chain(&graph, &room, 2, &sets).unwrap().is_some()
    };
    assert!(!broken(&[Ref::TOP, part, first, Ref::BOTTOM]));
    assert!(broken(&[first, other]));
    assert!(broken(&[other, part]));
    let mut inclusion = Inclusion::new(&graph, &room);
    assert_eq!(inclusion.beyond(first, part), Ok(Some(1 << 4)));
    assert_eq!(inclusion.beyond(other, first), Ok(Some(1 << 3)));
    assert_eq!(inclusion.beyond(part, first), Ok(None));
    let none = AtomicU64::new(0);
    assert_eq!(Inclusion::new(&graph, &none).beyond(first, part), Err(TooLarge));
}
