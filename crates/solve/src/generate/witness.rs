//! Comparison of a table with the enumeration of every board of a length, without diagrams.

use super::plan::{Plan, PlanError};
use crate::SolveError;
use crate::bits::{Enumeration, Plane};
use hashbrown::HashMap;
use phutbase_base::fault;
use phutbase_base::job::{Job, Need};
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{SquareSet, Strip};
use phutbase_sets::{Diagram, Graph, Ref, Symbol, TooLarge, View};
use phutbase_tables::{Metric, StripTable, TableError};
use rayon::prelude::*;

/// Why a table could not be compared with an enumeration.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error(transparent)]
    Table(#[from] TableError),
    /// More nodes than a graph can number.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

fault! { WitnessError {
    WitnessError::Plan(error) => Of(error),
    WitnessError::Solve(error) => Of(error),
    WitnessError::Table(error) => Of(error),
    WitnessError::TooLarge(error) => Of(error),
} }

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{position}': the table and the enumeration disagree on a win of Left within {plies} plies")]
pub struct Difference {
    pub position: Strip,
    /// The plies; for a table of winners, those of the longest game.
    pub plies: usize,
}

/// Enumerates the boards of a length and compares every value with the table's, or every winner if
/// the table has no depths. The job counts positions. Returns `None` if nothing differs.
pub fn compare(table: &StripTable, length: usize, job: &Job) -> Result<Option<Difference>, WitnessError> {
    let plan = Plan::of_enumeration(length)?;
    plan.check_memory(job.memory())?;
    job.expect(plan.positions, "positions");
    job.need(Need {
        memory: plan.memory,
        ..Need::default()
    });
    let stored = table.sets(length)?;
    let mut graph = Graph::new(length);
    let mut enumeration = Enumeration::new(length)?;
    let mut differs = |enumeration: &Enumeration, root: u32, side: Side| -> Result<_, WitnessError> {
        let set = graph.copy(&stored, &[root])?[0];
        let found = first_difference(&graph, set, enumeration.won(side), side);
        Ok(found.map(|position| Difference {
            position,
            plies: enumeration.plies(),
        }))
    };
    let with_depths = table.metric() == Metric::Dtw;
    loop {
        let added = enumeration.step(job)?;
        let plies = enumeration.plies();
        if with_depths {
            let side = if plies % 2 == 1 { Side::Left } else { Side::Right };
            if let Some(found) = differs(&enumeration, stored.won_within(plies), side)? {
                return Ok(Some(found));
            }
        }
        if added == 0 && (!with_depths || plies > stored.roots().len()) {
            break;
        }
    }
    if with_depths {
        return Ok(None);
    }
    for side in [Side::Left, Side::Right] {
        if let Some(found) = differs(&enumeration, stored.won_by_left(side), side)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Words of bits that are compared at a time.
const BLOCK: usize = 64;

/// Returns a board that is in a set or in a plane of its length, but not in both.
fn first_difference(graph: &Graph, set: Ref, plane: &Plane, side: Side) -> Option<Strip> {
    let length = graph.length();
    (1..length - 1).into_par_iter().find_map_first(|ball| {
        let mut blocks = Blocks {
            graph,
            ball,
            blocks: HashMap::new(),
            words: HashMap::new(),
        };
        let pattern = blocks.first_difference(set, 0, length - 1, plane.of_ball(ball))?;
        let stones = (0..length)
            .filter(|&square| square != ball)
            .zip((0..length - 1).rev());
        let stones = stones.filter(|&(_, bit)| pattern >> bit & 1 == 1);
        let stones = stones.fold(SquareSet::ZERO, |stones, (square, _)| {
            stones | SquareSet::ONE << square
        });
        Some(Strip::new(length, ball, stones, side).expect("a board of the plane"))
    })
}

/// The boards of a set with the ball on one square, as bits.
struct Blocks<'g> {
    graph: &'g Graph,
    ball: usize,
    /// Known parts of sets: of [`BLOCK`] words, and of one.
    blocks: HashMap<Ref, Vec<u64>>,
    words: HashMap<Ref, u64>,
}

impl Blocks<'_> {
    /// Compares the part of a set from a square on, with `free` squares but the ball's, with its bits.
    /// Returns the least pattern that differs.
    fn first_difference(&mut self, set: Ref, square: usize, free: usize, bits: &[u64]) -> Option<usize> {
        if square == self.ball {
            return self.first_difference(self.child(set, square, Symbol::Ball), square + 1, free, bits);
        }
        if bits.len() > BLOCK {
            let (empty, stone) = bits.split_at(bits.len() / 2);
            let [with_empty, with_stone] =
                [Symbol::Empty, Symbol::Stone].map(|symbol| self.child(set, square, symbol));
            let found = self.first_difference(with_empty, square + 1, free - 1, empty);
            return found.or_else(|| {
                let pattern = self.first_difference(with_stone, square + 1, free - 1, stone)?;
                Some(pattern | 1 << (free - 1))
            });
        }
        if !self.blocks.contains_key(&set) {
            let block = self.block(set, square, free);
            self.blocks.insert(set, block);
        }
        let words = self.blocks[&set].iter().zip(bits).enumerate();
        let mut differing = words.filter(|(_, (one, other))| one != other);
        let (word, (one, other)) = differing.next()?;
        Some(64 * word + (one ^ other).trailing_zeros() as usize)
    }

    fn block(&mut self, set: Ref, square: usize, free: usize) -> Vec<u64> {
        if square == self.ball {
            return self.block(self.child(set, square, Symbol::Ball), square + 1, free);
        }
        if free <= 6 {
            if let Some(&known) = self.words.get(&set) {
                return vec![known];
            }
            let word = self.word(set, square, free);
            self.words.insert(set, word);
            return vec![word];
        }
        let halves = [Symbol::Empty, Symbol::Stone]
            .map(|symbol| self.block(self.child(set, square, symbol), square + 1, free - 1));
        halves.concat()
    }

    fn word(&self, set: Ref, square: usize, free: usize) -> u64 {
        let child = |symbol| self.child(set, square, symbol);
        if square == self.ball {
            self.word(child(Symbol::Ball), square + 1, free)
        } else if free == 0 {
            u64::from(set == Ref::TOP)
        } else {
            let [empty, stone] =
                [Symbol::Empty, Symbol::Stone].map(|symbol| self.word(child(symbol), square + 1, free - 1));
            empty | stone << (1 << (free - 1))
        }
    }

    /// Returns the part of a set with this on a square.
    fn child(&self, set: Ref, square: usize, symbol: Symbol) -> Ref {
        match self.graph.view(set) {
            View::Ternary(_, children) => children[symbol as usize],
            View::Binary(own, children) if own == square => children[symbol as usize],
            View::Binary(..) | View::Bottom | View::Top => set,
        }
    }
}
