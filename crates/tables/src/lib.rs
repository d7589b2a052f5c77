//! Exact values of Phutball from tables: the file format, writing and probing, without any solver.
//!
//! ```
//! use phutbase_tables::{SearchPath, Tablebase};
//! let tables = Tablebase::search(SearchPath::all())?; // of this program and in the usual places
//! let strip = "o@o.o.o....".parse()?;
//! assert_eq!(tables.value(&strip)?.to_string(), "win in 13");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A table of N squares holds every strip of at most N squares: a board of n squares is looked up
//! with N − n stones behind its right end (Lemma 1 of `docs/PROOF.md`). It stores in how many plies
//! Left wins, with Left to move and with Right to move. Right wins a board exactly if Left wins its
//! mirror image, so one or two lookups give every value.
//!
//! ```text
//!     position ──Tablebase──> table of strips ──walk──> node, node, …   ──> value    unpacked and checked when opened
//!                             table of a pitch ──index─> byte of a frame ──> value    mapped; a frame is checked when first used
//! ```
//!
//! `docs/FORMAT.md` describes the format byte by byte.
//!
//! * [`id`] — the boards that a table holds, and its file name;
//! * [`strip`] — tables of strips: decision diagrams;
//! * [`pitch`] — tables of small pitches: a byte for each position;
//! * [`nimbers`] — nimbers of Obstruction boards;
//! * [`mod@places`] — the directories that are searched; [`shipped`] — the tables in the program;
//! * [`board_table`] — the boards of one size, of strips or of a pitch;
//! * [`tablebase`] — the tables of several directories as one; [`values`] — all values of a length or a
//!   pitch;
//! * [`lock`] — the write lock on a directory;
//! * [`error`] — errors of tables; [`advice`] — the commands that help.

#![deny(missing_docs)]

pub mod advice;
pub mod board_table;
pub mod error;
pub mod id;
pub mod lock;
pub mod nimbers;
pub mod pitch;
pub mod places;
pub mod shipped;
pub mod strip;
pub mod tablebase;
pub mod values;

use bincode::{Decode, Encode};
pub use board_table::BoardTable;
pub use error::TableError;
pub use id::TableId;
pub use nimbers::NimberTable;
use num_bigint::BigUint;
use phutbase_base::outcome::words;
use phutbase_rules::pitch::{Shape, positions};
pub use pitch::PitchTable;
pub use pitch::cache::FrameCache;
pub use places::SearchPath;
pub use strip::StripTable;
pub use strip::sets::StripSets;
pub use tablebase::Tablebase;
/// The crates whose types functions take.
pub use {phutbase_base, phutbase_rules};

/// Maximum length of strips whose depths have been computed.
pub const MAX_LENGTH_WITH_DEPTHS: usize = 44;

/// Maximum points of a pitch that fits in the memory of an ordinary machine.
pub const POINTS_IN_MEMORY: usize = 28;

/// The kind of values in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Encode, Decode)]
pub enum Metric {
    /// Depth to win: win, loss or draw, with the plies to the end.
    Dtw,
    /// Win, loss or draw, with the number of backward turns that the winner needs.
    Levels,
    /// Win, loss or draw only.
    Wdl,
}

words!(Metric: Dtw = "dtw", Levels = "levels", Wdl = "wdl");

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
    /// Sums the positions of a pitch that each ply decides, from the first ply on.
    pub fn of_pitch(shape: Shape, plies: &[u64]) -> Summary {
        let of_player = |first: usize| {
            let own = || (first..=plies.len()).step_by(2);
            let count: u64 = own().map(|ply| plies[ply - 1]).sum();
            let longest = own().filter(|&ply| plies[ply - 1] > 0).last();
            (count, longest.unwrap_or(0) as u16)
        };
        let ((wins, longest_win), (losses, longest_loss)) = (of_player(1), of_player(2));
        let all = positions(shape).expect("the positions of a solved pitch are counted");
        Summary {
            wins: wins.into(),
            losses: losses.into(),
            draws: (all - u128::from(wins) - u128::from(losses)).into(),
            longest_win,
            longest_loss,
        }
    }

    /// Returns all positions.
    pub fn positions(&self) -> BigUint {
        &self.wins + &self.losses + &self.draws
    }

    /// Plies of the longest game; 0 where depths are not stored.
    pub fn longest(&self) -> u16 {
        self.longest_win.max(self.longest_loss)
    }
}
