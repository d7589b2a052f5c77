//! `phutbase generate --count-only`: the counts of a pitch without depths and without a table.

use super::super::team;
use super::{pitch_setup, work_on_pitch};
use phutbase_answer::object;
use phutbase_answer::stats::TableCounts;
use phutbase_base::digits::grouped;
use phutbase_rules::{Boards, Rules, Shape};
use phutbase_table::{Metric, Summary};
use phutbase_terminal::common::Common;
use phutbase_terminal::options::Resources;
use phutbase_terminal::output::{CommandError, print_result};
use std::time::Instant;

/// Solves a pitch for the winners only, and counts.
pub fn run(shape: Shape, rules: Rules, resources: &Resources, common: &Common) -> Result<(), CommandError> {
    let request = resources.request(pitch_setup(shape, rules, false, resources), common)?;
    let begun = Instant::now();
    let counts = work_on_pitch(&request, resources.memory, team::count_pitch)?;
    if !team::is_first() {
        return Ok(());
    }
    request.forget_checkpoint();
    let found = Summary::of_pitch(shape, &counts);
    let seconds = begun.elapsed().as_secs_f64();
    let object = object! {
        #[serde(flatten)]
        counts: TableCounts {
            longest: Some(found.longest()),
            ..TableCounts::new(&Boards::Pitch(shape), rules, Metric::Wdl, &found)
        },
        seconds: seconds,
    };
    print_result(common.json, &object, |out| {
        writeln!(
            out,
            "pitch {shape}{}, Alfred to move: {} positions, {} wins, {} losses, {} draws, longest {} plies ({seconds:.1} s)",
            rules.remark(),
            grouped(found.positions()),
            grouped(&found.wins),
            grouped(&found.losses),
            grouped(&found.draws),
            found.longest(),
        )
    })
}
