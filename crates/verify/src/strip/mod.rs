//! Checks that the sets of a table of strips follow from one another by the rules.
//!
//! **Who wins** (`wdl`). The table has two sets, A with Left and R with Right to move:
//!
//! ```text
//!     A = boards from which a proper turn of Left wins or leads into R
//!     R = boards from which every turn of Right leads into A or wins for Left
//! ```
//!
//! Play in which Left makes proper turns only ends (docs/PROOF.md, Theorem N), so Left wins every
//! board of two sets with '⊆' instead of '='; and if their numbers add up to all boards, Right wins
//! the others. Where they do not, the table counts draws, and no turn may lead from the others into a
//! win.
//!
//! **Levels** are pairs A(k), R(k) with *forward* turns instead of proper ones: a turn of Left is
//! forward if it touches only squares to the right of the ball.
//!
//! ```text
//!     A(k) = boards from which a forward turn wins or leads into R(k), or another into R(k − 1)      R(−1) = ∅
//!     R(k) = boards from which every turn of Right leads into A(k) or wins for Left
//! ```
//!
//! Play with at most k other turns ends, so these equations have one solution.
//!
//! **With depths** (`dtw`) root d must be exactly root d − 2 together with the boards from which some
//! turn of Left (odd d), or every turn of Right (even d), leads into root d − 1; and one ply more must
//! add nothing. By induction every board of root d is won within d plies, and boards of no earlier
//! root within fewer. From a board in no root, Right can (Left must) always move to another such
//! board.
//!
//! The questions about turns are those of [`super::inclusion`].

mod equations;
pub mod inclusions;
mod recount;

use super::Mismatch;
use super::inclusion::{Checker, CheckerLimits, Halt, NODE_BYTES};
use num_bigint::BigUint;
use phutbase_base::fault;
use phutbase_base::job::{Job, Need};
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{Strip, positions};
use phutbase_sets::Diagram;
use phutbase_sets::count::size;
use phutbase_sets::graph::Budget;
use phutbase_tables::{Metric, StripSets, StripTable, TableError};
use recount::count;

/// Checks a table: every value of its greatest length, and the counts of every length.
/// The job counts statements; its memory bounds what the check may take.
pub fn check(table: &StripTable, job: &Job) -> Result<Option<Mismatch>, TableError> {
    let sets = table.sets(table.length())?;
    let has_draws = sets.summary().draws != BigUint::ZERO;
    let draws = inclusions::of_draws().into_iter().filter(|_| has_draws);
    let (equations, inclusions) = match table.metric() {
        // The last equations say that one ply more adds nothing, which is all about draws.
        Metric::Dtw => (equations::of_plies(&sets), Vec::new()),
        Metric::Levels => (equations::of_levels(&sets), draws.collect()),
        Metric::Wdl => (
            Vec::new(),
            inclusions::of_winners().into_iter().chain(draws).collect(),
        ),
    };
    job.expect((2 * equations.len() + inclusions.len()) as u64, "statements");
    let limits = match table.metric() {
        Metric::Wdl => limits(&sets, RESULTS_PER_NODE, job)?,
        Metric::Dtw | Metric::Levels => limits(&sets, RESULTS_OF_EQUATIONS, job)?,
    };
    let mut found = equations::check(&sets, &equations, limits, job)?;
    if found.is_none() && !inclusions.is_empty() {
        let won_by_left = [Side::Left, Side::Right].map(|to_move| sets.won_by_left(to_move));
        let checked = inclusions::check(&sets, won_by_left, &inclusions, limits, job);
        found = checked.map_err(|halt| halted(&sets, halt))?;
    }
    Ok(found.map_or_else(|| check_counts(table, &sets), Some))
}

/// Checks that Left wins the boards of two sets, with Left and with Right to move, and that no position
/// is a draw: by the inclusions of winners, and by the number of boards. The job is as for [`check`].
pub fn check_winners<D: Diagram>(
    sets: &D,
    won_by_left: [D::Ref; 2],
    job: &Job,
) -> Result<Option<Mismatch>, Unchecked> {
    let nodes = size(sets, &won_by_left);
    let limits = limits_within(
        nodes,
        Budget::of_sets(COPIES * nodes as u64),
        RESULTS_PER_NODE,
        job,
    )?;
    let inclusions = inclusions::of_winners();
    job.expect(inclusions.len() as u64, "statements");
    let found = inclusions::check(sets, won_by_left, &inclusions, limits, job)?;
    let decided = || (won_by_left.into_iter().map(|set| count(sets, set))).sum::<BigUint>();
    Ok(found.or_else(|| Mismatch::of_count("decided positions", positions(sets.length()), decided())))
}

/// Sets that were not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unchecked {
    #[error(transparent)]
    Memory(#[from] TooLittle),
    #[error(transparent)]
    Halted(#[from] Halt),
}

fault! { Unchecked {
    Unchecked::Halted(Halt::Stopped(error)) => Of(error),
    _ => System,
} }

/// Compares the winners of two tables on the greatest length that both hold; shorter lengths
/// follow. The memory of the job bounds what this may take.
pub fn compare(one: &StripTable, other: &StripTable, job: &Job) -> Result<Option<Mismatch>, TableError> {
    let length = one.length().min(other.length());
    let (one, other) = (one.sets(length)?, other.sets(length)?);
    let nodes = size(&one, &[Side::Left, Side::Right].map(|side| one.won_by_left(side)));
    let limits = limits_within(nodes, one.budget(COPIES), RESULTS_PER_NODE, job);
    let limits = limits.map_err(|error| too_little(&one, error))?;
    let mut checker = Checker::new(length, limits, job);
    let mut differing = || -> Result<Option<Strip>, Halt> {
        for side in [Side::Left, Side::Right] {
            let a = checker.copy(&one, &[one.won_by_left(side)])?[0];
            let b = checker.copy(&other, &[other.won_by_left(side)])?[0];
            let beyond = checker.first_beyond(a, b)?;
            if let Some(board) = beyond.map_or_else(|| checker.first_beyond(b, a), |board| Ok(Some(board)))? {
                return Ok(Some(board.with_side(side)));
            }
        }
        Ok(None)
    };
    let position = differing().map_err(|halt| halted(&one, halt))?;
    Ok(position.map(|position| Mismatch::Difference {
        position: position.to_string(),
    }))
}

/// Results that a check of inclusions keeps for each node of the table, if there is room: with four
/// times as many 144 squares take a quarter longer, because memory is slow, and with a quarter as many
/// a tenth. Equations ask about smaller parts: 36 squares with depths take as long with a quarter.
const RESULTS_PER_NODE: usize = 32;
const RESULTS_OF_EQUATIONS: usize = 8;
/// Nodes that a check may make for each node of the table.
const COPIES: u64 = 4;

/// Returns the limits of a check of a table.
fn limits(sets: &StripSets, results_per_node: usize, job: &Job) -> Result<CheckerLimits, TableError> {
    let limits = limits_within(sets.nodes(), sets.budget(COPIES), results_per_node, job);
    limits.map_err(|error| too_little(sets, error))
}

fn too_little(sets: &StripSets, error: TooLittle) -> TableError {
    TableError::Limit {
        file: sets.path().to_path_buf(),
        reason: error.to_string(),
    }
}

/// The memory of a job is less than a check takes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("checking it takes {takes} bytes of memory and {may} may be used")]
pub struct TooLittle {
    takes: u64,
    may: u64,
}

/// Returns the limits of a check of sets with this many nodes.
fn limits_within(
    nodes: usize,
    budget: Budget,
    results_per_node: usize,
    job: &Job,
) -> Result<CheckerLimits, TooLittle> {
    let least = COPIES as usize * nodes.max(1 << 10);
    let mut limits = CheckerLimits {
        nodes: budget.nodes().min(1 << 31) as usize,
        results: (results_per_node * nodes.max(1 << 10)).next_power_of_two(),
        steps: budget.steps(),
    };
    let memory = job.memory().unwrap_or(u64::MAX);
    while limits.bytes_with(least) > memory && limits.results > nodes {
        limits.results /= 2;
    }
    let takes = limits.bytes_with(least);
    let left = memory
        .checked_sub(takes)
        .ok_or(TooLittle { takes, may: memory })?;
    limits.nodes = limits
        .nodes
        .min(least + usize::try_from(left / NODE_BYTES).unwrap_or(usize::MAX));
    job.need(Need {
        memory: takes,
        ..Need::default()
    });
    Ok(limits)
}

/// Returns the error of a question about a table that a checker could not answer.
pub fn halted(sets: &StripSets, halt: Halt) -> TableError {
    match halt {
        Halt::Stopped(stopped) => stopped.into(),
        Halt::Full | Halt::Budget => sets.unwieldy(),
    }
}

/// Compares the counts of every length with a recount. The wins and losses of the greatest length are
/// counted without the writer of tables.
fn check_counts(table: &StripTable, sets: &StripSets) -> Option<Mismatch> {
    let mut counted = sets.count_lengths();
    let greatest = counted.last_mut().expect("a table has a length");
    // Mirror images: Left, to move, loses as many boards as Left wins with Right to move.
    greatest.wins.0 = count(sets, sets.won_by_left(Side::Left));
    greatest.losses.0 = count(sets, sets.won_by_left(Side::Right));
    table.lengths().zip(counted).find_map(|(length, counted)| {
        let stored = table.metadata().counts(length);
        let field = |name: &str| format!("{name} of {length} squares");
        Mismatch::of_count(&field("wins"), &stored.wins.0, &counted.wins.0)
            .or_else(|| Mismatch::of_count(&field("losses"), &stored.losses.0, &counted.losses.0))
            .or_else(|| Mismatch::of_count(&field("longest win"), stored.longest_win, counted.longest_win))
            .or_else(|| Mismatch::of_count(&field("longest loss"), stored.longest_loss, counted.longest_loss))
            .or_else(|| Mismatch::of_count(&field("levels"), stored.levels, counted.levels))
    })
}
