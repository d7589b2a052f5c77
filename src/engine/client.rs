//! Another engine as a process: asked for turns over pipes, with a limit on everything it may do.
//!
//! A thread reads what the engine says, in lines of at most [`LONGEST_LINE`] bytes, another writes what it is told, so that an engine
//! which does not read holds up nobody; a wait for an answer ends at a deadline or after [`MOST_LINES`] lines. An engine that hangs,
//! ends, or babbles gives an [`EngineFault`] and is killed when it is dropped, with all that it has started. What it writes to stderr
//! goes where ours does.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest line that an engine may write, in bytes.
pub const LONGEST_LINE: u64 = 64 << 10;
/// The most lines that an engine may write before an answer.
pub const MOST_LINES: usize = 100_000;
/// Lines that wait to be read before the engine has to wait.
const QUEUE: usize = 256;

/// How to start an engine, and how long to wait for it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Options to set, names and values.
    pub options: Vec<(String, String)>,
    /// How long it may take to be ready.
    pub ready: Duration,
    /// How long it may take to choose a turn.
    pub answer: Duration,
}

/// What another engine did wrong, in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct EngineFault(String);

/// What the reading thread passes on.
enum Heard {
    Line(String),
    TooLong,
}

/// An engine that runs.
pub struct Client {
    child: Child,
    told: Sender<String>,
    heard: Receiver<Heard>,
    ready: Duration,
    answer: Duration,
}

impl Client {
    /// Starts an engine, sets its options and waits until it is ready.
    pub fn start(setup: &Setup) -> Result<Client, EngineFault> {
        let program = &setup.program;
        let spawn = |error: io::Error| EngineFault(format!("'{program}' cannot be started: {error}"));
        let mut command = Command::new(&setup.program);
        command
            .args(&setup.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        // A group of its own, so that all it starts can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(spawn)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(spawn(io::Error::other("its pipes are missing")));
        };
        running(|groups| groups.push(child.id()));
        let (sender, heard) = sync_channel(QUEUE);
        std::thread::spawn(move || listen(stdout, &sender));
        let (told, lines) = channel();
        std::thread::spawn(move || tell(stdin, &lines));
        let mut client = Client {
            child,
            told,
            heard,
            ready: setup.ready,
            answer: setup.answer,
        };
        client.send("ugi");
        client.wait_for("ugi", "ugiok", setup.ready)?;
        for (name, value) in &setup.options {
            client.send(&format!("setoption name {name} value {value}"));
        }
        client.send("isready");
        client.wait_for("isready", "readyok", setup.ready)?;
        Ok(client)
    }

    /// Asks for a turn in a position; what follows 'bestmove', blanks at the ends left out.
    ///
    /// # Errors
    /// [`EngineFault`]; the engine is of no use any more.
    pub fn turn(&mut self, fen: &str, go: &str) -> Result<String, EngineFault> {
        self.send("uginewgame");
        // What it still has to say about the last position comes before 'readyok', and is not taken for an answer to this one.
        self.send("isready");
        self.wait_for("isready", "readyok", self.ready)?;
        self.send(&format!("position fen {fen}"));
        self.send(go);
        self.wait_for(go, "bestmove", self.answer)
    }

    /// Has a line written. That nobody reads it will show when no answer comes.
    fn send(&self, line: &str) {
        let _ = self.told.send(format!("{line}\n"));
    }

    /// Waits for a line that begins with a word, and returns the rest of it.
    fn wait_for(&mut self, asked: &str, expected: &str, limit: Duration) -> Result<String, EngineFault> {
        let deadline = Instant::now() + limit;
        for _ in 0..MOST_LINES {
            // With no time left the next line still counts if it is there; many lines do not put off the end for long.
            let left = deadline.saturating_duration_since(Instant::now());
            let line = match self.heard.recv_timeout(left) {
                Ok(Heard::Line(line)) => line,
                Ok(Heard::TooLong) => {
                    let words = format!("a line of more than {LONGEST_LINE} bytes");
                    return Err(EngineFault(words));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let limit = limit.as_millis();
                    return Err(EngineFault(format!(
                        "no '{expected}' within {limit} ms of '{asked}'"
                    )));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = (self.status()).map_or(String::new(), |status| format!(": {status}"));
                    return Err(EngineFault(format!(
                        "the engine ended before '{expected}' came{status}"
                    )));
                }
            };
            let line = line.trim();
            match line.strip_prefix(expected) {
                Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => {
                    return Ok(rest.trim().to_string());
                }
                _ => {}
            }
        }
        Err(EngineFault(format!(
            "more than {MOST_LINES} lines before '{expected}' came"
        )))
    }

    /// How the engine ended, which may take a moment to be known.
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
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        running(|groups| groups.retain(|&group| group != self.child.id()));
    }
}

/// Ends all engines that run, with all that they have started: for a program that is about to end without dropping its clients.
pub fn end_all() {
    running(|groups| groups.drain(..).for_each(kill_group));
}

/// The process groups of the engines that run.
fn running<T>(with: impl FnOnce(&mut Vec<u32>) -> T) -> T {
    static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    with(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner))
}

fn kill_group(group: u32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(group as i32) {
        // It may be gone already.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Writes lines until the engine closes its input or nobody has any more.
fn tell(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

/// Passes on lines until the engine closes its output or nobody listens.
fn listen(stdout: impl Read, sender: &SyncSender<Heard>) {
    let mut reader = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(read) if read as u64 == LONGEST_LINE && !line.ends_with(b"\n") => {
                let _ = sender.send(Heard::TooLong);
                return;
            }
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line).into_owned();
        if sender.send(Heard::Line(text)).is_err() {
            return;
        }
    }
}
