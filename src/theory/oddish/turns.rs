//! The turns of Oddish Phutball on sets: a machine that reads two boards side by side.
//!
//! A board of m squares with the arrow in gap g is kept as a strip of m + 1 cells: the squares in their order, and the
//! arrow, as a ball, between squares g − 1 and g, that is on cell g. So sets of boards are the diagrams of
//! [`crate::diagram`], and gap 0 and gap m are cells 0 and m.
//!
//! Whether one board comes from another by a turn is seen by reading both from left to right with a state. `State::steps`
//! lists, for a state and what the board *before* the turn has on a cell, what the board *after* it may have there:
//!
//! ```text
//!     placing         the first board again, but for one empty cell that gets a stone
//!     to the right    … ^ o o …     the arrow's cell and the stones become empty, but the arrow comes to where the last
//!                     . . ^         of the stones was
//!     to the left     the same from the other end
//! ```
//!
//! An arrow that comes to the last cell wins for Left, one that comes to cell 0 for Right.

use crate::diagram::Diagram;
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::graph::{Ref, TooLarge};
use hashbrown::HashMap;

/// Which turns have to lead into a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// One at least.
    Some,
    /// All.
    Every,
}

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

    fn start(self) -> State {
        match self {
            Kind::Place => State::Unplaced,
            Kind::PlaceRight => State::BeforeArrow,
            Kind::MoveRight => State::BeforeLeaving,
            Kind::MoveLeft => State::BeforeLanding,
        }
    }
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Empty,
    Stone,
    Arrow,
}

/// What has been read so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
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

impl State {
    /// Whether the arrow of the first board is still to come.
    fn first_arrow_to_come(self) -> bool {
        use State::*;
        matches!(
            self,
            Unplaced | BeforeArrow | BeforeLeaving | BeforeLanding | Landed
        )
    }

    /// Whether the arrow of the second board is still to come.
    fn second_arrow_to_come(self) -> bool {
        use State::*;
        matches!(
            self,
            Unplaced | BeforeArrow | BeforeLeaving | BeforeLanding | Passing
        )
    }

    /// What the second board may have where the first has `cell`, and the state after that.
    fn steps(self, cell: Cell) -> &'static [(Cell, State)] {
        use Cell::*;
        use State::*;
        match (self, cell) {
            (Unplaced, Empty) => &[(Empty, Unplaced), (Stone, Done)],
            (Unplaced, Stone) => &[(Stone, Unplaced)],
            (Unplaced, Arrow) => &[(Arrow, UnplacedPastArrow)],
            (BeforeArrow, Empty) => &[(Empty, BeforeArrow)],
            (BeforeArrow, Stone) => &[(Stone, BeforeArrow)],
            (BeforeArrow, Arrow) => &[(Arrow, UnplacedPastArrow)],
            (UnplacedPastArrow, Empty) => &[(Empty, UnplacedPastArrow), (Stone, Done)],
            (UnplacedPastArrow, Stone) => &[(Stone, UnplacedPastArrow)],
            (BeforeLeaving, Empty) => &[(Empty, BeforeLeaving)],
            (BeforeLeaving, Stone) => &[(Stone, BeforeLeaving)],
            (BeforeLeaving, Arrow) => &[(Empty, Passing)],
            (Passing, Stone) => &[(Empty, Passing), (Arrow, Done)],
            (BeforeLanding, Empty) => &[(Empty, BeforeLanding)],
            (BeforeLanding, Stone) => &[(Stone, BeforeLanding), (Arrow, Landed)],
            (Landed, Stone) => &[(Empty, Landed)],
            (Landed, Arrow) => &[(Empty, Done)],
            _ => &[],
        }
    }
}

/// The machine on the sets of a graph, with the results it remembers.
#[derive(Debug)]
pub struct Turns {
    sets: Sets,
    known: HashMap<(Which, State, usize, Ref), Ref>,
    /// For each cell, all boards whose arrow is on it or to the right of it.
    boards: Vec<Ref>,
}

impl Turns {
    /// The machine on the sets of a graph of m + 1 cells.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn new(sets: Sets) -> Result<Turns, TooLarge> {
        let mut turns = Turns {
            boards: vec![Ref::BOTTOM; sets.graph().length() + 1],
            sets,
            known: HashMap::new(),
        };
        for cell in (0..turns.cells() - 1).rev() {
            let later = turns.boards[cell + 1];
            let arrow = match turns.interior(cell) {
                true => Ref::TOP,
                false => Ref::BOTTOM,
            };
            turns.boards[cell] = (turns.sets.graph_mut()).ternary(cell, later, later, arrow)?;
        }
        Ok(turns)
    }

    /// The sets.
    pub fn sets(&mut self) -> &mut Sets {
        &mut self.sets
    }

    fn cells(&self) -> usize {
        self.sets.graph().length()
    }

    /// Whether the arrow may stand on a cell while play goes on.
    fn interior(&self, cell: usize) -> bool {
        (1..=self.cells() - 2).contains(&cell)
    }

    /// The boards from which some, or every, turn of a kind wins for Left at once or leads into `set`.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn lead(&mut self, which: Which, kind: Kind, set: Ref) -> Result<Ref, TooLarge> {
        self.run(which, kind.start(), 0, set)
    }

    /// The boards from which some, or every, turn of several kinds does.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn lead_by(&mut self, which: Which, kinds: &[Kind], set: Ref) -> Result<Ref, TooLarge> {
        let mut result = self.no_turn(which, State::Unplaced, 0);
        for &kind in kinds {
            let by_kind = self.lead(which, kind, set)?;
            result = self.sets.join(which.how(), result, by_kind)?;
        }
        Ok(result)
    }

    /// The first boards, from `cell` on, for second boards from `cell` on in `set`.
    fn run(&mut self, which: Which, state: State, cell: usize, set: Ref) -> Result<Ref, TooLarge> {
        if state == State::Done {
            return Ok(set);
        }
        if cell == self.cells() {
            return Ok(self.no_turn(which, state, cell));
        }
        let key = (which, state, cell, set);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let empty = self.on_cell(which, state, cell, Cell::Empty, set)?;
        let stone = self.on_cell(which, state, cell, Cell::Stone, set)?;
        let result = if state.first_arrow_to_come() {
            let arrow = match self.interior(cell) {
                false => Ref::BOTTOM,
                true => self.on_cell(which, state, cell, Cell::Arrow, set)?,
            };
            self.sets.graph_mut().ternary(cell, empty, stone, arrow)?
        } else {
            self.sets.graph_mut().binary(cell, empty, stone)?
        };
        self.known.insert(key, result);
        Ok(result)
    }

    /// The same where the first board has `first` on `cell`: the rest of it.
    fn on_cell(
        &mut self,
        which: Which,
        state: State,
        cell: usize,
        first: Cell,
        set: Ref,
    ) -> Result<Ref, TooLarge> {
        let after = match first {
            Cell::Arrow => State::Done,
            _ => state,
        };
        let mut result = self.no_turn(which, after, cell + 1);
        for &(second, next) in state.steps(first) {
            let lands = second == Cell::Arrow && matches!(state, State::Passing | State::BeforeLanding);
            let target = match cell {
                0 if lands => Ref::BOTTOM,
                cell if lands && cell + 1 == self.cells() => Ref::TOP,
                _ => self.part(state, cell, second, set),
            };
            let further = self.run(which, next, cell + 1, target)?;
            result = self.sets.join(which.how(), result, further)?;
        }
        Ok(result)
    }

    /// What is left of `set` where the second board has `second` on `cell`.
    fn part(&self, state: State, cell: usize, second: Cell, set: Ref) -> Ref {
        let graph = self.sets.graph();
        let (empty, stone, arrow) = if state.second_arrow_to_come() {
            graph.thirds(set)
        } else {
            let (empty, stone) = graph.halves(set, cell);
            (empty, stone, Ref::BOTTOM)
        };
        match second {
            Cell::Empty => empty,
            Cell::Stone => stone,
            Cell::Arrow => arrow,
        }
    }

    /// The boards from `cell` on if there is no turn at all: none has one that leads anywhere; of all of them every one does.
    fn no_turn(&self, which: Which, state: State, cell: usize) -> Ref {
        match which {
            Which::Some => Ref::BOTTOM,
            Which::Every if state.first_arrow_to_come() => self.boards[cell],
            Which::Every => Ref::TOP,
        }
    }
}

impl Which {
    /// How the boards of two kinds of turns, or of two turns, are joined.
    fn how(self) -> Join {
        match self {
            Which::Some => Join::Or,
            Which::Every => Join::And,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::count::contains;
    use crate::diagram::graph::Graph;
    use crate::game::{Game, Successor};
    use crate::games::oddish::{Oddish, OddishGame, Turn};
    use crate::games::strip::Strip;
    use crate::outcome::{Side, Wdl};
    use proptest::prelude::*;

    fn strip(board: &Oddish) -> Strip {
        Strip::from_pattern(
            board.squares() + 1,
            board.gap(),
            board.stones().into(),
            Side::Left,
        )
        .unwrap()
    }

    /// A set given by its boards.
    fn set_of(sets: &mut Sets, members: &[Oddish]) -> Ref {
        let cells = sets.graph().length();
        members.iter().fold(Ref::BOTTOM, |union, board| {
            let at = (0..cells).rev().fold(Ref::TOP, |at, cell| {
                let graph = sets.graph_mut();
                let branches = match strip(board).stones() >> cell & 1 {
                    0 => (at, Ref::BOTTOM),
                    _ => (Ref::BOTTOM, at),
                };
                match cell.cmp(&board.gap()) {
                    std::cmp::Ordering::Greater => graph.binary(cell, branches.0, branches.1),
                    std::cmp::Ordering::Equal => graph.ternary(cell, Ref::BOTTOM, Ref::BOTTOM, at),
                    std::cmp::Ordering::Less => graph.ternary(cell, branches.0, branches.1, Ref::BOTTOM),
                }
                .unwrap()
            });
            sets.join(Join::Or, union, at).unwrap()
        })
    }

    fn is_of_kind(kind: Kind, board: &Oddish, turn: Turn) -> bool {
        match turn {
            Turn::Place(_) if kind == Kind::Place => true,
            Turn::Place(square) => kind == Kind::PlaceRight && usize::from(square) >= board.gap(),
            Turn::Move(gap) if usize::from(gap) > board.gap() => kind == Kind::MoveRight,
            Turn::Move(_) => kind == Kind::MoveLeft,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Any set, every board, every kind of turn, against the rules as `games` has them.
        #[test]
        fn turns_are_those_of_the_rules(squares in 2usize..=7, chosen in prop::collection::vec(any::<bool>(), 768)) {
            let game = OddishGame::new(squares).unwrap();
            let boards: Vec<Oddish> = (0..game.positions()).map(|index| game.position(index)).collect();
            let members: Vec<Oddish> = boards.iter().zip(&chosen)
                .filter(|&(_, &chosen)| chosen).map(|(&board, _)| board).collect();
            let mut sets = Sets::new(Graph::new(squares + 1));
            let set = set_of(&mut sets, &members);
            let mut turns = Turns::new(sets).unwrap();
            for kind in [Kind::Place, Kind::PlaceRight, Kind::MoveRight, Kind::MoveLeft] {
                let some = turns.lead(Which::Some, kind, set).unwrap();
                let every = turns.lead(Which::Every, kind, set).unwrap();
                for board in &boards {
                    let mut good = Vec::new();
                    game.turns(board, &mut |turn, next| if is_of_kind(kind, board, turn) {
                        good.push(match next {
                            Successor::Over(outcome) => outcome == Wdl::Win,
                            Successor::Position(next) => members.contains(&next.with_side(Side::Left)),
                        });
                    });
                    let graph = turns.sets.graph();
                    prop_assert_eq!(contains(graph, some, &strip(board)), good.contains(&true), "some {:?} {}", kind, board);
                    prop_assert_eq!(contains(graph, every, &strip(board)), !good.contains(&false), "every {:?} {}", kind, board);
                }
            }
        }
    }
}
