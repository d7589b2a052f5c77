//! The players that choose turns.
//!
//! * *perfect*: the solution and tables on strips; on pitches tables, and a [search](super::search)
//!   beyond;
//! * *potential*: the generalized potential of Grossman & Nowakowski, one turn ahead
//!   ([`potential`]); on the pitch the distance to the goals. A test opponent, like
//! * *random*: a random legal turn.

pub mod potential;

use super::limits::SearchLimits;
use super::position::{Turn, turns};
use super::search::{DEFAULT_MEBIBYTES, Evaluation, Info, Searcher};
use phutbase_ask::sources::Sources;
use phutbase_base::game::Listing;
use phutbase_base::outcome::{Value, Verdict, Wdl, words};
use phutbase_base::random::Uniform;
use phutbase_rules::position::{Phutball, RatedTurn, Standing};
use phutbase_rules::strip::Halves;
use phutbase_tables::{Metric, TableError, Tablebase};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Maximum number of turns looked up for a line; bounds its time.
const MAX_LINE: usize = 16;

/// Squares that are read for a line beyond the tables with depths; bounds its time.
const LINE_SQUARES: usize = 2_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    Perfect,
    Potential,
    Random,
}

words!(PlayerKind: Perfect = "perfect", Potential = "potential", Random = "random");

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenTurn {
    pub turn: Turn,
    /// A problem on the way; the turn is legal all the same.
    pub trouble: Option<String>,
}

/// The players with their sources, search memory and random numbers.
pub struct Players {
    sources: Arc<Sources>,
    searcher: Mutex<Searcher>,
    chance: Mutex<Uniform>,
}

impl Players {
    pub fn new(sources: Arc<Sources>, seed: u64) -> Players {
        Players {
            sources,
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

    /// Returns the value of a strip, or of a pitch that a table holds.
    pub fn verdict(&self, position: &Phutball) -> Result<Verdict, TableError> {
        self.sources.verdict(position)
    }

    /// Returns the file of the table with depths that chooses a position's turns.
    pub fn source(&self, position: &Phutball) -> Result<PathBuf, TableError> {
        let tables = &self.sources.tables;
        match position {
            Phutball::Strip(strip) => {
                let table = |table: &phutbase_tables::StripTable| Ok(table.path().to_path_buf());
                tables.ask_strips(strip.length(), Some(Metric::Dtw), table)
            }
            Phutball::Pitch(pitch) => tables.ask_pitch(pitch.shape(), |table| {
                table.value(pitch)?;
                Ok(table.path().to_path_buf())
            }),
        }
    }

    /// Chooses a turn, one of `among` unless that is empty.
    pub fn choose(
        &self,
        kind: PlayerKind,
        position: &Phutball,
        among: &[Turn],
        limits: &SearchLimits,
        report: &mut dyn FnMut(&Info),
    ) -> Option<ChosenTurn> {
        let part = limits.quarter();
        let turn = match kind {
            PlayerKind::Perfect => return self.best(position, among, limits, report),
            PlayerKind::Potential => {
                let listing = listed(position, among, &|| part.is_spent(0));
                potential::choose(position, listing.into_turns(), limits)?
            }
            PlayerKind::Random => {
                let listing = listed(position, among, &|| limits.is_overdue());
                self.any(listing.into_turns())?
            }
        };
        Some(ChosenTurn { turn, trouble: None })
    }

    fn any(&self, mut turns: Vec<Turn>) -> Option<Turn> {
        if turns.is_empty() {
            return None;
        }
        let mut chance = self.chance.lock().expect("a search does not panic");
        Some(turns.swap_remove(chance.index(turns.len())))
    }

    /// Chooses a best turn by a table with depths, or else of a strip by the solution, and of a pitch by
    /// a search.
    fn best(
        &self,
        position: &Phutball,
        among: &[Turn],
        limits: &SearchLimits,
        report: &mut dyn FnMut(&Info),
    ) -> Option<ChosenTurn> {
        let (mut found, trouble) = match best_of(&self.sources, position, among) {
            Ok(found) => (Some(found), None),
            Err(TableError::Missing { .. }) => (None, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let turn = match position {
            Phutball::Pitch(pitch) if found.is_none() => {
                let part = limits.quarter();
                let listing = listed(position, among, &|| part.is_spent(0));
                let mut searcher = self.searcher.lock().expect("a search does not panic");
                let (place, _) = searcher.choose(pitch, &listing, limits, report)?;
                listing.turns()[place].clone()
            }
            _ => {
                let solved = || best_of(&Sources::new(Tablebase::empty(), 0), position, among).ok();
                found = found.or_else(solved);
                let (best, line) = found.expect("the solution has every strip");
                report(&Info::looked_up(
                    line,
                    Evaluation::of_verdict(best.verdict),
                    limits,
                ));
                Turn::from(best)
            }
        };
        Some(ChosenTurn { turn, trouble })
    }
}

/// Returns the best turn, one of `among` unless that is empty, and best play that begins with it.
fn best_of(
    sources: &Sources,
    position: &Phutball,
    among: &[Turn],
) -> Result<(RatedTurn, Vec<String>), TableError> {
    let mut best = sources.best_turn(position)?;
    if !among.is_empty() && among.iter().all(|turn| turn.after != best.after) {
        let rated: Vec<RatedTurn> = (among.iter())
            .map(|turn| rated(sources, position, turn))
            .collect::<Result<_, TableError>>()?;
        let first_best = rated
            .into_iter()
            .rev()
            .max_by_key(|rated| rated.verdict.preference());
        best = first_best.expect("there is a turn among them");
    }
    let mut line = vec![best.turn.clone()];
    if let Some(next) = best.after.open() {
        let turns = match next {
            Phutball::Strip(strip) if best.verdict.depth.is_none() => LINE_SQUARES / strip.length(),
            _ => MAX_LINE,
        };
        let rest = sources.best_line(next, turns.clamp(1, MAX_LINE) - 1)?;
        line.extend(rest.into_iter().map(|rated| rated.turn));
    }
    Ok((best, line))
}

/// Rates a legal turn for the player who makes it.
pub(crate) fn rated(sources: &Sources, position: &Phutball, turn: &Turn) -> Result<RatedTurn, TableError> {
    let verdict = match &turn.after {
        Standing::Won { winner, .. } => Value::at_once(Wdl::won_by(*winner, position.side())).into(),
        Standing::Open(next) => sources.verdict(next)?.before(),
    };
    Ok(RatedTurn {
        turn: turn.notation.clone(),
        after: turn.after.clone(),
        verdict,
    })
}

/// Lists the turns of a position, or those of `among` unless that is empty.
fn listed(position: &Phutball, among: &[Turn], stop: &dyn Fn() -> bool) -> Listing<Turn> {
    if among.is_empty() {
        turns(position, stop)
    } else {
        Listing::complete(among.to_vec())
    }
}
