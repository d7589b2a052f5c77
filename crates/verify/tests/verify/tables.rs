//! `verify` finds any single error in a table with valid checksums: a value, a count, a difference.

use phutbase_fixtures::prelude::*;
use phutbase_fixtures::tables::follows;
use phutbase_sets::count::contains;
use phutbase_sets::{Join, Sets};
use phutbase_verify::strip::{check as verified, compare};

fn check(table: &StripTable) -> Option<Mismatch> {
    verified(table, &Job::default()).unwrap()
}

#[test]
fn good_tables_pass_and_tell_their_progress() {
    for length in 3..=16 {
        let tables = METRICS.map(|metric| open(generated(length, metric), "t.phut").unwrap());
        for table in &tables {
            let job = Job::default();
            assert_eq!(verified(table, &job).unwrap(), None, "length {length}");
            let progress = job.progress();
            assert_eq!(progress.done, progress.total, "{} equations", progress.done);
            job.stop();
            assert!(matches!(verified(table, &job), Err(TableError::Stopped(_))));
        }
        assert_eq!(
            compare(&tables[0], &tables[1], &Job::default()).unwrap(),
            None,
            "length {length}"
        );
        assert_eq!(
            compare(&tables[2], &tables[1], &Job::default()).unwrap(),
            None,
            "length {length}"
        );
    }
}

/// Changes one value at a time: the named position no longer follows from its turns. Returns the
/// number of changes.
fn faults_are_found(length: usize, step: usize) -> usize {
    let mut planted = 0;
    plant(length, step, |mut planes, metric, changed| {
        let Some(Mismatch::Sets { position, .. }) = check(&planes.table(metric)) else {
            panic!("'{changed}': no fault found, {metric}");
        };
        let follows = follows(&mut planes, &strip(&position), metric);
        assert!(!follows, "'{position}' follows, {metric}");
        planted += 1;
    });
    planted
}

#[test]
fn planted_faults_are_found_and_named() {
    let planted: usize = (3..=6).map(|length| faults_are_found(length, 1)).sum();
    assert!(planted > 400, "{planted}");
    assert!(faults_are_found(8, 19) > 180);
}

#[test]
#[ignore = "takes minutes: every board of 7 to 10 squares"]
fn every_planted_fault_is_found_and_named() {
    (7..=10).for_each(|length| _ = faults_are_found(length, 1));
}

/// One board more or fewer in a set of 64 squares, with any ball. The last square is empty: no shorter
/// board changes.
#[test]
fn a_planted_board_of_a_long_strip_is_found() {
    let good = shipped("strip-64-wdl.phut").sets(64).unwrap();
    let (graph, roots) = good.reduced().unwrap();
    let mut sets = Sets::new(graph);
    let mut numbers = random_numbers(62);
    for ball in (1..63).step_by(6) {
        let stones = u128::from(numbers.next().unwrap() >> 1) & !(1 << ball);
        let board = Strip::new(64, ball, stones, Side::Left).unwrap();
        for place in [0, 1] {
            let one = phutbase_testing::turns::set_of(&mut sets, &[board]);
            let has = contains(sets.graph(), roots[place], &board);
            let how = if has { Join::Minus } else { Join::Or };
            let mut planted = roots.clone();
            planted[place] = sets.join(how, roots[place], one).unwrap();
            if !has {
                // Right does not win it too.
                let image = board.mirror().with_side(Side::Left);
                let one = phutbase_testing::turns::set_of(&mut sets, &[image]);
                planted[1 - place] = sets.join(Join::Minus, roots[1 - place], one).unwrap();
            }
            let bytes = bytes_of(sets.graph(), &planted, Metric::Wdl);
            let fault = check(&open(bytes, "planted.phut").unwrap());
            assert!(
                matches!(fault, Some(Mismatch::Sets { .. })),
                "'{board}' {place}: {fault:?}"
            );
        }
    }
}

/// A value that is wrong on a shorter strip only does not follow either.
#[test]
fn a_fault_on_a_shorter_strip_is_found() {
    let shorter = strip(".@o.o.");
    for metric in METRICS {
        let mut planes = Planes::of_reference(9);
        planes.make_draw(&shorter.followed_by_stones(9));
        let table = planes.table(metric);
        assert_eq!(table.verdict(&shorter).unwrap().wdl, Wdl::Draw);
        assert!(matches!(check(&table), Some(Mismatch::Sets { .. })), "{metric}");
    }
}

/// Boards in a level without forward turns could be infinite play: self-consistent sets are not
/// enough.
#[test]
fn a_proof_needs_its_levels() {
    // The shortest strip on which a backward turn is needed.
    let good = table(22, Metric::Levels).sets(22).unwrap();
    assert_eq!(good.levels(), 2);
    let faults = |roots: &[u32]| {
        let bytes = bytes_of(&good, roots, Metric::Levels);
        check(&open(bytes, "levels.phut").unwrap())
    };
    let roots = good.roots();
    assert_eq!(faults(roots), None);
    let not_forward = |fault: Option<Mismatch>, turns: usize| {
        let claim = format!("at most {turns} backward turns");
        assert!(matches!(fault, Some(Mismatch::Sets { claim: found, .. }) if found.contains(&claim)));
    };
    // The last level alone: some of its boards are not won by forward turns.
    not_forward(faults(&roots[2..]), 0);
    // The levels in reverse order.
    not_forward(faults(&[&roots[2..], &roots[..2]].concat()), 0);
    // Level 0 twice and then the last one.
    not_forward(faults(&[&roots[..2], roots].concat()), 1);
    // The two sets of a level swapped.
    not_forward(faults(&[roots[1], roots[0], roots[2], roots[3]]), 0);
    // Level 0 alone is correct, but the boards outside it are not draws.
    let left_out = faults(&roots[..2]);
    assert!(matches!(left_out, Some(Mismatch::Sets { claim, .. }) if claim.contains("stored outcome")));
    // One set is missing.
    assert!(matches!(
        faults(&[roots[0], roots[1], roots[2], 0]),
        Some(Mismatch::Sets { .. })
    ));
}

/// Returns a number of a file, incremented or decremented.
fn changed(number: &[u8], by: i8) -> Vec<u8> {
    let mut bytes = number.to_vec();
    bytes[0] = bytes[0].wrapping_add_signed(by);
    bytes
}

#[test]
fn wrong_counts_of_any_length_are_found() {
    type Edit = fn(&mut LengthCounts);
    let edits: [(&str, Option<Metric>, Edit); 8] = [
        ("wins", None, |counts| counts.wins = changed(&counts.wins, -1)),
        ("losses", None, |counts| {
            counts.losses = changed(&counts.losses, -1)
        }),
        ("wins", None, |counts| {
            counts.wins = changed(&counts.wins, 1);
            counts.losses = changed(&counts.losses, -1);
        }),
        ("wins", None, |counts| {
            counts.wins = changed(&counts.wins, -1);
            counts.losses = changed(&counts.losses, 1);
        }),
        ("longest win", Some(Metric::Dtw), |counts| counts.longest_win -= 2),
        ("longest loss", Some(Metric::Dtw), |counts| {
            counts.longest_loss -= 2
        }),
        ("levels", Some(Metric::Levels), |counts| counts.levels += 1),
        ("levels", Some(Metric::Levels), |counts| counts.levels = 9),
    ];
    let mut found = 0;
    for metric in METRICS {
        let good = generated(9, metric);
        for (name, only, edit) in edits {
            for length in (3..=9).filter(|_| only.is_none_or(|only| only == metric)) {
                let bytes = resealed(&good, |parts| {
                    parts.edit(|metadata: &mut StripMetadata| edit(&mut metadata.lengths[length - 3]));
                });
                // A shorter length has at most as many roots as a longer one, and the greatest
                // length has all of them: opening checks this.
                let Ok(table) = open(bytes, "edited.phut") else {
                    assert!(only.is_some(), "{name} of {length}");
                    continue;
                };
                match check(&table) {
                    Some(Mismatch::Count {
                        field,
                        stored,
                        counted,
                    }) => {
                        assert_eq!(field, format!("{name} of {length} squares"));
                        assert_ne!(stored, counted);
                    }
                    // For the greatest length the sets then end too early.
                    Some(_) => assert!(length == 9 && name.contains("longest"), "{name}"),
                    None => panic!("{metric}: {name} of {length} squares: no fault"),
                }
                found += 1;
            }
        }
    }
    assert!(found > 60, "{found}");
}

#[test]
fn different_tables_differ() {
    // Left jumps home over all of them.
    let position = strip("..@oooo.");
    let mut planes = Planes::of_reference(8);
    assert_eq!(std::mem::take(planes.left_wins(&position)), 1);
    let wrong = planes.table(Metric::Wdl);
    let expected = Some(Mismatch::Difference {
        position: position.to_string(),
    });
    assert_eq!(
        compare(&table(8, Metric::Dtw), &wrong, &Job::default()).unwrap(),
        expected
    );
    assert_eq!(
        compare(&wrong, &table(8, Metric::Wdl), &Job::default()).unwrap(),
        expected
    );
    // Tables of different lengths are compared on the lengths that both hold.
    let longer = position.followed_by_stones(11);
    let mut planes = Planes::of_reference(11);
    *planes.left_wins(&longer) = 0;
    let long = planes.table(Metric::Wdl);
    assert_eq!(
        compare(&long, &table(8, Metric::Dtw), &Job::default()).unwrap(),
        expected
    );
    assert_eq!(
        compare(&long, &table(7, Metric::Dtw), &Job::default()).unwrap(),
        None
    );
    let other = Planes::of_reference(11).table(Metric::Dtw);
    let position = longer.to_string();
    assert_eq!(
        compare(&other, &long, &Job::default()).unwrap(),
        Some(Mismatch::Difference { position })
    );
}

#[test]
fn tables_that_differ_with_right_to_move_differ() {
    let lost = |strip: &Strip| matches!(reference_value(strip), Value::Loss(_));
    let right = positions(8).map(|strip| strip.with_side(Side::Right));
    let good = table(8, Metric::Wdl);
    for position in right.filter(lost).step_by(97) {
        let mut planes = Planes::of_reference(8);
        *planes.left_wins(&position) = 0;
        let wrong = planes.table(Metric::Wdl);
        let position = position.to_string();
        let expected = Some(Mismatch::Difference { position });
        for [one, other] in [[&good, &wrong], [&wrong, &good]] {
            assert_eq!(compare(one, other, &Job::default()).unwrap(), expected);
        }
    }
}
