//! One table for every length: what a table of N squares says of each strip of at most N squares, held against the reference solver,
//! position by position; and the shipped tables against it and each other.

use crate::common::levels::{levels, needed};
use crate::common::{RULES, reference_value, reference_values};
use crate::table::support::{METRICS, generated_under, open, positions_under, shipped};
use num_bigint::BigUint;
use phutbase::diagram::count::contains;
use phutbase::diagram::pattern::Pattern;
use phutbase::games::rules::Rules;
use phutbase::games::strip::{After, Strip};
use phutbase::outcome::{Side, Value, Verdict, Wdl};
use phutbase::table::strip::StripTable;
use phutbase::table::strip::metadata::all_positions;
use phutbase::table::{Metric, Summary};
use phutbase::theory::find::{Query, find};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The longest strips of the generated tables.
const LONGEST: usize = 12;

/// A table for each metric and set of rules.
fn tables() -> Vec<StripTable> {
    let kinds = RULES.map(|rules| METRICS.map(|metric| generated_under(rules, LONGEST, metric)));
    let open = |bytes| open(bytes, "good.phut").unwrap();
    kinds.into_iter().flatten().map(open).collect()
}

/// Every position of a length under the rules of a table, with either player to move.
fn every_position(table: &StripTable, length: usize) -> impl Iterator<Item = Strip> + use<> {
    let boards = positions_under(table.rules(), length);
    boards.flat_map(|strip| [Side::Left, Side::Right].map(|side| strip.with_side(side)))
}

/// The value of a position as a table with this metric states it.
fn verdict(metric: Metric, value: Value) -> Verdict {
    match metric {
        Metric::Dtw => value.into(),
        Metric::Wdl => value.wdl().into(),
    }
}

#[test]
fn every_position_of_every_length_has_the_reference_solvers_value() {
    for table in tables() {
        assert_eq!(table.lengths(), 3..=LONGEST);
        for length in table.lengths() {
            let strips: Vec<Strip> = every_position(&table, length).collect();
            let expected: Vec<Verdict> = (strips.iter())
                .map(|strip| verdict(table.metric(), reference_value(strip)))
                .collect();
            assert_eq!(table.verdicts(&strips).unwrap(), expected, "length {length}");
            for (strip, expected) in strips.iter().zip(expected) {
                assert_eq!(table.verdict(strip).unwrap(), expected, "'{strip}'");
            }
        }
    }
}

/// How many positions with Left to move have each value.
fn histogram(rules: Rules, length: usize) -> BTreeMap<Value, u64> {
    crate::common::histogram(reference_values(length, rules))
}

#[test]
fn counts_and_histograms_of_every_length_are_the_reference_solvers() {
    for table in tables() {
        for length in table.lengths() {
            let histogram = histogram(table.rules(), length);
            let sets = table.sets(length).unwrap();
            let count = |wdl| -> BigUint {
                let of_value = histogram.iter().filter(|(value, _)| value.wdl() == wdl);
                of_value.map(|(_, &count)| BigUint::from(count)).sum()
            };
            let has_depths = table.metric() == Metric::Dtw;
            let longest = |wdl| {
                let plies = histogram.keys().filter(|value| has_depths && value.wdl() == wdl);
                plies
                    .filter_map(|value| value.depth())
                    .max()
                    .map_or(0, |depth| depth.0)
            };
            let expected = Summary {
                wins: count(Wdl::Win),
                losses: count(Wdl::Loss),
                draws: count(Wdl::Draw),
                longest_win: longest(Wdl::Win),
                longest_loss: longest(Wdl::Loss),
            };
            assert_eq!(table.summary(length).unwrap(), expected, "length {length}");
            assert_eq!(sets.summary(), &expected);
            assert_eq!(expected.positions(), all_positions(length));
            let depths = histogram.iter().filter(|_| has_depths);
            let depths: BTreeMap<u16, BigUint> = depths
                .filter_map(|(value, &count)| Some((value.depth()?.0, count.into())))
                .collect();
            assert_eq!(sets.depths().unwrap(), depths, "length {length}");
            let longest = sets.longest_win().unwrap();
            assert_eq!(longest.is_some(), has_depths);
            if let Some(strip) = longest {
                let value = reference_value(&strip.under(table.rules()));
                assert_eq!(value.depth().unwrap().0, expected.longest_win);
            }
        }
    }
}

#[test]
fn the_sets_of_every_length_have_the_boards_that_the_reference_solver_says() {
    for table in tables() {
        for length in table.lengths() {
            let sets = table.sets(length).unwrap();
            let (graph, reduced) = sets.reduced().unwrap();
            assert_eq!(reduced.len(), sets.roots().len());
            let most = if table.has_depths() {
                sets.roots().len() + 2
            } else {
                0
            };
            for board in every_position(&table, length) {
                let left_wins = match (reference_value(&board), board.side()) {
                    (Value::Win(depth), Side::Left) | (Value::Loss(depth), Side::Right) => Some(depth.0),
                    _ => None,
                };
                let root = sets.won_by_left(board.side());
                assert_eq!(contains(&sets, root, &board), left_wins.is_some(), "'{board}'");
                for plies in (0..=most).filter(|plies| plies % 2 == 1 - board.side() as usize) {
                    let within = left_wins.is_some_and(|depth| usize::from(depth) <= plies);
                    assert_eq!(
                        contains(&sets, sets.won_within(plies), &board),
                        within,
                        "'{board}'"
                    );
                    if let Some(&root) = plies.checked_sub(1).and_then(|place| reduced.get(place)) {
                        assert_eq!(contains(&graph, root, &board), within, "'{board}', reduced");
                    }
                }
            }
        }
    }
}

#[test]
fn positions_are_found_on_every_length() {
    for table in tables() {
        for length in table.lengths() {
            let sets = table.sets(length).unwrap();
            let histogram = histogram(table.rules(), length);
            let count = |value: Option<Wdl>, depth: Option<RangeInclusive<u16>>, side| {
                let pattern = Pattern::any(length);
                let query = Query {
                    value,
                    depth,
                    side,
                    pattern,
                };
                find(&sets, &query).unwrap().members().total().clone()
            };
            for side in [Side::Left, Side::Right] {
                for wdl in [Wdl::Win, Wdl::Loss, Wdl::Draw] {
                    let of_value = histogram.iter().filter(|(value, _)| value.wdl() == wdl);
                    let expected: u64 = of_value.map(|(_, &count)| count).sum();
                    assert_eq!(count(Some(wdl), None, side), expected.into(), "length {length}");
                }
                for (value, &expected) in histogram.iter().filter(|_| table.has_depths()) {
                    let depth = value.depth().unwrap().0;
                    assert_eq!(
                        count(Some(value.wdl()), Some(depth..=depth), side),
                        expected.into()
                    );
                }
            }
        }
    }
}

#[test]
fn levels_of_every_length_are_those_of_the_definition() {
    for table in tables() {
        for length in table.lengths() {
            let expected = levels(length, table.rules());
            let stored = table.sets(length).unwrap().levels();
            assert_eq!(stored, if table.has_depths() { 0 } else { expected.len() });
            for board in every_position(&table, length) {
                let expected = needed(&expected, &board).filter(|_| !table.has_depths());
                assert_eq!(table.level(&board, board.side()).unwrap(), expected, "'{board}'");
            }
        }
    }
}

/// A win takes as many turns as its value says, on a strip that is shorter than the table's too. Without depths a winning line ends.
#[test]
fn lines_of_every_length_end_at_home() {
    for table in tables() {
        for length in table.lengths() {
            for strip in every_position(&table, length).step_by(11) {
                let value = reference_value(&strip);
                let line = table
                    .best_line(&strip, table.verdict(&strip).unwrap(), usize::MAX)
                    .unwrap();
                if table.has_depths() {
                    assert_eq!(line.len(), usize::from(value.depth().unwrap().0), "'{strip}'");
                }
                let winner = value.wdl().winner(strip.side());
                let After::Over { winner: found, .. } = line.last().unwrap().after else {
                    panic!("'{strip}': the line does not end");
                };
                assert_eq!(Some(found), winner, "'{strip}'");
                // Each turn is rated by the value of what it leads to, the best first.
                let rated = table.rated_turns(&strip).unwrap();
                assert_eq!(rated.len(), strip.turns().len());
                let best = verdict(table.metric(), value);
                // The rules give a turn that ends the game its depth in any table.
                let ends_it = matches!(rated[0].after, After::Over { .. });
                let expected = if ends_it { value.into() } else { best };
                assert_eq!(rated[0].verdict, expected, "'{strip}'");
                assert!(rated.is_sorted_by(|a, b| a.verdict.preference() >= b.verdict.preference()));
            }
        }
    }
}

/// All positions of 3 to 13 squares, with either player to move.
#[test]
fn the_shipped_tables_agree_with_each_other_and_with_the_reference_solver() {
    let names = ["strip-36-dtw.phut", "strip-64-wdl.phut", "strip-128-wdl.phut"];
    let tables = names.map(shipped);
    for length in 3..=13 {
        let strips: Vec<Strip> = every_position(&tables[0], length).collect();
        let values: Vec<Value> = strips.iter().map(reference_value).collect();
        for table in &tables {
            let expected: Vec<Verdict> = (values.iter())
                .map(|&value| verdict(table.metric(), value))
                .collect();
            assert_eq!(
                table.verdicts(&strips).unwrap(),
                expected,
                "{table:?}, length {length}"
            );
        }
    }
    // Where they hold the same lengths they count the same wins.
    for pair in tables.windows(2) {
        for length in pair[0].lengths() {
            let [one, other] = [&pair[0], &pair[1]].map(|table| table.summary(length).unwrap());
            assert_eq!(
                (one.wins, one.losses, one.draws),
                (other.wins, other.losses, other.draws)
            );
        }
    }
}
