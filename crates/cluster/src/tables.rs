//! Checks and searches of a pitch table, of which each process does a part.

use super::ranks::{Team, TeamError};
use phutbase_base::job::Job;
use phutbase_table::queries::pitch_draws::{self, PitchDraws};
use phutbase_table::{PitchTable, TableError};
use phutbase_verify::Fault;
use phutbase_verify::pitch::{BlockBudget, Check};

/// Checks every value, like [`check`](phutbase_verify::pitch::check). Collective.
pub fn check(
    table: &PitchTable,
    budget: &BlockBudget,
    job: &Job,
    team: &Team,
) -> Result<Option<Fault>, TeamError<TableError>> {
    let check = Check::new(table, budget);
    let part = team.part(table.blocks());
    let mut counts = team.agree_on(check.count(part.clone(), job))?;
    // The progress of the other processes is unknown; assume that of this one.
    let wrong = team.agree_on(check.first_wrong(part, job, team.count() as u64))?;
    let index = !team.greatest(!wrong);
    if index != u64::MAX {
        return team.agree_on(check.fault(index)).map(Some);
    }
    team.combine(&mut counts, &|_, a, b| a + b);
    team.agree_on(check.fault_of_counts(&counts))
}

/// Finds all draws of a table, like [`find`](pitch_draws::find). Collective.
pub fn draws(table: &PitchTable, team: &Team) -> Result<PitchDraws, TeamError<TableError>> {
    let drawn = team.gather(team.agree_on(pitch_draws::drawn(table, team.part(table.blocks())))?);
    let mine = team.part(drawn.len() as u64);
    let mutual = pitch_draws::mutual(table, &drawn[mine.start as usize..mine.end as usize]);
    let mutual = team.gather(team.agree_on(mutual)?);
    team.agree_on(PitchDraws::of(table, &drawn, &mutual))
}
