//! The backward turns that wins need, level by level on whole sets.
//!
//! A turn of Left is *forward* if it changes only squares to the right of the ball. Level k holds the
//! boards that Left wins with at most k other turns:
//!
//! ```text
//!     A(k) = Left to move:  a forward turn wins or leads into R(k), or any turn leads into R(k − 1)      R(−1) = ∅
//!     R(k) = Right to move: every turn leads into A(k) or wins for Left
//! ```
//!
//! Play with at most k turns of Left that are not forward ends (docs/PROOF.md), so these equations
//! have *one* solution, whatever set the iteration starts from, and it may start from a guess:
//!
//! * level 0 from the boards that Left wins in the directional game too, which are few boards too many;
//! * every other level from all boards that Left wins.
//!
//! A level is complete when nothing changes; so the levels are a proof of what they state.

use super::checkpoint::{Saved, Solver};
use super::readings::{Both, EVERY, NOTHING, Readings, of_left};
use super::{CheckpointError, SolveError, check_length};
use phutbase_base::job::Job;
use phutbase_files::FileError;
use phutbase_sets::turns::Quantifier;
use phutbase_sets::won::{won, won_by};
use phutbase_sets::{Graph, Ref};
use phutbase_solution::directional::automaton::PotentialState;
use std::path::Path;

/// The state of the work on one length.
pub struct Levels {
    readings: Readings,
    /// The boards that Left wins, with Left to move.
    won: Both,
    /// A(k) and R(k) of each complete level.
    levels: Vec<[Both; 2]>,
    /// The boards from which a turn leads into R of the last complete level, or in its A.
    below: Both,
    /// A of the next level as far as it is known.
    current: Both,
    /// The rounds of that level.
    rounds: usize,
}

impl Levels {
    /// Prepares a length, with a memory limit in bytes.
    pub fn new(length: usize, limit: u64, job: &Job) -> Result<Levels, SolveError> {
        check_length(length)?;
        let mut readings = Readings::new(length, limit);
        let (graph, [won, _]) = won(length, job)?;
        let won = readings.read(&graph, &[won])?[0];
        // The loser of the directional game cannot win the ordinary one with forward turns alone
        // (docs/PROOF.md, Theorem 5).
        let (graph, [by_potential, _]) = won_by::<PotentialState>(length, job)?;
        let by_potential = readings.read(&graph, &[by_potential])?[0];
        Ok(Levels {
            current: readings.intersection(won, by_potential, job)?,
            readings,
            won,
            levels: Vec::new(),
            below: NOTHING,
            rounds: 0,
        })
    }

    /// Works until all levels are complete.
    pub fn run(&mut self, job: &Job) -> Result<(), SolveError> {
        while self.step(job)? {}
        Ok(())
    }

    /// Takes the next round of a level. Returns true if there are more. If it fails, the work can go on
    /// from the rounds before.
    pub fn step(&mut self, job: &Job) -> Result<bool, SolveError> {
        if self.is_complete() {
            return Ok(false);
        }
        let (readings, a) = (&mut self.readings, self.current);
        let r = readings.preimage(Quantifier::ForAll, EVERY, NOTHING, a, job)?;
        let next = readings.preimage(Quantifier::Exists, of_left(true), self.below, r, job)?;
        if next == a {
            self.below = below(readings, [a, r], job)?;
            self.levels.push([a, r]);
            (self.current, self.rounds) = (self.won, 0);
        } else {
            (self.current, self.rounds) = (next, self.rounds + 1);
        }
        job.report(self.readings.nodes(), self.place());
        Ok(!self.is_complete())
    }

    /// True if the last level holds every board that Left wins.
    fn is_complete(&self) -> bool {
        self.levels.last().is_some_and(|[a, _]| *a == self.won)
    }

    /// Writes a checkpoint, replacing `file`.
    ///
    /// # Errors
    /// The previous file is then unchanged, or replaced by the complete new one if only flushing the
    /// directory failed.
    pub fn save(&self, file: &Path) -> Result<(), FileError> {
        let sets = [&self.roots()[..], &self.current[..1]].concat();
        Saved::new(Solver::Levels, self.graph(), &sets).write(file)
    }

    /// Resumes from a checkpoint of this length.
    pub fn resume(length: usize, limit: u64, file: &Path, job: &Job) -> Result<Levels, CheckpointError> {
        let engine = CheckpointError::Engine;
        let (graph, sets) = Saved::read(file, Solver::Levels, length)?.restore(file)?;
        let mut levels = Levels::new(length, limit, job).map_err(engine)?;
        let sets = levels.readings.read(&graph, &sets).map_err(engine)?;
        let (complete, [current]) = sets.as_chunks::<2>() else {
            return Err(FileError::corrupt(file, "the sets of a level are missing").into());
        };
        if let Some(&last) = complete.last() {
            levels.below = below(&mut levels.readings, last, job).map_err(engine)?;
        }
        (levels.levels, levels.current) = (complete.to_vec(), *current);
        Ok(levels)
    }

    /// Names the last complete round.
    pub fn place(&self) -> String {
        match (self.levels.len(), self.rounds) {
            (0, 0) => "the start".to_string(),
            (level, 0) => format!("level {}", level - 1),
            (level, round) => format!("level {level}, round {round}"),
        }
    }

    /// Returns the sets of all complete levels, with Left and Right to move alternating, as diagrams of
    /// [`graph`](Levels::graph).
    pub fn roots(&self) -> Vec<Ref> {
        self.levels.as_flattened().iter().map(|set| set[0]).collect()
    }

    pub fn graph(&self) -> &Graph {
        self.readings.graph()
    }
}

/// Returns the boards of a level with Left to move, and those from which a turn that is not forward
/// leads into the level.
fn below(readings: &mut Readings, [a, r]: [Both; 2], job: &Job) -> Result<Both, SolveError> {
    readings.preimage(Quantifier::Exists, of_left(false), a, r, job)
}
