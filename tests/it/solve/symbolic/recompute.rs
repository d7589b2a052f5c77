//! What of a zone is won whatever its level holds.

use phutbase::diagram::count::contains;
use phutbase::diagram::graph::Graph;
use phutbase::diagram::pattern::Pattern;
use phutbase::games::rules::Rules;
use phutbase::games::strip::Strip;
use phutbase::solve::symbolic::SymbolicLimits;
use phutbase::solve::symbolic::algebra::Algebra;
use phutbase::solve::symbolic::closure::Pair;
use phutbase::solve::symbolic::portable::Portable;
use phutbase::solve::symbolic::recompute::Task;
use phutbase::solve::symbolic::store::Id;

/// Levels past the first have never been needed in the directional game, so nothing else tells whether its turns back are right.
#[test]
fn a_turn_back_is_a_stone_or_under_ordinary_rules_a_jump() {
    let read = |board: &str| board.parse::<Strip>().unwrap();
    for (rules, jumps) in [(Rules::Ordinary, true), (Rules::Directional, false)] {
        let mut algebra = Algebra::new(6, SymbolicLimits::default()).unwrap().under(rules);
        let mut graph = Graph::new(6);
        let boards = [".@....", "o..@.."].map(|board| {
            let pattern = Pattern::parse(board, 6).unwrap();
            pattern.set(&mut graph).unwrap()
        });
        let boards = Portable::of(&graph, &boards);
        let found = algebra.growing(|algebra| {
            let boards = boards.make(algebra.store(), 0)?;
            let reached = algebra.or(boards[0], boards[1])?;
            let task = Task {
                balls: 3..=4,
                sets: Pair::default(),
                below: Pair::new(Id::BOTTOM, reached),
                won: None,
                jumps: None,
            };
            task.won_anyway(algebra)
        });
        let has = |board: &str| contains(algebra.store(), found.unwrap(), &read(board));
        assert_eq!(has("..o@.."), jumps, "{rules}");
        assert!(has("...@..") && !has(".o.@.."), "{rules}");
    }
}
