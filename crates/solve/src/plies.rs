//! Exact depths, ply by ply on whole sets.
//!
//! Ply d adds the preimage of one set to the other: boards from which some turn of Left (odd d) or
//! every turn of Right (even d) leads into the set after ply d − 1. The sets after each ply are kept;
//! the depth of a position is the first ply whose set contains it.

use super::checkpoint::{Saved, Solver};
use super::readings::{Both, EVERY, NOTHING, Readings};
use super::{CheckpointError, SolveError, check_length};
use num_bigint::BigUint;
use num_traits::CheckedSub;
use phutbase_base::job::Job;
use phutbase_files::FileError;
use phutbase_sets::count::count;
use phutbase_sets::turns::Quantifier;
use phutbase_sets::{Diagram, Graph, Ref};
use std::path::Path;

/// The state of the work on one length.
pub struct Plies {
    readings: Readings,
    /// The set after each ply, from ply 1: Left to move after odd plies, Right to move after even
    /// ones.
    plies: Vec<Both>,
    /// The number of boards in each set.
    sizes: Vec<BigUint>,
}

impl Plies {
    /// Prepares a length, with a memory limit in bytes.
    pub fn new(length: usize, limit: u64) -> Result<Plies, SolveError> {
        check_length(length)?;
        Ok(Plies {
            readings: Readings::new(length, limit),
            plies: Vec::new(),
            sizes: Vec::new(),
        })
    }

    /// Computes the next ply, and returns the number of positions that it decided; 0 when the work is
    /// complete. If it fails, the work can go on from the plies before.
    pub fn step(&mut self, job: &Job) -> Result<BigUint, SolveError> {
        let quantifier = match self.plies.len() % 2 {
            0 => Quantifier::Exists,
            _ => Quantifier::ForAll,
        };
        let (known, target) = (self.before(2), self.before(1));
        let set = self.readings.preimage(quantifier, EVERY, known, target, job)?;
        let size = count(self.graph(), set[0]);
        let before = (self.sizes.len().checked_sub(2)).map_or(BigUint::ZERO, |ply| self.sizes[ply].clone());
        let decided = size.checked_sub(&before).ok_or(SolveError::Shrinks {
            length: self.graph().length(),
            ply: self.plies.len() + 1,
        })?;
        self.plies.push(set);
        self.sizes.push(size);
        job.report(self.readings.nodes(), self.place());
        Ok(decided)
    }

    /// Returns the set that was complete `plies` plies before the next one.
    fn before(&self, plies: usize) -> Both {
        let ply = self.plies.len().checked_sub(plies);
        ply.map_or(NOTHING, |ply| self.plies[ply])
    }

    /// Writes a checkpoint, replacing `file`.
    ///
    /// # Errors
    /// The previous file is then unchanged, or replaced by the complete new one if only flushing the
    /// directory failed.
    pub fn save(&self, file: &Path) -> Result<(), FileError> {
        Saved::new(Solver::Plies, self.graph(), &self.roots()).write(file)
    }

    /// Resumes from a checkpoint of this length.
    pub fn resume(length: usize, limit: u64, file: &Path) -> Result<Plies, CheckpointError> {
        let (graph, sets) = Saved::read(file, Solver::Plies, length)?.restore(file)?;
        let mut plies = Plies::new(length, limit).map_err(CheckpointError::Engine)?;
        let sizes: Vec<BigUint> = sets.iter().map(|&set| count(&graph, set)).collect();
        if sizes
            .iter()
            .zip(sizes.iter().skip(2))
            .any(|(before, after)| before > after)
        {
            return Err(FileError::corrupt(file, "its sets do not grow").into());
        }
        plies.plies = (plies.readings.read(&graph, &sets)).map_err(CheckpointError::Engine)?;
        plies.sizes = sizes;
        Ok(plies)
    }

    /// Names the last complete ply.
    pub fn place(&self) -> String {
        format!("ply {}", self.plies.len())
    }

    /// Returns the set after each ply, from ply 1, as diagrams of [`graph`](Plies::graph).
    pub fn roots(&self) -> Vec<Ref> {
        self.plies.iter().map(|set| set[0]).collect()
    }

    pub fn graph(&self) -> &Graph {
        self.readings.graph()
    }
}
