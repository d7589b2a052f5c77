//! `phutbase draws` of a pitch: its draws, and the cycles of perfect play.

use super::super::Common;
use super::super::generate::pitch::{hold, make_table, request};
use super::super::make;
use super::super::options::Resources;
use super::super::output::{CommandError, Count, grouped, print_result, stdout};
use super::super::team::team;
use crate::answer::stats::TableCounts;
use crate::games::{Boards, Rules, Shape};
use crate::generate::pitch::{forget_checkpoint, solve_pitch};
use crate::report::pitches;
use crate::table::container::cache::{DEFAULT_BYTES, FrameCache};
use crate::table::pitch::draws::{self as pitch_draws, DrawingTurn, DrawnPosition};
use crate::table::{BoardTable, Metric, PitchTable, TableError};
use serde::Serialize;
use std::io::{self, Write};
use std::time::Instant;

#[derive(Serialize)]
struct PitchDraws {
    #[serde(flatten)]
    counts: TableCounts,
    mutual_draws: Count,
    distinct: Count,
    examples: Vec<Example>,
}

#[derive(Serialize)]
struct Example {
    position: String,
    mutual: bool,
    /// Turns before the first repeated position.
    lead: Vec<String>,
    /// Length of the cycle, in turns of both players.
    period: usize,
    cycle: Vec<String>,
    /// True if every turn of lead and cycle is the only one that does not lose.
    forced: bool,
    /// True if the second half of the cycle is the first on the rotated pitch.
    halves: bool,
}

#[derive(Serialize)]
struct CountLine {
    #[serde(flatten)]
    counts: TableCounts,
    seconds: f64,
}

/// Solves a pitch for the winners only, and counts.
pub(super) fn count(
    shape: Shape,
    rules: Rules,
    resources: &Resources,
    common: &Common,
) -> Result<(), CommandError> {
    let request = request(shape, rules, false, resources, common)?;
    let lock = hold(&request.tables)?;
    let begun = Instant::now();
    let solver = make::pitch(shape, |observer| solve_pitch(&request, lock.as_ref(), observer))?;
    forget_checkpoint(&request);
    if !team().is_first() {
        return Ok(());
    }
    let found = pitches::PitchCounts::of(&solver);
    let line = CountLine {
        counts: TableCounts {
            longest: u16::try_from(found.longest).ok(),
            ..TableCounts::new(&Boards::Pitch(shape), rules, Metric::Wdl, &found.summary())
        },
        seconds: begun.elapsed().as_secs_f64(),
    };
    print_result(stdout(), common.json, &line, |out| {
        writeln!(
            out,
            "pitch {shape}{}, Alfred to move: {} positions, {} wins, {} losses, {} draws, longest {} plies ({:.1} s)",
            rules.remark(),
            grouped(found.positions()),
            grouped(found.wins),
            grouped(found.losses),
            grouped(found.draws),
            found.longest,
            line.seconds,
        )
    })
}

pub(super) fn run(
    shape: Shape,
    rules: Rules,
    resources: &Resources,
    show: usize,
    common: &Common,
) -> Result<(), CommandError> {
    let team = team();
    let tablebase = team.agree_on(common.writable_tables(rules))?;
    let made;
    let found = tablebase.pitch(shape);
    let missing = u64::from(matches!(found, Err(TableError::Missing { .. })));
    let table = if team.from_first(missing) == 1 {
        let request = request(shape, rules, true, resources, common)?;
        make_table(&request)?;
        made = team.agree_on(PitchTable::open(&request.path(), &FrameCache::new(DEFAULT_BYTES)))?;
        &made
    } else {
        team.agree_on(found)?
    };
    let found = pitch_draws::find(table, &team)?;
    if !team.is_first() {
        return Ok(());
    }
    let shown = found.positions.iter().take(show);
    let examples: Vec<DrawnPosition> = shown
        .map(|pitch| pitch_draws::line(table, pitch))
        .collect::<Result<_, _>>()?;
    let line = PitchDraws {
        counts: TableCounts::of(BoardTable::Pitch(table))?,
        mutual_draws: Count(found.mutual_draws.into()),
        distinct: Count(found.positions.len() as u128),
        examples: examples.iter().map(example).collect(),
    };
    print_result(stdout(), common.json, &line, |out| {
        writeln!(
            out,
            "pitch {shape}{}, Alfred to move: {} positions, {} draws, {} mutual; {} up to reflection",
            rules.remark(),
            grouped(&line.counts.positions.0),
            grouped(found.draws),
            grouped(found.mutual_draws),
            grouped(line.distinct.0),
        )?;
        line.examples.iter().try_for_each(|drawn| print(out, drawn))
    })
}

fn names(turns: &[DrawingTurn]) -> Vec<String> {
    turns.iter().map(|turn| turn.notation.clone()).collect()
}

fn example(drawn: &DrawnPosition) -> Example {
    let mut turns = drawn.lead.iter().chain(&drawn.cycle);
    Example {
        position: drawn.position.to_string(),
        mutual: drawn.mutual,
        lead: names(&drawn.lead),
        period: drawn.cycle.len(),
        cycle: names(&drawn.cycle),
        forced: turns.all(|turn| turn.choices == 1),
        halves: drawn.halves,
    }
}

fn print(out: &mut impl Write, drawn: &Example) -> io::Result<()> {
    let mutual = if drawn.mutual { ", a mutual draw" } else { "" };
    let forced = if drawn.forced { ", every turn forced" } else { "" };
    let (position, period) = (&drawn.position, drawn.period);
    writeln!(out, "  {position}{mutual}: period {period}{forced}")?;
    if !drawn.lead.is_empty() {
        writeln!(out, "    lead  {}", drawn.lead.join(" "))?;
    }
    writeln!(out, "    cycle {}", drawn.cycle.join(" "))
}
