//! The monitor of a run: signals, progress on stderr, and the last sentence of an interrupted run.
//!
//! The program has one [`Job`]. A thread shows it: on a terminal as a bar, elsewhere as a line a
//! minute. After the first Ctrl-C, SIGTERM or SIGHUP the job is stopped. Work that has nothing to save ends
//! soon after, whatever it does; other work ends by itself, or at the second signal.

use super::output::{CommandError, is_quiet, is_verbose, log_line, write_line};
use super::threads;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use phutbase_base::digits::{grouped, human_bytes};
use phutbase_base::job::{Job, Progress};
use phutbase_machine::space::free_memory;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

/// Signals within this time count as one: `timeout` signals the program, then its group.
const REPEAT_INTERVAL: Duration = Duration::from_millis(200);
/// Time between the first signal and the end of work that has nothing to save.
const GRACE: Duration = Duration::from_millis(50);
/// Time after which a run that is still saving says so.
const PATIENCE: Duration = Duration::from_secs(1);
const REFRESH_INTERVAL: Duration = Duration::from_millis(100);
/// Time after which a run states what it needs.
const ANNOUNCE_AFTER: Duration = Duration::from_secs(1);
/// Interval between lines where no bar can be drawn.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

static JOB: LazyLock<Job> = LazyLock::new(Job::default);
/// True while the program has something to save, or must end in order.
static SAVES: AtomicBool = AtomicBool::new(false);
static SCREEN: Mutex<Screen> = Mutex::new(Screen::new());

/// The job of this run.
pub fn job() -> &'static Job {
    &JOB
}

/// Sets the handler of Ctrl-C, SIGTERM and SIGHUP. A signal that ends the program calls `at_end` first.
pub fn handle_signals(at_end: fn()) {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    // Without a handler the first signal ends the program at once, and unsaved work is lost.
    let _ = ctrlc::set_handler(move || match FIRST.get() {
        Some(first) if first.elapsed() < REPEAT_INTERVAL => {}
        Some(_) => exit(at_end),
        None => {
            FIRST.get_or_init(Instant::now);
            job().stop();
            if !SAVES.load(Ordering::Relaxed) {
                thread::sleep(GRACE);
                if !SAVES.load(Ordering::Relaxed) {
                    end_interrupted(at_end);
                }
            }
            // In its own thread: this one receives the second signal.
            let _ = Builder::new().spawn(|| {
                thread::sleep(PATIENCE);
                log_line("stopping; press Ctrl-C again to stop at once");
            });
        }
    });
}

/// Ends the program with the sentence about the interruption.
fn end_interrupted(at_end: fn()) -> ! {
    screen().clear();
    interrupted().report_at_end();
    exit(at_end)
}

/// Ends the program, without unfinished files.
fn exit(at_end: fn()) -> ! {
    at_end();
    let _no_output = phutbase_base::disk::remove_unfinished();
    std::process::exit(130)
}

/// Marks the run from here on as work that saves its results when it is stopped.
pub fn save_when_stopped() {
    SAVES.store(true, Ordering::Relaxed);
}

/// The error of the stopped job.
pub fn interrupted() -> CommandError {
    let progress = job().progress();
    let Progress {
        title,
        note,
        total,
        done,
        unit,
        ..
    } = &progress;
    let place = match (&title[..], &note[..]) {
        ("", _) => return CommandError::interrupted("interrupted"),
        (_, "") if *total > 0 && *done > 0 => {
            format!("after {} of {} {unit}", grouped(done), grouped(total))
        }
        (_, "") => "at the start".to_string(),
        (_, note) if progress.is_complete => format!("after {note}"),
        (_, note) => format!("at {note}"),
    };
    let saved = match &progress.saved {
        None => "nothing was saved".to_string(),
        Some(saved) if saved == note => "progress is saved, run the same command to resume".to_string(),
        Some(saved) => format!("progress is saved up to {saved}, run the same command to resume"),
    };
    CommandError::Interrupted(format!("interrupted {place} of {title}; {saved}"))
}

/// Runs work under a title. `memory` is its limit in bytes; `None` for the free memory.
pub fn run<T, E>(
    title: impl Into<String>,
    memory: Option<u64>,
    work: impl FnOnce(&Job) -> Result<T, E>,
) -> Result<T, CommandError>
where
    CommandError: From<E>,
{
    start()?;
    let job = job().with_memory(memory);
    job.begin(title);
    let done = work(&job);
    screen().show(&job.progress(), true);
    job.end();
    screen().clear();
    if done.is_ok() {
        job.clear();
    }
    Ok(done?)
}

/// Starts the thread that shows the job.
fn start() -> Result<(), CommandError> {
    static STARTED: Once = Once::new();
    let mut refused = None;
    STARTED.call_once(|| {
        if is_quiet() {
            return;
        }
        let watch = || {
            loop {
                thread::sleep(REFRESH_INTERVAL);
                screen().show(&job().progress(), false);
            }
        };
        refused = Builder::new().stack_size(256 << 10).spawn(watch).err();
    });
    refused.map_or(Ok(()), |error| Err(threads::refused(&error)))
}

/// Runs something that writes to the terminal while a bar may be drawn.
pub fn suspended<T>(write: impl FnOnce() -> T) -> T {
    screen().clear();
    write()
}

/// The parts of a job that the monitor shows.
struct Screen {
    /// The beginning of the work that is shown.
    begun: Option<Instant>,
    bar: Option<ProgressBar>,
    is_announced: bool,
    /// True once it was said that the work resumes.
    is_resumed: bool,
    lines: u32,
}

fn screen() -> MutexGuard<'static, Screen> {
    SCREEN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Screen {
    const fn new() -> Screen {
        Screen {
            begun: None,
            bar: None,
            is_announced: false,
            is_resumed: false,
            lines: 0,
        }
    }

    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Shows the progress; at the `end` of the work only what it has to announce.
    fn show(&mut self, progress: &Progress, end: bool) {
        let Some(begun) = progress.begun else {
            return;
        };
        if self.begun != Some(begun) {
            self.clear();
            *self = Screen {
                begun: Some(begun),
                ..Screen::new()
            };
        }
        let elapsed = begun.elapsed();
        let is_due = if is_verbose() {
            end || progress.need.is_some()
        } else {
            !end && elapsed >= ANNOUNCE_AFTER
        };
        if is_due && !self.is_announced {
            let words = needs(progress);
            self.is_announced = words.is_some();
            self.write(words);
        }
        if progress.is_resumed && !self.is_resumed {
            self.is_resumed = true;
            let saved = progress.saved.as_deref().unwrap_or_default();
            self.write(Some(format!(
                "{}: resuming after {saved}; the values of a checkpoint are trusted until the table is verified",
                progress.title
            )));
        }
        if end {
            return;
        }
        if io::stderr().is_terminal() {
            self.draw(progress);
        } else if elapsed >= LINE_INTERVAL * (self.lines + 1) {
            self.lines += 1;
            self.write(Some(line(progress, elapsed)));
        }
    }

    /// Writes a line, if there is one.
    fn write(&mut self, line: Option<String>) {
        if let Some(line) = line.filter(|_| !is_quiet()) {
            self.clear();
            write_line(&line);
        }
    }

    fn draw(&mut self, progress: &Progress) {
        let bar = self.bar.get_or_insert_with(|| new_bar(progress));
        bar.set_prefix(progress.title.clone());
        bar.set_message(progress.note.clone());
        bar.set_position(progress.done);
        bar.tick();
    }
}

fn new_bar(progress: &Progress) -> ProgressBar {
    let length = (progress.total > 0).then_some(progress.total);
    let template = match (length, progress.unit) {
        (None, "") => "{prefix} {spinner}  {msg}  {elapsed_precise}".to_string(),
        (None, unit) => {
            format!("{{prefix}} {{spinner}}  {{msg}}  {{human_pos}} {unit}, {{per_sec}}  {{elapsed_precise}}")
        }
        _ => "{prefix} {wide_bar:.green} {percent:>3}%  {msg}  {elapsed_precise}, {eta_precise} to go"
            .to_string(),
    };
    let style = ProgressStyle::with_template(&template).expect("the template is valid");
    ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr()).with_style(style)
}

/// Describes the amount of work and the resources that it needs; `None` without notable needs.
fn needs(progress: &Progress) -> Option<String> {
    let mut needs = Vec::new();
    if let Some(need) = progress.need {
        let memory = human_bytes(need.memory);
        if need.is_limit && is_verbose() {
            needs.push(format!("memory limit {memory}"));
        } else if !need.is_limit && (is_verbose() || free_memory().is_ok_and(|free| need.memory > free / 2)) {
            needs.push(format!("up to {memory} of memory"));
        }
        for (bytes, what) in [(need.scratch, "scratch"), (need.disk, "disk")] {
            if bytes > 0 {
                needs.push(format!("{} of {what}", human_bytes(bytes)));
            }
        }
    }
    let amount = match progress.total {
        0 => String::new(),
        total => format!(", {} {}", grouped(total), progress.unit),
    };
    (!needs.is_empty()).then(|| format!("{}{amount}, {}", progress.title, needs.join(", ")))
}

/// Describes work that goes on: its last step, its amount and its rate.
fn line(progress: &Progress, elapsed: Duration) -> String {
    let &Progress {
        total, done, unit, ..
    } = progress;
    let mut words = progress.title.clone();
    if !progress.note.is_empty() {
        words += &format!(": {}", progress.note);
    }
    if !unit.is_empty() {
        let rate = (done as f64 / elapsed.as_secs_f64()) as u64;
        let of = match total {
            0 => String::new(),
            total => format!(" of {}", grouped(total)),
        };
        words += &format!(", {}{of} {unit}, {} a second", grouped(done), grouped(rate));
    }
    words + &format!(", {} min", elapsed.as_secs() / 60)
}
