//! Kills engines and all their descendants, including those outside the process group or session.
//!
//! On Linux this process is a subreaper: it becomes the parent of every descendant whose parent
//! ended. After an engine ended, its descendants are therefore children of this process, or
//! descendants of such children. An environment variable, which child processes inherit, tells those
//! of several engines apart. Programs that start engines must have no other child processes.

use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

const VARIABLE: &str = "PHUTBASE_ENGINE";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessMark {
    /// The engine's process, which leads a process group.
    process: u32,
    value: String,
}

impl ProcessMark {
    /// Starts an engine, which is killed when this process ends.
    pub fn spawn(command: &mut Command) -> io::Result<(ProcessMark, Child)> {
        static ENGINES: AtomicUsize = AtomicUsize::new(0);
        let number = ENGINES.fetch_add(1, Ordering::Relaxed);
        let value = format!("{}-{number}", std::process::id());
        command.env(VARIABLE, &value);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(target_os = "linux")]
        linux::tie(command);
        // The lock keeps the engine from being killed before it has its mark.
        running(|marks| {
            let child = command.spawn()?;
            let process = child.id();
            let mark = ProcessMark { process, value };
            marks.push(mark.clone());
            Ok((mark, child))
        })
    }

    pub fn end(&self, engine: &mut Child) {
        self.kill_group();
        let _ = engine.kill();
        let _ = engine.wait();
        running(|marks| {
            marks.retain(|mark| mark != self);
            #[cfg(target_os = "linux")]
            linux::kill_orphans(marks);
        });
    }

    fn kill_group(&self) {
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.process as i32) {
            // The group may already be gone.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

/// Kills all running engines. Call it before an exit that does not drop the clients.
pub fn end_all() {
    running(|marks| {
        marks.iter().for_each(ProcessMark::kill_group);
        #[cfg(target_os = "linux")]
        linux::kill_orphans(&[]);
    });
}

fn running<T>(with: impl FnOnce(&mut Vec<ProcessMark>) -> T) -> T {
    static RUNNING: Mutex<Vec<ProcessMark>> = Mutex::new(Vec::new());
    with(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(target_os = "linux")]
mod linux {
    use super::{ProcessMark, VARIABLE};
    use rustix::process::{
        Pid, Signal, WaitOptions, getpid, getppid, kill_process, set_child_subreaper,
        set_parent_process_death_signal, waitpid,
    };
    use std::process::Command;
    use std::time::{Duration, Instant};

    /// Makes this process the subreaper, and ties the life of a command to it.
    #[allow(unsafe_code)]
    pub fn tie(command: &mut Command) {
        let parent = getpid();
        // Where it is not allowed, only the process group ends with the engine.
        let _ = set_child_subreaper(Some(parent));
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

    /// Time after which the search ends, in case that a process cannot be killed.
    const MAX_SEARCH: Duration = Duration::from_secs(10);

    /// Kills and reaps the children of this process, until only running engines and their own
    /// descendants are left: each that is reaped leaves its children to this process.
    pub fn kill_orphans(engines: &[ProcessMark]) {
        let begun = Instant::now();
        let is_spared = |child: &Pid| {
            let variables = std::fs::read(format!("/proc/{child}/environ")).unwrap_or_default();
            let has = |value: &str| {
                let mark = format!("{VARIABLE}={value}");
                (variables.split(|&byte| byte == 0)).any(|variable| variable == mark.as_bytes())
            };
            let process = child.as_raw_pid() as u32;
            (engines.iter()).any(|engine| engine.process == process || has(&engine.value))
        };
        while begun.elapsed() < MAX_SEARCH {
            let mut orphans = children()
                .into_iter()
                .filter(|child| !is_spared(child))
                .peekable();
            if orphans.peek().is_none() {
                return;
            }
            for orphan in orphans {
                let _ = kill_process(orphan, Signal::KILL);
                let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
            }
            // One that the system holds is waited for.
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Lists the children of this process; those that ended and were not reaped are among them.
    fn children() -> Vec<Pid> {
        let tasks = std::fs::read_dir("/proc/self/task")
            .into_iter()
            .flatten()
            .flatten();
        let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        let numbers = lists.collect::<String>();
        let numbers = numbers
            .split_whitespace()
            .filter_map(|number| number.parse().ok());
        numbers.filter_map(Pid::from_raw).collect()
    }
}
