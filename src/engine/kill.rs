//! Kills engines and all their descendants, including those outside the process group or session.
//!
//! Each engine gets a unique environment variable, which its child processes inherit.

use std::ffi::OsString;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

const VARIABLE: &str = "PHUTBASE_ENGINE";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The process group, once the engine runs.
    group: u32,
    value: String,
}

impl Mark {
    /// Prepares a command: the engine leads a process group and is killed when this process ends.
    pub fn prepare(command: &mut Command) -> Mark {
        static ENGINES: AtomicUsize = AtomicUsize::new(0);
        let number = ENGINES.fetch_add(1, Ordering::Relaxed);
        let value = format!("{}-{number}", std::process::id());
        command.env(VARIABLE, &value);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(target_os = "linux")]
        tie_to_parent(command);
        Mark { group: 0, value }
    }

    pub fn started(&mut self, engine: &Child) {
        self.group = engine.id();
        running(|marks| marks.push(self.clone()));
    }

    pub fn end(&self, engine: &mut Child) {
        end(std::slice::from_ref(self));
        let _ = engine.kill();
        let _ = engine.wait();
        running(|marks| marks.retain(|mark| mark != self));
    }
}

/// Kills all running engines. Call it before an exit that does not drop the clients.
pub fn end_all() {
    running(|marks| end(marks));
}

fn running<T>(with: impl FnOnce(&mut Vec<Mark>) -> T) -> T {
    static RUNNING: Mutex<Vec<Mark>> = Mutex::new(Vec::new());
    with(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn tie_to_parent(command: &mut Command) {
    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
    let parent = getpid();
    let tie = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have exited before the signal was requested.
        if getppid() == Some(parent) {
            Ok(())
        } else {
            Err(std::io::Error::from_raw_os_error(libc::ESRCH))
        }
    };
    // SAFETY: between fork and exec only system calls are made: no allocation, no lock.
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(command, tie);
    }
}

/// Kills the process groups of engines and every process that has one of their marks.
fn end(marks: &[Mark]) {
    let is_marked = |variable: &OsString| {
        let value = (variable.to_str()).and_then(|text| text.strip_prefix(VARIABLE)?.strip_prefix('='));
        value.is_some_and(|value| marks.iter().any(|mark| mark.value == value))
    };
    let mut system = System::new();
    let kind = ProcessRefreshKind::nothing()
        .with_environ(UpdateKind::Always)
        .without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, kind);
    for mark in marks {
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(mark.group as i32) {
            // The group may already be gone.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
    for process in system.processes().values() {
        if process.environ().iter().any(is_marked) {
            process.kill();
        }
    }
}
