//! Preimages of sets of boards under turns, computed by a transducer that reads two boards side by
//! side.
//!
//! A turn changes a few squares, so a finite automaton can recognise pairs of boards before and
//! after a turn by reading both from left to right. The rules of a game are a table of
//! [`Transitions`]: for a state and the content of a square *before* the turn it lists the possible
//! contents *after* it, with the next state. Some turns end the game; then the second board is
//! irrelevant.
//!
//! [`TurnAutomaton::preimage`] runs the automaton on a whole set of second boards and returns the set of
//! first boards. It is independent of the game: strips and Oddish Phutball have a table each.
//!
//! The boards may also be read from the right ([`TurnAutomaton::reading`]). Before the ball most nodes are
//! different and after it many are shared, so a ball is best read from the end that is nearer.

use super::algebra::{Join, Sets};
use super::cache::Cache;
use super::graph::{Graph, Ref, TooLarge};
use super::{Diagram, Symbol};
use std::hash::Hash;

/// The quantifier over the turns that lead into a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    Exists,
    ForAll,
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

    /// Returns whether turns of a kind leave the ball on its square.
    fn keeps_ball(kind: Self::Kind) -> bool;

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
pub struct TurnAutomaton<S: Transitions> {
    sets: Sets,
    known: Cache<(Join, S, u8, Ref, Ref)>,
    /// The last square of the ball in first boards.
    last: usize,
    /// True if square 0 of the sets is the last square of the strip.
    mirrored: bool,
    /// All first boards.
    boards: Ref,
}

impl<S: Transitions> TurnAutomaton<S> {
    /// Creates the automaton for boards that have the ball at most on square `last` before the
    /// turn. If `mirrored`, the sets consist of mirror images, and so do the kinds of turns: a jump
    /// to the right goes towards Right's goal.
    pub fn reading(sets: Sets, last: usize, mirrored: bool) -> Result<TurnAutomaton<S>, TooLarge> {
        let mut turns = TurnAutomaton {
            boards: Ref::BOTTOM,
            sets,
            known: Cache::new(),
            last,
            mirrored,
        };
        for square in (0..turns.length() - 1).rev() {
            let later = turns.boards;
            let ball = match turns.place(square) {
                Place::Inner if square <= last => Ref::TOP,
                _ => Ref::BOTTOM,
            };
            turns.boards = (turns.sets.graph_mut()).ternary(square, later, later, ball)?;
        }
        Ok(turns)
    }

    /// Returns all first boards.
    pub fn boards(&self) -> Ref {
        self.boards
    }

    pub fn sets(&mut self) -> &mut Sets {
        &mut self.sets
    }

    pub fn graph(&self) -> &Graph {
        self.sets.graph()
    }

    /// Returns the allocated memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.sets.bytes() + self.known.bytes()
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

    /// Returns the first boards of a set.
    pub fn within(&mut self, set: Ref) -> Result<Ref, TooLarge> {
        self.sets.join(Join::And, set, self.boards)
    }

    /// Returns the boards from which some, or every, turn of these kinds wins for Left at once or
    /// leads into `set`.
    pub fn preimage(&mut self, quantifier: Quantifier, kinds: &[S::Kind], set: Ref) -> Result<Ref, TooLarge> {
        let (how, start) = match quantifier {
            Quantifier::Exists => (Join::Or, Ref::BOTTOM),
            Quantifier::ForAll => (Join::And, self.boards),
        };
        (kinds.iter()).try_fold(start, |boards, &kind| self.join(how, boards, kind, set))
    }

    /// Joins the preimage of `set` under turns of a kind to some first boards: for [`Join::And`]
    /// under every turn, otherwise under some turn.
    ///
    /// Joining turn by turn keeps intermediate sets small if the result is small. Otherwise the
    /// preimage alone needs fewer cached results.
    pub fn join(&mut self, how: Join, boards: Ref, kind: S::Kind, set: Ref) -> Result<Ref, TooLarge> {
        let target = if S::keeps_ball(kind) {
            self.within(set)?
        } else {
            set
        };
        self.run(how, S::start(kind), 0, boards, target)
    }

    /// Joins the parts from `square` on of first boards, for parts of second boards in `set`, to
    /// `boards`. Without a turn these stay as they are.
    fn run(&mut self, how: Join, state: S, square: usize, boards: Ref, set: Ref) -> Result<Ref, TooLarge> {
        let ball_to_come = state.first_ball_to_come();
        if state == S::DONE {
            return self.sets.join(how, boards, set);
        }
        if square == self.length() && state.wins_past_the_end() {
            return self.sets.join(how, boards, self.decided(!self.mirrored));
        }
        let is_decided = match how {
            Join::Or => boards == Ref::TOP,
            Join::And | Join::Minus => boards == Ref::BOTTOM,
        };
        if is_decided || square == self.length() || ball_to_come && square > self.last {
            return Ok(boards);
        }
        let key = (how, state, square as u8, boards, set);
        if let Some(known) = self.known.get(key) {
            return Ok(known);
        }
        let graph = self.sets.graph();
        let result = if ball_to_come {
            let (empty, stone, mut ball) = graph.thirds(boards);
            let empty = self.on_square(how, state, square, Symbol::Empty, empty, set)?;
            let stone = self.on_square(how, state, square, Symbol::Stone, stone, set)?;
            if self.place(square) == Place::Inner {
                ball = self.on_square(how, state, square, Symbol::Ball, ball, set)?;
            }
            (self.sets.graph_mut()).ternary_like([boards], square, (empty, stone, ball))?
        } else {
            let (empty, stone) = graph.halves(boards, square);
            let empty = self.on_square(how, state, square, Symbol::Empty, empty, set)?;
            let stone = self.on_square(how, state, square, Symbol::Stone, stone, set)?;
            (self.sets.graph_mut()).binary_like([boards], square, (empty, stone))?
        };
        self.known.insert(key, result);
        Ok(result)
    }

    /// Like `run`, for first boards with `first` on `square`. `boards` are their parts behind it.
    fn on_square(
        &mut self,
        how: Join,
        state: S,
        square: usize,
        first: Symbol,
        mut boards: Ref,
        set: Ref,
    ) -> Result<Ref, TooLarge> {
        let steps = state.steps(first, self.place(square));
        // Before the ball, complete turns come first: they may decide all boards. Past the ball they
        // come last: the other turns are then joined to fewer different boards.
        let complete_first = state.first_ball_to_come();
        for complete in [complete_first, !complete_first] {
            for &(second, next) in steps.iter().filter(|(_, next)| (*next == S::DONE) == complete) {
                let target = self.part(state, square, second, set);
                boards = self.run(how, next, square + 1, boards, target)?;
            }
        }
        Ok(boards)
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
            Second::Won => self.decided(!self.mirrored),
            Second::Lost => self.decided(self.mirrored),
        }
    }

    /// Returns all second boards if Left has won, otherwise none.
    fn decided(&self, won: bool) -> Ref {
        if won { Ref::TOP } else { Ref::BOTTOM }
    }
}
