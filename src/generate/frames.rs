//! The frames of the table of a pitch, each packed by one of the processes that share the work.
//!
//! It is the one that has most of a frame, and several such take turns: all know which it is, from the layout. Districts are ranges of
//! chunks, so mostly it has all of it. On pitches of up to 25 points, where chunks are smaller than frames, others may have pieces of some frames; these
//! go where they are wanted before anything is packed.

use crate::games::pitch::Shape;
use crate::games::rules::Rules;
use crate::solve::pitch::PitchSolver;
use crate::solve::pitch::depths::{Depths, Piece};
use crate::solve::ranks::Team;
use crate::table::container::blocks::Cut;
use crate::table::pitch::metadata::cut;
use crate::table::pitch::writer::PitchSource;
use std::collections::{BTreeMap, HashMap};

/// A finished solver as the source of a table; of several processes this has the bytes of the frames that it packs.
pub struct Frames<'a> {
    solver: &'a PitchSolver,
    cut: Cut,
    /// How many frames each process packs.
    numbers: Vec<u64>,
    /// The pieces that others had of what this process packs, by chunk and place in it.
    foreign: HashMap<(usize, usize), Vec<u8>>,
}

impl Frames<'_> {
    /// Gets what others have of the frames of this process. All processes do so at the same time.
    ///
    /// # Panics
    /// If the solver is one without depths.
    pub fn new(solver: &PitchSolver) -> Frames<'_> {
        let team = solver.team();
        let mut frames = Frames {
            solver,
            cut: cut(solver.layout().shape()),
            numbers: vec![0; team.count()],
            foreign: HashMap::new(),
        };
        // What goes to each process, and what comes from it.
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

    /// How many frames there are.
    pub fn number(&self) -> u64 {
        self.cut.frames()
    }

    /// How many of them each process packs.
    pub fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// The process that packs a frame.
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

    /// The frames that this process packs.
    pub fn own(&self) -> impl Iterator<Item = u64> {
        (0..self.number()).filter(|&frame| self.packer(frame) == self.team().rank())
    }

    /// The bytes that others had of them.
    pub fn foreign_bytes(&self) -> usize {
        self.foreign.values().map(Vec::len).sum()
    }

    /// The processes that share the work.
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
        let pieces = self.depths().pieces();
        pieces.of(frame * frame_bytes, frame_bytes as usize)
    }

    /// Sends each process the pieces that it wants and receives those that come from it.
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
        self.solver.layout().order()
    }

    fn copy(&self, start: u64, mut into: &mut [u8]) {
        for piece in self.depths().pieces().of(start, into.len()) {
            let (now, later) = into.split_at_mut(piece.bytes);
            match self.foreign.get(&(piece.chunk, piece.at)) {
                Some(bytes) => now.copy_from_slice(bytes),
                None => self.depths().copy_chunk(piece.chunk, piece.at, now),
            }
            into = later;
        }
        assert!(into.is_empty(), "there are not so many");
    }
}
