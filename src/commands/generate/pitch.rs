//! `phutbase generate` of a pitch.

use super::super::options::Resources;
use super::super::output::CommandError;
use super::super::team::team;
use super::super::{Common, make};
use super::{Line, say_where};
use crate::answer::stats::Counts;
use crate::games::boards::Boards;
use crate::games::pitch::Shape;
use crate::games::rules::Rules;
use crate::generate::pitch::{PitchRequest, generate_pitch};
use crate::generate::{GenerateError, Outcome, TablesLock};
use crate::solve::pitch::Setup;
use crate::table::container::cache::FrameCache;
use crate::table::pitch::PitchTable;
use std::path::Path;
use std::time::Instant;

pub fn run(shape: Shape, rules: Rules, resources: &Resources, common: &Common) -> Result<(), CommandError> {
    let begun = Instant::now();
    say_where(common)?;
    let request = request(shape, rules, true, resources, common)?;
    let outcome = make_table(&request)?;
    if !team().is_first() {
        return Ok(());
    }
    let seconds = begun.elapsed().as_secs_f64();
    let table = PitchTable::open(&request.path(), &FrameCache::new(0))?;
    let line = Line::new(
        Counts::of_pitch(&table),
        outcome,
        seconds,
        table.file_bytes(),
        table.path(),
    );
    line.tell(&Boards::Pitch(shape), outcome, common.json)
}

/// What is asked for, with the resources of the command line.
pub fn request(
    shape: Shape,
    rules: Rules,
    with_depths: bool,
    resources: &Resources,
    common: &Common,
) -> Result<PitchRequest, CommandError> {
    Ok(PitchRequest {
        setup: Setup {
            rules,
            scratch: resources.scratch.clone(),
            team: team(),
            ..Setup::in_memory(shape, with_depths)
        },
        tables: common.destination()?,
        memory: resources.memory(),
        checkpoint_every: resources.checkpoint_every.0,
    })
}

/// Makes the table with a bar, listening for Ctrl-C.
pub fn make_table(request: &PitchRequest) -> Result<Outcome, CommandError> {
    let lock = hold(&request.tables)?;
    make::pitch(request.setup.shape, |observer| {
        generate_pitch(request, lock.as_ref(), observer)
    })
}

/// The directory of tables, held by the first of the processes that share the work.
pub fn hold(directory: &Path) -> Result<Option<TablesLock>, CommandError> {
    let team = team();
    let lock = team.is_first().then(|| TablesLock::hold(directory)).transpose();
    team.agree(lock.map_err(GenerateError::from))
        .map_err(CommandError::from)
}
