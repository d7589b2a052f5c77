//! The squares outside a word next to the ball, and the values of the halves that it completes.
//!
//! The squares from the goal line to the word lead to a state of the solution, and from there each of
//! two words leads to a value. A square changes K by at most four, and the rule compares it with
//! small numbers and with indices only. So where K is large, one more changes nothing but the
//! potentials, both by one, and states with K up to a bound have all pairs of values but for numbers
//! added to both. A test compares the pairs with those of a greater bound.

use hashbrown::HashSet;
use phutbase_base::outcome::Side;
use phutbase_solution::HalfState;
use phutbase_solution::rule::{Kind, Value, wins};
use std::collections::BTreeMap;

/// The states with K up to a bound, in the order of their shortest words.
pub struct Outside {
    states: Vec<State>,
}

struct State {
    half: HalfState,
    /// The state before the last square of its shortest word, and that square.
    before: usize,
    stone: bool,
    /// Number of squares of its shortest word.
    length: usize,
}

/// The bound of K for words without squares: the rule compares K with numbers up to 10, and leads beyond two
/// decide.
const LEAST_BOUND: i32 = 20;
/// A square changes K by at most this.
const STEP: i32 = 4;

impl Outside {
    /// Lists the states that words of up to a number of squares next to the ball can tell apart.
    pub fn of_words(squares: usize) -> Outside {
        Outside::up_to(LEAST_BOUND + STEP * squares as i32)
    }

    /// Lists the states with K up to a bound.
    pub fn up_to(bound: i32) -> Outside {
        let mut known: HashSet<HalfState> = [HalfState::EMPTY].into_iter().collect();
        let mut states = vec![State {
            half: HalfState::EMPTY,
            before: 0,
            stone: false,
            length: 0,
        }];
        let mut at = 0;
        while at < states.len() {
            for stone in [false, true] {
                let half = states[at].half.step(stone);
                if half.name().number <= bound && known.insert(half) {
                    let length = states[at].length + 1;
                    states.push(State {
                        half,
                        before: at,
                        stone,
                        length,
                    });
                }
            }
            at += 1;
        }
        Outside { states }
    }

    /// Returns the shortest word of a state, from the goal line on.
    fn word(&self, mut state: usize) -> Vec<bool> {
        let mut word = Vec::new();
        while state > 0 {
            word.push(self.states[state].stone);
            state = self.states[state].before;
        }
        word.reverse();
        word
    }

    /// Pairs the values of the halves with each of two words, read towards the ball, after the same squares.
    pub fn pairs(&self, words: [&[bool]; 2]) -> Pairs {
        let mut pairs = Pairs::default();
        for (place, state) in self.states.iter().enumerate() {
            let read = |word: &[bool]| word.iter().fold(state.half, |half, &stone| half.step(stone));
            pairs.insert(words.map(|word| read(word).value()), || {
                let mut outside = self.word(place);
                if outside.is_empty() && words.iter().any(|word| word.is_empty()) {
                    // A stone on the goal line is worth nothing, and a half has a square.
                    outside.push(true);
                }
                outside
            });
        }
        pairs
    }
}

/// The part of two values that a number added to both potentials leaves as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    pub kinds: [Kind; 2],
    /// The second potential less the first.
    pub more: i32,
}

/// The pairs of values of halves, each with the shortest squares outside the words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// By shape, and by the first potential.
    shapes: BTreeMap<Shape, Potentials>,
}

/// By the first potential, the squares outside.
type Potentials = BTreeMap<i32, Vec<bool>>;

impl Pairs {
    /// Returns the one pair of two whole halves.
    pub fn of_words(halves: [&[bool]; 2]) -> Pairs {
        let mut pairs = Pairs::default();
        let value = |half: &[bool]| HalfState::of(half.iter().copied()).value();
        pairs.insert(halves.map(value), Vec::new);
        pairs
    }

    /// Adds a pair that is not known yet, with the squares outside.
    pub fn insert(&mut self, [first, second]: [Value; 2], outside: impl FnOnce() -> Vec<bool>) {
        let shape = Shape {
            kinds: [first.kind, second.kind],
            more: second.potential - first.potential,
        };
        let potentials = self.shapes.entry(shape).or_default();
        potentials.entry(first.potential).or_insert_with(outside);
    }

    /// Lists the shapes.
    pub fn shapes(&self) -> impl Iterator<Item = Shape> {
        self.shapes.keys().copied()
    }

    /// Returns the squares outside of a shortest board with this player to move that Left wins with the first
    /// words and does not win with the second; the words are next to the ball on the left and on the right.
    pub fn lost<'a>(&'a self, right: &'a Pairs, side: Side) -> Option<[&'a [bool]; 2]> {
        let mut least: Option<[&[bool]; 2]> = None;
        for (one, other, lead) in self.lost_shapes(right, side) {
            for (&potential, behind) in one {
                let Some(ahead) = other.get(&(potential - lead)) else {
                    continue;
                };
                let key = |[behind, ahead]: [&'a [bool]; 2]| (behind.len() + ahead.len(), behind, ahead);
                let found: [&[bool]; 2] = [behind, ahead];
                if least.is_none_or(|least| key(found) < key(least)) {
                    least = Some(found);
                }
            }
        }
        least
    }

    /// Returns the potentials of two shapes and the leads at which Left wins with the first values only.
    fn lost_shapes<'a>(
        &'a self,
        right: &'a Pairs,
        side: Side,
    ) -> impl Iterator<Item = (&'a Potentials, &'a Potentials, i32)> {
        let shapes = self
            .shapes
            .iter()
            .flat_map(|one| right.shapes.iter().map(move |other| (one, other)));
        shapes.flat_map(move |((one, behind), (other, ahead))| {
            let change = one.more - other.more;
            // Beyond these leads both words win, or both lose.
            let most = 1 + change.abs();
            let leads = (-most..=most).filter(move |&lead| {
                let wins = |at: usize, lead| left_wins(side, one.kinds[at], other.kinds[at], lead);
                wins(0, lead) && !wins(1, lead + change)
            });
            leads.map(move |lead| (behind, ahead, lead))
        })
    }
}

/// True if Left wins with halves of these types, the left one with a potential greater by `lead`.
fn left_wins(side: Side, left: Kind, right: Kind, lead: i32) -> bool {
    let value = |kind, potential| Value { potential, kind };
    match side {
        Side::Left => wins(value(left, lead), value(right, 0)),
        Side::Right => !wins(value(right, 0), value(left, lead)),
    }
}
