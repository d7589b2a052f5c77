//! The turns of Oddish Phutball as a transition table for [`phutbase_sets::turns`].
//!
//! A board of m squares with the arrow in gap g is represented as a strip of m + 1 cells: the
//! squares in order, and the arrow, as a ball, between squares g − 1 and g, i.e. on cell g. Sets of
//! boards are therefore diagrams of [`phutbase_sets`], and gaps 0 and m are cells 0 and m.
//!
//! For a state and the content of a cell *before* the turn, the table lists the possible contents
//! *after* it, with the next state:
//!
//! ```text
//!     placing         the first board again, but for one empty cell that gets a stone
//!     to the right    … ^ o o …     the arrow's cell and the stones become empty, but the arrow comes to where the last
//!                     . . ^         of the stones was
//!     to the left     the same from the other end
//! ```
//!
//! An arrow that reaches the last cell wins for Left, one that reaches cell 0 for Right.

use phutbase_sets::Symbol;
use phutbase_sets::turns::{Place, Second, Transitions};

/// The automaton of the turns of Oddish Phutball on sets of boards of m + 1 cells.
pub type OddishAutomaton = phutbase_sets::turns::TurnAutomaton<OddishTurnState>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OddishTurnKind {
    Place,
    PlaceRight,
    MoveRight,
    MoveLeft,
}

impl OddishTurnKind {
    /// These kinds cover every turn.
    pub const ALL: [OddishTurnKind; 3] = [
        OddishTurnKind::Place,
        OddishTurnKind::MoveRight,
        OddishTurnKind::MoveLeft,
    ];
    /// The turns on the right of the arrow, which suffice for Left.
    pub const FORWARD: [OddishTurnKind; 2] = [OddishTurnKind::PlaceRight, OddishTurnKind::MoveRight];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OddishTurnState {
    /// No stone placed yet, the arrow still ahead.
    Unplaced,
    /// A stone will be placed past the arrow, which is still ahead.
    BeforeArrow,
    /// No stone placed yet, past the arrow.
    UnplacedPastArrow,
    /// To the right: the arrow still ahead.
    BeforeLeaving,
    /// The arrow has left and passed all cells since.
    Passing,
    /// To the left: nothing has changed so far.
    BeforeLanding,
    /// The arrow has landed and passed all cells since.
    Landed,
    /// The turn is complete: the rest of the two boards is the same.
    Done,
}

impl Transitions for OddishTurnState {
    type Kind = OddishTurnKind;

    const DONE: OddishTurnState = OddishTurnState::Done;

    fn keeps_ball(kind: OddishTurnKind) -> bool {
        matches!(kind, OddishTurnKind::Place | OddishTurnKind::PlaceRight)
    }

    fn start(kind: OddishTurnKind) -> OddishTurnState {
        match kind {
            OddishTurnKind::Place => OddishTurnState::Unplaced,
            OddishTurnKind::PlaceRight => OddishTurnState::BeforeArrow,
            OddishTurnKind::MoveRight => OddishTurnState::BeforeLeaving,
            OddishTurnKind::MoveLeft => OddishTurnState::BeforeLanding,
        }
    }

    fn first_ball_to_come(self) -> bool {
        use OddishTurnState::*;
        !matches!(self, UnplacedPastArrow | Passing | Done)
    }

    fn second_ball_to_come(self) -> bool {
        use OddishTurnState::*;
        !matches!(self, UnplacedPastArrow | Landed | Done)
    }

    fn steps(self, first: Symbol, place: Place) -> &'static [(Second, OddishTurnState)] {
        use OddishTurnState::*;
        use Second as To;
        use Symbol::*;
        match (self, first, place) {
            (Unplaced, Empty, _) => &[(To::Empty, Unplaced), (To::Stone, Done)],
            (Unplaced, Stone, _) => &[(To::Stone, Unplaced)],
            (Unplaced, Ball, _) => &[(To::Ball, UnplacedPastArrow)],
            (BeforeArrow, Empty, _) => &[(To::Empty, BeforeArrow)],
            (BeforeArrow, Stone, _) => &[(To::Stone, BeforeArrow)],
            (BeforeArrow, Ball, _) => &[(To::Ball, UnplacedPastArrow)],
            (UnplacedPastArrow, Empty, _) => &[(To::Empty, UnplacedPastArrow), (To::Stone, Done)],
            (UnplacedPastArrow, Stone, _) => &[(To::Stone, UnplacedPastArrow)],
            (BeforeLeaving, Empty, _) => &[(To::Empty, BeforeLeaving)],
            (BeforeLeaving, Stone, _) => &[(To::Stone, BeforeLeaving)],
            (BeforeLeaving, Ball, _) => &[(To::Empty, Passing)],
            (Passing, Stone, Place::Last) => &[(To::Empty, Passing), (To::Won, Done)],
            (Passing, Stone, _) => &[(To::Empty, Passing), (To::Ball, Done)],
            (BeforeLanding, Empty, _) => &[(To::Empty, BeforeLanding)],
            (BeforeLanding, Stone, Place::First) => &[(To::Stone, BeforeLanding), (To::Lost, Landed)],
            (BeforeLanding, Stone, _) => &[(To::Stone, BeforeLanding), (To::Ball, Landed)],
            (Landed, Stone, _) => &[(To::Empty, Landed)],
            (Landed, Ball, _) => &[(To::Empty, Done)],
            _ => &[],
        }
    }

    fn wins_past_the_end(self) -> bool {
        false
    }
}
