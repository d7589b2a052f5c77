//! Tables whose checksums are right and whose contents are not: behind the checksums stand bounds checks, and behind those no
//! panic, no endless loop and no memory that the file does not warrant.

use crate::common::container::{
    DenseCheckpointMetadata, DenseMetadata, DiagramMetadata, Parts, PitchMetadata, resealed,
};
use crate::games::pitch_support::shape;
use crate::table::support::{
    NAME, claiming, contained, generate_diagrams_in, generated, open, open_diagrams, positions,
    says_what_to_do,
};
use phutbase::games::strip::Strip;
use phutbase::generate::TablesLock;
use phutbase::generate::pitch::{PitchRequest, generate_pitch};
use phutbase::outcome::Side;
use phutbase::solve::dense::DenseSolver;
use phutbase::table::dense::DenseTable;
use phutbase::table::diagram::convert;
use phutbase::table::error::TableError;
use phutbase::table::pitch::PitchTable;
use phutbase::table::{Metric, low_bits};
use phutbase::theory::draws;
use phutbase::verify;
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;

fn edited(good: &[u8], edit: impl FnOnce(&mut DenseMetadata)) -> Vec<u8> {
    resealed(good, |parts| parts.edit(edit))
}

/// The error of bytes that must not be opened.
fn refused<T>(result: Result<T, TableError>, why: &str) -> String {
    let error = result.err().unwrap_or_else(|| panic!("{why}: not refused"));
    says_what_to_do(&error, NAME);
    error.to_string()
}

#[test]
fn numbers_out_of_range_are_refused_behind_right_checksums() {
    for length in [3, 8, 16] {
        for metric in Metric::ALL {
            let good = generated(length, metric);
            let refuse = |why: &str, edit: &dyn Fn(&mut DenseMetadata)| {
                refused(open(edited(&good, edit), NAME), why);
            };
            let other_lengths = [0, 1, 2, 4, 7, 9, 17, 40, 41, 64, 65, 129, 0xffff];
            for wrong in other_lengths
                .into_iter()
                .filter(|&other| usize::from(other) != length)
            {
                refuse("length", &|metadata| metadata.length = wrong);
            }
            for wrong in [0, 3, 255] {
                refuse("metric", &|metadata| metadata.metric = wrong);
            }
            for wrong in [0, 1 << 20, u32::MAX - 1, u32::MAX] {
                refuse("blocks", &|metadata| metadata.payload = wrong);
            }
            refuse("the other metric", &|metadata| {
                metadata.metric = 3 - metadata.metric
            });
            for wrong in [
                vec![],
                vec![0, 0],
                vec![1, 0],
                vec![255; 24],
                vec![1; 25],
                vec![1; 1 << 10],
            ] {
                refuse("wins", &|metadata| metadata.wins = wrong.clone());
                refuse("draws", &|metadata| metadata.draws = wrong.clone());
            }
            for wrong in [1, 2, 255, 256, 0xffff] {
                refuse("longest", &|metadata| metadata.longest_win ^= wrong);
                refuse("longest", &|metadata| metadata.longest_loss ^= wrong);
            }
            refuse("depth 0", &|metadata| _ = metadata.depths.insert(0, 1));
            refuse("no such depth", &|metadata| _ = metadata.depths.insert(99, 0));
            refuse("deep", &|metadata| _ = metadata.depths.insert(257, 1));
            if metric == Metric::Wdl {
                refuse("example", &|metadata| metadata.example = ".@.".to_string());
            }
        }
    }
}

#[test]
fn a_trie_that_leads_nowhere_is_refused_behind_right_checksums() {
    let good = generated(17, Metric::Dtw);
    let trie = Parts::of(&good).section("trie").clone();
    let number = |from: usize| u32::from_le_bytes(trie[from..from + 4].try_into().unwrap());
    assert_eq!((number(0), number(4)), (3, 1));
    let blocks = Parts::of(&good).metadata::<DenseMetadata>().payload;
    let root = 4 * (1 + 3);
    let (second, third) = (root + 64, root + 64 + 64 * number(8) as usize);
    assert_eq!(third + 64 * number(12) as usize, trie.len());
    let levels = [(root, number(8)), (second, number(12)), (third, blocks)];
    // A node past its level would be read from the next level; a block past the last, from no frame.
    let mut edits: Vec<(usize, u32)> = levels
        .into_iter()
        .flat_map(|(place, first_bad)| {
            [first_bad, first_bad + 1, 0x7fff_ffff, u32::MAX].map(|bad| (place, bad))
        })
        .collect();
    edits.extend([0, 1, 2, 4, 16, 17, u32::MAX].map(|levels| (0, levels)));
    edits.extend([0, 2, u32::MAX].map(|roots| (4, roots)));
    edits.extend([0, number(8) - 1, number(8) + 1, u32::MAX].map(|nodes| (8, nodes)));
    for (place, wrong) in edits {
        let bytes = resealed(&good, |parts| {
            parts.section("trie")[place..place + 4].copy_from_slice(&wrong.to_le_bytes());
        });
        refused(open(bytes, NAME), &format!("{wrong} at {place}"));
    }
}

#[test]
fn frames_that_lie_are_refused_behind_right_checksums() {
    let good = generated(16, Metric::Dtw);
    let parts = &mut Parts::of(&good);
    let packed = parts.section("blocks").clone();
    let frames: Vec<Vec<u8>> = parts
        .frames()
        .into_iter()
        .map(|frame| packed[frame].to_vec())
        .collect();
    let zeros = |size: usize| zstd::bulk::compress(&vec![0; size], 12).unwrap();
    assert!(zeros(256 << 20).len() < 16 << 10, "a frame that unfolds");
    // Too long by far, too long, too short, empty, no zstd, half a frame, two frames in one.
    let lies = [
        zeros(256 << 20),
        zeros(32_769),
        zeros(32_767),
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
        assert!(convert::of_table(&table).is_err());
        let table = table.into();
        assert!(verify::check(&table, &AtomicU64::new(0)).is_err());
    }
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
        refused(open(bytes, NAME), &format!("index {number}"));
    }
}

/// A small file may claim the longest strip of its layout: what looks up one position answers at once, what goes through all of them is
/// refused or finds a fault at once.
#[test]
fn a_small_table_that_claims_a_long_strip_is_asked_without_harm() {
    for length in [20, 33, 39, 40] {
        let table = open(claiming(length, false), NAME).unwrap();
        table.check_frames().unwrap();
        let far = Strip::from_pattern(length, length - 2, 1, Side::Left).unwrap();
        assert!(table.verdict(&far).is_ok());
        assert!(convert::of_table(&table).is_err());
        let table = table.into();
        assert!(matches!(verify::check(&table, &AtomicU64::new(0)), Ok(Some(_))));
    }
}

#[test]
fn numbers_of_diagram_tables_are_refused_behind_right_checksums() {
    let directory = tempfile::tempdir().unwrap();
    for metric in Metric::ALL {
        let good = std::fs::read(generate_diagrams_in(directory.path(), 9, metric)).unwrap();
        let refuse = |why: &str, edit: &dyn Fn(&mut DiagramMetadata)| {
            let bytes = resealed(&good, |parts| parts.edit(edit));
            refused(open_diagrams(bytes, NAME), why);
        };
        for wrong in [0, 2, 8, 10, 64, 128, 129, 0xffff] {
            refuse("length", &|metadata| metadata.length = wrong);
        }
        for wrong in [0, 1, u32::MAX - 1, u32::MAX] {
            refuse("ternary nodes", &|metadata| metadata.payload.0 = wrong);
            refuse("binary nodes", &|metadata| metadata.payload.1 = wrong);
            refuse("all nodes", &|metadata| metadata.payload = (wrong, wrong));
        }
        // The longest wins of a wdl table, too.
        for wrong in [1, 2, 0xffff] {
            refuse("longest win", &|metadata| metadata.longest_win ^= wrong);
            refuse("longest loss", &|metadata| metadata.longest_loss ^= wrong);
        }
        refuse("draws", &|metadata| metadata.draws[0] += 1);
    }
}

/// Half a gigabyte of nodes in a file of twenty thousand bytes, with as many as the metadata say, more and fewer.
#[test]
fn nodes_that_a_file_does_not_warrant_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let good = std::fs::read(generate_diagrams_in(directory.path(), 9, Metric::Wdl)).unwrap();
    let zeros = zstd::bulk::compress(&vec![0; 12 * 40_000_000], 1).unwrap();
    for (ternary, binary) in [(40_000_000, 0), (40_000_001, 0), (100, 0), (0, 100)] {
        let crafted = resealed(&good, |parts| {
            *parts.section("nodes") = zeros.clone();
            parts.edit(|metadata: &mut DiagramMetadata| metadata.payload = (ternary, binary));
        });
        assert!(crafted.len() < 60_000, "{} bytes", crafted.len());
        let error = open_diagrams(crafted, NAME).unwrap_err().to_string();
        let expected = match ternary {
            100 | 0 => "the nodes do not fill their section",
            _ => "it is too short for so many nodes",
        };
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn numbers_of_pitch_tables_are_refused_behind_right_checksums() {
    let directory = tempfile::tempdir().unwrap();
    let lock = TablesLock::hold(directory.path()).unwrap();
    let request = PitchRequest::new(shape("4x3"), directory.path());
    generate_pitch(&request, &lock, &mut |_| ControlFlow::Continue(())).unwrap();
    let good = std::fs::read(directory.path().join("pitch-4x3-dtw.phut")).unwrap();
    let open = |bytes: Vec<u8>| PitchTable::new(contained(bytes, NAME).unwrap(), 0);
    let refuse = |why: &str, edit: &dyn Fn(&mut PitchMetadata)| {
        refused(open(resealed(&good, |parts| parts.edit(edit))), why);
    };
    for (rows, columns) in [
        (0, 3),
        (4, 0),
        (3, 4),
        (4, 4),
        (12, 1),
        (8, 5),
        (7, 6),
        (19, 15),
        (255, 255),
    ] {
        refuse("size", &|metadata| {
            (metadata.rows, metadata.columns) = (rows, columns)
        });
    }
    for count in 0..3 {
        for wrong in [0, 1, 1 << 50, u64::MAX] {
            refuse("counts", &|metadata| metadata.counts[count] ^= wrong | 1);
        }
    }
    for wrong in [1, 2, 0xff00] {
        refuse("longest win", &|metadata| metadata.longest_win ^= wrong);
        refuse("longest loss", &|metadata| metadata.longest_loss ^= wrong);
    }
    refuse("order", &|metadata| metadata.order[0] = metadata.order[1]);
    refuse("order", &|metadata| metadata.order[0] = 99);
    refuse("order", &|metadata| _ = metadata.order.pop());
    refuse("depths", &|metadata| metadata.depths[0] += 1);
    refuse("depths", &|metadata| metadata.depths.push(0));
    refuse("depths", &|metadata| metadata.depths = vec![u64::MAX; 1000]);
    for lie in [zstd::bulk::compress(&vec![0; 256 << 20], 3).unwrap(), vec![1; 9]] {
        let bytes = resealed(&good, |parts| {
            let count = parts.frames().len();
            parts.set_frames(&vec![lie.clone(); count]);
        });
        refused(open(bytes).unwrap().check_blocks(), "a frame that lies");
    }
}

#[test]
fn checkpoints_that_ask_for_terabytes_are_refused_by_the_size_of_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(NAME);
    let mut solver = DenseSolver::in_memory(5).unwrap();
    solver.step().unwrap();
    solver.save(&path).unwrap();
    let good = std::fs::read(&path).unwrap();
    let refuse = |edit: &dyn Fn(&mut DenseCheckpointMetadata)| {
        std::fs::write(&path, resealed(&good, |parts| parts.edit(edit))).unwrap();
        let error = DenseSolver::resume(&path, None)
            .err()
            .expect("not refused")
            .to_string();
        assert!(error.contains(NAME) && error.contains("delete it"), "{error}");
    };
    for wrong in [1 << 20, u32::MAX] {
        refuse(&|metadata| metadata.pools[0].0 = wrong);
        refuse(&|metadata| metadata.pools[0].1 = wrong);
        refuse(&|metadata| metadata.pools[1] = (wrong, wrong));
    }
    // The planes of 40 squares take 20 GB each.
    refuse(&|metadata| (metadata.length, metadata.slice_bits) = (40, 8));
    refuse(&|metadata| metadata.length = 41);
    refuse(&|metadata| metadata.length = 2);
    refuse(&|metadata| metadata.slice_bits = 1);
    refuse(&|metadata| metadata.counts = vec![0; 255]);
    refuse(&|metadata| metadata.counts[0] = 1 << 50);
}

/// Asks a table everything that can be asked. What it answers does not matter.
fn ask_everything(table: DenseTable) {
    let length = table.header().length;
    let whole = table.check_frames().is_ok();
    let high_bits = length - 1 - low_bits(length);
    let highs = (0..1 << high_bits.min(4)).chain([1 << (high_bits.max(1) - 1), u64::MAX]);
    for (ball, high) in (1..length - 1).flat_map(|ball| highs.clone().map(move |high| (ball, high))) {
        for side in [Side::Left, Side::Right] {
            let block = table.block(side, ball, high);
            assert!(block.is_err() || table.block_number(side, ball, high).is_ok());
        }
    }
    let strips: Vec<Strip> = positions(length).step_by(61).collect();
    for strip in &strips {
        let _ = table.verdict(strip);
        let _ = table.verdict(&strip.with_side(Side::Right));
    }
    let _ = table.verdicts(&strips);
    // Values that contradict each other make no diagrams.
    assert!(whole || convert::of_table(&table).is_err());
    let table = table.into();
    let _ = draws::count(&table, 3);
    let checked = verify::check(&table, &AtomicU64::new(0));
    assert!(whole || checked.is_err());
}

/// A change to the bytes of a table.
#[derive(Clone, Debug)]
enum Edit {
    /// Another byte of the metadata.
    Metadata(prop::sample::Index, u8),
    /// A 32-bit number in one of the sections.
    Number(usize, prop::sample::Index, u32),
    /// Another byte in an unpacked frame.
    Frame(prop::sample::Index, prop::sample::Index, u8),
    /// Another size of a section.
    Size(usize, prop::sample::Index),
}

/// Numbers at the edges of what a field holds.
fn edge_number() -> impl Strategy<Value = u32> {
    prop_oneof![
        0u32..20,
        Just(0xffff),
        Just(0x7fff_ffff),
        Just(u32::MAX),
        any::<u32>()
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        2 => (place(), any::<u8>()).prop_map(|(place, byte)| Edit::Metadata(place, byte)),
        4 => (0usize..3, place(), edge_number())
            .prop_map(|(part, place, number)| Edit::Number(part, place, number)),
        4 => (place(), place(), any::<u8>())
            .prop_map(|(frame, place, byte)| Edit::Frame(frame, place, byte)),
        1 => (0usize..3, place()).prop_map(|(part, size)| Edit::Size(part, size)),
    ]
}

impl Edit {
    fn apply(&self, parts: &mut Parts) {
        const NAMES: [&str; 3] = ["trie", "blocks", "index"];
        match *self {
            Edit::Metadata(place, byte) => {
                let place = place.index(parts.metadata.len());
                parts.metadata[place] = byte;
            }
            Edit::Number(part, place, number) => {
                let section = parts.section(NAMES[part]);
                if section.len() >= 4 {
                    let place = place.index(section.len() - 3);
                    section[place..place + 4].copy_from_slice(&number.to_le_bytes());
                }
            }
            Edit::Frame(frame, place, byte) => {
                let packed = parts.section("blocks").clone();
                let frames: Option<Vec<Vec<u8>>> = (parts.frames().into_iter())
                    .map(|frame| Some(packed.get(frame)?.to_vec()))
                    .collect();
                let Some(mut frames) = frames.filter(|frames| !frames.is_empty()) else {
                    return;
                };
                let frame = frame.index(frames.len());
                if let Ok(mut raw) = zstd::bulk::decompress(&frames[frame], 32_768)
                    && !raw.is_empty()
                {
                    let place = place.index(raw.len());
                    raw[place] = byte;
                    frames[frame] = zstd::bulk::compress(&raw, 12).unwrap();
                    parts.set_frames(&frames);
                }
            }
            Edit::Size(part, size) => {
                let section = parts.section(NAMES[part]);
                let size = size.index(2 * section.len().max(1));
                section.resize(size, 0);
            }
        }
    }
}

static GOOD: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let lengths = [
        (3, Metric::Dtw),
        (8, Metric::Wdl),
        (13, Metric::Dtw),
        (15, Metric::Wdl),
        (15, Metric::Dtw),
    ];
    lengths.map(|(length, metric)| generated(length, metric)).to_vec()
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_do_no_harm(mut bytes in prop::collection::vec(any::<u8>(), 0..1000), disguise: bool) {
        if disguise && bytes.len() >= 32 {
            bytes[..12].copy_from_slice(b"PHUTBASE\x02\0\x01\0");
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
            Err(error) => says_what_to_do(&error, NAME),
        }
    }

    #[test]
    fn changed_tables_behind_right_checksums_do_no_harm(
        which in 0usize..5,
        edits in prop::collection::vec(edit(), 1..6),
    ) {
        let bytes = resealed(&GOOD[which], |parts| edits.iter().for_each(|edit| edit.apply(parts)));
        match open(bytes, NAME) {
            Ok(table) => ask_everything(table),
            Err(error) => says_what_to_do(&error, NAME),
        }
    }
}

/// The path is what errors name; that the tests above see it in words is what they rely on.
#[test]
fn good_tables_made_again_by_the_document_are_good() {
    for good in GOOD.iter() {
        assert_eq!(&Parts::of(good).sealed(), good);
        ask_everything(open(good.clone(), NAME).unwrap());
        assert!(
            contained(good.clone(), NAME)
                .unwrap()
                .path()
                .ends_with(Path::new(NAME))
        );
    }
}
