//! The boards of a length that each player wins, by the solution.
//!
//! The left half of a board leads to a state of the solution. What it asks of the right half is a
//! set of states, those that the right half may lead to. A diagram reads the right half from the
//! ball to the goal line, against the direction of the solution: so a node after the ball stands for
//! the set of those states that the squares behind it, read from the goal line, may lead to. The set
//! of a child is a preimage: the states from which one more square leads into the parent's set.

use super::Diagram;
use super::graph::{Graph, Ref, TooLarge};
use super::halves::Unbuilt;
use hashbrown::HashMap;
use phutbase_base::job::{Job, Stopped};
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase_solution::HalfState;
use phutbase_solution::rule::{Value, wins};

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
    build(length, job).map_err(|error| match error {
        Unbuilt::Stopped(stopped) => stopped,
        Unbuilt::TooLarge(_) => unreachable!("{length} squares have fewer than 2^32 nodes"),
    })
}

fn build(length: usize, job: &Job) -> Result<(Graph, [Ref; 2]), Unbuilt> {
    assert!((MIN_LENGTH..=MAX_LENGTH).contains(&length), "a length of strips");
    let states = States::of_words(length - 2);
    let mut graph = Graph::new(length);
    let right = RightHalves::new(&mut graph, &states, job)?;
    // From the last square of the ball to the first one, the sets behind each state.
    let mut sets: Vec<[Ref; 2]> = Vec::new();
    for square in (0..length - 1).rev() {
        job.check()?;
        sets = (states.of_length(square))
            .map(|state| {
                let [empty, stone] = if square + 2 == length {
                    [[Ref::BOTTOM; 2]; 2]
                } else {
                    states.next[state].map(|next| sets[next as usize])
                };
                let ball = match square {
                    0 => [Ref::BOTTOM; 2],
                    _ => right.asked[square][states.value_of[state] as usize],
                };
                let mut of_side = |at: usize| graph.ternary(square, empty[at], stone[at], ball[at]);
                Ok([of_side(0)?, of_side(1)?])
            })
            .collect::<Result<_, TooLarge>>()?;
    }
    Ok((graph, sets[0]))
}

/// The states of words and their values, both numbered in the order in which longer words reach them.
/// A stone on the goal line changes nothing, so the states of short words are states of longer ones too.
struct States {
    halves: Vec<HalfState>,
    /// The states after one more empty square and one more stone, except for the longest words.
    next: Vec<[u32; 2]>,
    /// The value of each state.
    value_of: Vec<u32>,
    values: Vec<Value>,
    /// By length, the numbers of states and of values of words of this length.
    counts: Vec<[usize; 2]>,
}

impl States {
    fn of_words(longest: usize) -> States {
        let mut states = States {
            halves: Vec::new(),
            next: Vec::new(),
            value_of: Vec::new(),
            values: Vec::new(),
            counts: Vec::new(),
        };
        let (mut known, mut valued) = (HashMap::new(), HashMap::new());
        states.number(&mut known, HalfState::EMPTY);
        for _ in 0..=longest {
            for &half in &states.halves[states.value_of.len()..] {
                let value = half.value();
                states.value_of.push(*valued.entry(value).or_insert_with(|| {
                    states.values.push(value);
                    states.values.len() as u32 - 1
                }));
            }
            states.counts.push([states.halves.len(), states.values.len()]);
            for state in states.next.len()..states.halves.len() {
                let next = [false, true].map(|stone| states.halves[state].step(stone));
                let next = next.map(|half| states.number(&mut known, half));
                states.next.push(next);
            }
        }
        states
    }

    fn number(&mut self, known: &mut HashMap<HalfState, u32>, half: HalfState) -> u32 {
        *known.entry(half).or_insert_with(|| {
            self.halves.push(half);
            self.halves.len() as u32 - 1
        })
    }

    /// Returns the states of words of a length, as a range of numbers.
    fn of_length(&self, length: usize) -> std::ops::Range<usize> {
        0..self.counts[length][0]
    }

    fn values_of_length(&self, length: usize) -> &[Value] {
        &self.values[..self.counts[length][1]]
    }
}

/// The right halves that each left half asks for.
struct RightHalves {
    /// By ball square and value of the left half, the sets of right halves with which Left wins, with
    /// Left and with Right to move.
    asked: Vec<Vec<[Ref; 2]>>,
}

/// The sets of states that some squares, the last ones of a strip, may lead to.
#[derive(Default)]
struct Level {
    /// Each set with its number: a bit for each state of words of this length.
    sets: HashMap<Box<[u64]>, u32>,
    /// The sets of the next level that an empty square and a stone lead to.
    children: Vec<[u32; 2]>,
    /// The sets that left halves ask for, with the ball in front of these squares, by their values.
    asked: Vec<[u32; 2]>,
}

impl RightHalves {
    fn new(graph: &mut Graph, states: &States, job: &Job) -> Result<RightHalves, Unbuilt> {
        let length = graph.length();
        // By the number of squares, from the goal line on.
        let mut levels: Vec<Level> = (0..length - 1).map(|_| Level::default()).collect();
        for squares in (1..length - 1).rev() {
            job.check()?;
            let (shorter, longer) = levels.split_at_mut(squares);
            let (level, next) = (&mut longer[0], &mut shorter[squares - 1]);
            level.ask(states, length - 1 - squares, squares);
            level.descend(states, squares, next);
        }
        let mut nodes = vec![Ref::BOTTOM; levels[0].sets.len()];
        for (set, &number) in &levels[0].sets {
            nodes[number as usize] = if set[0] & 1 == 1 { Ref::TOP } else { Ref::BOTTOM };
        }
        let mut asked = vec![Vec::new(); length];
        for (squares, level) in levels.iter().enumerate().skip(1) {
            let square = length - squares;
            nodes = (level.children.iter())
                .map(|&children| {
                    let [empty, stone] = children.map(|child| nodes[child as usize]);
                    graph.binary(square, empty, stone)
                })
                .collect::<Result<_, TooLarge>>()?;
            let sets = level.asked.iter();
            asked[square - 1] = sets.map(|sets| sets.map(|set| nodes[set as usize])).collect();
        }
        Ok(RightHalves { asked })
    }
}

impl Level {
    /// Adds what the left halves of `ball` squares ask of right halves of `squares` squares.
    fn ask(&mut self, states: &States, ball: usize, squares: usize) {
        for block in states.values_of_length(ball).chunks(64) {
            let asked: [fn(Value, Value) -> bool; 2] = [wins, |left, right| !wins(right, left)];
            let [left, right] = asked.map(|is_asked| {
                let by_value = states.values_of_length(squares).iter().map(|&right| {
                    let bits = block.iter().map(|&left| u64::from(is_asked(left, right)));
                    bits.zip(0..).fold(0, |word, (bit, place)| word | bit << place)
                });
                let by_value: Vec<u64> = by_value.collect();
                let by_state = states.value_of[states.of_length(squares)].iter();
                let by_state: Vec<u64> = by_state.map(|&value| by_value[value as usize]).collect();
                self.numbers(&by_state, block.len())
            });
            self.asked
                .extend(left.into_iter().zip(right).map(<[u32; 2]>::from));
        }
    }

    /// Returns the numbers of some sets, given for each state those with it, as a bit each.
    fn numbers(&mut self, by_state: &[u64], count: usize) -> Vec<u32> {
        let numbers = columns(by_state, count).map(|set| {
            let next = self.sets.len() as u32;
            *self.sets.entry(set).or_insert(next)
        });
        numbers.collect()
    }

    /// Adds the preimages of all sets to the level with a square less, and drops the sets.
    fn descend(&mut self, states: &States, squares: usize, next: &mut Level) {
        let mut sets: Vec<(Box<[u64]>, u32)> = self.sets.drain().collect();
        sets.sort_unstable_by_key(|&(_, number)| number);
        for block in sets.chunks(64) {
            let by_state = transposed(block.iter().map(|(set, _)| &set[..]));
            let [empty, stone] = [0, 1].map(|symbol| {
                let preimage = states.next[states.of_length(squares - 1)].iter();
                let preimage: Vec<u64> = preimage.map(|next| by_state[next[symbol] as usize]).collect();
                next.numbers(&preimage, block.len())
            });
            self.children
                .extend(empty.into_iter().zip(stone).map(<[u32; 2]>::from));
        }
    }
}

/// Returns for each state the sets with it, as a bit each.
fn transposed<'s>(sets: impl Iterator<Item = &'s [u64]> + Clone) -> Vec<u64> {
    let words = sets.clone().next().map_or(0, <[u64]>::len);
    let mut by_state = Vec::with_capacity(64 * words);
    for word in 0..words {
        let mut square = [0; 64];
        for (row, set) in square.iter_mut().zip(sets.clone()) {
            *row = set[word];
        }
        transpose(&mut square);
        by_state.extend(square);
    }
    by_state
}

/// Returns the first sets of those with each state.
fn columns(by_state: &[u64], count: usize) -> impl Iterator<Item = Box<[u64]>> {
    let mut squares: Vec<[u64; 64]> = Vec::with_capacity(by_state.len().div_ceil(64));
    for rows in by_state.chunks(64) {
        let mut square = [0; 64];
        square[..rows.len()].copy_from_slice(rows);
        transpose(&mut square);
        squares.push(square);
    }
    (0..count).map(move |set| squares.iter().map(|square| square[set]).collect())
}

/// Transposes 64 · 64 bits, by exchanging halves of squares of 64, 32, … bits.
fn transpose(square: &mut [u64; 64]) {
    let (mut size, mut low) = (32, u64::from(u32::MAX));
    while size > 0 {
        for row in (0..64).filter(|row| row & size == 0) {
            let exchanged = (square[row] >> size ^ square[row + size]) & low;
            square[row] ^= exchanged << size;
            square[row + size] ^= exchanged;
        }
        size /= 2;
        low ^= low << size;
    }
}
