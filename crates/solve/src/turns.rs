//! The turns of the strip as a transition table for [`phutbase_sets::turns`].
//!
//! For a state and the content of a square *before* the turn, the table lists the possible contents
//! *after* it, with the next state:
//!
//! ```text
//!     stone           the first board again, but for one empty square that gets a stone
//!     jump, right     … @ o o . …   the ball's square and the run become empty; the ball lands on the empty square, or
//!                     . . . @       jumps on from there if a stone follows
//!     jump, left      the same from the other end: where it lands comes first, where it began comes last
//! ```
//!
//! A ball that comes to or past the last square wins for Left, one that comes to or past square 0 for
//! Right.

use phutbase_sets::Symbol;
use phutbase_sets::turns::{Place, Second, Transitions};

/// The automaton of the turns on sets of boards.
pub type StripAutomaton = phutbase_sets::turns::TurnAutomaton<TurnState>;

/// A kind of turns, by the squares that they change as the board is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnKind {
    Place,
    PlaceRight,
    PlaceLeft,
    JumpRight,
    JumpLeft,
}

impl TurnKind {
    /// These kinds cover every turn.
    pub const EVERY: &[TurnKind] = &[TurnKind::JumpRight, TurnKind::JumpLeft, TurnKind::Place];

    /// Returns the kinds of turns that change squares to the right of the ball only, or to its left.
    pub fn on_side(right: bool) -> &'static [TurnKind] {
        if right {
            &[TurnKind::JumpRight, TurnKind::PlaceRight]
        } else {
            &[TurnKind::JumpLeft, TurnKind::PlaceLeft]
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnState {
    /// No stone placed yet, the ball still ahead.
    Unplaced,
    /// A stone is to come past the ball, which is still ahead.
    UnplacedRight,
    /// A stone is to come before the ball.
    UnplacedLeft,
    /// No stone placed yet, past the ball.
    UnplacedPastBall,
    /// Jump to the right: the ball still ahead.
    BeforeJump,
    /// The ball has left the square before, and must find a stone here.
    Leaving,
    /// The ball has flown over a stone on the square before.
    Flying,
    /// Jump to the left: nothing has changed so far.
    BeforeLanding,
    /// The ball was on the square before: here it flew over a stone.
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
        matches!(kind, TurnKind::Place | TurnKind::PlaceRight | TurnKind::PlaceLeft)
    }

    fn start(kind: TurnKind) -> TurnState {
        match kind {
            TurnKind::Place => TurnState::Unplaced,
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
            (Unplaced, Empty, _) => &[(To::Empty, Unplaced), (To::Stone, Done)],
            (Unplaced, Stone, _) => &[(To::Stone, Unplaced)],
            (Unplaced | UnplacedRight, Ball, _) => &[(To::Ball, UnplacedPastBall)],
            (UnplacedRight, Empty, _) => &[(To::Empty, UnplacedRight)],
            (UnplacedRight, Stone, _) => &[(To::Stone, UnplacedRight)],
            (UnplacedLeft, Empty, _) => &[(To::Empty, UnplacedLeft), (To::Stone, Done)],
            (UnplacedLeft, Stone, _) => &[(To::Stone, UnplacedLeft)],
            (UnplacedPastBall, Empty, _) => &[(To::Empty, UnplacedPastBall), (To::Stone, Done)],
            (UnplacedPastBall, Stone, _) => &[(To::Stone, UnplacedPastBall)],
            (BeforeJump, Empty, _) => &[(To::Empty, BeforeJump)],
            (BeforeJump, Stone, _) => &[(To::Stone, BeforeJump)],
            (BeforeJump, Ball, _) => &[(To::Empty, Leaving)],
            (Leaving | Flying, Stone, _) => &[(To::Empty, Flying)],
            (Flying, Empty, Place::Last) => &[(To::Won, Done)],
            (Flying, Empty, _) => &[(To::Empty, Leaving), (To::Ball, Done)],
            (BeforeLanding, Empty, Place::First) => &[(To::Empty, BeforeLanding), (To::Lost, Landed)],
            (BeforeLanding, Stone, Place::First) => &[(To::Stone, BeforeLanding), (To::Lost, UnderFlight)],
            (BeforeLanding, Empty, _) => &[(To::Empty, BeforeLanding), (To::Ball, Landed)],
            (BeforeLanding, Stone, _) => &[(To::Stone, BeforeLanding)],
            (Landed | UnderFlight, Stone, _) => &[(To::Empty, UnderFlight)],
            (UnderFlight, Empty, _) => &[(To::Empty, Landed)],
            (UnderFlight, Ball, _) => &[(To::Empty, Done)],
            _ => &[],
        }
    }

    fn wins_past_the_end(self) -> bool {
        self == TurnState::Flying
    }
}
