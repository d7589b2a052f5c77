//! Derives every stored value again from its successors with the plain rules. It uses no code of
//! the engines. Both use the trait of diagrams, bit patterns (`bits`), boards of strips
//! (`rules::strip::{Strip, Halves, SquareSet}`), the geometry of pitches and one step on them
//! (`rules::pitch::{Shape, Step, Direction}`), the names of the rules (`rules::rules`), the layout
//! and counts of tables, and `job`.
//!
//! A table of strips states, for every board of its greatest length with Left or Right to move, in
//! how many plies Left wins or that Left does not. The statements about the boards after each turn
//! determine the statement about the board.
//!
//! With depths the check is complete: a win in d plies rests on wins in fewer, so by induction
//! every stored win is correct. The other positions are closed under Right's best (or Left's any)
//! turns, so Left cannot win there. By the mirror the same holds for Right. A table of who wins has
//! two sets whose boards Left wins by proper turns, and a table of levels has sets whose equations
//! have one solution (docs/PROOF.md). The values of shorter strips follow by Lemma 1; their counts
//! are recomputed.
//!
//! * [`strip`] — tables of strips, set by set;
//! * [`inclusion`] — questions about turns from one set of boards into another;
//! * [`pitch`] — tables of pitches;
//! * [`certificate`] — strategies on pitches that are too large for a table.

pub mod certificate;
pub mod inclusion;
pub mod pitch;
pub mod strip;
mod unpacked;

use phutbase_base::outcome::Value;
use phutbase_rules::strip::Strip;
use std::fmt::Debug;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// A position of a pitch whose stored value does not follow from its successors.
    #[error("'{position}' is stored as a {stored}, but its turns make it a {derived}")]
    Value {
        /// The position, in notation.
        position: String,
        stored: Value,
        derived: Value,
    },
    /// A field of the header or the metadata that disagrees with the values.
    #[error("{field}: stored {stored}, counted {counted}")]
    Count {
        field: String,
        stored: String,
        counted: String,
    },
    /// A position whose membership in a set of a diagram table does not follow from other sets.
    #[error("'{position}': {claim}")]
    Sets { position: String, claim: String },
    /// A position with different winners in two tables.
    #[error("two tables disagree on the winner of '{position}'")]
    Difference { position: String },
}

impl Mismatch {
    /// Returns the position at fault, in notation; `None` if it is a count.
    pub fn position(&self) -> Option<&str> {
        match self {
            Mismatch::Value { position, .. }
            | Mismatch::Sets { position, .. }
            | Mismatch::Difference { position } => Some(position),
            Mismatch::Count { .. } => None,
        }
    }

    fn of_sets(position: Strip, claim: String) -> Mismatch {
        let position = position.to_string();
        Mismatch::Sets { position, claim }
    }

    fn of_count<T: PartialEq + Debug>(field: &str, stored: T, counted: T) -> Option<Mismatch> {
        (stored != counted).then(|| Mismatch::Count {
            field: field.to_string(),
            stored: format!("{stored:?}"),
            counted: format!("{counted:?}"),
        })
    }
}
