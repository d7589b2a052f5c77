//! A directory of tables as one tablebase.

use super::any::Table;
use super::dense::DEFAULT_CACHE;
use super::error::{TableError, io_error};
use super::{Metric, table_path};
use crate::game::Successor;
use crate::games::strip::{After, Strip, Turn};
use crate::outcome::{Value, Verdict, Wdl};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// One table that may be opened later.
type Slot = OnceLock<Table>;

/// The tables of a directory, opened when they are first needed.
pub struct Tablebase {
    directory: PathBuf,
    tables: BTreeMap<(usize, Metric), Slot>,
    /// One thread opens a table at a time.
    opening: Mutex<()>,
    /// Bytes of unpacked frames that each table keeps.
    cache: usize,
}

/// A turn of a position with its value for the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedTurn {
    /// The turn.
    pub turn: Turn,
    /// The board after it.
    pub after: After,
    /// Its value, in plies from the position before it.
    pub verdict: Verdict,
}

impl Tablebase {
    /// Looks which tables a directory has. A directory that does not exist has none.
    ///
    /// # Errors
    /// [`TableError::Io`] if the directory cannot be read.
    pub fn open(directory: &Path) -> Result<Tablebase, TableError> {
        let mut tables = BTreeMap::new();
        match std::fs::read_dir(directory) {
            Ok(entries) => {
                for entry in entries {
                    let entry = entry.map_err(io_error(directory, "list it"))?;
                    if let Some(key) = entry.file_name().to_str().and_then(parse_name) {
                        tables.insert(key, Slot::new());
                    }
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(io_error(directory, "list it")(error)),
        }
        Ok(Tablebase {
            directory: directory.to_path_buf(),
            tables,
            opening: Mutex::new(()),
            cache: DEFAULT_CACHE,
        })
    }

    /// The same, with tables that keep at most so many bytes of unpacked frames each; diagrams keep none.
    pub fn with_cache(self, cache: usize) -> Tablebase {
        Tablebase { cache, ..self }
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Length and metric of every table, ascending.
    pub fn contents(&self) -> impl Iterator<Item = (usize, Metric)> + '_ {
        self.tables.keys().copied()
    }

    /// The lengths for which there is a table of either metric, ascending.
    pub fn lengths(&self) -> Vec<usize> {
        let mut lengths: Vec<usize> = self.contents().map(|(length, _)| length).collect();
        lengths.dedup();
        lengths
    }

    /// One table, opened and checked; `None` if it is not there.
    ///
    /// # Errors
    /// [`TableError`] if it is there and cannot be used.
    pub fn table(&self, length: usize, metric: Metric) -> Result<Option<&Table>, TableError> {
        let Some(slot) = self.tables.get(&(length, metric)) else {
            return Ok(None);
        };
        if let Some(table) = slot.get() {
            return Ok(Some(table));
        }
        let _one_at_a_time = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.get().is_none() {
            let path = table_path(&self.directory, length, metric);
            let table = Table::open_with_cache(&path, self.cache)?;
            check_identity(&table, length, metric)?;
            let _ = slot.set(table);
        }
        Ok(slot.get())
    }

    /// The table that says most about a length: `dtw` if it is there, else `wdl`.
    ///
    /// # Errors
    /// [`TableError::Missing`] with the command that makes it; [`TableError`] if it cannot be used.
    pub fn best(&self, length: usize) -> Result<&Table, TableError> {
        for metric in Metric::ALL {
            if let Some(table) = self.table(length, metric)? {
                return Ok(table);
            }
        }
        Err(TableError::Missing {
            length,
            directory: self.directory.clone(),
        })
    }

    /// The table with depths for a length.
    ///
    /// # Errors
    /// [`TableError::NoDepths`] or [`TableError::Missing`] with the command that makes it.
    pub fn with_depths(&self, length: usize) -> Result<&Table, TableError> {
        match self.table(length, Metric::Dtw)? {
            Some(table) => Ok(table),
            None if self.tables.contains_key(&(length, Metric::Wdl)) => Err(TableError::NoDepths {
                length,
                directory: self.directory.clone(),
            }),
            None => Err(TableError::Missing {
                length,
                directory: self.directory.clone(),
            }),
        }
    }

    /// The value of a position, with its depth.
    ///
    /// # Errors
    /// Those of [`with_depths`](Tablebase::with_depths) and of the table.
    pub fn value(&self, strip: &Strip) -> Result<Value, TableError> {
        self.with_depths(strip.length())?.value(strip)
    }

    /// What the best table says of a position: with its depth if a `dtw` table is there.
    ///
    /// # Errors
    /// Those of [`best`](Tablebase::best) and of the table.
    pub fn verdict(&self, strip: &Strip) -> Result<Verdict, TableError> {
        self.best(strip.length())?.verdict(strip)
    }

    /// What the best tables say of many positions of any lengths, in their order; every frame is visited once.
    ///
    /// # Errors
    /// As [`verdict`](Tablebase::verdict).
    pub fn verdicts(&self, strips: &[Strip]) -> Result<Vec<Verdict>, TableError> {
        let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, strip) in strips.iter().enumerate() {
            by_length.entry(strip.length()).or_default().push(at);
        }
        let mut verdicts = vec![Verdict::from(Wdl::Draw); strips.len()];
        for (length, places) in by_length {
            let batch: Vec<Strip> = places.iter().map(|&at| strips[at]).collect();
            let found = self.best(length)?.verdicts(&batch)?;
            for (at, verdict) in places.into_iter().zip(found) {
                verdicts[at] = verdict;
            }
        }
        Ok(verdicts)
    }

    /// Every turn of a position with its value, best first; equal values in the order of generation.
    ///
    /// # Errors
    /// As [`verdict`](Tablebase::verdict).
    pub fn rated_turns(&self, strip: &Strip) -> Result<Vec<RatedTurn>, TableError> {
        let table = self.best(strip.length())?;
        let mut rated = Vec::new();
        for turn in strip.turns() {
            let after = strip.after(turn);
            let verdict = match after.successor(strip.side()) {
                Successor::Position(next) => table.verdict(&next)?.before(),
                Successor::Over(outcome) => Value::at_once(outcome).into(),
            };
            rated.push(RatedTurn { turn, after, verdict });
        }
        rated.sort_by_key(|turn| std::cmp::Reverse(turn.verdict.preference()));
        Ok(rated)
    }

    /// Best play from a position to the end of the game; of equally good turns the first generated. Without depths, and
    /// in a draw, there is no end to play for: the line is empty. It is never longer than the position's depth, whatever
    /// a wrong table says of the positions on the way.
    ///
    /// # Errors
    /// As [`verdict`](Tablebase::verdict).
    pub fn best_line(&self, strip: &Strip) -> Result<Vec<RatedTurn>, TableError> {
        let mut line = Vec::new();
        let Some(depth) = self.verdict(strip)?.depth else {
            return Ok(line);
        };
        let mut next = Some(*strip);
        while let Some(strip) = next.filter(|_| line.len() < usize::from(depth.0)) {
            let Some(best) = self.rated_turns(&strip)?.into_iter().next() else {
                break;
            };
            next = match best.after {
                After::Position(after) => Some(after),
                After::Over { .. } => None,
            };
            line.push(best);
        }
        Ok(line)
    }
}

/// Refuses a table that is not what its name says.
fn check_identity(table: &Table, length: usize, metric: Metric) -> Result<(), TableError> {
    let foreign = |field, found: String, expected: String| TableError::Foreign {
        file: table.path().to_path_buf(),
        field,
        found,
        expected,
    };
    let header = table.header();
    if header.length != length {
        return Err(foreign(
            "the length",
            header.length.to_string(),
            length.to_string(),
        ));
    }
    if header.metric != metric {
        return Err(foreign(
            "the metric",
            header.metric.to_string(),
            metric.to_string(),
        ));
    }
    Ok(())
}

/// Length and metric in a file name; the inverse of [`table_path`].
fn parse_name(name: &str) -> Option<(usize, Metric)> {
    let (length, metric) = name
        .strip_prefix("strip-")?
        .strip_suffix(".phut")?
        .split_once('-')?;
    let length: usize = length.parse().ok()?;
    let metric = Metric::ALL
        .into_iter()
        .find(|known| known.to_string() == metric)?;
    (table_path(Path::new(""), length, metric).to_str() == Some(name)).then_some((length, metric))
}
