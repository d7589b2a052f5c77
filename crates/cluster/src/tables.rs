//! The check of a pitch table, of which each process does a part.

use super::ranks::{Team, TeamError};
use phutbase_base::job::Job;
use phutbase_tables::{PitchTable, TableError};
use phutbase_verify::Mismatch;
use phutbase_verify::pitch::{BlockBudget, Check};

/// Checks every value, like [`check`](phutbase_verify::pitch::check). Collective.
pub fn check(
    table: &PitchTable,
    budget: &BlockBudget,
    job: &Job,
    team: &Team,
) -> Result<Option<Mismatch>, TeamError<TableError>> {
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
