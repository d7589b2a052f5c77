//! The program `phutbase-cluster`: pitches of Phutball in several processes under MPI.
//!
//! All processes run the same command. The first one (rank 0) prints results, errors and progress. The
//! one that fails first exits with the code of its error, and the others with 3.

use clap::{Args, Parser, Subcommand};
use phutbase_cluster::ranks::Team;
use phutbase_cluster::{generate, mpi, tables};
use phutbase_machine::allocator::Allocator;
use phutbase_machine::space::memory_limit;
use phutbase_rules::{Boards, Shape};
use phutbase_solve::generate::TablesLock;
use phutbase_terminal::{
    ByRules, CommandError, GlobalOptions, Resources, common, lock, memory_size, monitor, print_counts,
    print_made_pitch, silence, verify_pitch,
};
use phutbase_verify::pitch;
use std::process::ExitCode;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// Solve and verify pitches of Phutball with several processes under MPI.
///
/// Options apply to each process. Without a launcher there is one.
#[derive(Parser)]
#[command(name = "phutbase-cluster", version, max_term_width = 80)]
#[command(after_help = "Examples:
  mpirun -n 8 phutbase-cluster generate 8x4 --tables DIR
  mpirun -n 8 phutbase-cluster generate 8x4 --count-only
  mpirun -n 8 phutbase-cluster verify 8x4 --tables DIR")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Solve a pitch and write its table; keep an existing, intact table
    Generate(Generate),
    /// Verify every value of the table of a pitch
    Verify(Verify),
}

#[derive(Args)]
struct Generate {
    /// Rows and columns, such as 8x4
    pitch: Shape,
    /// Only count the wins, losses and draws: no depths, no table, a third of the memory
    #[arg(long)]
    count_only: bool,
    #[command(flatten)]
    by: ByRules,
    #[command(flatten)]
    resources: Resources,
    #[command(flatten)]
    common: GlobalOptions,
}

#[derive(Args)]
struct Verify {
    /// Rows and columns, such as 8x4
    pitch: Shape,
    /// Limit the memory of the check [default: what the system has free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,
    #[command(flatten)]
    by: ByRules,
    #[command(flatten)]
    common: GlobalOptions,
}

fn main() -> ExitCode {
    if mpi::launched_as().is_some_and(|rank| rank > 0) {
        silence();
    }
    // Dropped last: when a process is gone, the launcher ends the others.
    let mut connection = None;
    phutbase_terminal::main(|| {}, || run(&mut connection))
}

fn run(connection: &mut Option<mpi::Universe>) -> Result<(), CommandError> {
    let command = common::parse::<Cli>()?.command;
    match &command {
        Command::Generate(Generate { common, .. }) | Command::Verify(Verify { common, .. }) => {
            common.apply(false)?
        }
    }
    let team = if mpi::launched_as().is_some() {
        let (universe, team) = mpi::connect().map_err(CommandError::failure)?;
        *connection = Some(universe);
        team
    } else {
        Team::unconnected(0, 1)
    };
    if team.count() > 1 {
        // Otherwise the other processes would wait forever.
        let default_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            default_hook(panic);
            mpi::abort();
        }));
    }
    match command {
        Command::Generate(verb) => verb.run(&team),
        Command::Verify(verb) => verb.run(&team),
    }
}

impl Generate {
    fn run(&self, team: &Team) -> Result<(), CommandError> {
        let (begun, memory, common) = (Instant::now(), self.resources.memory, &self.common);
        monitor::save_when_stopped();
        let request = (self.resources).pitch(self.pitch, self.by, !self.count_only, common)?;
        let lock = || {
            if self.count_only {
                TablesLock::hold(&request.tables).map(Some)
            } else {
                lock(&request)
            }
        };
        let lock = team.agree(team.is_first().then(lock).transpose());
        let lock = lock?.flatten();
        let mut title = Boards::Pitch(self.pitch).words();
        if team.count() > 1 {
            title += &format!(" in {} processes", team.count());
        }
        if self.count_only {
            let cluster = monitor::run(title, memory, |job| {
                generate::solve(&request, lock.as_ref(), job, team)
            })?;
            if team.is_first() {
                request.forget_checkpoint();
            }
            return print_counts(&request, cluster.solver.counts(), begun, common.json);
        }
        common.log_destination()?;
        let outcome = monitor::run(title, memory, |job| {
            generate::generate(&request, lock.as_ref(), job, team)
        })?;
        if !team.is_first() {
            // The file system may show it the table later.
            return Ok(());
        }
        print_made_pitch(&request, outcome, begun, common.json)
    }
}

impl Verify {
    fn run(&self, team: &Team) -> Result<(), CommandError> {
        let (pitch, common) = (self.pitch, &self.common);
        let found = team.agree_on(common.tablebase(self.by.rules))?;
        let source = found.pitch_source(pitch);
        let source = source.ok_or_else(|| found.missing(Boards::Pitch(pitch), true));
        team.agree_on(source)?;
        verify_pitch(&found, pitch, self.memory, common.json, |table, job| {
            let table = team.agree_on(table)?;
            // Processes on one machine share its memory.
            let free = team.agree_on(memory_limit(self.memory))? / team.processes_on_this_machine() as u64;
            let budget = team.agree_on(pitch::budget(table, free, job))?;
            tables::check(table, &budget, job, team)
        })
    }
}
