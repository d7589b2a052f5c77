//! Exact depths: ply by ply, as the dense engine does it, on whole sets at once.
//!
//! Ply d adds to one set what some turn of Left (odd d) or every turn of Right (even d) leads into the other set as it
//! stands after ply d − 1. The sets after each ply are kept: the first to hold a position is its depth.

use super::algebra::{Algebra, Quantifier};
use super::checkpoint::{CheckpointError, Saved, unusable};
use super::placements::Stones;
use super::store::{Halt, Id, Store, SymbolicLimits};
use super::workers::{Watched, pool};
use super::{SymbolicError, begin, stopped};
use crate::diagram::count::count;
use crate::games::rules::Rules;
use num_bigint::BigUint;
use num_traits::CheckedSub;
use rayon::ThreadPool;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// The name of this solver in checkpoints.
const SOLVER: &str = "depths";

/// The work on one length, ply by ply.
pub struct DepthSolver {
    algebra: Algebra,
    pool: Arc<ThreadPool>,
    /// The set that each ply left, from ply 1: Left to move after odd plies, Right to move after even ones.
    plies: Vec<Id>,
    counts: Vec<BigUint>,
    /// Whether garbage was collected for want of room in this ply.
    collected: bool,
}

impl DepthSolver {
    /// Begins a length, with one thread.
    pub fn new(length: usize, limits: SymbolicLimits) -> Result<DepthSolver, SymbolicError> {
        let algebra = begin(length, limits)?;
        DepthSolver::with_algebra(algebra, Vec::new(), Vec::new())
    }

    fn with_algebra(
        algebra: Algebra,
        plies: Vec<Id>,
        counts: Vec<BigUint>,
    ) -> Result<DepthSolver, SymbolicError> {
        let pool = pool(1).map_err(|halt| stopped(&algebra, halt))?;
        Ok(DepthSolver {
            algebra,
            pool,
            plies,
            counts,
            collected: false,
        })
    }

    /// Works with this many threads.
    pub fn sharing(self, threads: usize) -> Result<DepthSolver, SymbolicError> {
        let pool = pool(threads).map_err(|halt| stopped(&self.algebra, halt))?;
        let algebra = self.algebra.sharing(threads);
        Ok(DepthSolver {
            algebra,
            pool,
            ..self
        })
    }

    /// Plays by these rules; must be called before the first ply.
    pub fn under(self, rules: Rules) -> DepthSolver {
        DepthSolver {
            algebra: self.algebra.under(rules),
            ..self
        }
    }

    /// Writes a checkpoint, in place of what `file` names.
    ///
    /// # Errors
    /// [`CheckpointError::File`]; what was there before is then still there.
    pub fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        Saved::new(SOLVER, self.algebra.rules, self.algebra.store(), &self.plies).write(file)
    }

    /// Goes on from a checkpoint of this length under these rules.
    pub fn resume(
        length: usize,
        rules: Rules,
        limits: SymbolicLimits,
        file: &Path,
    ) -> Result<DepthSolver, CheckpointError> {
        let (algebra, plies) = Saved::read(file, SOLVER, rules, length)?.restore(limits)?;
        let members: Vec<BigUint> = plies.iter().map(|&set| count(algebra.store(), set)).collect();
        let before = |place: usize| {
            place
                .checked_sub(2)
                .map_or(BigUint::ZERO, |place| members[place].clone())
        };
        let counts = (members.iter().enumerate())
            .map(|(place, upto)| upto.checked_sub(&before(place)))
            .collect::<Option<_>>()
            .ok_or_else(|| unusable(file, "its sets do not grow"))?;
        DepthSolver::with_algebra(algebra, plies, counts).map_err(CheckpointError::Engine)
    }

    /// Does the next ply and returns how many positions it decided; none means that all is decided that ever will be.
    pub fn step(&mut self) -> Result<BigUint, SymbolicError> {
        let done = self.watched_step(&mut Watched::new(&mut |_| ControlFlow::Continue(())));
        done.map_err(|halt| stopped(&self.algebra, halt))
    }

    /// Does plies until all is decided, or `watch` says to stop: it is asked after every ply and several times a second. Whole plies are
    /// then kept, and [`run`](DepthSolver::run) goes on from there.
    pub fn run(
        &mut self,
        watch: &mut dyn FnMut(&DepthSolver) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, SymbolicError> {
        let mut watched = Watched::new(watch);
        self.algebra.store_mut().stop_on(Arc::clone(&watched.stop));
        loop {
            match self.watched_step(&mut watched) {
                Ok(count) if count == BigUint::ZERO => return Ok(ControlFlow::Continue(())),
                Ok(_) if !watched.look_now(self) => {}
                Ok(_) | Err(Halt::Interrupted) => return Ok(ControlFlow::Break(())),
                Err(halt) => return Err(stopped(&self.algebra, halt)),
            }
        }
    }

    fn watched_step(&mut self, watched: &mut Watched<'_, DepthSolver>) -> Result<BigUint, Halt> {
        let set = loop {
            self.algebra.store().reset_turnover();
            match watched.during(&Arc::clone(&self.pool), self, DepthSolver::next_set) {
                Err(Halt::Full) => self.make_room()?,
                done => break done?,
            }
        };
        let members = |set| count(self.algebra.store(), set);
        let count = members(set) - members(self.before(2));
        self.plies.push(set);
        self.counts.push(count.clone());
        self.collected = false;
        if self.store().is_untidy() {
            self.collect()?;
        }
        Ok(count)
    }

    /// Makes room for more nodes: as far as memory goes, and then once without garbage.
    fn make_room(&mut self) -> Result<(), Halt> {
        let pool = Arc::clone(&self.pool);
        match pool.install(|| self.algebra.store_mut().grow()) {
            Err(_) if !self.collected => {
                self.collected = true;
                self.collect()
            }
            done => done,
        }
    }

    /// The set that some plies before the next one left.
    fn before(&self, plies: usize) -> Id {
        match self.plies.len().checked_sub(plies) {
            Some(place) => self.plies[place],
            None => Id::BOTTOM,
        }
    }

    fn next_set(&self) -> Result<Id, Halt> {
        let (known, target) = (self.before(2), self.before(1));
        let q = match self.plies.len() % 2 {
            0 => Quantifier::Some,
            _ => Quantifier::Every,
        };
        let everywhere = 1..=self.algebra.length() - 2;
        let algebra = &self.algebra;
        let jumps = algebra.jumps(q, target, &algebra.starts(&everywhere)?)?;
        // Plies only add boards: Right's turns find again what is known, and Left's start from it.
        let set = match q {
            Quantifier::Some => algebra.or(known, jumps)?,
            Quantifier::Every => jumps,
        };
        algebra.join_placements(q, Stones::All, set, target)
    }

    fn collect(&mut self) -> Result<(), Halt> {
        let pool = Arc::clone(&self.pool);
        let mut roots: Vec<&mut Id> = self.plies.iter_mut().collect();
        pool.install(|| self.algebra.collect(&mut roots))
    }

    /// The set that each ply left, from ply 1: with Left to move after odd plies, with Right to move after even ones.
    pub fn plies(&self) -> &[Id] {
        &self.plies
    }

    /// New positions in each ply so far, from ply 1.
    pub fn counts(&self) -> &[BigUint] {
        &self.counts
    }

    /// The nodes.
    pub fn store(&self) -> &Store {
        self.algebra.store()
    }
}
