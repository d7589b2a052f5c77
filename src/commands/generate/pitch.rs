//! `phutbase generate` of a pitch.

use super::super::options::Resources;
use super::super::output::CommandError;
use super::super::team::team;
use super::super::{Common, make};
use super::{MadeTable, log_destination};
use crate::games::{Boards, Rules, Shape};
use crate::generate::pitch::{PitchRequest, generate_pitch};
use crate::generate::{GenerateError, Outcome, TablesLock};
use crate::solve::pitch::Setup;
use crate::table::{BoardTable, FrameCache, PitchTable};
use std::path::Path;
use std::time::Instant;

pub fn run(shape: Shape, rules: Rules, resources: &Resources, common: &Common) -> Result<(), CommandError> {
    let begun = Instant::now();
    log_destination(common)?;
    let request = request(shape, rules, true, resources, common)?;
    let outcome = make_table(&request)?;
    if !team().is_first() {
        return Ok(());
    }
    let seconds = begun.elapsed().as_secs_f64();
    let table = PitchTable::open(&request.path(), &FrameCache::new(0))?;
    let line = MadeTable::new(BoardTable::Pitch(&table), outcome, seconds)?;
    line.print_result(&Boards::Pitch(shape), outcome, common.json)
}

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

/// Makes the table with progress, stoppable by Ctrl-C.
pub fn make_table(request: &PitchRequest) -> Result<Outcome, CommandError> {
    let lock = hold(&request.tables)?;
    make::pitch(request.setup.shape, |observer| {
        generate_pitch(request, lock.as_ref(), observer)
    })
}

/// Locks the directory of tables, in the first of the processes that share the work.
pub fn hold(directory: &Path) -> Result<Option<TablesLock>, CommandError> {
    let team = team();
    let lock = team.is_first().then(|| TablesLock::hold(directory)).transpose();
    team.agree(lock.map_err(GenerateError::from))
        .map_err(CommandError::from)
}
