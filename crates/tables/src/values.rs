//! Bulk extraction: all values of a range of positions in index order, much faster than one probe
//! for each.
//!
//! The sets of a table grow with the number of plies. They are merged to a diagram whose leaves are
//! plies, one for each player to move, which is read once for all positions with the ball on a
//! square. Losses come from the diagram with Right to move, read in the mirror.

use crate::{Metric, PitchTable, StripSets, TableError};
use hashbrown::HashMap;
use phutbase_base::game::Game;
use phutbase_base::job::{Job, Stopped};
use phutbase_base::outcome::Side;
use phutbase_sets::graph::{Graph, Ref, TooLarge};
use phutbase_sets::{Diagram, Symbol, View};
use rayon::prelude::*;

/// Returns 1 for a win of the player to move in some plies, 0 for a draw, −1 for a loss.
pub fn outcome(plies: u8) -> i8 {
    i8::from(plies % 2 == 1) - i8::from(plies != 0 && plies.is_multiple_of(2))
}

/// Maximum number of positions per thread and step.
const PART: usize = 1 << 22;

/// Number of open bits below which nodes are followed once for all positions that reach them.
const SHARED_BITS: usize = 7;

/// Maximum number of merged nodes, which bounds the memory to some gigabytes.
const NODE_LIMIT: usize = 1 << 25;

/// Greatest length that can be extracted in full; longer ones exceed any disk.
pub const MAX_LENGTH: usize = 40;

/// The values of one length, ready to be extracted.
pub struct LengthValues {
    length: usize,
    /// With Left and with Right to move.
    plies: [Plies; 2],
}

impl LengthValues {
    /// Merges the sets of a length.
    ///
    /// # Errors
    /// [`TableError::Limit`] if the values do not fit in byte arrays, or the sets do not fit the
    /// budget; [`TableError::Stopped`].
    pub fn new(sets: &StripSets, job: &Job) -> Result<LengthValues, TableError> {
        let (length, longest) = (sets.length(), sets.summary().longest());
        let limit = |reason| {
            let file = sets.path().to_path_buf();
            Err(TableError::Limit { file, reason })
        };
        if length > MAX_LENGTH {
            return limit(format!(
                "all values of {length} squares: at most {MAX_LENGTH} squares"
            ));
        }
        if longest > u8::MAX.into() {
            return limit(format!("games of {longest} plies do not fit in a byte"));
        }
        // For shorter lengths the nodes of the table are not reduced.
        let (graph, roots) = sets.reduced()?;
        let plies = |to_move: Side| {
            let of_side = (roots.iter().copied().zip(1..)).skip(to_move as usize).step_by(2);
            let within = match sets.metric() {
                Metric::Dtw => of_side.collect(),
                Metric::Levels | Metric::Wdl => {
                    Vec::from_iter(of_side.last().map(|(won, _)| (won, 1 + to_move as u8)))
                }
            };
            let plies = Plies::new(&graph, within, job);
            // A stopped job ends the merge in the same way.
            plies.map_err(|TooLarge| job.check().map_or_else(TableError::from, |()| sets.unwieldy()))
        };
        Ok(LengthValues {
            length,
            plies: [plies(Side::Left)?, plies(Side::Right)?],
        })
    }

    /// Computes the plies with Left to move and the ball on one square, starting at pattern `first`: odd for
    /// a win, even for a loss, 0 for a draw. If only the winner is known, a win has 1 and a loss 2.
    ///
    /// # Panics
    /// If the number of plies is not a power of two that divides `first`, or the range is too long.
    pub fn fill(&self, ball: usize, first: u64, plies: &mut [u8]) {
        let (length, size) = (self.length, plies.len());
        assert!(size.is_power_of_two() && first.is_multiple_of(size as u64));
        assert!((1..=length - 2).contains(&ball) && first + size as u64 <= 1 << (length - 1));
        let part = Part {
            length,
            ball,
            first,
            open: size.trailing_zeros() as usize,
        };
        let [left, right] = &self.plies;
        right.fill_downwards(&part, plies);
        left.add_upwards(&part, plies);
    }

    /// Computes the [plies](LengthValues::fill) of every position with Left to move, by index, until the job
    /// is stopped.
    ///
    /// # Panics
    /// If their number is not that of the positions.
    pub fn fill_all(&self, plies: &mut [u8], job: &Job) -> Result<(), Stopped> {
        let row = 1usize << (self.length - 1);
        assert!(plies.len() == (self.length - 2) * row);
        let part = row.min(PART);
        let parts = plies.par_chunks_mut(part).enumerate();
        parts.try_for_each(|(number, plies)| {
            let at = number * part;
            self.fill(at / row + 1, (at % row) as u64, plies);
            job.check()
        })
    }
}

/// Computes the plies of positions of a pitch with Alfred to move, starting at index `first`; 0 for a draw.
pub fn fill_pitch(table: &PitchTable, first: u64, plies: &mut [u8]) -> Result<(), TableError> {
    let game = table.game();
    plies.par_iter_mut().enumerate().try_for_each(|(place, plies)| {
        let value = table.value(&game.position(first + place as u64))?;
        *plies = value.depth().map_or(0, |depth| depth.0 as u8);
        Ok(())
    })
}

/// A range of positions: all with these bits above the open ones.
struct Part {
    length: usize,
    ball: usize,
    first: u64,
    /// Number of open pattern bits, the lowest ones.
    open: usize,
}

impl Part {
    /// Returns the pattern bit of a square; `None` for the ball's.
    fn bit(&self, square: usize) -> Option<usize> {
        (square != self.ball).then(|| square - usize::from(square > self.ball))
    }

    /// Returns the content of a square; `None` if its bit is open.
    fn content(&self, square: usize) -> Option<Symbol> {
        match self.bit(square) {
            None => Some(Symbol::Ball),
            Some(bit) if bit < self.open => None,
            Some(bit) if self.first >> bit & 1 == 1 => Some(Symbol::Stone),
            Some(_) => Some(Symbol::Empty),
        }
    }
}

/// Leaves of [`Plies`] have the numbers below this one: their plies, or 0 if Left does not win.
const LEAVES: u32 = 1 << 8;

/// The plies in which Left wins each board with one player to move. With Right to move, boards are
/// mirrored. Of a table of winners the plies are 1 with Left to move and 2 with Right.
struct Plies {
    /// By number, from [`LEAVES`] on.
    nodes: Vec<PliesNode>,
    root: u32,
}

struct PliesNode {
    square: u32,
    /// By [`Symbol`].
    children: [u32; 3],
}

/// Nodes in the making. `known` has the sets of each node with their plies.
struct Merge<'s> {
    sets: &'s Graph,
    nodes: Vec<PliesNode>,
    known: HashMap<Vec<(Ref, u8)>, u32>,
    job: &'s Job,
}

impl Merge<'_> {
    /// Merges sets with their plies, fewer plies first.
    fn node(&mut self, mut within: Vec<(Ref, u8)>) -> Result<u32, TooLarge> {
        let sets = self.sets;
        // A set without new members adds nothing.
        within.retain(|&(set, _)| set != Ref::BOTTOM);
        within.dedup_by_key(|&mut (set, _)| set);
        let all = within.iter().position(|&(set, _)| set == Ref::TOP);
        within.truncate(all.map_or(within.len(), |place| place + 1));
        let square = within.iter().map(|&(set, _)| sets.level(set)).min();
        let Some(square) = square.filter(|&square| square < sets.length()) else {
            return Ok(within.first().map_or(0, |&(_, plies)| plies.into()));
        };
        if let Some(&node) = self.known.get(&within) {
            return Ok(node);
        }
        let is_full = self.nodes.len() >= NODE_LIMIT.min(sets.budget().nodes() as usize);
        if is_full || self.job.check().is_err() {
            return Err(TooLarge);
        }
        let mut children = [0; 3];
        // After the ball, squares have two children.
        let symbols = sets.view(within[0].0).children().len();
        for (symbol, child) in children[..symbols].iter_mut().enumerate() {
            let child_of = |&(set, plies): &(Ref, u8)| {
                let child = match sets.view(set) {
                    View::Ternary(_, children) => children[symbol],
                    View::Binary(at, children) if at == square => children[symbol],
                    _ => set,
                };
                (child, plies)
            };
            *child = self.node(within.iter().map(child_of).collect())?;
        }
        let node = LEAVES + self.nodes.len() as u32;
        let square = square as u32;
        self.nodes.push(PliesNode { square, children });
        self.known.insert(within, node);
        Ok(node)
    }
}

impl Plies {
    /// Merges sets with their plies, fewer plies first.
    fn new(sets: &Graph, within: Vec<(Ref, u8)>, job: &Job) -> Result<Plies, TooLarge> {
        let mut merge = Merge {
            sets,
            nodes: Vec::new(),
            known: HashMap::new(),
            job,
        };
        let root = merge.node(within)?;
        let nodes = merge.nodes;
        Ok(Plies { nodes, root })
    }

    fn step(&self, node: u32, square: usize, holds: Symbol) -> u32 {
        match node.checked_sub(LEAVES).map(|place| &self.nodes[place as usize]) {
            Some(inner) if inner.square as usize == square => inner.children[holds as usize],
            _ => node,
        }
    }

    /// Writes the plies with Right to move. The diagram's first square has the highest bit.
    fn fill_downwards(&self, part: &Part, out: &mut [u8]) {
        let last = part.length - 1;
        let content = |square| part.content(last - square);
        let both = |nodes: &[u32], square| {
            let pair = |&node| [Symbol::Empty, Symbol::Stone].map(|holds| self.step(node, square, holds));
            nodes.iter().flat_map(pair).collect()
        };
        let (high, blocks) = self.follow(part, content, both);
        let width = out.len() / high.len();
        for (out, place) in out.chunks_exact_mut(width).zip(high) {
            let block = &blocks[place as usize * width..][..width];
            out.iter_mut()
                .zip(block)
                .for_each(|(out, &plies)| *out = plies as u8);
        }
    }

    /// Writes the plies with Left to move where Left wins. The diagram's first square has the
    /// lowest bit.
    fn add_upwards(&self, part: &Part, out: &mut [u8]) {
        let content = |square| part.content(square);
        let both = |nodes: &[u32], square| {
            let all = |holds| nodes.iter().map(move |&node| self.step(node, square, holds));
            all(Symbol::Empty).chain(all(Symbol::Stone)).collect()
        };
        let (low, columns) = self.follow(part, content, both);
        let width = columns.len() * low.len() / out.len();
        for (out, column) in out.chunks_exact_mut(low.len()).zip(columns.chunks_exact(width)) {
            let column: Vec<u8> = column.iter().map(|&plies| plies as u8).collect();
            for (out, &place) in out.iter_mut().zip(&low) {
                let plies = column[place as usize];
                *out = if plies == 0 { *out } else { plies };
            }
        }
    }

    /// Follows the diagram; an open square doubles the nodes by `both`. Returns for all choices of
    /// the first open bits the place of their node among the different ones, and the plies of the
    /// different ones for all choices of the last bits.
    fn follow(
        &self,
        part: &Part,
        content: impl Fn(usize) -> Option<Symbol>,
        both: impl Fn(&[u32], usize) -> Vec<u32>,
    ) -> (Vec<u32>, Vec<u32>) {
        let next = |nodes: Vec<u32>, square| match content(square) {
            Some(holds) => nodes
                .into_iter()
                .map(|node| self.step(node, square, holds))
                .collect(),
            None => both(&nodes, square),
        };
        let opened = |end| (0..end).filter(|&square| content(square).is_none()).count();
        let middle = (0..part.length).find(|&square| opened(square) + SHARED_BITS >= part.open);
        let middle = middle.expect("all open bits are opened");
        let nodes = (0..middle).fold(vec![self.root], next);
        let mut places = HashMap::new();
        let mut different = Vec::new();
        let place = |node| {
            *places.entry(node).or_insert_with(|| {
                different.push(node);
                different.len() as u32 - 1
            })
        };
        let nodes = nodes.into_iter().map(place).collect();
        (nodes, (middle..part.length).fold(different, next))
    }
}
