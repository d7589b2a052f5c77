//! Whose jumps go where: the ordinary game, and the directional one of Loosen (docs/DIRECTIONAL.md).

use crate::outcome::{Side, words};

/// The rules that Phutball is played by, on the strip and on the pitch.
///
/// A position carries them, and so do its successors. Notation does not say them: what is read is a position of the ordinary game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rules {
    /// Whoever moves may jump in every direction.
    #[default]
    Ordinary,
    /// Each player jumps in a direction of his own only, every single jump of a chain: on the strip Left to the right and Right to the
    /// left, on the pitch Alfred upward and Betty downward, straight or diagonally. This is our reading of M. Loosen, 2008. Everything
    /// else is as in the ordinary game. Nobody can bring the ball to his own goal line then, and reflection still exchanges the players.
    Directional,
}

impl Rules {
    /// Whether a player may make a jump that takes the ball nearer to the goal of `towards`; `None` for one along a row.
    pub fn allow(self, mover: Side, towards: Option<Side>) -> bool {
        self == Rules::Ordinary || towards == Some(mover)
    }

    /// What the names of files begin with.
    pub fn prefix(self) -> &'static str {
        match self {
            Rules::Ordinary => "",
            Rules::Directional => "directional-",
        }
    }

    /// The option that asks for them on the command line, with a blank before it; nothing for those that are meant without it.
    pub fn option(self) -> &'static str {
        match self {
            Rules::Ordinary => "",
            Rules::Directional => " --rules directional",
        }
    }

    /// What a sentence adds about boards: nothing, or ` (directional rules)`.
    pub fn remark(self) -> &'static str {
        match self {
            Rules::Ordinary => "",
            Rules::Directional => " (directional rules)",
        }
    }

    /// The name, where it is not a matter of course: for answers in JSON.
    pub fn name_if_special(self) -> Option<&'static str> {
        match self {
            Rules::Ordinary => None,
            Rules::Directional => Some("directional"),
        }
    }

    /// The number in files.
    pub(crate) fn from_number(number: u8) -> Option<Rules> {
        [Rules::Ordinary, Rules::Directional]
            .into_iter()
            .find(|&rules| rules as u8 == number)
    }
}

words!(Rules: Ordinary = "ordinary", Directional = "directional");
