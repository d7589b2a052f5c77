//! Sets of boards by an automaton of the caller's that reads both halves of a board.

use crate::sets::{BoardSet, built};
use phutbase_sets::Diagram;
use phutbase_sets::graph::{Graph, Ref, TooLarge};
use pyo3::prelude::*;
use std::collections::HashMap;

/// The states by the number of squares read, from 0 to the most of a half. Each has the numbers of the states
/// after one more empty square and after one more stone; after the most squares, zeros.
type Steps = Vec<Vec<[u32; 2]>>;

/// A set of states, a bit each.
type States = Vec<u8>;

/// Returns the boards whose right half leads to a state of some set. `wanted` has these sets by the
/// number of squares left of the ball, from 1, and by the state of these. `Boards.by_halves` numbers
/// the states from 0 for each number of squares.
#[pyfunction]
pub fn by_halves(
    py: Python<'_>,
    length: usize,
    steps: Steps,
    wanted: Vec<Vec<States>>,
) -> PyResult<BoardSet> {
    built(py, length, |graph| {
        // From the last square of the ball to the first one, the boards behind each state.
        let mut behind = vec![Ref::BOTTOM];
        for square in (0..length - 1).rev() {
            let mut right = RightHalves {
                graph: &mut *graph,
                steps: &steps,
                known: HashMap::new(),
            };
            let balls = match square {
                0 => vec![Ref::BOTTOM],
                _ => (wanted[square - 1].iter())
                    .map(|states| right.leading_to(length - 1 - square, states))
                    .collect::<Result<Vec<Ref>, TooLarge>>()?,
            };
            let node = |(&[empty, stone], ball): (&[u32; 2], Ref)| {
                let [empty, stone] = [empty, stone].map(|state| behind[state as usize]);
                graph.ternary(square, empty, stone, ball)
            };
            behind = (steps[square].iter().zip(balls).map(node)).collect::<Result<_, _>>()?;
        }
        BoardSet::alone(graph, behind[0])
    })
}

/// The sets of right halves. A diagram reads them from the ball to the goal line, the automaton the other
/// way, so a child is the set of states from which one more square leads into the set.
struct RightHalves<'a> {
    graph: &'a mut Graph,
    steps: &'a Steps,
    known: HashMap<(usize, States), Ref>,
}

impl RightHalves<'_> {
    /// Returns the halves of some squares that lead to a state of a set.
    fn leading_to(&mut self, squares: usize, states: &States) -> Result<Ref, TooLarge> {
        let has = |states: &States, state: usize| states[state / 8] >> (state % 8) & 1 == 1;
        if squares == 0 {
            return Ok(if has(states, 0) { Ref::TOP } else { Ref::BOTTOM });
        }
        let question = (squares, states.clone());
        if let Some(&known) = self.known.get(&question) {
            return Ok(known);
        }
        let steps = &self.steps[squares - 1];
        let before = [0, 1].map(|symbol| {
            let mut before = vec![0; steps.len().div_ceil(8)];
            for (state, next) in steps.iter().enumerate() {
                before[state / 8] |= u8::from(has(states, next[symbol] as usize)) << (state % 8);
            }
            before
        });
        let [empty, stone] = before.map(|before| self.leading_to(squares - 1, &before));
        let found = self.graph.binary(self.graph.length() - squares, empty?, stone?)?;
        self.known.insert(question, found);
        Ok(found)
    }
}
