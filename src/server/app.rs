//! What all requests share: the tables, opened once each, and the bounds on work and memory.
//!
//! Work runs on blocking threads, never on those that serve connections. Each kind of work has a semaphore with a permit for each
//! request that may be at work; the others wait, at most [`Bounds::patience`]. Waiting requests are bounded by the connections.
//! When a client goes away, its work is finished and dropped, and only then the permit is returned.

use super::error::ApiError;
use crate::answer::sources::{AskError, Sources};
use crate::games::rules::Rules;
use crate::table::error::{TableError, WithoutPlaces};
use crate::table::nimbers::NimberTable;
use crate::table::places::Places;
use crate::table::tablebase::Tablebase;
use axum::body::Bytes;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::collections::HashSet;
use std::num::NonZero;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Bytes of unpacked frames that the tables of each game keep: ordinary, directional.
const CACHE_BYTES: [usize; 2] = [64 << 20, 16 << 20];
/// Bytes for regions of Obstruction that were solved.
const OBSTRUCTION_BYTES: u64 = 16 << 20;
/// Bytes for the bodies of batches, from their arrival until they are answered.
const BODY_BYTES: usize = 32 << 20;
/// Bytes for answers longer than `SHORT_ANSWER` that are being sent.
const ANSWER_BYTES: usize = 12 << 20;
/// An answer up to this length is covered by the memory of its connection.
const SHORT_ANSWER: usize = 16 << 10;
/// The longest answer to one question.
pub const MAX_ANSWER: usize = 1 << 20;
/// Distinct errors that are logged once each; later ones are logged every time.
const MAX_REMEMBERED_ERRORS: usize = 1000;

/// Bounds on the work of a server.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Single positions that are looked up at a time.
    pub probes: usize,
    /// The time that a request waits for its turn.
    pub patience: Duration,
    /// The time of a search in Obstruction.
    pub search_time: Duration,
    /// The time that a body may take to arrive.
    pub body_time: Duration,
    /// The time between two parts of it.
    pub body_pause: Duration,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            probes: available_parallelism().map_or(2, NonZero::get),
            patience: Duration::from_secs(10),
            search_time: Duration::from_secs(2),
            body_time: Duration::from_secs(30),
            body_pause: Duration::from_secs(3),
        }
    }
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A directory or a table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The system refuses a thread.
    #[error("cannot start the thread for Obstruction: {0}")]
    Thread(#[from] ThreadPoolBuildError),
}

/// The tables and the bounds.
pub struct App {
    /// The tables of the ordinary game, and the solved regions of Obstruction.
    pub sources: Sources,
    /// The tables under directional rules.
    directional: Sources,
    /// The number of Obstruction's boards in the table.
    pub boards: usize,
    /// The thread for searches in Obstruction, which would block rayon's own threads.
    pub searchers: ThreadPool,
    /// The bounds on time.
    pub bounds: Bounds,
    /// Single positions and files.
    pub probes: Arc<Semaphore>,
    /// Searches.
    pub searches: Arc<Semaphore>,
    /// Pieces of batches.
    pub batches: Arc<Semaphore>,
    /// Bytes for the bodies of batches.
    bodies: Arc<Semaphore>,
    /// Bytes for long answers.
    answers: Arc<Semaphore>,
    /// The answers of `/api/stats` without boards, by rules.
    pub stats: [OnceLock<Bytes>; 2],
    /// Errors that were logged.
    logged: Mutex<HashSet<String>>,
}

impl App {
    /// Looks for tables, which are opened at the first question. Calls `skipped` for tables that cannot be used.
    ///
    /// # Errors
    /// [`StartError`] if a directory cannot be read.
    pub fn new(places: Places, bounds: Bounds, skipped: fn(&TableError)) -> Result<App, StartError> {
        let search = |rules: Rules| {
            let tables = Tablebase::search_with(rules, places.clone(), skipped)?;
            Ok::<_, TableError>(tables.with_cache(CACHE_BYTES[rules as usize]))
        };
        let (tables, directional) = (search(Rules::Ordinary)?, search(Rules::Directional)?);
        let permits = |count| Arc::new(Semaphore::new(count));
        Ok(App {
            boards: tables.nimbers().map_or(0, NimberTable::len),
            sources: Sources::new(tables, OBSTRUCTION_BYTES).with_any_nimbers(),
            directional: Sources::new(directional, 0),
            searchers: ThreadPoolBuilder::new().num_threads(1).build()?,
            probes: permits(bounds.probes),
            searches: permits(1),
            batches: permits(1),
            bodies: permits(BODY_BYTES),
            answers: permits(ANSWER_BYTES),
            stats: Default::default(),
            logged: Mutex::default(),
            bounds,
        })
    }

    /// The sources under some rules; Obstruction and Oddish Phutball have the ordinary ones.
    pub fn under(&self, rules: Rules) -> &Sources {
        match rules {
            Rules::Ordinary => &self.sources,
            Rules::Directional => &self.directional,
        }
    }

    /// Runs `work` on a blocking thread when one of the permits of its kind is free.
    ///
    /// # Errors
    /// [`ApiError::Busy`] if none is free in time; those of `work`.
    pub async fn work<T: Send + 'static>(
        &self,
        kind: &Arc<Semaphore>,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = self.wait_for(kind, 1).await?;
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

    /// Reserves memory for a part of a batch's body, when there is some.
    ///
    /// # Errors
    /// [`ApiError::Busy`] if there is none in time.
    pub async fn body_memory(&self, bytes: usize) -> Result<OwnedSemaphorePermit, ApiError> {
        self.wait_for(&self.bodies, bytes).await
    }

    async fn wait_for(&self, kind: &Arc<Semaphore>, count: usize) -> Result<OwnedSemaphorePermit, ApiError> {
        let count = u32::try_from(count).map_err(|_| ApiError::Busy)?;
        let permit = timeout(self.bounds.patience, kind.clone().acquire_many_owned(count)).await;
        permit.map_err(|_| ApiError::Busy)?.map_err(|_| ApiError::Busy)
    }

    /// Reserves memory for an answer while it is sent, unless it is short.
    ///
    /// # Errors
    /// [`ApiError::Busy`] if there is none.
    pub fn answer_memory(&self, bytes: usize) -> Result<Option<OwnedSemaphorePermit>, ApiError> {
        if bytes <= SHORT_ANSWER {
            return Ok(None);
        }
        let count = u32::try_from(bytes).map_err(|_| ApiError::Busy)?;
        let permit = self.answers.clone().try_acquire_many_owned(count);
        permit.map(Some).map_err(|_| ApiError::Busy)
    }

    /// Returns the error of a question as its client reads it, and logs it if the server is at fault.
    pub fn describe(&self, error: &AskError) -> String {
        match error {
            AskError::Table(error) => self.describe_table(error),
            error => error.to_string(),
        }
    }

    /// As [`describe`](App::describe), for an error of a table.
    pub fn describe_table(&self, error: &TableError) -> String {
        if !matches!(error, TableError::Missing { .. } | TableError::TooManyJumps(_)) {
            self.log_once(&error.to_string());
        }
        WithoutPlaces(error).to_string()
    }

    /// Logs an error the first time that it occurs.
    fn log_once(&self, error: &str) {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if !logged.contains(error) {
            tracing::error!("{error}");
            if logged.len() < MAX_REMEMBERED_ERRORS {
                logged.insert(error.to_string());
            }
        }
    }

    /// The refusal of a question.
    pub fn refusal(&self, error: &AskError) -> ApiError {
        let text = self.describe(error);
        match error {
            error if error.is_missing() => ApiError::Missing(text),
            error if error.is_too_hard() => ApiError::TooHard(text),
            _ => ApiError::Internal(text),
        }
    }
}
