//! A set seen from the right: the mirror images of its members.
//!
//! A diagram decides at the left end first; its mirror image decides at the right end first. So the recursion takes the *last*
//! square that is left, splits the set by what stands there, and puts that split on top of the result. The pieces that it
//! meets are the nodes of the result, each found once; splitting a piece costs as much as the piece has nodes. For big sets that is
//! slow (nodes times nodes); it is meant for small ones.

use super::graph::{Graph, Ref, TooLarge};
use super::{Diagram, Symbol};
use hashbrown::HashMap;

/// The mirror images of a set's members.
pub fn mirrored(graph: &mut Graph, set: Ref) -> Result<Ref, TooLarge> {
    let squares = graph.length();
    Mirror {
        graph,
        known: HashMap::new(),
        split: HashMap::new(),
    }
    .reversed(set, squares, false)
}

struct Mirror<'a> {
    graph: &'a mut Graph,
    /// Results by piece, number of squares left, and whether the ball was among those taken off.
    known: HashMap<(Ref, usize, bool), Ref>,
    /// Pieces split by their last square.
    split: HashMap<(Ref, usize, Symbol), Ref>,
}

impl Mirror<'_> {
    /// The mirror image of a piece with its first `squares` squares left.
    fn reversed(&mut self, piece: Ref, squares: usize, ball_taken: bool) -> Result<Ref, TooLarge> {
        if piece == Ref::BOTTOM {
            return Ok(Ref::BOTTOM);
        }
        if squares == 0 {
            return Ok(if ball_taken { Ref::TOP } else { Ref::BOTTOM });
        }
        if let Some(&result) = self.known.get(&(piece, squares, ball_taken)) {
            return Ok(result);
        }
        let level = self.graph.length() - squares;
        let mut child = |last, ball_taken| {
            let piece = self.without_last(piece, squares, last)?;
            self.reversed(piece, squares - 1, ball_taken)
        };
        let empty = child(Symbol::Empty, ball_taken)?;
        let stone = child(Symbol::Stone, ball_taken)?;
        let result = if ball_taken {
            self.graph.binary(level, empty, stone)?
        } else {
            let ball = child(Symbol::Ball, true)?;
            self.graph.ternary(level, empty, stone, ball)?
        };
        self.known.insert((piece, squares, ball_taken), result);
        Ok(result)
    }

    /// The members of a piece with `last` on the last of its squares, that square taken off. A piece that has lost its ball consists of
    /// ternary nodes alone, with ⊤ below the last one.
    fn without_last(&mut self, piece: Ref, squares: usize, last: Symbol) -> Result<Ref, TooLarge> {
        if piece == Ref::BOTTOM {
            return Ok(Ref::BOTTOM);
        }
        if let Some(&result) = self.split.get(&(piece, squares, last)) {
            return Ok(result);
        }
        let ternary = self.graph.is_ternary(piece);
        let level = self.graph.level(piece);
        let result = if level >= squares {
            // ⊤, or a binary diagram that begins past the end: the last square does not matter.
            if last == Symbol::Ball { Ref::BOTTOM } else { piece }
        } else if level == squares - 1 {
            let (empty, stone, ball) = if ternary {
                self.graph.thirds(piece)
            } else {
                let (empty, stone) = self.graph.halves(piece, level);
                (empty, stone, Ref::BOTTOM)
            };
            match last {
                Symbol::Empty => empty,
                Symbol::Stone => stone,
                Symbol::Ball => ball,
            }
        } else if ternary {
            let (empty, stone, ball) = self.graph.thirds(piece);
            let empty = self.without_last(empty, squares, last)?;
            let stone = self.without_last(stone, squares, last)?;
            let ball = self.without_last(ball, squares, last)?;
            self.graph.ternary(level, empty, stone, ball)?
        } else {
            let (empty, stone) = self.graph.halves(piece, level);
            let empty = self.without_last(empty, squares, last)?;
            let stone = self.without_last(stone, squares, last)?;
            self.graph.binary(level, empty, stone)?
        };
        self.split.insert((piece, squares, last), result);
        Ok(result)
    }
}
