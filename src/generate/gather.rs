//! The depths of all processes, handed over to be written by the first one.

use crate::games::pitch::Shape;
use crate::games::rules::Rules;
use crate::solve::pitch::PitchSolver;
use crate::solve::pitch::depths::{Depths, Piece};
use crate::table::pitch::writer::PitchSource;
use std::sync::RwLock;

/// Bytes that the others send at a time.
const WINDOW: u64 = 64 << 20;

/// A finished solver as the source of a table.
///
/// The first process asks the others for one window of the bytes after the other; they [`serve`] it until it has all.
pub(super) struct Gathered<'a> {
    solver: &'a PitchSolver,
    /// The bytes of a window, by its number.
    window: RwLock<(u64, Vec<u8>)>,
}

/// The bytes of a window that a process has, in order.
fn pieces(solver: &PitchSolver, window: u64, rank: usize) -> impl Iterator<Item = Piece> {
    let pieces = depths(solver).pieces().of(window * WINDOW, WINDOW as usize);
    pieces.filter(move |piece| solver.owner(piece.chunk) == rank)
}

fn depths(solver: &PitchSolver) -> &Depths {
    solver.depths().expect("a table is made of a solver with depths")
}

/// Room for the bytes of a window that a process has, in words.
fn room(solver: &PitchSolver, window: u64, rank: usize) -> Vec<u64> {
    let bytes: usize = pieces(solver, window, rank).map(|piece| piece.bytes).sum();
    vec![0; bytes.div_ceil(8)]
}

/// Sends the first process what it asks for, until it asks for no more.
pub(super) fn serve(solver: &PitchSolver) {
    let team = solver.team();
    loop {
        let mut asked = [0];
        team.exchange(&[], &mut [(0, &mut asked)]);
        let Some(window) = asked[0].checked_sub(1) else {
            return;
        };
        let mut words = room(solver, window, team.rank());
        let mut rest = bytemuck::cast_slice_mut::<u64, u8>(&mut words);
        for piece in pieces(solver, window, team.rank()) {
            let (into, others) = rest.split_at_mut(piece.bytes);
            depths(solver).copy_chunk(piece.chunk, piece.at, into);
            rest = others;
        }
        if !words.is_empty() {
            team.exchange(&[(0, &words)], &mut []);
        }
    }
}

impl Gathered<'_> {
    pub(super) fn new(solver: &PitchSolver) -> Gathered<'_> {
        Gathered {
            solver,
            window: RwLock::new((u64::MAX, Vec::new())),
        }
    }

    /// Lets the others go.
    pub(super) fn end(&self) {
        self.ask(0);
    }

    fn ask(&self, word: u64) {
        let others = 1..self.solver.team().count();
        let words = [word];
        let sends: Vec<(usize, &[u64])> = others.map(|rank| (rank, &words[..])).collect();
        if !sends.is_empty() {
            self.solver.team().exchange(&sends, &mut []);
        }
    }

    /// The bytes of a window, from all processes.
    fn fetch(&self, window: u64) -> Vec<u8> {
        let solver = self.solver;
        self.ask(window + 1);
        let mut rooms: Vec<Vec<u64>> = (0..solver.team().count())
            .map(|rank| room(solver, window, rank))
            .collect();
        let others = rooms
            .iter_mut()
            .enumerate()
            .skip(1)
            .filter(|(_, room)| !room.is_empty());
        let mut receives: Vec<(usize, &mut [u64])> =
            others.map(|(rank, room)| (rank, &mut room[..])).collect();
        solver.team().exchange(&[], &mut receives);
        let mut rests: Vec<&[u8]> = rooms.iter().map(|room| bytemuck::cast_slice(room)).collect();
        let mut bytes = Vec::new();
        for piece in depths(solver).pieces().of(window * WINDOW, WINDOW as usize) {
            let from = &mut rests[solver.owner(piece.chunk)];
            let start = bytes.len();
            if solver.owner(piece.chunk) == 0 {
                bytes.resize(start + piece.bytes, 0);
                depths(solver).copy_chunk(piece.chunk, piece.at, &mut bytes[start..]);
            } else {
                let (these, others) = from.split_at(piece.bytes);
                bytes.extend(these);
                *from = others;
            }
        }
        bytes
    }
}

impl PitchSource for Gathered<'_> {
    fn shape(&self) -> Shape {
        self.solver.layout().shape()
    }

    fn rules(&self) -> Rules {
        self.solver.rules()
    }

    fn engine(&self) -> &str {
        "pitch"
    }

    fn order(&self) -> &[usize] {
        self.solver.layout().order()
    }

    fn copy(&self, start: u64, into: &mut [u8]) {
        if self.solver.team().count() == 1 {
            return depths(self.solver).copy(start, into);
        }
        // No frame of a table lies in two windows.
        let (window, at) = (start / WINDOW, (start % WINDOW) as usize);
        loop {
            let held = self.window.read().expect("no reader panics");
            if held.0 == window {
                into.copy_from_slice(&held.1[at..][..into.len()]);
                return;
            }
            drop(held);
            let mut held = self.window.write().expect("no reader panics");
            if held.0 != window {
                *held = (window, self.fetch(window));
            }
        }
    }
}
