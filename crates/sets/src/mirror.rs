//! Mirror images of sets: diagrams that are read from the other end.
//!
//! At each boundary between two squares a diagram has a few *states*: its nodes there, or the
//! binary nodes that skip the square. A suffix, the contents of the squares to the right, matters
//! only by the subset of states that accept it. These subsets are the nodes of the mirror image.
//! They are found boundary by boundary from the right.

use super::Diagram;
use super::graph::{Graph, Ref, TooLarge};
use super::subsets::{GROUP, Subsets};
use hashbrown::HashMap;

/// Returns the mirror images of a set's members.
pub fn mirrored(graph: &mut Graph, set: Ref) -> Result<Ref, TooLarge> {
    // After the last square the only states are the leaves, and ⊤, with number 1, accepts.
    let (mut with_ball, mut without_ball) = (Subsets::new(1), Subsets::new(2));
    let mut top = [0; GROUP];
    top[0] = 1 << 1;
    without_ball.number(&[top]);
    let mut image = Vec::new();
    for Square { before, past } in states(graph, set).into_iter().rev() {
        graph.take_steps(with_ball.words() + without_ball.words())?;
        let mut with = Subsets::new(before[0].len());
        let mut without = Subsets::new(past[0].len());
        // The image is read from the other end: a suffix without the ball is read before the ball.
        image.push(Square {
            before: [
                without.add_predecessors(&past[0], &without_ball),
                without.add_predecessors(&past[1], &without_ball),
                with.add_predecessors(&before[2], &without_ball),
            ],
            past: [
                with.add_predecessors(&before[0], &with_ball),
                with.add_predecessors(&before[1], &with_ball),
            ],
        });
        (with_ball, without_ball) = (with, without);
    }
    let (mut before, mut past) = (vec![Ref::BOTTOM], vec![Ref::BOTTOM, Ref::TOP]);
    for (square, nodes) in image.iter().enumerate().rev() {
        let child = |refs: &[Ref], number: u32| refs[number as usize];
        let [empty, stone, ball] = &nodes.before;
        let ternary = empty
            .iter()
            .zip(stone)
            .zip(ball)
            .map(|((&empty, &stone), &ball)| {
                let (empty, stone) = (child(&before, empty), child(&before, stone));
                graph.ternary(square, empty, stone, child(&past, ball))
            });
        before = ternary.collect::<Result<_, _>>()?;
        let [empty, stone] = &nodes.past;
        let binary = (empty.iter().zip(stone))
            .map(|(&empty, &stone)| graph.binary(square, child(&past, empty), child(&past, stone)));
        past = binary.collect::<Result<_, _>>()?;
    }
    // Before the first square of the image the subsets are {} and {⊤}.
    Ok(before[1])
}

/// The states at the boundary before a square, or the nodes of the image there. Each symbol has the state or
/// node that follows, by its number; 0 is the one that rejects everything.
#[derive(Default)]
struct Square {
    /// Those with the ball to come.
    before: [Vec<u32>; 3],
    /// Those past the ball.
    past: [Vec<u32>; 2],
}

/// Different nodes, numbered in the order of discovery.
struct Numbering {
    refs: Vec<Ref>,
    numbers: HashMap<Ref, u32>,
}

impl Numbering {
    fn new() -> Numbering {
        Numbering {
            refs: vec![Ref::BOTTOM],
            numbers: HashMap::from([(Ref::BOTTOM, 0)]),
        }
    }

    fn number(&mut self, node: Ref) -> u32 {
        *self.numbers.entry(node).or_insert_with(|| {
            self.refs.push(node);
            self.refs.len() as u32 - 1
        })
    }
}

/// Returns the states at each boundary.
fn states(graph: &Graph, set: Ref) -> Vec<Square> {
    let (mut before, mut past) = (Numbering::new(), Numbering::new());
    before.number(set);
    let mut squares = Vec::new();
    for level in 0..graph.length() {
        let (mut next_before, mut next_past) = (Numbering::new(), Numbering::new());
        let mut square = Square::default();
        for &node in &before.refs {
            let (empty, stone, ball) = graph.thirds(node);
            square.before[0].push(next_before.number(empty));
            square.before[1].push(next_before.number(stone));
            square.before[2].push(next_past.number(ball));
        }
        for &node in &past.refs {
            let (empty, stone) = graph.halves(node, level);
            square.past[0].push(next_past.number(empty));
            square.past[1].push(next_past.number(stone));
        }
        squares.push(square);
        (before, past) = (next_before, next_past);
    }
    squares
}
