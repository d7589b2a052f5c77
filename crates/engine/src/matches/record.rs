//! The games of a match in PGN style: written as they end, and read to resume the match.

use super::Match;
use super::openings::Opening;
use super::play::{Ending, Played, TimedTurn};
use phutbase_base::outcome::Side;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes a game in PGN style for rating programs; White is the first player (Left, Alfred).
pub fn pgn(game: &Played, plan: &Match) -> String {
    let event = game.opening.id.as_deref().unwrap_or("phutbase match");
    let mut text = [
        ("Event", event),
        ("Site", "?"),
        ("Date", &date(SystemTime::now())),
    ]
    .map(|(tag, value)| line(tag, value) + "\n")
    .concat();
    for tag in conditions(game.number, &game.opening, plan) {
        text += &format!("{}\n", line(tag.0, &tag.1));
    }
    let [white, black] = players(game.number).map(|engine| plan.contestants[engine].control.limit);
    let controls = if white == black {
        vec![("TimeControl", white)]
    } else {
        vec![("WhiteTimeControl", white), ("BlackTimeControl", black)]
    };
    for (tag, limit) in controls {
        text += &format!("{}\n", line(tag, &limit.time_control()));
    }
    for (tag, value) in [
        ("Result", game.result()),
        ("Variant", "phutball"),
        ("SetUp", "1"),
        ("PlyCount", &game.turns.len().to_string()),
        ("Termination", game.ending.termination),
    ] {
        text += &format!("{}\n", line(tag, value));
    }
    text.push('\n');
    let begins = game.opening.position.side() as usize;
    for (place, made) in (begins..).zip(&game.turns) {
        match (place % 2 == Side::Left as usize, place == begins) {
            (true, _) => text += &format!("{}. ", place / 2 + 1),
            (false, true) => text += &format!("{}... ", place / 2 + 1),
            (false, false) => {}
        }
        text += &format!("{} {{{}}}\n", made.turn, comment(made));
    }
    if let Some(reason) = &game.ending.fault {
        let reason: String = reason
            .chars()
            .filter(|symbol| !"{}".contains(*symbol) && !symbol.is_control())
            .collect();
        text += &format!("{{{reason}}}\n");
    }
    text + game.result() + "\n\n"
}

/// Returns the score, the depth and the time of a turn, as cutechess writes them: `+0.35/12 1.200s`.
fn comment(made: &TimedTurn) -> String {
    let report = made.report.iter().filter_map(|report| {
        let score = report.score?;
        Some(format!("{score}/{} ", report.depth.unwrap_or(0)))
    });
    report.collect::<String>() + &format!("{:.3}s", made.time.as_secs_f64())
}

/// Returns the date of a time (UTC) as `2026.01.31`, in the Gregorian calendar.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (mut year, mut day) = (1970, seconds / 86_400);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [
        31,
        28 + u64::from(is_leap(year)),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let mut month = 1;
    for length in lengths {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}.{month:02}.{:02}", day + 1)
}

/// Returns the engines that play White and Black.
fn players(number: usize) -> [usize; 2] {
    [number % 2, 1 - number % 2]
}

/// Returns the tags that a game must have to belong to a match: its place, and everything that may
/// decide it.
fn conditions(number: usize, opening: &Opening, plan: &Match) -> [(&'static str, String); 7] {
    let [white, black] = players(number).map(|engine| &plan.contestants[engine]);
    [
        ("Round", format!("{}.{}", number / 2 + 1, number % 2 + 1)),
        ("White", white.name.clone()),
        ("Black", black.name.clone()),
        ("WhiteSettings", white.settings()),
        ("BlackSettings", black.settings()),
        ("Settings", plan.settings()),
        ("FEN", opening.position.fen()),
    ]
}

/// Returns the line of a tag.
fn line(tag: &str, value: &str) -> String {
    let value: String = value.chars().filter(|symbol| !symbol.is_control()).collect();
    format!("[{tag} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The reason why a match cannot go on after the games of a file.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("it is not a record: byte {0} is not UTF-8 text")]
    NotText(usize),
    #[error("it holds no game of a match, but is not empty")]
    NoGames,
    /// A game before the last, counted from 1.
    #[error("game {0} has no result")]
    NoResult(usize),
    /// `number` is counted from 1.
    #[error("it holds another match: game {number} has {found}, not {expected}")]
    OtherMatch {
        number: usize,
        found: String,
        expected: String,
    },
}

const BEGIN: &str = "[Event ";
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

/// Reads the games of the last match in a record, without their turns. Also returns the length of
/// the record in bytes without a last game that was cut short. Line ends may be those of any
/// system.
pub fn read(bytes: &[u8], plan: &Match) -> Result<(Vec<Played>, usize), RecordError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_some() => return Err(RecordError::NotText(error.valid_up_to())),
        // Cut inside a character.
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    let begins = begins(text);
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    let games: Vec<(&str, usize)> = (begins.iter().zip(ends))
        .map(|(&from, to)| (&text[from..to], from))
        .collect();
    let is_first = |&(game, _): &(&str, usize)| game.lines().any(|found| found == line("Round", "1.1"));
    let is_whole = |game: &str| game.lines().any(|line| RESULTS.contains(&line));
    let first = match (games.iter().rposition(is_first), games.last()) {
        (Some(first), _) => first,
        // The first game of the record was cut before its round.
        (None, Some((last, _))) if !is_whole(last) => games.len() - 1,
        (None, None) if text.trim_start_matches('\u{feff}').trim().is_empty() => {
            return Ok((Vec::new(), bytes.len()));
        }
        _ => return Err(RecordError::NoGames),
    };
    let mut played = Vec::new();
    for (game, from) in &games[first..] {
        let number = played.len();
        let found = of_record(game, number, plan)?;
        match found {
            Some(found) => played.push(found),
            None if first + number + 1 == games.len() => return Ok((played, *from)),
            None => return Err(RecordError::NoResult(number + 1)),
        }
    }
    Ok((played, bytes.len()))
}

/// Returns the places where games begin, also one of which only a part of the first word is there.
fn begins(text: &str) -> Vec<usize> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let lines = text.match_indices('\n').map(|(end, _)| end + 1);
    let is_begin = |&place: &usize| {
        let line = &text[place..];
        line.starts_with(BEGIN) || !line.is_empty() && BEGIN.starts_with(line)
    };
    [start].into_iter().chain(lines).filter(is_begin).collect()
}

/// Returns a game of a match; `None` if it was cut short before its result.
fn of_record(game: &str, number: usize, plan: &Match) -> Result<Option<Played>, RecordError> {
    let result = game.lines().find(|line| RESULTS.contains(line));
    let opening = plan.openings[number / 2 % plan.openings.len()].clone();
    for (tag, value) in conditions(number, &opening, plan) {
        let found = game.lines().find(|line| line.starts_with(&format!("[{tag} \"")));
        let expected = line(tag, &value);
        // The tag that was cut is the last line.
        let is_cut = |found: &str| result.is_none() && expected.starts_with(found);
        if found.map_or(result.is_some(), |found| found != expected && !is_cut(found)) {
            return Err(RecordError::OtherMatch {
                number: number + 1,
                found: found.map_or(format!("no {tag}"), ToString::to_string),
                expected,
            });
        }
    }
    let Some(result) = result else {
        return Ok(None);
    };
    let first = number % 2;
    let winner = match result {
        "1-0" => Some(first),
        "0-1" => Some(1 - first),
        _ => None,
    };
    let has_ended = |word: &&str| game.lines().any(|found| found == line("Termination", word));
    let termination = TERMINATIONS.into_iter().find(has_ended).unwrap_or("normal");
    let is_fault = !["normal", "adjudication"].contains(&termination);
    Ok(Some(Played {
        number,
        first,
        opening,
        turns: Vec::new(),
        ending: Ending {
            winner,
            termination,
            fault: is_fault.then(|| termination.to_string()),
        },
    }))
}

/// The values of the tag `Termination`.
const TERMINATIONS: [&str; 5] = [
    "normal",
    "adjudication",
    "abandoned",
    "time forfeit",
    "rules infraction",
];
