//! Progress bars on stderr, if it is a terminal.

use super::interrupt;
use super::output::{CommandError, is_quiet};
use super::threads;
use crate::theory::watch::Watch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const REFRESH_INTERVAL: Duration = Duration::from_millis(200);

pub fn bar(total: u64) -> ProgressBar {
    let template = "{prefix} {wide_bar:.green} {percent:>3}%  {msg}  {elapsed_precise}, {eta_precise} to go";
    moving(ProgressBar::new(total), template)
}

/// Creates a line of progress for work of unknown length.
pub fn spinner() -> ProgressBar {
    let template = "{prefix} {spinner}  {msg}  {elapsed_precise}";
    moving(ProgressBar::new_spinner(), template)
}

fn moving(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if is_quiet() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    // The ticks come from a separate thread.
    if !bar.is_hidden() && threads::check(1).is_ok() {
        bar.enable_steady_tick(REFRESH_INTERVAL);
    }
    bar
}

/// Shows `done`, which other threads advance, while `work` runs. `interrupted` is polled and may
/// exit the program, so it is only for work that leaves nothing behind.
pub fn watch<T: Send>(
    bar: &ProgressBar,
    counter: &AtomicU64,
    step: impl Fn(u64) -> String,
    interrupted: impl Fn(u64),
    work: impl FnOnce() -> T + Send,
) -> Result<T, CommandError> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().spawn_scoped(scope, work);
        let worker = worker.map_err(|error| threads::refused(&error))?;
        while !worker.is_finished() {
            let done = counter.load(Ordering::Relaxed);
            interrupted(done);
            bar.set_position(done);
            bar.set_message(step(done));
            std::thread::park_timeout(Duration::from_millis(50));
        }
        bar.finish_and_clear();
        let done = worker.join();
        Ok(done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Runs work that a signal can stop, with a line of progress under a title. `memory` is the limit
/// in bytes; `None` for what is free.
// Not inlined: one copy per result type keeps the program small.
#[inline(never)]
pub fn watched<T>(
    title: String,
    memory: Option<u64>,
    work: impl FnOnce(Watch<'_>) -> Result<T, CommandError>,
) -> Result<T, CommandError> {
    let line = spinner();
    line.set_prefix(title);
    let say = |what: String| {
        line.set_message(what);
        line.tick();
    };
    let done = work(Watch {
        stop: interrupt::flag("stopping"),
        say: &say,
        memory,
    });
    line.finish_and_clear();
    done
}
