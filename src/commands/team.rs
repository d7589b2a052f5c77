//! The processes that share the work, if the program was started as several.

use super::output::CommandError;
use phutbase::solve::ranks::{Elsewhere, Team};
use std::sync::OnceLock;

static TEAM: OnceLock<Team> = OnceLock::new();

/// The processes that share the work.
pub fn team() -> Team {
    TEAM.get().cloned().unwrap_or_else(Team::alone)
}

/// What keeps the connection between the processes.
#[cfg(feature = "mpi")]
pub type Connection = Option<mpi::environment::Universe>;
/// What keeps the connection between the processes.
#[cfg(not(feature = "mpi"))]
pub struct Connection;

/// Whether another process of the same command line says what is wrong with it.
pub fn is_spoken_for() -> bool {
    #[cfg(feature = "mpi")]
    return phutbase::solve::mpi::launched_as().is_some_and(|rank| rank > 0);
    #[cfg(not(feature = "mpi"))]
    false
}

/// Finds the others, if a launcher started this process.
#[cfg(feature = "mpi")]
pub fn connect() -> Result<Connection, CommandError> {
    use phutbase::solve::mpi;
    if mpi::launched_as().is_none() {
        return Ok(None);
    }
    let (universe, team) = mpi::connect().map_err(|fault| CommandError::Failure(fault.to_string()))?;
    if team.count() > 1 {
        // Else the others would wait for ever.
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            tell(panic);
            mpi::abort();
        }));
    }
    TEAM.set(team).expect("the program connects once");
    Ok(Some(universe))
}

/// Finds the others, if a launcher started this process.
#[cfg(not(feature = "mpi"))]
pub fn connect() -> Result<Connection, CommandError> {
    Ok(Connection)
}

impl From<Elsewhere> for CommandError {
    fn from(elsewhere: Elsewhere) -> CommandError {
        CommandError::Failure(elsewhere.to_string())
    }
}
