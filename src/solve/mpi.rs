//! Processes started by MPI, on one machine or many.

use crate::ranks::{Ranks, Team};
use mpi::Threading;
use mpi::environment::Universe;
use mpi::request::multiple_scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::sync::Mutex;

/// Maximum words of a message; longer ones are split.
const PIECE: usize = 1 << 27;

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
    let beside = world.split_shared(world.rank()).size() as usize;
    let world = World {
        rank: world.rank() as usize,
        count: world.size() as usize,
        beside,
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
    beside: usize,
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

    fn beside(&self) -> usize {
        self.beside
    }

    fn exchange(
        &self,
        sends: &[(usize, &[u64])],
        receives: &mut [(usize, &mut [u64])],
        pause: &mut dyn FnMut(),
    ) {
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
            while !requests.test_all(&mut Vec::new()) {
                pause();
            }
        });
    }
}
