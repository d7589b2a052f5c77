//! Every kind of file under the same attacks: each byte flipped by two masks, every truncation,
//! appended bytes, another kind or version, false sizes under valid checksums, and paths that are
//! not ordinary files. The result is always an error that names the file.

use phutbase_fixtures::container::{Entry, encoded};
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::{ENOUGH, solved_levels};
use phutbase_solve::levels::Levels;
use phutbase_solve::plies::Plies;
use phutbase_tables::nimbers::NimberTable;

/// A kind of file: a valid one, its name, and a function that reads all of it.
struct Sample {
    what: &'static str,
    name: &'static str,
    bytes: Vec<u8>,
    read: fn(&Path) -> Result<(), String>,
}

fn read_strip(path: &Path) -> Result<(), String> {
    let table = StripTable::open(path).map(drop);
    table.map_err(|error| error.to_string())
}

fn read_pitch(path: &Path) -> Result<(), String> {
    let table = PitchTable::open(path).and_then(|table| table.check_blocks());
    table.map_err(|error| error.to_string())
}

fn read_nimbers(path: &Path) -> Result<(), String> {
    NimberTable::read(path)
        .map(drop)
        .map_err(|error| error.to_string())
}

fn resume_pitch(path: &Path) -> Result<(), String> {
    let solver = PitchSolver::resume(&Setup::in_memory(shape("3x3"), true), path, &Job::default());
    solver.map(drop).map_err(|error| error.to_string())
}

fn resume_depths(path: &Path) -> Result<(), String> {
    Plies::resume(6, ENOUGH, path)
        .map(drop)
        .map_err(|error| error.to_string())
}

fn resume_levels(path: &Path) -> Result<(), String> {
    let levels = Levels::resume(6, ENOUGH, path, &Job::default());
    levels.map(drop).map_err(|error| error.to_string())
}

/// Returns one sample of every kind.
fn samples() -> Vec<Sample> {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let sample = |what, name, path: PathBuf, read| Sample {
        what,
        name,
        bytes: std::fs::read(path).unwrap(),
        read,
    };
    let mut nimbers = NimberTable::default();
    for (rows, columns, nimber) in [(1, 1, 1), (7, 1, 1), (3, 3, 1), (2, 9, 3)] {
        let board = Grid::new(Form::Rectangle, &[rows, columns]).unwrap();
        nimbers.insert(board, Nimber(nimber));
    }
    nimbers.save(&directory.join("obstruction.phut")).unwrap();
    let checkpoint = |name: &str| directory.join(name);
    let mut pitch = PitchSolver::new(shape("3x3"), true).unwrap();
    let mut depths = Plies::new(6, ENOUGH).unwrap();
    for _ in 0..3 {
        pitch.step(&Job::default()).unwrap();
        depths.step(&Job::default()).unwrap();
    }
    pitch.save(&checkpoint("pitch")).unwrap();
    depths.save(&checkpoint("depths")).unwrap();
    solved_levels(6).save(&checkpoint("levels")).unwrap();
    let strip = |metric| generate_in(directory, 7, metric);
    let pitch_table = generate_pitch_in(Rules::Ordinary, directory, "4x2");
    let read_strip = read_strip as fn(&Path) -> _;
    vec![
        sample("depths", "strip-7-dtw.phut", strip(Metric::Dtw), read_strip),
        sample("who wins", "strip-7-wdl.phut", strip(Metric::Wdl), read_strip),
        sample("pitch", "pitch-4x2-dtw.phut", pitch_table, read_pitch),
        sample(
            "nimbers",
            "obstruction.phut",
            checkpoint("obstruction.phut"),
            read_nimbers,
        ),
        sample(
            "pitch checkpoint",
            ".pitch-3x3-dtw.checkpoint",
            checkpoint("pitch"),
            resume_pitch,
        ),
        sample(
            "depths checkpoint",
            ".strip-6-dtw.checkpoint",
            checkpoint("depths"),
            resume_depths,
        ),
        sample(
            "winners checkpoint",
            ".strip-6-wdl.checkpoint",
            checkpoint("levels"),
            resume_levels,
        ),
    ]
}

impl Sample {
    /// Reads bytes under the sample's name.
    fn try_bytes(&self, bytes: &[u8]) -> Result<(), String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(self.name);
        std::fs::write(&path, bytes).unwrap();
        (self.read)(&path)
    }

    /// Asserts that bytes are rejected with an error that names the file.
    fn refuses(&self, bytes: &[u8], why: &str) -> String {
        let Err(error) = self.try_bytes(bytes) else {
            panic!("{}, {why}: not refused", self.what);
        };
        assert!(error.contains(self.name), "{why}: no file in: {error}");
        error
    }
}

#[test]
fn every_flipped_byte_and_every_cut_of_every_kind_of_file_is_refused() {
    for sample in samples() {
        let good = &sample.bytes;
        assert_eq!(sample.try_bytes(good), Ok(()), "{}", sample.what);
        (0..good.len()).into_par_iter().for_each(|place| {
            for mask in [1 << (place % 8), 0xff] {
                let mut bytes = good.clone();
                bytes[place] ^= mask;
                sample.refuses(&bytes, &format!("byte {place} ^ {mask:#x}"));
            }
            sample.refuses(&good[..place], &format!("cut to {place} bytes"));
        });
        for more in [1, 64, 4096] {
            let longer = [&good[..], &vec![0; more]].concat();
            let error = sample.refuses(&longer, "added to");
            assert!(error.contains("bytes long, but its header says"), "{error}");
        }
    }
}

#[test]
fn other_versions_and_other_kinds_are_refused_by_name() {
    let samples = samples();
    for sample in &samples {
        for version in [0, 3, 5, 0x0104, 0xffff] {
            let resealed = resealed(&sample.bytes, |parts| parts.version = version);
            let mut unsealed = sample.bytes.clone();
            unsealed[8..10].copy_from_slice(&version.to_le_bytes());
            for bytes in [resealed, unsealed] {
                let error = sample.refuses(&bytes, "another version");
                assert!(error.contains(&format!("format version {version}")), "{error}");
            }
        }
        for kind in [0, 6, 255, 0xffff] {
            sample.refuses(&resealed(&sample.bytes, |parts| parts.kind = kind), "no kind");
        }
        for other in &samples {
            if other.read as usize != sample.read as usize {
                sample.refuses(&other.bytes, other.what);
                let kind = Parts::of(&other.bytes).kind;
                if kind != Parts::of(&sample.bytes).kind {
                    // The right contents under the wrong kind.
                    sample.refuses(
                        &resealed(&sample.bytes, |parts| parts.kind = kind),
                        "another kind",
                    );
                }
            }
        }
        for foreign in [
            &b""[..],
            b"P",
            b"PHUTX",
            &b"a text that is longer than a header ".repeat(20),
        ] {
            sample.refuses(foreign, "foreign");
        }
    }
}

#[test]
fn directories_that_lie_behind_right_checksums_are_refused() {
    for sample in samples() {
        let parts = Parts::of(&sample.bytes);
        let (entries, _) = directory(&sample.bytes);
        let end = entries.last().map_or(32, |(_, offset, size, _)| offset + size);
        let edits: [fn(&mut Vec<Entry>); 9] = [
            |entries| entries[0].1 += 1,
            |entries| entries[0].1 = 0,
            |entries| entries[0].2 += 1,
            |entries| entries[0].2 = u64::MAX,
            |entries| entries[0].2 = 1 << 50,
            |entries| entries[0].3 ^= 1,
            |entries| entries[0].0.push('!'),
            |entries| entries.push(("more".to_string(), 0, 0, 0)),
            |entries| entries.clear(),
        ];
        for (number, edit) in edits.iter().enumerate() {
            let mut edited = entries.clone();
            edit(&mut edited);
            // Resuming from a checkpoint checks each frame's own checksum.
            if number == 5 && sample.what == "pitch checkpoint" {
                continue;
            }
            sample.refuses(&parts.sealed_with(&edited, end), &format!("directory {number}"));
        }
        for wrong in [0, 31, end - 1, end + 1, 1 << 50, u64::MAX] {
            sample.refuses(&parts.sealed_with(&entries, wrong), "the place of the directory");
        }
        for name in entries.iter().map(|(name, ..)| name) {
            let shorter = resealed(&sample.bytes, |parts| _ = parts.section(name).pop());
            // A section may be empty.
            if shorter != sample.bytes {
                sample.refuses(&shorter, &format!("section '{name}' with a byte less"));
            }
            let longer = resealed(&sample.bytes, |parts| parts.section(name).push(0));
            sample.refuses(&longer, &format!("section '{name}' with a byte more"));
        }
    }
}

/// A length, count or size of 2^50 in any field of the metadata is rejected at once.
#[test]
fn metadata_that_claim_the_sky_are_refused_at_once() {
    for sample in samples() {
        let metadata = Parts::of(&sample.bytes).metadata;
        for place in 0..metadata.len() {
            for claim in [1u64 << 50, u64::from(u32::MAX), 0xffff] {
                // Replaces the number that starts here.
                let edited = [&metadata[..place], &encoded(&claim), &metadata[place + 1..]].concat();
                let bytes = resealed(&sample.bytes, |parts| parts.metadata = edited);
                // Some fields may hold any number; reading them must be quick and within bounds.
                let _ = sample.try_bytes(&bytes);
            }
        }
        for claim in [1u64 << 50, u64::MAX] {
            let bytes = resealed(&sample.bytes, |parts| parts.metadata = encoded(&claim));
            sample.refuses(&bytes, "no metadata");
        }
        let longer = resealed(&sample.bytes, |parts| parts.metadata.push(0));
        sample.refuses(&longer, "metadata and more");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_a_directory_and_a_device_are_refused_at_once() {
    use std::os::unix::fs::symlink;
    for sample in samples() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(sample.name);
        let refused = |what: &str| {
            let error = (sample.read)(&path).expect_err(what);
            let expected = format!("{}: not a phutbase file", sample.name);
            assert!(error.contains(&expected), "{what}: {error}");
        };
        phutbase_testing::tools::make_pipe(&path);
        refused("a pipe");
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        refused("a directory");
        std::fs::remove_dir(&path).unwrap();
        symlink("/dev/zero", &path).unwrap();
        refused("a device");
    }
}
