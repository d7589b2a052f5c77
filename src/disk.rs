//! What files need of a disk: space set aside before it is used, and names that last.

use std::fs::File;
use std::io;
use std::path::Path;

/// What could not be done to a file that was to be replaced.
#[derive(Debug)]
pub struct ReplaceError {
    /// What was tried.
    pub doing: &'static str,
    /// The system's error.
    pub source: io::Error,
}

/// Makes a file whole or not at all: it is written beside `path` under a name that begins with `prefix` and ends in `.partial`, flushed
/// to the disk, and takes the place of what `path` names. A process that is killed meanwhile leaves the `.partial` file, which
/// nothing needs.
///
/// # Errors
/// [`ReplaceError`]; what `path` named before is then still there.
pub fn replace_file(
    path: &Path,
    prefix: &str,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), ReplaceError> {
    let failed = |doing| move |source| ReplaceError { doing, source };
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut file = unfinished_file(directory, prefix).map_err(failed("make a file beside it"))?;
    write(file.as_file_mut()).map_err(failed("write it"))?;
    file.as_file()
        .sync_all()
        .map_err(failed("flush it to the disk"))?;
    file.persist(path)
        .map_err(|error| failed("give it its name")(error.error))?;
    sync_directory(directory).map_err(failed("flush its name to the disk"))
}

/// A file under a temporary name, with the permissions of an ordinary new file.
fn unfinished_file(directory: &Path, prefix: &str) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // Less the user's umask; temporary files would otherwise be for their owner alone.
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    builder.prefix(prefix).suffix(".partial").tempfile_in(directory)
}

/// Gives `file` a length of `bytes` with the space really set aside, so that writing into a map of it cannot fail.
///
/// # Errors
/// The system's error if the disk has no room.
pub fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    fs4::FileExt::allocate(file, bytes)
}

/// Bytes free where `directory` is or will be; a directory that is not there yet will be made, and what counts is the disk that
/// it will be on. `u64::MAX` if the system does not tell: then writing will.
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
