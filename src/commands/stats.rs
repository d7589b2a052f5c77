//! `phutbase stats`: counts, longest wins and depths of the tables.

use super::given::Uses;
use super::output::{CommandError, grouped, json_line, no_tables, stdout, unheeded};
use super::{Common, Verb, not_for};
use clap::Args;
use phutbase::answer::stats::{TableDetails, TableEntry, TableStats, overview};
use phutbase::games::boards::Boards;
use phutbase::generate::plan::human_bytes;
use phutbase::table::directory::Tablebase;
use std::io::Write;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase stats             every table
  phutbase stats 16          one length, with its depths
  phutbase stats 7x3 --json")]
pub struct Arguments {
    /// The boards; one table by itself is shown with its depths [default: every table]
    boards: Option<Boards>,
}

impl Verb for Arguments {
    fn uses(&self) -> Uses {
        Uses::new("stats", &["tables", "threads", "json"])
    }

    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let tables = Tablebase::search(common.places_named())?;
        match &self.boards {
            Some(Boards::Strips(lengths)) if lengths.start() == lengths.end() => {
                let table = tables.best(*lengths.end())?;
                details(&TableDetails::of_strip(table)?, common)?;
                if let (false, Err(error)) = (common.json, tables.with_depths(*lengths.end())) {
                    writeln!(stdout(), "\ndepths are not available: {error}")?;
                }
                Ok(())
            }
            Some(Boards::Pitch(shape)) => details(&TableDetails::of_pitch(tables.pitch(*shape)?)?, common),
            Some(boards @ (Boards::Obstruction(..) | Boards::Oddish(_))) => {
                Err(not_for("stats", boards, "strips or a pitch"))
            }
            Some(Boards::Strips(lengths)) => list(
                &tables,
                |boards| match boards {
                    Boards::Strips(length) => lengths.contains(length.start()),
                    _ => false,
                },
                common,
            ),
            None => list(&tables, |_| true, common),
        }
    }
}

/// Prints one line for each table of some boards. A damaged one is reported and does not keep the others from being shown.
fn list(tables: &Tablebase, wanted: impl Fn(&Boards) -> bool, common: &Common) -> Result<(), CommandError> {
    let mut entries = overview(tables, wanted).peekable();
    if entries.peek().is_none() {
        return Err(no_tables(tables.places()));
    }
    // The exit code says whether all are well, whoever reads.
    let mut out = unheeded();
    if !common.json {
        heading(&mut out)?;
    }
    let mut damaged = Vec::new();
    for entry in entries {
        match &entry {
            entry if common.json => json_line(&mut out, entry)?,
            TableEntry::Whole(stats) => row(&mut out, stats)?,
            TableEntry::Damaged(table) => writeln!(out, "{:>8}  {}", table.boards, table.error)?,
        }
        if let TableEntry::Damaged(table) = entry {
            damaged.push(table.error);
        }
    }
    out.flush()?;
    match damaged.is_empty() {
        true => Ok(()),
        false => Err(CommandError::Failure(damaged.join("; "))),
    }
}

fn heading(out: &mut impl Write) -> Result<(), CommandError> {
    Ok(writeln!(
        out,
        "{:>8}  {:>18}  {:>18}  {:>18}  {:>8}  {:>7}  {:>10}",
        "boards", "positions", "wins", "losses", "draws", "longest", "size"
    )?)
}

fn row(out: &mut impl Write, stats: &TableStats) -> Result<(), CommandError> {
    let counts = &stats.counts;
    Ok(writeln!(
        out,
        "{:>8}  {:>18}  {:>18}  {:>18}  {:>8}  {:>7}  {:>10}",
        counts.boards,
        grouped(&counts.positions.0),
        grouped(&counts.wins.0),
        grouped(&counts.losses.0),
        grouped(&counts.draws.0),
        counts.longest.map_or("-".to_string(), |plies| plies.to_string()),
        human_bytes(stats.bytes),
    )?)
}

/// One table with its mutual draws, the histogram of its depths, and a longest win.
fn details(details: &TableDetails, common: &Common) -> Result<(), CommandError> {
    let mut out = stdout();
    if common.json {
        json_line(&mut out, details)?;
        return Ok(out.flush()?);
    }
    heading(&mut out)?;
    row(&mut out, &details.stats)?;
    writeln!(
        out,
        "\n{} mutual draws (drawn with either player to move)",
        grouped(&details.mutual_draws.0)
    )?;
    if let Some(depths) = &details.depths {
        writeln!(out, "\n{:>6}  {:>18}", "plies", "positions")?;
        for (plies, count) in depths {
            let outcome = if plies % 2 == 1 { "wins" } else { "losses" };
            writeln!(out, "{plies:>6}  {:>18}  {outcome}", grouped(count.0))?;
        }
    }
    let stats = &details.stats;
    if let (Some(example), Some(plies)) = (&stats.longest_win_example, stats.longest_win) {
        writeln!(out, "\na longest win, in {plies} plies: {example}")?;
    }
    Ok(out.flush()?)
}
