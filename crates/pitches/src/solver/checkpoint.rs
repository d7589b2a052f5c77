//! Checkpoints of the work on a shape.
//!
//! Both sets and the depths of some chunks are one sequence of bytes in the
//! [store of blocks](phutbase_files::container::blocks) of a container. A file may list *parts* with
//! the other chunks: files with the same beginning of their name. It is written last, so that its
//! presence means a complete ply.

use super::{FIRST_PLIES, MAX_PLIES, PitchSolveError, PitchSolver, Setup};
use crate::block::Block;
use bincode::{Decode, Encode};
use phutbase_base::job::Job;
use phutbase_files::container::blocks::{Blocks, Cut, MAX_FRAME_BYTES, SECTIONS};
use phutbase_files::container::read::Container;
use phutbase_files::container::write::{packed, write_blocks, write_file};
use phutbase_files::container::{FileKind, HEADER_BYTES};
use phutbase_files::error::{FileError, ResumeError, expect_same, io_error};
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Why work could not resume from a checkpoint.
pub type CheckpointError = ResumeError<PitchSolveError>;

/// Number of depth bytes restored at a time.
const PIECE: usize = 1 << 20;
/// The zstd level: checkpoints are written often and read rarely.
const ZSTD_LEVEL: i32 = 1;

#[derive(Encode, Decode)]
struct CheckpointMetadata {
    rows: u8,
    columns: u8,
    with_depths: bool,
    counts: Vec<u64>,
    chunks: Vec<u32>,
    parts: Vec<Part>,
}

/// A file with other chunks.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Part {
    /// Suffix of its file name.
    pub name: String,
    /// CRC-32 of its header, which contains the checksum of all checksums in the file.
    pub checksum: u32,
}

pub fn part_file(path: &Path, name: &str) -> PathBuf {
    let mut file = path.as_os_str().to_owned();
    file.push(name);
    file.into()
}

pub fn remove(path: &Path) {
    // Ignore errors: a leftover checkpoint does no harm.
    let _ = std::fs::remove_file(path);
    remove_parts(path);
}

/// Removes the parts that a checkpoint does not list; all of them if it does not exist.
pub fn remove_parts(path: &Path) {
    let kept = Container::open(path)
        .and_then(|container| container.metadata::<CheckpointMetadata>(FileKind::PitchCheckpoint));
    let kept: Vec<PathBuf> = kept.map_or(Vec::new(), |metadata| {
        metadata
            .parts
            .iter()
            .map(|part| part_file(path, &part.name))
            .collect()
    });
    let (Some(directory), Some(begin)) = (path.parent(), path.file_name()) else {
        return;
    };
    let begin = format!("{}-ply", begin.to_string_lossy());
    // Ignore errors: a leftover part that no checkpoint lists does no harm.
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&begin) && !kept.contains(&entry.path()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

impl PitchSolver {
    /// Saves the state after the last complete ply to `path`, replacing an older checkpoint.
    /// On errors the older checkpoint is intact, or replaced by the complete new one if only flushing
    /// the directory failed.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        self.write_chunks(path, Vec::new())?;
        remove_parts(path);
        Ok(())
    }

    /// Writes the chunks held here to a file that lists `parts`.
    pub fn write_chunks(&self, path: &Path, parts: Vec<Part>) -> Result<(), FileError> {
        let shape = self.layout().shape();
        let contents = self.contents();
        write_file(path, (FileKind::PitchCheckpoint, self.rules), |out| {
            let fill = |start: u64, into: &mut [u8]| contents.copy(start, into);
            write_blocks(out, packed(of_bytes(contents.bytes), ZSTD_LEVEL, fill))?;
            Ok(CheckpointMetadata {
                rows: shape.rows() as u8,
                columns: shape.columns() as u8,
                with_depths: self.depths.is_some(),
                counts: self.counts.clone(),
                chunks: self.chunks.iter().map(|&chunk| chunk as u32).collect(),
                parts,
            })
        })
    }

    /// Resumes from a checkpoint of the same shape. Ends soon after `job` is stopped.
    pub fn resume(setup: &Setup, path: &Path, job: &Job) -> Result<PitchSolver, CheckpointError> {
        let saved = Checkpoint::open(setup, path)?;
        let solver = PitchSolver::begin(setup).map_err(CheckpointError::Engine)?;
        saved.restore(solver, job)
    }

    /// Reads the chunks in a file that are held here, and returns them.
    fn read_chunks(
        &mut self,
        chunks: &[u32],
        container: Container,
        job: &Job,
    ) -> Result<Vec<usize>, CheckpointError> {
        let check = || {
            job.check()
                .map_err(|stopped| CheckpointError::Engine(stopped.into()))
        };
        let in_file = |chunk: &usize| chunks.binary_search(&(*chunk as u32)).is_ok();
        let found: Vec<usize> = self.chunks.iter().copied().filter(in_file).collect();
        if found.is_empty() {
            return Ok(found);
        }
        let in_range = |&last: &u32| (last as usize) < self.layout().chunks();
        if !chunks.is_sorted_by(|a, b| a < b) || !chunks.last().is_some_and(in_range) {
            return Err(container
                .corrupt("its list of chunks is not ascending or out of range")
                .into());
        }
        let set_bytes = |chunk: usize| (self.prepared.stores.places.size(chunk) * size_of::<Block>()) as u64;
        let depth_bytes =
            |chunk: usize| (self.depths.as_ref()).map_or(0, |depths| depths.pieces.chunk_bytes(chunk) as u64);
        let all = chunks
            .iter()
            .map(|&chunk| 2 * set_bytes(chunk as usize) + depth_bytes(chunk as usize))
            .sum();
        let [blocks, index] = container.sections(SECTIONS)?.clone();
        let blocks = Blocks::open(container, [&blocks, &index], of_bytes(all))?;
        let mut place = 0;
        for set in &mut self.sets {
            for chunk in chunks.iter().map(|&chunk| chunk as usize) {
                check()?;
                if !set[chunk].is_empty() {
                    let set = bytemuck::cast_slice_mut::<Block, u8>(&mut set[chunk]);
                    blocks.read(place, set)?;
                }
                place += set_bytes(chunk);
            }
        }
        let Some(depths) = &self.depths else {
            return Ok(found);
        };
        let mut piece = Vec::new();
        for chunk in chunks.iter().map(|&chunk| chunk as usize) {
            let bytes = depths.chunk_bytes(chunk);
            for start in (0..bytes).step_by(PIECE) {
                check()?;
                piece.resize((bytes - start).min(PIECE), 0);
                blocks.read(place + start as u64, &mut piece)?;
                depths.restore(chunk, start, &piece);
            }
            place += depth_bytes(chunk);
        }
        Ok(found)
    }

    fn contents(&self) -> Contents<'_> {
        let mut contents = Contents::default();
        for set in &self.sets {
            for &chunk in &self.chunks {
                let bytes = bytemuck::cast_slice::<Block, u8>(&set[chunk]);
                contents.push(bytes.len(), move |skip, into| {
                    into.copy_from_slice(&bytes[skip..][..into.len()]);
                });
            }
        }
        for &chunk in &self.chunks {
            let Some(depths) = &self.depths else { break };
            contents.push(depths.chunk_bytes(chunk), move |skip, into| {
                depths.copy_chunk(chunk, skip, into);
            });
        }
        contents
    }
}

/// An open checkpoint.
pub struct Checkpoint {
    /// The new positions of each ply.
    counts: Vec<u64>,
    files: Vec<(CheckpointMetadata, Container)>,
}

impl Checkpoint {
    /// Opens all files of a checkpoint.
    pub fn open(setup: &Setup, path: &Path) -> Result<Checkpoint, FileError> {
        let (list, container) = open(setup, path)?;
        let (counts, parts) = (list.counts.clone(), list.parts.clone());
        let mut files = vec![(list, container)];
        for part in parts {
            let file = part_file(path, &part.name);
            if checksum(&file)? != part.checksum {
                let field = "it is not the part that the checkpoint lists";
                return Err(FileError::corrupt(&file, field));
            }
            files.push(open(setup, &file)?);
        }
        Ok(Checkpoint { counts, files })
    }

    /// Fills the chunks of a new solver, until `job` is stopped.
    pub fn restore(self, mut solver: PitchSolver, job: &Job) -> Result<PitchSolver, CheckpointError> {
        let path = self.files[0].1.path().to_path_buf();
        let mut found = Vec::new();
        for (metadata, container) in self.files {
            found.extend(solver.read_chunks(&metadata.chunks, container, job)?);
        }
        found.sort_unstable();
        if found != solver.chunks {
            return Err(FileError::corrupt(&path, "its parts do not hold every chunk once").into());
        }
        // The checkpoint has no maps: the next ply scans all blocks.
        solver.full_scan_through = FIRST_PLIES.max(self.counts.len() + 1);
        solver.counts = self.counts;
        Ok(solver)
    }
}

/// Opens one file of a checkpoint and checks that it belongs to the setup.
fn open(setup: &Setup, path: &Path) -> Result<(CheckpointMetadata, Container), FileError> {
    let container = Container::open(path)?;
    container.check_rules(setup.rules)?;
    let metadata: CheckpointMetadata = container.metadata(FileKind::PitchCheckpoint)?;
    let words = |rows: usize, columns: usize, depths| {
        format!("{rows}x{columns}{}", if depths { " with depths" } else { "" })
    };
    let found = words(
        metadata.rows.into(),
        metadata.columns.into(),
        metadata.with_depths,
    );
    let expected = words(setup.shape.rows(), setup.shape.columns(), setup.with_depths);
    expect_same(path, "the pitch", found, expected)?;
    if metadata.counts.len() > usize::from(MAX_PLIES) {
        return Err(container.corrupt("it has more plies than fit into a depth byte"));
    }
    let counted: u128 = metadata.counts.iter().map(|&count| u128::from(count)).sum();
    if counted > (setup.shape.interior().len() as u128) << setup.shape.points() {
        return Err(container.corrupt("it counts more positions than the pitch has"));
    }
    Ok((metadata, container))
}

pub fn checksum(file: &Path) -> Result<u32, FileError> {
    let mut header = [0; HEADER_BYTES];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut header));
    read.map_err(io_error(file, "read it"))?;
    Ok(crc32fast::hash(&header))
}

fn of_bytes(bytes: u64) -> Cut {
    Cut {
        bytes,
        frame_bytes: MAX_FRAME_BYTES,
    }
}

/// Copies bytes of a piece from a place on.
type Copy<'s> = Box<dyn Fn(usize, &mut [u8]) + Sync + 's>;

/// All bytes of a file, one chunk after the other.
#[derive(Default)]
struct Contents<'s> {
    /// The pieces that are not empty, each with its range in the sequence.
    pieces: Vec<(Range<u64>, Copy<'s>)>,
    bytes: u64,
}

impl<'s> Contents<'s> {
    fn push(&mut self, size: usize, copy: impl Fn(usize, &mut [u8]) + Sync + 's) {
        let range = self.bytes..self.bytes + size as u64;
        if size > 0 {
            self.bytes = range.end;
            self.pieces.push((range, Box::new(copy)));
        }
    }

    fn copy(&self, mut start: u64, mut into: &mut [u8]) {
        let first = self.pieces.partition_point(|(range, _)| range.end <= start);
        for (range, copy) in &self.pieces[first..] {
            let (now, later) = into.split_at_mut(into.len().min((range.end - start) as usize));
            copy((start - range.start) as usize, now);
            (start, into) = (range.end, later);
            if into.is_empty() {
                return;
            }
        }
    }
}
