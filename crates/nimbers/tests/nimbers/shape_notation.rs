//! Notation of boards of all shapes and of graphs, in texts and in files.

use super::plain_nimbers::lists;
use super::plain_nimbers::with_edges;
use super::shapes::{graphs, to_graph6};
use phutbase_rules::obstruction::graph::Graph;
use phutbase_rules::obstruction::graph_file::parse;
use phutbase_testing::prelude::*;

fn edges(graph: &Graph) -> Vec<(usize, usize)> {
    let of = |(one, near): (usize, BTreeSet<usize>)| {
        let later = near.into_iter().filter(move |&other| other > one);
        later.map(move |other| (one, other))
    };
    lists(graph).into_iter().enumerate().flat_map(of).collect()
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
    let long = with_edges(100, [(0, 99), (50, 51)]);
    let text = to_graph6(&long);
    assert_eq!(parse(&text).unwrap().graph().as_ref(), &long);
    assert!(text.starts_with("~?@c"), "{text}");
}

#[test]
fn all_formats_say_the_same() {
    let path = [(0, 2), (0, 4), (1, 3), (3, 4)];
    // The example of the format description: 5 vertices with these edges.
    for text in [
        "DQc",
        ">>graph6<<DQc\n",
        "\u{feff}DQc\r\n",
        "# a remark\n\nDQc\n",
        "\u{feff}# a remark\n0-2,0-4\n1-3\n3-4\n",
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
