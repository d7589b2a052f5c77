//! Progress bars on stderr; nothing at all when stderr is not a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A bar that counts up to `total`.
pub fn bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let template = "{prefix} {wide_bar:.green} {percent:>3}%  {msg}  {elapsed_precise}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// A line that tells what goes on, where nobody knows how much is to come.
pub fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{prefix} {spinner}  {msg}  {elapsed_precise}") {
        bar.set_style(style);
    }
    bar
}

/// Shows a counter that other threads advance, while `work` runs.
pub fn watch<T: Send>(bar: &ProgressBar, counter: &AtomicU64, work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = scope.spawn(work);
        while !worker.is_finished() {
            bar.set_position(counter.load(Ordering::Relaxed));
            std::thread::park_timeout(Duration::from_millis(50));
        }
        bar.finish_and_clear();
        worker
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
