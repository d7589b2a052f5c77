//! Output files: `--out FILE`.

use super::output::CommandError;
use phutbase_base::disk::{ReplaceError, open_directory, replace_file, unnamed_file};
use phutbase_machine::space::available_space;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Maximum length of a chain of symbolic links, as in Linux.
const MAX_LINKS: usize = 40;

/// An output file, with symbolic links resolved.
pub struct OutFile<'a> {
    pub named: &'a Path,
    method: WriteMethod,
}

enum WriteMethod {
    /// A regular or missing file: a temporary file beside it takes its name and its mode.
    Replaced(PathBuf, Option<Metadata>),
    /// A pipe, a device, or a file with several links.
    Opened,
    /// An open file of this process, named through `/proc`.
    Appended,
    /// Standard output under another name.
    Stdout,
}

impl OutFile<'_> {
    /// Resolves the links of a name, and checks that the file can be written.
    pub fn new(named: &Path) -> Result<OutFile<'_>, CommandError> {
        let failed = |error: io::Error| cannot_write(named, "open it", &error);
        let method = WriteMethod::of(named).map_err(failed)?;
        if let WriteMethod::Replaced(path, _) = &method {
            can_create_beside(path).map_err(failed)?;
        }
        Ok(OutFile { named, method })
    }

    /// The bytes free on its disk; `u64::MAX` unless it is a file on a disk.
    pub fn available_space(&self) -> u64 {
        match &self.method {
            WriteMethod::Replaced(path, _) => available_space(path.parent().unwrap_or(Path::new("."))),
            WriteMethod::Opened | WriteMethod::Appended | WriteMethod::Stdout => u64::MAX,
        }
    }

    /// Creates the file if it is regular, for results that are written as they come.
    pub fn create(&self) -> Result<Option<File>, CommandError> {
        match &self.method {
            WriteMethod::Replaced(path, _) => {
                let file = File::create(path);
                (file.map(Some)).map_err(|error| cannot_write(self.named, "open it", &error))
            }
            WriteMethod::Opened | WriteMethod::Appended | WriteMethod::Stdout => Ok(None),
        }
    }

    pub fn write_all(&self, bytes: &[u8]) -> Result<(), CommandError> {
        self.write(|out| out.write_all(bytes))
    }

    /// Writes atomically if the file is regular.
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CommandError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::BrokenPipe => CommandError::OutputClosed,
            _ => cannot_write(self.named, "write to it", &error),
        };
        match &self.method {
            WriteMethod::Replaced(path, old) => self.replace(path, old.as_ref(), write),
            WriteMethod::Opened => write(&mut File::create(self.named).map_err(failed)?).map_err(failed),
            WriteMethod::Appended => {
                let file = File::options().append(true).open(self.named);
                write(&mut file.map_err(failed)?).map_err(failed)
            }
            WriteMethod::Stdout => {
                let mut out = io::stdout().lock();
                write(&mut out).and_then(|()| out.flush()).map_err(failed)
            }
        }
    }

    fn replace(
        &self,
        path: &Path,
        old: Option<&Metadata>,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), CommandError> {
        let written = replace_file(path, |file| {
            if let Some(old) = old {
                keep_owner_and_mode(file, old)?;
            }
            write(file)
        });
        written.map_err(|ReplaceError { doing, source }| cannot_write(self.named, doing, &source))
    }
}

impl WriteMethod {
    fn of(named: &Path) -> io::Result<WriteMethod> {
        let mut path = named.to_path_buf();
        for _ in 0..MAX_LINKS {
            let Some(name) = path.file_name().map(ToOwned::to_owned) else {
                return Ok(WriteMethod::Opened);
            };
            let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let directory = directory.unwrap_or(Path::new(".")).canonicalize()?;
            if directory.starts_with("/proc") {
                let own = Path::new("/proc/self/fd").canonicalize().ok();
                return Ok(if own == Some(directory) && name == "1" {
                    WriteMethod::Stdout
                } else {
                    WriteMethod::Appended
                });
            }
            path = directory.join(name);
            match path.symlink_metadata() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(WriteMethod::Replaced(path, None));
                }
                Err(error) => return Err(error),
                Ok(link) if link.is_symlink() => path = directory.join(path.read_link()?),
                Ok(file) if file.is_file() => return WriteMethod::of_file(path, file),
                Ok(_) => return Ok(WriteMethod::Opened),
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }

    /// Handles an existing regular file. Root can write read-only files, so check the mode.
    fn of_file(path: PathBuf, file: Metadata) -> io::Result<WriteMethod> {
        if file.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
        }
        File::options().write(true).open(&path)?;
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::nlink(&file) > 1 {
            return Ok(WriteMethod::Opened);
        }
        Ok(WriteMethod::Replaced(path, Some(file)))
    }
}

fn keep_owner_and_mode(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only root can give a file away; otherwise the caller owns the new file.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(old.permissions())
}

/// Checks that a file can be created in the directory of another, and the directory flushed.
fn can_create_beside(path: &Path) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    open_directory(directory)?;
    unnamed_file(directory).map(drop)
}

pub fn write_file(file: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    OutFile::new(file)?.write_all(bytes)
}

/// The error that a file cannot be written.
pub fn cannot_write(file: &Path, doing: &str, error: &io::Error) -> CommandError {
    CommandError::System(format!(
        "cannot write '{}': cannot {doing}: {error}",
        file.display()
    ))
}
