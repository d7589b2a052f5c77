//! Bytes depend only on the values; questions that a table cannot answer; the tables of a
//! directory; arbitrary values.

use phutbase_fixtures::prelude::*;
use phutbase_fixtures::tables::{everything, request};
use phutbase_solve::generate::generate;

#[test]
fn the_engines_values_and_the_references_make_the_same_bytes() {
    for length in 3..=12 {
        let planes = Planes::of_reference(length);
        for metric in METRICS {
            let same = planes.bytes(metric) == generated(length, metric);
            assert!(same, "length {length}, {metric}: the files differ");
        }
    }
}

/// A table of fewer squares is a restriction of a longer one.
#[test]
fn the_sets_of_a_shorter_length_make_the_bytes_of_its_own_table() {
    for metric in METRICS {
        let long = table(24, metric);
        for length in [3, 4, 11, 21, 22, 23] {
            let sets = long.sets(length).unwrap();
            let (graph, roots) = sets.reduced().unwrap();
            let same = bytes_of(&graph, &roots, metric) == generated(length, metric);
            assert!(same, "length {length}, {metric}: the files differ");
        }
    }
}

#[test]
fn threads_leave_no_trace_in_the_bytes() {
    for metric in METRICS {
        let bytes = generated(18, metric);
        for threads in [1, 2, 4] {
            let directory = tempfile::tempdir().unwrap();
            let request = request(metric, 18, directory.path());
            let lock = TablesLock::hold(directory.path()).unwrap();
            let make = || generate(&request, Some(&lock), &Job::default()).unwrap();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(make);
            let made = std::fs::read(request.path()).unwrap();
            assert!(made == bytes, "{metric}, {threads} threads");
        }
    }
}

#[test]
fn questions_that_a_table_cannot_answer_are_refused() {
    for metric in METRICS {
        let table = table(8, metric);
        let long = strip("....@....");
        let missing = |error: TableError| matches!(error, TableError::Missing { .. });
        assert!(missing(table.verdict(&long).unwrap_err()));
        assert!(missing(table.level(&long, Side::Left).unwrap_err()));
        assert!(missing(table.rated_turns(&long).unwrap_err()));
        for length in [0, 2, 9, 256] {
            assert!(missing(table.summary(length).unwrap_err()));
            assert!(missing(table.sets(length).err().unwrap()));
        }
        let other = strip("..@.").under(Rules::Directional);
        assert!(missing(table.verdict(&other).unwrap_err()));
    }
}

#[test]
fn a_directory_prefers_tables_with_depths() {
    let directory = tempfile::tempdir().unwrap();
    for (length, metric) in [
        (5, Metric::Dtw),
        (6, Metric::Dtw),
        (5, Metric::Wdl),
        (9, Metric::Wdl),
    ] {
        generate_in(directory.path(), length, metric);
    }
    std::fs::write(directory.path().join("notes.txt"), "not a table").unwrap();
    std::fs::write(directory.path().join("strip-05-dtw.phut"), "not a name").unwrap();
    let tables = Tablebase::open(directory.path()).unwrap();
    let kinds = [
        (Metric::Dtw, 5),
        (Metric::Dtw, 6),
        (Metric::Wdl, 5),
        (Metric::Wdl, 9),
    ];
    assert!(tables.strip_tables().eq(kinds));
    let kind =
        |table: Result<&StripTable, TableError>| table.ok().map(|table| (table.metric(), table.length()));
    let missing = None;
    for (length, best, with_depths, with_levels) in [
        (3, Some(kinds[0]), Some(kinds[0]), Some(kinds[2])),
        (5, Some(kinds[0]), Some(kinds[0]), Some(kinds[2])),
        (6, Some(kinds[1]), Some(kinds[1]), Some(kinds[3])),
        (7, Some(kinds[3]), missing, Some(kinds[3])),
        (10, missing, missing, missing),
    ] {
        assert_eq!(kind(tables.ask_strips(length, None, Ok)), best, "{length}");
        assert_eq!(
            kind(tables.ask_strips(length, Some(Metric::Dtw), Ok)),
            with_depths,
            "{length}"
        );
        assert_eq!(
            kind(tables.ask_strips(length, Some(Metric::Wdl), Ok)),
            with_levels,
            "{length}"
        );
    }
    let longest = [true, false].map(|depths| tables.longest_strips(depths));
    assert_eq!(longest, [Some(6), Some(9)]);
}

/// Counts of 255 squares need more than 256 bits; this table of winners has one set, of all boards.
#[test]
fn the_longest_strip_is_stored_and_read() {
    let table = open(everything(Metric::Wdl), "all.phut").unwrap();
    for length in [3, 64, 127, 128, 129, 254, 255] {
        let summary = table.summary(length).unwrap();
        assert_eq!((summary.wins, summary.draws), (all_positions(length), 0u8.into()));
        for side in [" L", " R"] {
            let board = format!("{}@{}{side}", "o".repeat(length - 2), "o");
            assert_eq!(table.verdict(&strip(&board)).unwrap().wdl, Wdl::Win);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Depths are found by bisection for arbitrary values: any function to depth bytes survives the
    /// round trip.
    #[test]
    fn any_values_survive(length in 3usize..=7, noise in prop::collection::vec(0u8..20, 640)) {
        let mut planes = Planes::of_reference(length);
        for (side, plane) in planes.depths.iter_mut().enumerate() {
            for (place, depth) in plane.iter_mut().enumerate() {
                *depth = match noise[(place * 7 + side * 13) % noise.len()] {
                    0 => 0,
                    depth => 2 * depth - 1 + side as u8,
                };
            }
        }
        for position in both_sides(length) {
            if *planes.left_wins(&position) != 0 {
                planes.take_from_opponent(&position);
            }
        }
        let (dtw, wdl) = (planes.table(Metric::Dtw), planes.table(Metric::Wdl));
        let strips: Vec<Strip> = positions(length).collect();
        for strip in &strips {
            let win = *planes.left_wins(strip);
            let loss = *planes.left_wins(&strip.mirror());
            let value = match (win, loss) {
                (0, 0) => Value::Draw,
                (win, 0) => Value::Win(Depth(win.into())),
                (_, loss) => Value::Loss(Depth(loss.into())),
            };
            for same in [*strip, strip.mirror()] {
                prop_assert_eq!(dtw.verdict(&same).unwrap(), value.into(), "{}", same);
                prop_assert_eq!(wdl.verdict(&same).unwrap(), value.wdl().into(), "{}", same);
            }
        }
    }
}
