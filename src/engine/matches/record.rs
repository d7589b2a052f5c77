//! The games of a match in PGN style: written as they end, and read to resume the match.

use super::Match;
use super::play::{Ending, Played};
use crate::outcome::Side;

/// Writes a game in PGN style for rating programs; White is the first player (Left, Alfred).
pub fn pgn(game: &Played, names: [&str; 2]) -> String {
    let round = round(game.number);
    let start = game.opening.position.fen();
    let mut text = String::new();
    for (tag, value) in [
        ("Event", game.opening.id.as_deref().unwrap_or("phutbase match")),
        ("Round", &round),
        ("White", names[game.first]),
        ("Black", names[1 - game.first]),
        ("Result", game.result()),
        ("Variant", "phutball"),
        ("SetUp", "1"),
        ("FEN", &start),
        ("PlyCount", &game.turns.len().to_string()),
        ("Termination", game.ending.termination),
    ] {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{tag} \"{value}\"]\n");
    }
    text.push('\n');
    let begins = game.opening.position.side() as usize;
    for (place, made) in (begins..).zip(&game.turns) {
        let seconds = made.time.as_secs_f64();
        match (place % 2 == Side::Left as usize, place == begins) {
            (true, _) => text += &format!("{}. ", place / 2 + 1),
            (false, true) => text += &format!("{}... ", place / 2 + 1),
            (false, false) => {}
        }
        text += &format!("{} {{{seconds:.3}s}}\n", made.turn);
    }
    if let Some(reason) = game.ending.reason() {
        let reason: String = reason
            .chars()
            .filter(|symbol| !"{}".contains(*symbol) && !symbol.is_control())
            .collect();
        text += &format!("{{{reason}}}\n");
    }
    text + game.result() + "\n\n"
}

/// A file does not hold the first games of this match.
#[derive(Debug, thiserror::Error)]
#[error("game {number}: {tag} is '{found}', expected '{expected}'")]
pub struct OtherMatch {
    /// Counted from 1.
    pub number: usize,
    pub tag: &'static str,
    pub found: String,
    pub expected: String,
}

/// Reads the games of a match from a record, up to an incomplete one; earlier matches in the record
/// are skipped. Returns them without their turns, and the number of bytes up to the last of them.
pub fn read(text: &str, plan: &Match) -> Result<(Vec<Played>, usize), OtherMatch> {
    const BEGIN: &str = "[Event ";
    let begins = text.match_indices(BEGIN).map(|(place, _)| place);
    let begins: Vec<usize> = begins
        .filter(|&place| place == 0 || text[..place].ends_with('\n'))
        .collect();
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    let games: Vec<(&str, usize)> = begins
        .iter()
        .zip(ends)
        .map(|(&from, to)| (&text[from..to], to))
        .collect();
    let first = games
        .iter()
        .rposition(|(game, _)| tag(game, "Round").as_deref() == Some("1.1"));
    let (mut played, mut end) = (Vec::new(), 0);
    for (game, to) in &games[first.unwrap_or(games.len())..] {
        let Some(result) = result(game) else {
            break;
        };
        played.push(of_record(game, result, played.len(), plan)?);
        end = *to;
    }
    Ok((played, end))
}

/// Returns the value of a tag of a game.
fn tag(game: &str, name: &str) -> Option<String> {
    let line = game
        .lines()
        .find_map(|line| line.strip_prefix(&format!("[{name} \"")))?;
    let value = line.strip_suffix("\"]")?;
    Some(value.replace("\\\"", "\"").replace("\\\\", "\\"))
}

/// Returns the result of a game; `None` if the record of the game is incomplete.
fn result(game: &str) -> Option<&str> {
    let result = game.strip_suffix("\n\n")?.lines().last()?;
    ["1-0", "0-1", "1/2-1/2"].contains(&result).then_some(result)
}

fn of_record(game: &str, result: &str, number: usize, plan: &Match) -> Result<Played, OtherMatch> {
    let first = number % 2;
    let opening = plan.openings[number / 2 % plan.openings.len()].clone();
    let [white, black] = [first, 1 - first].map(|engine| plan.contestants[engine].name.clone());
    for (name, expected) in [
        ("Round", round(number)),
        ("White", white),
        ("Black", black),
        ("FEN", opening.position.fen()),
    ] {
        let found = tag(game, name).unwrap_or_default();
        if found != expected {
            return Err(OtherMatch {
                number: number + 1,
                tag: name,
                found,
                expected,
            });
        }
    }
    let winner = match result {
        "1-0" => Some(first),
        "0-1" => Some(1 - first),
        _ => None,
    };
    let termination = tag(game, "Termination").unwrap_or_default();
    let termination = TERMINATIONS.into_iter().find(|word| *word == termination);
    let termination = termination.unwrap_or("normal");
    let is_fault = !["normal", "adjudication"].contains(&termination);
    Ok(Played {
        number,
        first,
        opening,
        turns: Vec::new(),
        ending: Ending {
            winner,
            termination,
            fault: is_fault.then(|| termination.to_string()),
            known: None,
        },
    })
}

/// The values of the tag `Termination`.
const TERMINATIONS: [&str; 5] = [
    "normal",
    "adjudication",
    "abandoned",
    "time forfeit",
    "rules infraction",
];

/// Returns the round of a game and its place in it.
fn round(number: usize) -> String {
    format!("{}.{}", number / 2 + 1, number % 2 + 1)
}
