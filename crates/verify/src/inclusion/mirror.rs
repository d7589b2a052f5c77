//! Mirror images of sets: boards read from the other end.
//!
//! At each boundary between two squares a set has a few *states*, its parts there. What a reader from
//! the right has seen matters only by the states that accept it: these subsets of states are the parts
//! of the mirror image.

use super::nodes::{Full, Nodes, Set};
use hashbrown::HashMap;
use phutbase_sets::Symbol;

/// States, a bit each by their place in a list.
type Subset = Box<[u64]>;

/// Makes the mirror image of a set of `source`, of boards of a length, in `image`.
pub fn mirror(source: &Nodes, set: Set, length: usize, image: &mut Nodes) -> Result<Set, Full> {
    let (mut squares, mut states) = (Vec::new(), [vec![set], Vec::new()]);
    for _ in 0..length {
        let (square, next) = Square::read(source, &states);
        squares.push(square);
        states = next;
    }
    let accepts: Subset = states[1]
        .chunks(64)
        .map(|states| bits(states, |&state| state == Set::ALL))
        .collect();
    let known = (0..=length).map(|_| Default::default()).collect();
    let mut reader = Reader {
        squares,
        image,
        known,
    };
    reader.part(length, false, accepts)
}

/// The states before a square, by the place of the state that follows each symbol in the list behind
/// the square.
struct Square {
    /// With the ball to come, by symbol.
    before: [Vec<u32>; 3],
    /// Past the ball.
    past: [Vec<u32>; 2],
}

impl Square {
    /// Reads a square in some states, before the ball and past it; also returns the states behind it.
    fn read(nodes: &Nodes, [before, past]: &[Vec<Set>; 2]) -> (Square, [Vec<Set>; 2]) {
        let after = |states: &[Set], symbol: Symbol| -> Vec<Set> {
            states.iter().map(|&state| nodes.child(state, symbol)).collect()
        };
        let clear = [Symbol::Empty, Symbol::Stone];
        let next = [
            clear.map(|symbol| after(before, symbol)).concat(),
            [
                clear.map(|symbol| after(past, symbol)).concat(),
                after(before, Symbol::Ball),
            ]
            .concat(),
        ];
        let next = next.map(|mut states| {
            states.sort_unstable();
            states.dedup();
            states
        });
        let places = |states: &[Set], symbol: Symbol, next: &[Set]| -> Vec<u32> {
            let place = |state| next.binary_search(&state).expect("the next states are listed") as u32;
            after(states, symbol).into_iter().map(place).collect()
        };
        let [empty, stone] = clear.map(|symbol| places(before, symbol, &next[0]));
        let square = Square {
            before: [empty, stone, places(before, Symbol::Ball, &next[1])],
            past: clear.map(|symbol| places(past, symbol, &next[1])),
        };
        (square, next)
    }
}

/// A word with a bit for each of at most 64 items.
fn bits<T>(items: &[T], is_set: impl Fn(&T) -> bool) -> u64 {
    (items.iter().rev()).fold(0, |word, item| word << 1 | u64::from(is_set(item)))
}

/// A set that is read from the right.
struct Reader<'s> {
    squares: Vec<Square>,
    image: &'s mut Nodes,
    /// The parts of the image by the squares that are left, before the ball and past it.
    known: Vec<[HashMap<Subset, Set>; 2]>,
}

impl Reader<'_> {
    /// The part of the image with this many squares left, where the states of a subset accept what was
    /// read. `has_ball` if that includes the ball.
    fn part(&mut self, left: usize, has_ball: bool, accepts: Subset) -> Result<Set, Full> {
        if accepts.iter().all(|&word| word == 0) {
            return Ok(Set::NONE);
        }
        let Some(square) = left.checked_sub(1).map(|left| &self.squares[left]) else {
            return Ok(if has_ball { Set::ALL } else { Set::NONE });
        };
        if let Some(&known) = self.known[left][usize::from(has_ball)].get(&accepts) {
            return Ok(known);
        }
        let is_in = |&place: &u32| accepts[place as usize / 64] >> (place % 64) & 1 == 1;
        let begins =
            |places: &Vec<u32>| -> Subset { places.chunks(64).map(|places| bits(places, is_in)).collect() };
        let mut parts = [Set::NONE; 3];
        if has_ball {
            let [empty, stone, _] = &square.before;
            let [empty, stone] = [empty, stone].map(begins);
            parts[0] = self.part(left - 1, true, empty)?;
            parts[1] = self.part(left - 1, true, stone)?;
        } else {
            let [empty, stone] = [0, 1].map(|symbol| begins(&square.past[symbol]));
            let ball = begins(&square.before[2]);
            parts[0] = self.part(left - 1, false, empty)?;
            parts[1] = self.part(left - 1, false, stone)?;
            parts[2] = self.part(left - 1, true, ball)?;
        }
        let made = self.image.make(!has_ball, parts)?;
        self.known[left][usize::from(has_ball)].insert(accepts, made);
        Ok(made)
    }
}
