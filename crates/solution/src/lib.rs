//! Who wins one-dimensional Phutball, on a strip of any length (docs/THEORY.md; `proofs` proves it).
//!
//! The ball cuts a strip into two words, each read from its goal line to the ball. The [`rule`] gives
//! each a value, and one comparison tells who wins. No position is a draw.
//!
//! ```
//! use phutbase_solution::phutbase_rules::strip::{AnyStrip, Halves};
//! let strip: AnyStrip = "o@o.o.o....".parse()?;
//! assert_eq!(phutbase_solution::winner(&strip), strip.side());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`rule`] — the rule, as the text has it;
//! * [`explain`] — a board read square by square, and why a player wins;
//! * [`half`] — the same, compiled into a table;
//! * [`classes`] — which words may stand for each other, and the shortest of each class;
//! * [`turns`] — every turn of a board, and one that wins;
//! * [`count`] — the numbers of wins;
//! * [`directional`] and [`forward`] — directional Phutball, and wins without backward turns.

#![deny(missing_docs)]

pub mod classes;
pub mod count;
pub mod directional;
pub mod explain;
pub mod forward;
pub mod half;
pub mod rule;
mod stubborn;
pub mod turns;
mod winning_turn;

pub use half::HalfState;
use phutbase_base::outcome::Side;
use phutbase_rules::half::HalfAutomaton;
use phutbase_rules::strip::Halves;
use rule::Value;
pub use turns::Turns;
/// The crates whose types functions take.
pub use {phutbase_base, phutbase_rules};

/// Returns whether the player to move wins, with these halves behind and ahead of the ball.
pub fn wins(behind: HalfState, ahead: HalfState) -> bool {
    rule::wins(behind.value(), ahead.value())
}

/// Returns the winner of a strip of the ordinary game. Time is linear in its length.
pub fn winner(strip: &impl Halves) -> Side {
    phutbase_rules::half::winner::<HalfState>(strip)
}

impl HalfAutomaton for HalfState {
    type Value = Value;

    const START: HalfState = HalfState::EMPTY;

    #[inline]
    fn step(self, stone: bool) -> HalfState {
        HalfState::step(self, stone)
    }

    #[inline]
    fn value(self) -> Value {
        HalfState::value(self)
    }

    fn wins(behind: Value, ahead: Value) -> bool {
        rule::wins(behind, ahead)
    }

    fn value_of(half: impl IntoIterator<Item = bool>) -> Value {
        HalfState::of(half).value()
    }
}
