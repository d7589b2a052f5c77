//! Values on disk: the file format, writing, probing. Knows no solver.
//!
//! A table holds the values of every position of one length. It does so without mirroring, as *two planes* of the
//! question 'in how many plies does Left win?': one for positions with Left to move, one for Right to move. The value of a
//! position with Left to move is a win if its own byte says so, a loss if its mirror image's byte does, else a draw.
//!
//! ```text
//!     place ──trie──> block number ──> frame (zstd, checked, cached) ──> block ──> depth byte
//! ```
//!
//! Planes are cut into blocks of 4,096 positions; equal blocks are stored once. That is the *dense* layout. In the *diagram*
//! layout the same two planes are sets, one for each number of plies, held as decision diagrams that are walked in place.
//! `docs/FORMAT.md` has the format byte by byte.
//!
//! * [`container`] — what every file has in common: sections, checksums, the atomic writer, the store of blocks;
//! * [`header`] — what the table of a strip says of itself;
//! * [`trie`] — which block stands where;
//! * [`writer`] — making a dense file;
//! * [`dense`] — opening and probing one dense file;
//! * [`diagram`] — the same for diagrams;
//! * [`any`] — a table of either layout; [`values`] — all its values at once;
//! * [`pitch`] — values of small pitches;
//! * [`nimbers`] — nimbers of Obstruction boards;
//! * [`mod@places`] — where tables are looked for; [`embedded`] — those that are part of the program;
//! * [`directory`] — all of them as one tablebase;
//! * [`lock`] — a directory held for writing;
//! * [`error`] — what can be wrong, and the way out.

pub mod any;
pub mod container;
pub mod dense;
pub mod diagram;
pub mod directory;
pub mod embedded;
pub mod error;
pub mod header;
#[cfg(feature = "cli")]
pub mod lock;
pub mod nimbers;
pub mod pitch;
pub mod places;
pub mod trie;
pub mod values;
#[cfg(feature = "cli")]
pub mod writer;

use crate::games::rules::Rules;
use crate::outcome::{Side, Verdict, words};
use std::path::{Path, PathBuf};

/// What the values of a table say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Depth to win: win, loss or draw, with the plies to the end.
    Dtw = 1,
    /// Win, loss or draw only.
    Wdl = 2,
}

impl Metric {
    /// Both metrics, the one that says more first.
    pub const ALL: [Metric; 2] = [Metric::Dtw, Metric::Wdl];

    fn from_code(code: u8) -> Option<Metric> {
        Metric::ALL.into_iter().find(|metric| *metric as u8 == code)
    }
}

words!(Metric: Dtw = "dtw", Wdl = "wdl");

/// How a file holds its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Every position has its place in a block; equal blocks are stored once.
    Dense,
    /// The sets of positions are decision diagrams.
    Diagram,
}

words!(Layout: Dense = "dense", Diagram = "diagram");

/// A turn of a position with its value for the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated<T, A> {
    /// The turn.
    pub turn: T,
    /// The board after it.
    pub after: A,
    /// Its value, in plies from the position before it.
    pub verdict: Verdict,
}

/// The longest strip of the dense layout; longer ones pass what a depth byte, a block number or any disk holds.
pub const MAX_DENSE_LENGTH: usize = 40;

/// Pattern bits inside a block: a block holds the positions that differ in the lowest 12 pattern bits.
pub const BLOCK_BITS: usize = 12;

/// The pattern bits inside a block of tables for `length`: all of them on short strips.
pub fn low_bits(length: usize) -> usize {
    (length - 1).min(BLOCK_BITS)
}

/// The place of a block: planes in the order Left to move, Right to move; in a plane, ball squares ascending; for a ball
/// square, high patterns (the pattern without its lowest 12 bits) ascending.
pub fn place(length: usize, to_move: Side, ball: usize, high: u64) -> u64 {
    let high_bits = length - 1 - low_bits(length);
    let plane = match to_move {
        Side::Left => 0,
        Side::Right => length as u64 - 2,
    };
    ((plane + ball as u64 - 1) << high_bits) | high
}

/// The number of blocks of a length, both planes together.
pub fn places(length: usize) -> u64 {
    (2 * (length as u64 - 2)) << (length - 1 - low_bits(length))
}

/// The file of a table in its directory.
pub fn table_path(directory: &Path, rules: Rules, length: usize, metric: Metric) -> PathBuf {
    directory.join(format!("{}strip-{length}-{metric}.phut", rules.prefix()))
}
