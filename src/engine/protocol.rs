//! Lines of the Universal Game Interface (`ugi.md` of kz04px/cutegames).
//!
//! Unknown commands are ignored, as the protocol demands. Malformed ones give an error with advice.

use super::budget::Go;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Ugi,
    IsReady,
    NewGame,
    /// `setoption name NAME value VALUE`.
    SetOption {
        name: String,
        /// The value; empty if none was given.
        value: String,
    },
    /// `position startpos|fen FEN [moves …]`.
    Position {
        start: Start,
        /// The turns since then, in notation.
        moves: Vec<String>,
    },
    /// `go …`: choose a turn. The errors are of ignored parts.
    Go(Go, Vec<ProtocolError>),
    Stop,
    Query(Question),
    Quit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    Startpos,
    Fen(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    GameOver,
    FirstPlayersTurn,
    /// `p1win`, `p2win`, `draw` or `none`.
    Result,
    /// The position.
    Fen,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    #[error("{0}")]
    Malformed(String),
    /// An unknown question. It still needs an answer, because the client waits for one.
    #[error("no answer to 'query {0}'; ask for gameover, p1turn, result or fen")]
    Question(String),
}

fn no_name() -> ProtocolError {
    ProtocolError::Malformed("'setoption' needs 'name' and a name, then 'value' and a value".to_string())
}

pub fn parse(line: &str) -> Result<Option<Command>, ProtocolError> {
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
        "query" => Command::Query(question(rest)?),
        "quit" => Command::Quit,
        _ => return Ok(None),
    }))
}

fn set_option(words: &[&str]) -> Result<Command, ProtocolError> {
    let Some((&"name", rest)) = words.split_first() else {
        return Err(no_name());
    };
    let end = rest
        .iter()
        .position(|&word| word == "value")
        .unwrap_or(rest.len());
    if end == 0 {
        return Err(no_name());
    }
    Ok(Command::SetOption {
        name: rest[..end].join(" "),
        value: rest.get(end + 1..).unwrap_or_default().join(" "),
    })
}

fn position(words: &[&str]) -> Result<Command, ProtocolError> {
    let end = words
        .iter()
        .position(|&word| word == "moves")
        .unwrap_or(words.len());
    let start = match &words[..end] {
        ["startpos"] => Start::Startpos,
        ["fen", fen @ ..] if !fen.is_empty() => Start::Fen(fen.join(" ")),
        _ => {
            let needed = "'position' needs 'startpos' or 'fen' and a position";
            return Err(ProtocolError::Malformed(needed.to_string()));
        }
    };
    let moves = words.get(end + 1..).unwrap_or_default();
    Ok(Command::Position {
        start,
        moves: moves.iter().map(|&turn| turn.to_string()).collect(),
    })
}

fn question(words: &[&str]) -> Result<Question, ProtocolError> {
    match words {
        ["gameover"] => Ok(Question::GameOver),
        ["p1turn"] => Ok(Question::FirstPlayersTurn),
        ["result"] => Ok(Question::Result),
        ["fen"] => Ok(Question::Fen),
        _ => Err(ProtocolError::Question(words.join(" "))),
    }
}

fn parse_go(words: &[&str]) -> (Go, Vec<ProtocolError>) {
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
                    Err(_) => errors.push(ProtocolError::Malformed(format!(
                        "ignoring '{part} {found}': not a number"
                    ))),
                }
            }
            found => errors.push(ProtocolError::Malformed(format!(
                "ignoring '{found}': not a part of 'go'"
            ))),
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
