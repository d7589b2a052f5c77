//! Sets of the boards of a length as two diagrams: read from the left and from the right.
//!
//! Before the ball most nodes of a diagram are different, past it many are shared. So turns from
//! boards with the ball in the left half are computed on the left reading, those from all others on
//! the right one, by two threads. Then each reading gets the mirror image of what the other found.

use super::SolveError;
use super::turns::{StripAutomaton, TurnKind};
use phutbase_base::job::Job;
use phutbase_sets::mirror::mirrored;
use phutbase_sets::turns::Quantifier;
use phutbase_sets::{Diagram, Graph, Join, Ref, Sets, TooLarge};

/// A set in both readings, by [`Reading`].
pub type Both = [Ref; 2];

/// The set without boards.
pub const NOTHING: Both = [Ref::BOTTOM; 2];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    FromLeft,
    FromRight,
}

/// Kinds of turns, by [`Reading`].
pub type Kinds = [&'static [TurnKind]; 2];

/// Every turn.
pub const EVERY: Kinds = [TurnKind::EVERY; 2];

/// Returns the kinds of Left's turns that change squares on the side of his goal only; if not
/// `forward`, those on the other side.
pub fn of_left(forward: bool) -> Kinds {
    [forward, !forward].map(TurnKind::on_side)
}

/// Steps of an operation between two looks at the job and at the memory.
const STEPS: u64 = 1 << 18;

/// The diagrams of a length.
pub struct Readings {
    length: usize,
    turns: [StripAutomaton; 2],
    /// Memory limit in bytes.
    limit: u64,
}

impl Readings {
    /// Returns empty diagrams.
    pub fn new(length: usize, limit: u64) -> Readings {
        let turns = [Reading::FromLeft, Reading::FromRight].map(|reading| {
            let mirrored = reading == Reading::FromRight;
            // The middle square of an odd strip belongs to the left half.
            let last_ball = (length - 1 - usize::from(mirrored)) / 2;
            StripAutomaton::reading(Sets::new(Graph::new(length)), last_ball, mirrored)
                .expect("a set of boards by their ball has few nodes")
        });
        Readings { length, turns, limit }
    }

    /// Returns the nodes of the left reading.
    pub fn graph(&self) -> &Graph {
        self.turns[0].graph()
    }

    /// Returns the number of nodes of both readings.
    pub fn nodes(&self) -> u64 {
        self.turns.iter().map(|turns| turns.graph().nodes() as u64).sum()
    }

    /// Returns the boards from which some, or every, turn of some kinds wins for Left or leads into a
    /// set, together with `known` ones. For every turn, `known` must follow from the set.
    pub fn preimage(
        &mut self,
        quantifier: Quantifier,
        kinds: Kinds,
        known: Both,
        set: Both,
        job: &Job,
    ) -> Result<Both, SolveError> {
        self.compute(job, |turns, reading| {
            let (known, set) = (known[reading as usize], set[reading as usize]);
            let (how, start) = match quantifier {
                Quantifier::Exists => (Join::Or, turns.within(known)?),
                Quantifier::ForAll => (Join::And, turns.boards()),
            };
            let mut kinds = kinds[reading as usize].iter();
            kinds.try_fold(start, |boards, &kind| turns.join(how, boards, kind, set))
        })
    }

    /// Returns the boards in both sets.
    pub fn intersection(&mut self, a: Both, b: Both, job: &Job) -> Result<Both, SolveError> {
        self.compute(job, |turns, reading| {
            let a = turns.within(a[reading as usize])?;
            turns.sets().join(Join::And, a, b[reading as usize])
        })
    }

    /// Reads a set of diagrams of this length.
    pub fn read<D: Diagram>(&mut self, diagram: &D, sets: &[D::Ref]) -> Result<Vec<Both>, SolveError> {
        let [left, right] = self.turns.each_mut().map(|turns| {
            turns.sets().graph_mut().allow_steps(u64::MAX);
            turns.sets().graph_mut()
        });
        let mut read = || {
            let (from_left, copies) = (left.copy(diagram, sets)?, right.copy(diagram, sets)?);
            let images = copies.into_iter().map(|copy| mirrored(right, copy));
            let images = images.collect::<Result<Vec<_>, _>>()?;
            Ok(from_left.into_iter().zip(images).map(<Both>::from).collect())
        };
        let read = read();
        read.map_err(|TooLarge| self.full())
    }

    /// Computes a set: `half` returns the boards with the ball in the half of a reading, and is asked
    /// again after each look at the job, with the results until then.
    fn compute(
        &mut self,
        job: &Job,
        half: impl Fn(&mut StripAutomaton, Reading) -> Result<Ref, TooLarge> + Sync,
    ) -> Result<Both, SolveError> {
        let limit = self.limit;
        let of = |turns: &mut StripAutomaton, reading| {
            loop {
                turns.sets().graph_mut().allow_steps(STEPS);
                let found = half(turns, reading);
                job.check()?;
                let is_used_up = turns.graph().budget().steps() == 0;
                match found {
                    // Each reading has half of the memory, and doubles what it has when it grows.
                    _ if turns.bytes() as u64 > limit / 4 => return Ok(None),
                    Ok(set) => return Ok(Some(set)),
                    Err(TooLarge) if is_used_up => {}
                    Err(TooLarge) => return Ok(None),
                }
            }
        };
        let [left, right] = &mut self.turns;
        let (left, right): (Result<_, SolveError>, Result<_, SolveError>) =
            rayon::join(|| of(left, Reading::FromLeft), || of(right, Reading::FromRight));
        match (left?, right?) {
            (Some(left), Some(right)) => self.joined([left, right]).map_err(|TooLarge| self.full()),
            _ => Err(self.full()),
        }
    }

    /// Joins the boards with the ball in either half, each in its own reading.
    fn joined(&mut self, halves: Both) -> Result<Both, TooLarge> {
        let [left, right] = self.turns.each_mut().map(|turns| {
            turns.sets().graph_mut().allow_steps(u64::MAX);
            turns.sets()
        });
        let of_left = right.graph_mut().copy(left.graph(), &halves[..1])?[0];
        let of_right = left.graph_mut().copy(right.graph(), &halves[1..])?[0];
        let join = |sets: &mut Sets, own: Ref, other: Ref| {
            let image = mirrored(sets.graph_mut(), other)?;
            sets.join(Join::Or, own, image)
        };
        let (left, right) = rayon::join(
            || join(left, halves[0], of_right),
            || join(right, halves[1], of_left),
        );
        Ok([left?, right?])
    }

    /// Returns the error that there is no room for more nodes.
    fn full(&self) -> SolveError {
        SolveError::Memory {
            length: self.length,
            bytes: self.turns.iter().map(|turns| turns.bytes() as u64).sum(),
            limit: self.limit,
        }
    }
}
