//! Another engine as a process that is asked for turns over pipes, with limits on time and output.
//!
//! One thread reads lines of at most [`MAX_LINE_BYTES`] bytes; another writes, so that an engine
//! that does not read cannot block the caller. A wait ends at a deadline, or when the engine has
//! written more than [`MAX_BYTES`] and [`MAX_RATE`] allow. An engine that hangs, exits or floods
//! its output gives an [`EngineFault`]. Dropping the client kills the engine and all its child
//! processes.

use super::announced;
use super::kill::ProcessMark;
use super::report::{self, Report};
use phutbase_base::job::{Job, Stopped};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

/// Maximum length of a line from an engine, in bytes.
pub const MAX_LINE_BYTES: u64 = 64 << 10;
/// Bytes that an engine may write before an answer at any rate.
pub const MAX_BYTES: u64 = 16 << 20;
/// Bytes a second that an engine may write besides.
pub const MAX_RATE: u64 = 4 << 20;
/// Bytes for which a line counts at least, because it takes time.
const MIN_LINE: u64 = 64;
/// The first word of an answer to `go`.
const BEST_MOVE: &str = "bestmove";
/// Interval between checks whether the job was stopped.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Unread lines that are buffered before the engine blocks.
const QUEUE_LINES: usize = 256;

/// Command line, options and time limit of an engine.
#[derive(Clone, Debug)]
pub struct Setup {
    pub program: String,
    pub arguments: Vec<String>,
    pub options: Vec<(String, String)>,
    /// The working directory; `None` for that of this process.
    pub directory: Option<PathBuf>,
    /// A file to which the engine's stderr is appended; `None` for this process's stderr.
    pub stderr: Option<PathBuf>,
    /// Time limit for becoming ready, and for a turn under a limit of depth or nodes.
    pub ready: Duration,
    /// Receives the lines of the engine and to it, each after its name; `None` for no log.
    pub log: Option<Log>,
    /// When this job is stopped, waits for the engine end with a fault.
    pub job: Job,
}

/// A name, and a function that writes a line.
pub type Log = (String, fn(&str));

#[derive(Debug, thiserror::Error)]
pub enum EngineFault {
    /// The system does not start the program.
    #[error("{0}")]
    NotStarted(String),
    /// The engine hangs, ends, floods its output, answers twice or rejects an option.
    #[error("{0}")]
    Misbehaved(String),
}

/// An answer to `go`.
#[derive(Clone, Debug)]
pub struct BestMove {
    /// The text after `bestmove`.
    pub turn: String,
    /// The time from `go` on.
    pub time: Duration,
    pub report: Option<Report>,
}

pub struct Client {
    child: Child,
    mark: ProcessMark,
    input: Sender<String>,
    /// Lines; `None` for one that is too long.
    output: Receiver<Option<String>>,
    ready: Duration,
    /// The last command `go`.
    last_go: String,
    log: Option<Log>,
    job: Job,
}

impl Client {
    /// Starts an engine, sets its options and waits until it is ready.
    pub fn start(setup: &Setup) -> Result<Client, EngineFault> {
        let program = &setup.program;
        let spawn =
            |error: io::Error| EngineFault::NotStarted(format!("'{program}' cannot be started: {error}"));
        let mut command = Command::new(&setup.program);
        command
            .args(&setup.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        if let Some(directory) = &setup.directory {
            command.current_dir(directory);
        }
        if let Some(path) = &setup.stderr {
            let file = File::options().append(true).create(true).open(path);
            let wrong = |error| EngineFault::NotStarted(format!("'{}': {error}", path.display()));
            command.stderr(file.map_err(wrong)?);
        }
        let (mark, mut child) = ProcessMark::spawn(&mut command).map_err(spawn)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(spawn(io::Error::other("its pipes are missing")));
        };
        let (sender, output) = sync_channel(QUEUE_LINES);
        let (input, lines) = channel();
        let mut client = Client {
            child,
            mark,
            input,
            output,
            ready: setup.ready,
            last_go: String::new(),
            log: setup.log.clone(),
            job: setup.job.clone(),
        };
        let thread = std::thread::Builder::new;
        (thread().spawn(move || read_lines(stdout, &sender))).map_err(spawn)?;
        (thread().spawn(move || write_lines(stdin, &lines))).map_err(spawn)?;
        client.send("ugi");
        let mut announced = Vec::new();
        client.wait_for("ugi", "ugiok", setup.ready, &mut |line| {
            announced.extend(line.strip_prefix("option ").and_then(announced::parse));
        })?;
        for (name, value) in &setup.options {
            announced::check(&announced, name, value)
                .map_err(|error| EngineFault::Misbehaved(error.to_string()))?;
            client.send(&format!("setoption name {name} value {value}"));
        }
        client.synchronize()?;
        Ok(client)
    }

    /// Starts a new game. After an [`EngineFault`] the engine must be restarted.
    pub fn new_game(&mut self) -> Result<(), EngineFault> {
        self.send("uginewgame");
        self.synchronize()
    }

    /// Asks for a turn. `position` is the text after 'position'. A second answer is a fault. After an
    /// [`EngineFault`] the engine must be restarted.
    pub fn turn(&mut self, position: &str, go: &str, limit: Duration) -> Result<BestMove, EngineFault> {
        self.send(&format!("position {position}"));
        self.synchronize()?;
        let asked = Instant::now();
        self.send(go);
        let mut report = None;
        let turn = self.wait_for(go, BEST_MOVE, limit, &mut |line| {
            let newer = line.strip_prefix("info ").and_then(report::parse);
            report = newer.or(report.take());
        })?;
        let time = asked.elapsed();
        self.last_go = go.to_string();
        self.synchronize()?;
        Ok(BestMove { turn, time, report })
    }

    /// Waits until the engine has handled all earlier commands, and finds second answers to `go`.
    fn synchronize(&mut self) -> Result<(), EngineFault> {
        self.send("isready");
        let mut is_second = false;
        self.wait_for("isready", "readyok", self.ready, &mut |line| {
            is_second |= line.split_whitespace().next() == Some(BEST_MOVE);
        })?;
        if is_second {
            let words = format!("a second '{BEST_MOVE}' to '{}'", self.last_go);
            return Err(EngineFault::Misbehaved(words));
        }
        Ok(())
    }

    /// Queues a line for writing. A failed write shows as a missing answer.
    fn send(&self, line: &str) {
        self.log('>', line);
        let _ = self.input.send(format!("{line}\n"));
    }

    fn log(&self, direction: char, line: &str) {
        if let Some((name, write)) = &self.log {
            let plain = line.chars().filter(|symbol| !symbol.is_control());
            write(&format!("{name} {direction} {}", plain.collect::<String>()));
        }
    }

    /// Waits for a line that begins with a word, and returns the rest of the line. `pass` is called
    /// with every earlier line.
    fn wait_for(
        &mut self,
        asked: &str,
        expected: &str,
        limit: Duration,
        pass: &mut dyn FnMut(&str),
    ) -> Result<String, EngineFault> {
        let begun = Instant::now();
        let deadline = begun + limit;
        let mut bytes = 0;
        loop {
            // After the deadline only buffered lines are read.
            let time = begun.elapsed().min(limit);
            let most = MAX_BYTES + (MAX_RATE as f64 * time.as_secs_f64()) as u64;
            if bytes > most {
                return Err(EngineFault::Misbehaved(format!(
                    "more than {} MiB before '{expected}' came",
                    most >> 20
                )));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let line = match self.output.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(Some(line)) => line,
                Err(RecvTimeoutError::Timeout) if self.job.is_stopped() => {
                    return Err(EngineFault::Misbehaved(Stopped::Interrupted.to_string()));
                }
                Err(RecvTimeoutError::Timeout) if left > POLL_INTERVAL => continue,
                Ok(None) => {
                    let words = format!("a line of more than {} KiB", MAX_LINE_BYTES >> 10);
                    return Err(EngineFault::Misbehaved(words));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let limit = limit.as_millis();
                    return Err(EngineFault::Misbehaved(format!(
                        "no '{expected}' within {limit} ms of '{asked}'"
                    )));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = (self.status()).map_or(String::new(), |status| format!(": {status}"));
                    return Err(EngineFault::Misbehaved(format!(
                        "the engine ended before '{expected}' came{status}"
                    )));
                }
            };
            bytes += (line.len() as u64).max(MIN_LINE);
            let line = line.trim();
            self.log('<', line);
            match line.strip_prefix(expected) {
                Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => {
                    return Ok(rest.trim().to_string());
                }
                _ => pass(line),
            }
        }
    }

    fn status(&mut self) -> Option<String> {
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status.to_string());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.mark.end(&mut self.child);
    }
}

/// Writes lines until the engine closes its input or the sender is dropped.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

/// Passes on lines until the engine closes its output or the receiver is dropped.
fn read_lines(stdout: impl Read, sender: &SyncSender<Option<String>>) {
    let mut reader = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(read) if read as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") => {
                let _ = sender.send(None);
                return;
            }
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line).into_owned();
        if sender.send(Some(text)).is_err() {
            return;
        }
    }
}
