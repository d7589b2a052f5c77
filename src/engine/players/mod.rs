//! The players that choose turns.
//!
//! * *perfect*: tables as far as they reach, a [search](super::search) beyond;
//! * *potential*: the generalized potential of Grossman & Nowakowski, one turn ahead
//!   ([`potential`]); on the pitch the distance to the goals. A test opponent, like
//! * *random*: a random legal turn.

pub mod potential;

use super::budget::Budget;
use super::position::{Listing, Turn};
use super::search::{DEFAULT_MEBIBYTES, Info, Score, Searcher};
use crate::decide::search::{MAX_POSITIONS, Search};
use crate::decide::{Decided, Undecided};
use crate::games::forward::{HalfValues, keeping_turn};
use crate::games::position::Phutball;
use crate::games::strip::{AnyStrip, Halves, MAX_LENGTH};
use crate::outcome::{Verdict, words};
use crate::random::Uniform;
use crate::table::{TableError, Tablebase};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Maximum number of turns looked up for a line; bounds its time.
const MAX_LINE: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    Perfect,
    Potential,
    Random,
}

words!(PlayerKind: Perfect = "perfect", Potential = "potential", Random = "random");

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub turn: Turn,
    /// A problem on the way; the turn is legal all the same.
    pub trouble: Option<String>,
}

/// The players with their tables, search memory and random numbers.
pub struct Players {
    tables: Arc<Tablebase>,
    searcher: Mutex<Searcher>,
    chance: Mutex<Uniform>,
}

impl Players {
    pub fn new(tables: Arc<Tablebase>, seed: u64) -> Players {
        Players {
            tables,
            searcher: Mutex::new(Searcher::new(DEFAULT_MEBIBYTES)),
            chance: Mutex::new(Uniform::new(seed)),
        }
    }

    pub fn reseed(&self, seed: u64) {
        *self.chance.lock().expect("a search does not panic") = Uniform::new(seed);
    }

    /// Clears the search memory and sets its size in MiB.
    pub fn forget(&self, hash: usize) {
        let mut searcher = self.searcher.lock().expect("a search does not panic");
        searcher.forget(hash);
    }

    /// Returns the value of a position, or the reason why a strip has none.
    pub fn verdict(&self, position: &Phutball) -> Result<Result<Verdict, Undecided>, TableError> {
        let decided = match position {
            Phutball::Strip(strip) => self.decided(strip)?,
            Phutball::Pitch(pitch) => {
                let value = self.tables.ask_pitch(pitch.shape(), |table| table.value(pitch))?;
                return Ok(Ok(value.into()));
            }
        };
        Ok(decided.map(|decision| decision.verdict))
    }

    fn decided(&self, strip: &AnyStrip) -> Result<Decided, TableError> {
        Search::new(&self.tables, MAX_POSITIONS, &|| false).decide(strip, HalfValues::both(strip))
    }

    /// Returns the file of the table that chooses a position's turns.
    pub fn source(&self, position: &Phutball) -> Result<PathBuf, TableError> {
        (self.tables).ask_boards(&position.boards(), |table| {
            table.verdict(position)?;
            Ok(table.path().to_path_buf())
        })
    }

    /// Chooses a turn, one of `among` unless that is `None`.
    pub fn choose(
        &self,
        kind: PlayerKind,
        position: &Phutball,
        among: Option<Listing>,
        budget: &Budget,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Choice> {
        let part = budget.quarter();
        let turn = match (kind, among) {
            (PlayerKind::Perfect, None) => return self.best(position, budget, report),
            (PlayerKind::Perfect, Some(listing)) => self.best_among(position, listing, budget, report)?,
            (PlayerKind::Potential, among) => {
                let listing = among.unwrap_or_else(|| position.turns(&|| part.is_spent(0)));
                potential::choose(position, listing.turns, budget)?
            }
            (PlayerKind::Random, among) => {
                let listing = among.unwrap_or_else(|| position.turns(&|| budget.is_overdue()));
                self.any(listing.turns)?
            }
        };
        Some(Choice { turn, trouble: None })
    }

    /// Returns the best of some turns: by a table, else by the rules for strips, else by a search.
    fn best_among(
        &self,
        position: &Phutball,
        mut listing: Listing,
        budget: &Budget,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Turn> {
        let place = |notation: &str| listing.turns.iter().position(|turn| turn.notation == notation);
        let by_table = (self.tables)
            .ask_boards(&position.boards(), |table| table.rated_turns(position))
            .ok();
        let rated = by_table.into_iter().flatten();
        let best = rated
            .filter_map(|turn| Some((place(&turn.turn)?, Score::of_verdict(turn.verdict))))
            .next();
        let by_rules = || {
            let Phutball::Strip(strip) = position else {
                return None;
            };
            let stop = || budget.is_spent(0);
            let rated = Search::new(&self.tables, MAX_POSITIONS, &stop)
                .rated_turns(strip)
                .ok()?;
            let known = |verdict: Option<Verdict>| verdict.map(Score::of_verdict);
            rated
                .into_iter()
                .find_map(|turn| Some((place(&turn.turn.to_string())?, known(turn.verdict)?)))
        };
        if let Some((place, score)) = best.or_else(by_rules) {
            let turn = listing.turns.swap_remove(place);
            report(&Info::looked_up(vec![turn.notation.clone()], score, budget));
            return Some(turn);
        }
        let mut searcher = self.searcher.lock().expect("a search does not panic");
        let (place, _) = searcher.choose(position, &listing, budget, report)?;
        Some(listing.turns.swap_remove(place))
    }

    fn any(&self, mut turns: Vec<Turn>) -> Option<Turn> {
        if turns.is_empty() {
            return None;
        }
        let mut chance = self.chance.lock().expect("a search does not panic");
        Some(turns.swap_remove(chance.index(turns.len())))
    }

    /// Returns a turn on a strip that no table holds: a forward turn that keeps a win by Theorem F,
    /// else the best by the other rules. `None` if the rules leave the value of a short strip open.
    fn by_rules(
        &self,
        position: &Phutball,
        budget: &Budget,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Choice> {
        let Phutball::Strip(strip) = position else {
            return None;
        };
        let is_long = strip.length() > MAX_LENGTH;
        let keeping = keeping_turn(strip).map(|turn| (turn, Score::Win(None)));
        let rated = || {
            let stop = || budget.is_spent(0);
            let turns = Search::new(&self.tables, MAX_POSITIONS, &stop)
                .rated_turns(strip)
                .ok()?;
            let best = turns.into_iter().next()?;
            let score = best.verdict.map_or(Score::Guess(0), Score::of_verdict);
            (is_long || matches!(score, Score::Win(_))).then_some((best.turn, score))
        };
        let (turn, score) = keeping.or_else(rated)?;
        let notation = turn.to_string();
        report(&Info::looked_up(vec![notation.clone()], score, budget));
        let after = position.play(&notation).ok()?;
        Some(Choice {
            turn: Turn { notation, after },
            trouble: None,
        })
    }

    /// Returns a turn from the tables, else by the rules for any length, else from the search.
    fn best(&self, position: &Phutball, budget: &Budget, report: &mut dyn FnMut(&Info)) -> Option<Choice> {
        let line = (self.tables).ask_boards(&position.boards(), |table| table.best_line(position, MAX_LINE));
        if let Ok(Some((best, line))) = line.as_ref().map(|line| Some((line.first()?, line))) {
            let score = Score::of_verdict(best.verdict);
            let turns = line.iter().map(|rated| rated.turn.clone()).collect();
            report(&Info::looked_up(turns, score, budget));
            let (notation, after) = (best.turn.clone(), best.after.clone());
            return Some(Choice {
                turn: Turn { notation, after },
                trouble: None,
            });
        }
        if let Err(TableError::Missing { .. }) = line
            && let Some(choice) = self.by_rules(position, budget, report)
        {
            return Some(choice);
        }
        // A line is empty only if the table is wrong.
        let trouble = match line {
            Ok(_) | Err(TableError::Missing { .. }) => None,
            Err(error) => Some(error.to_string()),
        };
        let part = budget.quarter();
        let mut listing = position.turns(&|| part.is_spent(0));
        let mut searcher = self.searcher.lock().expect("a search does not panic");
        let (place, _) = searcher.choose(position, &listing, budget, report)?;
        Some(Choice {
            turn: listing.turns.swap_remove(place),
            trouble,
        })
    }
}
