//! Values on disk: the file format, writing, probing. Knows no solver.
//!
//! A table of N squares holds every strip of at most N squares: a board of n squares is looked up with N − n stones behind its right
//! end (Lemma 1 of `docs/PROOF.md`). It answers one question, in how many plies Left wins, for boards with Left to move and for boards
//! with Right to move. Right wins a board exactly if Left wins its mirror image, so that one or two lookups give every value.
//!
//! ```text
//!     position ──Tablebase──> table ──walk──> node, node, … ──> value
//!                                              └── frame (mapped; zstd, checked and cached when first touched)
//! ```
//!
//! `docs/FORMAT.md` has the format byte by byte.
//!
//! * [`container`] — what every file has in common: sections, checksums, the atomic writer, frames and their cache;
//! * [`id`] — which boards a table holds, and the name of its file;
//! * [`strip`] — tables of strips: decision diagrams; [`values`] — all values of one length at once;
//! * [`pitch`] — tables of small pitches: a byte for each position;
//! * [`nimbers`] — nimbers of Obstruction boards;
//! * [`mod@places`] — where tables are looked for; [`embedded`] — those that are part of the program;
//! * [`tablebase`] — the tables of several places as one;
//! * [`lock`] — a directory held for writing;
//! * [`error`] — what can be wrong with a table.

pub mod container;
pub mod embedded;
pub mod error;
pub mod id;
#[cfg(feature = "cli")]
pub mod lock;
pub mod nimbers;
pub mod pitch;
pub mod places;
pub mod strip;
pub mod tablebase;
pub mod values;

use crate::outcome::{Verdict, words};
use bincode::{Decode, Encode};
use num_bigint::BigUint;

/// What the values of a table say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Encode, Decode)]
pub enum Metric {
    /// Depth to win: win, loss or draw, with the plies to the end.
    Dtw,
    /// Win, loss or draw only.
    Wdl,
}

words!(Metric: Dtw = "dtw", Wdl = "wdl");

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

/// Counts of the positions of a board size with the first player to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Positions that the player to move wins.
    pub wins: BigUint,
    /// Positions that the player to move loses.
    pub losses: BigUint,
    /// Positions that neither player wins.
    pub draws: BigUint,
    /// Plies of the longest win; 0 where depths are not stored, or if there is no win.
    pub longest_win: u16,
    /// Plies of the longest loss; 0 where depths are not stored, or if there is no loss.
    pub longest_loss: u16,
}

impl Summary {
    /// All positions.
    pub fn positions(&self) -> BigUint {
        &self.wins + &self.losses + &self.draws
    }

    /// Plies of the longest game; 0 where depths are not stored.
    pub fn longest(&self) -> u16 {
        self.longest_win.max(self.longest_loss)
    }
}
