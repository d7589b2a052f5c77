//! Packing the frames of a pitch table in several processes.
//!
//! Each frame is packed by the process that has most of its bytes; ties are broken in turn, the
//! same way in every process. Districts are ranges of chunks, so this process mostly has the whole
//! frame. On pitches of up to 25 points chunks are smaller than frames: other processes may have
//! pieces, which are exchanged before packing.

use crate::games::{Rules, Shape};
use crate::ranks::Team;
use crate::solve::pitch::PitchSolver;
use crate::solve::pitch::depths::{Depths, Piece};
use crate::table::container::blocks::Cut;
use crate::table::pitch::metadata::cut;
use crate::table::pitch::writer::PitchSource;
use std::collections::{BTreeMap, HashMap};

/// The table source of a finished solver. With several processes it has the bytes of the frames
/// that this process packs.
pub struct Frames<'a> {
    solver: &'a PitchSolver,
    cut: Cut,
    /// Number of frames packed by each process.
    pub numbers: Vec<u64>,
    /// Pieces received from other processes, by chunk and offset.
    foreign: HashMap<(usize, usize), Vec<u8>>,
}

impl Frames<'_> {
    /// Receives the pieces of this process's frames from the others. Collective.
    pub fn new(solver: &PitchSolver) -> Frames<'_> {
        let team = solver.team();
        let mut frames = Frames {
            solver,
            cut: cut(solver.layout().shape()),
            numbers: vec![0; team.count()],
            foreign: HashMap::new(),
        };
        // The pieces to send to and to receive from each process.
        let mut going = vec![Vec::new(); team.count()];
        let mut coming = vec![Vec::new(); team.count()];
        for frame in 0..frames.cut.frames() {
            let packer = frames.packer(frame);
            frames.numbers[packer] += 1;
            for piece in frames.pieces(frame) {
                let owner = solver.owner(piece.chunk);
                if owner == packer {
                    continue;
                }
                if packer == team.rank() {
                    coming[owner].push(piece);
                } else if owner == team.rank() {
                    going[packer].push(piece);
                }
            }
        }
        frames.foreign = frames.exchange(&going, &coming);
        frames
    }

    pub fn number(&self) -> u64 {
        self.cut.frames()
    }

    pub fn packer(&self, frame: u64) -> usize {
        let mut has = BTreeMap::new();
        for piece in self.pieces(frame) {
            *has.entry(self.solver.owner(piece.chunk)).or_insert(0) += piece.bytes;
        }
        let most = *has.values().max().expect("no frame is empty");
        has.retain(|_, bytes| *bytes == most);
        let turn = frame as usize % has.len();
        *has.keys().nth(turn).expect("one has the most")
    }

    pub fn own(&self) -> impl Iterator<Item = u64> {
        (0..self.number()).filter(|&frame| self.packer(frame) == self.team().rank())
    }

    pub fn team(&self) -> &Team {
        self.solver.team()
    }

    fn depths(&self) -> &Depths {
        self.solver
            .depths()
            .expect("a table is made of a solver with depths")
    }

    fn pieces(&self, frame: u64) -> impl Iterator<Item = Piece> {
        let Cut { frame_bytes, .. } = self.cut;
        self.depths().pieces.of(frame * frame_bytes, frame_bytes as usize)
    }

    /// Sends pieces to the other processes and receives those of this one.
    fn exchange(&self, going: &[Vec<Piece>], coming: &[Vec<Piece>]) -> HashMap<(usize, usize), Vec<u8>> {
        let room = |pieces: &Vec<Piece>| {
            let bytes: usize = pieces.iter().map(|piece| piece.bytes).sum();
            vec![0u64; bytes.div_ceil(8)]
        };
        let mut sent: Vec<Vec<u64>> = going.iter().map(room).collect();
        for (words, pieces) in sent.iter_mut().zip(going) {
            let mut rest = bytemuck::cast_slice_mut::<u64, u8>(words);
            for piece in pieces {
                let (now, later) = rest.split_at_mut(piece.bytes);
                self.depths().copy_chunk(piece.chunk, piece.at, now);
                rest = later;
            }
        }
        let mut received: Vec<Vec<u64>> = coming.iter().map(room).collect();
        let sends: Vec<(usize, &[u64])> = (sent.iter().enumerate())
            .filter(|(_, words)| !words.is_empty())
            .map(|(rank, words)| (rank, &words[..]))
            .collect();
        let mut receives: Vec<(usize, &mut [u64])> = (received.iter_mut().enumerate())
            .filter(|(_, words)| !words.is_empty())
            .map(|(rank, words)| (rank, &mut words[..]))
            .collect();
        if !sends.is_empty() || !receives.is_empty() {
            self.team().exchange(&sends, &mut receives);
        }
        let mut foreign = HashMap::new();
        for (words, pieces) in received.iter().zip(coming) {
            let mut rest = bytemuck::cast_slice::<u64, u8>(words);
            for piece in pieces {
                let (now, later) = rest.split_at(piece.bytes);
                foreign.insert((piece.chunk, piece.at), now.to_vec());
                rest = later;
            }
        }
        foreign
    }
}

impl PitchSource for Frames<'_> {
    fn shape(&self) -> Shape {
        self.solver.layout().shape()
    }

    fn rules(&self) -> Rules {
        self.solver.rules()
    }

    fn order(&self) -> &[usize] {
        &self.solver.layout().order
    }

    fn copy(&self, start: u64, mut into: &mut [u8]) {
        for piece in self.depths().pieces.of(start, into.len()) {
            let (now, later) = into.split_at_mut(piece.bytes);
            match self.foreign.get(&(piece.chunk, piece.at)) {
                Some(bytes) => now.copy_from_slice(bytes),
                None => self.depths().copy_chunk(piece.chunk, piece.at, now),
            }
            into = later;
        }
        assert!(into.is_empty(), "the range is within the table");
    }
}
