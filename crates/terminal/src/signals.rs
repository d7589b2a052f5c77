//! Signals that the parent of the program had ignored: SIGHUP by `nohup`, SIGINT by the `&` of a
//! script. They stay ignored.

use libc::{SIG_IGN, SIGABRT, SIGHUP, SIGINT, SIGTERM, c_int};

/// Sets handlers, and ignores the signals again that were ignored before.
#[allow(unsafe_code)]
pub fn keep_ignored(set_handlers: impl FnOnce()) {
    let mut ignored = vec![SIGHUP, SIGINT, SIGTERM, SIGABRT];
    ignored.retain(|&signal| is_ignored(signal));
    set_handlers();
    for signal in ignored {
        // SAFETY: no code of the program runs when the signal arrives.
        unsafe { libc::signal(signal, SIG_IGN) };
    }
}

#[allow(unsafe_code)]
fn is_ignored(signal: c_int) -> bool {
    // SAFETY: zeros are a valid action. Without a new one the call only stores the present one.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0 && action.sa_sigaction == SIG_IGN
    }
}
