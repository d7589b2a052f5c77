//! Questions in the query of an address.

use super::error::ApiError;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::str::FromStr;

/// The longest position, in bytes: more than any board of any game needs.
const MAX_TEXT: usize = 1024;

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

/// `position=…&side=…`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    position: String,
    side: Option<String>,
}

impl Position {
    /// The position; the side is one of `sides`, by its name or its letter.
    pub fn parse<T: FromStr<Err: Display>>(&self, sides: [&str; 2]) -> Result<T, ApiError> {
        let text = short("position", &self.position)?.trim();
        let whole = match &self.side {
            None => text.to_string(),
            Some(_) if text.contains(char::is_whitespace) => {
                return Err(ApiError::Bad(format!(
                    "position '{text}' has a side after the board, and so has the question: give one of them"
                )));
            }
            Some(side) => format!("{text} {}", letter(side, sides)?),
        };
        whole
            .parse()
            .map_err(|error: T::Err| ApiError::Bad(format!("position '{text}': {error}")))
    }
}

/// The letter that notation has for a side.
fn letter(side: &str, names: [&str; 2]) -> Result<char, ApiError> {
    let letters = names.map(|name| name.chars().next().unwrap_or(' ').to_ascii_uppercase());
    for (name, letter) in names.into_iter().zip(letters) {
        if side.eq_ignore_ascii_case(name) || side.eq_ignore_ascii_case(&letter.to_string()) {
            return Ok(letter);
        }
    }
    Err(ApiError::Bad(format!(
        "side '{side}': write {} or {}",
        names[0], names[1]
    )))
}

/// Refuses a text that is too long to be a board of any game.
pub fn short<'a>(name: &str, text: &'a str) -> Result<&'a str, ApiError> {
    match text.len() > MAX_TEXT {
        true => Err(ApiError::Bad(format!(
            "{name}: {} bytes, at most {MAX_TEXT} make sense",
            text.len()
        ))),
        false => Ok(text),
    }
}
