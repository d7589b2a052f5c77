//! Processes that share the work on a pitch, each with memory of its own.
//!
//! All of them run the same program and come to the same calls in the same order. [`Ranks`] is what carries messages; [`Team`] is what
//! engines use: it counts what is sent, and makes of messages what a team does together.

use std::fmt::{self, Debug};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What carries messages between processes.
pub trait Ranks: Debug + Send + Sync {
    /// The number of this process, from 0.
    fn rank(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// How many of them share the memory of this machine.
    fn beside(&self) -> usize;

    /// Sends words to some processes and fills others with what is received; between two processes messages keep their order. Who has to wait
    /// calls `pause` between two looks.
    fn exchange(
        &self,
        sends: &[(usize, &[u64])],
        receives: &mut [(usize, &mut [u64])],
        pause: &mut dyn FnMut(),
    );
}

/// How long who waits for a message sleeps between two looks: an eighth of the time that it has waited. So little is overslept, and long waits
/// cost little; MPI's own waiting would keep a core busy that others can use.
pub struct Naps(Instant);

/// The shortest and the longest nap.
const NAPS: [Duration; 2] = [Duration::from_micros(10), Duration::from_millis(1)];

impl Naps {
    /// Waiting begins now.
    pub fn begin() -> Naps {
        Naps(Instant::now())
    }

    /// Waiting begins now, and there is nothing else to do.
    pub fn sleeper() -> impl FnMut() {
        let naps = Naps::begin();
        move || std::thread::sleep(naps.next())
    }

    /// How long to sleep now.
    pub fn next(&self) -> Duration {
        (self.0.elapsed() / 8).clamp(NAPS[0], NAPS[1])
    }
}

/// What is there only if several processes may be: where the program is built for one alone, there is no such value, and all that several
/// would need is compiled to nothing.
#[derive(Clone, Copy, Debug)]
pub struct Several(Possible);

#[cfg(feature = "team")]
type Possible = ();
#[cfg(not(feature = "team"))]
type Possible = std::convert::Infallible;

/// What one process has sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// How many messages.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What a process has sent in a ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// All that it sent.
    pub sent: Sent,
    /// The bytes that the plan of the ply says: those of the blocks that others read of it, and of the maps.
    pub planned: u64,
}

/// What went wrong in another process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rank {rank}: {message}")]
pub struct Elsewhere {
    /// The number of the process.
    pub rank: usize,
    /// What it says.
    pub message: String,
}

/// What is wrong with something that all processes look at, such as a file: the first that finds it says what any would.
#[derive(Debug, thiserror::Error)]
pub enum InCommon<E: std::error::Error + 'static> {
    /// This process found it.
    #[error(transparent)]
    Here(E),
    /// Another one did.
    #[error("{}", .0.message)]
    Elsewhere(Elsewhere),
}

impl<E: std::error::Error> From<Elsewhere> for InCommon<E> {
    fn from(elsewhere: Elsewhere) -> InCommon<E> {
        InCommon::Elsewhere(elsewhere)
    }
}

impl Sent {
    /// What was sent since an earlier moment.
    pub fn since(self, earlier: Sent) -> Sent {
        Sent {
            messages: self.messages - earlier.messages,
            bytes: self.bytes - earlier.bytes,
        }
    }
}

struct Shared {
    ranks: Box<dyn Ranks>,
    messages: AtomicU64,
    bytes: AtomicU64,
    /// What each process has sent, ply by ply.
    moved: Mutex<Vec<Vec<Moved>>>,
}

/// The processes that share the work; this is one of them, or the only one.
#[derive(Clone)]
pub struct Team(Option<(Arc<Shared>, Several)>);

impl Debug for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank(), self.count())
    }
}

impl Team {
    /// This process alone.
    pub fn alone() -> Team {
        Team(None)
    }

    /// The processes that some carrier connects.
    #[cfg(feature = "team")]
    pub fn new(ranks: impl Ranks + 'static) -> Team {
        let shared = Shared {
            ranks: Box::new(ranks),
            messages: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            moved: Mutex::new(Vec::new()),
        };
        Team(Some((Arc::new(shared), Several(()))))
    }

    fn shared(&self) -> Option<&Shared> {
        self.0.as_ref().map(|(shared, _)| &**shared)
    }

    /// That several processes may be there.
    pub fn several(&self) -> Option<Several> {
        self.0.as_ref().map(|&(_, several)| several)
    }

    /// The number of this process, from 0.
    pub fn rank(&self) -> usize {
        self.shared().map_or(0, |shared| shared.ranks.rank())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.shared().map_or(1, |shared| shared.ranks.count())
    }

    /// Whether this is the one that speaks to the user and writes tables.
    pub fn is_first(&self) -> bool {
        self.rank() == 0
    }

    /// How many of them share the memory of this machine.
    pub fn beside(&self) -> usize {
        self.shared().map_or(1, |shared| shared.ranks.beside())
    }

    /// What this process has sent so far.
    pub fn sent(&self) -> Sent {
        self.shared().map_or(Sent::default(), |shared| Sent {
            messages: shared.messages.load(Ordering::Relaxed),
            bytes: shared.bytes.load(Ordering::Relaxed),
        })
    }

    /// Sends words to some processes and fills others with what is received.
    pub fn exchange(&self, sends: &[(usize, &[u64])], receives: &mut [(usize, &mut [u64])]) {
        self.exchange_with(sends, receives, &mut Naps::sleeper());
    }

    /// The same; who has to wait calls `pause` between two looks.
    pub fn exchange_with(
        &self,
        sends: &[(usize, &[u64])],
        receives: &mut [(usize, &mut [u64])],
        pause: &mut dyn FnMut(),
    ) {
        let Some(shared) = self.shared() else { return };
        let words: usize = sends.iter().map(|(_, words)| words.len()).sum();
        shared.messages.fetch_add(sends.len() as u64, Ordering::Relaxed);
        shared.bytes.fetch_add(8 * words as u64, Ordering::Relaxed);
        shared.ranks.exchange(sends, receives, pause);
    }

    /// Joins the words of all processes, place by place; `join` gets the place. All have the same words then.
    pub fn combine(&self, words: &mut [u64], join: &dyn Fn(usize, u64, u64) -> u64) {
        let (rank, count) = (self.rank(), self.count());
        if count == 1 {
            return;
        }
        // Up a tree to the first process, and down again.
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

    /// The greatest of what all say.
    pub fn greatest(&self, mine: u64) -> u64 {
        let mut word = [mine];
        self.combine(&mut word, &|_, a, b| a.max(b));
        word[0]
    }

    /// Whether any says so.
    pub fn any(&self, mine: bool) -> bool {
        self.greatest(mine.into()) == 1
    }

    /// What this process does of so much work: a part as large as those of the others, in their order.
    pub fn part(&self, of: u64) -> Range<u64> {
        let begin = |rank: usize| (u128::from(of) * rank as u128 / self.count() as u128) as u64;
        begin(self.rank())..begin(self.rank() + 1)
    }

    /// What all have, one after the other.
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

    /// What the first process says.
    pub fn told_by_first(&self, mine: u64) -> u64 {
        self.greatest(if self.is_first() { mine } else { 0 })
    }

    /// Puts together what each has sent, ply by ply.
    pub fn note(&self, mine: &[Moved]) {
        if self.several().is_none() {
            return;
        }
        let (rank, plies) = (self.rank(), mine.len());
        let mut words = vec![[0; 3]; self.count() * plies];
        for (word, moved) in words[rank * plies..].iter_mut().zip(mine) {
            *word = [moved.sent.messages, moved.sent.bytes, moved.planned];
        }
        self.combine(words.as_flattened_mut(), &|_, a, b| a | b);
        let moved = |&[messages, bytes, planned]: &[u64; 3]| Moved {
            sent: Sent { messages, bytes },
            planned,
        };
        let of_ranks = words
            .chunks(plies.max(1))
            .map(|plies| plies.iter().map(moved).collect());
        if let Some(shared) = self.shared() {
            *shared.moved.lock().expect("nobody panics with it") = of_ranks.collect();
        }
    }

    /// What each process has sent in each ply of the last work that was done.
    pub fn moved(&self) -> Vec<Vec<Moved>> {
        let moved = |shared: &Shared| shared.moved.lock().expect("nobody panics with it").clone();
        self.shared().map_or(Vec::new(), moved)
    }

    /// What this process has, if all others have it too; else its own error, or that of the first process that has one.
    ///
    /// # Errors
    /// If any process has one.
    pub fn agree<T, E: std::error::Error + From<Elsewhere>>(&self, mine: Result<T, E>) -> Result<T, E> {
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

    /// The same of something that all look at.
    ///
    /// # Errors
    /// If any process has one.
    pub fn agree_on<T, E: std::error::Error + 'static>(&self, mine: Result<T, E>) -> Result<T, InCommon<E>> {
        self.agree(mine.map_err(InCommon::Here))
    }

    /// What the first process says that has an error.
    fn first_fault(&self, says: Option<String>) -> Option<Elsewhere> {
        let (rank, count) = (self.rank(), self.count());
        let good = if says.is_none() { count } else { rank };
        let failed = count - self.greatest((count - good) as u64) as usize;
        if failed == count {
            return None;
        }
        // The others hear what it says.
        let says = says.filter(|_| failed == rank).unwrap_or_default();
        let bytes = self.greatest(says.len() as u64) as usize;
        let mut words = vec![0; bytes.div_ceil(8)];
        bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..says.len()].copy_from_slice(says.as_bytes());
        self.combine(&mut words, &|_, a, b| a | b);
        let message = String::from_utf8_lossy(&bytemuck::cast_slice(&words)[..bytes]).into_owned();
        Some(Elsewhere {
            rank: failed,
            message,
        })
    }
}
