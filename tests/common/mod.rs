//! Helpers that run the program, parse its JSON and errors, and create small directories of tables.

#![allow(dead_code, unused_imports)]

use phutbase_fixtures::prelude::*;
use tempfile::TempDir;

/// The names that most tests use. Modules import only what is missing here.
pub mod prelude {
    pub use super::{
        Tables, damage_frame, flip_byte, lines, phutbase, run, run_unread, run_with, usage_error,
    };
    pub use phutbase_fixtures::prelude::*;
}

/// A data directory that cannot be created: tests that run in parallel would share it.
const NO_DATA: &str = "/proc/no-data";

/// Returns the program with arguments, split at blanks. It finds the tables in `tables/`, but none
/// of the user's.
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
    Run::of(&mut phutbase(arguments))
}

/// Runs the program with `--json` and returns the objects that it prints.
#[track_caller]
pub fn lines(arguments: &str) -> Vec<Json> {
    run(&format!("{arguments} --json")).ok().json_lines()
}

/// Runs the program with a last argument that may contain blanks.
pub fn run_with(arguments: &str, last: &str) -> Run {
    Run::of(phutbase(arguments).arg(last))
}

/// A temporary directory of tables.
pub struct Tables {
    directory: TempDir,
    /// True if the embedded tables are searched after the directory.
    embedded: bool,
}

impl Tables {
    /// Creates a directory without tables.
    pub fn none() -> Tables {
        Tables {
            directory: tempfile::tempdir().unwrap(),
            embedded: false,
        }
    }

    /// As `none`, with the embedded tables after the directory's.
    pub fn embedded() -> Tables {
        Tables {
            embedded: true,
            ..Tables::none()
        }
    }

    /// Creates a directory with some of the shipped tables.
    pub fn shipped(names: &[&str]) -> Tables {
        let tables = Tables::none();
        for name in names {
            std::fs::copy(table_file(name), tables.path().join(name)).unwrap();
        }
        tables
    }

    /// Creates a directory with the tables that `phutbase generate OPTIONS` makes.
    #[track_caller]
    pub fn made(options: &str) -> Tables {
        let tables = Tables::none();
        tables.run(&format!("generate {options}")).ok();
        tables
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Returns the program with this directory as its working directory and, unless the verb refuses
    /// it, as `--tables`, or with the embedded tables as `PHUTBASE_TABLES`; arguments are split at
    /// blanks.
    pub fn phutbase(&self, arguments: &str) -> Command {
        let mut command = phutbase("");
        let refuses = ["match"].iter().any(|verb| arguments.starts_with(verb));
        if self.embedded {
            command.env("PHUTBASE_TABLES", self.path());
        } else if !refuses {
            command.arg("--tables").arg(self.path());
        }
        command.args(arguments.split_whitespace());
        command.current_dir(self.path());
        command
    }

    /// Runs the program in this directory; arguments are split at blanks.
    pub fn run(&self, arguments: &str) -> Run {
        Run::of(&mut self.phutbase(arguments))
    }

    /// Runs the program with `--json` and returns the objects that it prints.
    #[track_caller]
    pub fn lines(&self, arguments: &str) -> Vec<Json> {
        self.run(&format!("{arguments} --json")).ok().json_lines()
    }

    /// Runs the program with a last argument that may contain blanks.
    pub fn run_with(&self, arguments: &str, last: &str) -> Run {
        Run::of(self.phutbase(arguments).arg(last))
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
            // A program that rejects the first lines does not read the rest.
            scope.spawn(move || drop(stdin.write_all(input)));
            Run::from(child.wait_with_output().unwrap()).by(&command)
        })
    }

    /// Returns the output of `probe --json` for a position.
    #[track_caller]
    pub fn probe(&self, position: &str) -> Json {
        self.run_with("probe --json", position).json()
    }

    /// Returns the file of a table with depths.
    pub fn dtw(&self, length: usize) -> PathBuf {
        self.path().join(format!("strip-{length}-dtw.phut"))
    }

    /// Returns the names in the directory, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Returns the names of tables in the directory, sorted.
    pub fn table_names(&self) -> Vec<String> {
        let mut names = self.names();
        names.retain(|name| name.ends_with(".phut"));
        names
    }
}

/// Runs a command with the reading end of its standard output closed from the start.
pub fn run_unread(command: &mut Command) -> Run {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    Run::of(command.stdout(writer))
}

/// Returns the usage error of a shell command, parsed up to a pipe or a redirection, or that an option
/// has no effect. The command is not run.
pub fn usage_error(command: &str) -> Option<String> {
    let words = shlex::split(command).unwrap().into_iter();
    // A word such as '|oo' is an argument of 'theory replace'.
    let own = words.take_while(|word| word != "|" && !word.starts_with(['>', '<', '&', ';']));
    let error = match phutbase::commands::parse(own) {
        Ok(line) => line.expect_effective().err()?.to_string(),
        Err(error) => error.to_string(),
    };
    Some(format!("{command}: {error}"))
}

/// Builds `scripts/faults.c` once; `None` without a C compiler.
pub fn faults() -> Option<&'static Path> {
    static LIBRARY: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let library = directory.join("faults.so");
        // Other runs of the tests may be using the library.
        let own = directory.join(format!("faults-{}.so", std::process::id()));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/faults.c");
        let mut compile = Command::new("cc");
        compile.args(["-shared", "-fPIC", source, "-ldl", "-o"]).arg(&own);
        let compiled = compile.status().is_ok_and(|status| status.success());
        let compiled = compiled && std::fs::rename(&own, &library).is_ok();
        let why_not = (!compiled).then_some("cc does not compile scripts/faults.c");
        available("cc", why_not).then_some(library)
    };
    LIBRARY.get_or_init(build).as_deref()
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
