//! Nimbers: the values of impartial games under normal play (Sprague–Grundy).
//!
//! A position of an impartial, loop-free game is worth the nim heap whose size is the least number
//! that is the value of no successor (*mex*, the minimal excluded value). A sum of positions is
//! worth the exclusive or of their values. The player to move wins unless the value is 0.

use std::fmt;
use std::ops::BitXor;

/// The value of a position of an impartial game: the size of the nim heap that it equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Nimber(pub u8);

impl Nimber {
    /// The nimber of every position that the player to move loses.
    pub const ZERO: Nimber = Nimber(0);
}

impl BitXor for Nimber {
    type Output = Nimber;

    fn bitxor(self, other: Nimber) -> Nimber {
        Nimber(self.0 ^ other.0)
    }
}

impl fmt::Display for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Returns the least nimber that is not in the set, or `None` if all 256 are.
pub fn mex(nimbers: impl IntoIterator<Item = Nimber>) -> Option<Nimber> {
    let mut seen = [false; 256];
    for nimber in nimbers {
        seen[usize::from(nimber.0)] = true;
    }
    let least = seen.iter().position(|&seen| !seen)?;
    Some(Nimber(least as u8))
}
