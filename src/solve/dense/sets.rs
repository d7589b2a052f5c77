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

use super::pool::{BLOCK_POSITIONS, BlockState};
use super::{DenseSolver, layout::DenseLayout};
use crate::diagram::graph::{Graph, Ref, TooLarge};
use crate::outcome::Side;
use hashbrown::{DefaultHashBuilder, HashMap};
use indexmap::IndexSet;
use std::hash::Hash;

/// Computes the sets of boards that Left wins within 1, 2, 3 … plies, the roots of a table with
/// depths. `graph` must be empty.
pub fn sets(mut graph: Graph, solver: &DenseSolver) -> Result<(Graph, Vec<Ref>), TooLarge> {
    let left = plane(&mut graph, solver, Side::Left)?;
    let right = plane(&mut graph, solver, Side::Right)?;
    let roots = plies(&mut graph, left, right)?;
    Ok((graph, roots))
}

/// Derives the sets from the functions *plies until Left wins*, up to the largest depth.
fn plies(graph: &mut Graph, left: Ref, right: Ref) -> Result<Vec<Ref>, TooLarge> {
    let longest = |graph: &Graph, plane| largest(graph, plane, &mut HashMap::new());
    let longest = longest(graph, left).max(longest(graph, right));
    let mut roots = Vec::new();
    for plies in 1..=longest {
        let plane = if plies % 2 == 1 { left } else { right };
        roots.push(at_most(graph, plane, plies, &mut HashMap::new())?);
    }
    Ok(roots)
}

fn largest(graph: &Graph, at: Ref, known: &mut HashMap<Ref, u8>) -> u8 {
    if let Some(value) = at.value() {
        return value;
    }
    if let Some(&value) = known.get(&at) {
        return value;
    }
    let (empty, stone, ball) = graph.thirds(at);
    let mut value = largest(graph, empty, known).max(largest(graph, stone, known));
    if graph.is_ternary(at) {
        value = value.max(largest(graph, ball, known));
    }
    known.insert(at, value);
    value
}

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
    bits: usize,
    places: Vec<u32>,
    blocks: Vec<Vec<Ref>>,
}

/// Builds a table with one block per key, made by `join`. Equal keys share a block, and equal
/// blocks are stored once.
fn joined<K: Copy + Eq + Hash>(
    graph: &mut Graph,
    bits: usize,
    keys: impl ExactSizeIterator<Item = K>,
    join: impl Fn(&mut Graph, K) -> Result<Vec<Ref>, TooLarge>,
) -> Result<Patterns, TooLarge> {
    let mut blocks: IndexSet<Vec<Ref>, DefaultHashBuilder> = IndexSet::default();
    let mut known: HashMap<K, u32> = HashMap::new();
    let mut places = Vec::with_capacity(keys.len());
    for key in keys {
        let number = match known.get(&key) {
            Some(&number) => number,
            None => {
                let (number, _) = blocks.insert_full(join(graph, key)?);
                known.insert(key, number as u32);
                number as u32
            }
        };
        places.push(number);
    }
    Ok(Patterns {
        bits,
        places,
        blocks: blocks.into_iter().collect(),
    })
}

fn of_one(bits: usize, block: Vec<Ref>) -> Patterns {
    Patterns {
        bits,
        places: vec![0],
        blocks: vec![block],
    }
}

/// Converts one plane to a function: plies until Left wins, 0 where Left does not.
fn plane(graph: &mut Graph, solver: &DenseSolver, to_move: Side) -> Result<Ref, TooLarge> {
    let layout = solver.layout();
    let mut later = Patterns {
        bits: layout.pattern_bits(),
        places: vec![0; 1 << layout.high_bits()],
        blocks: vec![vec![Ref::BOTTOM; 1 << layout.low_bits()]],
    };
    for ball in (1..=layout.length() - 2).rev() {
        let mut after_ball = values(solver, to_move, ball);
        while after_ball.bits > ball {
            // From the ball on, pattern bit i is square i + 1.
            let square = after_ball.bits;
            after_ball = halved(graph, &after_ball, square)?;
        }
        later = with_ball(graph, &later, &after_ball, ball)?;
    }
    let none = of_one(0, vec![Ref::BOTTOM]);
    Ok(with_ball(graph, &later, &none, 0)?.blocks[0][0])
}

fn values(solver: &DenseSolver, to_move: Side, ball: usize) -> Patterns {
    let layout: &DenseLayout = solver.layout();
    let mut by_state: HashMap<BlockState, u32> = HashMap::new();
    let mut blocks = Vec::new();
    let places = (0..1usize << layout.high_bits())
        .map(|high| {
            let state = solver.plane(to_move)[layout.place(ball, high)];
            *by_state.entry(state).or_insert_with(|| {
                let mut depths = [0; BLOCK_POSITIONS];
                solver.pool(to_move).depths(state, &mut depths);
                blocks.push(
                    depths[..1 << layout.low_bits()]
                        .iter()
                        .map(|&depth| Ref::leaf(depth))
                        .collect(),
                );
                blocks.len() as u32 - 1
            })
        })
        .collect();
    Patterns {
        bits: layout.pattern_bits(),
        places,
        blocks,
    }
}

/// Joins entries that differ only in the highest bit, which represents `square`.
fn halved(graph: &mut Graph, table: &Patterns, square: usize) -> Result<Patterns, TooLarge> {
    let bits = table.bits - 1;
    let join = |graph: &mut Graph, empty: &[Ref], stone: &[Ref]| -> Result<Vec<Ref>, TooLarge> {
        (empty.iter().zip(stone))
            .map(|(&empty, &stone)| graph.binary(square, empty, stone))
            .collect()
    };
    let (empty, stone) = table.places.split_at(table.places.len() / 2);
    if empty.is_empty() {
        let (empty, stone) = table.blocks[0].split_at(table.blocks[0].len() / 2);
        return Ok(of_one(bits, join(graph, empty, stone)?));
    }
    let keys = empty.iter().copied().zip(stone.iter().copied());
    joined(graph, bits, keys, |graph, (empty, stone)| {
        join(
            graph,
            &table.blocks[empty as usize],
            &table.blocks[stone as usize],
        )
    })
}

/// Computes `T_k` from `T_k+1` and `V_k`.
fn with_ball(
    graph: &mut Graph,
    later: &Patterns,
    after_ball: &Patterns,
    square: usize,
) -> Result<Patterns, TooLarge> {
    let half = later.places.len() / 2;
    if half == 0 {
        let (empty, stone) = later.blocks[0].split_at(later.blocks[0].len() / 2);
        let block = ternaries(graph, square, empty, stone, &after_ball.blocks[0])?;
        return Ok(of_one(square, block));
    }
    let key = |place| {
        (
            later.places[place],
            later.places[half + place],
            after_ball.places[place],
        )
    };
    joined(
        graph,
        square,
        (0..half).map(key),
        |graph, (empty, stone, ball)| {
            let [empty, stone] = [empty, stone].map(|number| &later.blocks[number as usize]);
            ternaries(graph, square, empty, stone, &after_ball.blocks[ball as usize])
        },
    )
}

fn ternaries(
    graph: &mut Graph,
    square: usize,
    empty: &[Ref],
    stone: &[Ref],
    ball: &[Ref],
) -> Result<Vec<Ref>, TooLarge> {
    (empty.iter().zip(stone).zip(ball))
        .map(|((&empty, &stone), &ball)| graph.ternary(square, empty, stone, ball))
        .collect()
}
