//! Tables with valid checksums and invalid contents: bounds checks prevent panics, endless loops
//! and excessive memory.

use phutbase_ask::queries::draws;
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::tables::claiming;

#[test]
fn numbers_out_of_range_are_refused_behind_right_checksums() {
    for length in [3, 9, 16] {
        for metric in METRICS {
            let good = generated(length, metric);
            let refuse = |why: &str, edit: &dyn Fn(&mut StripMetadata)| {
                let bytes = resealed(&good, |parts| parts.edit(edit));
                // A frame of the wrong size is rejected on first use.
                let read = open(bytes, NAME);
                refused(read, &format!("{length}, {metric}: {why}"));
            };
            let lengths = [0, 1, 2, 4, 7, 8, 10, 17, 64, 128, 129, 255, 256, 0xffff];
            for wrong in lengths.into_iter().filter(|&other| usize::from(other) != length) {
                refuse("length", &|metadata| metadata.length = wrong);
            }
            for wrong in [0, 1, 2, 3, 250]
                .into_iter()
                .filter(|&other| other != metric as u8)
            {
                refuse("metric", &|metadata| metadata.metric = wrong);
            }
            for square in 0..length {
                for wrong in [1, 5, 1 << 16, 1 << 30, u32::MAX] {
                    refuse("binary nodes", &|metadata| {
                        metadata.binary[square] = metadata.binary[square].wrapping_add(wrong)
                    });
                    refuse("ternary nodes", &|metadata| {
                        metadata.ternary[square] = metadata.ternary[square].wrapping_add(wrong)
                    });
                }
            }
            refuse("squares", &|metadata| metadata.binary.push(0));
            refuse("squares", &|metadata| _ = metadata.ternary.pop());
            refuse("squares", &|metadata| metadata.ternary.clear());
            refuse("lengths", &|metadata| _ = metadata.lengths.pop());
            refuse("lengths", &|metadata| metadata.lengths.clear());
            refuse("lengths", &|metadata| metadata.lengths.extend_from_within(..1));
            for at in 0..length - 2 {
                let refuse_counts = |why: &str, edit: &dyn Fn(&mut LengthCounts)| {
                    refuse(why, &|metadata| edit(&mut metadata.lengths[at]));
                };
                // Not a number, or more than the number of positions.
                for wrong in [
                    vec![],
                    vec![0, 0],
                    vec![1, 0],
                    vec![255; 24],
                    vec![1; 25],
                    vec![1; 1 << 10],
                ] {
                    refuse_counts("wins", &|counts| counts.wins = wrong.clone());
                    refuse_counts("losses", &|counts| counts.losses = wrong.clone());
                }
                // Wrong parity, wrong metric, or more than the number of roots.
                for wrong in [1, 255, 0x8000, 0xffff] {
                    refuse_counts("longest win", &|counts| counts.longest_win ^= wrong);
                    refuse_counts("longest loss", &|counts| counts.longest_loss ^= wrong);
                    refuse_counts("levels", &|counts| counts.levels ^= wrong);
                }
            }
            refuse("roots", &|metadata| {
                let last = metadata.lengths.last_mut().unwrap();
                match metric {
                    Metric::Dtw => (last.longest_win, last.longest_loss) = (1, 0),
                    Metric::Levels => last.levels += 1,
                    Metric::Wdl => last.levels = 1,
                }
            });
        }
    }
}

/// The last roots of a table again and again: each of them would be checked like the first.
#[test]
fn roots_that_repeat_the_ones_before_are_refused() {
    for metric in METRICS {
        let bytes = resealed(&generated(9, metric), |parts| {
            let roots = parts.section("roots");
            roots.extend_from_within(roots.len() - 8..);
            parts.edit(|metadata: &mut StripMetadata| {
                let last = metadata.lengths.last_mut().unwrap();
                match metric {
                    Metric::Dtw => {
                        last.longest_win += 2;
                        last.longest_loss += 2;
                    }
                    Metric::Levels => last.levels += 1,
                    Metric::Wdl => {}
                }
            });
        });
        let error = refused(open(bytes, NAME), "repeated roots");
        let why = match metric {
            Metric::Wdl => "the number of roots is wrong",
            Metric::Dtw | Metric::Levels => "the last root repeats the one before",
        };
        assert!(error.contains(why), "{error}");
    }
}

/// Tens of thousands of sets that repeat: what is known of two sets is not asked again.
#[test]
fn many_roots_are_checked_in_the_time_of_few() {
    let bytes = resealed(&generated(12, Metric::Dtw), |parts| {
        let roots = parts.section("roots");
        let last = roots[roots.len() - 8..].repeat(30_000);
        roots.extend(last);
        roots.extend([0; 8]);
        let plies = (roots.len() / 4) as u16;
        parts.edit(|metadata: &mut StripMetadata| {
            let longest = metadata.lengths.last_mut().unwrap();
            let win = plies - 1 + plies % 2;
            (longest.longest_win, longest.longest_loss) = (win, plies - plies % 2);
        });
    });
    let table = open(bytes, NAME).unwrap();
    let job = Job::default();
    let checked = phutbase_verify::strip::check(&table, &job).unwrap();
    assert!(
        matches!(checked, Some(Mismatch::Sets { .. })),
        "60,000 roots: {checked:?}"
    );
    assert!(job.progress().done > 100);
}

/// A turn into a win in 65,535 plies would be a loss in 0.
#[test]
fn depths_leave_room_for_one_more_ply() {
    let bytes = resealed(&generated(9, Metric::Dtw), |parts| {
        let roots = parts.section("roots").clone();
        let pairs = [&roots[..8], &roots[8..16]].concat();
        *parts.section("roots") = pairs.into_iter().cycle().take(4 * 65_535).collect();
        parts.edit(|metadata: &mut StripMetadata| {
            let last = metadata.lengths.last_mut().unwrap();
            (last.longest_win, last.longest_loss) = (65_535, 65_534);
        });
    });
    let error = refused(open(bytes, NAME), "65,535 plies");
    assert!(
        error.contains("the counts of a length are inconsistent"),
        "{error}"
    );
}

/// Returns whether every node is valid by docs/FORMAT.md.
fn is_legal(metadata: &StripMetadata, nodes: &[[u32; 3]]) -> bool {
    // The numbers from 2 on: kind and square.
    let mut places = vec![(false, usize::MAX); 2];
    for (ternary, counts) in [(false, &metadata.binary), (true, &metadata.ternary)] {
        for (square, &count) in counts.iter().enumerate().rev() {
            places.extend(std::iter::repeat_n((ternary, square), count as usize));
        }
    }
    let place = |number: u32| places.get(number as usize).copied();
    let numbered = || nodes.iter().zip(&places[2..]);
    let stand_well = numbered().all(|(&[ball, empty, stone], &(ternary, square))| {
        // Past the strip are the leaves.
        let right = |number| matches!(place(number), Some((false, further)) if further > square);
        let next = |number| number == 0 || place(number) == Some((true, square + 1));
        if ternary {
            let may_have_ball = square > 0 || ball == 0;
            next(empty) && next(stone) && right(ball) && may_have_ball && [ball, empty, stone] != [0; 3]
        } else {
            ball == 0 && empty != stone && right(empty) && right(stone)
        }
    });
    let are_sorted = numbered()
        .zip(numbered().skip(1))
        .all(|((node, place), (next, next_place))| place != next_place || node < next);
    stand_well && are_sorted
}

/// Sets every field of every node of small tables to every possible number, and some beyond:
/// invalid nodes are rejected with their frame, valid ones give answers.
#[test]
fn nodes_are_taken_exactly_where_they_may_stand() {
    for metric in METRICS {
        let good = generated(6, metric);
        let mut parts = Parts::of(&good);
        let (metadata, nodes) = (parts.metadata::<StripMetadata>(), parts.nodes());
        assert!(is_legal(&metadata, &nodes));
        let all = nodes.len() as u32 + 2;
        let strips: Vec<Strip> = (3..=6).flat_map(both_sides).step_by(5).collect();
        let (mut taken, mut refused) = (0, 0);
        for (at, field) in (0..nodes.len()).flat_map(|at| (0..3).map(move |field| (at, field))) {
            let sky = [all, all + 1, 1 << 16, 1 << 31, u32::MAX];
            for number in (0..all).chain(sky).filter(|&number| number != nodes[at][field]) {
                let mut nodes = nodes.clone();
                nodes[at][field] = number;
                parts.set_nodes(&nodes);
                let table = open(parts.sealed(), NAME);
                if is_legal(&metadata, &nodes) {
                    taken += 1;
                    let table = table.unwrap();
                    assert!(crate::verdicts(&table, &strips).is_ok());
                    _ = phutbase_verify::strip::check(&table, &Job::default());
                } else {
                    refused += 1;
                    let error = table.err().expect("an invalid node").to_string();
                    assert!(error.ends_with("invalid node in frame 0"), "{error}");
                }
            }
        }
        assert!(taken > 100 && refused > 1000, "{taken} taken, {refused} refused");
    }
}

/// The same for the roots, which are checked on opening.
#[test]
fn a_root_is_no_set_or_a_ternary_node_on_the_first_square() {
    for metric in METRICS {
        let good = generated(6, metric);
        let mut parts = Parts::of(&good);
        let first = parts.metadata::<StripMetadata>().ternary[0];
        let all = parts.nodes().len() as u32 + 2;
        let roots = parts.section("roots").clone();
        for place in (0..roots.len()).step_by(4) {
            for number in (0..all + 2).chain([1 << 16, 1 << 31, u32::MAX]) {
                let bytes = resealed(&good, |parts| {
                    parts.section("roots")[place..place + 4].copy_from_slice(&number.to_le_bytes());
                });
                let is_root = number == 0 || (all - first..all).contains(&number);
                match open(bytes, NAME) {
                    Ok(table) => {
                        assert!(is_root, "{number}");
                        ask_everything(table);
                    }
                    Err(error) => {
                        let repeats = error.to_string().contains("the last root repeats the one before");
                        assert!(!is_root || repeats, "{number}: {error}");
                        names(&error, NAME);
                    }
                }
            }
        }
        for size in [
            0,
            4,
            roots.len() - 4,
            roots.len() - 1,
            roots.len() + 1,
            roots.len() + 4,
        ] {
            let bytes = resealed(&good, |parts| parts.section("roots").resize(size, 0));
            refused(open(bytes, NAME), &format!("{size} bytes of roots"));
        }
    }
}

/// Node counts that would take gigabytes, in a file of a few thousand bytes.
#[test]
fn nodes_that_a_file_does_not_warrant_are_refused() {
    let good = generated(9, Metric::Wdl);
    for count in [1 << 20, 1 << 24, 1 << 31, u32::MAX] {
        for (kind, square) in [(0, 8), (0, 1), (1, 0), (1, 7)] {
            let bytes = resealed(&good, |parts| {
                parts.edit(|metadata: &mut StripMetadata| {
                    [&mut metadata.binary, &mut metadata.ternary][kind][square] = count;
                });
            });
            let error = refused(open(bytes, NAME), "many nodes");
            assert!(error.contains("the numbers of nodes are out of range"), "{error}");
        }
    }
    // The maximum number of nodes for a small file, with frames for them: the frames are checked
    // one by one.
    let zeros = zstd::bulk::compress(&vec![0; 12 << 10], 1).unwrap();
    let bytes = resealed(&good, |parts| {
        parts.edit(|metadata: &mut StripMetadata| {
            metadata.binary.fill(0);
            metadata.ternary = vec![1, 0, 0, 0, 0, 0, 0, (60 << 10) - 1, 0];
            metadata.lengths.iter_mut().for_each(|counts| counts.levels = 0);
        });
        parts.set_frames(&vec![zeros; 60]);
        let last = (60u32 << 10) + 1;
        *parts.section("roots") = [0, last].map(u32::to_le_bytes).concat();
    });
    refused(open(bytes, NAME), "60 frames of zeros");
}

#[test]
fn frames_that_lie_are_refused_behind_right_checksums() {
    let good = generated(20, Metric::Dtw);
    let parts = &mut Parts::of(&good);
    let packed = parts.section("blocks").clone();
    let frames: Vec<Vec<u8>> = (parts.frames().into_iter())
        .map(|frame| packed[frame].to_vec())
        .collect();
    assert!(frames.len() > 2);
    let zeros = |size: usize| zstd::bulk::compress(&vec![0; size], 12).unwrap();
    assert!(zeros(256 << 20).len() < 16 << 10, "a frame that unfolds");
    // Much too long, too long, too short, empty, not zstd, half a frame, two frames in one.
    let lies = [
        zeros(256 << 20),
        zeros(12 * 1024 + 1),
        zeros(12 * 1024 - 1),
        zeros(0),
        vec![7; 100],
        frames[0][..frames[0].len() / 2].to_vec(),
        [&frames[0][..], &frames[0]].concat(),
    ];
    for (number, lie) in lies.into_iter().enumerate() {
        let bytes = resealed(&good, |parts| {
            let mut frames = frames.clone();
            frames[1] = lie;
            parts.set_frames(&frames);
        });
        let error = refused(open(bytes, NAME), &format!("lie {number}"));
        assert!(error.contains("frame 1 does not unpack to its size"), "{error}");
    }
    // Another frame's bytes with their valid checksum.
    let bytes = resealed(&good, |parts| {
        let mut frames = frames.clone();
        frames.swap(0, 1);
        parts.set_frames(&frames);
    });
    let error = refused(open(bytes, NAME), "frames exchanged");
    assert!(error.contains("invalid node in frame 0"), "{error}");
    // One frame too few, one too many, ends that do not ascend or exceed the section.
    let index_edits: [fn(&mut Vec<u8>); 6] = [
        |index| index.truncate(index.len() - 12),
        |index| index.extend([0; 12]),
        |index| index[..8].fill(0xff),
        |index| index[..8].fill(0),
        |index| {
            let last = index.len() - 12;
            index[last] ^= 1;
        },
        |index| index.clear(),
    ];
    for (number, edit) in index_edits.iter().enumerate() {
        let bytes = resealed(&good, |parts| edit(parts.section("index")));
        let read = open(bytes, NAME);
        refused(read, &format!("index {number}"));
    }
}

/// A small file may claim the greatest length: single probes answer at once, and whole-table
/// operations are rejected or find a fault at once.
#[test]
fn small_tables_that_claim_long_strips_do_no_harm() {
    for (length, at_random) in [(20, false), (39, true), (40, false), (255, false), (255, true)] {
        let bytes = claiming(length, at_random);
        assert!(bytes.len() < 50_000, "{} bytes", bytes.len());
        let table = open(bytes, NAME).unwrap();
        let far = Strip::from_pattern(length, length - 2, 1u64, Side::Left).unwrap();
        assert!(table.verdict(&far).is_ok());
        match phutbase_verify::strip::check(&table, &Job::default()) {
            Ok(fault) => assert!(fault.is_some(), "{length}"),
            Err(error) => assert!(matches!(error, TableError::Limit { .. }), "{error}"),
        }
    }
}

/// Runs every query on a table and ignores the answers.
fn ask_everything(table: StripTable) {
    for length in [3, 5, table.length() - 1, table.length()] {
        if table.summary(length).is_err() {
            continue;
        }
        let step = 1 << length.saturating_sub(7) | 1;
        let strips: Vec<Strip> = both_sides(length).step_by(step).collect();
        for strip in &strips {
            let _ = (table.level(strip, strip.side()), table.verdict(strip));
        }
        let sets = table.sets(length).unwrap();
        let _ = (sets.depths(), sets.members(), sets.longest_win());
        let _ = draws::count(&table, length, 3);
    }
    let _ = phutbase_verify::strip::check(&table, &Job::default());
}

/// Numbers at the limits of a field.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![0u32..20, Just(0xffff), Just(u32::MAX), any::<u32>()]
}

static GOOD: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let kinds = METRICS.map(|metric| [3, 8, 16].map(|length| generated(length, metric)));
    kinds.into_iter().flatten().collect()
});

/// Returns the number of random files for each test; the campaign sets it.
fn cases() -> u32 {
    let set = std::env::var("PROPTEST_CASES").ok();
    set.and_then(|cases| cases.parse().ok()).unwrap_or(400)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_do_no_harm(mut bytes in prop::collection::vec(any::<u8>(), 0..1000), disguise: bool) {
        if disguise && bytes.len() >= 32 {
            bytes[..12].copy_from_slice(b"PHUTBASE\x04\0\x01\0");
            let tail = 32 + u64::from(bytes[16]).min(bytes.len() as u64 - 32);
            bytes[16..24].copy_from_slice(&tail.to_le_bytes());
            let size = bytes.len() as u32 - tail as u32;
            bytes[24..28].copy_from_slice(&size.to_le_bytes());
            let crc = crc32fast::hash(&bytes[tail as usize..]);
            bytes[12..16].copy_from_slice(&crc.to_le_bytes());
            let crc = crc32fast::hash(&bytes[..28]);
            bytes[28..32].copy_from_slice(&crc.to_le_bytes());
        }
        match open(bytes, NAME) {
            Ok(table) => ask_everything(table),
            Err(error) => names(&error, NAME),
        }
    }

    /// Random edits of numbers in the metadata, in a section, or in a node.
    #[test]
    fn changed_tables_behind_right_checksums_do_no_harm(
        which in 0usize..6,
        edits in prop::collection::vec((0usize..5, any::<prop::sample::Index>(), number()), 1..6),
    ) {
        let bytes = resealed(&GOOD[which], |parts| {
            let mut nodes = parts.nodes();
            for (_, place, number) in edits.iter().filter(|(part, ..)| *part == 4) {
                let at = place.index(3 * nodes.len());
                nodes[at / 3][at % 3] = *number;
            }
            parts.set_nodes(&nodes);
            for (part, place, number) in edits.iter().filter(|(part, ..)| *part < 4) {
                let (bytes, size) = match part {
                    0 => (&mut parts.metadata, 1),
                    part => (parts.section(["roots", "blocks", "index"][part - 1]), 4),
                };
                let at = place.index(bytes.len() - size);
                bytes[at..at + size].copy_from_slice(&number.to_le_bytes()[..size]);
            }
        });
        match open(bytes, NAME) {
            Ok(table) => ask_everything(table),
            Err(error) => names(&error, NAME),
        }
    }
}

#[test]
fn good_tables_made_again_by_the_document_are_good() {
    for good in GOOD.iter() {
        let mut parts = Parts::of(good);
        assert_eq!(&parts.sealed(), good);
        let nodes = parts.nodes();
        parts.set_nodes(&nodes);
        assert_eq!(parts.nodes(), nodes);
        let table = open(parts.sealed(), NAME).unwrap();
        ask_everything(table);
    }
}
