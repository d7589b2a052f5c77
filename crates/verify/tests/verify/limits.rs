//! Sets whose check takes more steps or nodes than their size warrants are refused.

use phutbase_fixtures::prelude::*;
use phutbase_verify::inclusion::Halt;
use phutbase_verify::strip::{Unchecked, check, check_winners};

/// Returns the boards with the ball on square 1 and one of the given contents past it.
fn with_ball_on_1(graph: &mut Graph, past: Ref) -> Ref {
    let from_1 = graph.ternary(1, Ref::BOTTOM, Ref::BOTTOM, past).unwrap();
    graph.ternary(0, from_1, from_1, Ref::BOTTOM).unwrap()
}

/// The union of random sets of 20 nodes a square, each with another stone, has very many nodes.
#[test]
fn a_check_of_very_many_steps_is_refused() {
    let mut graph = Graph::new(64);
    let mut numbers = random_numbers(5);
    let mut nodes = vec![Ref::BOTTOM, Ref::TOP];
    for square in (2..64).rev() {
        let mut node = || nodes[(numbers.next().unwrap() >> 32) as usize % nodes.len()];
        let children: Vec<[Ref; 2]> = (0..20).map(|_| [node(), node()]).collect();
        nodes = (children.into_iter())
            .map(|[empty, stone]| graph.binary(square, empty, stone).unwrap())
            .collect();
    }
    let set = with_ball_on_1(&mut graph, nodes[0]);
    // Without a limit of steps the check takes many minutes.
    let job = Job::default().within(Duration::from_secs(300));
    assert_eq!(
        check_winners(&graph, [set, set], &job),
        Err(Unchecked::Halted(Halt::Budget))
    );
}

/// Five squares are the number of one of 20 others, which has a stone. The mirror image has a node for
/// each content of the 20 squares.
#[test]
fn a_check_of_very_many_nodes_is_refused() {
    let mut graph = Graph::new(28);
    let mut nodes: Vec<Ref> = (0..32)
        .map(|number| match number {
            0..20 => graph.binary(7 + number, Ref::BOTTOM, Ref::TOP).unwrap(),
            _ => Ref::BOTTOM,
        })
        .collect();
    for square in (2..7).rev() {
        let pairs = nodes.as_chunks::<2>().0.iter();
        nodes = pairs
            .map(|&[empty, stone]| graph.binary(square, empty, stone).unwrap())
            .collect();
    }
    let set = with_ball_on_1(&mut graph, nodes[0]);
    let table = open(bytes_of(&graph, &[set, Ref::BOTTOM], Metric::Levels), NAME).unwrap();
    let error = check(&table, &Job::default()).unwrap_err();
    assert_eq!(error.to_string(), TableError::unwieldy(table.path()).to_string());
}
