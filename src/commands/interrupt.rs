//! Ctrl-C and SIGTERM: once for an orderly stop, twice to stop at once, which harms nothing.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What comes so soon after the first signal is the first once more: `timeout` sends it to the program, and then to its group.
const ONCE_MORE: Duration = Duration::from_millis(200);

/// The flag that the first signal sets; `promise` is said then on stderr.
pub fn flag(promise: &'static str) -> &'static AtomicBool {
    static FLAG: AtomicBool = AtomicBool::new(false);
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        // Without a handler the first signal ends the program at once, and only what was not saved is lost.
        let _ = ctrlc::set_handler(move || {
            static FIRST: OnceLock<Instant> = OnceLock::new();
            if FLAG.swap(true, Ordering::Relaxed) {
                if FIRST.get_or_init(Instant::now).elapsed() < ONCE_MORE {
                    return;
                }
                crate::engine::client::end_all();
                std::process::exit(130);
            }
            FIRST.get_or_init(Instant::now);
            if super::team::is_spoken_for() {
                return;
            }
            let _ = writeln!(std::io::stderr(), "{promise}; press Ctrl-C again to stop at once");
        });
    });
    &FLAG
}

/// Whether work goes on that such a flag ends.
pub fn flow(stop: &AtomicBool) -> ControlFlow<()> {
    match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}
