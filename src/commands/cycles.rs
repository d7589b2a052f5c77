//! The draws of a pitch with the cycles of perfect play, for `phutbase find --cycles`.

use phutbase_ask::queries::pitch_draws;
use phutbase_ask::stats::TableCounts;
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::object;
use phutbase_rules::{Boards, Pitch, Rules, Shape};
use phutbase_tables::{BoardTable, PitchTable, TableError};
use phutbase_terminal::{CommandError, GlobalOptions, print_result};
use serde::Serialize;

/// Prints the draws of a pitch up to reflection; fails if there is none.
pub fn run(shape: Shape, rules: Rules, limit: usize, common: &GlobalOptions) -> Result<(), CommandError> {
    let tables = common.tablebase(rules)?;
    let table = tables.ask_pitch(shape, Ok)?;
    let found = pitch_draws::find(table)?;
    let counts = TableCounts::of(BoardTable::Pitch(table))?;
    let mut words = format!(
        "pitch {shape}{}, Alfred to move: {} positions, {} draws, {} mutual; {} up to reflection",
        rules.remark(),
        grouped(&counts.positions.0),
        grouped(found.draws),
        grouped(found.mutual_draws),
        grouped(found.positions.len() as u128),
    );
    let examples = found.positions.iter().take(limit);
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
    match found.draws {
        0 => Err(CommandError::Failure(format!(
            "{}: no draw",
            Boards::Pitch(shape).words()
        ))),
        _ => Ok(()),
    }
}

/// Describes a drawn position: as an object, and in words.
fn example(
    table: &PitchTable,
    pitch: &Pitch,
    words: &mut String,
) -> Result<impl Serialize + use<>, TableError> {
    let drawn = pitch_draws::line(table, pitch)?;
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
