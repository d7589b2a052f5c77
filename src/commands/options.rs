//! Options of single verbs, validated when they are parsed.

use phutbase_base::outcome::ParseError;
use phutbase_terminal::time;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// A value, or the file that holds one.
#[derive(Clone)]
pub enum FileOr<T> {
    Value(T),
    /// A file that exists or whose name looks like one; `-` is standard input.
    File(PathBuf),
}

impl<T: FromStr<Err = ParseError>> FromStr for FileOr<T> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<FileOr<T>, ParseError> {
        match text.parse() {
            Ok(value) => Ok(FileOr::Value(value)),
            Err(_) if names_file(text) => Ok(FileOr::File(text.into())),
            Err(ParseError(reason)) => Err(ParseError(format!("{reason}; no such file exists"))),
        }
    }
}

/// True if a text that is no value names a file.
fn names_file(text: &str) -> bool {
    let path = Path::new(text);
    let extension = path.extension().unwrap_or_default();
    // Positions have slashes, too.
    let is_position =
        text.contains(['@', ':']) || text.chars().all(|symbol| "0123456789.o/ AB".contains(symbol));
    text == "-"
        || path.exists()
        || ["phut", "cert", "txt"].iter().any(|known| extension == *known)
        || text.contains('/') && !is_position
}

/// Parses the time of a turn: at least a millisecond, at most a day.
pub fn turn_time(text: &str) -> Result<Duration, &'static str> {
    let range = Duration::from_millis(1)..=Duration::from_secs(86_400);
    let time = time(text)?;
    (range.contains(&time).then_some(time)).ok_or("give a time from 1ms to 24h")
}

/// Parses a number or a range, up to more than any board has squares or any game has plies.
pub fn span(text: &str) -> Result<RangeInclusive<u16>, &'static str> {
    let number = |text: &str| (text.parse()).or(Err("write a number, as in 30, or a range, as in 30..34"));
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let (from, to) = (number(from)?, number(to)?);
    (from <= to)
        .then_some(from..=to)
        .ok_or("the range ends before it begins: write the smaller number first")
}

/// As [`span`], or a range without an end.
pub fn open_span(text: &str) -> Result<RangeInclusive<u16>, &'static str> {
    match text.strip_suffix("..") {
        Some(from) => span(from).map(|from| *from.start()..=u16::MAX),
        None => span(text),
    }
}
