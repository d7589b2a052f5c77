//! Start positions of a match.

use crate::games::position::Phutball;
use crate::outcome::ParseError;
use crate::table::strip::find::Uniform;
use num_bigint::BigUint;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    pub position: Phutball,
    /// The name: the EPD operation `id`.
    pub id: Option<String>,
}

/// Parses openings in EPD style, as `phutbase suite` writes them: a position, then operations that
/// end with `;`. Empty lines and lines that begin with `#` are skipped.
pub fn parse(text: &str) -> Result<Vec<Opening>, ParseError> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = opening(line).map_err(|error| ParseError(format!("line {number}: {error}")))?;
        openings.push(opening);
    }
    if openings.is_empty() {
        Err(ParseError("no openings; write one position a line".to_string()))
    } else {
        Ok(openings)
    }
}

fn opening(line: &str) -> Result<Opening, ParseError> {
    let (board, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (side, operations) = match rest.trim_start().split_at_checked(1) {
        Some((side, after)) if "LRAB".contains(side) && !after.starts_with(char::is_alphanumeric) => {
            (side, after)
        }
        _ => ("", rest),
    };
    let position = format!("{board} {side}").parse()?;
    let id = operations
        .split(';')
        .find_map(|operation| operation.trim().strip_prefix("id "));
    Ok(Opening {
        position,
        id: id.map(|id| id.trim().trim_matches('"').to_string()),
    })
}

pub fn shuffle(openings: &mut [Opening], chance: &mut Uniform) {
    for last in (1..openings.len()).rev() {
        let place = chance.below(&BigUint::from(last + 1));
        let place = usize::try_from(place).expect("less than the number of openings");
        openings.swap(last, place);
    }
}
