//! Sets of boards of one length, as diagrams. Each set has a graph of its own, so that it never
//! changes; an operation copies its operands into a new one.

use crate::errors::{limit, notation, stopped};
use crate::{pool, read};
use num_bigint::BigUint;
use phutbase_base::outcome::Side;
use phutbase_machine::space::free_memory;
use phutbase_rules::Rules;
use phutbase_rules::position::{Phutball, Position};
use phutbase_rules::strip::{Halves, MAX_LENGTH, MIN_LENGTH};
use phutbase_sets::count::{contains, count};
use phutbase_sets::mirror::mirrored;
use phutbase_sets::turns::Quantifier;
use phutbase_sets::won::won;
use phutbase_sets::{Diagram, Graph, Join, Members, Pattern, Ref, Sets, TooLarge};
use phutbase_solve::turns::{StripAutomaton, TurnKind};
use pyo3::prelude::*;

/// Bytes of a node while an operation runs: in a graph, and in the cache of results.
const NODE_BYTES: u64 = 128;

/// A set of boards of one length.
#[pyclass(frozen, module = "phutbase._phutbase")]
pub struct BoardSet {
    graph: Graph,
    set: Ref,
}

#[pymethods]
impl BoardSet {
    /// Returns the boards of a length that Left wins, with a player to move.
    #[staticmethod]
    fn won(py: Python<'_>, length: usize, mover: &str) -> PyResult<BoardSet> {
        expect_length(length)?;
        let mover = mover.parse::<Side>().map_err(notation)?;
        pool::interruptible(py, |job| {
            let (graph, won_by_left) = won(length, job).map_err(stopped)?;
            BoardSet::alone(&graph, won_by_left[mover as usize]).map_err(too_large)
        })
    }

    /// Returns the boards of a length that fit a pattern.
    #[staticmethod]
    fn matching(py: Python<'_>, length: usize, pattern: &str) -> PyResult<BoardSet> {
        expect_length(length)?;
        let pattern = Pattern::parse(pattern, length).map_err(notation)?;
        built(py, length, |graph| {
            let set = pattern.set(graph)?;
            BoardSet::alone(graph, set)
        })
    }

    /// Returns the union, the intersection or the difference with another set: `or`, `and`, `minus`.
    fn join(&self, py: Python<'_>, other: &BoardSet, how: &str) -> PyResult<BoardSet> {
        self.expect_same_length(other)?;
        let how = match how {
            "or" => Join::Or,
            "and" => Join::And,
            "minus" => Join::Minus,
            _ => return Err(notation(format!("'{how}' is not one of or, and, minus"))),
        };
        built(py, self.length(), |graph| {
            let [a, b] = [self, other].map(|operand| operand.copied(graph));
            let (a, b) = (a?, b?);
            let mut sets = Sets::new(std::mem::replace(graph, Graph::new(self.length())));
            let set = sets.join(how, a, b)?;
            BoardSet::alone(sets.graph(), set)
        })
    }

    /// Returns the mirror images.
    fn mirror(&self, py: Python<'_>) -> PyResult<BoardSet> {
        built(py, self.length(), |graph| {
            let set = self.copied(graph)?;
            let image = mirrored(graph, set)?;
            BoardSet::alone(graph, image)
        })
    }

    /// Returns the boards from which every turn, or some turn, wins for Left at once or leads into
    /// the set; of all turns, or of Left's forward ones.
    fn turns_into(&self, py: Python<'_>, every: bool, forward: bool) -> PyResult<BoardSet> {
        let quantifier = if every {
            Quantifier::ForAll
        } else {
            Quantifier::Exists
        };
        built(py, self.length(), |graph| {
            let set = self.copied(graph)?;
            let sets = Sets::new(std::mem::replace(graph, Graph::new(self.length())));
            let mut turns = StripAutomaton::reading(sets, self.length() - 1, false)?;
            let kinds = if forward {
                TurnKind::on_side(true)
            } else {
                TurnKind::EVERY
            };
            let before = turns.preimage(quantifier, kinds, set)?;
            BoardSet::alone(turns.graph(), before)
        })
    }

    /// Returns whether the set has the board of a position.
    fn contains(&self, position: &str) -> PyResult<bool> {
        let Position::Phutball(Phutball::Strip(strip)) = read(position, Rules::Ordinary)? else {
            return Err(notation("sets of boards are of strips"));
        };
        let board = strip.to_strip().filter(|_| strip.length() == self.length());
        Ok(board.is_some_and(|board| contains(&self.graph, self.set, &board)))
    }

    /// Returns whether the sets are equal.
    fn equals(&self, py: Python<'_>, other: &BoardSet) -> PyResult<bool> {
        if self.length() != other.length() {
            return Ok(false);
        }
        // A set has exactly one reduced diagram.
        built(py, self.length(), |graph| {
            Ok(self.copied(graph)? == other.copied(graph)?)
        })
    }

    /// Returns the number of boards.
    fn count(&self) -> String {
        count(&self.graph, self.set).to_string()
    }

    /// Returns the boards with these indices in the order of notation, with a player to move.
    fn members(&self, py: Python<'_>, indices: Vec<String>, mover: &str) -> PyResult<Vec<String>> {
        let mover = mover.parse::<Side>().map_err(notation)?;
        pool::interruptible(py, |job| {
            let mut members = Members::new(&self.graph, self.set);
            let mut found = Vec::with_capacity(indices.len());
            for index in &indices {
                job.check().map_err(stopped)?;
                let index: BigUint =
                    (index.parse()).map_err(|_| notation(format!("index {index} is no number")))?;
                let member = members.nth(&index, mover);
                let member = member.ok_or_else(|| notation(format!("index {index} is out of range")))?;
                found.push(member.to_string());
            }
            Ok(found)
        })
    }

    /// Returns the number of squares.
    #[getter]
    fn length(&self) -> usize {
        self.graph.length()
    }
}

impl BoardSet {
    /// Copies a set into a graph without other nodes.
    pub fn alone<D: Diagram>(diagram: &D, set: D::Ref) -> Result<BoardSet, TooLarge> {
        let mut own = Graph::new(diagram.length());
        let set = own.copy(diagram, &[set])?[0];
        Ok(BoardSet { graph: own, set })
    }

    fn copied(&self, graph: &mut Graph) -> Result<Ref, TooLarge> {
        Ok(graph.copy(&self.graph, &[self.set])?[0])
    }

    fn expect_same_length(&self, other: &BoardSet) -> PyResult<()> {
        if self.length() == other.length() {
            return Ok(());
        }
        Err(notation(format!(
            "the sets have boards of {} and of {} squares",
            self.length(),
            other.length()
        )))
    }
}

/// Runs an operation in a graph that may take the free memory.
pub fn built<T: Send>(
    py: Python<'_>,
    length: usize,
    work: impl FnOnce(&mut Graph) -> Result<T, TooLarge> + Send,
) -> PyResult<T> {
    pool::interruptible(py, |_| {
        let nodes = free_memory().map_or(u64::MAX, |free| free / NODE_BYTES);
        let graph = Graph::new(length);
        let mut graph = Graph::within(length, graph.budget().with_most_nodes(nodes));
        work(&mut graph).map_err(too_large)
    })
}

pub fn too_large(error: TooLarge) -> PyErr {
    limit(format!("the set does not fit in the free memory: {error}"))
}

fn expect_length(length: usize) -> PyResult<()> {
    if (MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        return Ok(());
    }
    Err(notation(format!(
        "{length} squares: a set has boards of {MIN_LENGTH} to {MAX_LENGTH} squares"
    )))
}
