//! The boards of a shorter strip in a set of longer ones.

use super::{Diagram, View};

/// A diagram read as one of shorter strips: the boards that are in it with a stone on every square
/// behind the shorter strip. Different references may denote equal sets.
pub struct Shorter<'d, D> {
    longer: &'d D,
    length: usize,
}

impl<'d, D: Diagram> Shorter<'d, D> {
    /// # Panics
    /// If the strips of the diagram are shorter.
    pub fn new(longer: &'d D, length: usize) -> Shorter<'d, D> {
        assert!(length <= longer.length(), "a shorter strip");
        Shorter { longer, length }
    }
}

impl<D: Diagram> Diagram for Shorter<'_, D> {
    type Ref = D::Ref;

    fn length(&self) -> usize {
        self.length
    }

    fn view(&self, at: D::Ref) -> View<D::Ref> {
        match self.longer.view(at) {
            View::Binary(square, [_, stone]) if square >= self.length => self.view(stone),
            // The ball of the shorter strip is left of its last square.
            View::Ternary(square, _) if square + 1 >= self.length => View::Bottom,
            view => view,
        }
    }
}
