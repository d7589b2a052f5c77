//! Options of `setoption`, and their listing for `ugi`.

use super::players::PlayerKind;
use super::search::DEFAULT_MEBIBYTES;
use phutbase_base::outcome::ParseError;
use phutbase_rules::strip::LONGEST;
use phutbase_rules::{Boards, Phutball};
use std::fmt::Display;

/// The default boards of `startpos`: the strip of 21 squares.
pub const DEFAULT_BOARDS: &str = "21";

/// The options of an engine. [`Options::set`] accepts valid values only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The position of `startpos`: an empty board with the ball in the middle.
    startpos: Phutball,
    /// Use tables; otherwise strips are left to the solution and pitches are searched.
    pub(super) tables: bool,
    /// The player that chooses the turns.
    pub(super) player: PlayerKind,
    pub(super) seed: u64,
    /// Memory of the search, in MiB.
    pub(super) hash: usize,
    /// Occurrences of a position that make the game a draw.
    pub(super) repetitions: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            startpos: startpos(DEFAULT_BOARDS).expect("the default boards have a middle"),
            tables: true,
            player: PlayerKind::Perfect,
            seed: 0,
            hash: DEFAULT_MEBIBYTES,
            repetitions: 3,
        }
    }
}

/// Returns the empty position of some boards, or the reason why there is none.
fn startpos(boards: &str) -> Result<Phutball, String> {
    let start = match Boards::read(boards, LONGEST).map_err(|error| error.to_string())? {
        Boards::Strips(lengths) if lengths.start() == lengths.end() => Phutball::empty_strip(*lengths.end()),
        Boards::Pitch(shape) => Phutball::empty_pitch(shape.rows(), shape.columns()),
        _ => None,
    };
    start.ok_or_else(|| "write an odd strip such as 21 or an odd pitch such as 19x15".to_string())
}

/// The minimum of `repetitions`: every position occurs once.
const MIN_REPETITIONS: usize = 2;
const MAX_REPETITIONS: usize = 1000;
const MAX_HASH: usize = 65_536;

impl Options {
    /// Lists the options for `ugi`; the default of each is its value now.
    pub fn lines(&self) -> Vec<String> {
        let spin = |name: &str, default: usize, least: usize, most: usize| {
            format!("option name {name} type spin default {default} min {least} max {most}")
        };
        let Options { tables, seed, .. } = self;
        let (boards, player) = (self.startpos.boards(), self.player.word());
        vec![
            format!("option name boards type string default {boards}"),
            format!("option name tables type check default {tables}"),
            format!("option name player type combo default {player} var perfect var potential var random"),
            format!("option name seed type spin default {seed} min 0 max {}", u64::MAX),
            spin("hash", self.hash, 1, MAX_HASH),
            spin("repetitions", self.repetitions, MIN_REPETITIONS, MAX_REPETITIONS),
        ]
    }

    /// Sets an option; case of the name is ignored.
    /// On errors the options are unchanged.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        let error = |expected: &dyn Display| {
            ParseError(format!("'{value}' is not a value of option '{name}': {expected}"))
        };
        let number = |least: usize, most: usize| {
            (value.parse::<usize>().ok())
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| error(&format_args!("write a number from {least} to {most}")))
        };
        match name.to_ascii_lowercase().as_str() {
            "boards" => self.startpos = startpos(value).map_err(|reason| error(&reason))?,
            "tables" => {
                self.tables = value.parse().map_err(|_| error(&"write true or false"))?;
            }
            "player" => self.player = value.parse().map_err(|reason| error(&reason))?,
            "seed" => self.seed = value.parse().map_err(|_| error(&"write a number"))?,
            "hash" => self.hash = number(1, MAX_HASH)?,
            "repetitions" => self.repetitions = number(MIN_REPETITIONS, MAX_REPETITIONS)?,
            _ => {
                return Err(ParseError(format!("no option '{name}'; 'ugi' lists the options")));
            }
        }
        Ok(())
    }

    pub fn startpos(&self) -> Phutball {
        self.startpos.clone()
    }
}
