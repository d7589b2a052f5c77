//! The value of the move and of the ends of the strip: Lemma 1 and Theorem Z (docs/PROOF.md) on
//! every position of short strips, Theorems Z, F and T' on correct and planted tables; and the first failures of the
//! chain property.

use crate::prelude::*;
use phutbase_rules::strip::Halves as _;
use phutbase_sets::graph::TooLarge;
use phutbase_solution::forward::{ForwardState, ForwardWin, HalfValues};
use phutbase_testing::boards::{both_sides_under, positions_under};
use phutbase_theory::chain::{Inclusion, break_in_chain};
use phutbase_theory::forward_value::{FORWARD, LEFT_END, RIGHT_END, against_cutting, against_forward};
use phutbase_theory::tempo::{Exception, move_hurts};

/// Returns the board without its last square; `None` if the ball would then be on the last square.
fn without_last(board: &Strip) -> Option<Strip> {
    let length = board.length() - 1;
    let stones = board.stones() & !(1 << length);
    Some(Strip::new(length, board.ball(), stones, board.side())?.under(board.rules()))
}

/// Returns the board without its first square; `None` if the ball would then be on the first
/// square.
fn without_first(board: &Strip) -> Option<Strip> {
    let shorter = Strip::new(
        board.length() - 1,
        board.ball() - 1,
        board.stones() >> 1,
        board.side(),
    )?;
    Some(shorter.under(board.rules()))
}

fn has_stone(board: &Strip, square: usize) -> bool {
    board.stones() >> square & 1 == 1
}

/// Lemma 1 on every position of 4 to 12 squares: value, depth and the number of backward turns
/// needed stay the same when a stone on an end is removed with its square; at both ends, for either
/// player to move, under both sets of rules.
#[test]
fn a_stone_on_an_end_changes_nothing() {
    for rules in RULES {
        let mut shorter_levels = levels(3, rules);
        for length in 4..=12 {
            let own_levels = levels(length, rules);
            let mut compared = [0; 2];
            for board in both_sides_under(rules, length) {
                let value = reference_value(&board);
                let ends = [(length - 1, without_last(&board)), (0, without_first(&board))];
                for (end, (square, shorter)) in ends.into_iter().enumerate() {
                    if let Some(shorter) = shorter.filter(|_| has_stone(&board, square)) {
                        assert_eq!(value, reference_value(&shorter), "'{board}', '{shorter}'");
                        let turns = needed(&own_levels, &board);
                        assert_eq!(turns, needed(&shorter_levels, &shorter), "'{board}', '{shorter}'");
                        assert_eq!(turns.is_some(), for_left(&board) == 1, "'{board}'");
                        compared[end] += 1;
                    }
                }
            }
            let expected = (length - 3) << (length - 1);
            assert_eq!(compared, [expected; 2], "{length} squares, {rules}");
            shorter_levels = own_levels;
        }
    }
}

/// Returns 1 for a win of Left, 0 for a draw, −1 for a loss.
fn for_left(board: &Strip) -> i32 {
    match reference_value(board).wdl().winner(board.side()) {
        Some(Side::Left) => 1,
        Some(Side::Right) => -1,
        None => 0,
    }
}

/// Theorem Z on every board of 3 to 12 squares.
#[test]
fn having_the_move_never_hurts() {
    for rules in RULES {
        for board in (3..=12).flat_map(|length| positions_under(rules, length)) {
            let waiting = board.with_side(Side::Right);
            assert!(for_left(&board) >= for_left(&waiting), "'{board}'");
        }
    }
}

type Check = fn(&StripTable, usize) -> Result<Option<Exception>, TableError>;

/// The checks of Theorems F and T'.
const AGAINST: [Check; 2] = [against_forward, against_cutting];

/// Asserts that a table contradicts neither statement on a length.
fn contradicts_nothing(table: &StripTable, length: usize) {
    let hurts = move_hurts(&table.sets(length).unwrap()).unwrap();
    assert_eq!(hurts, None, "{length} squares");
    for check in AGAINST {
        assert_eq!(check(table, length).unwrap(), None, "{length} squares");
    }
}

#[test]
fn right_tables_contradict_nothing() {
    for (metric, longest) in [(Metric::Dtw, 16), (Metric::Levels, 24), (Metric::Wdl, 24)] {
        let table = open(generated(longest, metric), "good.phut").unwrap();
        (3..=longest).for_each(|length| contradicts_nothing(&table, length));
        for check in AGAINST {
            let missing = check(&table, longest + 1).unwrap_err();
            assert!(matches!(missing, TableError::Missing { .. }), "{missing}");
        }
    }
    // With two backward turns.
    let table = shipped("strip-64-levels.phut");
    assert_eq!(table.sets(44).unwrap().levels(), 3);
    for length in [44, 46] {
        contradicts_nothing(&table, length);
    }
}

/// Returns all contradictions in planted values of a length, board by board: a statement and a
/// board.
fn contradictions(planes: &Planes, length: usize) -> BTreeSet<(&'static str, String)> {
    let mut planes = planes.clone();
    let longest = planes.length;
    let mut wins = |board: &Strip| *planes.left_wins(&board.followed_by_stones(longest)) != 0;
    let mut found = BTreeSet::new();
    for board in both_sides(length) {
        let here = wins(&board);
        let win = ForwardWin::new(board.side(), HalfValues::both(&board));
        if win.is_some_and(|win| win.winner == Side::Left) && !here {
            found.insert((FORWARD, board.to_string()));
        }
        for (goal, statement) in [(Side::Right, LEFT_END), (Side::Left, RIGHT_END)] {
            let mut state = ForwardState::START;
            for (read, stone) in board.towards(goal).enumerate() {
                let end = (1u128 << read) - 1;
                let end = if goal == Side::Right {
                    end
                } else {
                    end << (length - read)
                };
                let stones = Strip::new(length, board.ball(), board.stones() | end, board.side());
                if state.is_closed() && here != wins(&stones.unwrap()) {
                    found.insert((statement, board.to_string()));
                }
                state = state.step(stone);
            }
        }
    }
    found
}

/// One wrong value at a time: a contradiction is found exactly if there is one, and it is one of
/// them.
#[test]
fn planted_errors_contradict_the_claims() {
    let mut by_statement: BTreeMap<&str, usize> = BTreeMap::new();
    plant(8, 11, |planes, metric, changed| {
        let table = planes.table(metric);
        for length in 4..=8 {
            let expected = contradictions(&planes, length);
            for (check, statements) in [(AGAINST[0], &[FORWARD][..]), (AGAINST[1], &[LEFT_END, RIGHT_END])] {
                let is_meant = |(statement, _): &&(&str, String)| statements.contains(statement);
                match check(&table, length).unwrap() {
                    None => assert_eq!(expected.iter().find(is_meant), None, "'{changed}', {metric}"),
                    Some(found) => {
                        assert_eq!(found.level, 0);
                        let found = (found.statement, found.board.to_string());
                        assert!(expected.contains(&found), "{found:?} is not in {expected:?}");
                        *by_statement.entry(found.0).or_default() += 1;
                    }
                }
            }
        }
        for length in 3..=8 {
            let sets = table.sets(length).unwrap();
            let hurts = |board: &Strip| {
                let verdict = |side| table.verdict(&board.with_side(side)).unwrap().wdl;
                verdict(Side::Left) != Wdl::Win && verdict(Side::Right) == Wdl::Loss
            };
            match move_hurts(&sets).unwrap() {
                None => assert!(!positions(length).any(|board| hurts(&board)), "'{changed}'"),
                Some(found) => {
                    assert!(hurts(&found.board), "'{}'", found.board);
                    *by_statement.entry(found.statement).or_default() += 1;
                }
            }
        }
    });
    assert_eq!(by_statement.len(), 4, "{by_statement:?}");
}

/// Up to 48 squares the halves form chains (a command of docs/THEORY.md goes to 64); at 72 they do
/// not, as the values of the four displayed boards show.
#[test]
fn the_chain_breaks_where_the_values_of_four_boards_say_so() {
    let lines = lines("theory chain 3..48");
    assert_eq!(lines.len(), 46);
    assert!(lines.iter().all(|line| line["holds"] == true));
    let refuted = Tables::made("72 --metric wdl").run("theory chain 72");
    refuted.failure(1);
    let boards: Vec<&str> = refuted.stdout.split('\'').skip(1).step_by(2).collect();
    for (board, winner) in boards.iter().zip(["left", "left", "right", "right"]) {
        let probed = run_with("probe --json", board).json();
        assert_eq!(probed["winner"], winner, "{board}");
    }
    // Two left halves and two right halves.
    let halves = boards.iter().map(|board| board.split_once('@').unwrap());
    let halves: Vec<(&str, &str)> = halves.collect();
    assert_eq!((halves[0].0, halves[1].0), (halves[2].0, halves[3].0));
    assert_eq!((halves[0].1, halves[1].1), (halves[3].1, halves[2].1));
}

#[test]
fn two_sets_that_cross_are_no_chain() {
    let mut graph = Graph::new(5);
    let set = |graph: &mut Graph, level, empty, stone| graph.binary(level, empty, stone).unwrap();
    let first = set(&mut graph, 3, Ref::TOP, Ref::BOTTOM);
    let other = set(&mut graph, 3, Ref::BOTTOM, Ref::TOP);
    let less = set(&mut graph, 4, Ref::TOP, Ref::BOTTOM);
    let part = set(&mut graph, 3, less, Ref::BOTTOM);
    let budget = AtomicU64::new(1000);
    let broken = |sets: &[Ref]| {
        let sets: Vec<(U256, Ref)> = (0u64..).map(U256::from).zip(sets.iter().copied()).collect();
        break_in_chain(&graph, &budget, 2, &sets).unwrap().is_some()
    };
    assert!(!broken(&[Ref::TOP, part, first, Ref::BOTTOM]));
    assert!(broken(&[first, other]));
    assert!(broken(&[other, part]));
    let mut inclusion = Inclusion::new(&graph, &budget);
    assert_eq!(inclusion.beyond(first, part), Ok(Some(U256::ONE << 4)));
    assert_eq!(inclusion.beyond(other, first), Ok(Some(U256::ONE << 3)));
    assert_eq!(inclusion.beyond(part, first), Ok(None));
    let none = AtomicU64::new(0);
    assert_eq!(Inclusion::new(&graph, &none).beyond(first, part), Err(TooLarge));
}
