//! Tables whose checksums are right and whose contents are not: behind the checksums stand bounds checks, and behind those no
//! panic, no endless loop and no memory that the file does not warrant.

use crate::table::support::{
    NAME, at, edited, field, fix_checksums, frames, generated, open, positions, says_what_to_do, section,
    set, small_tables,
};
use phutbase::games::strip::{self, Strip};
use phutbase::outcome::Side;
use phutbase::table::dense::DenseTable;
use phutbase::table::{Metric, low_bits};
use phutbase::theory::draws;
use phutbase::verify;
use proptest::prelude::*;
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;

#[test]
fn checksums_are_made_anew_as_the_writer_makes_them() {
    // Else the tests above that rely on it would test nothing but checksums.
    for good in small_tables().chain([generated(16, Metric::Dtw)]) {
        let mut bytes = good.clone();
        for place in [at::DESCRIPTION + 16, at::TRIE + 16, at::INDEX + 16, 188] {
            set(&mut bytes, (place, 4), 0);
        }
        for entry in section(&good, at::INDEX).step_by(16) {
            set(&mut bytes, (entry + 12, 4), 0);
        }
        assert_ne!(bytes, good);
        fix_checksums(&mut bytes);
        assert_eq!(bytes, good);
    }
}

#[test]
fn numbers_out_of_range_are_refused_behind_right_checksums() {
    for length in [3, 8, 16] {
        for metric in Metric::ALL {
            let good = generated(length, metric);
            let fields = [
                (at::LENGTH, vec![0, 1, 2, 4, 7, 9, 17, 64, 65, 129, 0xffff]),
                ((10, 1), vec![0, 2, 255]),
                ((11, 1), vec![0, 3, 255]),
                ((12, 1), vec![0, 2, 255]),
                (at::WINS, vec![0, 1, u128::MAX, u128::MAX - 1]),
                (at::LOSSES, vec![0, u128::MAX]),
                (at::DRAWS, vec![1, u128::MAX]),
                (at::BLOCKS, vec![0, 1 << 20, 0xffff_ffff]),
                (at::BLOCK_BYTES, vec![0, 1, 2, 64, 0xffff_ffff]),
                (at::FRAME_BLOCKS, vec![0, 65_537, 0xffff_ffff]),
                (at::FILE_BYTES, vec![0, 192, u64::MAX.into()]),
            ];
            for (place, numbers) in fields {
                for number in numbers
                    .into_iter()
                    .filter(|&number| number != field(&good, place))
                {
                    // Checked without the frames, whose checksums would have to be made over wrong bytes.
                    let mut bytes = good.clone();
                    set(&mut bytes, place, number);
                    let crc = crc32fast::hash(&bytes[..188]);
                    set(&mut bytes, at::HEADER_CRC, crc.into());
                    if place == at::BLOCK_BYTES && number == 1 << low_bits(length) {
                        continue;
                    }
                    let error = open(bytes, NAME).expect_err(&format!("{place:?} = {number}"));
                    says_what_to_do(&error, NAME);
                }
            }
            for part in [at::DESCRIPTION, at::TRIE, at::INDEX] {
                for place in [(part, 8), (part + 8, 8)] {
                    for number in [1, 1 << 20, 1 << 40, u64::MAX.into()] {
                        let bytes = edited(&good, |bytes| set(bytes, place, number));
                        let error = open(bytes, NAME).expect_err(&format!("{place:?} = {number}"));
                        says_what_to_do(&error, NAME);
                    }
                }
            }
        }
    }
}

#[test]
fn a_trie_that_leads_nowhere_is_refused_behind_right_checksums() {
    let length = 17;
    let good = generated(length, Metric::Dtw);
    let trie = section(&good, at::TRIE);
    let nodes = |level: usize| field(&good, (trie.start + 4 * (1 + level), 4));
    assert_eq!((field(&good, (trie.start, 4)), nodes(0)), (3, 1));
    let root = trie.start + 4 * (1 + 3);
    let (second, third) = (root + 64, root + 64 + 64 * nodes(1) as usize);
    assert_eq!(third + 64 * nodes(2) as usize, trie.end);
    // A node past its level would be read from the next level; a block past the last, from no frame.
    for (place, first_bad) in [
        (root, nodes(1)),
        (second, nodes(2)),
        (third, field(&good, at::BLOCKS)),
    ] {
        for number in [first_bad, first_bad + 1, 0x7fff_ffff, 0xffff_ffff] {
            let bytes = edited(&good, |bytes| set(bytes, (place, 4), number));
            let table = open(bytes, NAME).unwrap();
            // The first place is reached through the first child of the first node of each level.
            let error = table.block(Side::Left, 1, 0).unwrap_err();
            assert!(error.to_string().contains("the trie leads to"), "{error}");
            says_what_to_do(&error, NAME);
            let first = Strip::from_pattern(length, 1, 0, Side::Left).unwrap();
            assert!(table.value(&first).is_err() && table.values(&[first]).is_err());
        }
    }
}

#[test]
fn frames_that_are_not_what_the_index_says_are_refused_behind_right_checksums() {
    let good = generated(16, Metric::Dtw);
    let index = section(&good, at::INDEX);
    let frames = frames(&good);
    // Another frame in the place of the last, which is of another size; half a frame; one outside the file.
    let last = index.end - 16;
    let entries: [(u128, u128); 4] = [
        (frames[0].start as u128, frames[0].len() as u128),
        (frames[1].start as u128, frames[1].len() as u128 / 2),
        (u64::MAX.into(), 16),
        (good.len() as u128 - 1, 2),
    ];
    for (offset, size) in entries {
        let bytes = edited(&good, |bytes| {
            set(bytes, (last, 8), offset);
            set(bytes, (last + 8, 4), size);
        });
        let error = open(bytes, NAME).unwrap().check_frames().unwrap_err();
        says_what_to_do(&error, NAME);
        let what = ["does not unpack to its size", "lies outside the file"];
        assert!(
            what.iter().any(|what| error.to_string().contains(what)),
            "{error}"
        );
    }
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
    let mirrored = |strip: &Strip| strip.with_side(Side::Right);
    let strips: Vec<Strip> = if length <= 16 {
        positions(length).step_by(61).collect()
    } else {
        let patterns = (0..length - 1).map(|bit| (1u128 << bit) - 1);
        patterns
            .flat_map(|pattern| Strip::from_pattern(length, length / 2, pattern, Side::Left))
            .collect()
    };
    for strip in &strips {
        let _ = table.value(strip);
        let _ = table.wdl(&mirrored(strip));
    }
    let _ = table.values(&strips);
    let _ = table.verdicts(&strips);
    // These visit every position that the header claims, as they must.
    if length <= 16 {
        let table = table.into();
        let _ = draws::count(&table, 3);
        let checked = verify::check(&table, &AtomicU64::new(0));
        assert!(whole || checked.is_err());
    }
}

/// A change to the bytes of a table.
#[derive(Clone, Debug)]
enum Edit {
    /// Another byte anywhere.
    Byte(prop::sample::Index, u8),
    /// A number in the header, of 2, 4, 8 or 16 bytes.
    Header(prop::sample::Index, u128),
    /// A 32-bit number in one of the sections, or in a frame.
    Number(usize, prop::sample::Index, u32),
    /// Another length of the file, which the header then knows.
    Size(prop::sample::Index),
    /// Another length of the strip, with counts that add up to its positions.
    Length(usize),
}

/// Numbers at the edges of what a field holds.
fn edge_number() -> impl Strategy<Value = u128> {
    prop_oneof![
        0u128..20,
        Just(0xffff),
        Just(0x7fff_ffff),
        Just(0xffff_ffff),
        Just(u128::from(u64::MAX)),
        Just(u128::from(u64::MAX) - 15),
        Just(u128::MAX),
        (0u32..127).prop_map(|bit| 1u128 << bit),
        any::<u128>(),
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        2 => (place(), any::<u8>()).prop_map(|(place, byte)| Edit::Byte(place, byte)),
        2 => (place(), edge_number()).prop_map(|(place, number)| Edit::Header(place, number)),
        4 => (0usize..4, place(), edge_number())
            .prop_map(|(part, place, number)| Edit::Number(part, place, number as u32)),
        1 => place().prop_map(Edit::Size),
        1 => (3usize..=64).prop_map(Edit::Length),
    ]
}

impl Edit {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match *self {
            Edit::Byte(place, byte) => {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            Edit::Header(place, number) => {
                const FIELDS: [at::Field; 17] = [
                    at::LENGTH,
                    at::WINS,
                    at::LOSSES,
                    at::DRAWS,
                    at::LONGEST_WIN,
                    at::LONGEST_LOSS,
                    at::BLOCKS,
                    at::BLOCK_BYTES,
                    at::FRAME_BLOCKS,
                    at::FILE_BYTES,
                    (at::DESCRIPTION, 8),
                    (at::DESCRIPTION + 8, 8),
                    (at::TRIE, 8),
                    (at::TRIE + 8, 8),
                    (at::INDEX, 8),
                    (at::INDEX + 8, 8),
                    (10, 4),
                ];
                if bytes.len() >= 192 {
                    set(bytes, FIELDS[place.index(FIELDS.len())], number);
                }
            }
            Edit::Number(part, place, number) => {
                let range = match part {
                    0..3 => section(bytes, [at::DESCRIPTION, at::TRIE, at::INDEX][part]),
                    _ => frames(bytes).first().cloned().unwrap_or(0..0),
                };
                if range.len() >= 4 {
                    let place = range.start + place.index(range.len() - 3);
                    set(bytes, (place, 4), number.into());
                }
            }
            Edit::Size(place) => {
                let size = place.index(2 * bytes.len());
                bytes.resize(size, 0);
                if size >= 192 {
                    set(bytes, at::FILE_BYTES, size as u128);
                }
            }
            Edit::Length(length) => {
                if bytes.len() >= 192 {
                    set(bytes, at::LENGTH, length as u128);
                    set(bytes, at::WINS, strip::positions(length).unwrap());
                    set(bytes, at::LOSSES, 0);
                    set(bytes, at::DRAWS, 0);
                }
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
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_do_no_harm(
        mut bytes in prop::collection::vec(any::<u8>(), 0..1000),
        disguise in 0..3,
    ) {
        if disguise > 0 && bytes.len() >= 192 {
            bytes[..16].copy_from_slice(b"PHUTBASE\x01\0\x01\x01\x01\0\x03\0");
            let size = bytes.len() as u128;
            set(&mut bytes, at::FILE_BYTES, size);
        }
        if disguise > 1 && bytes.len() >= 192 {
            for part in [at::DESCRIPTION, at::TRIE, at::INDEX] {
                let offset = field(&bytes, (part, 1)) * 3;
                set(&mut bytes, (part, 8), offset);
                let size = field(&bytes, (part + 8, 1));
                set(&mut bytes, (part + 8, 8), size);
            }
            fix_checksums(&mut bytes);
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
        let bytes = edited(&GOOD[which], |bytes| edits.iter().for_each(|edit| edit.apply(bytes)));
        match open(bytes, NAME) {
            Ok(table) => ask_everything(table),
            Err(error) => says_what_to_do(&error, NAME),
        }
    }
}

#[test]
fn a_crafted_table_of_the_longest_strip_is_asked_without_harm() {
    // A small file may claim 64 squares; its trie then leads to the places of its own length only.
    for good in GOOD.iter() {
        let metric = open(good.clone(), NAME).unwrap().header().metric;
        let bytes = edited(good, |bytes| {
            Edit::Length(64).apply(bytes);
            let block = if metric == Metric::Dtw { 4096 } else { 512 };
            set(bytes, at::BLOCK_BYTES, block);
        });
        let table = open(bytes, NAME).unwrap();
        let far = Strip::from_pattern(64, 62, u128::from(u64::MAX >> 1), Side::Left).unwrap();
        assert!(table.wdl(&far).is_err());
        ask_everything(table);
    }
}
