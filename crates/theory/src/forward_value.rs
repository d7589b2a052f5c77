//! Theorems F and T' (docs/PROOF.md), tested on whole tables.
//!
//! Theorem F is an inclusion: the boards with forward value at most the potential are in level 0.
//! Theorem T' is an equality: in a diagram that is read from a goal line, all closed words of a
//! length lead to the same set, if the ball is not next. So the product of the diagram with the
//! automaton of the forward value, square by square, covers every board.

use super::claim::{Law, Statement};
use super::tempo::{Exception, levels};
use ethnum::U256;
use hashbrown::HashMap;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Strip;
use phutbase_sets::count::size;
use phutbase_sets::graph::Budget;
use phutbase_sets::halves::{Unbuilt, winners};
use phutbase_sets::mirror::mirrored;
use phutbase_sets::{Diagram, Graph, Ref, Sets, Symbol, TooLarge};
use phutbase_solution::directional::automaton::PotentialState;
use phutbase_solution::forward::ForwardState;
use phutbase_table::{StripTable, TableError};
use rayon::prelude::*;

/// A board decided by its halves that is not in level 0.
pub const FORWARD: &str = "a forward value at most the other potential wins with forward turns";
/// A board and the one without a closed end, of which only one is in a level.
pub const LEFT_END: &str = "a closed left end changes nothing";
/// The same at the right end.
pub const RIGHT_END: &str = "a closed right end changes nothing";

pub const LAW: Law = Law {
    statement: Statement {
        words: "A forward value up to the potential wins with forward turns; closed ends change nothing.",
        source: "Theorems F and T', docs/PROOF.md",
    },
    holds: "forward values up to the potential win with forward turns; closed ends change nothing",
    exception: |table, length| {
        let found = match against_forward(table, length)? {
            None => against_cutting(table, length)?,
            found => found,
        };
        Ok(found.map(|found| {
            let Exception {
                statement,
                level,
                board,
            } = found;
            format!("level {level}: '{board}' contradicts: {statement}")
        }))
    },
};

/// Returns a board of a length that contradicts Theorem F; `None` if there is none. It must be in
/// level 0, or without levels be won.
pub fn against_forward(table: &StripTable, length: usize) -> Result<Option<Exception>, TableError> {
    let sets = table.sets(length)?;
    let first = || -> Result<Option<Exception>, TooLarge> {
        let built = winners::<PotentialState, ForwardState>(length, &Job::default());
        let (decided, by_values) = built.map_err(|unbuilt| match unbuilt {
            Unbuilt::TooLarge(too_large) => too_large,
            Unbuilt::Stopped(_) => unreachable!("nothing stops this job"),
        })?;
        let of_values = Budget::of_sets(size(&decided, &by_values) as u64);
        let mut graph = Graph::within(length, sets.budget(1).and(of_values));
        let by_values = graph.copy(&decided, &by_values)?;
        let won = graph.copy(&sets, &levels(&sets)[0])?;
        let mut algebra = Sets::new(graph);
        for side in [Side::Left, Side::Right] {
            let place = side as usize;
            if let Some(board) = algebra.first_beyond(by_values[place], won[place], side)? {
                return Ok(Some(Exception {
                    statement: FORWARD,
                    level: 0,
                    board,
                }));
            }
        }
        Ok(None)
    };
    first().map_err(|TooLarge| sets.unwieldy())
}

/// Returns a board of a length that contradicts Theorem T'; `None` if there is none. Tests each
/// level, or without levels all boards that Left wins, at both ends.
pub fn against_cutting(table: &StripTable, length: usize) -> Result<Option<Exception>, TableError> {
    let sets = table.sets(length)?;
    let levels = levels(&sets);
    let exception = |level: usize, side: Side| -> Result<Option<Exception>, TooLarge> {
        let mut graph = sets.workspace();
        let set = graph.copy(&sets, &levels[level][side as usize..][..1])?[0];
        if let Some(board) = closed_end(&graph, set, side) {
            return Ok(Some(Exception {
                statement: LEFT_END,
                level,
                board,
            }));
        }
        let image = mirrored(&mut graph, set)?;
        // In the mirror the other player is to move.
        let board = closed_end(&graph, image, side.opponent()).map(|board| board.mirror());
        Ok(board.map(|board| Exception {
            statement: RIGHT_END,
            level,
            board,
        }))
    };
    let steps = (0..levels.len()).flat_map(|level| [(level, Side::Left), (level, Side::Right)]);
    let steps: Vec<(usize, Side)> = steps.collect();
    let found = (steps.into_par_iter()).find_map_first(|(level, side)| exception(level, side).transpose());
    found.transpose().map_err(|TooLarge| sets.unwieldy())
}

/// Returns a board of which the closed left end cannot be replaced by stones, which Lemma 1 cuts
/// off, without leaving or entering the set.
fn closed_end(graph: &Graph, set: Ref, side: Side) -> Option<Strip> {
    // The nodes after the words of a length, each with its state and the stones of a first word.
    let mut here = HashMap::from([((set, ForwardState::START), U256::ZERO)]);
    let mut after_stones = set;
    for square in 0..graph.length() - 1 {
        let expected = graph.thirds(after_stones);
        let mut words: Vec<((Ref, ForwardState), U256)> = here.into_iter().collect();
        words.sort_unstable_by_key(|&(_, stones)| stones);
        let mut further = HashMap::new();
        for ((node, state), stones) in words {
            let (empty, stone, _) = graph.thirds(node);
            // Without another square the ball would be next to the closed end.
            if state.is_closed() {
                let pairs = [(empty, expected.0, U256::ZERO), (stone, expected.1, U256::ONE)];
                for (found, expected, symbol) in pairs {
                    if found != expected {
                        let stones = stones | symbol << square;
                        return Some(difference(graph, [found, expected], square + 1, stones, side));
                    }
                }
            }
            for (child, symbol) in [(empty, U256::ZERO), (stone, U256::ONE)] {
                let next = (child, state.step(symbol == 1));
                further.entry(next).or_insert(stones | symbol << square);
            }
        }
        after_stones = expected.1;
        here = further;
    }
    None
}

/// Returns a board that leads to different leaves from two different nodes on a square.
fn difference(graph: &Graph, mut pair: [Ref; 2], first: usize, mut stones: U256, side: Side) -> Strip {
    let mut ball = None;
    for square in first..graph.length() {
        let children = pair.map(|node| match ball {
            None => <[Ref; 3]>::from(graph.thirds(node)),
            Some(_) => {
                let (empty, stone) = graph.halves(node, square);
                [empty, stone, Ref::BOTTOM]
            }
        });
        let symbols = [Symbol::Empty, Symbol::Stone, Symbol::Ball];
        let differing = symbols
            .into_iter()
            .find(|&symbol| children[0][symbol as usize] != children[1][symbol as usize]);
        let symbol = differing.unwrap_or(Symbol::Empty);
        match symbol {
            Symbol::Empty => {}
            Symbol::Stone => stones |= U256::ONE << square,
            Symbol::Ball => ball = Some(square),
        }
        pair = children.map(|children| children[symbol as usize]);
    }
    let ball = ball.expect("different sets differ in a board");
    Strip::new(graph.length(), ball, stones, side).expect("a board of the length")
}
