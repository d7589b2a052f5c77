//! Kills engines and all their descendants, including those outside the process group or session.
//!
//! Each engine gets a unique environment variable, which its child processes inherit.

use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

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

/// Searches in a row that must find nothing: one may miss a process that forks and exits.
const EMPTY_SEARCHES: u32 = 6;
/// Time after which the search ends, in case that a process cannot be killed.
const MAX_SEARCH: Duration = Duration::from_secs(10);

/// Kills the process groups of engines, then every process that has one of their marks, until none
/// is left: processes fork while they are searched for.
fn end(marks: &[Mark]) {
    #[cfg(unix)]
    for mark in marks {
        if let Some(group) = rustix::process::Pid::from_raw(mark.group as i32) {
            // The group may already be gone.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
    let begun = Instant::now();
    let mut empty = 0;
    while empty < EMPTY_SEARCHES && begun.elapsed() < MAX_SEARCH {
        empty = if kill_marked(marks) { 0 } else { empty + 1 };
    }
}

/// Kills every process that has one of the marks; returns whether there was one.
#[cfg(target_os = "linux")]
fn kill_marked(marks: &[Mark]) -> bool {
    use rustix::process::{Pid, Signal, kill_process};
    let mut is_found = false;
    // Each process is killed as soon as it is listed: some live for a millisecond.
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let number = process.file_name().to_str().and_then(|name| name.parse().ok());
        let variables = std::fs::read(process.path().join("environ")).unwrap_or_default();
        if let Some(number) = number.and_then(Pid::from_raw)
            && variables
                .split(|&byte| byte == 0)
                .any(|variable| has_mark(variable, marks))
        {
            is_found = true;
            let _ = kill_process(number, Signal::KILL);
        }
    }
    is_found
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(marks: &[Mark]) -> bool {
    use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};
    let mut system = System::new();
    let kind = ProcessRefreshKind::nothing()
        .with_environ(UpdateKind::Always)
        .without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, kind);
    let mut is_found = false;
    for process in system.processes().values() {
        let mut variables = process.environ().iter();
        if variables.any(|variable| has_mark(variable.as_encoded_bytes(), marks)) {
            is_found = true;
            process.kill();
        }
    }
    is_found
}

fn has_mark(variable: &[u8], marks: &[Mark]) -> bool {
    let value = variable
        .strip_prefix(VARIABLE.as_bytes())
        .and_then(|rest| rest.strip_prefix(b"="));
    value.is_some_and(|value| marks.iter().any(|mark| mark.value.as_bytes() == value))
}
