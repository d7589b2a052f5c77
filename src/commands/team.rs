//! The processes that share the work on a pitch, if the program was started as several; otherwise
//! this process does all of it.

use phutbase_base::job::Job;
use phutbase_cluster::ranks::{Team, TeamError};
use phutbase_generate::pitch::solve_pitch;
use phutbase_generate::{Outcome, Request, TablesLock, generate};
use phutbase_pitches::solver::Setup;
use phutbase_table::queries::pitch_draws::{self, PitchDraws};
use phutbase_table::{PitchTable, TableError};
use phutbase_terminal::output::CommandError;
use phutbase_verify::Fault;
use phutbase_verify::pitch::{self, BlockBudget};
use std::sync::OnceLock;

fn of_team<E: std::error::Error>(error: TeamError<E>) -> CommandError
where
    CommandError: From<E>,
{
    match error {
        TeamError::Local(error) => error.into(),
        TeamError::Remote(message) => CommandError::System(message),
    }
}

static TEAM: OnceLock<Team> = OnceLock::new();

/// Evaluates the first expression in a team, the second without one.
macro_rules! together_or_alone {
    (|$team:ident| $together:expr, $alone:expr) => {{
        if let Some($team) = TEAM.get() {
            return $together;
        }
        $alone
    }};
}

/// Returns whether this is the process that reports to the user and writes tables.
pub fn is_first() -> bool {
    together_or_alone!(|team| team.is_first(), true)
}

/// Returns the number of processes that share the memory of this machine.
pub fn processes_on_this_machine() -> usize {
    together_or_alone!(|team| team.processes_on_this_machine(), 1)
}

/// Returns the error of the first process with one, if there is any, as that of this process.
pub fn agree<T>(mine: Result<T, TableError>) -> Result<T, CommandError> {
    together_or_alone!(|team| team.agree(mine).map_err(of_team), Ok(mine?))
}

/// Like [`agree`], for errors in a file that all processes use.
pub fn agree_on<T>(mine: Result<T, TableError>) -> Result<T, CommandError> {
    together_or_alone!(|team| team.agree_on(mine).map_err(of_team), Ok(mine?))
}

/// Makes the table of a pitch.
pub fn make_pitch(
    request: &Request<Setup>,
    lock: Option<&TablesLock>,
    job: &Job,
) -> Result<Outcome, CommandError> {
    together_or_alone!(
        |team| phutbase_cluster::generate::generate(request, lock, job, team).map_err(of_team),
        Ok(generate(request, lock, job)?.0)
    )
}

/// Counts the positions of a pitch that each ply decides.
pub fn count_pitch(
    request: &Request<Setup>,
    lock: Option<&TablesLock>,
    job: &Job,
) -> Result<Vec<u64>, CommandError> {
    together_or_alone!(
        |team| {
            let cluster = phutbase_cluster::generate::solve(request, lock, job, team).map_err(of_team)?;
            Ok(cluster.solver.counts().to_vec())
        },
        Ok(solve_pitch(request, lock, job)?.counts().to_vec())
    )
}

/// Checks every value of a table.
pub fn check_pitch(
    table: &PitchTable,
    budget: &BlockBudget,
    job: &Job,
) -> Result<Option<Fault>, CommandError> {
    together_or_alone!(
        |team| phutbase_cluster::tables::check(table, budget, job, team).map_err(of_team),
        Ok(pitch::check(table, budget, job)?)
    )
}

/// Finds all draws of a table.
pub fn draws(table: &PitchTable) -> Result<PitchDraws, CommandError> {
    together_or_alone!(
        |team| phutbase_cluster::tables::draws(table, team).map_err(of_team),
        Ok(pitch_draws::find(table)?)
    )
}

/// Keeps the processes connected while it lives.
#[cfg(feature = "mpi")]
pub type Connection = Option<phutbase_cluster::mpi::Universe>;
/// Keeps the processes connected while it lives.
#[cfg(not(feature = "mpi"))]
pub struct Connection;

/// Returns true if another process reports errors in the same command line.
pub fn another_process_reports() -> bool {
    #[cfg(feature = "mpi")]
    return phutbase_cluster::mpi::launched_as().is_some_and(|rank| rank > 0);
    #[cfg(not(feature = "mpi"))]
    false
}

/// Connects the processes, if a launcher started this one. Returns whether this one has work: all
/// do if the work is shared, otherwise only the first, without a team.
#[cfg(feature = "mpi")]
pub fn connect(is_shared: bool) -> Result<(Connection, bool), CommandError> {
    use phutbase_cluster::mpi;
    if mpi::launched_as().is_none() {
        return Ok((None, true));
    }
    let (universe, team) = mpi::connect().map_err(|fault| CommandError::Failure(fault.to_string()))?;
    if team.count() > 1 {
        // Otherwise the other processes would wait forever.
        let default_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            default_hook(panic);
            mpi::abort();
        }));
    }
    let has_work = is_shared || team.is_first();
    if is_shared && team.count() > 1 {
        TEAM.set(team).expect("the program connects once");
    }
    Ok((Some(universe), has_work))
}

/// Connects the processes, if a launcher started this one. Returns whether this one has work.
#[cfg(not(feature = "mpi"))]
pub fn connect(_is_shared: bool) -> Result<(Connection, bool), CommandError> {
    Ok((Connection, true))
}
