//! Variants of Phutball: the ordinary game, and Loosen's directional one (docs/THEORY.md).

use super::pitch::Direction;
use phutbase_base::outcome::{Side, words};

/// Rules of Phutball, on the strip and on the pitch.
///
/// A position carries its rules, and so do its successors. Notation does not contain them; parsing
/// gives a position of the ordinary game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rules {
    /// Both players may jump in every direction.
    #[default]
    Ordinary,
    /// Each player jumps in one direction only, in every jump of a chain: on the strip Left to the
    /// right and Right to the left; on the pitch Alfred upward and Betty downward, straight or
    /// diagonally. This is our reading of M. Loosen, 2008. Everything else is as in the ordinary
    /// game. No player can bring the ball to their own goal line, and reflection still exchanges
    /// the players.
    Directional,
}

impl Rules {
    /// Every variant, in the order of their numbers in files.
    pub const ALL: [Rules; 2] = [Rules::Ordinary, Rules::Directional];

    /// Returns whether `mover` may jump in a direction. A strip is a pitch of one column, with the
    /// last square at the top.
    pub fn allow(self, mover: Side, direction: Direction) -> bool {
        match self {
            Rules::Ordinary => true,
            Rules::Directional => direction.towards() == Some(mover),
        }
    }

    /// Returns whether strips have tables; without tables a formula values them.
    pub fn have_tables_of_strips(self) -> bool {
        match self {
            Rules::Ordinary => true,
            Rules::Directional => false,
        }
    }

    /// Returns the prefix of file names.
    pub fn prefix(self) -> &'static str {
        match self {
            Rules::Ordinary => "",
            Rules::Directional => "directional-",
        }
    }

    /// Returns a remark for sentences about boards: empty, or ` (directional rules)`.
    pub fn remark(self) -> &'static str {
        match self {
            Rules::Ordinary => "",
            Rules::Directional => " (directional rules)",
        }
    }

    /// Decodes the number stored in files.
    pub fn from_number(number: u8) -> Option<Rules> {
        (Rules::ALL.into_iter()).find(|&rules| rules as u8 == number)
    }
}

words!(Rules: Ordinary = "ordinary", Directional = "directional");
