//! Boards and graphs with published or obvious nimbers.

use super::plain_nimbers::with_edges;
use super::shapes::{MEMORY, nimber};
use phutbase_nimbers::octal::OctalGame;
use phutbase_nimbers::{NimberSolver, total};
use phutbase_rules::obstruction::graph::Graph;
use phutbase_testing::prelude::*;

/// Dawson's chess on paths; a mark on a cycle leaves a path of three vertices fewer.
#[test]
fn paths_and_cycles_are_dawsons_chess() {
    let rows = OctalGame::DAWSONS_CHESS.nimbers(129).unwrap();
    let solver = NimberSolver::new(MEMORY);
    for (length, row) in rows.iter().enumerate().skip(1) {
        let path = (1..length).map(|vertex| (vertex - 1, vertex));
        let board = Board::on_graph(with_edges(length, path.clone()), 0).unwrap();
        let of = |board: &Board| {
            let terms = [Term::Board(board.clone())];
            total(&solver.components(&terms, &Job::default()).unwrap())
        };
        assert_eq!(of(&board), *row, "a path of {length}");
        if length >= 3 {
            let cycle = path.chain([(length - 1, 0)]);
            let board = Board::on_graph(with_edges(length, cycle), 0).unwrap();
            let expected = u8::from(rows[length - 3] == Nimber::ZERO);
            assert_eq!(of(&board).0, expected, "a cycle of {length}");
        }
    }
}

/// OEIS A316632 (3 × n) and its remarks about 2 × n and 4 × n: Brown, Daugherty, Fiorini,
/// Maldonado, Manzano-Ruiz, Rainville, Waechter and Wong, *Nimber Sequences of Node-Kayles Games*,
/// Journal of Integer Sequences 23 (2020).
#[test]
fn regio_has_the_published_nimbers() {
    let solver = NimberSolver::new(MEMORY);
    let three = [2, 1, 1, 0, 3, 3, 2, 2, 2, 3, 3, 5, 2, 4, 1, 3];
    for (columns, expected) in (1..).zip(three) {
        assert_eq!(
            nimber(&solver, &format!("regio:3x{columns}")),
            expected,
            "3x{columns}"
        );
        let ladder = u8::from(columns % 2 == 1);
        assert_eq!(
            nimber(&solver, &format!("regio:{columns}x2")),
            ladder,
            "2x{columns}"
        );
        assert_eq!(
            nimber(&solver, &format!("regio:4x{}", columns.min(9))),
            0,
            "4x{columns}"
        );
    }
}

/// OEIS A316533: generalized Petersen graphs P(n, 2), n = 5 …; A344227: non-attacking queens on n ×
/// n, n = 1 ….
#[test]
fn graphs_have_the_published_nimbers() {
    let solver = NimberSolver::new(MEMORY);
    let of = |graph: Graph| {
        let terms = [Term::Board(Board::on_graph(graph, 0).unwrap())];
        total(&solver.components(&terms, &Job::default()).unwrap()).0
    };
    for (n, expected) in (5..).zip([1, 0, 1, 0, 1, 0, 0, 0, 1]) {
        let edges = (0..n).flat_map(|v| [(v, (v + 1) % n), (v, n + v), (n + v, n + (v + 2) % n)]);
        assert_eq!(of(with_edges(2 * n, edges)), expected, "P({n}, 2)");
    }
    for (n, expected) in (1usize..).zip([1, 1, 2, 1, 3, 1, 2, 3]) {
        let all = (0..n * n).flat_map(|a| (0..a).map(move |b| (a, b)));
        let edges = all.filter(|(a, b)| {
            let (rows, columns) = ((a / n).abs_diff(b / n), (a % n).abs_diff(b % n));
            rows == 0 || columns == 0 || rows == columns
        });
        assert_eq!(of(with_edges(n * n, edges)), expected, "{n} x {n} queens");
    }
}
