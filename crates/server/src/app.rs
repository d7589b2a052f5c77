//! State shared by all requests: the tables, opened once each, and the limits on work and memory.
//!
//! Work runs on blocking threads, never on those that serve connections. Each kind of work has a
//! semaphore with a permit per concurrent request; the others wait, at most [`RequestLimits::patience`]
//! until their answers begin.
//! The limit on connections bounds the number that wait. When a client disconnects, its work is
//! finished and dropped before the permit is returned.

use super::error::ApiError;
use axum::body::Bytes;
use phutbase_ask::counts::WinCounts;
use phutbase_ask::sources::{AskError, Sources};
use phutbase_rules::rules::Rules;
use phutbase_tables::error::{TableError, WithoutPlaces};
use phutbase_tables::{NimberTable, SearchPath, Tablebase};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::collections::HashSet;
use std::num::NonZero;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Bytes for solved regions of Obstruction.
const OBSTRUCTION_BYTES: u64 = 16 << 20;
/// Bytes for the bodies of batches, from their arrival until they are answered.
const BODY_BYTES: usize = 32 << 20;
/// Bytes for answers longer than `SHORT_ANSWER` while they are sent.
const ANSWER_BYTES: usize = 12 << 20;
/// An answer up to this length is covered by the memory of its connection.
const SHORT_ANSWER: usize = 16 << 10;
/// The longest answer to one question: more than a strip of 1,000 squares with the boards after all
/// of its turns and a line of 4,096 turns, or one of 10,000 squares with its turns.
pub const MAX_ANSWER: usize = 5 << 18;
/// Distinct errors that are logged once each; later ones are logged every time.
const MAX_REMEMBERED_ERRORS: usize = 1000;

#[derive(Clone, Debug)]
pub struct RequestLimits {
    /// Number of single positions looked up concurrently.
    pub probes: usize,
    /// Maximum time that a request waits for a permit.
    pub patience: Duration,
    /// Maximum time of one answer's searches: Obstruction, turns that win at once, and positions of a
    /// number of plies.
    pub search_time: Duration,
    /// Maximum time for a body. A body of known length arrives at least as fast as the longest
    /// steady one.
    pub body_time: Duration,
    /// Maximum time between two parts of a body, and behind the steady rate.
    pub body_pause: Duration,
}

impl Default for RequestLimits {
    fn default() -> RequestLimits {
        RequestLimits {
            probes: available_parallelism().map_or(2, NonZero::get),
            patience: Duration::from_secs(10),
            search_time: Duration::from_secs(2),
            body_time: Duration::from_secs(30),
            body_pause: Duration::from_secs(3),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("cannot start the thread for Obstruction: {0}")]
    Thread(#[from] ThreadPoolBuildError),
}

/// The tables under some rules.
pub struct Variant {
    pub sources: Sources,
    /// The answer of `/api/stats` without boards.
    pub stats: OnceLock<Bytes>,
    /// The numbers of wins of strips, for lengths that no table holds.
    pub win_counts: OnceLock<WinCounts>,
}

pub struct App {
    /// The ordinary game, with the solved regions of Obstruction.
    pub ordinary: Variant,
    directional: Variant,
    pub boards: usize,
    /// A separate thread for searches in Obstruction, which would block rayon's global pool.
    pub searchers: ThreadPool,
    pub limits: RequestLimits,
    /// Single positions and files.
    pub probes: Arc<Semaphore>,
    /// Searches.
    pub searches: Arc<Semaphore>,
    /// Pieces of batches, and statistics.
    pub batches: Arc<Semaphore>,
    /// Memory for the bodies of batches.
    pub bodies: Arc<Semaphore>,
    answers: Arc<Semaphore>,
    logged: Mutex<HashSet<String>>,
}

impl App {
    /// Finds tables, which are opened on first use. Calls `skipped` for unusable tables.
    pub fn new(
        places: SearchPath,
        limits: RequestLimits,
        skipped: fn(&TableError),
    ) -> Result<App, StartError> {
        let search = |rules: Rules| {
            let tables = Tablebase::search_with(rules, places.clone(), skipped)?;
            // Of unpacked frames.
            let bytes = match rules {
                Rules::Ordinary => 64 << 20,
                Rules::Directional => 16 << 20,
            };
            Ok::<_, TableError>(tables.with_cache(bytes))
        };
        let game = |sources| Variant {
            sources,
            stats: OnceLock::new(),
            win_counts: OnceLock::new(),
        };
        let (tables, directional) = (search(Rules::Ordinary)?, search(Rules::Directional)?);
        let permits = |count| Arc::new(Semaphore::new(count));
        Ok(App {
            boards: tables.nimbers().map_or(0, NimberTable::len),
            ordinary: game(Sources::new(tables, OBSTRUCTION_BYTES).with_any_nimbers()),
            directional: game(Sources::new(directional, 0)),
            searchers: ThreadPoolBuilder::new().num_threads(1).build()?,
            probes: permits(limits.probes),
            searches: permits(1),
            batches: permits(1),
            bodies: permits(BODY_BYTES),
            answers: permits(ANSWER_BYTES),
            logged: Mutex::default(),
            limits,
        })
    }

    /// Returns the game under some rules; Obstruction and Oddish Phutball have ordinary ones only.
    pub fn under(&self, rules: Rules) -> &Variant {
        match rules {
            Rules::Ordinary => &self.ordinary,
            Rules::Directional => &self.directional,
        }
    }

    /// Runs `work` on a blocking thread when a permit of its kind is free.
    pub async fn work<T: Send + 'static>(
        &self,
        kind: &Arc<Semaphore>,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = self.wait_for(kind, 1).await?;
        work_with(permit, work).await
    }

    /// Runs `work` for an answer that has begun. Waits for a permit without a limit, because the
    /// answer can no longer be refused.
    pub async fn work_patiently<T: Send + 'static>(
        &self,
        kind: &Arc<Semaphore>,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = kind.clone().acquire_owned().await;
        work_with(permit.map_err(|_| ApiError::Busy)?, work).await
    }

    /// Waits for permits of a kind.
    pub async fn wait_for(
        &self,
        kind: &Arc<Semaphore>,
        count: usize,
    ) -> Result<OwnedSemaphorePermit, ApiError> {
        let count = u32::try_from(count).map_err(|_| ApiError::Busy)?;
        let permit = timeout(self.limits.patience, kind.clone().acquire_many_owned(count)).await;
        permit.map_err(|_| ApiError::Busy)?.map_err(|_| ApiError::Busy)
    }

    /// Reserves memory for a body without waiting.
    pub fn try_memory(&self, bytes: usize) -> Result<OwnedSemaphorePermit, ApiError> {
        try_permits(&self.bodies, bytes)
    }

    /// Reserves memory for an answer while it is sent, unless it is short.
    pub fn answer_memory(&self, bytes: usize) -> Result<Option<OwnedSemaphorePermit>, ApiError> {
        let is_long = bytes > SHORT_ANSWER;
        is_long.then(|| try_permits(&self.answers, bytes)).transpose()
    }

    /// Formats an error for the client, and logs it if it is the server's fault.
    pub fn describe(&self, error: &AskError) -> String {
        match error {
            AskError::Table(error) => self.describe_table(error),
            AskError::Stopped(_) => self.too_slow("'phutbase probe' has none"),
            error => error.to_string(),
        }
    }

    /// Formats the error of a search that reached the time limit.
    pub fn too_slow(&self, remedy: &str) -> String {
        format!(
            "not solved within {} s, which is this server's limit; {remedy}",
            self.limits.search_time.as_secs_f64()
        )
    }

    pub fn describe_table(&self, error: &TableError) -> String {
        if !matches!(error, TableError::Missing { .. } | TableError::TooManyJumps(_)) {
            self.log_once(&error.to_string());
        }
        WithoutPlaces(error).to_string()
    }

    fn log_once(&self, error: &str) {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if !logged.contains(error) {
            tracing::error!("{error}");
            if logged.len() < MAX_REMEMBERED_ERRORS {
                logged.insert(error.to_string());
            }
        }
    }

    pub fn refusal(&self, error: &AskError) -> ApiError {
        let text = self.describe(error);
        match error {
            error if error.is_missing() => ApiError::Missing(text),
            error if error.is_too_hard() => ApiError::TooHard(text),
            _ => ApiError::Internal(text),
        }
    }
}

/// Takes permits of a kind without waiting.
fn try_permits(kind: &Arc<Semaphore>, count: usize) -> Result<OwnedSemaphorePermit, ApiError> {
    let count = u32::try_from(count).map_err(|_| ApiError::Busy)?;
    (kind.clone().try_acquire_many_owned(count)).map_err(|_| ApiError::Busy)
}

/// Runs `work` on a blocking thread, then returns the permit.
async fn work_with<T: Send + 'static>(
    permit: OwnedSemaphorePermit,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(move || {
        let result = work();
        drop(permit);
        result
    });
    done.await.unwrap_or_else(|error| {
        tracing::error!("a request failed: {error}");
        Err(ApiError::Internal("the request failed".to_string()))
    })
}
