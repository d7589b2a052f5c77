//! The result of a program.

use serde_json::Value as Json;
use std::fmt;
use std::process::{Command, Output};

/// The result of one run. Its debug output is for messages of tests: the command, the exit code, and
/// the lines of both streams.
pub struct Run {
    /// The arguments of the program; `None` if the run was made from an output alone.
    arguments: Option<String>,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            arguments: None,
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The lines of a stream that a message quotes, and the letters of a line.
const LINES: usize = 20;
const LETTERS: usize = 400;

/// Writes a stream below its name: its first lines, each shortened.
fn write_stream(to: &mut fmt::Formatter, name: &str, text: &str) -> fmt::Result {
    if text.is_empty() {
        return writeln!(to, "  {name}: nothing");
    }
    writeln!(to, "  {name}:")?;
    for line in text.lines().take(LINES) {
        let letters = line.chars().count();
        let shown: String = line.chars().take(LETTERS).collect();
        let rest = letters.saturating_sub(LETTERS);
        let more = if rest > 0 {
            format!(" … ({rest} letters more)")
        } else {
            String::new()
        };
        writeln!(to, "    {shown}{more}")?;
    }
    let rest = text.lines().count().saturating_sub(LINES);
    if rest > 0 {
        writeln!(to, "    … ({rest} lines more)")?;
    }
    Ok(())
}

impl fmt::Debug for Run {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        let command = match &self.arguments {
            Some(arguments) => format!("`phutbase {arguments}`"),
            None => "a run of the program".to_string(),
        };
        match self.code {
            Some(code) => writeln!(to, "{command} ended with exit code {code}")?,
            None => writeln!(to, "{command} was ended by a signal")?,
        }
        write_stream(to, "stdout", &self.stdout)?;
        write_stream(to, "stderr", &self.stderr)
    }
}

impl Run {
    /// Runs a command to its end; messages name its arguments.
    pub fn of(command: &mut Command) -> Run {
        let output = command.output().unwrap();
        Run::from(output).by(command)
    }

    /// Names the arguments of this command in messages.
    pub fn by(self, command: &Command) -> Run {
        let words = command.get_args().map(|word| word.to_string_lossy());
        let quoted = words.map(|word| match word.contains(' ') {
            true => format!("'{word}'"),
            false => word.into_owned(),
        });
        let arguments = Some(quoted.collect::<Vec<_>>().join(" "));
        Run { arguments, ..self }
    }

    /// Asserts that the run succeeded.
    #[track_caller]
    pub fn ok(self) -> Run {
        assert!(self.code == Some(0), "expected exit code 0: {self:?}");
        self
    }

    /// Returns standard output as JSON, which must have one object per line.
    #[track_caller]
    pub fn json_lines(&self) -> Vec<Json> {
        let mut objects = Vec::new();
        for (number, line) in (1..).zip(self.stdout.lines()) {
            match serde_json::from_str::<Json>(line) {
                Ok(object) if object.is_object() => objects.push(object),
                Ok(_) => panic!("expected objects of JSON, line {number} of stdout is none: {self:?}"),
                Err(error) => panic!("expected JSON, line {number} of stdout: {error}: {self:?}"),
            }
        }
        objects
    }

    /// Returns the only JSON object of a successful run.
    #[track_caller]
    pub fn json(self) -> Json {
        let run = self.ok();
        let mut lines = run.json_lines();
        assert!(
            lines.len() == 1,
            "expected one line of JSON, found {}: {run:?}",
            lines.len()
        );
        lines.remove(0)
    }

    /// Returns the message of a run that printed only one line, on stderr, and ended with `code`.
    #[track_caller]
    pub fn refusal(&self, code: i32) -> &str {
        assert!(
            self.stdout.is_empty(),
            "expected a refusal, with nothing on stdout: {self:?}"
        );
        assert!(
            self.stderr.lines().count() == 1,
            "expected one line on stderr: {self:?}"
        );
        self.failure(code)
    }

    /// Returns the message of a run that failed with `code`: the last line on stderr.
    #[track_caller]
    pub fn failure(&self, code: i32) -> &str {
        assert!(self.code == Some(code), "expected exit code {code}: {self:?}");
        assert!(self.stderr.ends_with('\n'), "expected a line on stderr: {self:?}");
        let last = self.stderr.lines().last().unwrap_or("");
        let message = last.strip_prefix("phutbase: ");
        message.unwrap_or_else(|| panic!("expected stderr to end with 'phutbase: ' and a message: {self:?}"))
    }

    /// Asserts that the run failed with this code, and that its message contains these parts.
    #[track_caller]
    pub fn fails(&self, code: i32, parts: &[&str]) {
        let message = self.failure(code);
        for part in parts {
            assert!(
                message.contains(part),
                "expected '{part}' in the last line of stderr: {self:?}"
            );
        }
    }

    /// Like `fails`, with nothing on stdout and nothing else on stderr.
    #[track_caller]
    pub fn refuses(&self, code: i32, parts: &[&str]) {
        self.refusal(code);
        self.fails(code, parts);
    }
}
