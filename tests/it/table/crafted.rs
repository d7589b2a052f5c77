//! Tables whose checksums are right and whose contents are not: behind the checksums stand bounds checks, and behind those no
//! panic, no endless loop and no memory that the file does not warrant.

use crate::common::container::{LengthCounts, Parts, StripMetadata, resealed};
use crate::table::support::{METRICS, NAME, both_sides, claiming, generated, names, open, refused};
use phutbase::games::strip::Strip;
use phutbase::outcome::Side;
use phutbase::table::Metric;
use phutbase::table::error::TableError;
use phutbase::table::strip::StripTable;
use phutbase::theory::{draws, tempo};
use phutbase::verify;
use proptest::prelude::*;
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

#[test]
fn numbers_out_of_range_are_refused_behind_right_checksums() {
    for length in [3, 9, 16] {
        for metric in METRICS {
            let good = generated(length, metric);
            let refuse = |why: &str, edit: &dyn Fn(&mut StripMetadata)| {
                let bytes = resealed(&good, |parts| parts.edit(edit));
                // A frame that is not of the stated size is refused when it is touched.
                let read = open(bytes, NAME).and_then(|table| table.check_frames());
                refused(read, &format!("{length}, {metric}: {why}"));
            };
            let lengths = [0, 1, 2, 4, 7, 8, 10, 17, 64, 128, 129, 0xffff];
            for wrong in lengths.into_iter().filter(|&other| usize::from(other) != length) {
                refuse("length", &|metadata| metadata.length = wrong);
            }
            for wrong in [1 - metric as u8, 2, 3, 250] {
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
                // No number, or more than there are positions.
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
                // Of the wrong parity, of the other metric, or more than there are roots.
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
                    Metric::Wdl => last.levels += 1,
                }
            });
        }
    }
}

/// Whether every node may stand where it stands, by docs/FORMAT.md.
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
        match ternary {
            false => ball == 0 && empty != stone && right(empty) && right(stone),
            true => {
                let may_have_ball = square > 0 || ball == 0;
                next(empty) && next(stone) && right(ball) && may_have_ball && [ball, empty, stone] != [0; 3]
            }
        }
    });
    let are_sorted = numbered()
        .zip(numbered().skip(1))
        .all(|((node, place), (next, next_place))| place != next_place || node < next);
    stand_well && are_sorted
}

/// Every field of every node of small tables set to every number that there is, and some beyond:
/// what may not stand there is refused by the frame, and what may gives answers.
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
                let table = open(parts.sealed(), NAME).unwrap();
                if is_legal(&metadata, &nodes) {
                    taken += 1;
                    assert!(table.check_frames().is_ok() && table.verdicts(&strips).is_ok());
                    _ = verify::strip::check(&table, &AtomicU64::new(0));
                } else {
                    refused += 1;
                    let error = table.check_frames().unwrap_err().to_string();
                    assert!(error.ends_with("a node of frame 0 cannot stand there"), "{error}");
                    assert!(table.verdicts(&strips).is_err());
                }
            }
        }
        assert!(taken > 100 && refused > 1000, "{taken} taken, {refused} refused");
    }
}

/// The same of the roots, which opening checks.
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
                        assert!(!is_root, "{number}: {error}");
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

/// Numbers of nodes that would take gigabytes, in a file of a few thousand bytes.
#[test]
fn nodes_that_a_file_does_not_warrant_are_refused() {
    let good = generated(9, Metric::Wdl);
    let begun = Instant::now();
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
    // As many nodes as a small file may have, and frames for them: the frames are looked at one by
    // one.
    let zeros = zstd::bulk::compress(&vec![0; 12 << 10], 1).unwrap();
    let bytes = resealed(&good, |parts| {
        parts.edit(|metadata: &mut StripMetadata| {
            metadata.binary.fill(0);
            metadata.ternary = vec![0, 0, 0, 0, 0, 0, 0, 60 << 10, 0];
        });
        parts.set_frames(&vec![zeros; 60]);
        parts.section("roots").fill(0);
    });
    let table = open(bytes, NAME).unwrap();
    refused(table.check_frames(), "60 frames of zeros");
    // No root leads there.
    assert!(table.verdict(&".@.".parse().unwrap()).is_ok());
    assert!(begun.elapsed() < Duration::from_secs(20));
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
    // Too long by far, too long, too short, empty, no zstd, half a frame, two frames in one.
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
        let table = open(bytes, NAME).unwrap();
        let error = refused(table.check_frames(), &format!("lie {number}"));
        assert!(error.contains("frame 1 does not unpack to its size"), "{error}");
        assert!(table.sets(5).is_err());
        assert!(verify::strip::check(&table, &AtomicU64::new(0)).is_err());
    }
    // A frame in the place of another one, with its right checksum.
    let bytes = resealed(&good, |parts| {
        let mut frames = frames.clone();
        frames.swap(0, 1);
        parts.set_frames(&frames);
    });
    let error = refused(open(bytes, NAME).unwrap().check_frames(), "frames exchanged");
    assert!(error.contains("a node of frame 0 cannot stand there"), "{error}");
    // A frame too few, one too many, ends that do not ascend or leave the section.
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
        let read = open(bytes, NAME).and_then(|table| table.check_frames());
        refused(read, &format!("index {number}"));
    }
}

/// A small file may claim the longest strip: what looks up one position answers at once, what goes
/// through all of them is refused or finds a fault at once.
#[test]
fn a_small_table_that_claims_a_long_strip_is_asked_without_harm() {
    for (length, at_random) in [(20, false), (39, true), (40, false), (128, false), (128, true)] {
        let bytes = claiming(length, at_random);
        assert!(bytes.len() < 50_000, "{} bytes", bytes.len());
        let table = open(bytes, NAME).unwrap();
        table.check_frames().unwrap();
        let far = Strip::from_pattern(length, length - 2, 1, Side::Left).unwrap();
        assert!(table.verdict(&far).is_ok());
        let begun = Instant::now();
        match verify::strip::check(&table, &AtomicU64::new(0)) {
            Ok(fault) => assert!(fault.is_some(), "{length}"),
            Err(error) => assert!(matches!(error, TableError::Limit { .. }), "{error}"),
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{length}");
    }
}

/// Asks a table everything that can be asked. Its answers do not matter.
fn ask_everything(table: StripTable) {
    let whole = table.check_frames().is_ok();
    for length in [3, 5, table.length() - 1, table.length()] {
        if table.summary(length).is_err() {
            continue;
        }
        let step = 1 << length.saturating_sub(7) | 1;
        let strips: Vec<Strip> = both_sides(length).step_by(step).collect();
        for (number, strip) in strips.iter().enumerate() {
            let _ = table.level(strip, strip.side());
            match table.verdict(strip) {
                Ok(verdict) if number % 50 == 0 => _ = table.best_line(strip, verdict, 20),
                _ => {}
            }
        }
        let _ = table.verdicts(&strips);
        let sets = table.sets(length);
        assert_eq!(sets.is_ok(), whole);
        if let Ok(sets) = sets {
            let _ = (sets.depths(), sets.members());
            let _ = (sets.longest_win(), tempo::move_hurts(&sets));
        }
        let _ = draws::count(&table, length, 3);
    }
    let checked = verify::strip::check(&table, &AtomicU64::new(0));
    assert!(whole || checked.is_err());
}

/// Numbers at the edges of a field.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![0u32..20, Just(0xffff), Just(u32::MAX), any::<u32>()]
}

static GOOD: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let kinds = METRICS.map(|metric| [3, 8, 16].map(|length| generated(length, metric)));
    kinds.into_iter().flatten().collect()
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

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

    /// Numbers in the metadata, in a section, or in a node.
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
        table.check_frames().unwrap();
        ask_everything(table);
    }
}
