//! What is written is read back: every value, by every way of asking, from bytes that depend on nothing but the values.

use crate::table::support::{
    Planes, both_sides, contained, generate_in, generated, open, positions, strip, table,
};
use num_bigint::BigUint;
use phutbase::game::Game;
use phutbase::games::rules::Rules;
use phutbase::games::strip::{Strip, StripGame, Turn};
use phutbase::generate::{Request, TablesLock, generate};
use phutbase::outcome::{Depth, Side, Value, Verdict};
use phutbase::solve::reference;
use phutbase::table::dense::DenseTable;
use phutbase::table::directory::Tablebase;
use phutbase::table::error::TableError;
use phutbase::table::writer::write;
use phutbase::table::{Metric, low_bits, place, table_path};
use std::ops::ControlFlow;
use std::path::Path;

#[test]
fn the_engines_values_and_the_references_make_the_same_bytes() {
    for length in 3..=12 {
        let planes = Planes::of_reference(length);
        for metric in Metric::ALL {
            let same = planes.written(metric) == generated(length, metric);
            assert!(same, "length {length}, {metric}: the files differ");
        }
    }
}

#[test]
fn the_keys_of_a_source_leave_no_trace_in_the_bytes() {
    // The engine has one key for equal blocks, planes in memory have a key for each place.
    for length in [13, 14, 16, 17] {
        let planes = Planes::of_table(&table(length, Metric::Dtw));
        for metric in Metric::ALL {
            let same = planes.written(metric) == generated(length, metric);
            assert!(same, "length {length}, {metric}: the files differ");
        }
    }
}

#[test]
fn every_position_is_read_back_by_every_way_of_asking() {
    for length in 3..=12 {
        let game = StripGame::new(length).unwrap();
        let reference = reference::solve(&game);
        let strips: Vec<Strip> = both_sides(length).collect();
        let values: Vec<Value> = (strips.iter())
            .map(|strip| reference[game.index(strip) as usize])
            .collect();
        let outcomes: Vec<_> = values.iter().map(|value| value.wdl()).collect();
        let [dtw, wdl] = Metric::ALL.map(|metric| table(length, metric));
        let with_depths: Vec<Verdict> = values.iter().copied().map(Verdict::from).collect();
        let without: Vec<Verdict> = outcomes.iter().copied().map(Verdict::from).collect();
        assert_eq!(dtw.verdicts(&strips).unwrap(), with_depths);
        assert_eq!(wdl.verdicts(&strips).unwrap(), without);
        for (at, strip) in strips.iter().enumerate() {
            assert_eq!(dtw.verdict(strip).unwrap(), with_depths[at], "'{strip}'");
            assert_eq!(wdl.verdict(strip).unwrap(), without[at], "'{strip}'");
        }
    }
}

#[test]
fn header_and_description_say_what_the_values_say() {
    for length in 3..=12 {
        let game = StripGame::new(length).unwrap();
        let values = reference::solve(&game);
        let count =
            |keep: &dyn Fn(&Value) -> bool| BigUint::from(values.iter().filter(|value| keep(value)).count());
        let longest = |keep: fn(&Value) -> bool| {
            let depths = values
                .iter()
                .filter(|value| keep(value))
                .filter_map(|value| value.depth());
            depths.max().map_or(0, |depth| depth.0)
        };
        for metric in Metric::ALL {
            let table = table(length, metric);
            let header = table.header();
            assert_eq!((header.length, header.metric), (length, metric));
            assert_eq!(header.wins, count(&|value| matches!(value, Value::Win(_))));
            assert_eq!(header.losses, count(&|value| matches!(value, Value::Loss(_))));
            assert_eq!(header.draws, count(&|value| *value == Value::Draw));
            let description = table.description();
            assert_eq!(description.engine, "dense");
            if metric == Metric::Wdl {
                assert_eq!((header.longest_win, header.longest_loss), (0, 0));
                assert!(description.depths.is_empty() && description.longest_win.is_empty());
                continue;
            }
            assert_eq!(
                header.longest_win,
                longest(|value| matches!(value, Value::Win(_)))
            );
            assert_eq!(
                header.longest_loss,
                longest(|value| matches!(value, Value::Loss(_)))
            );
            for (&depth, &positions) in &description.depths {
                assert_eq!(
                    BigUint::from(positions),
                    count(&|value| value.depth() == Some(Depth(depth)))
                );
            }
            assert_eq!(
                BigUint::from(description.depths.values().sum::<u128>()),
                &header.wins + &header.losses
            );
            let longest = Value::Win(Depth(header.longest_win));
            let first = values.iter().position(|&value| value == longest).unwrap();
            assert_eq!(description.longest_win, game.position(first as u64).to_string());
        }
    }
}

/// The bytes of a table made with a number of threads.
fn made_with(threads: usize, length: usize, metric: Metric, scratch: Option<&Path>) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let request = Request {
        tables: directory.path().to_path_buf(),
        scratch: scratch.map(Path::to_path_buf),
        ..Request::new(length, metric)
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let lock = TablesLock::hold(directory.path()).unwrap();
    let make = || generate(&request, &lock, &mut |_| ControlFlow::Continue(())).unwrap();
    pool.build().unwrap().install(make);
    std::fs::read(table_path(directory.path(), Rules::Ordinary, length, metric)).unwrap()
}

#[test]
fn threads_and_scratch_leave_no_trace_in_the_bytes() {
    let scratch = tempfile::tempdir().unwrap();
    for length in [16, 18] {
        for metric in Metric::ALL {
            let bytes = made_with(1, length, metric, None);
            for threads in [1, 2, 4] {
                for scratch in [None, Some(scratch.path())] {
                    let same = made_with(threads, length, metric, scratch) == bytes;
                    assert!(
                        same,
                        "length {length}, {metric}, {threads} threads, scratch {scratch:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn many_threads_with_hardly_any_cache_get_the_right_answers() {
    let bytes = generated(17, Metric::Dtw);
    let roomy = open(bytes.clone(), "roomy.phut").unwrap();
    let payload = roomy.payload();
    assert!(
        payload.blocks > 4 * 32_768 / 4096,
        "there are frames to drop from the cache"
    );
    let strips: Vec<Strip> = positions(17).step_by(101).collect();
    let values = roomy.verdicts(&strips).unwrap();
    let tight = DenseTable::new(contained(bytes, "tight.phut").unwrap(), 1).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (strips, values, tight) = (&strips, &values, &tight);
            scope.spawn(move || {
                // Each in its own order, so that the threads want different frames.
                for step in 0..strips.len() {
                    let at = (step * (2 * thread + 7) + thread * 1009) % strips.len();
                    assert_eq!(
                        tight.verdict(&strips[at]).unwrap(),
                        values[at],
                        "'{}'",
                        strips[at]
                    );
                }
            });
        }
        scope.spawn(|| assert_eq!(tight.verdicts(&strips).unwrap(), values));
    });
}

#[test]
fn equal_blocks_have_equal_numbers() {
    let table = table(15, Metric::Dtw);
    let mut contents = vec![None; table.payload().blocks as usize];
    let mut next = 0;
    let mut places = 0;
    for side in [Side::Left, Side::Right] {
        for ball in 1..=13 {
            for high in 0..1 << (14 - low_bits(15)) {
                assert_eq!(place(15, side, ball, high), places);
                places += 1;
                let number = table.block_number(side, ball, high).unwrap() as usize;
                let block = table.block(side, ball, high).unwrap();
                match &contents[number] {
                    Some(known) => assert_eq!(known, &block),
                    None => {
                        assert_eq!(number, next, "numbers follow first places");
                        next += 1;
                        assert!(
                            !contents.contains(&Some(block.clone())),
                            "equal blocks are stored once"
                        );
                        contents[number] = Some(block);
                    }
                }
            }
        }
    }
    assert_eq!(next, contents.len(), "no block is stored that stands nowhere");
}

#[test]
fn questions_that_a_table_cannot_answer_are_refused() {
    for length in [8, 15] {
        let high_patterns = 1u64 << (length - 1 - low_bits(length));
        let [dtw, wdl] = Metric::ALL.map(|metric| table(length, metric));
        for table in [&dtw, &wdl] {
            for (ball, high) in [
                (0, 0),
                (length - 1, 0),
                (usize::MAX, 0),
                (1, high_patterns),
                (1, 1 << 52),
                (1, 1 << 60),
                (1, u64::MAX),
            ] {
                let no_such_block = |error: &TableError| matches!(error, TableError::NotHeld(_));
                let block = table.block(Side::Left, ball, high).unwrap_err();
                let number = table.block_number(Side::Right, ball, high).unwrap_err();
                assert!(
                    no_such_block(&block) && no_such_block(&number),
                    "ball {ball}, high {high}"
                );
                assert!(
                    block
                        .to_string()
                        .contains(&format!("ball square {ball} and high pattern {high}"))
                );
            }
            let other = strip("..@.");
            for error in [
                table.verdict(&other).unwrap_err(),
                table.verdicts(&[other]).unwrap_err(),
            ] {
                let text = error.to_string();
                assert!(text.contains("4 squares") && text.contains(&format!("length {length}")));
            }
        }
    }
}

#[test]
fn a_directory_answers_for_all_its_lengths_with_the_best_table() {
    let directory = tempfile::tempdir().unwrap();
    generate_in(directory.path(), 5, Metric::Dtw);
    generate_in(directory.path(), 5, Metric::Wdl);
    generate_in(directory.path(), 7, Metric::Wdl);
    std::fs::write(directory.path().join("notes.txt"), "not a table").unwrap();
    std::fs::write(directory.path().join("strip-05-dtw.phut"), "not a name").unwrap();
    let tables = Tablebase::open(directory.path()).unwrap();
    assert_eq!(tables.lengths(), [5, 7]);
    assert_eq!(tables.contents().count(), 3);
    let mixed = ["..@..", "..@o... R", ".@..o R"].map(strip);
    let verdicts = tables.verdicts(&mixed).unwrap();
    for (strip, verdict) in mixed.iter().zip(verdicts) {
        assert_eq!(tables.verdict(strip).unwrap(), verdict);
        let game = StripGame::new(strip.length()).unwrap();
        let value = reference::solve(&game)[game.index(strip) as usize];
        match strip.length() {
            5 => assert_eq!(verdict, value.into()),
            _ => assert_eq!(verdict, value.wdl().into()),
        }
    }
    assert!(tables.with_depths(5).is_ok());
    assert!(matches!(tables.with_depths(7), Err(TableError::NoDepths { .. })));
    assert!(matches!(tables.best(6), Err(TableError::Missing { .. })));
}

#[test]
fn best_lines_take_as_many_plies_as_the_value_says_and_end_at_home() {
    let directory = tempfile::tempdir().unwrap();
    generate_in(directory.path(), 9, Metric::Dtw);
    let tables = Tablebase::open(directory.path()).unwrap();
    for strip in both_sides(9).step_by(7) {
        let value = tables.value(&strip).unwrap();
        let line = tables.best_line(&strip).unwrap();
        assert_eq!(line.len(), usize::from(value.depth().unwrap().0), "'{strip}'");
        assert_eq!(line[0].verdict, value.into());
        let home = match line.last().unwrap().turn {
            Turn::Jump(square) => [0, 8].contains(&square),
            Turn::Off(_) => true,
            Turn::Place(_) => false,
        };
        assert!(home, "'{strip}'");
    }
}

#[test]
fn a_line_from_wrong_values_ends_too() {
    // Every board is 'won in 3' for whoever is to move: no turn gets nearer to the end.
    let mut planes = Planes::of_reference(9);
    planes.depths[Side::Left as usize].fill(3);
    planes.depths[Side::Right as usize].fill(0);
    let directory = tempfile::tempdir().unwrap();
    write(&planes, Metric::Dtw, directory.path()).unwrap();
    let tables = Tablebase::open(directory.path()).unwrap();
    let line = tables.best_line(&strip("....@....")).unwrap();
    assert_eq!(line.len(), 3);
    assert!(matches!(line[2].turn, Turn::Place(_)), "it could have gone on");
}
