//! The turns of Oddish Phutball as a table, for the machine that reads two boards side by side ([`crate::diagram::turns`]).
//!
//! A board of m squares with the arrow in gap g is kept as a strip of m + 1 cells: the squares in their order, and the
//! arrow, as a ball, between squares g − 1 and g, that is on cell g. So sets of boards are the diagrams of
//! [`crate::diagram`], and gap 0 and gap m are cells 0 and m.
//!
//! For a state and what the board *before* the turn has on a cell the table lists what the board *after* it may have there, and the
//! state then:
//!
//! ```text
//!     placing         the first board again, but for one empty cell that gets a stone
//!     to the right    … ^ o o …     the arrow's cell and the stones become empty, but the arrow comes to where the last
//!                     . . ^         of the stones was
//!     to the left     the same from the other end
//! ```
//!
//! An arrow that comes to the last cell wins for Left, one that comes to cell 0 for Right.

use crate::diagram::turns::{First, Place, Second, Transitions};

/// The machine with the turns of Oddish Phutball, on the sets of a graph of m + 1 cells.
pub type Turns = crate::diagram::turns::Turns<State>;

/// A kind of turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A stone.
    Place,
    /// A stone to the right of the arrow.
    PlaceRight,
    /// The arrow to the right.
    MoveRight,
    /// The arrow to the left.
    MoveLeft,
}

impl Kind {
    /// Every turn is of one of these.
    pub const ALL: [Kind; 3] = [Kind::Place, Kind::MoveRight, Kind::MoveLeft];
    /// Turns on the right of the arrow only: what Left needs.
    pub const FORWARD: [Kind; 2] = [Kind::PlaceRight, Kind::MoveRight];
}

/// What has been read so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// No stone placed yet, the arrow still to come.
    Unplaced,
    /// A stone will be placed past the arrow, which is still to come.
    BeforeArrow,
    /// No stone placed yet, past the arrow.
    UnplacedPastArrow,
    /// To the right: the arrow still to come.
    BeforeLeaving,
    /// The arrow has left; it passed all cells since.
    Passing,
    /// To the left: nothing has changed so far.
    BeforeLanding,
    /// The arrow landed, and passed all cells since.
    Landed,
    /// The turn is complete: the rest of the two boards is the same.
    Done,
}

impl Transitions for State {
    type Kind = Kind;

    const DONE: State = State::Done;

    fn start(kind: Kind) -> State {
        match kind {
            Kind::Place => State::Unplaced,
            Kind::PlaceRight => State::BeforeArrow,
            Kind::MoveRight => State::BeforeLeaving,
            Kind::MoveLeft => State::BeforeLanding,
        }
    }

    fn first_ball_to_come(self) -> bool {
        use State::*;
        matches!(
            self,
            Unplaced | BeforeArrow | BeforeLeaving | BeforeLanding | Landed
        )
    }

    fn second_ball_to_come(self) -> bool {
        use State::*;
        matches!(
            self,
            Unplaced | BeforeArrow | BeforeLeaving | BeforeLanding | Passing
        )
    }

    fn steps(self, first: First, place: Place) -> &'static [(Second, State)] {
        use First::*;
        use Second as To;
        use State::*;
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
