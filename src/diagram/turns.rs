//! Preimages of sets of boards under turns, computed by a transducer that reads two boards side by
//! side.
//!
//! A turn changes a few squares, so a finite automaton can recognise pairs of boards before and
//! after a turn by reading both from left to right. The rules of a game are a table of
//! [`Transitions`]: for a state and the content of a square *before* the turn it lists the possible
//! contents *after* it, with the next state. Some turns end the game; then the second board is
//! irrelevant.
//!
//! [`Turns::preimage`] runs the automaton on a whole set of second boards and returns the set of
//! first boards. It is independent of the game, and shares nothing with the recursions of the
//! symbolic engine.

use super::algebra::{Join, Sets};
use super::graph::{Ref, TooLarge};
use super::{Diagram, Symbol};
use hashbrown::HashMap;
use std::hash::Hash;

/// The quantifier over the turns that lead into a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    Exists,
    ForAll,
}

impl Quantifier {
    /// Returns the operation that combines the preimages of several turns.
    pub fn join(self) -> Join {
        match self {
            Quantifier::Exists => Join::Or,
            Quantifier::ForAll => Join::And,
        }
    }
}

/// Required content of the square on the second board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    Empty,
    Stone,
    Ball,
    /// Any: the turn has won for Left.
    Won,
    /// None: the turn has won for Right.
    Lost,
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

/// The rules of a game as a transition table. A value is a state.
pub trait Transitions: Copy + Eq + Hash + 'static {
    type Kind: Copy;

    /// The turn is complete: the rest of the two boards is the same.
    const DONE: Self;

    /// Returns the state before anything is read.
    fn start(kind: Self::Kind) -> Self;

    /// Returns whether the ball of the first board is still ahead.
    fn first_ball_to_come(self) -> bool;

    /// Returns whether the ball of the second board is still ahead.
    fn second_ball_to_come(self) -> bool;

    /// Lists the contents of the second board's square if the first has `first`, with the next
    /// states.
    fn steps(self, first: Symbol, place: Place) -> &'static [(Second, Self)];

    /// Returns whether a turn in this state past the right end of the board has won for Left.
    fn wins_past_the_end(self) -> bool;
}

/// The automaton on the sets of a graph, with memoized results.
#[derive(Debug)]
pub struct Turns<S: Transitions> {
    sets: Sets,
    known: HashMap<(Quantifier, S, u8, Ref), Ref>,
    /// For each square, all boards with the ball on it or to the right of it.
    boards: Vec<Ref>,
}

impl<S: Transitions> Turns<S> {
    /// Creates the automaton for the sets of a graph.
    pub fn new(sets: Sets) -> Result<Turns<S>, TooLarge> {
        let mut turns = Turns {
            boards: vec![Ref::BOTTOM; sets.graph().length() + 1],
            sets,
            known: HashMap::new(),
        };
        for square in (0..turns.length() - 1).rev() {
            let later = turns.boards[square + 1];
            let ball = match turns.place(square) {
                Place::Inner => Ref::TOP,
                _ => Ref::BOTTOM,
            };
            turns.boards[square] = (turns.sets.graph_mut()).ternary(square, later, later, ball)?;
        }
        Ok(turns)
    }

    pub fn sets(&mut self) -> &mut Sets {
        &mut self.sets
    }

    fn length(&self) -> usize {
        self.sets.graph().length()
    }

    fn place(&self, square: usize) -> Place {
        match square {
            0 => Place::First,
            last if last + 1 == self.length() => Place::Last,
            _ => Place::Inner,
        }
    }

    /// Returns the boards from which some, or every, turn of these kinds wins for Left at once or
    /// leads into `set`.
    pub fn preimage(&mut self, quantifier: Quantifier, kinds: &[S::Kind], set: Ref) -> Result<Ref, TooLarge> {
        let Some((&first, others)) = kinds.split_first() else {
            return Ok(self.without_turns(quantifier, true, 0));
        };
        let mut result = self.run(quantifier, S::start(first), 0, set)?;
        for &kind in others {
            let by_kind = self.run(quantifier, S::start(kind), 0, set)?;
            result = self.sets.join(quantifier.join(), result, by_kind)?;
        }
        Ok(result)
    }

    /// Returns the parts from `square` on of first boards, for parts of second boards in `set`.
    fn run(&mut self, quantifier: Quantifier, state: S, square: usize, set: Ref) -> Result<Ref, TooLarge> {
        if state == S::DONE {
            return Ok(set);
        }
        if square == self.length() {
            return Ok(if state.wins_past_the_end() {
                Ref::TOP
            } else {
                self.without_turns(quantifier, state.first_ball_to_come(), square)
            });
        }
        let key = (quantifier, state, square as u8, set);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let empty = self.on_square(quantifier, state, square, Symbol::Empty, set)?;
        let stone = self.on_square(quantifier, state, square, Symbol::Stone, set)?;
        let result = if state.first_ball_to_come() {
            let ball = match self.place(square) {
                Place::Inner => self.on_square(quantifier, state, square, Symbol::Ball, set)?,
                _ => Ref::BOTTOM,
            };
            self.sets.graph_mut().ternary(square, empty, stone, ball)?
        } else {
            self.sets.graph_mut().binary(square, empty, stone)?
        };
        self.known.insert(key, result);
        Ok(result)
    }

    /// Like `run`, for first boards with `first` on `square`.
    fn on_square(
        &mut self,
        quantifier: Quantifier,
        state: S,
        square: usize,
        first: Symbol,
        set: Ref,
    ) -> Result<Ref, TooLarge> {
        let ball_to_come = first != Symbol::Ball && state.first_ball_to_come();
        let mut result = self.without_turns(quantifier, ball_to_come, square + 1);
        for &(second, next) in state.steps(first, self.place(square)) {
            let target = self.part(state, square, second, set);
            let further = self.run(quantifier, next, square + 1, target)?;
            result = self.sets.join(quantifier.join(), result, further)?;
        }
        Ok(result)
    }

    /// Returns the part of `set` with `second` on `square`.
    fn part(&self, state: S, square: usize, second: Second, set: Ref) -> Ref {
        let graph = self.sets.graph();
        let (empty, stone, ball) = if state.second_ball_to_come() {
            graph.thirds(set)
        } else {
            let (empty, stone) = graph.halves(set, square);
            (empty, stone, Ref::BOTTOM)
        };
        match second {
            Second::Empty => empty,
            Second::Stone => stone,
            Second::Ball => ball,
            Second::Won => Ref::TOP,
            Second::Lost => Ref::BOTTOM,
        }
    }

    /// Returns the boards from `square` on if there is no turn: all of them for
    /// [`Quantifier::ForAll`], otherwise none.
    fn without_turns(&self, quantifier: Quantifier, ball_to_come: bool, square: usize) -> Ref {
        match quantifier {
            Quantifier::Exists => Ref::BOTTOM,
            Quantifier::ForAll if ball_to_come => self.boards[square],
            Quantifier::ForAll => Ref::TOP,
        }
    }
}
