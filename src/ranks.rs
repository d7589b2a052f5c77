//! Processes with separate memory that share the work on a pitch.
//!
//! All of them run the same program and make the same calls in the same order. [`Ranks`] is the
//! message transport; [`Team`] provides collective operations to the engines.

use std::fmt::{self, Debug};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A message transport between processes.
pub trait Ranks: Debug + Send + Sync {
    /// Returns the number of this process, from 0.
    fn rank(&self) -> usize;

    fn count(&self) -> usize;

    /// Returns the number of processes on this machine.
    fn beside(&self) -> usize;

    /// Sends words to some processes and receives words from others. Messages between two processes
    /// keep their order. Calls `pause` between two polls while it waits.
    fn exchange(
        &self,
        sends: &[(usize, &[u64])],
        receives: &mut [(usize, &mut [u64])],
        pause: &mut dyn FnMut(),
    );
}

/// The sleep between two polls for a message: an eighth of the time waited so far. Latency stays
/// proportional to the wait, and the core is free for others; MPI's own waiting would occupy it.
pub struct Backoff(Instant);

/// The shortest and the longest sleep.
const SLEEP_BOUNDS: [Duration; 2] = [Duration::from_micros(10), Duration::from_millis(1)];

impl Backoff {
    pub fn start() -> Backoff {
        Backoff(Instant::now())
    }

    pub fn sleeper() -> impl FnMut() {
        let backoff = Backoff::start();
        move || std::thread::sleep(backoff.next())
    }

    pub fn next(&self) -> Duration {
        (self.0.elapsed() / 8).clamp(SLEEP_BOUNDS[0], SLEEP_BOUNDS[1])
    }
}

/// Evidence that several processes may exist. Without the feature `team` the type is uninhabited,
/// so code that needs a value is compiled away.
#[derive(Clone, Copy, Debug)]
pub struct Several(Possible);

#[cfg(feature = "team")]
type Possible = ();
#[cfg(not(feature = "team"))]
type Possible = std::convert::Infallible;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rank {rank}: {message}")]
pub struct RankError {
    pub rank: usize,
    pub message: String,
}

/// An error in a resource common to all processes, such as a file: the first process that finds it
/// reports it for all.
#[derive(Debug, thiserror::Error)]
pub enum SharedError<E: std::error::Error + 'static> {
    #[error(transparent)]
    Local(E),
    #[error("{}", .0.message)]
    Remote(RankError),
}

impl<E: std::error::Error> From<RankError> for SharedError<E> {
    fn from(error: RankError) -> SharedError<E> {
        SharedError::Remote(error)
    }
}

#[derive(Clone)]
pub struct Team(Option<(Arc<dyn Ranks>, Several)>);

impl Debug for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank(), self.count())
    }
}

impl Team {
    pub fn alone() -> Team {
        Team(None)
    }

    #[cfg(feature = "team")]
    pub fn new(ranks: impl Ranks + 'static) -> Team {
        Team(Some((Arc::new(ranks), Several(()))))
    }

    fn ranks(&self) -> Option<&dyn Ranks> {
        self.0.as_ref().map(|(ranks, _)| &**ranks)
    }

    /// Returns evidence that there may be several processes.
    pub fn several(&self) -> Option<Several> {
        self.0.as_ref().map(|&(_, several)| several)
    }

    pub fn rank(&self) -> usize {
        self.ranks().map_or(0, Ranks::rank)
    }

    pub fn count(&self) -> usize {
        self.ranks().map_or(1, Ranks::count)
    }

    /// Returns whether this is the process that reports to the user and writes tables.
    pub fn is_first(&self) -> bool {
        self.rank() == 0
    }

    pub fn beside(&self) -> usize {
        self.ranks().map_or(1, Ranks::beside)
    }

    pub fn exchange(&self, sends: &[(usize, &[u64])], receives: &mut [(usize, &mut [u64])]) {
        self.exchange_with(sends, receives, &mut Backoff::sleeper());
    }

    /// Like [`exchange`](Team::exchange), but calls `pause` between two polls while it waits.
    pub fn exchange_with(
        &self,
        sends: &[(usize, &[u64])],
        receives: &mut [(usize, &mut [u64])],
        pause: &mut dyn FnMut(),
    ) {
        if let Some(ranks) = self.ranks() {
            ranks.exchange(sends, receives, pause);
        }
    }

    /// Reduces the words of all processes elementwise and distributes the result. `join` gets the
    /// index of the word.
    pub fn combine(&self, words: &mut [u64], join: &dyn Fn(usize, u64, u64) -> u64) {
        let (rank, count) = (self.rank(), self.count());
        if count == 1 {
            return;
        }
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

    pub fn any(&self, mine: bool) -> bool {
        self.greatest(mine.into()) == 1
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
        let before: u64 = sizes[..self.rank()].iter().sum();
        let mut all = vec![0; sizes.iter().sum::<u64>() as usize];
        all[before as usize..][..mine.len()].copy_from_slice(&mine);
        self.combine(&mut all, &|_, a, b| a | b);
        all
    }

    pub fn from_first(&self, mine: u64) -> u64 {
        self.greatest(if self.is_first() { mine } else { 0 })
    }

    /// Returns `mine` if every process succeeded; otherwise its own error, or that of the first
    /// process that failed.
    pub fn agree<T, E: std::error::Error + From<RankError>>(&self, mine: Result<T, E>) -> Result<T, E> {
        if self.several().is_none() {
            return mine;
        }
        let says = mine.as_ref().err().map(ToString::to_string);
        match (self.first_fault(says), mine) {
            (None, mine) => mine,
            (Some(fault), Err(mine)) if fault.rank == self.rank() => Err(mine),
            (Some(fault), _) => Err(fault.into()),
        }
    }

    /// Like [`agree`](Team::agree), for a resource common to all processes.
    pub fn agree_on<T, E: std::error::Error + 'static>(
        &self,
        mine: Result<T, E>,
    ) -> Result<T, SharedError<E>> {
        self.agree(mine.map_err(SharedError::Local))
    }

    fn first_fault(&self, says: Option<String>) -> Option<RankError> {
        let (rank, count) = (self.rank(), self.count());
        let good = if says.is_none() { count } else { rank };
        let failed = count - self.greatest((count - good) as u64) as usize;
        if failed == count {
            return None;
        }
        // Broadcast the message.
        let says = says.filter(|_| failed == rank).unwrap_or_default();
        let bytes = self.greatest(says.len() as u64) as usize;
        let mut words = vec![0; bytes.div_ceil(8)];
        bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..says.len()].copy_from_slice(says.as_bytes());
        self.combine(&mut words, &|_, a, b| a | b);
        let message = String::from_utf8_lossy(&bytemuck::cast_slice(&words)[..bytes]).into_owned();
        Some(RankError {
            rank: failed,
            message,
        })
    }
}
