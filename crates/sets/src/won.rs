//! The boards of a length that each player wins, where an automaton that reads both halves tells who wins.
//!
//! The left half of a board leads to a state, and Left wins if the right half leads to a state of some
//! set. A diagram reads the right half from the ball to the goal line, against the direction of the
//! automaton: a node after the ball stands for the set of states to which the squares behind it, read
//! from the goal line, must lead. The set of a child is a preimage: the states from which one more
//! square leads into the parent's set.

use super::graph::{Graph, Ref};
use super::subsets::{GROUP, Subsets};
use super::{Diagram, Symbol};
use hashbrown::HashMap;
use phutbase_base::job::{Job, Stopped};
use phutbase_base::outcome::Side;
use phutbase_rules::half::HalfAutomaton;
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase_solution::HalfState;

/// Returns the boards of a length that Left wins, with Left and with Right to move.
///
/// 144 squares take seconds and 200 MB.
///
/// # Errors
/// The job was stopped.
///
/// # Panics
/// If the length is not from [`MIN_LENGTH`] to [`MAX_LENGTH`].
pub fn won(length: usize, job: &Job) -> Result<(Graph, [Ref; 2]), Stopped> {
    won_by::<HalfState>(length, job)
}

/// The same, where another automaton tells who wins.
pub fn won_by<A: HalfAutomaton>(length: usize, job: &Job) -> Result<(Graph, [Ref; 2]), Stopped> {
    assert!((MIN_LENGTH..=MAX_LENGTH).contains(&length), "a length of strips");
    let states = States::<A>::of_words(length - 2);
    let mut graph = Graph::new(length);
    let asked = right_halves(&mut graph, &states, job)?;
    // From the last square of the ball to the first one, the sets behind each state.
    let mut sets: Vec<[Ref; 2]> = Vec::new();
    for square in (0..length - 1).rev() {
        job.check()?;
        let set = |state: usize| {
            let behind = |symbol: Symbol| {
                if square + 2 == length {
                    return [Ref::BOTTOM; 2];
                }
                sets[states.next[symbol as usize][state] as usize]
            };
            let (empty, stone) = (behind(Symbol::Empty), behind(Symbol::Stone));
            let ball = match square {
                0 => [Ref::BOTTOM; 2],
                _ => asked[square][states.value_of[state] as usize],
            };
            let mut of_side = |at: usize| graph.ternary(square, empty[at], stone[at], ball[at]).expect(FEW);
            [of_side(0), of_side(1)]
        };
        sets = (0..states.counts[square][0]).map(set).collect();
    }
    Ok((graph, sets[0]))
}

/// No length has more nodes than a graph can hold.
const FEW: &str = "fewer than 2^32 nodes";

/// The states of words and their values, both numbered in the order in which longer words reach them.
/// A stone on the goal line changes nothing, so the states of short words are states of longer ones too.
struct States<A: HalfAutomaton> {
    halves: Vec<A>,
    /// The states after one more empty square and after one more stone, except for the longest words.
    next: [Vec<u32>; 2],
    /// The value of each state.
    value_of: Vec<u32>,
    values: Vec<A::Value>,
    /// By length, the numbers of states and of values of words of this length.
    counts: Vec<[usize; 2]>,
}

impl<A: HalfAutomaton> States<A> {
    fn of_words(longest: usize) -> States<A> {
        let mut states = States {
            halves: Vec::new(),
            next: [Vec::new(), Vec::new()],
            value_of: Vec::new(),
            values: Vec::new(),
            counts: Vec::new(),
        };
        let (mut known, mut valued) = (HashMap::new(), HashMap::new());
        states.number(&mut known, A::START);
        for _ in 0..=longest {
            for half in &states.halves[states.value_of.len()..] {
                let value = half.value();
                states.value_of.push(*valued.entry(value).or_insert_with(|| {
                    states.values.push(value);
                    states.values.len() as u32 - 1
                }));
            }
            states.counts.push([states.halves.len(), states.values.len()]);
            for state in states.next[0].len()..states.halves.len() {
                for (symbol, stone) in [false, true].into_iter().enumerate() {
                    let next = states.number(&mut known, states.halves[state].step(stone));
                    states.next[symbol].push(next);
                }
            }
        }
        states
    }

    fn number(&mut self, known: &mut HashMap<A, u32>, half: A) -> u32 {
        *known.entry(half).or_insert_with(|| {
            self.halves.push(half);
            self.halves.len() as u32 - 1
        })
    }
}

/// The sets of states to which some squares, the last ones of a strip, must lead.
struct Level {
    /// By symbol, for each set the one with a square less.
    children: [Vec<u32>; 2],
    /// For each value of a left half, with the ball in front of these squares, the sets with which Left wins.
    asked: Vec<[u32; 2]>,
}

/// Returns, by ball square and value of the left half, the sets of right halves with which Left wins, with
/// Left and with Right to move.
fn right_halves<A: HalfAutomaton>(
    graph: &mut Graph,
    states: &States<A>,
    job: &Job,
) -> Result<Vec<Vec<[Ref; 2]>>, Stopped> {
    let length = graph.length();
    // From the most squares to the fewest.
    let mut levels = Vec::new();
    let mut sets = Subsets::new(states.counts[length - 2][0]);
    for squares in (1..length - 1).rev() {
        job.check()?;
        let asked = ask(states, length - 1 - squares, squares, &mut sets);
        let shorter = states.counts[squares - 1][0];
        let mut next = Subsets::new(shorter);
        let children = (states.next.each_ref()).map(|after| next.add_predecessors(&after[..shorter], &sets));
        levels.push(Level { children, asked });
        sets = next;
    }
    let mut asked = vec![Vec::new(); length];
    // Without a square there is one state, in one set of two.
    let mut nodes = vec![Ref::BOTTOM, Ref::TOP];
    for (squares, level) in (1..).zip(levels.into_iter().rev()) {
        let square = length - squares;
        let [empty, stone] = level.children;
        let children = empty.into_iter().zip(stone).map(<[u32; 2]>::from);
        let node = |[empty, stone]: [u32; 2]| {
            let (empty, stone) = (nodes[empty as usize], nodes[stone as usize]);
            graph.binary(square, empty, stone).expect(FEW)
        };
        nodes = children.map(node).collect();
        let sets = level.asked.into_iter();
        asked[square - 1] = sets.map(|sets| sets.map(|set| nodes[set as usize])).collect();
    }
    Ok(asked)
}

/// Adds, for each value of a left half of `ball` squares, the sets of states of right halves of `squares`
/// squares with which Left wins. Returns the numbers of these sets.
fn ask<A: HalfAutomaton>(
    states: &States<A>,
    ball: usize,
    squares: usize,
    sets: &mut Subsets,
) -> Vec<[u32; 2]> {
    let [count, values] = states.counts[squares];
    let mut of_values = Subsets::new(values);
    let mut numbers = |left: A::Value| {
        [Side::Left, Side::Right].map(|to_move| {
            let asks = |right: A::Value| match to_move {
                Side::Left => A::wins(left, right),
                Side::Right => !A::wins(right, left),
            };
            let mut set = vec![[0; GROUP]; values.div_ceil(64 * GROUP)];
            for (at, _) in (states.values[..values].iter().enumerate()).filter(|&(_, &right)| asks(right)) {
                set[at / 64 / GROUP][at / 64 % GROUP] |= 1u64 << (at % 64);
            }
            of_values.number(&set)
        })
    };
    let lefts = &states.values[..states.counts[ball][1]];
    let asked: Vec<[u32; 2]> = lefts.iter().map(|&left| numbers(left)).collect();
    let numbers = sets.add_predecessors(&states.value_of[..count], &of_values);
    asked
        .into_iter()
        .map(|sets| sets.map(|set| numbers[set as usize]))
        .collect()
}
