//! Packs a pitch table in all processes and writes it in the first.
//!
//! Each process packs the frames of which it has all bytes, in table order, into a file beside the
//! checkpoint. Districts are ranges of chunks, so most frames have one owner. On pitches of up to
//! 25 points chunks are smaller than frames, and the pieces of the other frames precede the packed
//! ones as they are. The first process packs these frames, and copies the others into the table.
//! [`forget_checkpoint`](Request::forget_checkpoint) removes the files.

use super::ClusterSolver;
use super::ranks::TeamError;
use phutbase_files::container::blocks::Cut;
use phutbase_files::error::io_error;
use phutbase_pitches::solver::Setup;
use phutbase_pitches::solver::checkpoint::part_file;
use phutbase_pitches::solver::depths::{Depths, Piece};
use phutbase_rules::pitch::depths::PitchSource;
use phutbase_rules::{Rules, Shape};
use phutbase_solve::generate::{GenerateError, Request};
use phutbase_tables::TableError;
use phutbase_tables::pitch::metadata::cut;
use phutbase_tables::pitch::writer::{DepthCounts, pack, write_packed};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Writes the table of a finished solver. Collective.
pub fn write(cluster: &ClusterSolver, request: &Request<Setup>) -> Result<(), TeamError<GenerateError>> {
    let team = &cluster.team;
    let (checkpoint, plies) = (request.checkpoint(), cluster.solver.counts().len());
    let file = |rank| part_file(&checkpoint, &format!("-ply{plies}-rank{rank}-frames"));
    let files: Vec<PathBuf> = (0..team.count()).map(file).collect();
    let frames = Frames {
        cluster,
        cut: cut(cluster.solver.layout().shape()),
        pieces: HashMap::new(),
    };
    let own = &files[team.rank()];
    let packed = frames.pack_into(own).map_err(io_error(own, "write it"));
    let counts = team.agree(packed.map_err(GenerateError::from))?;
    let words = team.gather(counts.words());
    let (words, _) = words.as_chunks();
    let counts: Vec<DepthCounts> = words.iter().map(DepthCounts::of_words).collect();
    let written = if team.is_first() {
        frames.write(&files, &counts, &request.tables)
    } else {
        Ok(())
    };
    team.agree(written.map_err(GenerateError::from))
}

/// The table source of a finished solver.
struct Frames<'a> {
    cluster: &'a ClusterSolver,
    cut: Cut,
    /// In the first process the bytes of frames with several owners, by chunk and offset.
    pieces: HashMap<(usize, usize), Vec<u8>>,
}

impl Frames<'_> {
    /// Returns the process that has all bytes of a frame; `None` if several have some.
    fn owner(&self, frame: u64) -> Option<usize> {
        let mut owners = self.pieces(frame).map(|piece| self.cluster.owner(piece.chunk));
        let first = owners.next().expect("no frame is empty");
        owners.all(|owner| owner == first).then_some(first)
    }

    /// Iterates over the frames with this owner.
    fn of(&self, owner: Option<usize>) -> impl Iterator<Item = u64> {
        (0..self.cut.frames()).filter(move |&frame| self.owner(frame) == owner)
    }

    fn pieces(&self, frame: u64) -> impl Iterator<Item = Piece> {
        let Cut { frame_bytes, .. } = self.cut;
        self.depths().pieces.of(frame * frame_bytes, frame_bytes as usize)
    }

    /// Iterates over the pieces that a process has of frames with several owners.
    fn pieces_of(&self, rank: usize) -> impl Iterator<Item = Piece> {
        let pieces = self.of(None).flat_map(|frame| self.pieces(frame));
        pieces.filter(move |piece| self.cluster.owner(piece.chunk) == rank)
    }

    fn depths(&self) -> &Depths {
        let depths = self.cluster.solver.depths();
        depths.expect("a table is made of a solver with depths")
    }

    /// Writes the file of this process: its pieces of frames with several owners, then its own
    /// frames, packed, each behind its size. Returns the counts of the packed bytes.
    fn pack_into(&self, path: &Path) -> io::Result<DepthCounts> {
        let rank = self.cluster.team.rank();
        let mut out = BufWriter::new(File::create(path)?);
        for piece in self.pieces_of(rank) {
            let mut bytes = vec![0; piece.bytes];
            self.depths().copy_chunk(piece.chunk, piece.at, &mut bytes);
            out.write_all(&bytes)?;
        }
        let mut counts = DepthCounts::NONE;
        for packed in pack(self, self.of(Some(rank))) {
            let (frame, seen) = packed?;
            counts.add(&seen);
            out.write_all(&(frame.len() as u64).to_le_bytes())?;
            out.write_all(&frame)?;
        }
        out.flush()?;
        Ok(counts)
    }

    /// Writes the table from the files of all processes.
    fn write(mut self, files: &[PathBuf], counts: &[DepthCounts], tables: &Path) -> Result<(), TableError> {
        let mut readers = Vec::new();
        for (rank, file) in files.iter().enumerate() {
            let reader = self.open(rank, file);
            readers.push(reader.map_err(io_error(file, "read it"))?);
        }
        let mut shared = pack(&self, self.of(None));
        // The first frame with one owner carries the counts of all of them.
        let mut counts = counts.iter();
        let packed = (0..self.cut.frames()).map(|frame| match self.owner(frame) {
            None => shared.next().expect("all frames with several owners are packed"),
            Some(owner) => {
                let mut seen = DepthCounts::NONE;
                counts.by_ref().for_each(|counts| seen.add(counts));
                Ok((next_frame(&mut readers[owner])?, seen))
            }
        });
        write_packed(&self, tables, packed).map(drop)
    }

    /// Opens the file of a process and reads its pieces.
    fn open(&mut self, rank: usize, file: &Path) -> io::Result<BufReader<File>> {
        let mut reader = BufReader::new(File::open(file)?);
        for piece in self.pieces_of(rank).collect::<Vec<_>>() {
            let mut bytes = vec![0; piece.bytes];
            reader.read_exact(&mut bytes)?;
            self.pieces.insert((piece.chunk, piece.at), bytes);
        }
        Ok(reader)
    }
}

/// Reads a frame behind its size.
fn next_frame(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let (mut size, mut frame) = ([0; 8], Vec::new());
    file.read_exact(&mut size)?;
    file.take(u64::from_le_bytes(size)).read_to_end(&mut frame)?;
    Ok(frame)
}

impl PitchSource for Frames<'_> {
    fn shape(&self) -> Shape {
        self.cluster.solver.layout().shape()
    }

    fn rules(&self) -> Rules {
        self.cluster.solver.rules()
    }

    fn order(&self) -> &[usize] {
        &self.cluster.solver.layout().order
    }

    fn copy(&self, start: u64, mut into: &mut [u8]) {
        for piece in self.depths().pieces.of(start, into.len()) {
            let (now, later) = into.split_at_mut(piece.bytes);
            match self.pieces.get(&(piece.chunk, piece.at)) {
                Some(bytes) => now.copy_from_slice(bytes),
                None => self.depths().copy_chunk(piece.chunk, piece.at, now),
            }
            into = later;
        }
        assert!(into.is_empty(), "the range is within the table");
    }
}
