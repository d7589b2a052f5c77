//! Turns on whole sets of boards: a machine that reads two boards side by side.
//!
//! A turn changes a few squares, and whether one board comes from another by a turn can be seen by reading both from left to
//! right, square by square, with a state that says what has been seen. The rules of a game are a table of [`Transitions`]: for a
//! state and what the board *before* the turn has on a square it lists what the board *after* it may have there, and the state
//! then. Some turns end the game instead; then it does not matter what a second board would be.
//!
//! [`Turns::lead`] runs the machine along a whole set of second boards at once, and gives the set of first boards. It knows no
//! game, and shares nothing with the recursions of the symbolic engine.

use super::Diagram;
use super::algebra::{Join, Sets};
use super::graph::{Ref, TooLarge};
use hashbrown::HashMap;
use std::hash::Hash;

/// Which turns have to lead into a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// One at least.
    Some,
    /// All.
    Every,
}

impl Which {
    /// How the boards of two turns, or of two kinds of turns, are joined.
    pub fn how(self) -> Join {
        match self {
            Which::Some => Join::Or,
            Which::Every => Join::And,
        }
    }
}

/// What a square of the first board holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Nothing.
    Empty,
    /// A stone.
    Stone,
    /// The ball.
    Ball,
}

/// What the second board must have on the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// Nothing.
    Empty,
    /// A stone.
    Stone,
    /// The ball.
    Ball,
    /// Anything: the turn has won for Left.
    Won,
    /// What nothing can be: the turn has won for Right.
    Lost,
}

/// Where a square lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At the left end, Right's goal.
    First,
    /// Between the ends, where the ball may stand while play goes on.
    Inner,
    /// At the right end, Left's goal.
    Last,
}

/// The rules of a game as a table; a value is a state, which says what has been read so far.
pub trait Transitions: Copy + Eq + Hash + 'static {
    /// The kinds of turns.
    type Kind: Copy;

    /// The turn is complete: the rest of the two boards is the same.
    const DONE: Self;

    /// The state before anything is read.
    fn start(kind: Self::Kind) -> Self;

    /// Whether the ball of the first board is still to come.
    fn first_ball_to_come(self) -> bool;

    /// Whether the ball of the second board is still to come.
    fn second_ball_to_come(self) -> bool;

    /// What the second board may have where the first has `first`, and the state after that.
    fn steps(self, first: First, place: Place) -> &'static [(Second, Self)];

    /// Whether a turn that is in this state past the right end of the board has won for Left.
    fn wins_past_the_end(self) -> bool;
}

/// The machine on the sets of a graph, with the results it remembers.
#[derive(Debug)]
pub struct Turns<S: Transitions> {
    sets: Sets,
    known: HashMap<(Which, S, u8, Ref), Ref>,
    /// For each square, all boards whose ball is on it or to the right of it.
    boards: Vec<Ref>,
}

impl<S: Transitions> Turns<S> {
    /// The machine on the sets of a graph.
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

    /// The sets.
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

    /// The boards from which some, or every, turn of a kind wins for Left at once or leads into `set`.
    pub fn lead(&mut self, which: Which, kind: S::Kind, set: Ref) -> Result<Ref, TooLarge> {
        self.run(which, S::start(kind), 0, set)
    }

    /// The boards from which some, or every, turn of several kinds does.
    pub fn lead_by(&mut self, which: Which, kinds: &[S::Kind], set: Ref) -> Result<Ref, TooLarge> {
        let Some((&first, others)) = kinds.split_first() else {
            return Ok(self.no_turn(which, true, 0));
        };
        let mut result = self.lead(which, first, set)?;
        for &kind in others {
            let by_kind = self.lead(which, kind, set)?;
            result = self.sets.join(which.how(), result, by_kind)?;
        }
        Ok(result)
    }

    /// The first boards, from `square` on, for second boards from `square` on in `set`.
    fn run(&mut self, which: Which, state: S, square: usize, set: Ref) -> Result<Ref, TooLarge> {
        if state == S::DONE {
            return Ok(set);
        }
        if square == self.length() {
            return Ok(match state.wins_past_the_end() {
                true => Ref::TOP,
                false => self.no_turn(which, state.first_ball_to_come(), square),
            });
        }
        let key = (which, state, square as u8, set);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let empty = self.on_square(which, state, square, First::Empty, set)?;
        let stone = self.on_square(which, state, square, First::Stone, set)?;
        let result = if state.first_ball_to_come() {
            let ball = match self.place(square) {
                Place::Inner => self.on_square(which, state, square, First::Ball, set)?,
                _ => Ref::BOTTOM,
            };
            self.sets.graph_mut().ternary(square, empty, stone, ball)?
        } else {
            self.sets.graph_mut().binary(square, empty, stone)?
        };
        self.known.insert(key, result);
        Ok(result)
    }

    /// The same where the first board has `first` on `square`: the rest of it.
    fn on_square(
        &mut self,
        which: Which,
        state: S,
        square: usize,
        first: First,
        set: Ref,
    ) -> Result<Ref, TooLarge> {
        let ball_to_come = first != First::Ball && state.first_ball_to_come();
        let mut result = self.no_turn(which, ball_to_come, square + 1);
        for &(second, next) in state.steps(first, self.place(square)) {
            let target = self.part(state, square, second, set);
            let further = self.run(which, next, square + 1, target)?;
            result = self.sets.join(which.how(), result, further)?;
        }
        Ok(result)
    }

    /// What is left of `set` where the second board has `second` on `square`.
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

    /// The boards from `square` on if there is no turn at all: none has one that leads anywhere; of all of them every one does.
    fn no_turn(&self, which: Which, ball_to_come: bool, square: usize) -> Ref {
        match which {
            Which::Some => Ref::BOTTOM,
            Which::Every if ball_to_come => self.boards[square],
            Which::Every => Ref::TOP,
        }
    }
}
