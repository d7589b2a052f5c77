//! Processes that MPI has started, on one machine or many.

use super::ranks::{Ranks, Team};
use mpi::Threading;
use mpi::environment::Universe;
use mpi::request::multiple_scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::sync::Mutex;

/// Words of a message; a longer one goes in pieces.
const PIECE: usize = 1 << 27;

/// What launchers of MPI programs tell the processes in their environment: which one it is.
const LAUNCHERS: [&str; 5] = [
    "OMPI_COMM_WORLD_RANK",
    "PMIX_RANK",
    "PMI_RANK",
    "MV2_COMM_WORLD_RANK",
    "SLURM_PROCID",
];

/// The number that the launcher gave this process; `None` if no launcher started it.
pub fn launched_as() -> Option<usize> {
    LAUNCHERS
        .iter()
        .find_map(|name| std::env::var(name).ok()?.parse().ok())
}

/// The processes that were started together. While the first value is there they can talk.
///
/// # Errors
/// A sentence if MPI does not come up, or forbids several threads to call it one after the other.
pub fn connect() -> Result<(Universe, Team), &'static str> {
    let (universe, threading) =
        mpi::initialize_with_threading(Threading::Serialized).ok_or("MPI has been started before")?;
    if threading < Threading::Serialized {
        return Err("this MPI was built without threads, which the program needs");
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

/// Ends all processes at once.
pub fn abort() -> ! {
    SimpleCommunicator::world().abort(1)
}

#[derive(Debug)]
struct World {
    rank: usize,
    count: usize,
    beside: usize,
    /// MPI was promised that threads call it one after the other.
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
