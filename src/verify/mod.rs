//! Re-derives every stored value from its successors, with the plain rules; shares no code with `solve`.
//!
//! A table of strips says of every board of its longest length, with Left or Right to move, in how many plies Left wins, or that Left does
//! not. What it says of the boards after each turn fixes what it must say of the board.
//!
//! With depths this settles everything: a count of d rests on counts below d, so by induction every stored win is one;
//! and the positions without a count are closed under Right's best (or Left's any) turns, so that Left cannot win
//! there. By the mirror the same table answers for Right. A table without depths holds levels of forward play, whose equations have
//! one solution (docs/PROOF.md). The values of shorter strips follow by Lemma 1; their counts are counted again.
//!
//! * [`strip`], `turns` — tables of strips, set by set;
//! * [`pitch`] — tables of pitches;
//! * [`certificate`] — strategies on pitches too large for a table.

pub mod certificate;
pub mod pitch;
pub mod strip;
#[doc(hidden)]
pub mod turns;
mod unpacked;

use crate::outcome::Value;
use std::fmt::Debug;

/// What a check found wrong first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A position of a pitch whose stored value does not follow from its successors.
    #[error("'{position}' is stored as a {stored}, but its turns make it a {derived}")]
    Value {
        /// The position, in notation.
        position: String,
        /// The value in the table.
        stored: Value,
        /// The value that its turns give it.
        derived: Value,
    },
    /// A field of the header or description that does not agree with the values.
    #[error("{field}: stored {stored}, counted {counted}")]
    Count {
        /// The field.
        field: String,
        /// What it says.
        stored: String,
        /// What the values say.
        counted: String,
    },
    /// A position whose place in a set of a diagram table does not follow from other sets.
    #[error("'{position}': {claim}")]
    Sets {
        /// The position, in notation.
        position: String,
        /// What does not hold.
        claim: String,
    },
    /// A position on which two tables differ.
    #[error("two tables differ on who wins '{position}'")]
    Difference {
        /// The position, in notation.
        position: String,
    },
}

impl Fault {
    /// The position at fault, in notation; `None` if it is a count.
    pub fn position(&self) -> Option<&str> {
        match self {
            Fault::Value { position, .. } | Fault::Sets { position, .. } | Fault::Difference { position } => {
                Some(position)
            }
            Fault::Count { .. } => None,
        }
    }

    /// The fault of a count, if what is stored is not what was counted.
    fn of_count<T: PartialEq + Debug>(field: &str, stored: T, counted: T) -> Option<Fault> {
        (stored != counted).then(|| Fault::Count {
            field: field.to_string(),
            stored: format!("{stored:?}"),
            counted: format!("{counted:?}"),
        })
    }
}
