//! The lines between the program and engines: on stderr with `--verbose`, in a file with `--log`.

use phutbase_terminal::out_file::cannot_write;
use phutbase_terminal::output::{CommandError, is_verbose, log_line};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The file and the time of its beginning; `None` without `--log`, and after an error.
static LOG: Mutex<Option<(Instant, File)>> = Mutex::new(None);

/// Replaces a file by a log, which begins now.
pub fn open(path: Option<&Path>) -> Result<(), CommandError> {
    if let Some(path) = path {
        let file = File::create(path).map_err(|error| cannot_write(path, "open it", &error))?;
        *LOG.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), file));
    }
    Ok(())
}

/// Returns the function that logs a line, if there is a log.
pub fn writer() -> Option<fn(&str)> {
    let is_open = LOG.lock().unwrap_or_else(PoisonError::into_inner).is_some();
    (is_open || is_verbose()).then_some(log)
}

/// Writes a line, in the file after the seconds since its beginning.
fn log(line: &str) {
    let mut log = LOG.lock().unwrap_or_else(PoisonError::into_inner);
    let written = (log.as_mut()).map_or(Ok(()), |(begun, file)| {
        writeln!(file, "{:.6} {line}", begun.elapsed().as_secs_f64())
    });
    if let Err(error) = written {
        *log = None;
        log_line(&format!("cannot write the log, which ends here: {error}"));
    }
    drop(log);
    if is_verbose() {
        log_line(line);
    }
}
