//! What `setoption` sets, and how `ugi` lists it.

use super::players::Kind;
use super::position::Position;
use crate::games::{pitch, strip};

/// Which game `startpos` is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameName {
    /// One dimension.
    Strip,
    /// Two.
    Pitch,
}

/// Squares of `startpos` on the strip, if nothing else is set.
pub const DEFAULT_LENGTH: usize = 21;
/// Rows of `startpos` on the pitch, likewise.
pub const DEFAULT_ROWS: usize = 19;
/// Columns of `startpos` on the pitch, likewise.
pub const DEFAULT_COLUMNS: usize = 15;

/// The options of an engine. They can only be [set](Options::set) to values that make sense.
///
/// Invariant: length, rows and columns are those of a board with a middle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The game of `startpos`.
    pub(super) game: GameName,
    /// Squares of `startpos` on the strip, odd.
    pub(super) length: usize,
    /// Rows of `startpos` on the pitch, odd.
    pub(super) rows: usize,
    /// Columns of `startpos` on the pitch, odd.
    pub(super) columns: usize,
    /// Who chooses the turns.
    pub(super) player: Kind,
    /// Where the chances of the random player begin.
    pub(super) seed: u64,
    /// Mebibytes that the search may remember.
    pub(super) hash: usize,
    /// How often a position comes up until the game is a draw; 0 for never.
    pub(super) repetitions: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            game: GameName::Strip,
            length: DEFAULT_LENGTH,
            rows: DEFAULT_ROWS,
            columns: DEFAULT_COLUMNS,
            player: Kind::Perfect,
            seed: 0,
            hash: 16,
            repetitions: 3,
        }
    }
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No such option.
    #[error("no option '{name}'; 'ugi' lists them")]
    Unknown {
        /// The name.
        name: String,
    },
    /// A value that the option does not take.
    #[error("'{value}' is no value of option '{name}': {expected}")]
    Value {
        /// The option.
        name: String,
        /// The value.
        value: String,
        /// What it takes.
        expected: String,
    },
}

/// The most repetitions that can be asked for.
const MOST_REPETITIONS: usize = 1000;
/// The most mebibytes.
const MOST_HASH: usize = 65_536;

impl Options {
    /// The lines that `ugi` is answered with.
    pub fn lines(&self) -> Vec<String> {
        let defaults = Options::default();
        let spin = |name: &str, default: usize, least: usize, most: usize| {
            format!("option name {name} type spin default {default} min {least} max {most}")
        };
        vec![
            "option name game type combo default strip var strip var pitch".to_string(),
            spin(
                "length",
                defaults.length,
                strip::MIN_LENGTH,
                strip::MAX_LENGTH - 1,
            ),
            spin("rows", defaults.rows, pitch::MIN_ROWS, pitch::MAX_SIDE),
            spin("columns", defaults.columns, 1, pitch::MAX_SIDE),
            "option name player type combo default perfect var perfect var potential var random".to_string(),
            format!("option name seed type spin default 0 min 0 max {}", u64::MAX),
            spin("hash", defaults.hash, 1, MOST_HASH),
            spin("repetitions", defaults.repetitions, 0, MOST_REPETITIONS),
        ]
    }

    /// Sets one option; names are known in capitals too.
    ///
    /// # Errors
    /// [`OptionError`]; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let error = |expected: String| OptionError::Value {
            name: name.to_string(),
            value: value.to_string(),
            expected,
        };
        let number = |least: usize, most: usize, odd: bool| {
            (value.parse::<usize>().ok())
                .filter(|number| (least..=most).contains(number) && (!odd || number % 2 == 1))
                .ok_or_else(|| {
                    let kind = if odd { "an odd number" } else { "a number" };
                    error(format!("it takes {kind} from {least} to {most}"))
                })
        };
        match name.to_ascii_lowercase().as_str() {
            "game" => {
                self.game = match value {
                    "strip" => GameName::Strip,
                    "pitch" => GameName::Pitch,
                    _ => return Err(error("it takes strip or pitch".to_string())),
                }
            }
            "length" => self.length = number(strip::MIN_LENGTH, strip::MAX_LENGTH, true)?,
            "rows" => self.rows = number(pitch::MIN_ROWS, pitch::MAX_SIDE, true)?,
            "columns" => self.columns = number(1, pitch::MAX_SIDE, true)?,
            "player" => {
                self.player = (value.parse())
                    .map_err(|()| error("it takes perfect, potential or random".to_string()))?;
            }
            "seed" => self.seed = (value.parse()).map_err(|_| error("it takes a number".to_string()))?,
            "hash" => self.hash = number(1, MOST_HASH, false)?,
            "repetitions" => {
                let repetitions = number(0, MOST_REPETITIONS, false)?;
                if repetitions == 1 {
                    let expected = "every position comes up once; it takes 0 (never a draw), 2 or more";
                    return Err(error(expected.to_string()));
                }
                self.repetitions = repetitions;
            }
            _ => {
                return Err(OptionError::Unknown {
                    name: name.to_string(),
                });
            }
        }
        Ok(())
    }

    /// The position that `startpos` means.
    pub fn startpos(&self) -> Position {
        let start = match self.game {
            GameName::Strip => Position::empty_strip(self.length),
            GameName::Pitch => Position::empty_pitch(self.rows, self.columns),
        };
        start.expect("options of a board with a middle")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_default_is_one_that_can_be_set() {
        for line in Options::default().lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let at = |word: &str| words.iter().position(|&found| found == word).unwrap() + 1;
            let mut options = Options::default();
            options.set(words[at("name")], words[at("default")]).unwrap();
            assert_eq!(options, Options::default(), "{line}");
            options.startpos();
        }
    }

    #[test]
    fn wrong_values_change_nothing() {
        let wrong = [
            ("length", "20"),
            ("length", "129"),
            ("rows", "x"),
            ("columns", "-1"),
            ("game", "chess"),
            ("player", "me"),
            ("hash", "0"),
            ("repetitions", "1"),
            ("book", "on"),
        ];
        let mut options = Options::default();
        for (name, value) in wrong {
            assert!(options.set(name, value).is_err(), "{name} {value}");
            assert_eq!(options, Options::default(), "{name}");
        }
    }
}
