//! `find` against plain enumeration: counts, order, random picks, patterns, both sides, draws; and the command.

use crate::table::support::{Planes, positions, strip, table};
use num_bigint::BigUint;
use phutbase::diagram::members::{Pattern, PatternError};
use phutbase::games::strip::Strip;
use phutbase::outcome::{Side, Verdict, Wdl};
use phutbase::table::Metric;
use phutbase::table::diagram::{DiagramTable, convert};
use phutbase::table::error::TableError;
use phutbase::theory::find::{FindError, Query, Uniform, find};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::process::Command;

/// Every position with a side to move that a query asks for, found by looking at all of them.
fn enumerated(table: &DiagramTable, query: &Query) -> BTreeSet<String> {
    positions(table.header().length)
        .map(|strip| strip.with_side(query.side))
        .filter(|strip| {
            let Verdict { wdl, depth } = table.verdict(strip).unwrap();
            query.value.is_none_or(|value| value == wdl)
                && (query.depth.as_ref())
                    .is_none_or(|range| depth.is_some_and(|depth| range.contains(&depth.0)))
                && query.pattern.fits(strip)
        })
        .map(|strip| strip.to_string())
        .collect()
}

fn all(table: &DiagramTable, query: &Query) -> Vec<Strip> {
    let found = find(table, query).unwrap();
    let mut picker = found.members();
    let total = u64::try_from(picker.total()).unwrap();
    let listed = (0..total)
        .map(|k| picker.nth(&BigUint::from(k)).unwrap())
        .collect();
    assert_eq!(picker.nth(&BigUint::from(total)), None);
    listed
}

fn agrees(table: &DiagramTable, query: &Query) {
    let listed: Vec<String> = all(table, query).iter().map(ToString::to_string).collect();
    let distinct: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), distinct.len(), "{query:?}");
    assert_eq!(distinct, enumerated(table, query), "{query:?}");
}

#[test]
fn every_value_and_depth_for_either_side() {
    for length in [3, 4, 7, 8] {
        let dtw = convert::of_table(&table(length, Metric::Dtw)).unwrap();
        let wdl = convert::of_table(&table(length, Metric::Wdl)).unwrap();
        for side in [Side::Left, Side::Right] {
            for value in [None, Some(Wdl::Win), Some(Wdl::Loss), Some(Wdl::Draw)] {
                let query = |depth| Query {
                    value,
                    depth,
                    side,
                    pattern: Pattern::any(length),
                };
                agrees(&dtw, &query(None));
                agrees(&wdl, &query(None));
                if value == Some(Wdl::Draw) {
                    assert!(matches!(
                        find(&dtw, &query(Some(1..=2))),
                        Err(FindError::DrawDepth)
                    ));
                    continue;
                }
                for range in [0..=0, 1..=1, 2..=2, 2..=5, 3..=200, 0..=u16::MAX] {
                    agrees(&dtw, &query(Some(range)));
                }
                agrees(&dtw, &query(Some(RangeInclusive::new(5, 3))));
                let refused = find(&wdl, &query(Some(1..=2)));
                assert!(matches!(
                    refused,
                    Err(FindError::Table(TableError::NoDepths { .. }))
                ));
            }
        }
    }
}

#[test]
fn planted_draws_are_found() {
    let mut planes = Planes::of_reference(7);
    for board in [".@o.o..", ".@...o.", "o..@..o", ".o...@."] {
        planes.make_draw(&strip(board));
    }
    let table = planes.diagrams(Metric::Dtw);
    for side in [Side::Left, Side::Right] {
        for pattern in ["*", "?@*", "?????o?"] {
            let pattern = Pattern::parse(pattern, 7).unwrap();
            for value in [Some(Wdl::Draw), None] {
                let depth = None;
                agrees(
                    &table,
                    &Query {
                        value,
                        depth,
                        side,
                        pattern: pattern.clone(),
                    },
                );
            }
        }
    }
}

#[test]
fn members_come_in_the_order_of_the_notation() {
    let table = convert::of_table(&table(9, Metric::Dtw)).unwrap();
    let query = Query {
        value: Some(Wdl::Win),
        depth: None,
        side: Side::Left,
        pattern: Pattern::any(9),
    };
    let rank = |strip: &Strip| -> Vec<usize> {
        let symbols = strip.to_string();
        symbols
            .chars()
            .map(|symbol| ".o@".find(symbol).unwrap())
            .collect()
    };
    assert!(all(&table, &query).is_sorted_by_key(rank));
}

#[test]
fn random_picks_are_uniform_and_follow_the_seed() {
    let bound = BigUint::from(10u8);
    let draw = |seed| {
        let mut random = Uniform::new(seed);
        (0..10_000).map(|_| random.below(&bound)).collect::<Vec<_>>()
    };
    let mut counts = BTreeMap::new();
    for number in draw(1) {
        *counts.entry(number).or_insert(0) += 1;
    }
    // Expected 1,000 each with a standard deviation of 30; the seed is fixed.
    assert!(
        counts.len() == 10 && counts.values().all(|&count| (880..1120).contains(&count)),
        "{counts:?}"
    );
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
    assert_eq!(Uniform::new(3).below(&BigUint::from(1u8)), BigUint::ZERO);
}

#[test]
fn patterns_that_are_none_say_so() {
    assert_eq!(
        Pattern::parse("o@x", 3),
        Err(PatternError::Symbol {
            symbol: 'x',
            place: 2
        })
    );
    assert!(matches!(
        Pattern::parse("*o*", 5),
        Err(PatternError::Symbol {
            symbol: '*',
            place: 2
        })
    ));
    assert!(matches!(
        Pattern::parse("o@", 3),
        Err(PatternError::Length {
            found: 2,
            open: false,
            ..
        })
    ));
    assert!(matches!(
        Pattern::parse("o@..*", 3),
        Err(PatternError::Length {
            found: 4,
            open: true,
            ..
        })
    ));
    assert_eq!(Pattern::parse("o@*", 2).unwrap().length(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_pattern_any_range(
        text in "[.o?]{0,3}[@?]{0,1}\\*?[.o?@]{0,3}",
        from in 0u16..12,
        size in 0u16..8,
        right: bool,
        value in prop::option::of(prop::sample::select(vec![Wdl::Win, Wdl::Loss])),
    ) {
        let length = 8;
        if let Ok(pattern) = Pattern::parse(&text, length) {
            let table = convert::of_table(&table(length, Metric::Dtw)).unwrap();
            let side = if right { Side::Right } else { Side::Left };
            agrees(&table, &Query { value, depth: Some(from..=from + size), side, pattern });
        }
    }

    /// A set seen from the right has the mirror images of its members, and seen twice it is the set again.
    #[test]
    fn mirrored_sets_have_the_mirror_images(length in 3usize..=7, chosen in prop::collection::vec(any::<bool>(), 320)) {
        use phutbase::diagram::count::contains;
        use phutbase::diagram::graph::Graph;
        use phutbase::diagram::mirror::mirrored;
        let size = (length - 2) << (length - 1);
        let plane: Vec<u8> = (0..size).map(|place| u8::from(chosen[place % 320])).collect();
        let planes = Planes { length, depths: [plane, vec![0; size]] };
        let table = planes.diagrams(Metric::Wdl);
        let mut graph = Graph::new(length);
        let set = graph.copy(&table.nodes(), &[table.won_by_left(Side::Left)]).unwrap()[0];
        let image = mirrored(&mut graph, set).unwrap();
        for board in positions(length) {
            prop_assert_eq!(contains(&graph, set, &board), contains(&graph, image, &board.mirror()), "{}", board);
        }
        prop_assert_eq!(mirrored(&mut graph, image).unwrap(), set);
    }
}

#[test]
fn the_command_counts_lists_and_refuses() {
    let directory = tempfile::tempdir().unwrap();
    crate::table::support::generate_in(directory.path(), 9, Metric::Dtw);
    let find = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_phutbase"))
            .args(["find", "--tables"])
            .arg(directory.path())
            .args(arguments)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), text, error)
    };
    // The three longest games of 9 squares: tests/data/strip_depths.tsv has the counts of other lengths.
    let (code, text, _) = find(&["9", "--value", "win", "--depth", "15", "--json", "--limit", "2"]);
    assert_eq!(code, Some(0));
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let reference = phutbase::solve::reference::solve(&phutbase::games::strip::StripGame::new(9).unwrap());
    let expected = reference
        .iter()
        .filter(|value| value.to_string() == "win in 15")
        .count();
    assert_eq!(lines[0]["count"], expected);
    assert_eq!(lines.len(), 1 + expected.min(2));
    assert!(
        lines[1..]
            .iter()
            .all(|line| line["value"] == "win" && line["depth"] == 15)
    );
    let sample = ["9", "--side", "right", "--sample", "5", "--seed", "4"];
    let (code, text, _) = find(&sample);
    assert_eq!((code, text.lines().count()), (Some(0), 6));
    assert!(text.lines().take(5).all(|line| line.contains(" R ")), "{text}");
    assert_eq!(find(&sample).1, text);
    for (arguments, word) in [
        (&["2"][..], "3 to 128"),
        (&["9", "--depth", "x"], "plies"),
        (&["9", "--pattern", "o@"], "exactly 2 squares"),
        (&["9", "--value", "draw", "--depth", "3"], "no depth"),
        (&["9", "--depth", "9..3"], "ends before it begins"),
        (&["9", "--value", "win", "--depth", "4"], "odd number of plies"),
    ] {
        let (code, _, error) = find(arguments);
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains(word), "{error}");
    }
    let (code, _, error) = find(&["127"]);
    assert_eq!(code, Some(1));
    assert!(error.contains("phutbase generate 127"), "{error}");
}
