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
use super::nimbers::nimbers_path;
use super::{Metric, pitch, table_path};
use crate::games::pitch::Shape;
use crate::games::rules::Rules;
use std::fmt;
use std::path::{Path, PathBuf};

/// The variable that names a directory of tables.
pub const VARIABLE: &str = "PHUTBASE_TABLES";

/// Why a directory is looked in.
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
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Named => "--tables",
            Role::Variable => "$PHUTBASE_TABLES",
            Role::Here => "working directory",
            Role::User => "data directory",
            Role::Installed => "beside the program",
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

/// What a table is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Strips of a length.
    Strip(Rules, usize, Metric),
    /// A pitch.
    Pitch(Rules, Shape),
    /// Boards of Obstruction.
    Nimbers,
}

/// Where the bytes of a table are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// In a file.
    File(PathBuf),
    /// In the program, under a name.
    Embedded(&'static str, &'static [u8]),
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

    /// The option that makes a command look here, and write where this is written to: none if nothing is named.
    pub fn option(&self) -> String {
        match self.directories.first() {
            Some(Place {
                role: Role::Named,
                directory,
            }) => {
                // Quoted for a shell, a quote in the name too.
                let directory = directory.display().to_string().replace('\'', r"'\''");
                format!(" --tables '{directory}'")
            }
            _ => String::new(),
        }
    }

    /// The tables of every place, those of the first place first, each place's in order. A directory that does not exist has none.
    ///
    /// # Errors
    /// [`TableError::Io`] if a directory cannot be read.
    pub fn tables(&self) -> Result<Vec<(Subject, Source)>, TableError> {
        let mut tables = Vec::new();
        for place in &self.directories {
            tables.extend(place.tables()?);
        }
        tables.extend(self.embedded_tables());
        Ok(tables)
    }

    /// The tables in the program that are looked through.
    pub fn embedded_tables(&self) -> Vec<(Subject, Source)> {
        let all = if self.embedded {
            super::embedded::FILES
        } else {
            &[]
        };
        (all.iter())
            .filter_map(|&(name, bytes)| Some((Subject::of(name)?, Source::Embedded(name, bytes))))
            .collect()
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
    pub fn tables(&self) -> Result<Vec<(Subject, Source)>, TableError> {
        let entries = match std::fs::read_dir(&self.directory) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(io_error(&self.directory, "list it"))?,
        };
        let mut tables = Vec::new();
        for entry in entries {
            let name = entry.map_err(io_error(&self.directory, "list it"))?.file_name();
            if let Some(subject) = name.to_str().and_then(Subject::of) {
                tables.push((subject, Source::File(self.directory.join(name))));
            }
        }
        tables.sort_by_key(|&(subject, _)| subject);
        Ok(tables)
    }
}

impl Subject {
    /// What the table in a file of this name is of.
    fn of(name: &str) -> Option<Subject> {
        let nimbers = nimbers_path(Path::new("")).to_str() == Some(name);
        let rules = match name.starts_with(Rules::Directional.prefix()) {
            true => Rules::Directional,
            false => Rules::Ordinary,
        };
        (nimbers.then_some(Subject::Nimbers))
            .or_else(|| strip_of(name, rules))
            .or_else(|| pitch::parse_name(name, rules).map(|shape| Subject::Pitch(rules, shape)))
    }
}

/// Length and metric in a file name under these rules; the inverse of [`table_path`].
fn strip_of(name: &str, rules: Rules) -> Option<Subject> {
    let (length, metric) = name
        .strip_prefix(rules.prefix())?
        .strip_prefix("strip-")?
        .strip_suffix(".phut")?
        .split_once('-')?;
    let length: usize = length.parse().ok()?;
    let metric: Metric = metric.parse().ok()?;
    (table_path(Path::new(""), rules, length, metric).to_str() == Some(name))
        .then_some(Subject::Strip(rules, length, metric))
}

impl Source {
    /// Opens it.
    ///
    /// # Errors
    /// As [`Container::open`].
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
