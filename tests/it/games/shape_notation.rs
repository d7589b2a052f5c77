//! How boards of all shapes and graphs are written, in texts and in files.

use super::plain_nimbers::lists;
use super::shapes::{graphs, to_graph6};
use phutbase::games::obstruction::graph::Graph;
use phutbase::games::obstruction::graph_file::parse;
use phutbase::games::obstruction::{Board, Place, Sum, Term};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn edges(graph: &Graph) -> Vec<(usize, usize)> {
    let of = |(one, near): (usize, BTreeSet<usize>)| {
        let later = near.into_iter().filter(move |&other| other > one);
        later.map(move |other| (one, other))
    };
    lists(graph).into_iter().enumerate().flat_map(of).collect()
}

#[test]
fn sums_of_all_shapes_are_printed_as_they_are_read() {
    for (text, printed) in [
        ("torus:5x5", "torus:5x5"),
        ("regio:..x/.../x..", "regio:..x/.../x.."),
        ("moebius:./.", "moebius:2x1"),
        ("3x3x3", "3x3x3"),
        ("x../...//.../..x", "x../...//.../..x"),
        ("../..//../..//../..", "3x2x2"),
        ("1x3x3", "3x3"),
        ("1x1x5", "1x5"),
        ("graph:1-0,x2,1-2,0-1", "graph:0-1,1-2,x2"),
        ("graph:4", "graph:4"),
        ("graph:x4", "graph:x4"),
        ("hex:2x3+graph:0-1 + misere", ""),
        ("misere:torus:3x3+1", "misere:torus:3x3 + 1x1"),
    ] {
        match text.parse::<Sum>() {
            Ok(sum) => {
                assert_eq!(sum.to_string(), printed);
                assert_eq!(printed.parse::<Sum>(), Ok(sum));
            }
            Err(_) => assert_eq!(printed, "", "{text}"),
        }
    }
    let error = |text: &str| text.parse::<Sum>().unwrap_err().to_string();
    for (text, part) in [
        ("plane:3x3", "no shape 'plane'"),
        ("misere:misere:3x3", "no shape 'misere'"),
        ("torus:3x3x3", "'3x3x3' is no size"),
        ("torus:0x3", "without squares"),
        ("3x0x3", "without squares"),
        ("torus:12x11", "too many cells"),
        ("999999999999x999999999999x9999999999", "too many cells"),
        ("torus:x.../..../..../...x", "r1c1 and r4c4 touch"),
        ("moebius:x../.../..x", "r1c1 and r3c3 touch"),
        ("x../...//.x./...", "l1r1c1 and l2r1c2 touch"),
        ("x../...//.../..x//...", "layer 3 is not as large"),
        ("regio:../...", "row 2 has 3 squares"),
        ("regio:..o", "'o' at r1c3"),
        ("graph:", "without vertices"),
        ("graph:0-1,", "'' is no edge"),
        ("graph:0-1-2", "'0-1-2' is no edge"),
        ("graph:3-3", "vertex 3 to itself"),
        ("graph:0-128", "vertex 128"),
        ("graph:99999999999999999999999", "128 vertices are possible"),
        ("graph:0-1,x0,x1", "the marks on 0 and 1 touch"),
        ("graph:/etc/passwd", "files are read only"),
    ] {
        assert!(error(text).contains(part), "{text}: {}", error(text));
    }
    assert_eq!(Place::Vertex(7).to_string(), "7");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn files_hold_what_was_written(graph in graphs()) {
        let vertices = graph.vertices();
        let edges = edges(&graph);
        let list: String = edges.iter().map(|(one, other)| format!("{one} {other}\n")).collect();
        let dimacs: String = edges.iter().map(|(one, other)| format!("e {} {}\n", one + 1, other + 1)).collect();
        let dimacs = format!("c a graph\np edge {vertices} {}\n{dimacs}", edges.len());
        for text in [to_graph6(&graph), dimacs, format!("{}\n{list}", vertices - 1)] {
            let read = parse(&text).unwrap();
            prop_assert_eq!(read.graph().as_ref(), &graph);
        }
    }

    #[test]
    fn no_file_makes_the_reader_panic(text in "[ -~\n]{0,60}", seed in "(p edge 5 4\ne 1 2\n|0-1,1-2\n|DQc|~\\?A|>>graph6<<|x1\n)") {
        for text in [text.clone(), format!("{seed}{text}"), format!("{text}{seed}")] {
            let _ = parse(&text);
        }
    }
}

#[test]
fn graph6_is_written_as_it_is_read() {
    for text in [
        "DQc",
        "@",
        "A_",
        "A?",
        "?~~~".strip_prefix('?').map_or("", |_| "B?"),
        "Cr",
    ] {
        assert_eq!(to_graph6(parse(text).unwrap().graph()), text);
    }
    let long = Graph::new(100, [(0, 99), (50, 51)]).unwrap();
    let text = to_graph6(&long);
    assert_eq!(parse(&text).unwrap().graph().as_ref(), &long);
    assert!(text.starts_with("~?@c"), "{text}");
}

#[test]
fn boards_are_printed_as_they_are_read() {
    for text in ["6x6", "1x128", "..x/.../x..", "x", "./.", "x.x.x"] {
        let board: Board = text.parse().unwrap();
        let again: Board = board.to_string().parse().unwrap();
        assert_eq!(again, board, "{text}");
    }
    assert_eq!("./.".parse::<Board>().unwrap().to_string(), "2x1");
    assert_eq!("X·/··".parse::<Board>(), "x./..".parse::<Board>());
    assert_eq!("6×6".parse::<Board>(), "6x6".parse::<Board>());
}

#[test]
fn illegal_boards_say_what_is_wrong_and_where() {
    let foreign = ["6x", "x6", "6", "-1x3", "6 x 6", "3x3x3x3"].map(|text| (text, "is not a square"));
    let empty = ["", "0x3", "3x0", "/"].map(|text| (text, "a board without squares"));
    for (text, reason) in [
        (".../.o.", "'o' at r2c2 is not"),
        (".../../...", "row 2 has 2 squares and row 1 has 3"),
        ("x../.x.", "the marks at r1c1 and r2c2 touch"),
        ("12x11", "12 rows of 11 squares are too many"),
        ("99999999999999999999999x2", "too many"),
        (&".".repeat(129), "1 rows of 129 squares are too many"),
    ]
    .into_iter()
    .chain(foreign)
    .chain(empty)
    {
        let error = text.parse::<Board>().unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn sums_of_the_paper_are_read() {
    let sum: Sum = "1x2 + 1x7".parse().unwrap();
    assert_eq!(sum.terms, [Term::Row(2), Term::Row(7)]);
    let sum: Sum = "1+2+0".parse().unwrap();
    assert_eq!(sum.terms, [Term::Row(1), Term::Row(2), Term::Row(0)]);
    assert_eq!(
        "3x3 + x../...".parse::<Sum>().unwrap().to_string(),
        "3x3 + x../..."
    );
    assert_eq!(
        "...+1x0".parse::<Sum>().unwrap().terms,
        [Term::Row(3), Term::Row(0)]
    );
    assert_eq!("1000000".parse::<Sum>().unwrap().terms, [Term::Row(1_000_000)]);
}

#[test]
fn illegal_sums_name_the_term() {
    for (text, reason) in [
        ("1+", "term 2 is empty"),
        ("", "term 1 is empty"),
        ("3 + 1x1000001", "term 2: a row of 1000001 squares"),
        ("2x2 + xx + 1", "term 2, 'xx':"),
    ] {
        let error = text.parse::<Sum>().unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn all_formats_say_the_same() {
    let path = [(0, 2), (0, 4), (1, 3), (3, 4)];
    // The example of the format's description: 5 vertices, these edges.
    for text in [
        "DQc",
        ">>graph6<<DQc\n",
        "c a remark\np edge 5 4\ne 1 3\ne 1 5\ne 2 4\ne 4 5\n",
        "p col 5 8\ne 3 1\n\ne 5 1\ne 4 2\ne 5 4\n",
        "0-2,0-4\n1-3 # a remark\n3-4\n",
        "# edges\n0 2\n0 4\n1\t3\n3 4\n4\n",
        "0-2 0-4 1-3 3-4",
    ] {
        let marked = parse(text).unwrap();
        assert_eq!(
            (marked.graph().vertices(), edges(marked.graph())),
            (5, path.to_vec()),
            "{text:?}"
        );
    }
}

#[test]
fn what_is_no_graph_is_refused_with_its_line() {
    for (text, reason) in [
        (" \n# nothing\n", "a graph without vertices"),
        ("0-1\n1-y\n", "line 2: '1-y' is no edge"),
        ("0-1\n5-5\n", "line 2: an edge from vertex 5 to itself"),
        ("0 128", "line 1: vertex 128"),
        ("0-1,x0,x1", "the marks on 0 and 1 touch"),
        ("p edge 3 1\ne 1 4\n", "line 2: DIMACS"),
        ("p edge 3 1\ne 0 1\n", "line 2: DIMACS"),
        ("c only\n", "line 1: DIMACS"),
        ("p edge 3 1\np edge 3 1\n", "line 2: DIMACS"),
        ("p edge 999999999999999999999 1\n", "graphs of up to 128 vertices"),
        ("p edge 0 0\n", "a graph without vertices"),
        (
            "DQ",
            "graph6: 2 characters after the number of vertices are needed, and there are 1",
        ),
        (
            "DQcc",
            "graph6: 2 characters after the number of vertices are needed, and there are 3",
        ),
        ("DQd", "graph6: the last character"),
        ("DQc\nDQc\n", "2 graphs, one a line"),
        (":Cdv", "sparse6 is not read"),
        ("&C", "digraph6 is not read"),
        ("?", "a graph without vertices"),
        ("~~?????", "graphs of up to 128 vertices"),
        ("~?A@", "vertex 128:"),
        ("~", "graph6: 1 characters"),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text:?}: {error}");
    }
}
