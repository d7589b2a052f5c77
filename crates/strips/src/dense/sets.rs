//! Conversion of a finished solver to diagrams, for comparison with a table.
//!
//! Blocks hold a value for each pattern of stones; a diagram decides square by square from the left
//! and is built from the right. The last square is removed from all patterns by joining the
//! patterns without and with a stone there, value by value: a table of 2^k values becomes one of
//! 2^(k−1) binary nodes. This is repeated down to the ball. Then, again from the right, ternary
//! nodes join the tables of all ball squares:
//!
//! ```text
//!     V_b[p]   diagram of the squares after ball b, with pattern p before it
//!     T_k[p]   diagram of the squares from k on, with pattern p before k, ball still to come
//!              = ternary(T_k+1[p], T_k+1[p with a stone on k], V_k[p])
//! ```
//!
//! Tables are kept in blocks like the engine's, equal blocks once, so that the work is proportional
//! to the number of different blocks.
//!
//! The result is a function with depth bytes as leaves. From it the sets of a `dtw` table are
//! derived, one for each number of plies.

use super::DenseSolver;
use super::pool::BLOCK_POSITIONS;
use hashbrown::{DefaultHashBuilder, HashMap};
use indexmap::IndexSet;
use phutbase_base::outcome::Side;
use phutbase_sets::graph::{Graph, Ref, TooLarge};
use std::hash::Hash;

/// Computes the sets of boards that Left wins within 1, 2, 3 … plies, the roots of a table with
/// depths. `graph` must be empty.
pub fn sets(mut graph: Graph, solver: &DenseSolver) -> Result<(Graph, Vec<Ref>), TooLarge> {
    let left = plane(&mut graph, solver, Side::Left)?;
    let right = plane(&mut graph, solver, Side::Right)?;
    let longest = solver.counts().iter().rposition(|&count| count > 0);
    let mut roots = Vec::new();
    for plies in 1..=longest.map_or(0, |last| last as u8 + 1) {
        let plane = if plies % 2 == 1 { left } else { right };
        roots.push(at_most(&mut graph, plane, plies, &mut HashMap::new())?);
    }
    Ok((graph, roots))
}

/// Derives a set from a function *plies until Left wins*.
fn at_most(graph: &mut Graph, at: Ref, plies: u8, known: &mut HashMap<Ref, Ref>) -> Result<Ref, TooLarge> {
    if let Some(value) = at.value() {
        return Ok(Ref::leaf(u8::from((1..=plies).contains(&value))));
    }
    if let Some(&set) = known.get(&at) {
        return Ok(set);
    }
    let (level, (empty, stone, ball)) = (graph.level(at), graph.thirds(at));
    let ternary = graph.is_ternary(at);
    let empty = at_most(graph, empty, plies, known)?;
    let stone = at_most(graph, stone, plies, known)?;
    let set = if ternary {
        let ball = at_most(graph, ball, plies, known)?;
        graph.ternary(level, empty, stone, ball)?
    } else {
        graph.binary(level, empty, stone)?
    };
    known.insert(at, set);
    Ok(set)
}

/// A table of references by pattern. A block holds the entries that differ in the lowest bits.
struct Patterns {
    places: Vec<u32>,
    blocks: Vec<Vec<Ref>>,
}

impl Patterns {
    /// Halves the block of a table of one block, so that the highest bit divides the places.
    fn split(mut self) -> Patterns {
        if self.places.len() == 1 {
            let half = self.blocks[0].len() / 2;
            let stone = self.blocks[0].split_off(half);
            self.blocks.push(stone);
            self.places.push(1);
        }
        self
    }
}

/// Builds a table with one block per key, made by `join`. Equal keys share a block, and equal
/// blocks are stored once.
fn joined<K: Copy + Eq + Hash>(
    keys: impl ExactSizeIterator<Item = K>,
    mut join: impl FnMut(K) -> Result<Vec<Ref>, TooLarge>,
) -> Result<Patterns, TooLarge> {
    let mut blocks: IndexSet<Vec<Ref>, DefaultHashBuilder> = IndexSet::default();
    let mut known: HashMap<K, u32> = HashMap::new();
    let mut places = Vec::with_capacity(keys.len());
    for key in keys {
        let number = match known.get(&key) {
            Some(&number) => number,
            None => {
                let (number, _) = blocks.insert_full(join(key)?);
                known.insert(key, number as u32);
                number as u32
            }
        };
        places.push(number);
    }
    let blocks = blocks.into_iter().collect();
    Ok(Patterns { places, blocks })
}

/// Converts one plane to a function: plies until Left wins, 0 where Left does not.
fn plane(graph: &mut Graph, solver: &DenseSolver, to_move: Side) -> Result<Ref, TooLarge> {
    let layout = solver.layout();
    let mut later = Patterns {
        places: vec![0; 1 << layout.high_bits()],
        blocks: vec![vec![Ref::BOTTOM; 1 << layout.low_bits()]],
    };
    for ball in (1..=layout.length() - 2).rev() {
        let mut after_ball = values(solver, to_move, ball)?;
        // From the ball on, pattern bit i is square i + 1.
        for square in (ball + 1..layout.length()).rev() {
            after_ball = halved(graph, after_ball, square)?;
        }
        later = with_ball(graph, later, &after_ball, ball)?;
    }
    let none = Patterns {
        places: vec![0],
        blocks: vec![vec![Ref::BOTTOM]],
    };
    Ok(with_ball(graph, later, &none, 0)?.blocks[0][0])
}

fn values(solver: &DenseSolver, to_move: Side, ball: usize) -> Result<Patterns, TooLarge> {
    let layout = solver.layout();
    let states =
        (0..1usize << layout.high_bits()).map(|high| solver.plane(to_move)[layout.place(ball, high)]);
    joined(states, |state| {
        let mut depths = [0; BLOCK_POSITIONS];
        solver.pool(to_move).depths(state, &mut depths);
        let depths = &depths[..1 << layout.low_bits()];
        Ok(depths.iter().map(|&depth| Ref::leaf(depth)).collect())
    })
}

/// Joins entries that differ only in the highest bit, which represents `square`.
fn halved(graph: &mut Graph, table: Patterns, square: usize) -> Result<Patterns, TooLarge> {
    let table = table.split();
    let (empty, stone) = table.places.split_at(table.places.len() / 2);
    let keys = empty.iter().copied().zip(stone.iter().copied());
    joined(keys, |(empty, stone)| {
        let [empty, stone] = [empty, stone].map(|number| &table.blocks[number as usize]);
        (empty.iter().zip(stone))
            .map(|(&empty, &stone)| graph.binary(square, empty, stone))
            .collect()
    })
}

/// Computes `T_k` from `T_k+1` and `V_k`.
fn with_ball(
    graph: &mut Graph,
    later: Patterns,
    after_ball: &Patterns,
    square: usize,
) -> Result<Patterns, TooLarge> {
    let later = later.split();
    let (empty, stone) = later.places.split_at(later.places.len() / 2);
    let balls = after_ball.places.iter().copied();
    let keys = empty.iter().copied().zip(stone.iter().copied()).zip(balls);
    joined(keys, |((empty, stone), ball)| {
        let [empty, stone] = [empty, stone].map(|number| &later.blocks[number as usize]);
        (empty.iter().zip(stone).zip(&after_ball.blocks[ball as usize]))
            .map(|((&empty, &stone), &ball)| graph.ternary(square, empty, stone, ball))
            .collect()
    })
}
