//! The inclusions of a table of winners refuse its sets with one board too few or too many.

use phutbase_fixtures::prelude::*;
use phutbase_sets::Sets;
use phutbase_testing::turns::set_of;
use phutbase_verify::inclusion::{Checker, CheckerLimits, Set};
use phutbase_verify::strip::inclusions::{first_violated, of_draws, of_winners};

const LIMITS: CheckerLimits = CheckerLimits {
    nodes: 1 << 24,
    results: 1 << 16,
    steps: u64::MAX,
};

/// Returns a set with a board more, or without it.
fn changed(checker: &mut Checker, set: Set, board: Strip) -> Set {
    let mut sets = Sets::new(Graph::new(board.length()));
    let one = set_of(&mut sets, &[board]);
    let one = checker.copy(sets.graph(), &[one]).unwrap()[0];
    let has = checker.contains(set, &board);
    if has {
        return checker.difference(set, one).unwrap();
    }
    let others = checker.complement(set).unwrap();
    let others = checker.difference(others, one).unwrap();
    checker.complement(others).unwrap()
}

/// Returns whether Left's or Right's turns agree with what the sets say of a board: the wins of Left,
/// or those of Right and the draws.
fn follows(checker: &Checker, won_by_left: [Set; 2], board: &Strip) -> bool {
    let is_left = |board: &Strip| checker.contains(won_by_left[board.side() as usize], board);
    let stays = |turn: &Turn| match board.play(*turn).unwrap() {
        After::Position(next) => is_left(&next) == is_left(board),
        After::Over { winner, .. } => (winner == Side::Left) == is_left(board),
    };
    let turns = board.turns();
    match (board.side(), is_left(board)) {
        (Side::Left, true) => turns
            .into_iter()
            .any(|turn| turn.is_proper(board) && stays(&turn)),
        (Side::Right, false) => turns.iter().any(stays),
        _ => turns.iter().all(stays),
    }
}

/// Changes one board at a time. Returns the number of changes.
fn changes_are_refused(length: usize) -> usize {
    let table = table(length, Metric::Wdl);
    let good = table.sets(length).unwrap();
    let boards: Vec<Strip> = positions(length).collect();
    let job = Job::default();
    // A checker keeps its nodes.
    for boards in boards.chunks(1 << 10) {
        let mut checker = Checker::new(length, LIMITS, &job);
        let copies = checker.copy(&good, good.roots()).unwrap();
        let won_by_left = [copies[0], copies[1]];
        for (&board, side) in boards.iter().flat_map(|board| [(board, 0), (board, 1)]) {
            let mut planted = won_by_left;
            planted[side] = changed(&mut checker, planted[side], board);
            let mut find =
                |inclusions: &[_]| first_violated(&mut checker, inclusions, planted, &job).unwrap();
            // With a board too few, all stored wins may follow; then it does not follow that it is a draw.
            let fault = find(&of_winners()).or_else(|| find(&of_draws()));
            let Some(Mismatch::Sets { position, .. }) = fault else {
                panic!("'{board}' in set {side}: {fault:?}");
            };
            let named = strip(&position);
            assert!(
                !follows(&checker, planted, &named),
                "'{position}' follows without '{board}' in set {side}"
            );
        }
    }
    2 * boards.len()
}

#[test]
fn sets_with_a_board_too_few_or_too_many_are_refused() {
    let changes: usize = (3..=14).into_par_iter().map(changes_are_refused).sum();
    // n − 2 squares for the ball and 2^(n − 1) sets of stones.
    assert_eq!(changes, (3..=14).map(|n| (n - 2) << n).sum::<usize>());
}
