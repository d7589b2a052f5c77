//! Positions of a zone that are won whatever its level holds.

use phutbase_fixtures::prelude::*;
use phutbase_strips::symbolic::algebra::Algebra;
use phutbase_strips::symbolic::closure::Pair;
use phutbase_strips::symbolic::mirrored::Readings;
use phutbase_strips::symbolic::portable::Portable;
use phutbase_strips::symbolic::recompute::{LeftTurns, Task};
use phutbase_strips::symbolic::store::Id;

#[test]
fn a_turn_back_is_a_stone_or_a_jump() {
    let read = |board: &str| board.parse::<Strip>().unwrap();
    let mut algebra = Algebra::new(6, SymbolicLimits::default()).unwrap();
    let mut graph = Graph::new(6);
    let boards = [".@....", "o..@.."].map(|board| {
        let pattern = Pattern::parse(board, 6).unwrap();
        pattern.set(&mut graph).unwrap()
    });
    let boards = Portable::of(&graph, &boards);
    let found = algebra.growing(|algebra| {
        let boards = boards.make(algebra.store())?;
        let reached = algebra.or(boards[0], boards[1])?;
        let from_left = Pair::new(Id::BOTTOM, reached);
        let task = Task {
            turns: LeftTurns::Forward,
            balls: 3..=4,
            sets: Readings::default(),
            below: Readings {
                from_left,
                from_right: algebra.mirrored_pair(from_left)?,
            },
            won: None,
            jumps: None,
        };
        // These squares are nearer to the right end, so the result is read from there.
        algebra.mirrored(task.won_from_below(algebra)?)
    });
    let has = |board: &str| contains(algebra.store(), found.unwrap(), &read(board));
    assert!(has("..o@..") && has("...@..") && !has(".o.@.."));
}
