//! `phutbase generate` of boards of Obstruction: the nimbers of all boards up to a size.

use super::slices::in_slices;
use crate::commands::options::Resources;
use crate::commands::output::{CommandError, grouped, json_line, unheeded};
use crate::commands::{Common, interrupt, progress};
use hashbrown::HashMap;
use phutbase::answer::obstruction::solver_with;
use phutbase::games::boards::Boards;
use phutbase::games::obstruction::Board;
use phutbase::generate::plan::human_bytes;
use phutbase::nimber::Nimber;
use phutbase::solve::nimbers::{NimberLimits, NimberSolver};
use phutbase::table::directory::Tablebase;
use phutbase::table::nimbers::{NimberTable, nimbers_path};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(Serialize)]
struct Line {
    game: &'static str,
    boards: String,
    nimber: Option<u8>,
    winner: Option<String>,
    status: &'static str,
    seconds: Option<f64>,
}

/// Results are saved when this much work would be lost otherwise.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// Memory for remembered regions, unless something else is said; at the bound the smallest are forgotten, which costs time only.
const MEMORY: u64 = 2 << 30;

pub fn run(
    largest: (usize, usize),
    time: Duration,
    resources: &Resources,
    common: &Common,
) -> Result<(), CommandError> {
    let limits = NimberLimits {
        stop: Some(interrupt::flag("saving what was found")),
        // A time too long to be represented is no limit.
        deadline: Instant::now().checked_add(time),
    };
    let memory = resources.memory().unwrap_or(MEMORY);
    let file = nimbers_path(&common.destination()?);
    let mut table = NimberTable::read(&file)?;
    table.extend(Tablebase::search(common.places_named())?.nimbers()?);
    let solver = solver_with(&table, memory);
    let sizes = sizes(largest);
    // Without stderr there is nobody to tell.
    let _ = writeln!(
        std::io::stderr(),
        "{} boards up to {}x{}: up to {} of memory for regions, {} s",
        sizes.len(),
        largest.0,
        largest.1,
        human_bytes(memory),
        time.as_secs_f64()
    );
    // The table is what was asked for: it is made even if nobody reads on.
    for_sizes(&sizes, &solver, &mut table, limits, &file, |line| {
        if !common.json {
            return Ok(());
        }
        let mut out = unheeded();
        json_line(&mut out, &line)?;
        Ok(out.flush()?)
    })?;
    if !common.json {
        let mut out = unheeded();
        print(&mut out, largest, &table, &sizes)?;
        out.flush()?;
    }
    report_memory(&solver);
    Ok(())
}

/// Every board up to a size, lying down, the smallest first: they teach the solver most, and cost least.
fn sizes(largest: (usize, usize)) -> Vec<(usize, usize)> {
    let all = (1..=largest.0)
        .flat_map(|rows| (1..=largest.1).map(move |columns| (rows.min(columns), rows.max(columns))));
    let mut sizes: Vec<(usize, usize)> = all.collect();
    sizes.sort_unstable_by_key(|&(rows, columns)| (rows * columns, rows));
    sizes.dedup();
    sizes
}

/// Finds what the table lacks and saves it: first a little time for every size, then more for those that need it.
fn for_sizes(
    sizes: &[(usize, usize)],
    solver: &NimberSolver,
    table: &mut NimberTable,
    limits: NimberLimits,
    file: &Path,
    mut report: impl FnMut(Line) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let bar = progress::bar(sizes.len() as u64);
    bar.set_prefix("boards");
    let mut open = Vec::new();
    for &size in sizes {
        match table.get(size.0, size.1) {
            Some(nimber) => {
                bar.inc(1);
                report(line(size, "stored", Some(nimber), None))?;
            }
            None => open.push(size),
        }
    }
    let mut saved = Instant::now();
    let mut unsaved = false;
    // The time that a board has had in all is what it took.
    let mut spent = HashMap::new();
    let ask = |&size: &(usize, usize), slice| {
        bar.set_message(format!("{}x{}", size.0, size.1));
        let begun = Instant::now();
        let found = find(solver, size, limits.within(slice));
        let time: &mut Duration = spent.entry(size).or_default();
        *time += begun.elapsed();
        let Some(nimber) = found else { return Ok(false) };
        table.insert(size.0, size.1, nimber);
        unsaved = true;
        if saved.elapsed() >= SAVE_EVERY {
            table.save(file)?;
            (saved, unsaved) = (Instant::now(), false);
        }
        bar.inc(1);
        report(line(size, "computed", Some(nimber), Some(*time)))?;
        Ok::<bool, CommandError>(true)
    };
    let left = in_slices(open, ask, || limits.are_reached());
    bar.finish_and_clear();
    if unsaved {
        table.save(file)?;
    }
    left?
        .into_iter()
        .try_for_each(|size| report(line(size, "not reached", None, None)))
}

fn line(
    (rows, columns): (usize, usize),
    status: &'static str,
    nimber: Option<Nimber>,
    time: Option<Duration>,
) -> Line {
    let boards = Boards::Obstruction(rows, columns);
    Line {
        game: boards.game(),
        boards: boards.to_string(),
        nimber: nimber.map(|nimber| nimber.0),
        winner: nimber.map(|nimber| nimber.winner().to_string()),
        status,
        seconds: time.map(|time| time.as_secs_f64()),
    }
}

/// The nimber of an empty board, unless a limit comes first.
fn find(solver: &NimberSolver, (rows, columns): (usize, usize), limits: NimberLimits) -> Option<Nimber> {
    solver.board(&Board::empty(rows, columns)?, limits).ok()
}

/// One line for each number of rows; `?` where the time did not suffice.
fn print(
    out: &mut impl Write,
    largest: (usize, usize),
    table: &NimberTable,
    sizes: &[(usize, usize)],
) -> Result<(), CommandError> {
    write!(out, "  m\\n")?;
    for columns in 1..=largest.1 {
        write!(out, " {columns:>3}")?;
    }
    writeln!(out)?;
    for rows in 1..=largest.0 {
        write!(out, "{rows:>5}")?;
        for columns in 1..=largest.1 {
            let nimber = table.get(rows, columns).map(|nimber| nimber.to_string());
            write!(out, " {:>3}", nimber.as_deref().unwrap_or("?"))?;
        }
        writeln!(out)?;
    }
    let missing: Vec<String> = (sizes.iter())
        .filter(|&&(rows, columns)| table.get(rows, columns).is_none())
        .map(|(rows, columns)| format!("{rows}x{columns}"))
        .collect();
    if !missing.is_empty() {
        writeln!(out, "\nnot reached: {}", missing.join(", "))?;
    }
    Ok(())
}

/// Says on stderr what the search remembers, and whether it had to forget.
fn report_memory(solver: &NimberSolver) {
    let memo = solver.memo();
    let forgotten = match memo.forgotten() {
        0 => String::new(),
        regions => format!(
            "; {} evicted at the memory limit: more --memory would be faster",
            grouped(regions)
        ),
    };
    let _ = writeln!(
        std::io::stderr(),
        "{} regions in {}{forgotten}",
        grouped(memo.regions()),
        human_bytes(memo.bytes())
    );
}
