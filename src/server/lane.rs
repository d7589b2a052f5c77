//! Lanes: work of one kind, bounded, on threads of its own.
//!
//! A lane has *places*: a request that finds none is refused at once (429), so what waits is bounded, and with it memory. Those that
//! have a place take turns at the lane's *workers*. The work itself runs on a blocking thread, never on those that serve connections;
//! when a client goes away, its work is finished and thrown away, and its worker is free only then.

use super::error::ApiError;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long a request waits for a worker.
const PATIENCE: Duration = Duration::from_secs(10);

/// Work of one kind.
#[derive(Debug)]
pub struct Lane {
    places: Arc<Semaphore>,
    workers: Arc<Semaphore>,
}

/// Memory for bodies on their way in, taken as they arrive.
#[derive(Debug)]
pub struct Uploads(Arc<Semaphore>);

impl Uploads {
    /// So many bytes in all.
    pub fn new(bytes: usize) -> Uploads {
        Uploads(Arc::new(Semaphore::new(bytes)))
    }

    /// Takes some of them.
    ///
    /// # Errors
    /// [`ApiError::Busy`] if there are not so many left.
    pub fn take(&self, bytes: usize) -> Result<OwnedSemaphorePermit, ApiError> {
        let bytes = u32::try_from(bytes).map_err(|_| ApiError::Busy)?;
        (self.0.clone().try_acquire_many_owned(bytes)).map_err(|_| ApiError::Busy)
    }
}

/// A place in a lane, given back when it is dropped.
#[derive(Debug)]
pub struct Place {
    _place: OwnedSemaphorePermit,
    workers: Arc<Semaphore>,
}

impl Lane {
    /// A lane with so many places, waiting and working, and so many workers.
    pub fn new(places: usize, workers: usize) -> Lane {
        Lane {
            places: Arc::new(Semaphore::new(places)),
            workers: Arc::new(Semaphore::new(workers)),
        }
    }

    /// Takes a place.
    ///
    /// # Errors
    /// [`ApiError::Busy`] if there is none.
    pub fn enter(&self) -> Result<Place, ApiError> {
        let place = self.places.clone().try_acquire_owned();
        Ok(Place {
            _place: place.map_err(|_| ApiError::Busy)?,
            workers: self.workers.clone(),
        })
    }

    /// Takes a place for as long as the work needs.
    ///
    /// # Errors
    /// As [`enter`](Lane::enter) and [`Place::work`].
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let place = self.enter()?;
        place.work(work).await
    }
}

impl Place {
    /// Does some work when it is this place's turn.
    ///
    /// # Errors
    /// [`ApiError::Busy`] if the turn does not come; those of `work`.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let turn = tokio::time::timeout(PATIENCE, self.workers.clone().acquire_owned()).await;
        let Ok(Ok(worker)) = turn else {
            return Err(ApiError::Busy);
        };
        let done = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(worker);
            result
        });
        done.await
            .unwrap_or_else(|error| Err(ApiError::Internal(format!("the work was not finished: {error}"))))
    }
}
