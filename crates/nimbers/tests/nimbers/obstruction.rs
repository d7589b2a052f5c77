//! Nimbers of Obstruction: comparison with brute-force solvers and published values, and theorems.

use super::shapes::MEMORY;
use phutbase_base::nimber::mex;
use phutbase_nimbers::octal::OctalGame;
use phutbase_nimbers::region::Region;
use phutbase_nimbers::{NimberSolver, Part};
use phutbase_rules::obstruction::{MAX_SQUARES, Square, with_neighbours};
use phutbase_testing::prelude::*;

/// Squares as sorted (row, column) pairs.
type Squares = Vec<(i32, i32)>;

/// Computes the nimber of a set of free squares from the rules: the mex over all marks, without
/// components, symmetry or twins.
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

/// Converts bits `row · columns + column` to pairs.
fn pairs(columns: usize, set: u128) -> Squares {
    let squares = (0..128).filter(|bit| set >> bit & 1 == 1);
    squares
        .map(|bit| ((bit / columns) as i32, (bit % columns) as i32))
        .collect()
}

/// Computes the nimber of any set of squares, component by component.
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
        sum = sum
            ^ solver
                .region(&region(&component), &Job::default())
                .expect("no limits");
    }
    sum
}

/// Returns the canonical region of some squares.
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
    solver.board(&board, &Job::default()).expect("no limits")
}

fn rectangle(rows: usize, columns: usize) -> Board {
    Grid::new(Form::Rectangle, &[rows, columns]).unwrap().into()
}

#[test]
fn the_tables_nimbers_hold() {
    let solver = NimberSolver::new(MEMORY);
    let mut checked = 0;
    for line in include_str!("../../../../tests/data/obstruction.tsv").lines() {
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

#[test]
fn components_are_told_apart() {
    let solver = NimberSolver::new(MEMORY);
    let sum: Sum = "......./...x.../....... + 1x9 + x".parse().unwrap();
    let components = solver.components(&sum.terms, &Job::default()).unwrap();
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
fn a_stored_nimber_applies_to_every_image_of_the_board() {
    let solver = NimberSolver::new(MEMORY);
    // A wrong nimber shows that the stored value is used.
    solver.learn(&Term::Board(rectangle(7, 9)), Nimber(9));
    assert_eq!(nimber(&solver, "9x7"), Nimber(9));
}

/// Generates sets of squares within six rows and columns, small enough for plain recursion.
fn small_sets() -> impl Strategy<Value = Squares> {
    proptest::collection::btree_set((0i32..6, 0i32..6), 0..18).prop_map(|set| set.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn nimbers_of_random_sets_are_those_of_plain_recursion(squares in small_sets()) {
        let plain = naive(&squares, &mut HashMap::new());
        prop_assert_eq!(solved(&NimberSolver::new(MEMORY), &squares), plain);
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
    let board = Board::from(Grid::new(Form::Rectangle, &[3, 4]).unwrap());
    let marked = board.with_marks(1 << 5).unwrap();
    let free: Vec<String> = marked.turns().map(|(square, _)| square.to_string()).collect();
    assert_eq!(free, ["r1c4", "r2c4", "r3c4"]);
    assert!(marked.with_marks(1 << 5 | 1 << 10).is_err());
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
