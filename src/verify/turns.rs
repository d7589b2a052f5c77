//! The turns of the strip as a table, for the machine that reads two boards side by side
//! ([`crate::diagram::turns`]).
//!
//! For a state and what the board *before* the turn has on a square the table lists what the board
//! *after* it may have there, and the state then. It is the rules of the strip, one line for each
//! thing that can happen:
//!
//! ```text
//!     placing         the first board again, but for one empty square that gets a stone
//!     jump, right     … @ o o . …   the ball's square and the run become empty, the ball lands on the empty square, or
//!                     . . . @       leaves that empty too and jumps on if a stone follows
//!     jump, left      the same from the other end: where it lands comes first, where it began comes last
//! ```
//!
//! A ball that comes to or past the last square wins for Left, whatever the second board would be;
//! one that comes to or past square 0 wins for Right, so that no second board is good for Left.

use crate::diagram::Symbol;
use crate::diagram::turns::{Place, Second, Transitions};

/// The machine with the strip's turns.
pub type Turns = crate::diagram::turns::Turns<TurnState>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnKind {
    PlaceRight,
    PlaceLeft,
    JumpRight,
    JumpLeft,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnState {
    /// No stone placed yet, past the ball.
    UnplacedPastBall,
    /// The stone is to be placed past the ball, which is still to come.
    UnplacedRight,
    /// The stone is to be placed before the ball comes.
    UnplacedLeft,
    /// Jump to the right: the ball still to come.
    BeforeJump,
    /// The ball has just left the square before, and must find a stone here.
    Leaving,
    /// The ball has flown over a stone on the square before.
    Flying,
    /// Jump to the left: nothing has changed so far.
    BeforeLanding,
    /// The ball was on the square before, after a jump that began to the right: here it flew over a
    /// stone.
    Landed,
    /// The ball flew over a stone on the square before.
    UnderFlight,
    /// The turn is complete: the rest of the two boards is the same.
    Done,
}

impl Transitions for TurnState {
    type Kind = TurnKind;

    const DONE: TurnState = TurnState::Done;

    fn keeps_ball(kind: TurnKind) -> bool {
        matches!(kind, TurnKind::PlaceRight | TurnKind::PlaceLeft)
    }

    fn start(kind: TurnKind) -> TurnState {
        match kind {
            TurnKind::PlaceRight => TurnState::UnplacedRight,
            TurnKind::PlaceLeft => TurnState::UnplacedLeft,
            TurnKind::JumpRight => TurnState::BeforeJump,
            TurnKind::JumpLeft => TurnState::BeforeLanding,
        }
    }

    fn first_ball_to_come(self) -> bool {
        use TurnState::*;
        !matches!(self, UnplacedPastBall | Leaving | Flying | Done)
    }

    fn second_ball_to_come(self) -> bool {
        use TurnState::*;
        !matches!(self, UnplacedPastBall | Landed | UnderFlight | Done)
    }

    fn steps(self, first: Symbol, place: Place) -> &'static [(Second, TurnState)] {
        use Second as To;
        use Symbol::*;
        use TurnState::*;
        match (self, first, place) {
            (UnplacedRight, Empty, _) => &[(To::Empty, UnplacedRight)],
            (UnplacedRight, Stone, _) => &[(To::Stone, UnplacedRight)],
            (UnplacedRight, Ball, _) => &[(To::Ball, UnplacedPastBall)],
            (UnplacedLeft, Empty, _) => &[(To::Empty, UnplacedLeft), (To::Stone, Done)],
            (UnplacedLeft, Stone, _) => &[(To::Stone, UnplacedLeft)],
            (UnplacedPastBall, Empty, _) => &[(To::Empty, UnplacedPastBall), (To::Stone, Done)],
            (UnplacedPastBall, Stone, _) => &[(To::Stone, UnplacedPastBall)],
            (BeforeJump, Empty, _) => &[(To::Empty, BeforeJump)],
            (BeforeJump, Stone, _) => &[(To::Stone, BeforeJump)],
            (BeforeJump, Ball, _) => &[(To::Empty, Leaving)],
            (Leaving, Stone, _) => &[(To::Empty, Flying)],
            (Flying, Stone, _) => &[(To::Empty, Flying)],
            // The ball lands on Left's goal.
            (Flying, Empty, Place::Last) => &[(To::Won, Done)],
            (Flying, Empty, _) => &[(To::Ball, Done), (To::Empty, Leaving)],
            // On Right's goal, and over a stone there off the strip.
            (BeforeLanding, Empty, Place::First) => &[(To::Empty, BeforeLanding), (To::Lost, Landed)],
            (BeforeLanding, Stone, Place::First) => &[(To::Stone, BeforeLanding), (To::Lost, UnderFlight)],
            (BeforeLanding, Empty, _) => &[(To::Empty, BeforeLanding), (To::Ball, Landed)],
            (BeforeLanding, Stone, _) => &[(To::Stone, BeforeLanding)],
            (Landed, Stone, _) => &[(To::Empty, UnderFlight)],
            (UnderFlight, Stone, _) => &[(To::Empty, UnderFlight)],
            (UnderFlight, Empty, _) => &[(To::Empty, Landed)],
            (UnderFlight, Ball, _) => &[(To::Empty, Done)],
            _ => &[],
        }
    }

    fn wins_past_the_end(self) -> bool {
        self == TurnState::Flying
    }
}
