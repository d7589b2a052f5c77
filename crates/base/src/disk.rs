//! Operations on files: atomic replacement, opening without blocking.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Why a file could not be replaced.
#[derive(Debug)]
pub struct ReplaceError {
    /// The operation that failed.
    pub doing: &'static str,
    /// The system's error.
    pub source: io::Error,
}

impl ReplaceError {
    fn of(doing: &'static str) -> impl FnOnce(io::Error) -> ReplaceError {
        move |source| ReplaceError { doing, source }
    }
}

/// Prefix and suffix of the names of unfinished files.
const PARTIAL: (&str, &str) = (".phutbase-", ".partial");

/// Replaces `path` atomically: writes a `.partial` file in the same directory, flushes it and
/// renames it. If the process is killed, the `.partial` file stays; the next run removes it
/// ([`remove_partials`]). While the process lives, it holds a lock on the file.
/// On errors the previous file at `path` is unchanged, unless only the last step failed, the flush of
/// the directory: then the new file is complete and in place, but a power failure may undo that.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), ReplaceError> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // Leftovers are harmless.
    let _ = remove_partials(directory);
    // First, so that a directory that cannot be opened keeps the previous file.
    let opened = open_directory(directory).map_err(ReplaceError::of("open its directory"))?;
    let file = loop {
        let file = Unfinished::create(directory).map_err(ReplaceError::of("create a file beside it"))?;
        // Without locks, other processes do not remove leftovers either.
        let _ = file.open.lock();
        // Another process may have removed it before it was locked.
        if file.path.exists() {
            break file;
        }
    };
    finish(file, path, write)?;
    opened
        .map_or(Ok(()), |directory| directory.sync_all())
        .map_err(ReplaceError::of("flush its name to the disk"))
}

fn finish(
    mut file: Unfinished,
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), ReplaceError> {
    write(&mut file.open).map_err(ReplaceError::of("write it"))?;
    (file.open.sync_all()).map_err(ReplaceError::of("flush it to the disk"))?;
    let mut files = unfinished_files();
    std::fs::rename(&file.path, path).map_err(ReplaceError::of("rename it into place"))?;
    files.retain(|known| *known != file.path);
    Ok(())
}

/// A file with a temporary name, which is removed with it.
struct Unfinished {
    open: File,
    path: PathBuf,
}

impl Unfinished {
    /// Creates a file with a name that no file of the directory has.
    fn create(directory: &Path) -> io::Result<Unfinished> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut files = unfinished_files();
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = directory.join(format!(
                "{}{}-{number}{}",
                PARTIAL.0,
                std::process::id(),
                PARTIAL.1
            ));
            match File::options()
                .read(true)
                .write(true)
                .create_new(true)
                .open(&path)
            {
                Ok(open) => {
                    files.push(path.clone());
                    return Ok(Unfinished { open, path });
                }
                // A killed process had the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut files = unfinished_files();
        if let Some(place) = files.iter().position(|known| *known == self.path) {
            files.swap_remove(place);
            // A leftover is harmless.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Creates a file without a name, which takes space until it is closed.
pub fn unnamed_file(directory: &Path) -> io::Result<File> {
    Unfinished::create(directory)?.open.try_clone()
}

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished_files() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the unfinished files of this process, before an exit that drops nothing. While the
/// result is held, no file is created or renamed.
pub fn remove_unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    let mut files = unfinished_files();
    remove_all(&mut files);
    files
}

/// Removes the unfinished files of this process, unless one is being created or renamed.
pub fn try_remove_unfinished() {
    if let Ok(mut files) = UNFINISHED.try_lock() {
        remove_all(&mut files);
    }
}

fn remove_all(files: &mut Vec<PathBuf>) {
    for file in files.drain(..) {
        // A leftover is harmless.
        let _ = std::fs::remove_file(file);
    }
}

/// Removes unfinished files that killed processes left in a directory. Files still being written
/// are locked, and stay.
pub fn remove_partials(directory: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)?.flatten() {
        let name = entry.file_name();
        let is_partial = |name: &str| name.starts_with(PARTIAL.0) && name.ends_with(PARTIAL.1);
        if !name.to_str().is_some_and(is_partial) {
            continue;
        }
        if let Ok(Some((file, _))) = open_regular(&entry.path())
            && file.try_lock().is_ok()
        {
            // A leftover is harmless.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Opens an ordinary file for reading, with its size. Returns `None` for a directory, a pipe or a
/// device, without blocking.
pub fn open_regular(path: &Path) -> io::Result<Option<(File, u64)>> {
    open_at_once(path, File::options().read(true))
}

/// Opens an ordinary file for reading.
pub fn open_text(path: &Path) -> io::Result<File> {
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not an ordinary file");
    open_regular(path)?.map(|(file, _)| file).ok_or_else(wrong)
}

/// Reads a text of at most `most` bytes from an ordinary file.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text_of(open_text(path)?, most)
}

/// Reads a text of at most `most` bytes to its end.
pub fn text_of(reader: impl Read, most: u64) -> io::Result<String> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut bytes = Vec::new();
    if reader.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        return Err(wrong(format!("longer than {most} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| wrong("not valid UTF-8 text".to_string()))
}

/// Opens a lock file, creating it if needed and keeping its contents. Returns `None` as
/// [`open_regular`] does.
pub fn open_lock(path: &Path) -> io::Result<Option<File>> {
    // Opening a pipe for both reading and writing does not block; it is rejected afterwards.
    let found = open_at_once(
        path,
        File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false),
    );
    Ok(found?.map(|(file, _)| file))
}

fn open_at_once(path: &Path, options: &mut std::fs::OpenOptions) -> io::Result<Option<(File, u64)>> {
    #[cfg(unix)]
    {
        // Opening a pipe would otherwise block until its other end is opened.
        let flags = libc::O_NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags);
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    Ok(metadata.is_file().then_some((file, metadata.len())))
}

/// Opens a directory to flush it; `None` if the system cannot.
pub fn open_directory(directory: &Path) -> io::Result<Option<File>> {
    cfg!(unix).then(|| File::open(directory)).transpose()
}
