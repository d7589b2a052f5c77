//! Every kind of file, attacked in the same ways: each byte flipped by two masks, cut at every length, added to, under the name of
//! another kind, of another version, behind right checksums with sizes that lie; and what is no ordinary file. Always an error that names the
//! file and what to do, never an answer.

use crate::common::container::{Entry, Parts, directory, encoded, resealed};
use crate::games::pitch_support::shape;
use crate::table::support::{generate_diagrams_in, generate_in};
use phutbase::games::obstruction::{Form, Grid};
use phutbase::games::rules::Rules;
use phutbase::generate::TablesLock;
use phutbase::generate::pitch::{PitchRequest, generate_pitch};
use phutbase::nimber::Nimber;
use phutbase::solve::dense::DenseSolver;
use phutbase::solve::pitch::{PitchSolver, Setup};
use phutbase::solve::symbolic::store::SymbolicLimits;
use phutbase::solve::symbolic::{DepthSolver, LevelSolver};
use phutbase::table::Metric;
use phutbase::table::any::Table;
use phutbase::table::nimbers::{NimberTable, nimbers_path};
use phutbase::table::pitch::PitchTable;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A kind of file: a good one, the name it goes by, and reading all of it.
struct Sample {
    what: &'static str,
    name: &'static str,
    bytes: Vec<u8>,
    read: fn(&Path) -> Result<(), String>,
}

fn read_strip(path: &Path) -> Result<(), String> {
    let table = Table::open(path).map_err(|error| error.to_string())?;
    table.check_bytes().map_err(|error| error.to_string())
}

fn read_pitch(path: &Path) -> Result<(), String> {
    let table = PitchTable::open(path.parent().unwrap(), Rules::Ordinary, shape("4x2"))
        .map_err(|error| error.to_string())?;
    table.check_blocks().map_err(|error| error.to_string())
}

fn read_nimbers(path: &Path) -> Result<(), String> {
    NimberTable::read(path)
        .map(drop)
        .map_err(|error| error.to_string())
}

fn resume_dense(path: &Path) -> Result<(), String> {
    let solver = DenseSolver::resume(path, None);
    solver.map(drop).map_err(|error| error.to_string())
}

fn resume_pitch(path: &Path) -> Result<(), String> {
    let solver = PitchSolver::resume(&Setup::in_memory(shape("3x3"), true), path);
    solver.map(drop).map_err(|error| error.to_string())
}

fn resume_depths(path: &Path) -> Result<(), String> {
    let solver = DepthSolver::resume(6, Rules::Ordinary, SymbolicLimits::default(), path);
    solver.map(drop).map_err(|error| error.to_string())
}

fn resume_winners(path: &Path) -> Result<(), String> {
    let solver = LevelSolver::resume(6, Rules::Ordinary, SymbolicLimits::default(), 1, path);
    solver.map(drop).map_err(|error| error.to_string())
}

/// One of every kind.
fn samples() -> Vec<Sample> {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let sample = |what, name, path: PathBuf, read| Sample {
        what,
        name,
        bytes: std::fs::read(path).unwrap(),
        read,
    };
    let diagrams = |metric| generate_diagrams_in(directory, 7, metric);
    let lock = TablesLock::hold(&directory.join("pitches")).unwrap();
    let request = PitchRequest::new(shape("4x2"), &directory.join("pitches"));
    generate_pitch(&request, &lock, &mut |_| ControlFlow::Continue(())).unwrap();
    let mut nimbers = NimberTable::default();
    for (rows, columns, nimber) in [(1, 1, 1), (7, 1, 1), (3, 3, 1), (2, 9, 3)] {
        let board = Grid::flat(Form::Rectangle, rows, columns).unwrap();
        nimbers.insert(board, Nimber(nimber));
    }
    nimbers.save(&nimbers_path(directory)).unwrap();
    let checkpoint = |name: &str| directory.join(name);
    let mut dense = DenseSolver::in_memory(4).unwrap();
    let mut pitch = PitchSolver::new(shape("3x3"), true).unwrap();
    let mut depths = DepthSolver::new(6, SymbolicLimits::default()).unwrap();
    let mut winners = LevelSolver::new(6, SymbolicLimits::default(), 1).unwrap();
    assert!(
        winners
            .run(&mut |_| ControlFlow::Continue(()))
            .unwrap()
            .is_continue()
    );
    for _ in 0..3 {
        dense.step().unwrap();
        pitch.step().unwrap();
        depths.step().unwrap();
    }
    dense.save(&checkpoint("dense")).unwrap();
    pitch.save(&checkpoint("pitch")).unwrap();
    depths.save(&checkpoint("depths")).unwrap();
    winners.save(&checkpoint("winners")).unwrap();
    let dense_table = |length, metric| generate_in(directory, length, metric);
    vec![
        sample(
            "dense dtw",
            "strip-8-dtw.phut",
            dense_table(8, Metric::Dtw),
            read_strip as fn(&Path) -> _,
        ),
        sample(
            "dense wdl",
            "strip-3-wdl.phut",
            dense_table(3, Metric::Wdl),
            read_strip,
        ),
        sample(
            "diagram dtw",
            "strip-7-dtw.phut",
            diagrams(Metric::Dtw),
            read_strip,
        ),
        sample(
            "diagram wdl",
            "strip-7-wdl.phut",
            diagrams(Metric::Wdl),
            read_strip,
        ),
        sample(
            "pitch",
            "pitch-4x2-dtw.phut",
            directory.join("pitches/pitch-4x2-dtw.phut"),
            read_pitch,
        ),
        sample(
            "nimbers",
            "obstruction.phut",
            nimbers_path(directory),
            read_nimbers,
        ),
        sample(
            "dense checkpoint",
            ".strip-4.checkpoint",
            checkpoint("dense"),
            resume_dense,
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
            checkpoint("winners"),
            resume_winners,
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

    /// Asserts that bytes are refused in words that name the file and the way out.
    fn refuses(&self, bytes: &[u8], why: &str) -> String {
        match self.try_bytes(bytes) {
            Ok(()) => panic!("{}, {why}: not refused", self.what),
            Err(error) => {
                assert!(
                    error.contains(self.name),
                    "{}, {why}: no file in: {error}",
                    self.what
                );
                let way_out = ["delete it", "move it out", "use a newer phutbase"];
                let told = way_out.iter().any(|way_out| error.contains(way_out));
                assert!(told, "{}, {why}: no way out in: {error}", self.what);
                error
            }
        }
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
            assert!(error.contains("cut short or added to"), "{error}");
        }
    }
}

#[test]
fn other_versions_and_other_kinds_are_refused_by_name() {
    let samples = samples();
    for sample in &samples {
        for version in [0, 2, 4, 0x0101, 0xffff] {
            let resealed = resealed(&sample.bytes, |parts| parts.version = version);
            let mut unsealed = sample.bytes.clone();
            unsealed[8..10].copy_from_slice(&version.to_le_bytes());
            for bytes in [resealed, unsealed] {
                let error = sample.refuses(&bytes, "another version");
                assert!(error.contains(&format!("format version {version}")), "{error}");
            }
        }
        for kind in [0, 8, 255, 0xffff] {
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

/// A length, count or size of 2^50 in the metadata: refused at once, whatever field it is.
#[test]
fn metadata_that_claim_the_sky_are_refused_at_once() {
    for sample in samples() {
        let metadata = Parts::of(&sample.bytes).metadata;
        let begun = Instant::now();
        for place in 0..metadata.len() {
            for claim in [1u64 << 50, u64::from(u32::MAX), 0xffff] {
                // Whatever number begins here is now this one.
                let edited = [&metadata[..place], &encoded(&claim), &metadata[place + 1..]].concat();
                let bytes = resealed(&sample.bytes, |parts| parts.metadata = edited);
                // Some fields may hold any number; what counts is that the answer comes at once, and in bounds.
                let _ = sample.try_bytes(&bytes);
            }
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{}", sample.what);
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
            assert!(
                error.contains(sample.name) && error.contains("move it out"),
                "{what}: {error}"
            );
        };
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        refused("a pipe");
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        refused("a directory");
        std::fs::remove_dir(&path).unwrap();
        symlink("/dev/zero", &path).unwrap();
        refused("a device");
    }
}

/// A file that is cut or written over while it is open gives an error or the right answer, small or large.
#[test]
fn what_happens_to_an_open_file_changes_no_answer() {
    use crate::table::support::positions;
    use phutbase::table::container::read::Container;
    use phutbase::table::dense::DenseTable;
    let directory = tempfile::tempdir().unwrap();
    let path = generate_in(directory.path(), 22, Metric::Dtw);
    let good = std::fs::read(&path).unwrap();
    // Larger than what is read at once: the same table in frames that are stored, not packed.
    let large = resealed(&good, |parts| {
        let packed = parts.section("blocks").clone();
        let frames: Vec<Vec<u8>> = (parts.frames().into_iter())
            .map(|frame| {
                let raw = zstd::bulk::decompress(&packed[frame], 32_768).unwrap();
                // A frame of zstd with one raw block and nothing else.
                let mut stored = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
                stored.extend((raw.len() as u32).to_le_bytes());
                stored.extend(&((raw.len() as u32) << 3 | 1).to_le_bytes()[..3]);
                stored.extend(raw);
                stored
            })
            .collect();
        parts.set_frames(&frames);
    });
    assert!(large.len() > 4 << 20, "{} bytes", large.len());
    let strips: Vec<_> = positions(22).step_by(100_003).collect();
    let values = Table::open(&path).unwrap().verdicts(&strips).unwrap();
    for (bytes, may_fail) in [(&good, false), (&large, true)] {
        for damage in 0..3 {
            std::fs::write(&path, bytes).unwrap();
            let table = DenseTable::new(Container::open(&path).unwrap(), 0).unwrap();
            assert_eq!(table.verdicts(&strips).unwrap(), values);
            match damage {
                0 => std::fs::write(&path, &bytes[..100]).unwrap(),
                1 => std::fs::write(&path, vec![0; bytes.len()]).unwrap(),
                _ => std::fs::write(&path, [&bytes[4096..], &bytes[..4096]].concat()).unwrap(),
            }
            let mut failed = 0;
            for (strip, &value) in strips.iter().zip(&values) {
                match table.verdict(strip) {
                    Ok(found) => assert_eq!(found, value, "'{strip}'"),
                    Err(error) => {
                        assert!(error.to_string().contains("damaged"), "{error}");
                        failed += 1;
                    }
                }
            }
            assert_eq!(failed > 0, may_fail, "damage {damage}: {failed} failed");
        }
    }
}
