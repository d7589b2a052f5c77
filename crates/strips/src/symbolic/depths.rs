//! Exact depths, ply by ply as in the dense engine, but on whole sets.
//!
//! Ply d adds the preimage of one set to the other: boards from which some turn of Left (odd d) or
//! every turn of Right (even d) leads into the set after ply d − 1. The sets after each ply are
//! kept; the depth of a position is the first ply whose set contains it.
//!
//! The balls of either half of the strip are handled apart, read from the end that is nearer
//! (`mirrored`).

use super::algebra::{Algebra, Quantifier};
use super::ball_set::MOST_BALLS;
use super::checkpoint::{CheckpointError, Saved, unusable};
use super::placements::Stones;
use super::state::Progress;
use super::store::{Halt, Id, Store, SymbolicLimits};
use super::workers::pool;
use super::{SymbolicError, new_algebra, stopped};
use num_bigint::BigUint;
use num_traits::CheckedSub;
use phutbase_base::job::Job;
use phutbase_files::FileError;
use phutbase_sets::count::count;
use rayon::ThreadPool;
use std::path::Path;
use std::sync::Arc;

/// The name of this solver in checkpoints.
const SOLVER: &str = "depths";

/// The state of the work on one length.
pub struct DepthSolver {
    algebra: Algebra,
    pool: Arc<ThreadPool>,
    /// The set after each ply, from ply 1: Left to move after odd plies, Right to move after even
    /// ones.
    plies: Vec<Id>,
    /// The mirror images of the last two of them.
    images: [Id; 2],
    counts: Vec<BigUint>,
}

impl DepthSolver {
    /// Prepares a length of at most 128 squares, with this many threads.
    pub fn new(length: usize, limits: SymbolicLimits, threads: usize) -> Result<DepthSolver, SymbolicError> {
        let most = 2 * MOST_BALLS + 2;
        if length > most {
            return Err(SymbolicError::Length { length, most });
        }
        let algebra = new_algebra(length, limits)?;
        let pool = pool(threads).map_err(|halt| stopped(&algebra, halt))?;
        Ok(DepthSolver {
            algebra: algebra.sharing(threads),
            pool: pool.into(),
            plies: Vec::new(),
            images: [Id::BOTTOM; 2],
            counts: Vec::new(),
        })
    }

    /// Writes a checkpoint, replacing `file`.
    ///
    /// # Errors
    /// The previous file is then unchanged, or replaced by the complete new one if only flushing the
    /// directory failed.
    pub fn save(&self, file: &Path) -> Result<(), FileError> {
        let sets = [&self.plies[..], &self.images].concat();
        Saved::new(SOLVER, Progress::default(), self.store(), &sets).write(file)
    }

    /// Resumes from a checkpoint of this length. Ends soon after `job` is stopped.
    pub fn resume(
        length: usize,
        limits: SymbolicLimits,
        threads: usize,
        file: &Path,
        job: &Job,
    ) -> Result<DepthSolver, CheckpointError> {
        let (algebra, sets) = Saved::read(file, SOLVER, length)?.restore(limits, job)?;
        let (plies, &images) = (sets.split_last_chunk()).ok_or_else(|| unusable(file, "sets are missing"))?;
        let mut members = Vec::new();
        for &set in plies {
            job.check()
                .map_err(SymbolicError::from)
                .map_err(CheckpointError::Engine)?;
            members.push(count(algebra.store(), set));
        }
        let before = |place: usize| {
            place
                .checked_sub(2)
                .map_or(BigUint::ZERO, |place| members[place].clone())
        };
        let counts = (members.iter().enumerate())
            .map(|(place, upto)| upto.checked_sub(&before(place)))
            .collect::<Option<_>>()
            .ok_or_else(|| unusable(file, "its sets do not grow"))?;
        let mut solver = DepthSolver::new(length, limits, threads).map_err(CheckpointError::Engine)?;
        solver.algebra = algebra.sharing(threads);
        (solver.plies, solver.images, solver.counts) = (plies.to_vec(), images, counts);
        Ok(solver)
    }

    /// Computes the next ply and returns the number of positions that it decided; 0 when the work
    /// is complete. If it fails, the work can go on from the plies before.
    pub fn step(&mut self, job: &Job) -> Result<BigUint, SymbolicError> {
        job.check()?;
        self.algebra.store_mut().watch(job.clone());
        let decided = Arc::clone(&self.pool).install(|| self.next_ply());
        let decided = decided.map_err(|halt| stopped(&self.algebra, halt))?;
        let (length, ply) = (self.store().length(), self.plies.len() + 1);
        let decided = decided.ok_or(SymbolicError::Shrinks { length, ply })?;
        job.report(self.store().nodes_made(), self.place());
        Ok(decided)
    }

    /// Returns the number of positions decided in the next ply; `None` if its set is smaller than
    /// that of the ply before the last.
    fn next_ply(&mut self) -> Result<Option<BigUint>, Halt> {
        let [set, image] = Algebra::with_retry(self, DepthSolver::parts, DepthSolver::next_set)?;
        let members = |set| count(self.algebra.store(), set);
        let Some(count) = members(set).checked_sub(&members(self.before(2))) else {
            return Ok(None);
        };
        self.plies.push(set);
        self.images = [self.images[1], image];
        self.counts.push(count.clone());
        if self.store().should_collect() {
            let (algebra, sets) = self.parts();
            algebra.collect(sets)?;
        }
        Ok(Some(count))
    }

    /// Returns the set that was complete `plies` plies before the next one.
    fn before(&self, plies: usize) -> Id {
        match self.plies.len().checked_sub(plies) {
            Some(place) => self.plies[place],
            None => Id::BOTTOM,
        }
    }

    /// Returns the next set and its mirror image.
    fn next_set(&self) -> Result<[Id; 2], Halt> {
        let algebra = &self.algebra;
        let halves = algebra.both_forking(|| self.next_half(false), || self.next_half(true))?;
        let images = algebra.both_forking(|| algebra.mirrored(halves.0), || algebra.mirrored(halves.1))?;
        Ok([algebra.or(halves.0, images.1)?, algebra.or(images.0, halves.1)?])
    }

    /// Returns the boards of the next set with the ball in one half, read from that half's end.
    fn next_half(&self, from_right: bool) -> Result<Id, Halt> {
        let algebra = &self.algebra;
        let [known, target] = if from_right {
            self.images
        } else {
            [self.before(2), self.before(1)]
        };
        let q = match self.plies.len() % 2 {
            0 => Quantifier::Exists,
            _ => Quantifier::ForAll,
        };
        // The middle square of an odd strip belongs to the left half.
        let balls = 1..=(algebra.length() - 1 - usize::from(from_right)) / 2;
        let jumps = algebra.jumps(q, target, &algebra.ball_set(&balls, from_right)?)?;
        // Plies only add boards: Right's turns reproduce the known ones, and Left's turns start
        // from them.
        let set = match q {
            Quantifier::Exists => algebra.or(algebra.only(known, &balls)?, jumps)?,
            Quantifier::ForAll => jumps,
        };
        algebra.join_placements(q, Stones::All, set, algebra.only(target, &balls)?)
    }

    /// Returns the algebra and every set.
    fn parts(&mut self) -> (&mut Algebra, Vec<&mut Id>) {
        let sets = self.plies.iter_mut().chain(&mut self.images);
        (&mut self.algebra, sets.collect())
    }

    /// Drops cached results when the work is complete.
    pub fn forget_results(&mut self) {
        self.algebra.store_mut().forget_results();
    }

    /// Describes the last complete ply.
    pub fn place(&self) -> String {
        format!("ply {}", self.plies.len())
    }

    /// Returns the set after each ply, from ply 1: Left to move after odd plies, Right to move
    /// after even ones.
    pub fn plies(&self) -> &[Id] {
        &self.plies
    }

    /// Returns the numbers of positions decided in each ply, from ply 1.
    pub fn counts(&self) -> &[BigUint] {
        &self.counts
    }

    /// Returns the nodes.
    pub fn store(&self) -> &Store {
        self.algebra.store()
    }
}
