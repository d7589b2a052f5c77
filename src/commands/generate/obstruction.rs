//! `phutbase generate` of boards of Obstruction: the nimbers of all boards up to a size.

use hashbrown::HashMap;
use phutbase_ask::obstruction::{BoardNimber, solver_with};
use phutbase_base::digits::{grouped, human_bytes};
use phutbase_base::job::{Job, Need, Stopped};
use phutbase_base::nimber::Nimber;
use phutbase_base::object;
use phutbase_nimbers::NimberSolver;
use phutbase_rules::Rules;
use phutbase_rules::obstruction::Grid;
use phutbase_solve::generate::slices::in_slices;
use phutbase_tables::advice::option;
use phutbase_tables::{NimberTable, TableId, Tablebase};
use phutbase_terminal::{
    CommandError, GlobalOptions, Resources, is_verbose, log_line, monitor, output, print_result,
};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

pub fn no_nimbers(tables: &Tablebase, largest: Grid) -> CommandError {
    let (places, option) = (tables.places(), option(tables.places()));
    CommandError::Failure(format!(
        "no nimbers of boards up to obstruction:{largest} in {places}; find some with: phutbase generate obstruction:{largest}{option}"
    ))
}

/// Default memory for solved regions; eviction starts with the smallest and costs only time.
const MEMORY: u64 = 2 << 30;

pub fn run(
    largest: Grid,
    time: Duration,
    resources: &Resources,
    common: &GlobalOptions,
) -> Result<(), CommandError> {
    common.log_destination()?;
    monitor::save_when_stopped();
    let memory = resources.memory.unwrap_or(MEMORY);
    let file = common.destination()?.join(TableId::Nimbers.to_string());
    let mut table = NimberTable::read(&file)?;
    table.extend(common.writable_tables(Rules::Ordinary)?.nimbers()?);
    let solver = solver_with(&table, memory);
    let sizes = sizes(largest);
    let done = monitor::run(format!("boards up to {largest}"), Some(memory), |job| {
        let (job, save_every) = (job.within(time), resources.checkpoint_every);
        for_sizes(&sizes, &solver, &mut table, &job, save_every, &file, common.json)
    });
    // An interrupted run shows what it found.
    if !matches!(done, Ok(()) | Err(CommandError::Interrupted(_))) {
        return done;
    }
    if !common.json {
        let missing = sizes.iter().filter(|&&board| table.get(board).is_none());
        let missing: Vec<String> = missing.map(Grid::to_string).collect();
        output::print(|out| {
            print(out, largest, &table)?;
            if !missing.is_empty() {
                writeln!(out, "\nnot reached: {}", missing.join(", "))?;
            }
            Ok(())
        })?;
    }
    report_memory(&solver);
    done
}

/// Lists the boards of a form up to a size, upright, the smallest first, which help with the rest.
pub fn sizes(largest: Grid) -> Vec<Grid> {
    let mut sizes: Vec<Grid> = within(largest).map(Grid::upright).collect();
    sizes.sort_unstable_by_key(|board| (board.cells(), *board));
    sizes.dedup();
    sizes
}

/// Lists the boards up to a size that are in a table, the smallest first.
pub fn stored(table: &NimberTable, largest: Grid) -> Vec<(Grid, Nimber)> {
    let sizes = sizes(largest).into_iter();
    sizes
        .filter_map(|board| Some((board, table.get(board)?)))
        .collect()
}

/// Iterates over the boards of a form up to a size, layer by layer and row by row.
fn within(largest: Grid) -> impl Iterator<Item = Grid> {
    let [layers, rows, columns] = largest.sides();
    let all = (1..=layers)
        .flat_map(move |layer| (1..=rows).map(move |row| [layer, row]))
        .flat_map(move |[layer, row]| (1..=columns).map(move |column| [layer, row, column]));
    all.map(move |sides| Grid::of_sides(largest.form(), sides).expect("smaller than a board"))
}

/// Finds and saves what the table lacks, first with a short time limit, then with longer ones.
fn for_sizes(
    sizes: &[Grid],
    solver: &NimberSolver,
    table: &mut NimberTable,
    job: &Job,
    save_every: Duration,
    file: &Path,
    json: bool,
) -> Result<(), CommandError> {
    // A closed output does not stop the work.
    let report =
        |size, status, nimber, time| print_result(json, &line(size, status, nimber, time), |_| Ok(()));
    job.expect(sizes.len() as u64, "boards");
    let memory = job.memory().unwrap_or(MEMORY);
    job.need(Need {
        memory,
        is_limit: true,
        ..Need::default()
    });
    let mut open = Vec::new();
    for &size in sizes {
        match table.get(size) {
            Some(nimber) => {
                let _ = job.advance(1);
                report(size, "stored", Some(nimber), None)?;
            }
            None => open.push(size),
        }
    }
    let mut saved = Instant::now();
    let mut unsaved = false;
    // Reported times include all attempts.
    let mut spent = HashMap::new();
    let ask = |&size: &Grid, slice| {
        // A stop ends the search below.
        let _ = job.note(size.to_string());
        let begun = Instant::now();
        let found = solver.board(&size.into(), &job.within(slice)).ok();
        let time: &mut Duration = spent.entry(size).or_default();
        *time += begun.elapsed();
        let Some(nimber) = found else { return Ok(false) };
        table.insert(size, nimber);
        unsaved = true;
        if saved.elapsed() >= save_every {
            table.save(file)?;
            job.save(size.to_string());
            (saved, unsaved) = (Instant::now(), false);
        }
        let _ = job.advance(1);
        report(size, "computed", Some(nimber), Some(*time))?;
        Ok::<bool, CommandError>(true)
    };
    let left = in_slices(open, ask, || job.check().is_err());
    if unsaved {
        table.save(file)?;
    }
    (left?.into_iter()).try_for_each(|size| report(size, "not reached", None, None))?;
    if job.is_stopped() {
        job.save(job.progress().note);
        return Err(Stopped::Interrupted.into());
    }
    Ok(())
}

/// Describes a board of a table, or one that was looked for.
pub fn line(
    board: Grid,
    status: &'static str,
    nimber: Option<Nimber>,
    time: Option<Duration>,
) -> impl Serialize {
    object! {
        #[serde(flatten)]
        board: BoardNimber::new(board, nimber),
        status: status,
        seconds: time.map(|time| time.as_secs_f64()),
    }
}

/// Prints a line for each number of rows; `?` marks boards that have not been computed.
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

fn report_memory(solver: &NimberSolver) {
    let memo = solver.memo();
    let forgotten = match memo.forgotten() {
        0 if !is_verbose() => return,
        0 => String::new(),
        regions => format!(
            "; {} evicted at the memory limit: more --memory is faster",
            grouped(regions)
        ),
    };
    let (regions, bytes) = (grouped(memo.regions()), human_bytes(memo.bytes()));
    log_line(&format!("{regions} regions in {bytes}{forgotten}"));
}
