//! Obstruction on boards of all shapes and on graphs, under normal and misère play, compared with a
//! brute-force solver.

use super::plain_nimbers::with_edges;
use super::plain_nimbers::{Lists, graph, grids, lists, neighbours, plain_of, sides};
use phutbase_nimbers::misere::MisereError;
use phutbase_nimbers::misere_rows::MisereRows;
use phutbase_nimbers::{NimberSolver, total};
use phutbase_rules::obstruction::graph::Graph;
use phutbase_rules::obstruction::graph_file::parse;
use phutbase_testing::prelude::*;

pub(super) const MEMORY: u64 = 1 << 28;
pub(super) fn solved(solver: &NimberSolver, board: &Board) -> (u8, bool) {
    let terms = [Term::Board(board.clone())];
    let nimber = total(&solver.components(&terms, &Job::default()).unwrap());
    (nimber.0, solver.misere(&terms, &Job::default()).unwrap())
}

pub(super) fn nimber(solver: &NimberSolver, text: &str) -> u8 {
    let sum: Sum = text.parse().expect("a sum");
    total(&solver.components(&sum.terms, &Job::default()).unwrap()).0
}

#[test]
fn cells_have_the_neighbours_that_the_rules_give_them() {
    for grid in grids(30) {
        assert_eq!(
            lists(&grid.graph()),
            neighbours(grid.form(), sides(grid)),
            "{grid}"
        );
    }
}

#[test]
fn symmetries_keep_neighbours_neighbours_and_all_are_found() {
    let count = |text: &str| {
        let (form, sides) = Grid::size(text).unwrap();
        let grid = Grid::new(form, &sides).unwrap();
        let graph = grid.graph();
        let symmetries = grid.symmetries(&graph);
        for images in &symmetries {
            for (one, near) in lists(&graph).iter().enumerate() {
                let image: BTreeSet<usize> = near.iter().map(|&other| images[other].into()).collect();
                assert_eq!(lists(&graph)[usize::from(images[one])], image, "{text}");
            }
        }
        symmetries.len() + 1
    };
    assert_eq!((count("regio:3x5"), count("regio:5x5")), (4, 8));
    assert_eq!((count("torus:5x7"), count("torus:5x5")), (4 * 35, 8 * 25));
    assert_eq!(
        (count("cylinder:3x7"), count("moebius:4x7"), count("moebius:3x6")),
        (4 * 7, 4 * 7, 4 * 6)
    );
    assert_eq!((count("hex:3x5"), count("hex:5x5")), (2, 4));
    assert_eq!((count("3x3x3"), count("3x3x4"), count("2x3x4")), (48, 16, 8));
}

#[test]
fn every_board_of_up_to_16_cells_is_worth_what_plain_recursion_says() {
    let solver = NimberSolver::new(MEMORY);
    let mut boards = 0;
    for grid in grids(16) {
        let expected = plain_of(&neighbours(grid.form(), sides(grid)));
        assert_eq!(solved(&solver, &grid.into()), expected, "{grid}");
        // Rectangles have a separate engine.
        let terms = [Term::from(grid)];
        let nimber = total(&solver.components(&terms, &Job::default()).unwrap());
        assert_eq!(nimber.0, expected.0, "{grid}");
        assert_eq!(solver.misere(&terms, &Job::default()), Ok(expected.1), "{grid}");
        boards += 1;
    }
    assert!(boards > 300, "{boards} boards");
}

/// Encodes a graph in graph6.
pub(super) fn to_graph6(graph: &Graph) -> String {
    let vertices = graph.vertices();
    let mut digits = match vertices {
        0..=62 => vec![vertices as u8],
        _ => vec![63, 0, (vertices >> 6) as u8, (vertices & 63) as u8],
    };
    let pairs = (1..vertices).flat_map(|other| (0..other).map(move |one| graph.near(one) >> other & 1 == 1));
    for (place, joined) in pairs.enumerate() {
        if place % 6 == 0 {
            digits.push(0);
        }
        if let Some(last) = digits.last_mut() {
            *last |= u8::from(joined) << (5 - place % 6);
        }
    }
    digits.into_iter().map(|digit| char::from(digit + 63)).collect()
}

#[test]
fn every_labelled_graph_of_up_to_6_vertices_is_worth_what_plain_recursion_says() {
    let solver = NimberSolver::new(MEMORY);
    for vertices in 1..=6 {
        for pairs in 0..1 << (vertices * (vertices - 1) / 2) {
            let graph = graph(vertices, pairs);
            let expected = plain_of(&lists(&graph));
            let text = to_graph6(&graph);
            let board = parse(&text).unwrap();
            assert_eq!(board.graph().as_ref(), &graph, "{text}");
            assert_eq!(solved(&solver, &board), expected, "{text}");
        }
    }
}

/// The engines for rectangles and for graphs share only the order of questions.
#[test]
fn both_engines_agree_on_rectangles() {
    let solver = NimberSolver::new(MEMORY);
    for (rows, columns) in [(5, 5), (5, 7), (6, 6), (3, 13), (4, 9), (7, 7)] {
        let grid = Grid::new(Form::Rectangle, &[rows, columns]).unwrap();
        let graph = Board::on_graph(grid.graph(), 0).unwrap();
        let of = |terms: &[Term]| total(&solver.components(terms, &Job::default()).unwrap());
        assert_eq!(of(&[Term::Board(graph)]), of(&[grid.into()]), "{grid}");
    }
}

/// Lemma: a graph has nimber 0 if some symmetry of order two moves every vertex to another that is
/// not a neighbour. Theorem C: so has the strong product of anything with a graph in which every
/// vertex has a non-adjacent partner such that both together touch all vertices.
/// docs/PITCH.md has the proofs; this compares them with computed values.
#[test]
fn boards_that_a_strategy_decides_are_decided_so() {
    let solver = NimberSolver::new(MEMORY);
    let wins = |grid: Grid| nimber(&solver, &grid.to_string()) != 0;
    let mut decided = 0;
    for grid in grids(36).filter(|grid| !matches!(grid.form(), Form::Rectangle)) {
        let [_, rows, columns] = grid.sides();
        let even = |side: usize| side.is_multiple_of(2);
        let odd = |side: usize| !even(side);
        let lost = match grid.form() {
            Form::Regio => even(rows) && even(columns),
            Form::Torus => [rows, columns]
                .iter()
                .any(|&side| side == 5 || side > 2 && even(side)),
            Form::Cylinder => rows == 4 || columns == 5 || columns > 2 && even(columns),
            Form::Moebius => rows == 4 && columns > 1,
            Form::Box => grid.sides().contains(&4),
            Form::Hex | Form::Rectangle => false,
        };
        let won = match grid.form() {
            Form::Regio | Form::Hex => odd(rows) && odd(columns),
            Form::Box => grid.sides().into_iter().all(odd),
            _ => false,
        };
        assert!(!(lost && won), "{grid}");
        if lost || won {
            assert_eq!(wins(grid), won, "{grid}");
            decided += 1;
        }
        // All cells of a torus are equivalent, so one turn determines the value.
        if grid.form() == Form::Torus {
            assert!(nimber(&solver, &grid.to_string()) <= 1, "{grid}");
        }
    }
    assert!(decided > 300, "{decided} boards");
}

#[test]
fn winning_turns_are_those_to_nimber_0() {
    let solver = NimberSolver::new(MEMORY);
    for text in [
        "3x4 + 1x5",
        "x..../...../.....",
        "2x2 + ..x/.../...",
        "5x5 + 4",
        "3x5 + 3x5",
        "torus:3x7",
        "regio:3x4 + 1x5",
        "hex:x..../...../.....",
        "3x3x3 + graph:0-1,1-2,2-3,1-4",
        "moebius:3x5",
    ] {
        let sum: Sum = text.parse().unwrap();
        let turns = solver.winning_turns(&sum, &Job::default()).unwrap();
        let all = solver.turns(&sum, &Job::default()).unwrap();
        let expected: Vec<_> = all
            .iter()
            .filter(|turn| total(&turn.components) == Nimber::ZERO)
            .collect();
        assert_eq!(turns.iter().collect::<Vec<_>>(), expected, "{text}");
        assert_eq!(turns.is_empty(), nimber(&solver, text) == 0, "{text}");
        for turn in all {
            assert_eq!(
                nimber(&solver, &turn.after.to_string()),
                total(&turn.components).0,
                "{text}"
            );
        }
    }
}

#[test]
fn misere_turns_win_where_the_other_player_loses() {
    let solver = NimberSolver::new(MEMORY);
    for text in [
        "misere:3x4",
        "misere:1+2+3",
        "misere:torus:3x5 + 1x4",
        "misere:graph:0-1,1-2,2-3,3-0 + 2x2",
        "misere:0",
    ] {
        let sum: Sum = text.parse().unwrap();
        assert!(sum.misere && sum.to_string().starts_with("misere:"), "{text}");
        let turns = solver.misere_turns(&sum, &Job::default()).unwrap();
        let wins = solver.misere(&sum.terms, &Job::default()).unwrap();
        assert_eq!(
            turns.iter().any(|turn| turn.wins),
            wins && !turns.is_empty(),
            "{text}"
        );
        assert_eq!(turns.len(), solver.turns(&sum, &Job::default()).unwrap().len());
        for turn in turns {
            assert_eq!(
                solver.misere(&turn.after.terms, &Job::default()),
                Ok(!turn.wins),
                "{text}"
            );
        }
    }
    let sum: Sum = "misere:11x11 + 3x3".parse().unwrap();
    let refused = solver.misere(&sum.terms, &Job::default());
    assert_eq!(refused, Err(MisereError::TooLarge(130)));
}

#[test]
fn misere_rows_in_little_memory_are_the_same() {
    let (mut ample, mut little) = (MisereRows::new(u64::MAX), MisereRows::new(60 * 128));
    for length in 1..=30u8 {
        let wins = |rows: &mut MisereRows| rows.wins(&[length], &Job::default());
        assert_eq!(wins(&mut little), wins(&mut ample), "{length}");
        assert!(little.positions() <= 60, "{length}");
    }
    assert!(ample.positions() > 60);
}

/// Misère play on rows has a separate search, compared here with plain recursion over sets of
/// squares.
#[test]
fn misere_rows_are_those_of_plain_recursion() {
    let mut rows = MisereRows::new(u64::MAX);
    for length in 1..=24u8 {
        let path: Lists = (0..length as usize)
            .map(|square| {
                let near = [square.checked_sub(1), Some(square + 1)].into_iter().flatten();
                near.filter(|&other| other < length as usize).collect()
            })
            .collect();
        assert_eq!(
            rows.wins(&[length], &Job::default()),
            Ok(plain_of(&path).1),
            "{length}"
        );
    }
    let solver = NimberSolver::new(MEMORY);
    for length in 25..=34 {
        let board = Board::from(Grid::new(Form::Rectangle, &[1, length]).unwrap());
        let wins = solver.misere(&[Term::Board(board)], &Job::default());
        assert_eq!(
            wins.ok(),
            rows.wins(&[length as u8], &Job::default()).ok(),
            "{length}"
        );
    }
}

#[test]
fn answers_do_not_depend_on_memory_or_threads() {
    let boards = [
        "5x7",
        "6x6",
        "4x9",
        "6x7",
        "regio:5x6",
        "hex:5x6",
        "torus:7x7",
        "graph:0-1,1-2,2-3,3-4,4-5,5-6,6-0,0-7,1-8,2-9,3-10,7-9,8-10",
    ];
    let find = |memory: u64, threads: usize| -> (Vec<u8>, u64) {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let solver = NimberSolver::new(memory);
        let nimbers = pool.install(|| boards.iter().map(|board| nimber(&solver, board)).collect());
        assert!(solver.memo().bytes() <= memory);
        (nimbers, solver.memo().forgotten())
    };
    let (expected, forgotten) = find(MEMORY, 1);
    assert_eq!(forgotten, 0);
    assert_eq!(find(MEMORY, 4).0, expected);
    let (tight, forgotten) = find(40_000, 1);
    assert!(forgotten > 0, "the bound was met");
    assert_eq!(tight, expected);
}

#[test]
fn a_search_stops_at_its_limits() {
    let solver = NimberSolver::new(MEMORY);
    let boards = [Form::Rectangle, Form::Regio].map(|form| Grid::new(form, &[9, 14]).unwrap().into());
    let (stopped, late) = (&Job::default(), &Job::default().within(Duration::ZERO));
    stopped.stop();
    for board in boards.map(|board: Board| [Term::Board(board)]) {
        assert_eq!(solver.components(&board, stopped), Err(Stopped::Interrupted));
        assert_eq!(solver.misere(&board, stopped), Err(Stopped::Interrupted.into()));
        assert_eq!(solver.components(&board, late), Err(Stopped::OutOfTime));
    }
    assert_eq!(
        MisereRows::new(u64::MAX).wins(&[90], late),
        Err(Stopped::OutOfTime)
    );
}

#[test]
fn a_stored_nimber_applies_to_its_own_shape_alone() {
    let solver = NimberSolver::new(MEMORY);
    let grid = |text: &str| {
        let (form, sides) = Grid::size(text).unwrap();
        Grid::new(form, &sides).unwrap()
    };
    // A wrong nimber shows that the stored value is used.
    solver.learn(&grid("regio:5x5").into(), Nimber(9));
    assert_eq!(nimber(&solver, "regio:5x5"), 9);
    assert_eq!((nimber(&solver, "5x5"), nimber(&solver, "torus:5x5")), (4, 0));
}

/// Generates graphs of up to 14 vertices.
pub fn graphs() -> impl Strategy<Value = Graph> {
    let sizes = 2usize..15;
    sizes.prop_flat_map(|vertices| {
        let edges = proptest::collection::vec((0..vertices, 0..vertices), 0..3 * vertices);
        edges.prop_map(move |edges| with_edges(vertices, edges.into_iter().filter(|(a, b)| a != b)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_graphs_are_worth_what_plain_recursion_says(graph in graphs()) {
        let expected = plain_of(&lists(&graph));
        let board = Board::on_graph(graph, 0).unwrap();
        prop_assert_eq!(solved(&NimberSolver::new(MEMORY), &board), expected);
    }

    #[test]
    fn numbers_of_vertices_do_not_matter(graph in graphs(), seed in any::<u64>()) {
        let count = graph.vertices();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&vertex| seed.wrapping_mul(vertex as u64 * 2 + 1).rotate_left(vertex as u32));
        let edges = lists(&graph).into_iter().enumerate().flat_map(|(one, near)| near.into_iter().map(move |other| (one, other)));
        let image = with_edges(count, edges.map(|(one, other)| (order[one], order[other])));
        let solver = NimberSolver::new(MEMORY);
        let of = |graph: Graph| solved(&solver, &Board::on_graph(graph, 0).unwrap());
        prop_assert_eq!(of(image), of(graph));
    }
}
