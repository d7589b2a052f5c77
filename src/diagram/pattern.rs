//! What boards may be asked for: a pattern of what stands where, squares for the ball, a number of stones. All of it together is a set of
//! boards like any other, and what fits among the members of another set is their intersection.
//!
//! A pattern is read from left to right like a diagram. What may follow after some squares depends on the places of the pattern that the
//! reading may have come to, and on the stones so far: that is the state of an automaton, and a node for each state on each square makes
//! the diagram.

use super::Symbol;
use super::graph::{Graph, Ref, TooLarge};
use crate::outcome::ParseError;
use hashbrown::HashMap;
use std::ops::RangeInclusive;

/// What may stand on each square, and what holds for the whole board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    length: usize,
    pieces: Vec<Piece>,
    /// Squares where the ball may stand.
    balls: RangeInclusive<usize>,
    /// How many stones there may be.
    stones: RangeInclusive<usize>,
}

/// A part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// One square that holds this, or anything.
    Square(Option<Symbol>),
    /// Any number of squares with anything on them.
    Squares,
}

/// States that a pattern may lead to, for each square: more come of a `*` before very many squares, and take too long.
const MOST_STATES: usize = 1 << 20;

impl Pattern {
    /// Every board of a length.
    pub fn any(length: usize) -> Pattern {
        Pattern {
            length,
            pieces: vec![Piece::Squares],
            balls: 1..=length - 2,
            stones: 0..=length - 1,
        }
    }

    /// Reads a pattern for strips of `length` squares: `.`, `o` and `@` as in positions, `?` for anything, and `*` for any number of
    /// squares, none too, with anything on them.
    pub fn parse(text: &str, length: usize) -> Result<Pattern, ParseError> {
        let mut pieces = Vec::new();
        for (place, symbol) in text.chars().enumerate() {
            match symbol {
                '.' => pieces.push(Piece::Square(Some(Symbol::Empty))),
                'o' | 'O' => pieces.push(Piece::Square(Some(Symbol::Stone))),
                '@' => pieces.push(Piece::Square(Some(Symbol::Ball))),
                '?' => pieces.push(Piece::Square(None)),
                '*' if pieces.last() == Some(&Piece::Squares) => {}
                '*' => pieces.push(Piece::Squares),
                _ => {
                    return Err(ParseError(format!(
                        "'{symbol}' at place {place}: use '.', 'o', '@', '?' (anything) and '*' (any squares)"
                    )));
                }
            }
        }
        let open = pieces.contains(&Piece::Squares);
        let found = pieces.iter().filter(|&&piece| piece != Piece::Squares).count();
        match found == length || open && found < length {
            true => Ok(Pattern {
                pieces,
                ..Pattern::any(length)
            }),
            false => {
                let bound = if open { "at least" } else { "exactly" };
                Err(ParseError(format!(
                    "it is for {bound} {found} squares, not {length}: fill it up with '?', or put a '*' where any squares may be"
                )))
            }
        }
    }

    /// The same with the ball on one of these squares.
    pub fn with_ball(self, balls: RangeInclusive<usize>) -> Result<Pattern, ParseError> {
        let length = self.length;
        match [*balls.start(), *balls.end()]
            .into_iter()
            .find(|ball| !(1..=length - 2).contains(ball))
        {
            Some(found) => Err(ParseError(format!(
                "the ball stands on squares 1 to {}, not on {found}",
                length - 2
            ))),
            None => Ok(Pattern { balls, ..self }),
        }
    }

    /// The same with so many stones.
    pub fn with_stones(self, stones: RangeInclusive<usize>) -> Result<Pattern, ParseError> {
        let length = self.length;
        match *stones.end() < length {
            true => Ok(Pattern { stones, ..self }),
            false => Err(ParseError(format!(
                "{} stones do not fit: a board has 0 to {}",
                stones.end(),
                length - 1
            ))),
        }
    }

    /// Whether every board fits.
    pub fn is_any(&self) -> bool {
        *self == Pattern::any(self.length)
    }

    /// The pattern of the mirror images.
    pub fn mirror(&self) -> Pattern {
        let last = self.length - 1;
        Pattern {
            length: self.length,
            pieces: self.pieces.iter().rev().copied().collect(),
            balls: last - self.balls.end()..=last - self.balls.start(),
            stones: self.stones.clone(),
        }
    }

    /// The boards that fit.
    ///
    /// # Errors
    /// [`TooLarge`], also if the pattern is too intricate.
    pub fn set(&self, graph: &mut Graph) -> Result<Ref, TooLarge> {
        let mut start = Places::default();
        self.reach(&mut start, 0);
        let mut reading = Reading {
            pattern: self,
            graph,
            known: HashMap::new(),
        };
        reading.set(
            0,
            false,
            State {
                places: start,
                stones: 0,
            },
        )
    }

    /// Notes that the pattern is read up to a place; a `*` may be for no squares.
    fn reach(&self, places: &mut Places, mut place: usize) {
        places.insert(place);
        while self.pieces.get(place) == Some(&Piece::Squares) {
            place += 1;
            places.insert(place);
        }
    }
}

/// Places of a pattern, of which there are at most twice as many as squares, and one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Places([u128; 3]);

impl Places {
    fn insert(&mut self, place: usize) {
        self.0[place / 128] |= 1 << (place % 128);
    }

    fn contains(&self, place: usize) -> bool {
        self.0[place / 128] >> (place % 128) & 1 == 1
    }
}

/// What counts of the squares read so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    places: Places,
    /// Stones, as far as they are counted.
    stones: usize,
}

struct Reading<'a> {
    pattern: &'a Pattern,
    graph: &'a mut Graph,
    known: HashMap<(usize, bool, State), Ref>,
}

impl Reading<'_> {
    /// The boards from `square` on that may follow.
    fn set(&mut self, square: usize, ball_met: bool, state: State) -> Result<Ref, TooLarge> {
        if state.places == Places::default() {
            return Ok(Ref::BOTTOM);
        }
        if square == self.pattern.length {
            let whole = state.places.contains(self.pattern.pieces.len());
            let fits = ball_met && whole && self.pattern.stones.contains(&state.stones);
            return Ok(if fits { Ref::TOP } else { Ref::BOTTOM });
        }
        if let Some(&known) = self.known.get(&(square, ball_met, state)) {
            return Ok(known);
        }
        if self.known.len() >= MOST_STATES {
            return Err(TooLarge);
        }
        let empty = self.set(square + 1, ball_met, self.after(state, Symbol::Empty))?;
        let stone = match state.stones < *self.pattern.stones.end() {
            true => self.set(square + 1, ball_met, self.after(state, Symbol::Stone))?,
            false => Ref::BOTTOM,
        };
        let set = if ball_met {
            self.graph.binary(square, empty, stone)?
        } else {
            let ball = match self.pattern.balls.contains(&square) {
                true => self.set(square + 1, true, self.after(state, Symbol::Ball))?,
                false => Ref::BOTTOM,
            };
            self.graph.ternary(square, empty, stone, ball)?
        };
        self.known.insert((square, ball_met, state), set);
        Ok(set)
    }

    /// The state after one more square.
    fn after(&self, state: State, symbol: Symbol) -> State {
        let mut places = Places::default();
        for (place, piece) in self.pattern.pieces.iter().enumerate() {
            match *piece {
                _ if !state.places.contains(place) => {}
                Piece::Squares => self.pattern.reach(&mut places, place),
                Piece::Square(only) if only.is_none_or(|only| only == symbol) => {
                    self.pattern.reach(&mut places, place + 1);
                }
                Piece::Square(_) => {}
            }
        }
        // Where any number of stones may be, none is counted.
        let counted = self.pattern.stones != (0..=self.pattern.length - 1);
        let stones = state.stones + usize::from(counted && symbol == Symbol::Stone);
        State { places, stones }
    }
}
