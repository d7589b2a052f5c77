//! Processes started by MPI, on one machine or many.

use super::ranks::{Ranks, Team};
use mpi::Threading;
pub use mpi::environment::Universe;
use mpi::request::multiple_scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Maximum words of a message; longer ones are split.
const PIECE: usize = 1 << 27;

/// The shortest and the longest sleep between two polls for a message.
const SLEEP_BOUNDS: [Duration; 2] = [Duration::from_micros(10), Duration::from_millis(1)];

/// Environment variables in which launchers pass a process its rank.
const LAUNCHERS: [&str; 5] = [
    "OMPI_COMM_WORLD_RANK",
    "PMIX_RANK",
    "PMI_RANK",
    "MV2_COMM_WORLD_RANK",
    "SLURM_PROCID",
];

/// Returns the rank that the launcher gave this process, or `None` without a launcher.
pub fn launched_as() -> Option<usize> {
    LAUNCHERS
        .iter()
        .find_map(|name| std::env::var(name).ok()?.parse().ok())
}

/// Connects the processes of a launch. They stay connected while the first value lives.
/// Fails if MPI does not come up, or forbids several threads to call it one after the other.
pub fn connect() -> Result<(Universe, Team), &'static str> {
    let (universe, threading) =
        mpi::initialize_with_threading(Threading::Serialized).ok_or("MPI was already initialized")?;
    if threading < Threading::Serialized {
        return Err("this MPI does not support threads; use one built with MPI_THREAD_SERIALIZED");
    }
    let world = universe.world();
    let processes_on_this_machine = world.split_shared(world.rank()).size() as usize;
    let world = World {
        rank: world.rank() as usize,
        count: world.size() as usize,
        processes_on_this_machine,
        one_at_a_time: Mutex::new(()),
    };
    Ok((universe, Team::new(world)))
}

/// Ends all processes immediately.
pub fn abort() -> ! {
    SimpleCommunicator::world().abort(1)
}

#[derive(Debug)]
struct World {
    rank: usize,
    count: usize,
    processes_on_this_machine: usize,
    /// Serializes calls, as promised to MPI.
    one_at_a_time: Mutex<()>,
}

impl Ranks for World {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn processes_on_this_machine(&self) -> usize {
        self.processes_on_this_machine
    }

    /// Runs no other work while it waits, so that no job that calls MPI can wait for this one.
    fn exchange(&self, sends: &[(usize, &[u64])], receives: &mut [(usize, &mut [u64])]) {
        let _turn = self.one_at_a_time.lock().expect("no exchange panics");
        let world = SimpleCommunicator::world();
        let process = |rank: usize| world.process_at_rank(rank as i32);
        multiple_scope(sends.len() + receives.len(), |scope, requests| {
            for (from, words) in receives {
                for piece in words.chunks_mut(PIECE) {
                    requests.add(process(*from).immediate_receive_into(scope, piece));
                }
            }
            for (to, words) in sends {
                for piece in words.chunks(PIECE) {
                    requests.add(process(*to).immediate_send(scope, piece));
                }
            }
            // MPI's own waiting would occupy the core. Sleeps in proportion to the time waited keep
            // the latency in proportion to the wait.
            let begun = Instant::now();
            while !requests.test_all(&mut Vec::new()) {
                let sleep = begun.elapsed() / 8;
                std::thread::sleep(sleep.clamp(SLEEP_BOUNDS[0], SLEEP_BOUNDS[1]));
            }
        });
    }
}
