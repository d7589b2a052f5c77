//! How boards of all shapes and graphs are written, in texts and in files.

use super::shapes::{graphs, lists, to_graph6};
use phutbase::games::obstruction::graph::Graph;
use phutbase::games::obstruction::graph_file::parse;
use phutbase::games::obstruction::{Place, Sum};
use proptest::prelude::*;

#[test]
fn boards_are_printed_as_they_are_read() {
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
        let edges: Vec<(usize, usize)> = lists(&graph).into_iter().enumerate()
            .flat_map(|(one, near)| near.into_iter().filter(move |&other| other > one).map(move |other| (one, other)))
            .collect();
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
