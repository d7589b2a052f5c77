//! Patterns of boards: contents of squares, ranges of ball squares and of stone counts. A pattern
//! is converted to a set, so its matches in another set are an intersection.
//!
//! The conversion is an automaton that reads squares from left to right. Its state is the set of
//! reachable pattern positions with the number of stones so far; each state on each square becomes
//! a node.

use super::Symbol;
use super::graph::{Graph, Ref, TooLarge};
use hashbrown::HashMap;
use phutbase_base::outcome::ParseError;
use std::ops::RangeInclusive;

/// Constraints on boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    length: usize,
    pieces: Vec<Piece>,
    /// Allowed ball squares.
    balls: RangeInclusive<usize>,
    /// Allowed numbers of stones.
    stones: RangeInclusive<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// One square with this content, or with any.
    Square(Option<Symbol>),
    /// Any number of squares with any content.
    Squares,
}

/// Maximum number of states of all squares together. A `*` before very many squares would need more.
const STATE_LIMIT: usize = 1 << 20;

impl Pattern {
    pub fn any(length: usize) -> Pattern {
        Pattern {
            length,
            pieces: vec![Piece::Squares],
            balls: 1..=length - 2,
            stones: 0..=length - 1,
        }
    }

    /// Parses a pattern for strips of `length` squares: `.`, `o` and `@` as in positions, `?` for
    /// any content, and `*` for zero or more squares of any content.
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
                        "'{symbol}' at position {place}: use '.', 'o', '@', '?' (anything) and '*' (any squares)"
                    )));
                }
            }
        }
        let open = pieces.contains(&Piece::Squares);
        let found = pieces.iter().filter(|&&piece| piece != Piece::Squares).count();
        if found == length || open && found < length {
            Ok(Pattern {
                pieces,
                ..Pattern::any(length)
            })
        } else {
            let bound = if open { "at least" } else { "exactly" };
            let longer = match found < length {
                true => ": pad it with '?', or use '*' for any number of squares",
                false => "",
            };
            Err(ParseError(format!(
                "it has {bound} {found} squares, not {length}{longer}"
            )))
        }
    }

    pub fn with_ball(self, balls: RangeInclusive<usize>) -> Result<Pattern, ParseError> {
        let length = self.length;
        match [*balls.start(), *balls.end()]
            .into_iter()
            .find(|ball| !(1..=length - 2).contains(ball))
        {
            Some(found) => Err(ParseError(format!(
                "the ball must be on squares 1 to {}, not {found}",
                length - 2
            ))),
            None => Ok(Pattern { balls, ..self }),
        }
    }

    pub fn with_stones(self, stones: RangeInclusive<usize>) -> Result<Pattern, ParseError> {
        let length = self.length;
        if *stones.end() < length {
            Ok(Pattern { stones, ..self })
        } else {
            Err(ParseError(format!(
                "{} stones do not fit: a board has 0 to {}",
                stones.end(),
                length - 1
            )))
        }
    }

    /// Returns whether every board matches.
    pub fn is_any(&self) -> bool {
        *self == Pattern::any(self.length)
    }

    pub fn mirror(&self) -> Pattern {
        let last = self.length - 1;
        Pattern {
            length: self.length,
            pieces: self.pieces.iter().rev().copied().collect(),
            balls: last - self.balls.end()..=last - self.balls.start(),
            stones: self.stones.clone(),
        }
    }

    pub fn set(&self, graph: &mut Graph) -> Result<Ref, TooLarge> {
        let mut start = PositionSet::default();
        self.reach(&mut start, 0);
        let mut reading = Reading {
            pattern: self,
            graph,
            known: HashMap::new(),
        };
        reading.set(
            0,
            false,
            AutomatonState {
                places: start,
                stones: 0,
            },
        )
    }

    /// Adds a position of the pattern, and the next ones after each `*`, which may match no
    /// squares.
    fn reach(&self, places: &mut PositionSet, mut place: usize) {
        places.insert(place);
        while self.pieces.get(place) == Some(&Piece::Squares) {
            place += 1;
            places.insert(place);
        }
    }
}

/// A set of pattern positions; there are at most twice as many as squares, plus two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct PositionSet([u128; 4]);

impl PositionSet {
    fn insert(&mut self, place: usize) {
        self.0[place / 128] |= 1 << (place % 128);
    }

    fn contains(&self, place: usize) -> bool {
        self.0[place / 128] >> (place % 128) & 1 == 1
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct AutomatonState {
    places: PositionSet,
    /// Number of stones, if it matters.
    stones: usize,
}

struct Reading<'a> {
    pattern: &'a Pattern,
    graph: &'a mut Graph,
    known: HashMap<(usize, bool, AutomatonState), Ref>,
}

impl Reading<'_> {
    /// Returns the boards from `square` on that the state accepts.
    fn set(&mut self, square: usize, ball_met: bool, state: AutomatonState) -> Result<Ref, TooLarge> {
        if state.places == PositionSet::default() {
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
        if self.known.len() >= STATE_LIMIT {
            return Err(TooLarge);
        }
        let empty = self.set(square + 1, ball_met, self.after(state, Symbol::Empty))?;
        let stone = if state.stones < *self.pattern.stones.end() {
            self.set(square + 1, ball_met, self.after(state, Symbol::Stone))?
        } else {
            Ref::BOTTOM
        };
        let set = if ball_met {
            self.graph.binary(square, empty, stone)?
        } else {
            let ball = if self.pattern.balls.contains(&square) {
                self.set(square + 1, true, self.after(state, Symbol::Ball))?
            } else {
                Ref::BOTTOM
            };
            self.graph.ternary(square, empty, stone, ball)?
        };
        self.known.insert((square, ball_met, state), set);
        Ok(set)
    }

    /// Returns the state after one more square.
    fn after(&self, state: AutomatonState, symbol: Symbol) -> AutomatonState {
        let mut places = PositionSet::default();
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
        // Do not count stones if any number is allowed.
        let counted = self.pattern.stones != (0..=self.pattern.length - 1);
        let stones = state.stones + usize::from(counted && symbol == Symbol::Stone);
        AutomatonState { places, stones }
    }
}
