//! `phutbase generate` of boards of Obstruction: the nimbers of all boards of a shape up to a size.

use super::say_where;
use crate::answer::obstruction::solver_with;
use crate::commands::options::Resources;
use crate::commands::output::{CommandError, grouped, json_line, say, unheeded};
use crate::commands::{Common, interrupt, progress};
use crate::games::boards::Boards;
use crate::games::obstruction::{Grid, Term};
use crate::games::rules::Rules;
use crate::generate::plan::human_bytes;
use crate::generate::slices::in_slices;
use crate::nimber::Nimber;
use crate::solve::nimbers::{NimberLimits, NimberSolver, total};
use crate::table::id::TableId;
use crate::table::nimbers::NimberTable;
use hashbrown::HashMap;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is said of a board.
#[derive(Serialize)]
pub struct Line {
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
    largest: Grid,
    time: Duration,
    resources: &Resources,
    common: &Common,
) -> Result<(), CommandError> {
    say_where(common)?;
    let limits = NimberLimits {
        stop: Some(interrupt::flag("saving what was found")),
        // A time too long to be represented is no limit.
        deadline: Instant::now().checked_add(time),
    };
    let memory = resources.memory().unwrap_or(MEMORY);
    let file = common.destination()?.join(TableId::Nimbers.to_string());
    let mut table = NimberTable::read(&file)?;
    table.extend(
        common
            .tablebase(Rules::Ordinary, common.places_named())?
            .nimbers()?,
    );
    let solver = solver_with(&table, memory);
    let sizes = sizes(largest);
    let (count, memory, seconds) = (sizes.len(), human_bytes(memory), time.as_secs_f64());
    say(&format!(
        "{count} boards up to {largest}: up to {memory} of memory for regions, {seconds} s"
    ));
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
        print(&mut out, largest, &table)?;
        let missing = sizes.iter().filter(|&&board| table.get(board).is_none());
        let missing: Vec<String> = missing.map(Grid::to_string).collect();
        if !missing.is_empty() {
            writeln!(out, "\nnot reached: {}", missing.join(", "))?;
        }
        out.flush()?;
    }
    report_memory(&solver);
    Ok(())
}

/// Every board of a form up to a size, upright, the smallest first: they teach the solver most, and cost least.
pub fn sizes(largest: Grid) -> Vec<Grid> {
    let mut sizes: Vec<Grid> = within(largest).map(Grid::upright).collect();
    sizes.sort_unstable_by_key(|board| (board.cells(), *board));
    sizes.dedup();
    sizes
}

/// The boards of a form up to a size that a table has, the smallest first.
pub fn stored(table: &NimberTable, largest: Grid) -> Vec<(Grid, Nimber)> {
    let sizes = sizes(largest).into_iter();
    sizes
        .filter_map(|board| Some((board, table.get(board)?)))
        .collect()
}

/// Every board of a form up to a size, layer by layer and row by row.
fn within(largest: Grid) -> impl Iterator<Item = Grid> {
    let [layers, rows, columns] = largest.sides();
    let all = (1..=layers)
        .flat_map(move |layer| (1..=rows).map(move |row| [layer, row]))
        .flat_map(move |[layer, row]| (1..=columns).map(move |column| [layer, row, column]));
    all.map(move |sides| Grid::of_sides(largest.form(), sides).expect("smaller than a board"))
}

/// Finds what the table lacks and saves it: first a little time for every size, then more for those that need it.
fn for_sizes(
    sizes: &[Grid],
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
        match table.get(size) {
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
    let ask = |&size: &Grid, slice| {
        bar.set_message(size.to_string());
        let begun = Instant::now();
        let found = find(solver, size, limits.within(slice));
        let time: &mut Duration = spent.entry(size).or_default();
        *time += begun.elapsed();
        let Some(nimber) = found else { return Ok(false) };
        table.insert(size, nimber);
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

pub fn line(board: Grid, status: &'static str, nimber: Option<Nimber>, time: Option<Duration>) -> Line {
    let boards = Boards::Obstruction(board);
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
pub fn find(solver: &NimberSolver, board: Grid, limits: NimberLimits) -> Option<Nimber> {
    Some(total(&solver.components(&[Term::from(board)], limits).ok()?))
}

/// One line for each number of rows; `?` where a nimber is not there.
pub fn print(out: &mut impl Write, largest: Grid, table: &NimberTable) -> Result<(), CommandError> {
    let [layers, rows, columns] = largest.sides();
    for layer in 1..=layers {
        match (layers, layer) {
            (1, _) => {}
            (_, 1) => writeln!(out, "1 layer")?,
            _ => writeln!(out, "\n{layer} layers")?,
        }
        write!(out, "  m\\n")?;
        for column in 1..=columns {
            write!(out, " {column:>3}")?;
        }
        writeln!(out)?;
        for row in 1..=rows {
            write!(out, "{row:>5}")?;
            for column in 1..=columns {
                let nimber =
                    Grid::of_sides(largest.form(), [layer, row, column]).and_then(|board| table.get(board));
                let nimber = nimber.map(|nimber| nimber.to_string());
                write!(out, " {:>3}", nimber.as_deref().unwrap_or("?"))?;
            }
            writeln!(out)?;
        }
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
    let (regions, bytes) = (grouped(memo.regions()), human_bytes(memo.bytes()));
    say(&format!("{regions} regions in {bytes}{forgotten}"));
}
