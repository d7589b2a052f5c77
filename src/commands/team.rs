//! The processes that share the work, if the program was started as several.

use super::output::CommandError;
use crate::ranks::Team;
use std::sync::OnceLock;

static TEAM: OnceLock<Team> = OnceLock::new();

/// Returns the processes that share the work.
pub fn team() -> Team {
    TEAM.get().cloned().unwrap_or_else(Team::alone)
}

/// Keeps the processes connected while it lives.
#[cfg(feature = "mpi")]
pub type Connection = Option<mpi::environment::Universe>;
/// Keeps the processes connected while it lives.
#[cfg(not(feature = "mpi"))]
pub struct Connection;

/// Returns true if another process reports errors in the same command line.
pub fn another_process_reports() -> bool {
    #[cfg(feature = "mpi")]
    return crate::solve::mpi::launched_as().is_some_and(|rank| rank > 0);
    #[cfg(not(feature = "mpi"))]
    false
}

/// Connects the processes, if a launcher started this one.
#[cfg(feature = "mpi")]
pub fn connect() -> Result<Connection, CommandError> {
    use crate::solve::mpi;
    if mpi::launched_as().is_none() {
        return Ok(None);
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
    TEAM.set(team).expect("the program connects once");
    Ok(Some(universe))
}

/// Connects the processes, if a launcher started this one.
#[cfg(not(feature = "mpi"))]
pub fn connect() -> Result<Connection, CommandError> {
    Ok(Connection)
}
