//! Who chooses the turns.
//!
//! * *perfect*: the tables as far as they reach ([`tables`]), a [search](super::search)
//!   beyond;
//! * *potential*: the generalized potential of Grossman & Nowakowski, one turn ahead ([`potential`]); on the pitch the nearer goal;
//! * *random*: chance. These two are there for engines to be tested against.

pub mod potential;
pub mod tables;

use super::budget::Budget;
use super::position::{Listing, Turn};
use super::search::{DEFAULT_MEBIBYTES, Info, Score, Searcher};
use crate::games::position::Phutball;
use crate::outcome::{Verdict, words};
use crate::table::tablebase::Tablebase;
use crate::theory::find::Uniform;
use num_bigint::BigUint;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tables::NoAnswer;

/// The players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Best play, as far as it is known.
    Perfect,
    /// By the generalized potential.
    Potential,
    /// By chance.
    Random,
}

words!(Kind: Perfect = "perfect", Potential = "potential", Random = "random");

/// A chosen turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The turn.
    pub turn: Turn,
    /// What it is worth, if that is known or guessed.
    pub score: Option<Score>,
    /// Something that went wrong on the way; the turn is legal all the same.
    pub trouble: Option<String>,
}

/// The players and what they know: tables, a memory of searches, chance.
pub struct Players {
    tables: Arc<Tablebase>,
    searcher: Mutex<Searcher>,
    chance: Mutex<Uniform>,
}

/// What makes locking them succeed.
const WHOLE: &str = "a search does not panic";

impl Players {
    /// Players with these tables.
    pub fn new(tables: Arc<Tablebase>, seed: u64) -> Players {
        Players {
            tables,
            searcher: Mutex::new(Searcher::new(DEFAULT_MEBIBYTES)),
            chance: Mutex::new(Uniform::new(seed)),
        }
    }

    /// Begins a new row of chances.
    pub fn reseed(&self, seed: u64) {
        *self.chance.lock().expect(WHOLE) = Uniform::new(seed);
    }

    /// Forgets what was searched; from now on so many mebibytes may be remembered.
    pub fn forget(&self, hash: usize) {
        let mut searcher = self.searcher.lock().expect(WHOLE);
        *searcher = Searcher::new(hash);
    }

    /// What the tables say of a position.
    pub fn verdict(&self, position: &Phutball) -> Result<Verdict, NoAnswer> {
        match position {
            Phutball::Strip(strip) => Ok(self.tables.verdict(strip)?),
            Phutball::Pitch(pitch) => {
                let value = (self.tables).ask_pitch(pitch.shape(), |table| table.value(pitch))?;
                Ok(Verdict::from(value))
            }
        }
    }

    /// The file of the table that a position's turns come from.
    pub fn source(&self, position: &Phutball) -> Result<PathBuf, NoAnswer> {
        Ok(match position {
            Phutball::Strip(strip) => (self.tables).ask(strip.length(), |table| {
                table.verdict(strip)?;
                Ok(table.path().to_path_buf())
            })?,
            Phutball::Pitch(pitch) => (self.tables).ask_pitch(pitch.shape(), |table| {
                table.value(pitch)?;
                Ok(table.path().to_path_buf())
            })?,
        })
    }

    /// Chooses a turn; `None` only if there is none.
    pub fn choose(
        &self,
        kind: Kind,
        position: &Phutball,
        budget: &Budget,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Choice> {
        match kind {
            Kind::Perfect => self.best(position, budget, report),
            Kind::Potential => potential::choose(position, budget).map(Choice::unrated),
            Kind::Random => self.any(position, budget).map(Choice::unrated),
        }
    }

    fn any(&self, position: &Phutball, budget: &Budget) -> Option<Turn> {
        let mut turns = position.turns(&|| budget.is_overdue()).turns;
        if turns.is_empty() {
            return None;
        }
        let mut chance = self.chance.lock().expect(WHOLE);
        let place = chance.below(&BigUint::from(turns.len()));
        let place = usize::try_from(place).expect("less than the number of turns");
        Some(turns.swap_remove(place))
    }

    /// A turn of the tables, else one that was searched for.
    fn best(&self, position: &Phutball, budget: &Budget, report: &mut dyn FnMut(&Info)) -> Option<Choice> {
        let from_tables = match position {
            Phutball::Strip(strip) => tables::on_strip(&self.tables, strip),
            Phutball::Pitch(pitch) => tables::on_pitch(&self.tables, pitch),
        };
        let part = budget.part(1, 4);
        let listed = || position.turns(&|| part.is_spent(0));
        let (mut listing, trouble) = match from_tables {
            Ok(rated) if !rated.line.is_empty() => {
                let turn = rated.turns.into_iter().next()?;
                let score = Score::of_verdict(rated.verdict);
                report(&Info::looked_up(rated.line, score, budget));
                return Some(Choice {
                    turn,
                    score: Some(score),
                    trouble: None,
                });
            }
            Ok(rated) => {
                let keeping = Listing {
                    turns: rated.turns,
                    complete: true,
                };
                (keeping, None)
            }
            Err(NoAnswer::OutOfReach) => (listed(), None),
            Err(NoAnswer::Broken(error)) => (listed(), Some(error)),
        };
        let mut searcher = self.searcher.lock().expect(WHOLE);
        let (place, score) = searcher.choose(position, &listing, budget, report)?;
        Some(Choice {
            turn: listing.turns.swap_remove(place),
            score: Some(score),
            trouble,
        })
    }
}

impl Choice {
    fn unrated(turn: Turn) -> Choice {
        Choice {
            turn,
            score: None,
            trouble: None,
        }
    }
}
