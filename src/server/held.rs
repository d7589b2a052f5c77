//! What clients hold of the server: a connection, memory for a body on its way in, an answer on its way out. There is room for so many, and
//! whoever makes progress keeps what he has; when there is no room, the one that has made none for the longest time loses it. So those who
//! do not read or write hold nobody up.

use super::error::ApiError;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long a client that holds what others want may make no progress: one piece of a body, say.
const IDLE: Duration = Duration::from_millis(250);
/// How long others wait for it.
const PATIENCE: Duration = Duration::from_millis(600);
/// The time between two looks.
const PAUSE: Duration = Duration::from_millis(25);

/// Of a lock: those who hold it only look, and move.
const WHOLE: &str = "nobody panics while holding it";

/// Something that a client holds until it is taken away.
#[derive(Debug)]
pub struct Held<T>(Mutex<(Option<T>, Instant)>);

impl<T> Held<T> {
    fn lock(&self) -> MutexGuard<'_, (Option<T>, Instant)> {
        self.0.lock().expect(WHOLE)
    }

    /// Does something with it that may be progress; `None` if it was taken away.
    pub fn step<R>(&self, progress: bool, step: impl FnOnce(&mut T) -> R) -> Option<R> {
        let (content, moved) = &mut *self.lock();
        if progress {
            *moved = Instant::now();
        }
        content.as_mut().map(step)
    }

    /// Does something with it that is progress; `None` if it was taken away.
    pub fn progress<R>(&self, step: impl FnOnce(&mut T) -> R) -> Option<R> {
        self.step(true, step)
    }

    /// Takes it away.
    pub fn take(&self) -> Option<T> {
        self.lock().0.take()
    }
}

/// All that is held of one kind.
#[derive(Debug)]
pub struct Holders<T>(Mutex<Vec<Weak<Held<T>>>>);

impl<T> Default for Holders<T> {
    fn default() -> Holders<T> {
        Holders(Mutex::new(Vec::new()))
    }
}

impl<T> Holders<T> {
    /// Gives something to a client.
    pub fn hold(&self, content: T) -> Arc<Held<T>> {
        let held = Arc::new(Held(Mutex::new((Some(content), Instant::now()))));
        let mut all = self.0.lock().expect(WHOLE);
        all.retain(|held| held.strong_count() > 0);
        all.push(Arc::downgrade(&held));
        held
    }

    fn all(&self) -> Vec<Arc<Held<T>>> {
        let all = self.0.lock().expect(WHOLE);
        all.iter().filter_map(Weak::upgrade).collect()
    }

    /// Takes away what has made no progress for the longest time, if that is so long; whether there was any.
    pub fn displace(&self, idle: Duration) -> bool {
        let all = self.all();
        let moved = |held: &&Arc<Held<T>>| held.lock().1;
        let held = all.iter().filter(|held| held.lock().0.is_some());
        let longest = held
            .min_by_key(moved)
            .filter(|held| moved(held).elapsed() >= idle);
        longest.is_some_and(|held| held.take().is_some())
    }

    /// Takes what has limits; where there is none, waits a little for somebody to lose it.
    pub async fn make_room<R>(
        &self,
        mut attempt: impl FnMut() -> Result<R, ApiError>,
    ) -> Result<R, ApiError> {
        let begun = Instant::now();
        loop {
            match attempt() {
                Err(ApiError::Busy) if begun.elapsed() < PATIENCE => {
                    if !self.displace(IDLE) {
                        sleep(PAUSE).await;
                    }
                }
                result => return result,
            }
        }
    }
}
