//! Where tables are looked for: directories, one after the other, and the tables that are part of the program.
//!
//! What is asked for is taken from the first place that has it:
//!
//! 1. the directory that `--tables` names;
//! 2. the directory that the variable `PHUTBASE_TABLES` names;
//! 3. `tables` in the working directory;
//! 4. `phutbase` in the user's data directory (`$XDG_DATA_HOME`, by default `~/.local/share`), where `generate` writes;
//! 5. `../share/phutbase`, seen from the directory of the program;
//! 6. the program itself ([`embedded`](super::embedded)).

use super::container::read::Container;
use super::error::{TableError, io_error};
use super::id::TableId;
use std::fmt;
use std::path::{Path, PathBuf};

/// The variable that names a directory of tables.
pub const VARIABLE: &str = "PHUTBASE_TABLES";

/// Why a place is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Somebody names it: `--tables`, or a program that uses the library.
    Named,
    /// [`VARIABLE`] names it.
    Variable,
    /// It stands in the working directory.
    Here,
    /// It is the user's.
    User,
    /// It was installed with the program.
    Installed,
    /// It is part of the program.
    Program,
}

impl Role {
    /// Whether the user asked for this place: then a table there that cannot be used is an error, and elsewhere the next place is asked.
    pub fn is_named(self) -> bool {
        matches!(self, Role::Named | Role::Variable)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Named => "--tables",
            Role::Variable => "$PHUTBASE_TABLES",
            Role::Here => "working directory",
            Role::User => "data directory",
            Role::Installed => "beside the program",
            Role::Program => "program",
        })
    }
}

/// One directory that is looked in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Why.
    pub role: Role,
    /// The directory, which need not be there.
    pub directory: PathBuf,
}

/// All that is looked through, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    directories: Vec<Place>,
    /// Whether the tables in the program come last.
    embedded: bool,
}

/// Where the bytes of a table are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// In a file.
    File(PathBuf),
    /// In the program, under a name.
    Embedded(&'static str, &'static [u8]),
}

/// A table that was found; it is not opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its boards.
    pub id: TableId,
    /// Why its place was searched.
    pub role: Role,
    /// Where its bytes are.
    pub source: Source,
}

impl Places {
    /// One directory and nothing else.
    pub fn only(directory: &Path) -> Places {
        Places {
            directories: vec![Place {
                role: Role::Named,
                directory: directory.to_path_buf(),
            }],
            embedded: false,
        }
    }

    /// Nowhere.
    pub fn none() -> Places {
        Places {
            directories: Vec::new(),
            embedded: false,
        }
    }

    /// Every place, after the directory that is named, if one is.
    #[cfg(feature = "places")]
    pub fn all(named: Option<&Path>) -> Places {
        let variable = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let directories = [
            (Role::Named, named.map(Path::to_path_buf)),
            (Role::Variable, variable.map(PathBuf::from)),
            (Role::Here, Some(PathBuf::from("tables"))),
            (Role::User, user_directory()),
            (Role::Installed, installed_directory()),
        ];
        let mut places = Places {
            directories: Vec::new(),
            embedded: true,
        };
        for (role, directory) in directories {
            let Some(directory) = directory else { continue };
            if places
                .directories
                .iter()
                .all(|place| place.directory != directory)
            {
                places.directories.push(Place { role, directory });
            }
        }
        places
    }

    /// The directories, in order.
    pub fn directories(&self) -> &[Place] {
        &self.directories
    }

    /// Where new tables go: to the directory that somebody names, else to the user's; `None` where the system knows no such directory.
    pub fn destination(&self) -> Option<&Path> {
        let writable = [Role::Named, Role::Variable, Role::User];
        (self.directories.iter())
            .find(|place| writable.contains(&place.role))
            .map(|place| place.directory.as_path())
    }

    /// The tables of every place, those of the first place first, each place's in order. A directory that does not exist has none. A directory
    /// that cannot be read is an error if the user named it; else `skipped` hears of it.
    pub fn tables(&self, skipped: &dyn Fn(&TableError)) -> Result<Vec<Found>, TableError> {
        let mut tables = Vec::new();
        for place in &self.directories {
            match place.tables() {
                Ok(found) => tables.extend(found),
                Err(error) if place.role.is_named() => return Err(error),
                Err(error) => skipped(&error),
            }
        }
        tables.extend(self.embedded_tables());
        Ok(tables)
    }

    /// The tables in the program, if they are searched.
    pub fn embedded_tables(&self) -> Vec<Found> {
        let all = if self.embedded {
            super::embedded::FILES
        } else {
            &[]
        };
        let found = |&(name, bytes): &(&'static str, &'static [u8])| {
            Some(Found {
                id: name.parse().ok()?,
                role: Role::Program,
                source: Source::Embedded(name, bytes),
            })
        };
        all.iter().filter_map(found).collect()
    }
}

impl fmt::Display for Places {
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

impl Place {
    /// The tables in the directory, in order.
    ///
    /// # Errors
    /// [`TableError::Io`] if it is there and cannot be read.
    pub fn tables(&self) -> Result<Vec<Found>, TableError> {
        let entries = match std::fs::read_dir(&self.directory) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(io_error(&self.directory, "list it"))?,
        };
        let mut tables = Vec::new();
        for entry in entries {
            let name = entry.map_err(io_error(&self.directory, "list it"))?.file_name();
            if let Some(id) = name.to_str().and_then(|name| name.parse().ok()) {
                tables.push(Found {
                    id,
                    role: self.role,
                    source: Source::File(self.directory.join(name)),
                });
            }
        }
        tables.sort_by_key(|found| found.id);
        Ok(tables)
    }
}

impl Source {
    /// Opens it.
    pub fn open(&self) -> Result<Container, TableError> {
        match self {
            Source::File(file) => Container::open(file),
            Source::Embedded(_, bytes) => Container::from_bytes(*bytes, &self.path()),
        }
    }

    /// The file, or what stands for it.
    pub fn path(&self) -> PathBuf {
        match self {
            Source::File(file) => file.clone(),
            Source::Embedded(name, _) => PathBuf::from(format!("embedded:{name}")),
        }
    }
}

/// Where the tables of a user are, who is known to the system.
#[cfg(feature = "places")]
fn user_directory() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let user = etcetera::choose_base_strategy().ok()?;
    Some(user.data_dir().join("phutbase"))
}

/// Where tables are that were installed with the program.
#[cfg(feature = "places")]
fn installed_directory() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    Some(program.parent()?.parent()?.join("share").join("phutbase"))
}
