//! Questions in the query of an address.

use super::error::ApiError;
use crate::games::position::Position;
use crate::games::rules::Rules;
use crate::outcome::Side;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The query of an address, read as `T`.
pub struct Ask<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Ask<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Ask<T>, ApiError> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(question)) => Ok(Ask(question)),
            Err(error) => Err(ApiError::Bad(error.body_text())),
        }
    }
}

/// A query that is `rules=…`, or nothing: then they are the ordinary ones.
pub struct ByRules(pub Rules);

impl<S: Sync> FromRequestParts<S> for ByRules {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<ByRules, ApiError> {
        let query = parts.uri.query().filter(|query| !query.is_empty());
        match query.map(|query| query.strip_prefix("rules=")) {
            None => Ok(ByRules(Rules::Ordinary)),
            Some(Some(word)) => rules(Some(word)).map(ByRules),
            Some(None) => Err(ApiError::Bad(
                "the address may say rules=ordinary or rules=directional here, and nothing else".to_string(),
            )),
        }
    }
}

fn rules(word: Option<&str>) -> Result<Rules, ApiError> {
    let word: String = word.unwrap_or("ordinary").chars().take(20).collect();
    word.parse()
        .map_err(|error| ApiError::Bad(format!("rules: {error}")))
}

/// `position=…&side=…&rules=…&line=true&nimbers=true`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    position: String,
    side: Option<String>,
    rules: Option<String>,
    /// Whether best play is wanted too.
    #[serde(default)]
    pub line: bool,
    /// Whether every turn of Obstruction is wanted, and not the winning ones alone.
    #[serde(default)]
    pub nimbers: bool,
}

impl Question {
    /// The position under its rules; a side may stand after the board or beside it.
    pub fn position(&self) -> Result<Position, ApiError> {
        let rules = rules(self.rules.as_deref())?;
        let position = self.board()?.under(rules);
        position.map_err(|error| ApiError::Bad(error.to_string()))
    }

    fn board(&self) -> Result<Position, ApiError> {
        let text = self.position.trim();
        let position = read(text)?;
        let Some(side) = &self.side else {
            return Ok(position);
        };
        let letter = letter(side, &position)?;
        let impartial = text.starts_with("obstruction:");
        if impartial || text.contains(char::is_whitespace) {
            return Err(ApiError::Bad(format!(
                "position '{text}' says itself who is to move: leave the side out"
            )));
        }
        read(&format!("{text} {letter}"))
    }
}

/// Reads a position. In an address a plus sign stands for a blank, so between boards of Obstruction a blank stands for a plus sign too.
fn read(text: &str) -> Result<Position, ApiError> {
    let joined = match text.starts_with("obstruction:") && !text.contains('+') {
        true => text.split_whitespace().collect::<Vec<_>>().join("+"),
        false => text.to_string(),
    };
    joined.parse().map_err(|error| {
        let start: String = text.chars().take(200).collect();
        ApiError::Bad(format!("position '{start}': {error}"))
    })
}

/// The letter that notation has for a side, which is named or is that letter already.
fn letter(side: &str, position: &Position) -> Result<char, ApiError> {
    let names = [Side::Left, Side::Right].map(|side| position.player(side));
    let is_named = |name: &&str| side.eq_ignore_ascii_case(name) || side.eq_ignore_ascii_case(&name[..1]);
    let letter = (names.into_iter().find(is_named)).and_then(|name| name.chars().next());
    letter.map(|letter| letter.to_ascii_uppercase()).ok_or_else(|| {
        let side: String = side.chars().take(20).collect();
        ApiError::Bad(format!("side '{side}': write {} or {}", names[0], names[1]))
    })
}
