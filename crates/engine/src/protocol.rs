//! Lines of the Universal Game Interface (`ugi.md` of kz04px/cutegames).
//!
//! Unknown commands are ignored, as the protocol demands. Malformed ones give an error with advice.

use super::limits::Go;
use phutbase_base::outcome::ParseError;
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

/// The words of `go`, which end the turns of `searchmoves`.
const PARTS: [&str; 10] = [
    "searchmoves",
    "infinite",
    "movetime",
    "depth",
    "nodes",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "movestogo",
];

fn parse_go(words: &[&str]) -> (Go, Vec<ParseError>) {
    let mut go = Go::default();
    let mut errors = Vec::new();
    let mut words = words.iter().copied().peekable();
    while let Some(part) = words.next() {
        if part == "searchmoves" {
            let turns = std::iter::from_fn(|| words.next_if(|word| !PARTS.contains(word)));
            go.searchmoves.extend(turns.map(str::to_string));
            if go.searchmoves.is_empty() {
                errors.push(ParseError("ignoring 'searchmoves': no turns follow".to_string()));
            }
            continue;
        }
        errors.extend(set_part(&mut go, part, &mut words).err());
    }
    (go, errors)
}

fn set_part<'a>(go: &mut Go, part: &str, rest: &mut impl Iterator<Item = &'a str>) -> Result<(), ParseError> {
    let mut number = || {
        let found = rest.next().unwrap_or("");
        // Some programs send negative numbers for a clock that has run out.
        (found.parse().map(|number: i64| number.max(0).unsigned_abs()))
            .map_err(|_| ParseError(format!("ignoring '{part} {found}': not a number")))
    };
    // Bounded beyond any game, so that sums of times do not overflow.
    let time = |number: u64| Duration::from_millis(number.min(1 << 40));
    match part {
        "infinite" => go.infinite = true,
        "movetime" => go.movetime = Some(time(number()?)),
        "depth" => go.depth = Some(u32::try_from(number()?).unwrap_or(u32::MAX)),
        "nodes" => go.nodes = Some(number()?),
        "p1time" => go.clock[0] = Some(time(number()?)),
        "p2time" => go.clock[1] = Some(time(number()?)),
        "p1inc" => go.increment[0] = time(number()?),
        "p2inc" => go.increment[1] = time(number()?),
        "movestogo" => go.movestogo = Some(u32::try_from(number()?).unwrap_or(u32::MAX)),
        found => return Err(ParseError(format!("ignoring '{found}': not a part of 'go'"))),
    }
    Ok(())
}
