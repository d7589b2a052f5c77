//! A long run: how far it is, whether it must stop, and what a checkpoint holds.
//!
//! Work that takes long takes a [`Job`] and calls [`Job::step`], which fails with [`Stopped`] once
//! the job must stop. The program shows the job of a run with one monitor (`terminal::monitor`); the
//! server and Python give jobs a deadline.

use crate::fault::{Fault, Kind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The reason why work ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// [`Job::stop`] was called.
    #[error("the work was stopped")]
    Interrupted,
    /// The job reached its deadline.
    #[error("out of time")]
    OutOfTime,
}

impl Fault for Stopped {
    fn kind(&self) -> Kind<'_> {
        match self {
            Stopped::Interrupted => Kind::Interrupted,
            Stopped::OutOfTime => Kind::Failure,
        }
    }

    fn message(&self) -> String {
        format!("{self}; allow more with --time")
    }
}

/// A long run. Clones share its progress and its stop flag; each has its own limits. The default
/// has no limits and is never stopped.
#[derive(Clone, Debug, Default)]
pub struct Job {
    run: Arc<Run>,
    deadline: Option<Instant>,
    memory: Option<u64>,
}

#[derive(Debug, Default)]
struct Run {
    stop: AtomicBool,
    done: AtomicU64,
    /// Steps after which the job stops; 0 for no limit.
    steps_left: AtomicU64,
    progress: Mutex<Progress>,
}

/// The progress of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The name of the work.
    pub title: String,
    /// The beginning of the work; `None` while there is none.
    pub begun: Option<Instant>,
    /// The unit of `total` and `done`, in the plural.
    pub unit: &'static str,
    /// The amount of work; 0 if unknown.
    pub total: u64,
    /// The amount of work done.
    pub done: u64,
    /// The last step; empty before the first.
    pub note: String,
    /// True if that step is complete.
    pub is_complete: bool,
    /// True if the work began from a checkpoint.
    pub is_resumed: bool,
    /// The resources that the work will need; `None` if unknown.
    pub need: Option<Need>,
    /// The last step that a checkpoint holds; `None` without a checkpoint.
    pub saved: Option<String>,
}

/// The resources that a job needs, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Main memory.
    pub memory: u64,
    /// True if this is only a limit, because the need is unknown.
    pub is_limit: bool,
    /// Space in the scratch directory.
    pub scratch: u64,
    /// Space in the directory of the results.
    pub disk: u64,
}

impl Job {
    /// This job with a time limit from now on, if there is one, besides its own.
    #[must_use]
    pub fn within(&self, time: impl Into<Option<Duration>>) -> Job {
        // A time too long to be represented does not limit.
        let end = time.into().and_then(|time| Instant::now().checked_add(time));
        let deadline = self.deadline.into_iter().chain(end).min();
        Job {
            deadline,
            ..self.clone()
        }
    }

    /// This job with a memory limit in bytes; `None` for the free memory.
    #[must_use]
    pub fn with_memory(&self, memory: Option<u64>) -> Job {
        Job {
            memory,
            ..self.clone()
        }
    }

    /// The memory limit in bytes; `None` for the free memory.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// This job, which stops at its `steps`-th step.
    #[must_use]
    pub fn stopping_at_step(self, steps: u64) -> Job {
        self.run.steps_left.store(steps, Ordering::Relaxed);
        self
    }

    /// Makes the job stop.
    pub fn stop(&self) {
        self.run.stop.store(true, Ordering::Relaxed);
    }

    /// True if [`stop`](Job::stop) was called.
    pub fn is_stopped(&self) -> bool {
        self.run.stop.load(Ordering::Relaxed)
    }

    /// Fails with [`Stopped`] if the job must stop.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() {
            Err(Stopped::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Err(Stopped::OutOfTime)
        } else {
            Ok(())
        }
    }

    fn progress_mut(&self) -> MutexGuard<'_, Progress> {
        self.run.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins work with a title.
    pub fn begin(&self, title: impl Into<String>) {
        self.run.done.store(0, Ordering::Relaxed);
        *self.progress_mut() = Progress {
            title: title.into(),
            begun: Some(Instant::now()),
            ..Progress::default()
        };
    }

    /// Ends the work; what it did remains known.
    pub fn end(&self) {
        self.progress_mut().begun = None;
    }

    /// Forgets work that is complete.
    pub fn clear(&self) {
        *self.progress_mut() = Progress::default();
    }

    /// Sets the amount of work and its unit; 0 for an unknown amount.
    pub fn expect(&self, total: u64, unit: &'static str) {
        let mut progress = self.progress_mut();
        (progress.total, progress.unit) = (total, unit);
    }

    /// Sets the resources that the work will need.
    pub fn need(&self, need: Need) {
        self.progress_mut().need = Some(need);
    }

    fn set_note(&self, note: String, is_complete: bool) {
        let mut progress = self.progress_mut();
        (progress.note, progress.is_complete) = (note, is_complete);
    }

    /// Reports a complete step, and returns [`Stopped`] if no other may follow.
    pub fn step(&self, done: u64, note: impl Into<String>) -> Result<(), Stopped> {
        self.report(done, note);
        self.check()
    }

    /// Reports a complete step: the amount of work done so far, and its name.
    pub fn report(&self, done: u64, note: impl Into<String>) {
        self.set_done(done);
        self.set_note(note.into(), true);
        if self.run.steps_left.load(Ordering::Relaxed) > 0
            && self.run.steps_left.fetch_sub(1, Ordering::Relaxed) == 1
        {
            self.stop();
        }
    }

    /// Reports the step that begins.
    pub fn note(&self, note: impl Into<String>) -> Result<(), Stopped> {
        self.set_note(note.into(), false);
        self.check()
    }

    /// Reports more work done.
    pub fn advance(&self, more: u64) -> Result<(), Stopped> {
        self.run.done.fetch_add(more, Ordering::Relaxed);
        self.check()
    }

    /// Reports the amount of work done so far, within a step.
    pub fn set_done(&self, done: u64) {
        self.run.done.store(done, Ordering::Relaxed);
    }

    /// Reports that a checkpoint holds the work up to a step.
    pub fn save(&self, place: impl Into<String>) {
        self.progress_mut().saved = Some(place.into());
    }

    /// Reports that the work resumes from a checkpoint, which holds it up to a step.
    pub fn resume(&self, place: impl Into<String>) {
        let mut progress = self.progress_mut();
        (progress.note, progress.is_complete) = (place.into(), true);
        progress.saved = Some(progress.note.clone());
        progress.is_resumed = true;
    }

    /// The progress.
    pub fn progress(&self) -> Progress {
        Progress {
            done: self.run.done.load(Ordering::Relaxed),
            ..self.progress_mut().clone()
        }
    }
}
