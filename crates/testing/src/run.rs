//! The result of a program.

use serde_json::Value as Json;
use std::process::Output;

/// The result of one run.
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
    /// Asserts that the run succeeded.
    pub fn ok(self) -> Run {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// Returns standard output as JSON, which must have one object per line.
    pub fn json_lines(&self) -> Vec<Json> {
        let objects = self.stdout.lines().map(|line| {
            let object: Json =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in '{line}'"));
            assert!(object.is_object(), "{line}");
            object
        });
        objects.collect()
    }

    /// Returns the only JSON object of a successful run.
    pub fn json(self) -> Json {
        let mut lines = self.ok().json_lines();
        assert_eq!(lines.len(), 1);
        lines.remove(0)
    }

    /// Returns the message of a run that printed only one line, on stderr, and ended with `code`.
    pub fn refusal(&self, code: i32) -> &str {
        assert_eq!(self.stdout, "", "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        self.failure(code)
    }

    /// Returns the message of a run that failed with `code`: the last line on stderr.
    pub fn failure(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.stderr.ends_with('\n'), "{self:?}");
        let last = self.stderr.lines().last().unwrap_or("");
        let message = last.strip_prefix("phutbase: ");
        message.unwrap_or_else(|| panic!("no message at the end of {self:?}"))
    }

    /// Asserts that the run failed with this code, and that its message contains these parts.
    pub fn fails(&self, code: i32, parts: &[&str]) {
        let message = self.failure(code);
        for part in parts {
            assert!(message.contains(part), "'{part}' is not in {self:?}");
        }
    }

    /// Like `fails`, with nothing on stdout and nothing else on stderr.
    pub fn refuses(&self, code: i32, parts: &[&str]) {
        self.refusal(code);
        self.fails(code, parts);
    }
}
