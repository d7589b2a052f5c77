//! From the dense engine's blocks to diagrams.
//!
//! The blocks give a value for each pattern of stones; a diagram decides square by square from the left. So it is built from
//! the right: the last square is taken off every pattern at once by joining the two halves of the patterns, those
//! without and those with a stone there, value by value. What was a table of 2^k values becomes one of 2^(k−1)
//! binary nodes, and so on as far as the ball; then, from the right again, the tables of all ball squares are joined by ternary nodes:
//!
//! ```text
//!     V_b[p]   diagram of the squares after ball b, when the squares before it hold pattern p
//!     T_k[p]   diagram of the squares from k on, when those before k hold pattern p, ball still to come
//!              = ternary(T_k+1[p], T_k+1[p with a stone on k], V_k[p])
//! ```
//!
//! Tables are kept in blocks as the engine has them, equal blocks once, so that the work goes by different blocks.
//!
//! Depths come out as a function with the depth bytes for leaves; the sets of a `dtw` table, one for each number of plies,
//! are read off it.

use super::super::container::read::Container;
use super::super::dense::DenseTable;
use super::super::error::TableError;
use super::super::header::Header;
use super::super::low_bits;
use super::super::writer::DenseSource;
use super::DiagramTable;
use super::write::{Source, to_bytes};
use crate::diagram::graph::{Budget, Graph, Ref, TooLarge};
use crate::games::rules::Rules;
use crate::outcome::Side;
use crate::table::Metric;
use hashbrown::{DefaultHashBuilder, HashMap};
use indexmap::IndexSet;
use std::hash::Hash;

/// The roots of a length's table, in the order that [`super`] describes, from enumerated values; `graph` is empty.
///
/// # Errors
/// [`TooLarge`].
pub fn from_dense(
    mut graph: Graph,
    source: &dyn DenseSource,
    metric: Metric,
) -> Result<(Graph, Vec<Ref>), TooLarge> {
    let left = plane(&mut graph, source, metric, Side::Left)?;
    let right = plane(&mut graph, source, metric, Side::Right)?;
    let roots = match metric {
        Metric::Wdl => vec![left, right],
        Metric::Dtw => plies(&mut graph, left, right)?,
    };
    Ok((graph, roots))
}

/// The diagram table with the values of a dense one, in memory.
///
/// # Errors
/// [`TableError::Corrupt`] if a frame is damaged, [`TableError::Unwieldy`].
pub fn of_table(table: &DenseTable) -> Result<DiagramTable, TableError> {
    let Header {
        rules,
        metric,
        length,
        file_bytes,
        ..
    } = *table.header();
    let graph = Graph::within(length, Budget::of_values(file_bytes));
    let bytes = from_dense(graph, &Blocks::read(table)?, metric).and_then(|(graph, roots)| {
        to_bytes(&Source {
            diagram: &graph,
            roots: &roots,
            rules,
            metric,
        })
    });
    let bytes = bytes.map_err(|TooLarge| TableError::unwieldy(table.path()))?;
    DiagramTable::new(&Container::from_bytes(bytes, table.path())?)
}

/// The different blocks of a table, unpacked.
struct Blocks<'a> {
    table: &'a DenseTable,
    /// Depth bytes, or 1 for each member.
    blocks: Vec<Vec<u8>>,
}

impl Blocks<'_> {
    fn read(table: &DenseTable) -> Result<Blocks<'_>, TableError> {
        Ok(Blocks {
            table,
            blocks: table.different_blocks()?,
        })
    }
}

impl DenseSource for Blocks<'_> {
    fn length(&self) -> usize {
        self.table.header().length
    }

    fn rules(&self) -> Rules {
        self.table.header().rules
    }

    fn engine(&self) -> &str {
        &self.table.description().engine
    }

    fn key(&self, to_move: Side, ball: usize, high: u64) -> u32 {
        let number = self.table.block_number(to_move, ball, high);
        number.expect("a ball square and a high pattern of the length")
    }

    fn depths(&self, _: Side, key: u32, bytes: &mut [u8; 4096]) {
        let size = 1 << low_bits(self.length());
        bytes[..size].copy_from_slice(&self.blocks[key as usize][..size]);
    }
}

/// The sets of a `dtw` table from the functions 'plies until Left wins', up to the most that a depth byte holds.
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

/// The largest value of a function.
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

/// The boards whose value is not 0 and at most `plies`.
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

/// A table of references by pattern, in blocks; a block has the entries that differ in the lowest bits.
struct Patterns {
    /// Bits of a pattern.
    bits: usize,
    /// The block of each high pattern.
    places: Vec<u32>,
    blocks: Vec<Vec<Ref>>,
}

/// References that there may be in the different blocks of one table, for each node that the graph may have. A block of 4,096 takes four
/// times as much memory as in a dense table.
const REFERENCES_OF_A_NODE: u64 = 64;

/// Joins blocks of references place by place: places with equal keys have the same block, which `join` makes; equal blocks are kept once.
fn joined<K: Copy + Eq + Hash>(
    graph: &mut Graph,
    bits: usize,
    keys: impl ExactSizeIterator<Item = K>,
    join: impl Fn(&mut Graph, K) -> Result<Vec<Ref>, TooLarge>,
) -> Result<Patterns, TooLarge> {
    graph.take_steps(keys.len() as u64)?;
    let mut room = graph.budget().nodes().saturating_mul(REFERENCES_OF_A_NODE);
    let mut blocks: IndexSet<Vec<Ref>, DefaultHashBuilder> = IndexSet::default();
    let mut known: HashMap<K, u32> = HashMap::new();
    let mut places = Vec::with_capacity(keys.len());
    for key in keys {
        let number = match known.get(&key) {
            Some(&number) => number,
            None => {
                let block = join(graph, key)?;
                let size = block.len() as u64;
                let (number, new) = blocks.insert_full(block);
                if new {
                    room = room.checked_sub(size).ok_or(TooLarge)?;
                }
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

/// A table of one block.
fn of_one(bits: usize, block: Vec<Ref>) -> Patterns {
    Patterns {
        bits,
        places: vec![0],
        blocks: vec![block],
    }
}

/// One plane as a function: depth bytes, or 1 for a board that Left wins.
fn plane(
    graph: &mut Graph,
    source: &dyn DenseSource,
    metric: Metric,
    to_move: Side,
) -> Result<Ref, TooLarge> {
    let length = source.length();
    // Places are taken step by step, so that a small table of a long strip is refused before there are many.
    graph.take_steps(1 << (length - 1 - low_bits(length)))?;
    let mut later = Patterns {
        bits: length - 1,
        places: vec![0; 1 << (length - 1 - low_bits(length))],
        blocks: vec![vec![Ref::BOTTOM; 1 << low_bits(length)]],
    };
    for ball in (1..=length - 2).rev() {
        graph.take_steps(1 << (length - 1 - low_bits(length)))?;
        let mut after_ball = values(source, metric, to_move, ball);
        while after_ball.bits > ball {
            // Pattern bit i is square i + 1 from the ball on.
            let square = after_ball.bits;
            after_ball = halved(graph, &after_ball, square)?;
        }
        later = with_ball(graph, &later, &after_ball, ball)?;
    }
    let none = of_one(0, vec![Ref::BOTTOM]);
    Ok(with_ball(graph, &later, &none, 0)?.blocks[0][0])
}

/// The values of one ball square.
fn values(source: &dyn DenseSource, metric: Metric, to_move: Side, ball: usize) -> Patterns {
    let length = source.length();
    let low = low_bits(length);
    let mut by_key: HashMap<u32, u32> = HashMap::new();
    let mut blocks = Vec::new();
    let places = (0..1u64 << (length - 1 - low))
        .map(|high| {
            let key = source.key(to_move, ball, high);
            *by_key.entry(key).or_insert_with(|| {
                let mut depths = [0; 4096];
                source.depths(to_move, key, &mut depths);
                let leaf = |&depth: &u8| match metric {
                    Metric::Dtw => Ref::leaf(depth),
                    Metric::Wdl => Ref::leaf(u8::from(depth != 0)),
                };
                blocks.push(depths[..1 << low].iter().map(leaf).collect());
                blocks.len() as u32 - 1
            })
        })
        .collect();
    Patterns {
        bits: length - 1,
        places,
        blocks,
    }
}

/// Joins the entries that differ in the highest bit only, which stands for `square`.
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

/// T_k from T_k+1 and V_k.
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
