//! Pitches solved, written and checked by several processes with separate memory.
//!
//! All processes run the same program and make the same calls in the same order; functions that
//! exchange messages are *collective*. Each process has a [`PitchSolver`] with its own chunks and
//! sweeps them with the blocks that others send.
//!
//! * [`ranks`]: the transport of messages, and collective operations; `mpi`: processes of MPI;
//! * [`share`]: the chunks of each process;
//! * `reads`: the blocks that a sweep reads; `traffic`, `exchange`: those that processes send;
//! * `ply`: one ply, stage by stage;
//! * `checkpoint`: a file of each process;
//! * [`generate`], [`gather`]: a table, packed by all and written by the first;
//! * [`tables`]: the check of a table.

mod checkpoint;
mod exchange;
pub mod gather;
pub mod generate;
#[cfg(feature = "mpi")]
pub mod mpi;
mod ply;
pub mod ranks;
mod reads;
pub mod share;
pub mod tables;
mod traffic;

use phutbase_base::job::Job;
use phutbase_pitches::block::Block;
use phutbase_pitches::solver::map::BlockMap;
use phutbase_pitches::solver::{Needs, PitchSolveError, PitchSolver, Prepared, Setup};
use ply::StagedPly;
use ranks::Team;
use share::Share;
use traffic::{Buffers, InFlight, Traffic, agree_on_maps};

/// The part of the work on a pitch that a process does, before anything is allocated.
pub struct Part {
    setup: Setup,
    team: Team,
    prepared: Prepared,
    share: Share,
    in_flight: InFlight,
}

impl Part {
    /// Divides the work. Collective.
    pub fn of(setup: &Setup, team: &Team) -> Result<Part, PitchSolveError> {
        let threads = team.greatest(rayon::current_num_threads() as u64) as usize;
        let prepared = Prepared::new(setup)?;
        let share = Share::of(&prepared, (team.rank(), team.count()), threads);
        let in_flight = InFlight::most(&prepared.layout, &prepared.links, &share);
        Ok(Part {
            setup: setup.clone(),
            team: team.clone(),
            prepared,
            share,
            in_flight,
        })
    }

    fn chunks(&self) -> Vec<usize> {
        let all = self.prepared.layout.all_chunks().into_iter();
        all.filter(|&chunk| self.share.is_own(chunk)).collect()
    }

    /// Computes the memory of this process, without its [buffers](Part::buffer).
    pub fn needs(&self) -> Needs {
        let needs = self.prepared.needs(&self.chunks(), self.setup.with_depths);
        // At the end of a ply a copy of two halves of maps is in flight.
        let maps = needs.maps + BlockMap::bytes(&self.prepared.layout);
        Needs { maps, ..needs }
    }

    /// Returns the largest amount in flight to and from other processes, in bytes of main memory.
    pub fn buffer(&self) -> u64 {
        (self.in_flight.buffer_blocks() * size_of::<Block>()) as u64
    }

    /// Returns an upper bound of what this process sends in a ply, in bytes.
    pub fn sent(&self) -> u64 {
        (self.in_flight.sent * size_of::<Block>()) as u64
    }

    /// Allocates the storage of this process.
    pub fn begin(self) -> Result<ClusterSolver, PitchSolveError> {
        let (chunks, shape) = (self.chunks(), self.setup.shape);
        let buffers = Buffers::new(&self.in_flight);
        Ok(ClusterSolver {
            solver: PitchSolver::holding(chunks, self.prepared, &self.setup)?,
            share: self.share,
            team: self.team,
            buffers: buffers.map_err(|source| PitchSolveError::Mapping { shape, source })?,
        })
    }
}

/// The solver of one shape in one of several processes.
pub struct ClusterSolver {
    /// The state after the last ply, with the chunks of this process.
    pub solver: PitchSolver,
    share: Share,
    pub team: Team,
    buffers: Buffers,
}

impl ClusterSolver {
    pub fn owner(&self, chunk: usize) -> usize {
        self.share.owner(chunk)
    }

    /// Runs the next ply, also if the job is stopped, and returns the number of positions that all
    /// processes decided. Collective.
    pub fn step(&mut self, job: &Job) -> Result<u64, PitchSolveError> {
        let ClusterSolver {
            solver,
            share,
            team,
            buffers,
        } = self;
        let (count, mut gaining) = solver.ply(|ply, works| {
            let traffic = Traffic {
                layout: ply.input.layout,
                work_list: ply.input.work_list,
                share,
            };
            // One worker thread runs the loop, so no stage has to wake the pool.
            rayon::scope(|_| StagedPly { ply, traffic, team }.sweep_all(works, buffers));
        })?;
        let full = &mut solver.full[solver.counts().len() % 2];
        let layout = &solver.prepared.layout;
        let count = agree_on_maps(team, layout, share, count, [&mut gaining, full]);
        solver.end_ply(count, gaining, job);
        Ok(count)
    }

    /// Runs plies until one decides nothing. Collective.
    pub fn finish(&mut self) -> Result<(), PitchSolveError> {
        while self.step(&Job::default())? > 0 {}
        Ok(())
    }
}
