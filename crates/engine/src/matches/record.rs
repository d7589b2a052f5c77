//! The games of a match: a record in PGN style, and a journal of JSON lines to resume the match.
//!
//! The first line of a journal names the match; each further line is a game. Every line has the
//! length of the PGN file after it, so that a game of which one of the files has only a part is
//! played again.

use super::Match;
use super::play::{Ending, Played, TimedTurn};
use phutbase_base::outcome::Side;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Writes a game in PGN style for rating programs; White is the first player (Left, Alfred).
pub fn pgn(game: &Played, plan: &Match) -> String {
    let first = game.number % 2;
    let [white, black] = [first, 1 - first].map(|engine| &plan.contestants[game.pairing[engine]]);
    let [by_white, by_black] = [white, black].map(|one| one.control.limit.time_control());
    let mut tags = vec![
        (
            "Event",
            game.opening.id.clone().unwrap_or("phutbase match".into()),
        ),
        ("Site", "?".into()),
        ("Date", jiff::Timestamp::now().strftime("%Y.%m.%d").to_string()),
        ("Round", format!("{}.{}", game.number / 2 + 1, first + 1)),
        ("White", white.name.clone()),
        ("Black", black.name.clone()),
        ("Result", game.result().into()),
        ("WhiteSettings", white.settings()),
        ("BlackSettings", black.settings()),
        ("Settings", plan.settings()),
        ("FEN", game.opening.position.fen()),
    ];
    if by_white == by_black {
        tags.push(("TimeControl", by_white));
    } else {
        tags.extend([("WhiteTimeControl", by_white), ("BlackTimeControl", by_black)]);
    }
    tags.extend([
        ("Variant", "phutball".into()),
        ("SetUp", "1".into()),
        ("PlyCount", game.turns.len().to_string()),
        ("Termination", game.ending.termination.to_string()),
    ]);
    let mut text: String = (tags.iter().map(|(tag, value)| line(tag, value))).collect();
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
    if let Some(reason) = &game.ending.reason {
        text += &format!("{{{}}}\n", commented(reason));
    }
    text + game.result() + "\n\n"
}

/// Returns the score, the depth, the time, the nodes and the line of a turn as fastchess writes them:
/// `+0.35/12 1.200s, n=52100, pv="o3 @5"`; after them a false claim.
fn comment(made: &TimedTurn) -> String {
    let mut text = String::new();
    let report = made.report.as_ref();
    if let Some((report, score)) = report.and_then(|report| Some((report, report.score?))) {
        text += &format!("{score}/{} ", report.depth.unwrap_or(0));
    }
    text += &format!("{:.3}s", made.time.as_secs_f64());
    if let Some(nodes) = report.and_then(|report| report.nodes) {
        text += &format!(", n={nodes}");
    }
    if let Some(report) = report.filter(|report| !report.line.is_empty()) {
        text += &format!(", pv=\"{}\"", report.line.join(" ").replace('"', ""));
    }
    if let Some(claim) = &made.false_claim {
        text += &format!("; {claim}");
    }
    commented(&text)
}

/// Returns a text without what would end a comment.
fn commented(text: &str) -> String {
    let is_safe = |symbol: &char| !"{}".contains(*symbol) && !symbol.is_control();
    text.chars().filter(is_safe).collect()
}

/// Returns the line of a tag.
fn line(tag: &str, value: &str) -> String {
    let value: String = value.chars().filter(|symbol| !symbol.is_control()).collect();
    format!(
        "[{tag} \"{}\"]\n",
        value.replace('\\', "\\\\").replace('"', "\\\"")
    )
}

/// A line of a journal. The first, of game 0, has no ending: it only names the match.
#[derive(Serialize, Deserialize)]
struct Line {
    game: usize,
    conditions: BTreeMap<String, String>,
    turns: Vec<TimedTurn>,
    ending: Option<Ending>,
    /// Length of the PGN file after the game.
    pgn: u64,
}

/// The reason why a match cannot go on after the games of a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("it names no match")]
    NoMatch,
    /// A line, counted from 1.
    #[error("it is not the journal of a match: line {0}: {1}")]
    Line(usize, serde_json::Error),
    #[error("it has a hole: game {found} stands in place of game {expected}")]
    Hole { expected: usize, found: usize },
    /// The field, its value, and the expected one.
    #[error("it holds another match: in game {0} '{1}' is '{2}', not '{3}'")]
    OtherMatch(usize, String, String, String),
}

/// Describes everything that may decide a game, which is counted from 1.
fn conditions(plan: &Match, game: usize) -> BTreeMap<String, String> {
    let pairing = plan.pairing(game.saturating_sub(1));
    let [one, other] = pairing.map(|engine| &plan.contestants[engine]);
    let fields = [
        ("first engine", one.name.clone()),
        ("second engine", other.name.clone()),
        ("settings of the first engine", one.settings()),
        ("settings of the second engine", other.settings()),
        ("settings", plan.settings()),
        ("position", plan.opening(game.saturating_sub(1)).position.fen()),
    ];
    BTreeMap::from(fields.map(|(field, value)| (field.to_string(), value)))
}

/// Returns the line of a game in a journal, or the first line. `pgn` is the length of the PGN file
/// after the game.
pub fn journal_line(game: Option<&Played>, plan: &Match, pgn: u64) -> String {
    let number = game.map_or(0, |game| game.number + 1);
    let line = Line {
        game: number,
        conditions: conditions(plan, number),
        turns: game.map_or(Vec::new(), |game| game.turns.clone()),
        ending: game.map(|game| game.ending.clone()),
        pgn,
    };
    serde_json::to_string(&line).expect("texts, numbers and lists are JSON") + "\n"
}

/// The games of a journal, and the lengths of the journal and the PGN file up to the last of them.
pub struct Resumed {
    pub games: Vec<Played>,
    pub journal: u64,
    pub pgn: u64,
}

/// Reads the games of a match from a journal. A last line that was cut, and games beyond the end of
/// the PGN file, which has `pgn` bytes, are left out.
pub fn read(journal: &[u8], pgn: u64, plan: &Match) -> Result<Resumed, JournalError> {
    let mut resumed = Resumed {
        games: Vec::new(),
        journal: 0,
        pgn,
    };
    let lines = journal.split_inclusive(|&byte| byte == b'\n');
    for (game, text) in lines.filter(|line| line.ends_with(b"\n")).enumerate() {
        let line: Line = serde_json::from_slice(text).map_err(|error| JournalError::Line(game + 1, error))?;
        if line.game != game {
            let (expected, found) = (game, line.game);
            return Err(JournalError::Hole { expected, found });
        }
        for (field, expected) in conditions(plan, game) {
            let found = line.conditions.get(&field).cloned().unwrap_or_default();
            if found != expected {
                return Err(JournalError::OtherMatch(game, field, found, expected));
            }
        }
        if line.pgn > pgn {
            break;
        }
        resumed.games.extend(line.ending.map(|ending| Played {
            number: game - 1,
            pairing: plan.pairing(game - 1),
            first: (game - 1) % 2,
            opening: plan.opening(game - 1).clone(),
            turns: line.turns,
            ending,
        }));
        resumed.journal += text.len() as u64;
        resumed.pgn = line.pgn;
    }
    let is_new = pgn == 0 && journal.is_empty();
    if resumed.journal == 0 && !is_new && !journal.starts_with(b"{") {
        return Err(JournalError::NoMatch);
    }
    Ok(resumed)
}
