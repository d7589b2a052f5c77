//! Lines of the Universal Game Interface (`ugi.md` of kz04px/cutegames).
//!
//! Unknown commands are ignored, as the protocol demands. Malformed ones give an error with advice.

use super::budget::Go;
use crate::outcome::ParseError;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Ugi,
    IsReady,
    NewGame,
    /// `setoption name NAME value VALUE`; the value is empty if none was given.
    SetOption {
        name: String,
        value: String,
    },
    /// `position startpos|fen FEN [moves …]`.
    Position {
        /// The start position; `None` for `startpos`.
        fen: Option<String>,
        /// The turns since then, in notation.
        moves: Vec<String>,
    },
    /// `go …`: choose a turn. The errors are of ignored parts.
    Go(Go, Vec<ParseError>),
    Stop,
    /// `query QUESTION`.
    Query(String),
    Quit,
}

pub fn parse(line: &str) -> Result<Option<Command>, ParseError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some((&command, rest)) = words.split_first() else {
        return Ok(None);
    };
    Ok(Some(match command {
        "ugi" => Command::Ugi,
        "isready" => Command::IsReady,
        "uginewgame" => Command::NewGame,
        "setoption" => set_option(rest)?,
        "position" => position(rest)?,
        "go" => {
            let (go, errors) = parse_go(rest);
            Command::Go(go, errors)
        }
        "stop" => Command::Stop,
        "query" => Command::Query(rest.join(" ")),
        "quit" => Command::Quit,
        _ => return Ok(None),
    }))
}

/// Returns the words before and after a separator; all are before a missing one.
fn split<'a, 'w>(words: &'a [&'w str], separator: &str) -> (&'a [&'w str], &'a [&'w str]) {
    let end = words.iter().position(|&word| word == separator);
    let (before, after) = words.split_at(end.unwrap_or(words.len()));
    (before, after.get(1..).unwrap_or_default())
}

fn set_option(words: &[&str]) -> Result<Command, ParseError> {
    match split(words, "value") {
        (["name", name @ ..], value) if !name.is_empty() => Ok(Command::SetOption {
            name: name.join(" "),
            value: value.join(" "),
        }),
        _ => Err(ParseError(
            "'setoption' needs 'name' and a name, then 'value' and a value".to_string(),
        )),
    }
}

fn position(words: &[&str]) -> Result<Command, ParseError> {
    let (start, moves) = split(words, "moves");
    let fen = match start {
        ["startpos"] => None,
        ["fen", fen @ ..] if !fen.is_empty() => Some(fen.join(" ")),
        _ => {
            let needed = "'position' needs 'startpos' or 'fen' and a position";
            return Err(ParseError(needed.to_string()));
        }
    };
    let moves = moves.iter().map(ToString::to_string).collect();
    Ok(Command::Position { fen, moves })
}

fn parse_go(words: &[&str]) -> (Go, Vec<ParseError>) {
    let mut go = Go::default();
    let mut errors = Vec::new();
    let mut words = words.iter();
    while let Some(&part) = words.next() {
        match part {
            "infinite" => go.infinite = true,
            "movetime" | "depth" | "nodes" | "p1time" | "p2time" | "p1inc" | "p2inc" => {
                let found = words.next().copied().unwrap_or("");
                match found.parse::<i64>() {
                    // Some programs send negative numbers for a clock that has run out.
                    Ok(number) => set_part(&mut go, part, number.max(0).unsigned_abs()),
                    Err(_) => errors.push(ParseError(format!("ignoring '{part} {found}': not a number"))),
                }
            }
            found => errors.push(ParseError(format!("ignoring '{found}': not a part of 'go'"))),
        }
    }
    (go, errors)
}

fn set_part(go: &mut Go, part: &str, number: u64) {
    // Bounded beyond any game, so that sums of times do not overflow.
    let time = Duration::from_millis(number.min(1 << 40));
    match part {
        "movetime" => go.movetime = Some(time),
        "depth" => go.depth = Some(u32::try_from(number).unwrap_or(u32::MAX)),
        "nodes" => go.nodes = Some(number),
        "p1time" => go.clock[0] = Some(time),
        "p2time" => go.clock[1] = Some(time),
        "p1inc" => go.increment[0] = time,
        _ => go.increment[1] = time,
    }
}
