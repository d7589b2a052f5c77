//! What `setoption` sets, and how `ugi` lists it.

use super::players::Kind;
use super::search::DEFAULT_MEBIBYTES;
use crate::games::boards::Boards;
use crate::games::position::Phutball;
use crate::outcome::ParseError;
use std::fmt::Display;

/// The boards of `startpos`, if nothing else is set: the strip of 21 squares.
pub const DEFAULT_BOARDS: &str = "21";

/// The options of an engine. They can only be [set](Options::set) to values that make sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The position that `startpos` means: an empty board with the ball in the middle.
    startpos: Phutball,
    /// Whether tables are asked; else everything is searched for.
    pub(super) tables: bool,
    /// Who chooses the turns.
    pub(super) player: Kind,
    /// Where the chances of the random player begin.
    pub(super) seed: u64,
    /// Mebibytes that the search may remember.
    pub(super) hash: usize,
    /// How often a position comes up until the game is a draw.
    pub(super) repetitions: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            startpos: startpos(DEFAULT_BOARDS).expect("the default boards have a middle"),
            tables: true,
            player: Kind::Perfect,
            seed: 0,
            hash: DEFAULT_MEBIBYTES,
            repetitions: 3,
        }
    }
}

/// The empty position of some boards, or why there is none.
fn startpos(boards: &str) -> Result<Phutball, String> {
    let start = match boards.parse::<Boards>().map_err(|error| error.to_string())? {
        Boards::Strips(lengths) if lengths.start() == lengths.end() => Phutball::empty_strip(*lengths.end()),
        Boards::Pitch(shape) => Phutball::empty_pitch(shape.rows(), shape.columns()),
        _ => None,
    };
    start.ok_or_else(|| {
        "it takes a strip such as 21 or a pitch such as 19x15, with odd numbers, so that the ball has a middle to stand on"
            .to_string()
    })
}

/// The fewest repetitions that can be asked for: every position comes up once.
const LEAST_REPETITIONS: usize = 2;
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
            format!("option name boards type string default {DEFAULT_BOARDS}"),
            "option name tables type check default true".to_string(),
            "option name player type combo default perfect var perfect var potential var random".to_string(),
            format!("option name seed type spin default 0 min 0 max {}", u64::MAX),
            spin("hash", defaults.hash, 1, MOST_HASH),
            spin(
                "repetitions",
                defaults.repetitions,
                LEAST_REPETITIONS,
                MOST_REPETITIONS,
            ),
        ]
    }

    /// Sets one option; names are known in capitals too.
    ///
    /// # Errors
    /// [`ParseError`]; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        let error = |expected: &dyn Display| {
            ParseError(format!("'{value}' is not a value of option '{name}': {expected}"))
        };
        let number = |least: usize, most: usize| {
            (value.parse::<usize>().ok())
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| error(&format_args!("it takes a number from {least} to {most}")))
        };
        match name.to_ascii_lowercase().as_str() {
            "boards" => self.startpos = startpos(value).map_err(|reason| error(&reason))?,
            "tables" => {
                self.tables = value.parse().map_err(|_| error(&"it takes true or false"))?;
            }
            "player" => self.player = value.parse().map_err(|reason| error(&reason))?,
            "seed" => self.seed = value.parse().map_err(|_| error(&"it takes a number"))?,
            "hash" => self.hash = number(1, MOST_HASH)?,
            "repetitions" => self.repetitions = number(LEAST_REPETITIONS, MOST_REPETITIONS)?,
            _ => {
                return Err(ParseError(format!("no option '{name}'; 'ugi' lists them")));
            }
        }
        Ok(())
    }

    /// The position that `startpos` means.
    pub fn startpos(&self) -> Phutball {
        self.startpos
    }
}
