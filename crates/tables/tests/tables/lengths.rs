//! One table for every length: its values for strips of at most N squares, compared with the
//! reference solver position by position; and the shipped tables, compared with it and with each
//! other.

use phutbase_ask::queries::find::{Query, find};
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::histogram;
use phutbase_tables::Summary;

/// Visits every length of tables of 12 squares, one for each metric.
fn each_length(visit: impl Fn(&StripTable, usize)) {
    for metric in METRICS {
        let table = open(generated(12, metric), "good.phut").unwrap();
        assert_eq!(table.lengths(), 3..=12);
        table.lengths().for_each(|length| visit(&table, length));
    }
}

/// Returns the reference solver's value of a position in the form of a table's answer.
fn verdict(table: &StripTable, strip: &Strip) -> Verdict {
    match table.metric() {
        Metric::Dtw => reference_value(strip).into(),
        Metric::Levels | Metric::Wdl => reference_value(strip).wdl().into(),
    }
}

#[test]
fn every_position_of_every_length_has_the_reference_solvers_value() {
    each_length(|table, length| {
        for strip in both_sides(length) {
            assert_eq!(
                table.verdict(&strip).unwrap(),
                verdict(table, &strip),
                "'{strip}'"
            );
        }
    });
}

/// Counts, histograms of depths, and search results.
#[test]
fn counts_of_every_length_are_the_reference_solvers() {
    each_length(|table, length| {
        let histogram = histogram(reference_values(length, Rules::Ordinary));
        let sets = table.sets(length).unwrap();
        let found = |value: Wdl, depth: Option<u16>, side| {
            let query = Query {
                value: Some(value),
                depth: depth.map(|depth| depth..=depth),
                side,
                pattern: Pattern::any(length),
            };
            find(&sets, &query).unwrap().members().total().clone()
        };
        let count = |wdl| -> BigUint {
            let of_value = histogram.iter().filter(|(value, _)| value.wdl() == wdl);
            let count = of_value.map(|(_, &count)| count).sum::<u64>().into();
            assert_eq!(
                [Side::Left, Side::Right].map(|side| found(wdl, None, side)),
                [&count, &count].map(Clone::clone)
            );
            count
        };
        let has_depths = table.has_depths();
        let longest = |wdl| {
            let depths = histogram.keys().filter(|value| has_depths && value.wdl() == wdl);
            depths
                .filter_map(|value| value.depth())
                .map(|depth| depth.0)
                .max()
                .unwrap_or(0)
        };
        let expected = Summary {
            wins: count(Wdl::Win),
            losses: count(Wdl::Loss),
            draws: count(Wdl::Draw),
            longest_win: longest(Wdl::Win),
            longest_loss: longest(Wdl::Loss),
        };
        assert_eq!(table.summary(length).unwrap(), expected, "length {length}");
        assert_eq!(
            (sets.summary(), expected.positions()),
            (&expected, all_positions(length))
        );
        let mut depths = BTreeMap::new();
        for (value, &count) in histogram.iter().filter(|_| has_depths) {
            let depth = value.depth().unwrap().0;
            depths.insert(depth, BigUint::from(count));
            assert_eq!(found(value.wdl(), Some(depth), Side::Right), count.into());
        }
        assert_eq!(sets.depths().unwrap(), depths, "length {length}");
        let longest = sets.longest_win().unwrap().map(|strip| reference_value(&strip));
        let plies = longest.and_then(Value::depth).map_or(0, |depth| depth.0);
        assert_eq!(plies, expected.longest_win);
    });
}

#[test]
fn the_sets_of_every_length_have_the_boards_that_the_reference_solver_says() {
    each_length(|table, length| {
        let sets = table.sets(length).unwrap();
        let (graph, reduced) = sets.reduced().unwrap();
        assert_eq!(reduced.len(), sets.roots().len());
        for board in both_sides(length) {
            let value = reference_value(&board);
            let left_wins = value.wdl().winner(board.side()) == Some(Side::Left);
            let root = sets.won_by_left(board.side());
            assert_eq!(contains(&sets, root, &board), left_wins, "'{board}'");
            // Numbers of plies within the table and past its end.
            let plies = (1 + board.side() as usize..=sets.roots().len() + 2).step_by(2);
            for plies in plies.filter(|_| table.has_depths()) {
                let within = left_wins && usize::from(value.depth().unwrap().0) <= plies;
                assert_eq!(
                    contains(&sets, sets.won_within(plies), &board),
                    within,
                    "'{board}'"
                );
                let same = reduced
                    .get(plies - 1)
                    .is_none_or(|&root| contains(&graph, root, &board) == within);
                assert!(same, "'{board}', reduced");
            }
        }
    });
}

#[test]
fn levels_of_every_length_are_those_of_the_definition() {
    each_length(|table, length| {
        let expected = levels(length, Rules::Ordinary);
        let stored = table.sets(length).unwrap().levels();
        let has_levels = table.metric() == Metric::Levels;
        assert_eq!(stored, if has_levels { expected.len() } else { 0 });
        for board in both_sides(length) {
            let expected = needed(&expected, &board).filter(|_| has_levels);
            assert_eq!(table.level(&board, board.side()).unwrap(), expected, "'{board}'");
        }
    });
}

/// Each turn has the value of its successor, best first; one that ends the game has a depth in any
/// table.
#[test]
fn turns_of_every_length_are_rated_by_their_successors() {
    each_length(|table, length| {
        for strip in both_sides(length).step_by(11) {
            let (value, verdict) = (reference_value(&strip), verdict(table, &strip));
            let rated = table.rated_turns(&strip).unwrap();
            assert_eq!(rated.len(), strip.turns().len());
            let ends_it = matches!(rated[0].after, After::Over { .. });
            let best = if ends_it { value.into() } else { verdict };
            assert_eq!(rated[0].verdict, best, "'{strip}'");
            assert!(rated.is_sorted_by(|a, b| a.verdict.preference() >= b.verdict.preference()));
        }
    });
}

/// All positions of 3 to 13 squares, with either player to move.
#[test]
fn the_shipped_tables_agree_with_each_other_and_with_the_reference_solver() {
    let tables = ["strip-36-dtw.phut", "strip-64-wdl.phut", "strip-144-wdl.phut"].map(shipped);
    for (length, table) in (3..=13).flat_map(|length| tables.iter().map(move |table| (length, table))) {
        let strips: Vec<Strip> = both_sides(length).collect();
        let expected: Vec<Verdict> = strips.iter().map(|strip| verdict(table, strip)).collect();
        assert!(
            crate::verdicts(table, &strips).unwrap() == expected,
            "{:?}, length {length}",
            table.path()
        );
    }
    // Tables that hold the same lengths have the same counts.
    for pair in tables.windows(2) {
        for length in pair[0].lengths() {
            let counts = [&pair[0], &pair[1]].map(|table| table.summary(length).unwrap());
            let [one, other] = counts.map(|counts| [counts.wins, counts.losses, counts.draws]);
            assert_eq!(one, other, "length {length}");
        }
    }
}
