//! The files of `phutbase match --pgnout`.

use phutbase_engine::matches::Match;
use phutbase_engine::matches::play::Played;
use phutbase_engine::matches::record;
use phutbase_terminal::out_file::cannot_write;
use phutbase_terminal::output::{CommandError, cannot_read};
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A record of games in PGN style and its journal, to which each game is written when it ends.
pub struct Record<'a> {
    pgn: (&'a Path, File),
    /// Length of the PGN file.
    length: u64,
    /// Absent beside a pipe or a device.
    journal: Option<(PathBuf, File)>,
}

impl<'a> Record<'a> {
    /// Opens a record to append to, and reads the games of a match to resume. The record is locked
    /// until the program ends.
    pub fn open(
        named: &'a Path,
        plan: &Match,
        resume: bool,
    ) -> Result<(Record<'a>, Vec<Played>), CommandError> {
        let mut record = Record {
            pgn: (named, open(named)?),
            length: 0,
            journal: None,
        };
        if !named.metadata().is_ok_and(|found| found.is_file()) {
            return Ok((record, Vec::new()));
        }
        let pgn = &mut record.pgn.1;
        // Some file systems have no locks.
        if let Err(TryLockError::WouldBlock) = pgn.try_lock() {
            let name = named.display();
            return Err(CommandError::System(format!(
                "cannot write '{name}': another match writes to it"
            )));
        }
        let mut text = std::fs::read(named).map_err(|error| cannot_read(named, &error))?;
        let mut path = named.as_os_str().to_owned();
        path.push(".jsonl");
        let path = PathBuf::from(path);
        let mut journal = open(&path)?;
        let (mut games, mut kept) = (Vec::new(), 0);
        if resume {
            let wrong = |error| CommandError::Usage(format!("--resume: '{}': {error}", path.display()));
            let lines = std::fs::read(&path).map_err(|error| cannot_read(&path, &error))?;
            let resumed = record::read(&lines, text.len() as u64, plan).map_err(wrong)?;
            (games, kept) = (resumed.games, resumed.journal);
            // The beginning of a game that was cut; an editor may have changed the file otherwise.
            let rest = text[resumed.pgn as usize..].trim_ascii_start();
            if rest.starts_with(BEGIN) || BEGIN.starts_with(rest) {
                text.truncate(resumed.pgn as usize);
                shorten(pgn, named, resumed.pgn)?;
            }
        }
        record.length = text.len() as u64;
        shorten(&journal, &path, kept)?;
        if kept == 0 {
            write(
                &mut journal,
                &path,
                &record::journal_line(None, plan, record.length),
            )?;
        }
        if !text.is_empty() && !text.ends_with(b"\n\n") && !text.ends_with(b"\r\n\r\n") {
            write(pgn, named, "\n\n")?;
            record.length += 2;
        }
        record.journal = Some((path, journal));
        Ok((record, games))
    }

    pub fn append(&mut self, game: &Played, plan: &Match) -> Result<(), CommandError> {
        let text = record::pgn(game, plan);
        write(&mut self.pgn.1, self.pgn.0, &text)?;
        self.length += text.len() as u64;
        (self.journal.iter_mut()).try_for_each(|(path, journal)| {
            write(
                journal,
                path,
                &record::journal_line(Some(game), plan, self.length),
            )
        })
    }
}

/// The first bytes of a game in PGN style.
const BEGIN: &[u8] = b"[Event ";

/// Opens a file to append to.
fn open(path: &Path) -> Result<File, CommandError> {
    let opened = File::options().append(true).create(true).open(path);
    opened.map_err(|error| cannot_write(path, "open it", &error))
}

fn shorten(file: &File, path: &Path, length: u64) -> Result<(), CommandError> {
    let shortened = file.set_len(length);
    shortened.map_err(|error| cannot_write(path, "shorten it", &error))
}

fn write(file: &mut File, path: &Path, text: &str) -> Result<(), CommandError> {
    let written = file.write_all(text.as_bytes());
    written.map_err(|error| cannot_write(path, "write to it", &error))
}
