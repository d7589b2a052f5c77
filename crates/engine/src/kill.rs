//! Kills engines and all their descendants, including those outside the process group or session.
//!
//! Each engine gets a unique environment variable, which its child processes inherit.

use std::collections::HashSet;
#[cfg(target_os = "linux")]
use std::path::Path;
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
/// Searches that may be unclear: on a busy system other processes begin and end all the time.
const UNCLEAR_SEARCHES: u32 = 20;
/// Time after which the search ends, in case that a process cannot be killed.
const MAX_SEARCH: Duration = Duration::from_secs(10);

/// The result of one search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Nothing,
    /// A process ended before it was examined, or has no environment yet, because it is being replaced
    /// by another program. It may be one of the engine's, and may have forked.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    Unclear,
    Marked,
}

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
    let (mut empty, mut unclear) = (0, 0);
    let mut ended = HashSet::new();
    while empty < EMPTY_SEARCHES && begun.elapsed() < MAX_SEARCH {
        match kill_marked(marks, &mut ended) {
            Found::Marked => empty = 0,
            Found::Unclear if unclear < UNCLEAR_SEARCHES => unclear += 1,
            Found::Unclear | Found::Nothing => empty += 1,
        }
    }
}

/// Kills every process that has one of the marks. `ended` holds those that were killed, have ended, or
/// have no program, as threads of the kernel: they are unclear once.
#[cfg(target_os = "linux")]
fn kill_marked(marks: &[Mark], ended: &mut HashSet<i32>) -> Found {
    use rustix::process::{Pid, Signal, kill_process};
    let mut found = Found::Nothing;
    // Each process is killed as soon as it is listed: some live for a millisecond.
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let number = process.file_name().to_str().and_then(|name| name.parse().ok());
        let Some(number) = number.and_then(Pid::from_raw) else {
            continue;
        };
        let mut is_new = || ended.insert(number.as_raw_nonzero().get());
        let is_unclear = match std::fs::read(process.path().join("environ")) {
            Ok(variables) if variables.is_empty() => match std::fs::read_link(process.path().join("exe")) {
                Ok(_) => has_no_environment_yet(&process.path()),
                Err(_) => is_new(),
            },
            Ok(variables) => {
                let mut variables = variables.split(|&byte| byte == 0);
                if variables.any(|variable| has_mark(variable, marks)) {
                    found = Found::Marked;
                    let _ = kill_process(number, Signal::KILL);
                    is_new();
                }
                false
            }
            // Processes of other users cannot be read.
            Err(error) => error.kind() != std::io::ErrorKind::PermissionDenied && is_new(),
        };
        if is_unclear && found == Found::Nothing {
            found = Found::Unclear;
        }
    }
    found
}

/// Returns true between the start of a program and the moment when its environment is in place. A
/// process that was started without variables has an end of them.
#[cfg(target_os = "linux")]
fn has_no_environment_yet(process: &Path) -> bool {
    let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
    // The last fields are `env_start`, `env_end` and `exit_code` (proc_pid_stat(5)).
    stat.split_whitespace().nth_back(1).is_none_or(|end| end == "0")
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(marks: &[Mark], _ended: &mut HashSet<i32>) -> Found {
    use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};
    let mut system = System::new();
    let kind = ProcessRefreshKind::nothing()
        .with_environ(UpdateKind::Always)
        .without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, kind);
    let mut found = Found::Nothing;
    for process in system.processes().values() {
        let mut variables = process.environ().iter();
        if variables.any(|variable| has_mark(variable.as_encoded_bytes(), marks)) {
            found = Found::Marked;
            process.kill();
        }
    }
    found
}

fn has_mark(variable: &[u8], marks: &[Mark]) -> bool {
    let value = variable
        .strip_prefix(VARIABLE.as_bytes())
        .and_then(|rest| rest.strip_prefix(b"="));
    value.is_some_and(|value| marks.iter().any(|mark| mark.value.as_bytes() == value))
}
