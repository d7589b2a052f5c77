//! The conditions of a first draw, as sets and board by board.

use crate::prelude::*;
use phutbase_base::job::Job;
use phutbase_rules::strip::Halves as _;
use phutbase_solution::forward::{ForwardState, HalfValues};
use phutbase_table::decide::by_rules;
use phutbase_table::decide::search::Search;
use phutbase_theory::first_draw::{Candidates, sample};

/// Returns whether a board with Left to move satisfies the conditions of Theorems F and T'.
fn is_candidate(values: [HalfValues; 2]) -> bool {
    let [left, right] = values;
    left.closed == 0 && right.closed == 0 && left.potential < right.forward && right.potential <= left.forward
}

/// Returns whether Left wins the board without its last squares with Right to move, where Theorem 4
/// says that Right would win it.
fn is_excluded_by_tempo(tables: &Tablebase, board: &Strip, longest: usize) -> bool {
    let cut = board.length() - longest;
    let ends_empty = (1..=4).all(|last| !board.stone(board.length() - last));
    if cut > 1 && (cut > 4 || !ends_empty || board.ball() + 5 >= board.length()) {
        return false;
    }
    let Some(window) = board.window(0, longest - 1) else {
        return false;
    };
    tables.verdict(&window.with_side(Side::Right)).unwrap().wdl == Wdl::Loss
}

/// Tables of 12 squares; the numbers of boards of 13 to 17 that each condition leaves.
#[test]
fn candidates_for_a_first_draw_are_counted() {
    let (_directory, tables) = only(&generated(12, Metric::Wdl), 12);
    let sets = tables.ask_strips(12, None, Ok).unwrap().sets(12).unwrap();
    let mut left = 0;
    for length in 13..=17 {
        let found = Candidates::new(length, &sets, &Job::default()).unwrap();
        let mut expected = [0u32; 3];
        for board in positions(length) {
            let values = HalfValues::both(&board);
            if !is_candidate(values) {
                continue;
            }
            expected[0] += 1;
            if by_rules(&tables, &AnyStrip::from(&board), values)
                .unwrap()
                .is_some()
            {
                continue;
            }
            expected[1] += 1;
            expected[2] += u32::from(!is_excluded_by_tempo(&tables, &board, 12));
        }
        let counts = [
            found.by_theorems(),
            found.by_windows(),
            found.left().total().clone(),
        ];
        assert_eq!(counts, expected.map(BigUint::from), "{length} squares");
        left += expected[2];
        for board in sample(&found, 20, 1) {
            assert!(is_candidate(HalfValues::both(&board)), "{board}");
            assert!(!is_excluded_by_tempo(&tables, &board, 12), "{board}");
        }
    }
    assert!(left > 0);
}

/// The examples of the command are the boards of the sample that a search leaves, if some turn that
/// is not proper leads to another such position.
#[test]
fn examples_satisfy_corollary_g3() {
    let directory = Tables::shipped(&["strip-64-wdl.phut"]);
    let tables = Tablebase::open(directory.path()).unwrap();
    let sets = tables.ask_strips(64, None, Ok).unwrap().sets(64).unwrap();
    let found = Candidates::new(72, &sets, &Job::default()).unwrap();
    let is_open = |board: &AnyStrip| {
        let mut search = Search::new(&tables, 4_000, &|| false);
        search.decide(board, HalfValues::both(board)).unwrap().is_err()
    };
    let mut expected = [0, 0];
    let mut examples = Vec::new();
    for board in sample(&found, 12, 7) {
        let long = AnyStrip::from(&board);
        if !is_open(&long) {
            continue;
        }
        expected[0] += 1;
        let ball = board.ball();
        let is_other = |turn: &Turn| match *turn {
            Turn::Place(square) => square < ball,
            Turn::Jump(square) => square.abs_diff(ball) == 2,
            Turn::Off(_) => false,
        };
        let leads_on = |turn: &Turn| match long.after(*turn) {
            After::Position(next) => is_open(&next),
            After::Over { .. } => false,
        };
        if board.turns().iter().any(|turn| is_other(turn) && leads_on(turn)) {
            expected[1] += 1;
            examples.push(json!(board.to_string()));
        }
    }
    assert!(0 < expected[1] && expected[1] < expected[0], "{expected:?}");
    let line = &directory.lines("theory first-draw 72 --trials 12 --seed 7 --limit 12")[0];
    assert_eq!(fields(line, "undecided by_theorem_n"), json!(expected));
    assert_eq!(line["examples"], Json::Array(examples));
}

/// Returns the half strips of a length without a closed beginning, as bits: square i counted from
/// the goal line.
fn open_halves(length: usize) -> Vec<u32> {
    let is_open = |&word: &u32| {
        let mut state = ForwardState::START;
        (0..length).all(|read| {
            let goes_on = read == 0 || !state.is_closed();
            state = state.step(word >> read & 1 == 1);
            goes_on
        })
    };
    (0..1 << length).filter(is_open).collect()
}

/// With a table of 24 squares, every board of 25 to 28 that Theorems F and T' leave, either player
/// to move: the rules and a short search decide as the table of 36 says. The command
/// `theory forward-value 25..28` checks the theorems on the other boards.
#[test]
#[ignore = "eleven million boards, each by a search: some minutes"]
fn rules_decide_as_longer_tables_on_every_open_board() {
    let (_directory, tables) = only(&generated(24, Metric::Wdl), 24);
    let sets = tables.ask_strips(24, None, Ok).unwrap().sets(24).unwrap();
    let long = shipped("strip-36-dtw.phut");
    for length in 25..=28 {
        let halves: Vec<Vec<u32>> = (0..length).map(open_halves).collect();
        let [open, by_rules, undecided] = (1..length - 1)
            .into_par_iter()
            .flat_map(|ball| halves[ball].par_iter().map(move |&left| (ball, left)))
            .map(|(ball, left)| {
                let mut counts = [0; 3];
                for &right in &halves[length - 1 - ball] {
                    // Square i from the goal line is square length − 1 − i.
                    let right = right.reverse_bits() >> (32 - length);
                    let stones = u128::from(left | right);
                    let board = Strip::new(length, ball, stones, Side::Left).unwrap();
                    let values = HalfValues::both(&board);
                    if !is_candidate(values) {
                        continue;
                    }
                    counts[0] += 1;
                    let expected = long.verdict(&board).unwrap().wdl;
                    for (board, [first, second]) in [(board, [0, 1]), (board.mirror(), [1, 0])] {
                        let values = [values[first], values[second]];
                        let long = AnyStrip::from(&board);
                        let by_rules = by_rules(&tables, &long, values).unwrap();
                        counts[1] += usize::from(by_rules.is_none());
                        let mut search = Search::new(&tables, 64, &|| false);
                        let decision = search.decide(&long, values).unwrap().ok();
                        assert!(by_rules.is_none() || by_rules == decision, "'{board}'");
                        counts[2] += usize::from(decision.is_none());
                        assert!(
                            decision.is_none_or(|decision| decision.verdict.wdl == expected),
                            "'{board}'"
                        );
                    }
                }
                counts
            })
            .reduce(
                || [0usize; 3],
                |a, b| std::array::from_fn(|place| a[place] + b[place]),
            );
        let found = Candidates::new(length, &sets, &Job::default()).unwrap();
        let counts = [found.by_theorems(), found.by_windows() * 2u8];
        assert_eq!(counts, [open, by_rules].map(BigUint::from), "{length} squares");
        println!("{length} squares: {open} boards, the rules leave {by_rules}, a search {undecided}");
    }
}
