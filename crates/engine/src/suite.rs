//! Test suites: positions with values and best turns, for programs in any language.
//!
//! The positions of a length are spread evenly over all depths of wins and losses, so that rare
//! long wins appear beside the many short ones; without depths, over wins and losses. The same seed
//! gives the same positions.

use indexmap::IndexSet;
use num_bigint::BigUint;
use phutbase_ask::queries::blocks::{Block, scan};
use phutbase_ask::queries::find::{FindError, FoundPositions, Query, SolvedSets, find};
use phutbase_ask::queries::pitches::Listing;
use phutbase_ask::sources::Sources;
use phutbase_base::game::Game;
use phutbase_base::job::Job;
use phutbase_base::outcome::{Depth, Side, Value, Verdict, Wdl};
use phutbase_base::random::Uniform;
use phutbase_rules::pitch::Shape;
use phutbase_rules::position::{Phutball, Position, RatedTurn};
use phutbase_rules::strip::Strip;
use phutbase_sets::Pattern;
use phutbase_tables::{Metric, StripSets, StripTable, TableError};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SuiteItem {
    /// A unique name: boards, stratum and number.
    pub id: String,
    /// `strip` or `pitch`.
    pub game: &'static str,
    /// `ordinary`.
    pub rules: &'static str,
    pub position: String,
    pub side: &'static str,
    /// `win`, `loss` or `draw`, for the player to move.
    pub value: String,
    /// Plies to the end; `None` if unknown.
    pub depth: Option<u16>,
    pub best: Vec<String>,
    pub keep: Vec<String>,
}

/// EPD style: the position, then operations that end with `;`.
impl fmt::Display for SuiteItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // EPD names either player to move; the notation only Right.
        let letter = if self.side == "left" { " L" } else { "" };
        write!(f, "{}{letter} value {};", self.position, self.value)?;
        if let Some(depth) = self.depth {
            write!(f, " depth {depth};")?;
        }
        write!(f, " bm {};", self.best.join(" "))?;
        if !self.keep.is_empty() {
            write!(f, " km {};", self.keep.join(" "))?;
        }
        write!(f, " id \"{}\";", self.id)
    }
}

/// The positions of a suite.
pub struct SuiteRequest<'a> {
    /// Positions of every depth, or value without depths.
    pub count: usize,
    /// The depths to choose from; `None` for all values.
    pub depths: Option<RangeInclusive<u16>>,
    pub chance: &'a mut Uniform,
}

impl SuiteRequest<'_> {
    fn has(&self, value: Verdict) -> bool {
        let Some(depths) = &self.depths else {
            return true;
        };
        value.depth.is_some_and(|depth| depths.contains(&depth.0))
    }
}

/// The boards of a length by value: of a table with depths, or of the solution.
enum LengthSets {
    Table(StripSets),
    Solved(SolvedSets),
}

/// Creates the suite of a length: by a table with depths, or by the solution.
pub fn of_length(
    sources: &Sources,
    length: usize,
    choice: &mut SuiteRequest<'_>,
    job: &Job,
) -> Result<Vec<SuiteItem>, TableError> {
    let sets = |table: &StripTable| table.sets(length);
    let sets = match sources.tables.ask_strips(length, Some(Metric::Dtw), sets) {
        Err(TableError::Missing { .. }) if choice.depths.is_none() => {
            LengthSets::Solved(SolvedSets::of(length, job)?)
        }
        sets => LengthSets::Table(sets?),
    };
    let strata = match &sets {
        LengthSets::Table(sets) => strata(sets),
        LengthSets::Solved(_) => [Wdl::Win, Wdl::Loss].map(Verdict::from).into(),
    };
    let mut items = Vec::new();
    for stratum in strata {
        if choice.has(stratum) {
            let query = query(length, stratum);
            let found = match &sets {
                LengthSets::Table(sets) => find(sets, &query),
                LengthSets::Solved(sets) => sets.find(&query, &Job::default()),
            };
            for strip in picked(found, choice.count, choice.chance)? {
                job.check()?;
                items.push(item(sources, &Phutball::from(strip), stratum, items.len())?);
            }
        }
    }
    Ok(items)
}

/// Positions of a pitch by depth, losses before wins, with the value of each stratum.
type Strata = BTreeMap<(u16, bool), (Verdict, Listing)>;

/// Creates the suite of a pitch, which reads every value.
pub fn of_pitch(
    sources: &Sources,
    shape: Shape,
    choice: &mut SuiteRequest<'_>,
    job: &Job,
) -> Result<Vec<SuiteItem>, TableError> {
    let table = sources.tables.ask_pitch(shape, Ok)?;
    let seed = choice.chance.word();
    let (request, most) = (&*choice, choice.count);
    let of_block = |block: &Block| {
        let mut strata = Strata::new();
        for (position, value) in block.values().filter(|&(_, value)| request.has(value)) {
            let depth = value.depth.map_or(0, |depth| depth.0);
            let stratum = strata.entry((depth, value.wdl == Wdl::Win));
            let (_, listing) = stratum.or_insert_with(|| (value, Listing::new(most, Some(seed))));
            block.indices(position).for_each(|index| listing.offer(index));
        }
        strata
    };
    let mut strata = Strata::new();
    scan(table, job, of_block, |more| {
        for (stratum, (value, listing)) in more {
            let (_, all) = (strata.entry(stratum)).or_insert_with(|| (value, Listing::new(most, Some(seed))));
            all.merge(listing);
        }
    })?;
    let game = table.game();
    let mut items = Vec::new();
    for (stratum, listing) in strata.into_values() {
        for index in listing.indices() {
            let pitch = game.position(index);
            let pitch = [pitch, pitch.turned()][choice.chance.index(2)];
            items.push(item(sources, &Phutball::Pitch(pitch), stratum, items.len())?);
        }
    }
    Ok(items)
}

/// Returns the strata of a table with depths: values and plies.
fn strata(sets: &StripSets) -> Vec<Verdict> {
    let summary = sets.summary();
    let stratum = |plies: u16| match plies % 2 {
        1 => Value::Win(Depth(plies)).into(),
        _ => Value::Loss(Depth(plies)).into(),
    };
    let mut strata: Vec<Verdict> = (1..=summary.longest()).map(stratum).collect();
    if summary.draws != BigUint::ZERO {
        strata.push(Wdl::Draw.into());
    }
    strata
}

fn query(length: usize, stratum: Verdict) -> Query {
    Query {
        value: Some(stratum.wdl),
        depth: stratum.depth.map(|depth| depth.0..=depth.0),
        side: Side::Left,
        pattern: Pattern::any(length),
    }
}

/// Picks distinct positions of a stratum, each with a random player to move.
fn picked(
    found: Result<FoundPositions, FindError>,
    count: usize,
    chance: &mut Uniform,
) -> Result<Vec<Strip>, TableError> {
    let found = found.map_err(|error| match error {
        FindError::Table(error) => error,
        FindError::DrawDepth
        | FindError::NoDepths
        | FindError::Impossible
        | FindError::TooLarge
        | FindError::Intricate => {
            unreachable!("every board fits, and strata have depths only if the table does")
        }
    })?;
    let mut members = found.members();
    let total = members.total();
    let mut places: IndexSet<BigUint> = IndexSet::new();
    if total <= BigUint::from(count) {
        places.extend((0..count).map(BigUint::from).filter(|place| *place < total));
    } else {
        while places.len() < count {
            places.insert(chance.below(&total));
        }
    }
    let left = places.iter().filter_map(|place| members.nth(place));
    Ok(left
        .map(|strip| [strip, strip.mirror()][chance.index(2)])
        .collect())
}

fn item(
    sources: &Sources,
    phutball: &Phutball,
    stratum: Verdict,
    number: usize,
) -> Result<SuiteItem, TableError> {
    let rated = sources.rated_turns(phutball)?;
    let best = rated.first().map_or(stratum, |turn| turn.verdict);
    let names = |wanted: &dyn Fn(&RatedTurn) -> bool| {
        let turns = rated.iter().filter(|turn| wanted(turn));
        turns.map(|turn| turn.turn.to_string()).collect::<Vec<String>>()
    };
    let depth = best.depth.map_or("w".to_string(), |depth| depth.to_string());
    let position = Position::Phutball(phutball.clone());
    // A lost position with depths has only best turns: the others lose sooner.
    let is_lost = best.wdl == Wdl::Loss && best.depth.is_some();
    Ok(SuiteItem {
        id: format!("{}.{depth}.{number}", phutball.boards()),
        game: position.game(),
        rules: position.rules().word(),
        position: position.to_string(),
        side: position.player(phutball.side()),
        value: best.wdl.to_string(),
        depth: best.depth.map(|depth| depth.0),
        best: names(&|turn| turn.verdict == best),
        keep: names(&|turn| !is_lost && turn.verdict != best && turn.verdict.wdl == best.wdl),
    })
}
