//! The sets of a checker as diagrams, to count and to list their boards.

use super::nodes::Set;
use super::{Checker, Rest, SYMBOLS};
use phutbase_sets::{Diagram, Members, Symbol, View};

/// A set of the contents of the last squares: the same node serves sets of different squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    set: Set,
    rest: Rest,
}

/// Sets of boards, so none has every arrangement of squares that include the ball's.
impl Diagram for Checker {
    type Ref = Part;

    fn length(&self) -> usize {
        self.length
    }

    fn view(&self, Part { set, rest }: Part) -> View<Part> {
        let square = self.length - rest.squares;
        let part = |symbol| Part {
            set: self.nodes.child(set, symbol),
            rest: rest.after(symbol),
        };
        match set {
            Set::NONE => View::Bottom,
            Set::ALL => View::Top,
            _ if rest.ball => View::Ternary(square, SYMBOLS.map(part)),
            _ => View::Binary(square, [part(Symbol::Empty), part(Symbol::Stone)]),
        }
    }
}

impl Checker {
    /// Returns the members of a set of boards, to count and to list them.
    pub fn members(&self, set: Set) -> Members<'_, Checker> {
        let rest = self.board();
        Members::new(self, Part { set, rest })
    }
}
