//! Threads that act as processes: the same results as one process, and ends for all.

mod generate;
mod ranks;
mod solve;
mod threads;
mod verify;

use phutbase_cluster::ranks::Team;
use phutbase_cluster::{ClusterSolver, Part};
use phutbase_fixtures::prelude::*;
use std::sync::mpsc::channel;

fn setup(text: &str) -> Setup {
    Setup::in_memory(text.parse().unwrap(), true)
}

fn begin(text: &str, team: &Team) -> ClusterSolver {
    Part::of(&setup(text), team).unwrap().begin().unwrap()
}

/// Runs a function in `count` processes and fails if one of them hangs.
fn run<T: Send + 'static>(count: usize, work: impl Fn(Team) -> T + Send + Sync + 'static) -> Vec<T> {
    let (results, result) = channel();
    std::thread::spawn(move || results.send(threads::run(count, work)));
    let found = result.recv_timeout(Duration::from_secs(100));
    found.expect("no rank deadlocks or panics")
}
