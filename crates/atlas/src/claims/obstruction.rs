//! Claims about Obstruction.

use super::super::ReportError;
use super::{ClaimRow, ClaimStatus, Subject};
use phutbase_base::job::Job;
use phutbase_base::nimber::Nimber;
use phutbase_nimbers::NimberSolver;
use phutbase_rules::obstruction::{Form, Grid, MAX_SQUARES};
use phutbase_tables::nimbers::NimberTable;
use phutbase_theory::claim::Statement;

/// Memory of the solver, in bytes.
const MEMORY: u64 = 64 << 20;
/// Stored boards of at most this many squares are solved again.
const AGAIN: usize = 42;
/// The boards of the paper; true if the first player wins.
const PUZZLES: [(usize, usize, bool); 5] = [
    (4, 4, false),
    (4, 5, false),
    (4, 6, false),
    (5, 6, true),
    (6, 6, true),
];

/// Returns the maximum numbers of rows and of columns of rectangles in a table.
pub fn largest(table: &NimberTable) -> [usize; 2] {
    (table.rectangles()).fold([0, 0], |[most_rows, most_columns], (rows, columns, _)| {
        [most_rows.max(rows), most_columns.max(columns)]
    })
}

/// Returns the command that prints the nimbers of a table and continues it, within the bounds.
pub fn command(table: &NimberTable) -> String {
    let [tallest, widest] = largest(table).map(|side| side.max(1));
    let columns = widest.min(MAX_SQUARES / tallest);
    format!("phutbase generate obstruction:{tallest}x{columns}")
}

pub fn claims(table: &NimberTable, job: &Job) -> Result<Vec<ClaimRow>, ReportError> {
    let solver = NimberSolver::new(MEMORY);
    let nimber = |rows: usize, columns: usize| match Grid::new(Form::Rectangle, &[rows, columns]) {
        Some(board) => solver.board(&board.into(), job).map(Some),
        None => Ok(None),
    };
    let mut puzzles = true;
    for (rows, columns, first_wins) in PUZZLES {
        puzzles &= nimber(rows, columns)?.is_some_and(|nimber| (nimber != Nimber::ZERO) == first_wins);
    }
    let mut again = true;
    // The nimbers of boards with a side of 4, and with an odd number of squares.
    let (mut fours, mut odds) = (Vec::new(), Vec::new());
    for (rows, columns, stored) in table.rectangles() {
        if rows * columns <= AGAIN {
            again &= nimber(rows, columns)? == Some(stored);
        }
        if rows == 4 || columns == 4 {
            fours.push(stored);
        }
        if rows * columns % 2 == 1 {
            odds.push(stored);
        }
    }
    let boards = format!("{} boards of the table", table.rectangles().count());
    let rows = solver.rows();
    let claim = |words, source, holds, range: String, command: &str| {
        let statement = Statement { words, source };
        ClaimRow::new(
            Subject::Obstruction,
            statement,
            ClaimStatus::of(holds),
            range,
            command,
        )
    };
    let make = format!("{} --time 0s", command(table));
    let mut claims = vec![
        claim(
            "A row, 1 × n, is Dawson's chess, 0.137: its nimbers have period 34 from n = 52 on.",
            "Guy & Smith 1956",
            (rows.period(), rows.preperiod()) == (34, 52),
            format!("all n: {} terms prove it", rows.terms_needed()),
            "phutbase theory dawson --max 1000",
        ),
        claim(
            "4 × 4, 4 × 5 and 4 × 6 are won by the second player, 5 × 6 and 6 × 6 by the first.",
            "A paper/pencil game",
            puzzles,
            "these five boards, solved for this page".to_string(),
            "phutbase probe obstruction:6x6",
        ),
    ];
    if !fours.is_empty() {
        claims.push(claim(
            "The second player wins 4 × n.",
            "This project; proved for all n in docs/PITCH.md",
            fours.iter().all(|&nimber| nimber == Nimber::ZERO) && again,
            format!("{boards}; those of up to {AGAIN} squares solved again for this page"),
            &make,
        ));
    }
    if !odds.is_empty() {
        claims.push(claim(
            "The first player wins where rows and columns are odd, by marking the centre and mirroring.",
            "Folklore; the solver does not use it",
            !odds.contains(&Nimber::ZERO) && again,
            boards,
            &make,
        ));
    }
    Ok(claims)
}
