//! The processes that share the work, if the program was started as several.

use super::output::CommandError;
use crate::solve::ranks::{Moved, Team};
use serde::Serialize;
use std::sync::OnceLock;

static TEAM: OnceLock<Team> = OnceLock::new();

/// The processes that share the work.
pub fn team() -> Team {
    TEAM.get().cloned().unwrap_or_else(Team::alone)
}

/// What one process sent in one ply, for `--json`.
#[derive(Serialize)]
pub struct Traffic {
    rank: usize,
    /// From the first ply of this run on.
    ply: usize,
    messages: u64,
    bytes: u64,
    planned: u64,
}

/// What each of several processes has sent; nothing is said of one alone.
pub fn traffic() -> Vec<Traffic> {
    let team = team();
    if team.count() == 1 {
        return Vec::new();
    }
    let of_rank = |(rank, plies): (usize, Vec<Moved>)| {
        plies.into_iter().zip(1..).map(move |(moved, ply)| Traffic {
            rank,
            ply,
            messages: moved.sent.messages,
            bytes: moved.sent.bytes,
            planned: moved.planned,
        })
    };
    team.moved().into_iter().enumerate().flat_map(of_rank).collect()
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
    return crate::solve::mpi::launched_as().is_some_and(|rank| rank > 0);
    #[cfg(not(feature = "mpi"))]
    false
}

/// Finds the others, if a launcher started this process.
#[cfg(feature = "mpi")]
pub fn connect() -> Result<Connection, CommandError> {
    use crate::solve::mpi;
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
