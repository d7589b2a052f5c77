//! The players that choose turns.
//!
//! * *perfect*: tables as far as they reach, a [search](super::search) beyond;
//! * *potential*: the generalized potential of Grossman & Nowakowski, one turn ahead
//!   ([`potential`]); on the pitch the distance to the goals. A test opponent, like
//! * *random*: a random legal turn.

pub mod potential;

use super::budget::Budget;
use super::position::{Turn, Turns};
use super::search::{DEFAULT_MEBIBYTES, Info, Score, Searcher, tree};
use phutbase_base::game::Listing;
use phutbase_base::outcome::{Verdict, words};
use phutbase_base::random::Uniform;
use phutbase_rules::position::{self, Phutball};
use phutbase_rules::strip::{self, AnyStrip};
use phutbase_solution::forward::{HalfValues, keeping_turn};
use phutbase_table::decide::search::{MAX_POSITIONS, Search, SearchedTurn, listed_turns};
use phutbase_table::decide::{self, Undecided};
use phutbase_table::{TableError, Tablebase};
use std::convert::Infallible;
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

/// The source of scores, beside the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Table,
    Rules,
}

/// A turn with its score; `None` if its source leaves it open.
type RatedTurn = (Turn, Option<Score>);

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
            Phutball::Strip(strip) => {
                Search::new(&self.tables, MAX_POSITIONS, &|| false).decide(strip, HalfValues::both(strip))?
            }
            Phutball::Pitch(pitch) => {
                let value = self.tables.ask_pitch(pitch.shape(), |table| table.value(pitch))?;
                return Ok(Ok(value.into()));
            }
        };
        Ok(decided.map(|decision| decision.verdict))
    }

    /// Returns the file of the table that chooses a position's turns.
    pub fn source(&self, position: &Phutball) -> Result<PathBuf, TableError> {
        (self.tables).ask_boards(&position.boards(), |table| {
            table.verdict(position)?;
            Ok(table.path().to_path_buf())
        })
    }

    /// Chooses a turn, one of `among` unless that is empty.
    pub fn choose(
        &self,
        kind: PlayerKind,
        position: &Phutball,
        among: &[Turn],
        budget: &Budget,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Choice> {
        let part = budget.quarter();
        let turn = match kind {
            PlayerKind::Perfect => return self.best(position, among, budget, report),
            PlayerKind::Potential => {
                let listing = listed(position, among, &|| part.is_spent(0));
                potential::choose(position, listing.into_turns(), budget)?
            }
            PlayerKind::Random => {
                let listing = listed(position, among, &|| budget.is_overdue());
                self.any(listing.into_turns())?
            }
        };
        Some(Choice { turn, trouble: None })
    }

    fn any(&self, mut turns: Vec<Turn>) -> Option<Turn> {
        if turns.is_empty() {
            return None;
        }
        let mut chance = self.chance.lock().expect("a search does not panic");
        Some(turns.swap_remove(chance.index(turns.len())))
    }

    /// Chooses the first of the rated turns. Those that the rules for strips leave open, and the turns
    /// of a lost position, are searched first.
    fn best(
        &self,
        position: &Phutball,
        among: &[Turn],
        budget: &Budget,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Choice> {
        let (rated, source, trouble) = self.rated(position, among, budget);
        let (first, score) = rated.turns().first()?;
        if source == Source::Table || matches!(score, Some(Score::Win(_))) || !Searcher::can_search(position)
        {
            let line = match source {
                Source::Table => self.line(first),
                Source::Rules => vec![first.notation.clone()],
            };
            report(&Info::looked_up(line, self.claim(position, &rated), budget));
            let turn = first.clone();
            return Some(Choice { turn, trouble });
        }
        let is_lost = |score: &Option<Score>| matches!(score, Some(Score::Loss(_)));
        let all_lost = is_lost(score);
        let listing = rated.map(|mut turns| {
            turns.retain(|(_, score)| all_lost || !is_lost(score));
            turns.into_iter().map(|(turn, _)| turn).collect()
        });
        let mut searcher = self.searcher.lock().expect("a search does not panic");
        let (place, _) = searcher.choose(position, &listing, budget, report)?;
        let turn = listing.turns()[place].clone();
        Some(Choice { turn, trouble })
    }

    /// Rates the turns of a position, or those of `among` unless that is empty: by a table, else by the
    /// rules for strips of any length. Also returns the error of a table that cannot be used.
    fn rated(
        &self,
        position: &Phutball,
        among: &[Turn],
        budget: &Budget,
    ) -> (Listing<RatedTurn>, Source, Option<String>) {
        let trouble = match self.by_table(position, among) {
            Ok(rated) => return (rated, Source::Table, None),
            Err(TableError::Missing { .. }) => None,
            Err(error) => Some(error.to_string()),
        };
        let by_rules = match position {
            Phutball::Strip(strip) => self.by_rules(strip, among, budget).ok(),
            Phutball::Pitch(_) => None,
        };
        let part = budget.quarter();
        let open = || {
            listed(position, among, &|| part.is_spent(0))
                .map(|turns| turns.into_iter().map(|turn| (turn, None)).collect())
        };
        (by_rules.unwrap_or_else(open), Source::Rules, trouble)
    }

    /// Rates turns by the table that holds the position.
    fn by_table(&self, position: &Phutball, among: &[Turn]) -> Result<Listing<RatedTurn>, TableError> {
        let rated = (self.tables).ask_boards(&position.boards(), |table| table.rated_turns(position))?;
        let turn = |rated: position::RatedTurn| {
            let score = Score::of_verdict(rated.verdict);
            let turn = Turn {
                notation: rated.turn,
                after: rated.after,
            };
            (turn, Some(score))
        };
        let is_allowed =
            |(turn, _): &RatedTurn| among.is_empty() || among.iter().any(|one| one.after == turn.after);
        Ok(Listing::complete(
            rated.into_iter().map(turn).filter(is_allowed).collect(),
        ))
    }

    /// Rates turns of a strip by the rules for any length. A turn that keeps a win by Theorem F is the
    /// only one that is listed.
    fn by_rules(
        &self,
        strip: &AnyStrip,
        among: &[Turn],
        budget: &Budget,
    ) -> Result<Listing<RatedTurn>, TableError> {
        let among: Vec<strip::Turn> = (among.iter())
            .filter_map(|turn| turn.notation.parse().ok())
            .collect();
        let is_allowed = |turn: &strip::Turn| among.is_empty() || among.contains(turn);
        if let Some(turn) = keeping_turn(strip).filter(is_allowed) {
            let win = (Turn::on_strip(strip, turn), Some(Score::Win(None)));
            return Ok(Listing::partial(vec![win]));
        }
        let listing = if among.is_empty() {
            listed_turns(strip)
        } else {
            Listing::complete(among)
        };
        let stop = || budget.is_spent(0);
        let rated = Search::new(&self.tables, MAX_POSITIONS, &stop).rated_turns(strip, listing)?;
        let rated_turn = |rated: SearchedTurn| {
            let score = rated.verdict.map(Score::of_verdict);
            (Turn::on_strip(strip, rated.turn), score)
        };
        Ok(rated.map(|turns| turns.into_iter().map(rated_turn).collect()))
    }

    /// Returns the score of a position by its rated turns, as far as they prove one.
    fn claim(&self, position: &Phutball, rated: &Listing<RatedTurn>) -> Score {
        let Ok(proved) = rated.value(|(_, score)| Ok::<_, Infallible>(score.and_then(Score::wdl)));
        let Some(score) = rated.turns().first().and_then(|(_, score)| *score) else {
            return Score::Guess(0);
        };
        if proved.is_some() {
            return score;
        }
        // All listed turns lose, and another might not.
        let by_rules = match position {
            Phutball::Strip(strip) => decide::by_rules(&self.tables, strip, HalfValues::both(strip)),
            Phutball::Pitch(_) => Ok(None),
        };
        match by_rules {
            Ok(Some(decision)) => Score::of_verdict(decision.verdict),
            Ok(None) | Err(_) => Score::Guess(-tree::UNKNOWN),
        }
    }

    /// Returns a turn and best play after it by a table.
    fn line(&self, turn: &Turn) -> Vec<String> {
        let after = |next: &Phutball| {
            (self.tables).ask_boards(&next.boards(), |table| table.best_line(next, MAX_LINE - 1))
        };
        let rest = turn.after.open().and_then(|next| after(next).ok());
        let rest = rest.into_iter().flatten().map(|rated| rated.turn);
        std::iter::once(turn.notation.clone()).chain(rest).collect()
    }
}

/// Lists the turns of a position, or those of `among` unless that is empty.
fn listed(position: &Phutball, among: &[Turn], stop: &dyn Fn() -> bool) -> Listing<Turn> {
    if among.is_empty() {
        position.turns(stop)
    } else {
        Listing::complete(among.to_vec())
    }
}
