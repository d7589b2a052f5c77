//! Operations on files: atomic replacement, opening without blocking, reserving space.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
#[cfg(feature = "cli")]
use std::path::PathBuf;
#[cfg(feature = "cli")]
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Why a file could not be replaced.
#[derive(Debug)]
pub struct ReplaceError {
    /// The operation that failed.
    pub doing: &'static str,
    /// The system's error.
    pub source: io::Error,
}

#[cfg(feature = "cli")]
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
#[cfg(feature = "cli")]
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
        let file = unfinished_file(directory).map_err(ReplaceError::of("create a file beside it"))?;
        // Without locks, other processes do not remove leftovers either.
        let _ = file.as_file().lock();
        // Another process may have removed it before it was locked.
        if file.path().exists() {
            break file;
        }
    };
    let partial = file.path().to_path_buf();
    let finished = finish(file, path, write);
    unfinished_files().retain(|known| *known != partial);
    finished?;
    opened
        .map_or(Ok(()), |directory| directory.sync_all())
        .map_err(ReplaceError::of("flush its name to the disk"))
}

#[cfg(feature = "cli")]
fn finish(
    mut file: tempfile::NamedTempFile,
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), ReplaceError> {
    write(file.as_file_mut()).map_err(ReplaceError::of("write it"))?;
    (file.as_file().sync_all()).map_err(ReplaceError::of("flush it to the disk"))?;
    let _no_exit = unfinished_files();
    file.persist(path)
        .map_err(|error| ReplaceError::of("rename it into place")(error.error))?;
    Ok(())
}

#[cfg(feature = "cli")]
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

#[cfg(feature = "cli")]
fn unfinished_files() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the unfinished files of this process, before an exit that drops nothing. While the
/// result is held, no file is created or renamed.
#[cfg(feature = "cli")]
pub fn remove_unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    let mut files = unfinished_files();
    remove_all(&mut files);
    files
}

/// Removes the unfinished files of this process, unless one is being created or renamed.
#[cfg(feature = "cli")]
pub fn try_remove_unfinished() {
    if let Ok(mut files) = UNFINISHED.try_lock() {
        remove_all(&mut files);
    }
}

#[cfg(feature = "cli")]
fn remove_all(files: &mut Vec<PathBuf>) {
    for file in files.drain(..) {
        // A leftover is harmless.
        let _ = std::fs::remove_file(file);
    }
}

/// Creates a file with a temporary name and the permissions of an ordinary new file.
#[cfg(feature = "cli")]
fn unfinished_file(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // Minus the umask. Temporary files default to owner-only access.
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    builder.prefix(PARTIAL.0).suffix(PARTIAL.1);
    let mut files = unfinished_files();
    let file = builder.tempfile_in(directory)?;
    files.push(file.path().to_path_buf());
    Ok(file)
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

/// Extends `file` to `bytes` and allocates the disk space, so that writing through a map does not
/// run out of it. File systems that copy on write or compress (btrfs, ZFS) may still have no space
/// at the write.
#[cfg(feature = "cli")]
pub fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    fs4::FileExt::allocate(file, bytes)
}

/// Returns the free bytes of the file system that holds `directory`, which need not exist yet;
/// `u64::MAX` if unknown.
#[cfg(feature = "cli")]
pub fn available_space(directory: &Path) -> u64 {
    let there = directory
        .ancestors()
        .find(|part| part.exists())
        .unwrap_or(Path::new("."));
    fs4::available_space(there).unwrap_or(u64::MAX)
}

/// Opens a directory to flush it; `None` if the system cannot.
#[cfg(feature = "cli")]
pub fn open_directory(directory: &Path) -> io::Result<Option<File>> {
    cfg!(unix).then(|| File::open(directory)).transpose()
}
