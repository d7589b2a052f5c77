//! Boards and graphs whose nimbers are published, or plain to see.

use super::shapes::{MEMORY, nimber, solved};
use phutbase::games::obstruction::graph::Graph;
use phutbase::games::obstruction::{Board, Term};
use phutbase::nimber::Nimber;
use phutbase::solve::nimbers::octal::OctalGame;
use phutbase::solve::nimbers::{NimberLimits, NimberSolver, total};

/// Dawson's chess on paths; a mark on a cycle leaves a path of three vertices fewer.
#[test]
fn paths_and_cycles_are_dawsons_chess() {
    let rows = OctalGame::DAWSONS_CHESS.nimbers(129).unwrap();
    let solver = NimberSolver::new(MEMORY);
    for (length, row) in rows.iter().enumerate().skip(1) {
        let path = (1..length).map(|vertex| (vertex - 1, vertex));
        let board = Board::on_graph(Graph::new(length, path.clone()).unwrap(), 0).unwrap();
        let of = |board: &Board| {
            let terms = [Term::Board(board.clone())];
            total(&solver.components(&terms, NimberLimits::default()).unwrap())
        };
        assert_eq!(of(&board), *row, "a path of {length}");
        if length >= 3 {
            let cycle = path.chain([(length - 1, 0)]);
            let board = Board::on_graph(Graph::new(length, cycle).unwrap(), 0).unwrap();
            let expected = u8::from(rows[length - 3] == Nimber::ZERO);
            assert_eq!(of(&board).0, expected, "a cycle of {length}");
        }
    }
}

/// Graphs whose nimbers are plain to see: a complete graph is over with one turn, lone vertices are counted, and of a complete bipartite
/// graph the side that is begun is played to its end.
#[test]
fn well_known_graphs() {
    let solver = NimberSolver::new(MEMORY);
    let of = |graph: Graph| solved(&solver, &Board::on_graph(graph, 0).unwrap()).0;
    let pairs = |vertices: usize| (0..vertices).flat_map(move |a| (a + 1..vertices).map(move |b| (a, b)));
    for vertices in 1..=128 {
        assert_eq!(
            of(Graph::new(vertices, pairs(vertices)).unwrap()),
            1,
            "{vertices}"
        );
    }
    for vertices in 1..=20 {
        assert_eq!(of(Graph::new(vertices, []).unwrap()) as usize, vertices % 2);
    }
    for (a, b) in (1..=12).flat_map(|a| (1..=12).map(move |b| (a, b))) {
        let graph = Graph::new(
            a + b,
            pairs(a + b).filter(|(one, other)| (*one < a) != (*other < a)),
        )
        .unwrap();
        // A mark leaves a − 1 or b − 1 lone vertices, worth 0 or 1 each way.
        let left = [(a - 1) % 2, (b - 1) % 2];
        let mex = (0..).find(|value| !left.contains(value)).unwrap();
        assert_eq!(usize::from(of(graph)), mex, "{a}, {b}");
    }
}

/// OEIS A316632 (3 × n), and what it says of 2 × n and 4 × n: Brown, Daugherty, Fiorini, Maldonado, Manzano-Ruiz, Rainville, Waechter and
/// Wong, *Nimber Sequences of Node-Kayles Games*, Journal of Integer Sequences 23 (2020).
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

/// OEIS A316533: generalized Petersen graphs P(n, 2), n = 5 …; A344227: queens that do not attack each other on n × n, n = 1 ….
#[test]
fn graphs_have_the_published_nimbers() {
    let solver = NimberSolver::new(MEMORY);
    let of = |graph: Graph| {
        let terms = [Term::Board(Board::on_graph(graph, 0).unwrap())];
        total(&solver.components(&terms, NimberLimits::default()).unwrap()).0
    };
    for (n, expected) in (5..).zip([1, 0, 1, 0, 1, 0, 0, 0, 1]) {
        let edges = (0..n).flat_map(|v| [(v, (v + 1) % n), (v, n + v), (n + v, n + (v + 2) % n)]);
        assert_eq!(of(Graph::new(2 * n, edges).unwrap()), expected, "P({n}, 2)");
    }
    for (n, expected) in (1usize..).zip([1, 1, 2, 1, 3, 1, 2, 3]) {
        let all = (0..n * n).flat_map(|a| (0..a).map(move |b| (a, b)));
        let edges = all.filter(|(a, b)| {
            let (rows, columns) = ((a / n).abs_diff(b / n), (a % n).abs_diff(b % n));
            rows == 0 || columns == 0 || rows == columns
        });
        assert_eq!(
            of(Graph::new(n * n, edges).unwrap()),
            expected,
            "{n} x {n} queens"
        );
    }
}
