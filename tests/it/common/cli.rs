//! Running the program, its answers as JSON, its errors, and small directories of tables.

use super::container::{Parts, directory};
use serde_json::Value as Json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// What one run of the program left behind.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Run {
    /// The run itself, which must have gone well.
    pub fn ok(self) -> Run {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// Standard output as JSON, one object per line and nothing else.
    pub fn json_lines(&self) -> Vec<Json> {
        let objects = self.stdout.lines().map(|line| {
            let object: Json =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in '{line}'"));
            assert!(object.is_object(), "{line}");
            object
        });
        objects.collect()
    }

    /// The one JSON object that a run which went well printed.
    pub fn json(self) -> Json {
        let mut lines = self.ok().json_lines();
        assert_eq!(lines.len(), 1);
        lines.remove(0)
    }

    /// The message of a run that had nothing to say but one line on stderr, and ended with `code`.
    pub fn refusal(&self, code: i32) -> &str {
        assert_eq!(self.stdout, "", "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        self.failure(code)
    }

    /// The message of a run that failed with `code` after it said other things: the last line on stderr.
    pub fn failure(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.stderr.ends_with('\n'), "{self:?}");
        let last = self.stderr.lines().last().unwrap_or("");
        let message = last.strip_prefix("phutbase: ");
        message.unwrap_or_else(|| panic!("no message at the end of {self:?}"))
    }

    /// The run must fail with this code, and its message contain these parts.
    pub fn fails(&self, code: i32, parts: &[&str]) {
        let message = self.failure(code);
        for part in parts {
            assert!(message.contains(part), "'{part}' is not in {self:?}");
        }
    }

    /// The same, with nothing on stdout and nothing else on stderr.
    pub fn refuses(&self, code: i32, parts: &[&str]) {
        self.refusal(code);
        self.fails(code, parts);
    }
}

/// Some fields of an object as an array; their names are separated by blanks.
pub fn fields(object: &Json, names: &str) -> Json {
    names.split(' ').map(|name| object[name].clone()).collect()
}

/// A data directory that cannot be made: tests that run at the same time would share it.
const NO_DATA: &str = "/proc/no-data";

/// The program with arguments, which are split at blanks. It sees the tables in `tables/`, and none of the user's.
pub fn phutbase(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phutbase"));
    command
        .env_remove("PHUTBASE_TABLES")
        .env("XDG_DATA_HOME", NO_DATA);
    command.args(arguments.split_whitespace()).stdin(Stdio::null());
    command
}

/// Runs the program with arguments, which are split at blanks.
pub fn run(arguments: &str) -> Run {
    phutbase(arguments).output().unwrap().into()
}

/// Runs the program with one more argument, which may hold blanks.
pub fn run_with(arguments: &str, last: &str) -> Run {
    phutbase(arguments).arg(last).output().unwrap().into()
}

/// A directory of tables that goes away with the test.
pub struct Tables(TempDir);

impl Tables {
    /// A directory without tables.
    pub fn none() -> Tables {
        Tables(tempfile::tempdir().unwrap())
    }

    /// A directory with the tables that `phutbase generate OPTIONS` makes.
    pub fn made(options: &str) -> Tables {
        let tables = Tables::none();
        tables.run(&format!("generate {options}")).ok();
        tables
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The program with this directory as `--tables` and as its working directory, so that it sees these tables and the embedded
    /// ones only; arguments are split at blanks.
    pub fn phutbase(&self, arguments: &str) -> Command {
        let mut command = phutbase("--tables");
        command.arg(self.path()).args(arguments.split_whitespace());
        command.current_dir(self.path());
        command
    }

    /// Runs the program in this directory; arguments are split at blanks.
    pub fn run(&self, arguments: &str) -> Run {
        self.phutbase(arguments).output().unwrap().into()
    }

    /// Runs the program with `--json`; the objects that it prints.
    pub fn lines(&self, arguments: &str) -> Vec<Json> {
        self.run(&format!("{arguments} --json")).ok().json_lines()
    }

    /// Runs the program with one more argument, which may hold blanks.
    pub fn run_with(&self, arguments: &str, last: &str) -> Run {
        self.phutbase(arguments).arg(last).output().unwrap().into()
    }

    /// Runs the program with `input` on its standard input.
    pub fn run_on(&self, arguments: &str, input: &[u8]) -> Run {
        let mut command = self.phutbase(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            // A program that refuses the first lines does not read the rest.
            scope.spawn(move || drop(stdin.write_all(input)));
            child.wait_with_output().unwrap().into()
        })
    }

    /// What `probe --json` says of a position.
    pub fn probe(&self, position: &str) -> Json {
        self.run_with("probe --json", position).json()
    }

    /// The file of a table with depths.
    pub fn dtw(&self, length: usize) -> PathBuf {
        self.path().join(format!("strip-{length}-dtw.phut"))
    }

    /// The names in the directory, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The names of tables in the directory, in order.
    pub fn table_names(&self) -> Vec<String> {
        let mut names = self.names();
        names.retain(|name| name.ends_with(".phut"));
        names
    }
}

/// The number of frames of a table.
pub fn frames(file: &Path) -> usize {
    Parts::of(&std::fs::read(file).unwrap()).frames().len()
}

/// Changes one byte of one frame of a table.
pub fn damage_frame(file: &Path, frame: usize) {
    let bytes = std::fs::read(file).unwrap();
    let (sections, _) = directory(&bytes);
    let blocks = sections.iter().find(|(name, ..)| name == "blocks");
    let (_, offset, ..) = blocks.expect("a table has a section of blocks");
    let frame = Parts::of(&bytes).frames()[frame].clone();
    flip_byte(file, *offset as usize + (frame.start + frame.end) / 2);
}

/// Changes one byte of a file.
pub fn flip_byte(file: &Path, at: usize) {
    let mut bytes = std::fs::read(file).unwrap();
    bytes[at] ^= 0x20;
    std::fs::write(file, bytes).unwrap();
}

/// Runs a command whose standard output nobody reads: the other end of the pipe is closed from the start.
pub fn run_unread(command: &mut Command) -> Run {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdout(writer).output().unwrap().into()
}

/// Why the program does not accept a command as a shell has it, up to a pipe or a redirection. It is not run.
pub fn usage_error(command: &str) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    let mut quote = None;
    let mut starts = true;
    for character in command.chars() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                if starts {
                    words.push(String::new());
                }
                starts = false;
            }
            (None, '|' | '>' | '<' | '&' | ';' | '#') => break,
            (None, ' ') => starts = true,
            _ if starts => {
                words.push(character.to_string());
                starts = false;
            }
            _ => words.last_mut().unwrap().push(character),
        }
    }
    let error = phutbase::commands::parse(words).err()?;
    Some(format!("{command}: {error}"))
}
