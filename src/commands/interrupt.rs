//! Ctrl-C and SIGTERM: the first asks for an orderly stop, the second exits at once.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Signals within this time count as one: `timeout` signals the program, then its group.
const REPEAT_INTERVAL: Duration = Duration::from_millis(200);

/// Returns the flag that the first signal sets; `promise` is then written to stderr.
pub fn flag(promise: &'static str) -> &'static AtomicBool {
    static FLAG: AtomicBool = AtomicBool::new(false);
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        // Without a handler the first signal ends the program at once, and unsaved work is lost.
        let _ = ctrlc::set_handler(move || {
            static FIRST: OnceLock<Instant> = OnceLock::new();
            if FLAG.swap(true, Ordering::Relaxed) {
                if FIRST.get_or_init(Instant::now).elapsed() < REPEAT_INTERVAL {
                    return;
                }
                crate::engine::kill::end_all();
                let _no_output = crate::disk::remove_unfinished();
                std::process::exit(130);
            }
            FIRST.get_or_init(Instant::now);
            if super::team::another_process_reports() {
                return;
            }
            let _ = writeln!(std::io::stderr(), "{promise}; press Ctrl-C again to stop at once");
        });
    });
    &FLAG
}

pub fn flow(stop: &AtomicBool) -> ControlFlow<()> {
    if stop.load(Ordering::Relaxed) {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}
