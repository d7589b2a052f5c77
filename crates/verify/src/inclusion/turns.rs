//! The turns of the strip as an automaton that reads two boards side by side, from left to right.
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
//! A ball that comes to or past the last square wins for Left, one that comes to or past square 0
//! for Right, whatever the second board would be.

use phutbase_base::outcome::Side;
use phutbase_sets::Symbol;

/// A kind of turns, by the squares that they change. *Proper* jumps are those of at least three
/// squares, and those that win for Left at once (docs/PROOF.md, Theorem N).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnKind {
    PlaceRight,
    PlaceLeft,
    JumpRight,
    JumpLeft,
    ProperRight,
    ProperLeft,
}

impl TurnKind {
    /// Every turn is of one of these kinds.
    pub const EVERY: [TurnKind; 4] = [
        TurnKind::JumpRight,
        TurnKind::PlaceRight,
        TurnKind::JumpLeft,
        TurnKind::PlaceLeft,
    ];
    /// Every proper turn of Left's is of one of these kinds.
    pub const PROPER: [TurnKind; 3] = [TurnKind::PlaceRight, TurnKind::ProperRight, TurnKind::ProperLeft];

    /// Returns whether turns of this kind change squares to the right of the ball.
    pub fn is_rightward(self) -> bool {
        use TurnKind::*;
        matches!(self, PlaceRight | JumpRight | ProperRight)
    }
}

/// The content of a square that the board after the turn must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    Is(Symbol),
    /// Anything: the turn has won for this side.
    Won(Side),
}

/// The position of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At the left end, Right's goal.
    First,
    /// Between the ends, where the ball may be during play.
    Inner,
    /// At the right end, Left's goal.
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The turn is complete: the rest of the two boards is the same.
    Done,
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
    /// As without 'proper', of a turn that may still be one of only two squares.
    BeforeProperJump,
    ProperLeaving,
    ProperFlying,
    BeforeProperLanding,
    ProperLanded,
    ProperUnderFlight,
}

impl State {
    /// Returns the state before anything is read.
    pub fn start(kind: TurnKind) -> State {
        match kind {
            TurnKind::PlaceRight => State::UnplacedRight,
            TurnKind::PlaceLeft => State::UnplacedLeft,
            TurnKind::JumpRight => State::BeforeJump,
            TurnKind::JumpLeft => State::BeforeLanding,
            TurnKind::ProperRight => State::BeforeProperJump,
            TurnKind::ProperLeft => State::BeforeProperLanding,
        }
    }

    /// Lists what the second board may have if the first has `first`, with the next states.
    pub fn steps(self, first: Symbol, place: Place) -> &'static [(Second, State)] {
        use Second::{Is, Won};
        use Side::*;
        use State::*;
        use Symbol::*;
        match (self, first, place) {
            (Done, Empty, _) => &[(Is(Empty), Done)],
            (Done, Stone, _) => &[(Is(Stone), Done)],
            (Done, Ball, _) => &[(Is(Ball), Done)],

            (UnplacedRight, Empty, _) => &[(Is(Empty), UnplacedRight)],
            (UnplacedRight, Stone, _) => &[(Is(Stone), UnplacedRight)],
            (UnplacedRight, Ball, _) => &[(Is(Ball), UnplacedPastBall)],
            (UnplacedLeft, Empty, _) => &[(Is(Stone), Done), (Is(Empty), UnplacedLeft)],
            (UnplacedLeft, Stone, _) => &[(Is(Stone), UnplacedLeft)],
            (UnplacedPastBall, Empty, _) => &[(Is(Empty), UnplacedPastBall), (Is(Stone), Done)],
            (UnplacedPastBall, Stone, _) => &[(Is(Stone), UnplacedPastBall)],

            (BeforeJump, Empty, _) => &[(Is(Empty), BeforeJump)],
            (BeforeJump, Stone, _) => &[(Is(Stone), BeforeJump)],
            (BeforeJump, Ball, _) => &[(Is(Empty), Leaving)],
            (Leaving, Stone, _) => &[(Is(Empty), Flying)],
            (Flying, Stone, _) => &[(Is(Empty), Flying)],
            // The ball lands on Left's goal.
            (Flying | ProperFlying, Empty, Place::Last) => &[(Won(Left), Done)],
            (Flying, Empty, _) => &[(Is(Empty), Leaving), (Is(Ball), Done)],

            // On Right's goal, and over a stone there off the strip.
            (BeforeLanding, Empty, Place::First) => &[(Is(Empty), BeforeLanding), (Won(Right), Landed)],
            (BeforeLanding, Stone, Place::First) => &[(Is(Stone), BeforeLanding), (Won(Right), UnderFlight)],
            (BeforeLanding, Empty, _) => &[(Is(Empty), BeforeLanding), (Is(Ball), Landed)],
            (BeforeLanding, Stone, _) => &[(Is(Stone), BeforeLanding)],
            (Landed, Stone, _) => &[(Is(Empty), UnderFlight)],
            (UnderFlight, Stone, _) => &[(Is(Empty), UnderFlight)],
            (UnderFlight, Empty, _) => &[(Is(Empty), Landed)],
            (UnderFlight, Ball, _) => &[(Is(Empty), Done)],

            (BeforeProperJump, Empty, _) => &[(Is(Empty), BeforeProperJump)],
            (BeforeProperJump, Stone, _) => &[(Is(Stone), BeforeProperJump)],
            (BeforeProperJump, Ball, _) => &[(Is(Empty), ProperLeaving)],
            (ProperLeaving, Stone, _) => &[(Is(Empty), ProperFlying)],
            (ProperFlying, Stone, _) => &[(Is(Empty), Flying)],
            (ProperFlying, Empty, _) => &[(Is(Empty), Leaving)],

            (BeforeProperLanding, Empty, Place::First) => &[(Is(Empty), BeforeProperLanding)],
            (BeforeProperLanding, Empty, _) => &[(Is(Empty), BeforeProperLanding), (Is(Ball), ProperLanded)],
            (BeforeProperLanding, Stone, _) => &[(Is(Stone), BeforeProperLanding)],
            (ProperLanded, Stone, _) => &[(Is(Empty), ProperUnderFlight)],
            (ProperUnderFlight, Stone, _) => &[(Is(Empty), UnderFlight)],
            (ProperUnderFlight, Empty, _) => &[(Is(Empty), Landed)],
            _ => &[],
        }
    }

    /// Returns whether a ball in this state past the right end has left the strip there.
    pub fn has_left(self) -> bool {
        use State::*;
        matches!(self, Flying | ProperFlying)
    }

    /// Returns whether the turn can still win for a side.
    pub fn may_win(self, side: Side, place: Place) -> bool {
        use State::*;
        match side {
            Side::Left => matches!(
                self,
                BeforeJump | Leaving | Flying | BeforeProperJump | ProperLeaving | ProperFlying
            ),
            Side::Right => self == BeforeLanding && place == Place::First,
        }
    }
}
