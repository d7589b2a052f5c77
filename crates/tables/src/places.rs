//! The directories that are searched for tables, in order, followed by the tables in the program.
//!
//! The directories that `--tables` names are searched alone. Otherwise each table is taken from the
//! first place that has it:
//!
//! 1. the directories that the variable `PHUTBASE_TABLES` lists, separated as in `PATH`;
//! 2. `tables` in the working directory;
//! 3. `phutbase` in the user's data directory (`$XDG_DATA_HOME`, by default `~/.local/share`),
//!    where `generate` writes;
//! 4. `../share/phutbase`, relative to the directory of the program;
//! 5. the program itself ([`shipped`]).

#![allow(missing_docs)]

use super::error::TableError;
use super::id::TableId;
use super::shipped;
use phutbase_files::FileError;
use phutbase_files::container::read::Container;
use phutbase_files::error::io_error;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The variable that lists directories of tables.
pub const VARIABLE: &str = "PHUTBASE_TABLES";

/// Why a place is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Named by `--tables` or by a program that uses the library.
    Named,
    /// Named by [`VARIABLE`].
    Variable,
    /// `tables` in the working directory.
    Here,
    /// In the user's data directory.
    User,
    Installed,
    Program,
}

impl Role {
    /// Returns whether the user named this place. Unusable tables in such a place are errors;
    /// elsewhere the next place is tried.
    pub fn is_named(self) -> bool {
        matches!(self, Role::Named | Role::Variable)
    }
}

phutbase_base::outcome::words!(Role: Named = "--tables", Variable = "$PHUTBASE_TABLES",
    Here = "working directory", User = "data directory", Installed = "beside the program",
    Program = "program");

/// A directory to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableDirectory {
    /// Why it is searched.
    pub role: Role,
    /// The directory, which need not exist.
    pub directory: PathBuf,
}

/// All places to search, in order; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPath {
    directories: Vec<TableDirectory>,
    /// True if the tables in the program come last.
    embedded: bool,
}

/// The location of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableLocation {
    File(PathBuf),
    /// Embedded in the program, under this name.
    Embedded(&'static str, &'static [u8]),
}

/// A table that was found but not opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedTable {
    pub id: TableId,
    /// Why its place was searched.
    pub role: Role,
    pub source: TableLocation,
}

impl SearchPath {
    /// Searches only this directory, which must exist when it is read.
    pub fn only(directory: &Path) -> SearchPath {
        SearchPath::of(&[directory.to_path_buf()])
    }

    /// Searches only these directories.
    pub fn of(directories: &[PathBuf]) -> SearchPath {
        let mut places = SearchPath::default();
        for directory in directories {
            places.add(Role::Named, directory.clone());
        }
        places
    }

    /// Adds a directory after the others, unless it is searched already.
    pub fn add(&mut self, role: Role, directory: PathBuf) {
        if self.directories.iter().all(|place| place.directory != directory) {
            self.directories.push(TableDirectory { role, directory });
        }
    }

    /// Adds the tables in the program, if they are not searched yet.
    pub fn with_embedded(self) -> SearchPath {
        SearchPath {
            embedded: true,
            ..self
        }
    }

    /// Returns every place that is searched if no directory is named.
    pub fn all() -> SearchPath {
        let variable = std::env::var_os(VARIABLE).unwrap_or_default();
        let listed = std::env::split_paths(&variable).filter(|directory| !directory.as_os_str().is_empty());
        let others = [
            (Role::Here, Some(PathBuf::from("tables"))),
            (Role::User, user_directory()),
            (Role::Installed, installed_directory()),
        ];
        let others = others
            .into_iter()
            .filter_map(|(role, directory)| Some((role, directory?)));
        let mut places = SearchPath::default().with_embedded();
        for (role, directory) in listed.map(|directory| (Role::Variable, directory)).chain(others) {
            places.add(role, directory);
        }
        places
    }

    pub fn directories(&self) -> &[TableDirectory] {
        &self.directories
    }

    /// Returns the directory for new tables: the named one, else the user's; `None` if the system
    /// has no data directory.
    pub fn destination(&self) -> Option<&Path> {
        let writable = [Role::Named, Role::Variable, Role::User];
        (self.directories.iter())
            .find(|place| writable.contains(&place.role))
            .map(|place| place.directory.as_path())
    }

    /// Lists the tables of every place, in search order; see [`tables_in`](SearchPath::tables_in).
    pub fn tables(&self, skipped: &dyn Fn(&TableError)) -> Result<Vec<LocatedTable>, TableError> {
        let mut tables = Vec::new();
        for place in &self.directories {
            tables.extend(self.tables_in(place, skipped)?);
        }
        tables.extend(self.embedded_tables());
        Ok(tables)
    }

    /// Lists the tables of a place, sorted. A directory that cannot be read is an error if the user
    /// named it; otherwise it is reported to `skipped`. So is a missing one if another directory that
    /// the user named exists.
    pub fn tables_in(
        &self,
        place: &TableDirectory,
        skipped: &dyn Fn(&TableError),
    ) -> Result<Vec<LocatedTable>, TableError> {
        place.tables().or_else(|error| {
            let is_missing = match &error {
                TableError::File(FileError::Io { source, .. }) => source.kind() == ErrorKind::NotFound,
                _ => false,
            };
            let mut alike = self.directories.iter().filter(|other| other.role == place.role);
            let is_passed_over = is_missing && alike.any(|other| other.directory.exists());
            if place.role.is_named() && !is_passed_over {
                return Err(error);
            }
            skipped(&error);
            Ok(Vec::new())
        })
    }

    /// Returns the tables in the program, if they are searched.
    pub fn embedded_tables(&self) -> Vec<LocatedTable> {
        let all = if self.embedded { shipped::FILES } else { &[] };
        let found = |&(name, bytes): &(&'static str, &'static [u8])| {
            Some(LocatedTable {
                id: name.parse().ok()?,
                role: Role::Program,
                source: TableLocation::Embedded(name, bytes),
            })
        };
        all.iter().filter_map(found).collect()
    }
}

impl fmt::Display for SearchPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let embedded = self.embedded.then(|| "the program itself".to_string());
        let directories = self.directories.iter();
        let names: Vec<String> = directories
            .map(|place| format!("'{}'", place.directory.display()))
            .chain(embedded)
            .collect();
        match &names[..] {
            [] => f.write_str("nowhere"),
            [only] => f.write_str(only),
            [most @ .., last] => write!(f, "{} or {last}", most.join(", ")),
        }
    }
}

impl TableDirectory {
    /// Lists the files that end like tables but do not have the name of one, sorted: copies, or names
    /// in capitals.
    pub fn unread_files(&self) -> Vec<PathBuf> {
        let is_unread = |path: &PathBuf| {
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            name.to_ascii_lowercase().ends_with(".phut") && name.parse::<TableId>().is_err()
        };
        let entries = std::fs::read_dir(&self.directory).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(is_unread)
            .collect();
        files.sort();
        files
    }

    /// Lists the tables in the directory, sorted. A missing directory has none unless the user
    /// named it.
    fn tables(&self) -> Result<Vec<LocatedTable>, TableError> {
        let entries = match std::fs::read_dir(&self.directory) {
            Err(error) if error.kind() == ErrorKind::NotFound && !self.role.is_named() => {
                return Ok(Vec::new());
            }
            entries => entries.map_err(io_error(&self.directory, "list it"))?,
        };
        let mut tables = Vec::new();
        for entry in entries {
            let name = entry.map_err(io_error(&self.directory, "list it"))?.file_name();
            if let Some(id) = name.to_str().and_then(|name| name.parse().ok()) {
                tables.push(LocatedTable {
                    id,
                    role: self.role,
                    source: TableLocation::File(self.directory.join(name)),
                });
            }
        }
        tables.sort_by_key(|found| found.id);
        Ok(tables)
    }
}

impl TableLocation {
    pub fn open(&self) -> Result<Container, FileError> {
        match self {
            TableLocation::File(file) => Container::open(file),
            TableLocation::Embedded(_, bytes) => Container::from_bytes(*bytes, &self.path()),
        }
    }

    /// Returns the path of the file, or the name of the embedded table.
    pub fn path(&self) -> PathBuf {
        match self {
            TableLocation::File(file) => file.clone(),
            TableLocation::Embedded(name, _) => PathBuf::from(format!("embedded:{name}")),
        }
    }
}

/// Returns the user's directory of tables, if the system has a data directory.
fn user_directory() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let user = etcetera::choose_base_strategy().ok()?;
    Some(user.data_dir().join("phutbase"))
}

fn installed_directory() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    Some(program.parent()?.parent()?.join("share").join("phutbase"))
}
