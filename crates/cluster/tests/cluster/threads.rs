//! A transport between threads that act as processes.

use phutbase_cluster::ranks::{Ranks, Team};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

#[derive(Debug)]
struct Threads {
    rank: usize,
    to: Vec<Sender<Vec<u64>>>,
    from: Vec<Mutex<Receiver<Vec<u64>>>>,
}

impl Ranks for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.to.len()
    }

    fn processes_on_this_machine(&self) -> usize {
        self.to.len()
    }

    fn exchange(&self, sends: &[(usize, &[u64])], receives: &mut [(usize, &mut [u64])]) {
        for &(to, words) in sends {
            self.to[to].send(words.to_vec()).unwrap();
        }
        for (from, words) in receives {
            words.copy_from_slice(&self.from[*from].lock().unwrap().recv().unwrap());
        }
    }
}

/// Runs a function in `count` such processes and returns all results. Each has its own pool of two
/// threads.
pub fn run<T: Send>(count: usize, work: impl Fn(Team) -> T + Sync) -> Vec<T> {
    let mut senders: Vec<Vec<Sender<Vec<u64>>>> = (0..count).map(|_| Vec::new()).collect();
    let mut receivers: Vec<Vec<Mutex<Receiver<Vec<u64>>>>> = (0..count).map(|_| Vec::new()).collect();
    for to in &mut receivers {
        for from in &mut senders {
            let (sender, receiver) = channel();
            from.push(sender);
            to.push(Mutex::new(receiver));
        }
    }
    let teams = senders.into_iter().zip(receivers).enumerate();
    let teams = teams.map(|(rank, (to, from))| Team::new(Threads { rank, to, from }));
    let in_pool = |team: Team| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| work(team))
    };
    let in_pool = &in_pool;
    std::thread::scope(|scope| {
        let running: Vec<_> = teams.map(|team| scope.spawn(move || in_pool(team))).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}
