//! `--resign` and `--draw`: the keys of adjudication by scores, as in cutechess and fastchess.

use super::engine_keys::{split, value};
use phutbase_engine::matches::adjudication::{Resignation, ScoredDraw};
use phutbase_terminal::output::CommandError;

/// Parses `movecount= score= twosided=`; `None` without keys.
pub fn resignation(keys: &[String]) -> Result<Option<Resignation>, CommandError> {
    let found = numbers("--resign", keys, ["movecount", "score", "twosided"])?;
    Ok(found.map(|[turns, score, two_sided]| Resignation {
        turns: turns as usize,
        score: score.into(),
        is_two_sided: two_sided != 0,
    }))
}

/// Parses `movecount= score= movenumber=`; `None` without keys.
pub fn draw(keys: &[String]) -> Result<Option<ScoredDraw>, CommandError> {
    let found = numbers("--draw", keys, ["movecount", "score", "movenumber"])?;
    Ok(found.map(|[moves, score, earliest]| ScoredDraw {
        earliest: earliest as usize,
        moves: moves as usize,
        score: score.into(),
    }))
}

/// Parses keys whose values are numbers, or true and false; the last one may be missing.
fn numbers(option: &str, keys: &[String], names: [&str; 3]) -> Result<Option<[u32; 3]>, CommandError> {
    if keys.is_empty() {
        return Ok(None);
    }
    let mut found = [None; 3];
    for key in keys {
        let (key, text) = split(key)?;
        let place = names.iter().position(|name| *name == key);
        let place = place.ok_or_else(|| CommandError::Usage(format!("{option}: unknown key '{key}'")))?;
        found[place] = Some(match (key, text) {
            ("twosided", "true") => 1,
            ("twosided", "false") => 0,
            ("twosided", _) => {
                return Err(CommandError::Usage(format!(
                    "{option}: {key}={text}: write true or false"
                )));
            }
            _ => value(key, text)?,
        });
    }
    match found {
        [Some(count @ 1..), Some(score), last] => Ok(Some([count, score, last.unwrap_or(0)])),
        _ => Err(CommandError::Usage(format!(
            "{option}: write movecount=K, at least 1, and score=CENTIPAWNS"
        ))),
    }
}
