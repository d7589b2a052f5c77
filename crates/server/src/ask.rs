//! Parameters in the query of a URL.

use super::error::ApiError;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use phutbase_base::outcome::Side;
use phutbase_rules::{Boards, Position, Rules};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

/// The query of a URL, deserialized as `T`.
pub struct Ask<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Ask<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Ask<T>, ApiError> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(question)) => Ok(Ask(question)),
            Err(error) => Err(ApiError::bad(error.body_text())),
        }
    }
}

/// Deserializes a value by its [`FromStr`].
pub fn parsed<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let word = Cow::<str>::deserialize(deserializer)?;
    word.parse().map_err(D::Error::custom)
}

/// Rejects boards other than the strips of one length and a pitch.
pub fn expect_one_size(boards: &Boards) -> Result<(), ApiError> {
    match boards {
        Boards::Pitch(_) => Ok(()),
        _ if boards.one_length().is_some() => Ok(()),
        _ => Err(ApiError::Bad(format!(
            "boards '{boards}': write one length or the size of a pitch"
        ))),
    }
}

/// `rules=…`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByRules {
    #[serde(default, deserialize_with = "parsed")]
    pub rules: Rules,
}

/// `position=…&side=…&rules=…&line=true&nimbers=true&wins=true`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    position: String,
    side: Option<String>,
    #[serde(default, deserialize_with = "parsed")]
    rules: Rules,
    /// True if best play is wanted.
    #[serde(default, deserialize_with = "truth")]
    pub line: bool,
    /// True if every turn of Obstruction is wanted, not only the winning ones.
    #[serde(default, deserialize_with = "truth")]
    pub nimbers: bool,
    /// True if the turns of a pitch that win at once are wanted.
    #[serde(default, deserialize_with = "truth")]
    pub wins: bool,
}

fn truth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let word = Cow::<str>::deserialize(deserializer)?;
    match &*word {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(D::Error::custom("write true or false")),
    }
}

impl Question {
    pub fn position(&self) -> Result<Position, ApiError> {
        sided(&self.position, self.side.as_deref(), self.rules)
    }
}

/// `position=…&side=…&rules=…&turns=o3,@5`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    position: String,
    side: Option<String>,
    #[serde(default, deserialize_with = "parsed")]
    rules: Rules,
    /// Turns that are played, with commas between them.
    turns: Option<String>,
}

impl Played {
    pub fn position(&self) -> Result<Position, ApiError> {
        sided(&self.position, self.side.as_deref(), self.rules)
    }

    pub fn turns(&self) -> Vec<&str> {
        let turns = self.turns.iter().filter(|turns| !turns.is_empty());
        turns.flat_map(|turns| turns.split(',')).collect()
    }
}

/// `position=…&side=…&rules=…&time=…`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turned {
    position: String,
    side: Option<String>,
    #[serde(default, deserialize_with = "parsed")]
    rules: Rules,
    /// Milliseconds for a search.
    time: Option<u32>,
}

impl Turned {
    pub fn position(&self) -> Result<Position, ApiError> {
        sided(&self.position, self.side.as_deref(), self.rules)
    }

    pub fn time(&self) -> Option<Duration> {
        self.time.map(|time| Duration::from_millis(time.into()))
    }
}

/// Returns the position under its rules; the side may follow the board or be a parameter.
fn sided(text: &str, side: Option<&str>, rules: Rules) -> Result<Position, ApiError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ApiError::bad("the position is empty"));
    }
    let position = read(text, rules)?;
    let Some(side) = side else {
        return Ok(position);
    };
    let letter = letter(side, &position)?;
    if text.starts_with("obstruction:") {
        return Err(ApiError::bad(
            "side= does not apply to Obstruction: either player may move next",
        ));
    }
    if text.contains(['_', ' ', '\t']) {
        return Err(ApiError::Bad(format!(
            "position '{text}' already names the player to move: omit the side"
        )));
    }
    read(&format!("{text} {letter}"), rules)
}

/// Parses a position. In a query '+' decodes to a blank, so blanks between boards of Obstruction
/// stand for '+'. An underscore stands for a blank.
fn read(text: &str, rules: Rules) -> Result<Position, ApiError> {
    let text = &text.replace('_', " ");
    let joined = if text.starts_with("obstruction:") && !text.contains('+') {
        text.split_whitespace().collect::<Vec<_>>().join("+")
    } else {
        text.to_string()
    };
    Position::read(&joined, rules).map_err(|error| {
        let start: String = text.chars().take(200).collect();
        ApiError::Bad(format!("position '{start}': {error}"))
    })
}

/// Returns the letter of a side in notation, given its name or letter.
fn letter(side: &str, position: &Position) -> Result<char, ApiError> {
    let names = [Side::Left, Side::Right].map(|side| position.player(side));
    let is_named = |name: &&str| side.eq_ignore_ascii_case(name) || side.eq_ignore_ascii_case(&name[..1]);
    let letter = (names.into_iter().find(is_named)).and_then(|name| name.chars().next());
    letter.map(|letter| letter.to_ascii_uppercase()).ok_or_else(|| {
        let side: String = side.chars().take(20).collect();
        ApiError::Bad(format!("side '{side}': write {} or {}", names[0], names[1]))
    })
}
