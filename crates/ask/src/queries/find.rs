//! Searches the positions of a length by value, depth and pattern: counts matches, lists the first
//! ones and samples uniformly. The time hardly depends on the number of matches.
//!
//! The sets of a diagram table almost answer such queries: wins in `a` to `b` plies are one set
//! minus another, losses are the mirror images of wins with Right to move, and draws are the rest.
//! Queries without depths need no table: the solution gives the same sets for any length.

use super::draws;
use num_bigint::BigUint;
use phutbase_base::job::{Job, Stopped};
use phutbase_base::outcome::{Side, Wdl};
use phutbase_base::random::Uniform;
use phutbase_rules::strip::Strip;
use phutbase_sets::count::size;
use phutbase_sets::graph::Budget;
use phutbase_sets::won::won;
use phutbase_sets::{Diagram, Graph, Join, Members, Pattern, Ref, Sets, TooLarge};
use phutbase_tables::{Metric, StripSets, TableError};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// A search, from the view of the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The value; `None` matches any.
    pub value: Option<Wdl>,
    /// Plies to the end; `None` matches any.
    pub depth: Option<RangeInclusive<u16>>,
    /// The player to move.
    pub side: Side,
    /// The contents of squares and the numbers of stones.
    pub pattern: Pattern,
}

/// Why a query is invalid or cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// The table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Draws have no depth.
    #[error("draws have no depth: omit the value or the depth")]
    DrawDepth,
    /// Depths were requested of a table without depths.
    #[error("the table has no depths")]
    NoDepths,
    /// No position can meet all conditions.
    #[error(
        "no board fits the ball, the stones and the pattern; the ball is never on the first or last square"
    )]
    Impossible,
    /// The boards of a length, or the matches, do not fit in the memory of the job.
    #[error("the boards that match do not fit in the memory that may be used")]
    TooLarge,
    /// The diagram of the pattern, or of its matches, is too large.
    #[error("the pattern is too complex: use fewer '?' and '*'")]
    Intricate,
}

/// The positions that meet a query.
pub struct FoundPositions {
    graph: Graph,
    /// Sets of boards as seen by Left as the winner; the flag marks sets whose members are mirror
    /// images of the matches.
    parts: Vec<(Ref, bool)>,
    side: Side,
}

/// Bytes for a node of the matches: in the graph, the cache, and for its count.
const NODE_BYTES: u64 = 128;

/// Searches without a limit of memory.
pub fn find(table: &StripSets, query: &Query) -> Result<FoundPositions, FindError> {
    find_within(table, query, &Job::default())
}

/// Searches within the memory of a job.
pub fn find_within(table: &StripSets, query: &Query, job: &Job) -> Result<FoundPositions, FindError> {
    if query.depth.is_some() {
        match (query.value, table.metric()) {
            (Some(Wdl::Draw), _) => return Err(FindError::DrawDepth),
            (_, Metric::Levels | Metric::Wdl) => return Err(FindError::NoDepths),
            _ => {}
        }
    }
    expect_possible(&query.pattern, table.length())?;
    collect(table, query, job).map_err(|halt| match halt {
        Halt::Stopped(stopped) => TableError::from(stopped).into(),
        Halt::TooLarge(_) if query.pattern.is_any() && !is_bounded(table.budget(1), job) => {
            table.unwieldy().into()
        }
        Halt::TooLarge(_) => no_room(table.budget(1), job),
    })
}

/// The boards of a length that each player wins, by the solution.
pub struct SolvedSets {
    graph: Graph,
    /// That Left wins, with Left and with Right to move.
    won_by_left: [Ref; 2],
}

impl SolvedSets {
    /// Makes the sets of a length from 3 to 255.
    ///
    /// # Errors
    /// The job was stopped.
    pub fn of(length: usize, job: &Job) -> Result<SolvedSets, Stopped> {
        job.note("the wins and the losses")?;
        let (graph, won_by_left) = won(length, job)?;
        Ok(SolvedSets { graph, won_by_left })
    }

    /// Searches by value and pattern, within the memory of a job. Depths are not known.
    pub fn find(&self, query: &Query, job: &Job) -> Result<FoundPositions, FindError> {
        if query.depth.is_some() {
            return Err(FindError::NoDepths);
        }
        expect_possible(&query.pattern, self.graph.length())?;
        let budget = Budget::of_sets(size(&self.graph, &self.won_by_left) as u64);
        self.collect(query, budget, job).map_err(|halt| match halt {
            Halt::Stopped(stopped) => TableError::from(stopped).into(),
            Halt::TooLarge(_) => no_room(budget, job),
        })
    }

    fn collect(&self, query: &Query, budget: Budget, job: &Job) -> Result<FoundPositions, Halt> {
        let budget = budget.with_most_nodes(most_nodes(job));
        let mut sets = Sets::new(Graph::within(self.graph.length(), budget));
        let won_by_left = sets.graph_mut().copy(&self.graph, &self.won_by_left)?;
        let parts = [(Wdl::Win, Side::Left), (Wdl::Loss, Side::Right)].into_iter();
        let parts = parts.filter(|&(wdl, _)| query.value.is_none_or(|value| value == wdl));
        let parts = parts.map(|(_, side)| (won_by_left[side as usize], is_mirrored(query, side)));
        select(&mut sets, parts.collect(), query, job)
    }
}

/// Returns the number of nodes that the memory of a job holds.
fn most_nodes(job: &Job) -> u64 {
    job.memory().map_or(u64::MAX, |bytes| bytes / NODE_BYTES)
}

/// True if the memory of a job bounds a search, and not the budget of the sets.
fn is_bounded(budget: Budget, job: &Job) -> bool {
    most_nodes(job) <= budget.nodes()
}

/// Returns the error of a search that has no room for another node.
fn no_room(budget: Budget, job: &Job) -> FindError {
    if is_bounded(budget, job) {
        FindError::TooLarge
    } else {
        FindError::Intricate
    }
}

/// Rejects patterns that no board fits.
fn expect_possible(pattern: &Pattern, length: usize) -> Result<(), FindError> {
    match pattern.set(&mut Graph::new(length)) {
        Err(TooLarge) => Err(FindError::Intricate),
        Ok(Ref::BOTTOM) => Err(FindError::Impossible),
        Ok(_) => Ok(()),
    }
}

/// Returns whether the members of a set of boards that Left wins, with `to_move` to move, are mirror
/// images of the matches.
fn is_mirrored(query: &Query, to_move: Side) -> bool {
    // With Right to move, every board is mirrored once more.
    (to_move == Side::Right) != (query.side == Side::Right)
}

/// Why the matches are not known.
#[derive(Debug, thiserror::Error)]
enum Halt {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

fn collect(table: &StripSets, query: &Query, job: &Job) -> Result<FoundPositions, Halt> {
    let asked = |wdl| query.value.is_none_or(|value| value == wdl);
    let mut sets = Sets::new(Graph::within(
        table.length(),
        table.budget(1).with_most_nodes(most_nodes(job)),
    ));
    let mut parts = Vec::new();
    for (wdl, side) in [(Wdl::Win, Side::Left), (Wdl::Loss, Side::Right)] {
        if asked(wdl) {
            job.note(if wdl == Wdl::Win { "the wins" } else { "the losses" })?;
            let set = within(&mut sets, table, side, query.depth.as_ref())?;
            parts.push((set, is_mirrored(query, side)));
        }
    }
    if asked(Wdl::Draw) && query.depth.is_none() && table.summary().draws != BigUint::ZERO {
        let set = draws::drawn_set(&mut sets, table)?;
        parts.push((set, is_mirrored(query, Side::Left)));
    }
    select(&mut sets, parts, query, job)
}

/// Selects the boards that fit the pattern from some sets, each with whether it is mirrored.
fn select(
    sets: &mut Sets,
    parts: Vec<(Ref, bool)>,
    query: &Query,
    job: &Job,
) -> Result<FoundPositions, Halt> {
    let parts = (parts.into_iter())
        .map(|(set, mirrored)| {
            job.note("the boards that fit the pattern")?;
            let set = match (query.pattern.is_any(), mirrored) {
                (true, _) => set,
                (false, false) => fitting(sets, set, &query.pattern)?,
                (false, true) => fitting(sets, set, &query.pattern.mirror())?,
            };
            Ok((set, mirrored))
        })
        .collect::<Result<_, Halt>>()?;
    let empty = Graph::new(sets.graph_mut().length());
    let graph = std::mem::replace(sets.graph_mut(), empty);
    Ok(FoundPositions {
        graph,
        parts,
        side: query.side,
    })
}

fn fitting(sets: &mut Sets, set: Ref, pattern: &Pattern) -> Result<Ref, TooLarge> {
    let allowed = pattern.set(sets.graph_mut())?;
    sets.join(Join::And, set, allowed)
}

/// Returns the boards that Left wins with `to_move` to move, in a number of plies from a range.
fn within(
    sets: &mut Sets,
    table: &StripSets,
    to_move: Side,
    depth: Option<&RangeInclusive<u16>>,
) -> Result<Ref, TooLarge> {
    let Some(depth) = depth else {
        return Ok(sets.graph_mut().copy(table, &[table.won_by_left(to_move)])?[0]);
    };
    // The last number of plies with the right parity in the range, and the last one before the
    // range.
    let parity = 1 - to_move as usize;
    let last_up_to = |plies: usize| (0..=plies).rev().find(|plies| plies % 2 == parity);
    let (from, to) = (usize::from(*depth.start()), usize::from(*depth.end()));
    let root = |plies: Option<usize>| plies.map_or(0, |plies| table.won_within(plies));
    if from > to {
        return Ok(Ref::BOTTOM);
    }
    let roots = [
        root(last_up_to(to)),
        root(from.checked_sub(1).and_then(last_up_to)),
    ];
    let copied = sets.graph_mut().copy(table, &roots)?;
    sets.join(Join::Minus, copied[0], copied[1])
}

impl FoundPositions {
    /// Returns access to the positions by their numbers.
    pub fn members(&self) -> Picker<'_> {
        Picker {
            parts: (self.parts.iter())
                .map(|&(set, mirrored)| (Members::new(&self.graph, set), mirrored))
                .collect(),
            side: self.side,
        }
    }
}

/// Selects positions by index. Wins come first, then losses, then draws. Each part is sorted by
/// notation (`.` < `o` < `@`); losses are sorted by their mirror images.
pub struct Picker<'a> {
    parts: Vec<(Members<'a, Graph>, bool)>,
    side: Side,
}

impl Picker<'_> {
    /// Returns the number of positions.
    pub fn total(&self) -> BigUint {
        self.parts.iter().map(|(members, _)| members.total()).sum()
    }

    /// Returns the k-th position, from 0; `None` past the last.
    pub fn nth(&mut self, k: &BigUint) -> Option<Strip> {
        let mut rest = k.clone();
        for (members, mirrored) in &mut self.parts {
            if rest < *members.total() {
                let board = members.nth(&rest, Side::Left)?;
                let board = if *mirrored { board.mirror() } else { board };
                return Some(board.with_side(self.side));
            }
            rest -= members.total();
        }
        None
    }

    /// Iterates over at most `most` positions: the first ones, or distinct random ones, of which every
    /// set is equally likely (Bentley and Floyd 1987).
    pub fn list(&mut self, most: usize, mut random: Option<Uniform>) -> impl ExactSizeIterator<Item = Strip> {
        let total = self.total();
        let listed = usize::try_from(&total).map_or(most, |total| total.min(most));
        let unlisted = total - listed;
        let mut chosen = HashSet::new();
        (0..listed).map(move |place| {
            let place = match &mut random {
                Some(random) => {
                    let last = &unlisted + place;
                    let place = random.below(&(&last + 1u8));
                    let place = if chosen.contains(&place) { last } else { place };
                    chosen.insert(place.clone());
                    place
                }
                None => place.into(),
            };
            self.nth(&place).expect("an index below the number of positions")
        })
    }
}
