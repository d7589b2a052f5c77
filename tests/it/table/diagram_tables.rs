//! Diagram tables: the same bytes from both engines, the reference solver's values, certificates, damage.

use crate::common::container::{Parts, resealed};
use crate::table::support::{
    Planes, both_sides, contained, diagram_request, generated, make, open_diagrams, positions, strip, table,
};
use phutbase::games::rules::Rules;
use phutbase::generate::{Engine, Outcome, Request};
use phutbase::solve::reference;
use phutbase::table::any::Table;
use phutbase::table::diagram::DiagramTable;
use phutbase::table::directory::Tablebase;
use phutbase::table::error::TableError;
use phutbase::table::{Layout, Metric, table_path};
use phutbase::verify::{self, Fault};
use proptest::prelude::*;
use std::sync::atomic::AtomicU64;

/// The bytes of a diagram table.
fn bytes(length: usize, metric: Metric, engine: Engine) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    make(&diagram_request(length, metric, engine, directory.path()));
    std::fs::read(table_path(directory.path(), Rules::Ordinary, length, metric)).unwrap()
}

/// A `wdl` table with its levels.
fn levels(length: usize) -> Vec<u8> {
    bytes(length, Metric::Wdl, Engine::Symbolic)
}

fn open(bytes: Vec<u8>) -> Result<DiagramTable, TableError> {
    open_diagrams(bytes, "strip-99-damaged.phut")
}

fn check(table: &Table) -> Option<Fault> {
    verify::check(table, &AtomicU64::new(0)).unwrap()
}

#[test]
fn both_engines_write_the_same_bytes() {
    for length in 3..=24 {
        let [dense, symbolic] =
            [Engine::Dense, Engine::Symbolic].map(|engine| bytes(length, Metric::Dtw, engine));
        assert!(dense == symbolic, "length {length}");
        // Of who wins the dense engine has no levels; the last level must hold what it finds.
        let [depths, winners] = [dense, levels(length)].map(|bytes| open(bytes).unwrap().into());
        assert_eq!(
            verify::compare(&depths, &winners).unwrap(),
            None,
            "length {length}"
        );
    }
}

#[test]
fn every_value_is_the_reference_solvers() {
    for length in 3..=12 {
        let expected = reference::solve(&phutbase::games::strip::StripGame::new(length).unwrap());
        let dtw = open(bytes(length, Metric::Dtw, Engine::Symbolic)).unwrap();
        let wdl = open(levels(length)).unwrap();
        for (strip, value) in positions(length).zip(expected) {
            for side in [strip, strip.mirror()] {
                assert_eq!(dtw.verdict(&side).unwrap(), value.into(), "{side}");
                assert_eq!(wdl.verdict(&side).unwrap(), value.wdl().into(), "{side}");
            }
        }
    }
}

#[test]
fn headers_and_statistics_are_those_of_the_dense_tables() {
    for length in [3, 4, 9, 16] {
        let dense = table(length, Metric::Dtw);
        let diagram = open(bytes(length, Metric::Dtw, Engine::Symbolic)).unwrap();
        let (a, b) = (dense.header(), diagram.header());
        assert_eq!((&a.wins, &a.losses, &a.draws), (&b.wins, &b.losses, &b.draws));
        assert_eq!((a.longest_win, a.longest_loss), (b.longest_win, b.longest_loss));
        assert_eq!(dense.description().depths, diagram.description().depths);
        let example = diagram.description().longest_win.parse().unwrap();
        assert_eq!(dense.verdict(&example).unwrap().depth.unwrap().0, a.longest_win);
    }
}

#[test]
fn good_tables_pass_the_check() {
    for length in 3..=16 {
        for bytes in [bytes(length, Metric::Dtw, Engine::Symbolic), levels(length)] {
            let table = open(bytes).unwrap().into();
            assert_eq!(check(&table), None, "length {length}");
        }
    }
}

/// One value changed at a time, anywhere: something must not follow any more.
#[test]
fn planted_faults_are_found() {
    let good = Planes::of_reference(8);
    let (mut planted, mut new_wins) = (0, 0);
    for position in both_sides(8).step_by(7) {
        for change in [-2i16, -1, 1, 2, 255] {
            let mut planes = good.clone();
            let byte = planes.left_wins(&position);
            let changed = match change {
                255 if *byte == 0 => 1 + position.side() as u8, // a win where there is none
                255 => 0,
                _ if *byte == 0 => continue,
                _ => (i16::from(*byte) + change) as u8,
            };
            // Only depths of the player's parity can be told apart in this layout.
            if changed != 0 && changed % 2 != 1 - position.side() as u8 % 2 {
                continue;
            }
            let new_win = *byte == 0;
            *byte = changed;
            if new_win {
                *planes.left_wins(&position.mirror()) = 0; // the other player does not win it as well
            }
            planted += 1;
            new_wins += usize::from(new_win);
            let table = planes.diagrams(Metric::Dtw).into();
            assert!(check(&table).is_some(), "'{position}' made {changed}");
            if change == 255 {
                let table = planes.diagrams(Metric::Wdl).into();
                assert!(check(&table).is_some(), "'{position}' made {changed}, wdl");
            }
        }
    }
    assert!(planted > 200 && new_wins > 50, "{planted}, {new_wins}");
}

/// What is not proved by levels might be play without an end: sets that follow from themselves are not enough.
#[test]
fn a_proof_needs_its_levels() {
    use phutbase::table::diagram::write::{Source, write};
    // The shortest strip on which a backward turn is needed.
    let good = open(levels(22)).unwrap();
    assert_eq!(good.levels(), 2);
    let faults = |roots: &[u32]| {
        let source = Source {
            rules: Rules::Ordinary,
            diagram: &good.nodes(),
            roots,
            metric: Metric::Wdl,
        };
        let directory = tempfile::tempdir().unwrap();
        let path = write(&source, directory.path()).unwrap();
        check(&Table::open(&path).unwrap())
    };
    let roots = good.roots();
    assert_eq!(faults(roots), None);
    let not_forward = |fault: Option<Fault>, turns: usize| {
        let claim = format!("at most {turns} turns");
        assert!(matches!(fault, Some(Fault::Sets { claim: found, .. }) if found.contains(&claim)));
    };
    // The last level alone: some of its boards are not won by forward turns.
    not_forward(faults(&roots[2..]), 0);
    // In the place of level 0.
    not_forward(faults(&[&roots[2..], &roots[2..]].concat()), 0);
    // The levels the wrong way round.
    not_forward(faults(&[&roots[2..], &roots[..2]].concat()), 0);
    // Level 0 twice: true, but there is more on level 1.
    not_forward(faults(&[&roots[..2], &roots[..2]].concat()), 1);
    // The two sets of a level exchanged.
    not_forward(faults(&[roots[1], roots[0], roots[2], roots[3]]), 0);
    // Level 0 alone is true, but the boards that it leaves out are not drawn.
    let left_out = faults(&roots[..2]);
    assert!(matches!(left_out, Some(Fault::Sets { claim, .. }) if claim.contains("what the table says")));
    // One set too few.
    assert!(matches!(
        faults(&[roots[0], roots[1], roots[2], 0]),
        Some(Fault::Sets { .. })
    ));
}

#[test]
fn a_table_of_the_other_layout_is_opened_as_what_it_is() {
    let dense = generated(8, Metric::Dtw);
    assert!(matches!(open(dense.clone()), Err(TableError::Foreign { .. })));
    let any = |bytes: Vec<u8>| Table::new(contained(bytes, "any.phut").unwrap(), 0).unwrap();
    assert_eq!(any(dense).layout(), Layout::Dense);
    assert_eq!(
        any(bytes(8, Metric::Dtw, Engine::Dense)).layout(),
        Layout::Diagram
    );
}

#[test]
fn an_explicit_layout_replaces_the_other_one() {
    let directory = tempfile::tempdir().unwrap();
    let plain = Request {
        tables: directory.path().to_path_buf(),
        ..Request::new(9, Metric::Wdl)
    };
    assert_eq!(make(&plain), Outcome::Written);
    let diagram = diagram_request(9, Metric::Wdl, Engine::Symbolic, directory.path());
    assert_eq!(make(&diagram), Outcome::Rewritten);
    assert_eq!(make(&diagram), Outcome::Present);
    assert_eq!(make(&plain), Outcome::Present, "either layout will do");
    let tables = Tablebase::open(directory.path()).unwrap();
    assert!(verify::is_proof(tables.best(9).unwrap()));
}

/// Changes the numbers of the roots or of the nodes.
fn edit(parts: &mut Parts, name: &str, edit: impl FnOnce(&mut Vec<u8>)) {
    match name {
        "nodes" => parts.edit_packed(name, edit),
        _ => edit(parts.section(name)),
    }
}

/// Every number of a small table changed to every other one, behind right checksums: each rule of the format refuses some of
/// them, and what is left is still a diagram.
#[test]
fn every_rule_about_nodes_is_held() {
    let good = levels(6);
    let mut refused = std::collections::BTreeSet::new();
    for name in ["roots", "nodes"] {
        let mut size = 0;
        edit(&mut Parts::of(&good), name, |bytes| size = bytes.len());
        for (place, value) in (0..size).flat_map(|place| (0..=255).map(move |value| (place, value))) {
            let crafted = resealed(&good, |parts| edit(parts, name, |bytes| bytes[place] = value));
            match open(crafted) {
                Err(TableError::Corrupt { field, .. }) => {
                    refused.insert(field);
                }
                Err(error) => panic!("{error}"),
                Ok(table) => {
                    for position in positions(6).step_by(7) {
                        table.verdict(&position).unwrap();
                    }
                }
            }
        }
    }
    let rules = [
        "a binary node is below no root",
        "a binary node stands on no square or decides nothing",
        "a node leads to no binary node to its right",
        "a root is no ternary node",
        "a ternary node stands on no square or on two",
    ];
    assert_eq!(refused, rules.map(String::from).into());
}

/// The upper parts of the counts, which only lengths past 121 need: here a wdl table of 128 squares whose only set is everything.
#[test]
fn the_longest_strip_is_stored_and_read() {
    use phutbase::diagram::graph::{Graph, Ref};
    use phutbase::table::diagram::write::{Source, write};
    let mut graph = Graph::new(128);
    let mut everything = Ref::BOTTOM;
    for square in (0..=126).rev() {
        let ball = if square == 0 { Ref::BOTTOM } else { Ref::TOP };
        everything = graph.ternary(square, everything, everything, ball).unwrap();
    }
    let source = Source {
        rules: Rules::Ordinary,
        diagram: &graph,
        roots: &[everything, Ref::BOTTOM],
        metric: Metric::Wdl,
    };
    let directory = tempfile::tempdir().unwrap();
    let table = Table::open(&write(&source, directory.path()).unwrap()).unwrap();
    assert_eq!(table.header().wins, num_bigint::BigUint::from(126u8) << 127);
    let board = format!("{}@{}", "o".repeat(126), "o");
    assert_eq!(
        table.verdict(&strip(&board)).unwrap().wdl,
        phutbase::outcome::Wdl::Win
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Bytes behind right checksums that are no diagrams: an error, or answers; never a panic, never for ever.
    #[test]
    fn crafted_nodes_never_panic(edits in prop::collection::vec((any::<u16>(), any::<u8>()), 1..6), roots: bool) {
        let good = levels(8);
        let name = if roots { "roots" } else { "nodes" };
        let crafted = resealed(&good, |parts| edit(parts, name, |bytes| {
            for &(place, value) in &edits {
                let place = usize::from(place) % bytes.len();
                bytes[place] = value;
            }
        }));
        if let Ok(table) = open(crafted) {
            for position in positions(8).step_by(13) {
                let _ = table.verdict(&position);
                let _ = table.verdict(&position.mirror());
            }
            let _ = verify::check(&table.into(), &AtomicU64::new(0));
        }
    }

    /// A board's depth is found by bisection, whatever the values: any function to depth bytes survives the round trip.
    #[test]
    fn any_values_survive(length in 3usize..=7, noise in prop::collection::vec(0u8..20, 640)) {
        let mut planes = Planes { length, depths: [Vec::new(), Vec::new()] };
        for (side, plane) in planes.depths.iter_mut().enumerate() {
            *plane = (0..(length - 2) << (length - 1))
                .map(|place| match noise[(place * 7 + side * 13) % noise.len()] {
                    0 => 0,
                    depth => 2 * depth - 1 + side as u8,
                })
                .collect();
        }
        // Nobody can win and lose at once.
        for position in both_sides(length) {
            if *planes.left_wins(&position) != 0 {
                *planes.left_wins(&position.mirror()) = 0;
            }
        }
        let [dense, diagrams] = planes.both_layouts(Metric::Dtw);
        for position in both_sides(length) {
            prop_assert_eq!(dense.verdict(&position).unwrap(), diagrams.verdict(&position).unwrap(), "{}", position);
        }
    }
}
