//! Nimbers of Obstruction against slow, plain solvers, published values, and statements that must hold.

use phutbase::game::{Game, Successor};
use phutbase::games::obstruction::{
    Board, Form, Grid, MAX_SQUARES, Square, Sum, Term, bits, with_neighbours,
};
use phutbase::nimber::{Nimber, Winner, mex};
use phutbase::outcome::Wdl;
use phutbase::solve::nimbers::octal::OctalGame;
use phutbase::solve::nimbers::region::Region;
use phutbase::solve::nimbers::{NimberLimits, NimberSolver, Part, Stopped, total};
use phutbase::solve::reference;
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const MEMORY: u64 = 1 << 28;

/// Squares as (row, column) pairs, in order: the plainest form there is.
type Squares = Vec<(i32, i32)>;

/// The nimber of a set of free squares straight from the rules: the mex over all marks. No components, no symmetry, no twins.
fn naive(free: &Squares, known: &mut HashMap<Squares, Nimber>) -> Nimber {
    if let Some(&nimber) = known.get(free) {
        return nimber;
    }
    let after = free.iter().map(|mark| -> Squares {
        let far = |square: &&(i32, i32)| (square.0 - mark.0).abs() > 1 || (square.1 - mark.1).abs() > 1;
        free.iter().filter(far).copied().collect()
    });
    let successors: Vec<Nimber> = after.map(|squares| naive(&squares, known)).collect();
    let nimber = mex(successors).expect("no more successors than squares");
    known.insert(free.clone(), nimber);
    nimber
}

/// Bits `row · columns + column` as pairs.
fn pairs(columns: usize, set: u128) -> Squares {
    let squares = (0..128).filter(|bit| set >> bit & 1 == 1);
    squares
        .map(|bit| ((bit / columns) as i32, (bit % columns) as i32))
        .collect()
}

/// The nimber of any set of squares, component by component.
fn solved(solver: &NimberSolver, squares: &Squares) -> Nimber {
    let mut rest = squares.clone();
    let mut sum = Nimber::ZERO;
    while let Some(first) = rest.pop() {
        let mut component = vec![first];
        let mut done = 0;
        while done < component.len() {
            let (row, column) = component[done];
            let near = |square: &(i32, i32)| (square.0 - row).abs() <= 1 && (square.1 - column).abs() <= 1;
            component.extend(rest.iter().copied().filter(near));
            rest.retain(|square| !near(square));
            done += 1;
        }
        sum ^= solver
            .region(&region(&component), NimberLimits::default())
            .expect("no limits");
    }
    sum
}

/// The canonical region of some squares anywhere.
fn region(squares: &Squares) -> Region {
    let top = squares.iter().map(|square| square.0).min().unwrap_or(0);
    let left = squares.iter().map(|square| square.1).min().unwrap_or(0);
    let width = squares
        .iter()
        .map(|square| square.1 - left + 1)
        .max()
        .unwrap_or(1);
    let bit = |square: &(i32, i32)| 1u128 << ((square.0 - top) * width + square.1 - left);
    let set = squares.iter().map(bit).fold(0, |set, bit| set | bit);
    Region::new(width as usize, set).canonical()
}

fn nimber(solver: &NimberSolver, board: &str) -> Nimber {
    let board: Board = board.parse().expect("a board");
    solver.board(&board, NimberLimits::default()).expect("no limits")
}

fn rectangle(rows: usize, columns: usize) -> Board {
    Grid::flat(Form::Rectangle, rows, columns).unwrap().into()
}

/// All board sizes with at most so many squares.
fn sizes(squares: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=squares).flat_map(move |rows| (1..=squares / rows).map(move |columns| (rows, columns)))
}

/// The labelling of the paper's section 2, on boards with marks: 'winner' if some mark leads to a 'loser'.
fn mover_wins(board: &Board, known: &mut HashMap<u128, bool>) -> bool {
    if let Some(&wins) = known.get(&board.marks()) {
        return wins;
    }
    let wins = board.turns().any(|(_, after)| !mover_wins(&after, known));
    known.insert(board.marks(), wins);
    wins
}

#[test]
fn winner_labels_of_all_boards_up_to_20_squares() {
    let solver = NimberSolver::new(MEMORY);
    for (rows, columns) in sizes(20) {
        let board = rectangle(rows, columns);
        let first = solver.board(&board, NimberLimits::default()).unwrap().winner() == Winner::First;
        assert_eq!(mover_wins(&board, &mut HashMap::new()), first, "{board}");
    }
}

/// Every set of free squares of one board size, whether play can lead there or not; the number of a position *is* that
/// set, bit `row · columns + column`.
struct FreeSquares {
    squares: usize,
    columns: usize,
}

impl Game for FreeSquares {
    type Position = u128;
    type Turn = usize;

    fn positions(&self) -> u64 {
        1 << self.squares
    }

    fn index(&self, free: &u128) -> u64 {
        *free as u64
    }

    fn position(&self, index: u64) -> u128 {
        index.into()
    }

    fn turns(&self, free: &u128, visit: &mut dyn FnMut(usize, Successor<u128>)) {
        for square in bits(*free) {
            let left = free & !with_neighbours(self.columns, 1 << square);
            visit(square, Successor::Position(left));
        }
    }
}

#[test]
fn the_reference_solver_finds_the_same_winners_of_every_set_of_free_squares() {
    let solver = NimberSolver::new(MEMORY);
    for (rows, columns) in [(1, 12), (12, 1), (2, 6), (3, 4), (4, 3), (3, 5), (4, 4)] {
        let game = FreeSquares {
            squares: rows * columns,
            columns,
        };
        for (index, value) in reference::solve(&game).into_iter().enumerate() {
            let free = pairs(columns, game.position(index as u64));
            let wins = solved(&solver, &free) != Nimber::ZERO;
            assert_eq!(
                value.wdl() == Wdl::Win,
                wins,
                "{rows}x{columns}, free squares {free:?}"
            );
            assert_ne!(value.wdl(), Wdl::Draw, "{free:?}");
        }
    }
}

#[test]
fn the_reference_solver_finds_the_same_winners_of_boards_up_to_20_squares() {
    let solver = NimberSolver::new(MEMORY);
    for (rows, columns) in sizes(20) {
        let game = FreeSquares {
            squares: rows * columns,
            columns,
        };
        let board = rectangle(rows, columns);
        let value = reference::solve(&game)[board.free() as usize];
        let wins = solver.board(&board, NimberLimits::default()).unwrap() != Nimber::ZERO;
        assert_eq!(value.wdl() == Wdl::Win, wins, "{board}");
    }
}

#[test]
fn nimbers_of_empty_boards_are_those_of_plain_recursion() {
    let solver = NimberSolver::new(MEMORY);
    for (rows, columns) in sizes(20) {
        let board = rectangle(rows, columns);
        let plain = naive(&pairs(columns, board.free()), &mut HashMap::new());
        assert_eq!(
            solver.board(&board, NimberLimits::default()),
            Ok(plain),
            "{board}"
        );
    }
    for (rows, columns) in [(4, 6), (5, 5), (3, 8), (5, 6), (6, 6)] {
        let board = rectangle(rows, columns);
        let plain = naive(&pairs(columns, board.free()), &mut HashMap::new());
        assert_eq!(
            solver.board(&board, NimberLimits::default()),
            Ok(plain),
            "{board}"
        );
    }
}

#[test]
fn the_tables_nimbers_hold() {
    let solver = NimberSolver::new(MEMORY);
    let mut checked = 0;
    for line in include_str!("../../data/obstruction.tsv").lines() {
        let Some((rows, nimbers)) = line
            .split_once('\t')
            .filter(|(rows, _)| rows.parse::<u8>().is_ok())
        else {
            continue;
        };
        for (columns, expected) in (1..).zip(nimbers.split_whitespace()) {
            let found = nimber(&solver, &format!("{rows}x{columns}"));
            assert_eq!(found.to_string(), expected, "{rows}x{columns}");
            checked += 1;
        }
    }
    assert_eq!(checked, 54);
}

#[test]
fn the_papers_winners_hold() {
    let solver = NimberSolver::new(MEMORY);
    for (board, winner) in [
        ("2x2", Winner::First),
        ("3x3", Winner::First),
        ("2x4", Winner::Second),
        ("4x4", Winner::Second),
        ("1x4", Winner::Second),
        ("1x6", Winner::First),
        ("1x40", Winner::First),
    ] {
        assert_eq!(nimber(&solver, board).winner(), winner, "{board}");
    }
    for rows in (1..=7).step_by(2) {
        for columns in (rows..=49 / rows).step_by(2) {
            let board = format!("{rows}x{columns}");
            assert_eq!(nimber(&solver, &board).winner(), Winner::First, "{board}");
        }
    }
}

#[test]
fn boards_of_one_and_two_rows_follow_the_octal_game() {
    let solver = NimberSolver::new(MEMORY);
    let rows = OctalGame::DAWSONS_CHESS.nimbers(129).unwrap();
    for (length, &expected) in rows.iter().enumerate().skip(1) {
        assert_eq!(nimber(&solver, &format!("1x{length}")), expected, "1x{length}");
        if length <= 64 {
            assert_eq!(nimber(&solver, &format!("{length}x2")), expected, "{length}x2");
        }
    }
}

/// Theorem: the second player answers in the same column, so that both marks take all four rows of it and its neighbours.
#[test]
fn boards_of_four_rows_are_lost() {
    let solver = NimberSolver::new(MEMORY);
    for length in 1..=32 {
        assert_eq!(
            nimber(&solver, &format!("4x{length}")),
            Nimber::ZERO,
            "4x{length}"
        );
    }
}

#[test]
fn moves_of_the_paper() {
    let solver = NimberSolver::new(MEMORY);
    let after = |sum: &str| -> Vec<String> {
        let sum: Sum = sum.parse().unwrap();
        let turns = solver.winning_turns(&sum, NimberLimits::default()).unwrap();
        turns.iter().map(|turn| turn.after.to_string()).collect()
    };
    assert_eq!(after("1+2+3"), ["1x1 + 1x2 + 1x0"]);
    assert!(after("1x12").contains(&"1x2 + 1x7".to_string()));
    assert!(after("1x2 + 1x7").is_empty());
    assert_eq!(after("3x3"), [".../.x./..."]);
}

#[test]
fn winning_turns_are_exactly_those_to_nimber_0() {
    let solver = NimberSolver::new(MEMORY);
    for text in [
        "3x4 + 1x5",
        "x..../...../.....",
        "2x2 + ..x/.../...",
        "5x5 + 4",
        "3x5 + 3x5",
    ] {
        let sum: Sum = text.parse().unwrap();
        let turns = solver.winning_turns(&sum, NimberLimits::default()).unwrap();
        let mut expected = Vec::new();
        for (place, term) in sum.terms.iter().enumerate() {
            for turn in term.turns() {
                let mut terms = sum.terms.clone();
                terms.splice(place..=place, turn.after);
                if total(&solver.components(&terms, NimberLimits::default()).unwrap()) == Nimber::ZERO {
                    expected.push((place, turn.place));
                }
            }
        }
        let found: Vec<_> = turns.iter().map(|turn| (turn.term, turn.place)).collect();
        assert_eq!(found, expected, "{text}");
        assert!(turns.iter().all(|turn| total(&turn.components) == Nimber::ZERO));
    }
}

#[test]
fn components_are_told_apart() {
    let solver = NimberSolver::new(MEMORY);
    let sum: Sum = "......./...x.../....... + 1x9 + x".parse().unwrap();
    let components = solver.components(&sum.terms, NimberLimits::default()).unwrap();
    let shapes: Vec<String> = (components.iter())
        .map(|component| match &component.part {
            Part::Row(length) => format!("row of {length}"),
            Part::Region(region) => region.to_string(),
            Part::Vertices(..) => panic!("no shape was asked for"),
        })
        .collect();
    assert_eq!(shapes, ["2x3", "2x3", "row of 9"]);
}

#[test]
fn answers_do_not_depend_on_memory_or_threads() {
    let boards = ["5x7", "6x6", "4x9", "6x7"];
    let find = |memory: u64, threads: usize| -> (Vec<Nimber>, u64) {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let solver = NimberSolver::new(memory);
        let nimbers = pool.install(|| boards.iter().map(|board| nimber(&solver, board)).collect());
        (nimbers, solver.memo().forgotten())
    };
    let (expected, forgotten) = find(MEMORY, 1);
    assert_eq!(forgotten, 0);
    assert_eq!(find(MEMORY, 4).0, expected);
    let (tight, forgotten) = find(40_000, 1);
    assert!(forgotten > 0, "the bound was met");
    assert_eq!(tight, expected);
    assert_eq!(find(40_000, 3).0, expected);
}

#[test]
fn a_search_stops_at_its_limits() {
    let solver = NimberSolver::new(MEMORY);
    let board = rectangle(9, 14);
    let stop = AtomicBool::new(true);
    let stopped = NimberLimits {
        stop: Some(&stop),
        deadline: None,
    };
    assert_eq!(solver.board(&board, stopped), Err(Stopped));
    let late = NimberLimits {
        stop: None,
        deadline: Some(Instant::now()),
    };
    assert_eq!(solver.board(&board, late), Err(Stopped));
}

#[test]
fn what_is_learned_answers_for_every_image_of_the_board() {
    let solver = NimberSolver::new(MEMORY);
    // A wrong nimber, so that it is seen to be used.
    solver.learn(&Term::Board(rectangle(7, 9)), Nimber(9));
    assert_eq!(nimber(&solver, "9x7"), Nimber(9));
}

/// Sets of squares within six rows and columns, small enough for plain recursion.
fn small_sets() -> impl Strategy<Value = Squares> {
    proptest::collection::btree_set((0i32..6, 0i32..6), 0..18).prop_map(|set| set.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nimbers_of_random_sets_are_those_of_plain_recursion(squares in small_sets()) {
        let plain = naive(&squares, &mut HashMap::new());
        prop_assert_eq!(solved(&NimberSolver::new(MEMORY), &squares), plain);
    }

    #[test]
    fn symmetry_and_translation_keep_the_nimber(squares in small_sets(), down in 0i32..4, right in 0i32..4) {
        let solver = NimberSolver::new(MEMORY);
        let plain = solved(&solver, &squares);
        let fresh = |map: &dyn Fn((i32, i32)) -> (i32, i32)| {
            let mut image: Squares = squares.iter().map(|&square| map(square)).collect();
            image.sort_unstable();
            naive(&image, &mut HashMap::new())
        };
        prop_assert_eq!(fresh(&|(row, column)| (row + down, column + right)), plain);
        prop_assert_eq!(fresh(&|(row, column)| (column, row)), plain);
        prop_assert_eq!(fresh(&|(row, column)| (5 - row, column)), plain);
        prop_assert_eq!(fresh(&|(row, column)| (row, 5 - column)), plain);
    }

    #[test]
    fn sums_add_by_exclusive_or(one in small_sets(), other in small_sets()) {
        prop_assume!(one.len() + other.len() <= 20);
        let mut both = one.clone();
        both.extend(other.iter().map(|&(row, column)| (row, column + 7)));
        let nimber = |squares: &Squares| naive(squares, &mut HashMap::new());
        prop_assert_eq!(nimber(&both), nimber(&one) ^ nimber(&other));
        prop_assert_eq!(solved(&NimberSolver::new(MEMORY), &both), nimber(&both));
    }

    #[test]
    fn collapsing_twins_keeps_the_nimber(squares in small_sets()) {
        prop_assume!(!squares.is_empty());
        let whole = region(&squares);
        let reduced = whole.without_twins();
        let nimber = |region: &Region| {
            naive(&pairs(region.width().max(1), region.squares()), &mut HashMap::new())
        };
        prop_assert_eq!(nimber(&whole), nimber(&reduced));
    }
}

#[test]
fn neighbours_are_the_squares_a_king_reaches() {
    for columns in [1, 2, 3, 5, 11, 64, 128] {
        let rows = MAX_SQUARES / columns;
        let on_board = u128::MAX >> (MAX_SQUARES - rows * columns);
        for one in 0..rows * columns {
            let found = with_neighbours(columns, 1 << one) & on_board;
            for other in 0..rows * columns {
                let [a, b] = [one, other].map(|bit| Square {
                    row: bit / columns,
                    column: bit % columns,
                });
                let near = a.row.abs_diff(b.row) <= 1 && a.column.abs_diff(b.column) <= 1;
                assert_eq!(found >> other & 1 == 1, near, "{a} and {b} of {columns} columns");
            }
        }
    }
}

#[test]
fn a_mark_takes_its_neighbours_out_of_play() {
    let board = Board::from(Grid::flat(Form::Rectangle, 3, 4).unwrap());
    let marked = board.with_marks(1 << 5).unwrap();
    let free: Vec<String> = marked.turns().map(|(square, _)| square.to_string()).collect();
    assert_eq!(free, ["r1c4", "r2c4", "r3c4"]);
    assert_eq!(marked.with_marks(1 << 5 | 1 << 10), None);
}

#[test]
fn boards_have_1_to_128_squares() {
    let rectangle = |rows, columns| Grid::flat(Form::Rectangle, rows, columns);
    for (rows, columns) in [(1, 128), (128, 1), (8, 16), (11, 11)] {
        let board = Board::from(rectangle(rows, columns).unwrap());
        assert_eq!(board.free().count_ones() as usize, rows * columns);
    }
    for (rows, columns) in [(0, 3), (3, 0), (1, 129), (12, 11), (usize::MAX, 2)] {
        assert_eq!(rectangle(rows, columns), None);
    }
}

#[test]
fn a_mark_cuts_a_row_in_two() {
    let after = |length| -> Vec<Vec<Term>> {
        let turns = Term::Row(length).turns().into_iter();
        turns.map(|turn| turn.after).collect()
    };
    let rows = |lengths: &[usize]| -> Vec<Term> { lengths.iter().copied().map(Term::Row).collect() };
    assert_eq!(after(1), [rows(&[0])]);
    assert_eq!(after(3), [rows(&[1]), rows(&[0]), rows(&[1])]);
    let five = [rows(&[3]), rows(&[2]), rows(&[1, 1]), rows(&[2]), rows(&[3])];
    assert_eq!(after(5), five);
}
