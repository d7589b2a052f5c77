//! Progress bars on stderr; nothing at all when stderr is not a terminal.

use super::interrupt;
use super::output::CommandError;
use crate::theory::watch::Watch;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How often what is shown moves, even if the work does not.
const TICK: Duration = Duration::from_millis(200);

/// A bar that counts up to `total`.
pub fn bar(total: u64) -> ProgressBar {
    let template = "{prefix} {wide_bar:.green} {percent:>3}%  {msg}  {elapsed_precise}, {eta_precise} to go";
    moving(ProgressBar::new(total), template)
}

/// A line that tells what goes on, where nobody knows how much is to come.
pub fn spinner() -> ProgressBar {
    let template = "{prefix} {spinner}  {msg}  {elapsed_precise}";
    moving(ProgressBar::new_spinner(), template)
}

fn moving(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(TICK);
    bar
}

/// Shows a counter that other threads advance, while `work` runs, with what is being done when the counter stands there. `interrupted` is
/// asked all the while, and may end the program: only for work that leaves nothing behind.
pub fn watch<T: Send>(
    bar: &ProgressBar,
    counter: &AtomicU64,
    step: impl Fn(u64) -> String,
    interrupted: impl Fn(u64),
    work: impl FnOnce() -> T + Send,
) -> T {
    std::thread::scope(|scope| {
        let worker = scope.spawn(work);
        while !worker.is_finished() {
            let done = counter.load(Ordering::Relaxed);
            interrupted(done);
            bar.set_position(done);
            bar.set_message(step(done));
            std::thread::park_timeout(Duration::from_millis(50));
        }
        bar.finish_and_clear();
        worker
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Runs some work with a line that tells what goes on under a title, and lets a signal stop it; so many bytes of memory may be used, or what
/// is free.
// The program has it once for each result, not at every call.
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
