//! Damage that each check of a file finds: changed bytes, and contents that do not fit together although
//! every checksum holds.

use phutbase_files::container::blocks::{Blocks, Cut, SECTIONS};
use phutbase_files::container::read::Container;
use phutbase_files::container::write::{Writer, packed, write_blocks, write_file};
use phutbase_files::container::{FileKind, Section};
use phutbase_rules::rules::Rules;
use phutbase_testing::boards::random_numbers;
use std::io::{self, Write};
use std::path::Path;

const CUT: Cut = Cut {
    bytes: 250,
    frame_bytes: 100,
};

/// Returns the contents of the blocks: noise, which frames keep as it is.
fn contents() -> Vec<u8> {
    let numbers = random_numbers(3).map(|number| number as u8);
    numbers.take(CUT.bytes as usize).collect()
}

/// Writes a file, and returns its bytes.
fn file(sections: impl FnOnce(&mut Writer<'_>) -> io::Result<()>) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let kind = (FileKind::Pitch, Rules::Ordinary);
    write_file(&path, kind, |out| sections(out).map(|()| 7u8)).unwrap();
    std::fs::read(path).unwrap()
}

/// Returns a good file.
fn good() -> Vec<u8> {
    let contents = contents();
    let frames = packed(CUT, 1, |start, raw| {
        raw.copy_from_slice(&contents[start as usize..][..raw.len()]);
    });
    file(|out| write_blocks(out, frames))
}

fn open(bytes: Vec<u8>) -> Result<Blocks, String> {
    let opened = || {
        let container = Container::from_bytes(bytes, Path::new("file"))?;
        let [blocks, index] = container.sections(SECTIONS)?.clone();
        Blocks::open(container, [&blocks, &index], CUT)
    };
    opened().map_err(|error| error.to_string())
}

/// Returns the error of opening a file.
fn refused(bytes: Vec<u8>) -> String {
    open(bytes).err().expect("the file is refused")
}

/// Asserts that an error names a fault.
fn names(error: &str, fault: &str) {
    assert!(error.contains(fault), "expected '{fault}', found '{error}'");
}

#[test]
fn every_part_can_be_read() {
    let blocks = open(good()).unwrap();
    blocks.check().unwrap();
    let contents = contents();
    for start in 0..contents.len() {
        for end in [start + 1, contents.len()] {
            let mut part = vec![0; end - start];
            blocks.read(start as u64, &mut part).unwrap();
            assert_eq!(part, contents[start..end], "{start}..{end}");
        }
    }
}

#[test]
fn every_changed_byte_is_found() {
    let good = good();
    for place in 0..good.len() {
        let mut bytes = good.clone();
        bytes[place] ^= 1;
        let found = open(bytes).map(|blocks| blocks.check());
        assert!(!matches!(found, Ok(Ok(()))), "byte {place} of {}", good.len());
    }
    let mut bytes = good.clone();
    bytes[30] ^= 1;
    names(&refused(bytes), "checksum mismatch in the header");
}

#[test]
fn a_changed_section_is_found_by_its_checksum() {
    let good = good();
    let container = Container::from_bytes(good.clone(), Path::new("file")).unwrap();
    let [blocks, index] = container.sections(SECTIONS).unwrap();
    let mut bytes = good.clone();
    bytes[index.offset as usize + 9] ^= 1;
    names(&refused(bytes), "checksum mismatch in section 'index'");
    let mut bytes = good.clone();
    // The noise of the second frame of three.
    bytes[(blocks.offset + blocks.bytes / 2) as usize] ^= 1;
    let opened = open(bytes).unwrap();
    assert!(opened.unpack(0).is_ok() && opened.unpack(2).is_ok());
    let error = opened.unpack(1).unwrap_err().to_string();
    names(&error, "checksum mismatch in frame 1");
    let error = opened.check_section().unwrap_err().to_string();
    names(&error, "checksum mismatch in section 'blocks'");
}

#[test]
fn an_index_that_does_not_fit_is_refused() {
    for ends in [[20, 10, 30], [10, 10, 30], [10, 20, 29], [10, 20, 31]] {
        let bytes = file(|out| {
            out.section(SECTIONS[0], &[0; 30])?;
            out.begin(SECTIONS[1]);
            for end in ends {
                out.write_all(&u64::to_le_bytes(end))?;
                out.write_all(&[0; 4])?;
            }
            Ok(())
        });
        names(&refused(bytes), "the index does not fit the blocks");
    }
}

#[test]
fn a_frame_of_another_size_is_refused() {
    for (size, remark) in [(99, "99 bytes, not 100"), (101, "frame 0 does not unpack")] {
        let sizes = [size, 100, 50].into_iter();
        let frames = sizes.map(|size| zstd::bulk::compress(&vec![0; size], 1));
        let blocks = open(file(|out| write_blocks(out, frames))).unwrap();
        names(&blocks.unpack(0).unwrap_err().to_string(), remark);
        assert!(blocks.unpack(1).is_ok() && blocks.check().is_err());
    }
}

/// Changes the directory of a good file, with all checksums.
fn with_directory(change: impl FnOnce(&mut Vec<Section>)) -> Vec<u8> {
    let mut bytes = good();
    let config = bincode::config::standard();
    let tail = u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize;
    let (mut sections, used): (Vec<Section>, _) = bincode::decode_from_slice(&bytes[tail..], config).unwrap();
    let metadata = bytes[tail + used..].to_vec();
    change(&mut sections);
    bytes.truncate(tail);
    bytes.extend(bincode::encode_to_vec(&sections, config).unwrap());
    bytes.extend(metadata);
    let (size, crc) = ((bytes.len() - tail) as u32, crc32fast::hash(&bytes[tail..]));
    bytes[24..28].copy_from_slice(&size.to_le_bytes());
    bytes[12..16].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32fast::hash(&bytes[..28]);
    bytes[28..32].copy_from_slice(&crc.to_le_bytes());
    bytes
}

#[test]
fn sections_that_overlap_or_leave_a_gap_are_refused() {
    assert!(open(with_directory(|_| {})).is_ok());
    let position = "a section has the wrong position";
    names(
        &refused(with_directory(|sections| sections[1].offset -= 1)),
        position,
    );
    names(
        &refused(with_directory(|sections| sections[1].offset += 1)),
        position,
    );
    names(
        &refused(with_directory(|sections| sections[1].bytes += 1)),
        position,
    );
    let gap = with_directory(|sections| sections[1].bytes -= 1);
    names(&refused(gap), "the sections do not fill the file");
}
