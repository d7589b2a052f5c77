//! What all requests share: the tables, opened once each, and the lanes.

use super::batch::{Answer, Body};
use super::error::ApiError;
use super::held::Holders;
use super::lane::{Lane, Uploads};
use crate::answer::sources::{AskError, Sources};
use crate::games::rules::Rules;
use crate::table::error::TableError;
use crate::table::nimbers::NimberTable;
use crate::table::places::Places;
use crate::table::tablebase::Tablebase;
use axum::body::Bytes;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::num::NonZero;
use std::sync::OnceLock;
use std::thread::available_parallelism;
use std::time::Duration;

/// Bytes of unpacked frames that the tables under either rules keep.
const CACHE_BYTES: usize = 64 << 20;
/// Bodies of batches on their way in.
const UPLOAD_BYTES: usize = 64 << 20;
/// Memory for remembered regions of Obstruction.
const OBSTRUCTION_BYTES: u64 = 64 << 20;

/// What the server allows itself.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Requests for single positions that may wait or be at work.
    pub quick_places: usize,
    /// Those at work.
    pub quick_workers: usize,
    /// Batches in memory; one is at work, on all cores.
    pub batch_places: usize,
    /// Searches in Obstruction that may wait; one is at work, on one thread.
    pub hard_places: usize,
    /// The time of such a search.
    pub hard_time: Duration,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            quick_places: 512,
            quick_workers: available_parallelism().map_or(2, NonZero::get),
            batch_places: 4,
            hard_places: 8,
            hard_time: Duration::from_secs(2),
        }
    }
}

/// Why a server cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// What is wrong with the directory or a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The system gives no thread.
    #[error("cannot start the thread for Obstruction: {0}")]
    Thread(#[from] ThreadPoolBuildError),
}

/// The tables and the lanes.
pub struct App {
    /// The tables of the ordinary game, and what was found of Obstruction.
    pub sources: Sources,
    /// The tables under directional rules.
    directional: Sources,
    /// The number of Obstruction's boards in the table.
    pub boards: usize,
    /// The thread for its searches: those on rayon's own would hold up everything else.
    pub searchers: ThreadPool,
    /// The time of a search.
    pub hard_time: Duration,
    /// Single positions.
    pub quick: Lane,
    /// Batches.
    pub batch: Lane,
    /// Bodies of batches that are not complete yet.
    pub uploads: Uploads,
    /// Those who send them.
    pub(super) bodies: Holders<Body>,
    /// Answers to batches that are not sent yet.
    pub(super) answers: Holders<Answer>,
    /// Searches.
    pub hard: Lane,
    /// The answers of `/api/stats`, by rules.
    pub stats: [OnceLock<Bytes>; 2],
}

impl App {
    /// Looks which tables there are; they are opened when they are first asked. `skipped` hears of tables that cannot be used.
    ///
    /// # Errors
    /// [`StartError`] if a directory cannot be read.
    pub fn new(places: Places, bounds: &Bounds, skipped: fn(&TableError)) -> Result<App, StartError> {
        let search = |rules| {
            let tables = Tablebase::search_with(rules, places.clone(), skipped)?;
            Ok::<_, TableError>(tables.with_cache(CACHE_BYTES))
        };
        let (tables, directional) = (search(Rules::Ordinary)?, search(Rules::Directional)?);
        Ok(App {
            boards: tables.nimbers().map_or(0, NimberTable::len),
            sources: Sources::new(tables, OBSTRUCTION_BYTES).with_any_nimbers(),
            directional: Sources::new(directional, 0),
            searchers: ThreadPoolBuilder::new().num_threads(1).build()?,
            hard_time: bounds.hard_time,
            quick: Lane::new(bounds.quick_places, bounds.quick_workers),
            batch: Lane::new(bounds.batch_places, 1),
            uploads: Uploads::new(UPLOAD_BYTES),
            bodies: Holders::default(),
            answers: Holders::default(),
            hard: Lane::new(bounds.hard_places, 1),
            stats: Default::default(),
        })
    }

    /// What answers under some rules; Obstruction and Oddish Phutball have the ordinary ones.
    pub fn under(&self, rules: Rules) -> &Sources {
        match rules {
            Rules::Ordinary => &self.sources,
            Rules::Directional => &self.directional,
        }
    }

    /// What is wrong, without the names of directories: they are nobody's business but the server's.
    pub fn told(&self, error: &dyn std::fmt::Display) -> String {
        let places = self.sources.tables.places();
        let told = error
            .to_string()
            .replace(&places.to_string(), "the server's tables");
        (places.directories().iter()).fold(told, |told, place| {
            let directory = place.directory.display().to_string();
            (told.replace(&format!("{directory}/"), "")).replace(&format!("'{directory}'"), "DIR")
        })
    }

    /// The refusal of a question.
    pub fn refusal(&self, error: &AskError) -> ApiError {
        let told = self.told(error);
        match error {
            error if error.is_missing() => ApiError::Missing(told),
            error if error.is_too_hard() => ApiError::TooHard(told),
            _ => ApiError::Internal(told),
        }
    }
}
