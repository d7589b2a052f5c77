//! The sets of the symbolic engine, board by board.

use phutbase_fixtures::prelude::*;
use phutbase_sets::count::count;
use phutbase_strips::symbolic::algebra::Algebra;
use phutbase_strips::symbolic::store::{Halt, Id};
use phutbase_strips::symbolic::{DepthSolver, LevelSolver};

/// Creates the set of one board.
pub fn board(algebra: &Algebra, strip: &Strip) -> Result<Id, Halt> {
    let store = algebra.store();
    (0..strip.length()).rev().try_fold(Id::TOP, |set, square| {
        let (empty, stone) = match strip.stones() >> square & 1 == 1 {
            true => (Id::BOTTOM, set),
            false => (set, Id::BOTTOM),
        };
        match square.cmp(&strip.ball()) {
            std::cmp::Ordering::Less => store.ternary(square, empty, stone, Id::BOTTOM),
            std::cmp::Ordering::Equal => store.ternary(square, Id::BOTTOM, Id::BOTTOM, set),
            std::cmp::Ordering::Greater => store.binary(square, empty, stone),
        }
    })
}

/// Returns the boards that Left wins, with Left to move and with Right to move.
pub fn winners(solver: &DepthSolver) -> [Id; 2] {
    let last = |parity: usize| {
        let plies = (1..).zip(solver.plies()).filter(|(ply, _)| ply % 2 == parity);
        plies.last().map_or(Id::BOTTOM, |(_, &set)| set)
    };
    [last(1), last(0)]
}

/// Returns the value of a position according to the plies done so far; undecided positions are
/// draws.
pub fn value(solver: &DepthSolver, strip: &Strip) -> Value {
    let left = strip.normalised();
    let plies = || (1..).zip(solver.plies());
    let depth = |parity: u16, board: &Strip| {
        let mut plies = plies().filter(|(ply, _)| ply % 2 == parity);
        let first = plies.find(|&(_, &set)| contains(solver.store(), set, board));
        first.map(|(ply, _)| Depth(ply))
    };
    let win = depth(1, &left).map(Value::Win);
    win.or_else(|| depth(0, &left.mirror()).map(Value::Loss))
        .unwrap_or(Value::Draw)
}

/// Returns the boards of the last level, with Left to move and with Right to move.
pub fn last_level(levels: &LevelSolver) -> [Id; 2] {
    *levels.roots().last_chunk().expect("two sets of each level")
}

/// Counts the positions with Left to move that are won, lost and drawn.
pub fn totals(levels: &LevelSolver) -> [BigUint; 3] {
    let [wins, losses] = last_level(levels).map(|set| count(levels.store(), set));
    let draws = all_positions(levels.store().length()) - &wins - &losses;
    [wins, losses, draws]
}

/// Returns the winner of a position.
pub fn wdl(levels: &LevelSolver, strip: &Strip) -> Wdl {
    let left = strip.normalised();
    let [left_to_move, right_to_move] = last_level(levels);
    if contains(levels.store(), left_to_move, &left) {
        Wdl::Win
    } else if contains(levels.store(), right_to_move, &left.mirror()) {
        Wdl::Loss
    } else {
        Wdl::Draw
    }
}
