//! The mirror image of a set.
//!
//! A diagram branches at the left end first, its mirror image at the right end. The recursion
//! therefore splits the set by its *last* remaining square and puts that branch on top of the
//! result. The subproblems are the nodes of the result, each solved once, and a split visits all
//! nodes of a set. The time is quadratic in the nodes, so it only suits small sets.

use super::graph::{Graph, Ref, TooLarge};
use super::{Diagram, Symbol};
use hashbrown::HashMap;

/// Returns the mirror images of a set's members.
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
    /// Results by set, number of squares left, and whether the ball was on a removed square.
    known: HashMap<(Ref, usize, bool), Ref>,
    /// Sets split by their last square.
    split: HashMap<(Ref, usize, Symbol), Ref>,
}

impl Mirror<'_> {
    /// Returns the mirror image of a set's first `squares` squares.
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

    /// Returns the members with `last` on their last square, without that square. A set without its
    /// ball consists of ternary nodes, with ⊤ below the last one.
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
            // ⊤, or a binary diagram that starts past the end: the last square is free.
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
