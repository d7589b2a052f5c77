//! Processes with separate memory that share the work on a pitch.
//!
//! All of them run the same program and make the same calls in the same order. [`Ranks`] is the
//! message transport; [`Team`] provides collective operations to the engines.

use phutbase_base::fault::{Fault, Kind};
use std::fmt::{self, Debug};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A message transport between processes.
pub trait Ranks: Debug + Send + Sync {
    /// Returns the number of this process, from 0.
    fn rank(&self) -> usize;

    fn count(&self) -> usize;

    /// Returns the number of processes on this machine.
    fn processes_on_this_machine(&self) -> usize;

    /// Sends words to some processes and receives words from others. Messages between two processes
    /// keep their order. It blocks, and leaves the core to other threads.
    fn exchange(&self, sends: &[(usize, &[u64])], receives: &mut [(usize, &mut [u64])]);
}

/// An error that one of the processes met, in each of them.
#[derive(Debug, thiserror::Error)]
pub enum TeamError<E: std::error::Error + 'static> {
    #[error(transparent)]
    Local(E),
    /// The error of another process, in words.
    #[error("{0}")]
    Remote(String),
}

impl<E: Fault> Fault for TeamError<E> {
    fn kind(&self) -> Kind<'_> {
        match self {
            TeamError::Local(error) => Kind::Of(error),
            TeamError::Remote(_) => Kind::System,
        }
    }
}

impl<E: std::error::Error> TeamError<E> {
    /// Converts the error of a step to that of the work.
    pub fn of<F: std::error::Error>(error: TeamError<F>) -> TeamError<E>
    where
        E: From<F>,
    {
        match error {
            TeamError::Local(error) => TeamError::Local(error.into()),
            TeamError::Remote(message) => TeamError::Remote(message),
        }
    }
}

/// A process that sends and receives nothing.
#[derive(Debug)]
struct Unconnected {
    rank: usize,
    count: usize,
}

impl Ranks for Unconnected {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn processes_on_this_machine(&self) -> usize {
        1
    }

    fn exchange(&self, _: &[(usize, &[u64])], _: &mut [(usize, &mut [u64])]) {}
}

#[derive(Clone)]
pub struct Team(Arc<dyn Ranks>);

impl Deref for Team {
    type Target = dyn Ranks;

    fn deref(&self) -> &(dyn Ranks + 'static) {
        &*self.0
    }
}

impl Debug for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank(), self.count())
    }
}

impl Team {
    pub fn new(ranks: impl Ranks + 'static) -> Team {
        Team(Arc::new(ranks))
    }

    /// Creates a process without connections: one that works alone, or one of several that only
    /// computes its needs.
    pub fn unconnected(rank: usize, count: usize) -> Team {
        Team::new(Unconnected { rank, count })
    }

    /// Returns whether this is the process that reports to the user and writes tables.
    pub fn is_first(&self) -> bool {
        self.rank() == 0
    }

    /// Reduces the words of all processes elementwise and distributes the result. `join` gets the
    /// index of the word.
    pub fn combine(&self, words: &mut [u64], join: &dyn Fn(usize, u64, u64) -> u64) {
        let (rank, count) = (self.rank(), self.count());
        // Reduces along a tree to the first process, then broadcasts back.
        let mut step = 1;
        while step < count && rank & step == 0 {
            if rank + step < count {
                let mut other = vec![0; words.len()];
                self.exchange(&[], &mut [(rank + step, &mut other)]);
                for (place, (word, other)) in words.iter_mut().zip(other).enumerate() {
                    *word = join(place, *word, other);
                }
            }
            step *= 2;
        }
        if rank != 0 {
            self.exchange(&[(rank - step, words)], &mut []);
            self.exchange(&[], &mut [(rank - step, words)]);
        }
        while step > 1 {
            step /= 2;
            if rank + step < count {
                self.exchange(&[(rank + step, words)], &mut []);
            }
        }
    }

    pub fn greatest(&self, mine: u64) -> u64 {
        let mut word = [mine];
        self.combine(&mut word, &|_, a, b| a.max(b));
        word[0]
    }

    /// Returns this process's share of `of` units of work: equal ranges in rank order.
    pub fn part(&self, of: u64) -> Range<u64> {
        let begin = |rank: usize| (u128::from(of) * rank as u128 / self.count() as u128) as u64;
        begin(self.rank())..begin(self.rank() + 1)
    }

    /// Concatenates the words of all processes, in rank order.
    pub fn gather(&self, mine: Vec<u64>) -> Vec<u64> {
        let mut sizes = vec![0; self.count()];
        sizes[self.rank()] = mine.len() as u64;
        self.combine(&mut sizes, &|_, a, b| a | b);
        let mut all = vec![0; sizes.iter().sum::<u64>() as usize];
        let (mut sends, mut receives, mut rest) = (Vec::new(), Vec::new(), &mut all[..]);
        for (rank, &size) in sizes.iter().enumerate() {
            let (words, later) = rest.split_at_mut(size as usize);
            rest = later;
            if rank == self.rank() {
                words.copy_from_slice(&mine);
            } else {
                sends.push((rank, &mine[..]));
                receives.push((rank, words));
            }
        }
        self.exchange(&sends, &mut receives);
        all
    }

    pub fn from_first(&self, mine: u64) -> u64 {
        self.greatest(if self.is_first() { mine } else { 0 })
    }

    /// Returns `mine` if every process succeeded; otherwise its own error, or that of the first
    /// process that failed, which it names.
    pub fn agree<T, E: std::error::Error>(&self, mine: Result<T, E>) -> Result<T, TeamError<E>> {
        self.first_error(mine, |rank, message| format!("rank {rank}: {message}"))
    }

    /// Like [`agree`](Team::agree), for errors in a resource common to all processes, such as a
    /// file: it names no process.
    pub fn agree_on<T, E: std::error::Error>(&self, mine: Result<T, E>) -> Result<T, TeamError<E>> {
        self.first_error(mine, |_, message| message)
    }

    fn first_error<T, E: std::error::Error>(
        &self,
        mine: Result<T, E>,
        words: impl FnOnce(usize, String) -> String,
    ) -> Result<T, TeamError<E>> {
        let (rank, count) = (self.rank(), self.count());
        let good = if mine.is_ok() { count } else { rank };
        let failed = count - self.greatest((count - good) as u64) as usize;
        if failed == count {
            return mine.map_err(TeamError::Local);
        }
        // Broadcast the message.
        let message = mine.as_ref().err().filter(|_| failed == rank);
        let message = message.map_or(String::new(), ToString::to_string);
        let bytes = self.greatest(message.len() as u64) as usize;
        let mut all = vec![0; bytes.div_ceil(8)];
        bytemuck::cast_slice_mut::<u64, u8>(&mut all)[..message.len()].copy_from_slice(message.as_bytes());
        self.combine(&mut all, &|_, a, b| a | b);
        match mine {
            Err(mine) if failed == rank => Err(TeamError::Local(mine)),
            _ => {
                let message = String::from_utf8_lossy(&bytemuck::cast_slice(&all)[..bytes]);
                Err(TeamError::Remote(words(failed, message.into_owned())))
            }
        }
    }
}
