//! What files need of a disk: space set aside before it is used, and names that last.

use std::fs::File;
use std::io;
#[cfg(feature = "cli")]
use std::io::Write;
use std::path::Path;

/// What could not be done to a file that was to be replaced.
#[derive(Debug)]
pub struct ReplaceError {
    /// What was tried.
    pub doing: &'static str,
    /// The system's error.
    pub source: io::Error,
}

/// Beginning and end of the names of files in the making.
const PARTIAL: (&str, &str) = (".phutbase-", ".partial");

/// Makes a file whole or not at all: it is written beside `path` under a name that ends in `.partial`, flushed to the disk, and takes
/// the place of what `path` names. A process that is killed meanwhile leaves the `.partial` file, which nothing needs and the next one
/// removes; while the process lives, it holds a lock on that file ([`remove_partials`]).
///
/// # Errors
/// [`ReplaceError`]; what `path` named before is then still there.
#[cfg(feature = "cli")]
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), ReplaceError> {
    let failed = |doing| move |source| ReplaceError { doing, source };
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // What cannot be removed harms nobody.
    let _ = remove_partials(directory);
    let mut file = loop {
        let file = unfinished_file(directory).map_err(failed("make a file beside it"))?;
        // Where there are no locks nobody can take it for a leftover either.
        let _ = file.as_file().lock();
        // Before it was locked somebody may have.
        if file.path().exists() {
            break file;
        }
    };
    write(file.as_file_mut()).map_err(failed("write it"))?;
    file.as_file()
        .sync_all()
        .map_err(failed("flush it to the disk"))?;
    file.persist(path)
        .map_err(|error| failed("give it its name")(error.error))?;
    sync_directory(directory).map_err(failed("flush its name to the disk"))
}

/// Writes a file whole or not at all, as [`replace_file`] does; a pipe or a device is written to as it is.
#[cfg(feature = "cli")]
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ReplaceError> {
    match std::fs::metadata(path) {
        Ok(there) if !there.is_file() => std::fs::write(path, bytes).map_err(|source| ReplaceError {
            doing: "write to it",
            source,
        }),
        _ => replace_file(path, |file| file.write_all(bytes)),
    }
}

/// A file under a temporary name, with the permissions of an ordinary new file.
#[cfg(feature = "cli")]
fn unfinished_file(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // Less the user's umask; temporary files would otherwise be for their owner alone.
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    builder.prefix(PARTIAL.0).suffix(PARTIAL.1).tempfile_in(directory)
}

/// Removes what killed processes left half-written in a directory. What somebody is still writing is locked, and stays.
///
/// # Errors
/// The system's error if the directory cannot be listed.
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
            // A leftover that cannot be removed harms nobody.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Opens an ordinary file to read, with its size; `None` if `path` names a directory, a pipe or a device, which are not waited for.
///
/// # Errors
/// The system's error.
pub fn open_regular(path: &Path) -> io::Result<Option<(File, u64)>> {
    open_at_once(path, File::options().read(true))
}

/// Opens a file to be locked, making it if need be; what is in it stays. `None` as in [`open_regular`].
///
/// # Errors
/// The system's error.
pub fn open_lock(path: &Path) -> io::Result<Option<File>> {
    // With both rights a pipe opens at once, to be refused.
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
        // Else opening a pipe would wait for somebody at its other end.
        let flags = libc::O_NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags);
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    Ok(metadata.is_file().then_some((file, metadata.len())))
}

/// Gives `file` a length of `bytes` with the space really set aside, so that writing into a map of it cannot fail.
///
/// # Errors
/// The system's error if the disk has no room.
#[cfg(feature = "cli")]
pub fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    fs4::FileExt::allocate(file, bytes)
}

/// Bytes free where `directory` is or will be; a directory that is not there yet will be made, and what counts is the disk that
/// it will be on. `u64::MAX` if the system does not tell: then writing will.
#[cfg(feature = "cli")]
pub fn available_space(directory: &Path) -> u64 {
    let there = directory
        .ancestors()
        .find(|part| part.exists())
        .filter(|part| !part.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs4::available_space(there).unwrap_or(u64::MAX)
}

/// Makes a rename last: until its directory is flushed, a power failure may undo it.
///
/// # Errors
/// The system's error if the directory cannot be flushed.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(directory)?.sync_all()?;
    }
    Ok(())
}
