//! `phutbase draws` of a pitch: its draws, and the cycles of perfect play.

use super::super::generate::{make_pitch, pitch_setup, work_on_pitch};
use super::super::options::Resources;
use super::super::output::{CommandError, Count, grouped, object, print_result};
use super::super::{Common, monitor, team};
use phutbase_answer::stats::TableCounts;
use phutbase_report::pitches;
use phutbase_rules::{Boards, Pitch, Rules, Shape};
use phutbase_table::container::cache::{DEFAULT_BYTES, FrameCache};
use phutbase_table::queries::pitch_draws::line;
use phutbase_table::{BoardTable, Metric, PitchTable, TableError};
use serde::Serialize;
use std::time::Instant;

/// Solves a pitch for the winners only, and counts.
pub(super) fn count(
    shape: Shape,
    rules: Rules,
    resources: &Resources,
    common: &Common,
) -> Result<(), CommandError> {
    let request = resources.request(pitch_setup(shape, rules, false, resources), common)?;
    let begun = Instant::now();
    let counts = work_on_pitch(&request, resources.memory, team::count_pitch)?;
    if !team::is_first() {
        return Ok(());
    }
    request.forget_checkpoint();
    let found = pitches::PitchCounts::of(shape, &counts);
    let seconds = begun.elapsed().as_secs_f64();
    let object = object! {
        #[serde(flatten)]
        counts: TableCounts {
            longest: u16::try_from(found.longest).ok(),
            ..TableCounts::new(&Boards::Pitch(shape), rules, Metric::Wdl, &found.summary())
        },
        seconds: seconds,
    };
    print_result(common.json, &object, |out| {
        writeln!(
            out,
            "pitch {shape}{}, Alfred to move: {} positions, {} wins, {} losses, {} draws, longest {} plies ({seconds:.1} s)",
            rules.remark(),
            grouped(found.positions()),
            grouped(found.wins),
            grouped(found.losses),
            grouped(found.draws),
            found.longest,
        )
    })?;
    expect_some(found.draws, shape)
}

/// Fails if there is no draw.
fn expect_some(draws: impl Into<u128>, shape: Shape) -> Result<(), CommandError> {
    match draws.into() {
        0 => Err(super::none(&Boards::Pitch(shape))),
        _ => Ok(()),
    }
}

pub(super) fn run(
    shape: Shape,
    rules: Rules,
    resources: &Resources,
    show: usize,
    common: &Common,
) -> Result<(), CommandError> {
    let tablebase = team::agree_on(common.writable_tables(rules))?;
    let made;
    let found = tablebase.ask_pitch(shape, Ok);
    let is_missing = matches!(found, Err(TableError::Missing { .. }));
    let table = if team::first_says(is_missing) {
        let request = resources.request(pitch_setup(shape, rules, true, resources), common)?;
        make_pitch(&request, resources.memory)?;
        monitor::end_when_stopped()?;
        made = team::agree_on(PitchTable::open(&request.path(), &FrameCache::new(DEFAULT_BYTES)))?;
        &made
    } else {
        team::agree_on(found)?
    };
    let found = team::draws(table)?;
    if !team::is_first() {
        return Ok(());
    }
    let counts = TableCounts::of(BoardTable::Pitch(table))?;
    let mut words = format!(
        "pitch {shape}{}, Alfred to move: {} positions, {} draws, {} mutual; {} up to reflection",
        rules.remark(),
        grouped(&counts.positions.0),
        grouped(found.draws),
        grouped(found.mutual_draws),
        grouped(found.positions.len() as u128),
    );
    let examples = found.positions.iter().take(show);
    let examples = examples.map(|pitch| example(table, pitch, &mut words));
    let examples: Vec<_> = examples.collect::<Result<_, _>>()?;
    let object = object! {
        #[serde(flatten)]
        counts: counts,
        mutual_draws: Count::<u64>(found.mutual_draws),
        distinct: Count(found.positions.len() as u64),
        examples: examples,
    };
    print_result(common.json, &object, |out| writeln!(out, "{words}"))?;
    expect_some(found.draws, shape)
}

/// Describes a drawn position: as an object, and in words.
fn example(
    table: &PitchTable,
    pitch: &Pitch,
    words: &mut String,
) -> Result<impl Serialize + use<>, TableError> {
    let drawn = line(table, pitch)?;
    let [lead, cycle] = [&drawn.lead, &drawn.cycle].map(|turns| {
        let names = turns.iter().map(|turn| turn.notation.clone());
        names.collect::<Vec<String>>()
    });
    let mut turns = drawn.lead.iter().chain(&drawn.cycle);
    let (forced, period) = (turns.all(|turn| turn.choices == 1), cycle.len());
    let is_mutual = if drawn.mutual { ", a mutual draw" } else { "" };
    let is_forced = if forced { ", every turn forced" } else { "" };
    *words += &format!("\n  {}{is_mutual}: period {period}{is_forced}", drawn.position);
    if !lead.is_empty() {
        *words += &format!("\n    lead  {}", lead.join(" "));
    }
    *words += &format!("\n    cycle {}", cycle.join(" "));
    Ok(object! {
        position: drawn.position.to_string(),
        mutual: drawn.mutual,
        /// Turns before the first repeated position.
        lead: lead,
        /// Length of the cycle, in turns of both players.
        period: period,
        cycle: cycle,
        /// True if every turn of lead and cycle is the only one that does not lose.
        forced: forced,
        /// True if the second half of the cycle is the first on the rotated pitch.
        halves: drawn.halves,
    })
}
