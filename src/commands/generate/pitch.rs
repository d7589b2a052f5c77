//! `phutbase generate` of a pitch.

use super::super::options::Resources;
use super::super::output::{CommandError, grouped, json_line, unheeded};
use super::super::{Common, interrupt, progress};
use super::Line;
use indicatif::ProgressBar;
use phutbase::answer::stats::Counts;
use phutbase::games::pitch::Shape;
use phutbase::generate::pitch::{PitchEvent, PitchPlan, PitchRequest, generate_pitch};
use phutbase::generate::plan::human_bytes;
use phutbase::generate::{Outcome, TablesLock};
use phutbase::solve::pitch::Setup;
use phutbase::table::pitch::PitchTable;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

pub fn run(shape: Shape, resources: &Resources, common: &Common) -> Result<(), CommandError> {
    let begun = Instant::now();
    let outcome = make(shape, resources, common)?;
    let seconds = begun.elapsed().as_secs_f64();
    let table = PitchTable::open(&common.tables, shape)?;
    let line = Line {
        counts: Counts::of_pitch(&table),
        status: match outcome {
            Outcome::Present => "present",
            Outcome::Written => "written",
            Outcome::Replaced | Outcome::Rewritten => "replaced",
        },
        seconds,
        bytes: table.header().file_bytes,
        file: table.path().display().to_string(),
    };
    let deed = match outcome {
        Outcome::Present => "already there".to_string(),
        Outcome::Written => format!("written in {seconds:.2} s"),
        Outcome::Replaced | Outcome::Rewritten => format!("was damaged, written anew in {seconds:.2} s"),
    };
    let mut out = unheeded();
    match common.json {
        true => json_line(&mut out, &line)?,
        false => writeln!(out, "{}", line.sentence("pitch", &deed))?,
    }
    Ok(out.flush()?)
}

/// What is asked for, with the resources of the command line.
pub fn request(shape: Shape, with_depths: bool, resources: &Resources, common: &Common) -> PitchRequest {
    PitchRequest {
        setup: Setup {
            shape,
            with_depths,
            scratch: resources.scratch.clone(),
        },
        tables: common.tables.clone(),
        memory: resources.memory(),
        checkpoint_every: resources.checkpoint_every.0,
    }
}

/// Makes the table with a bar, listening for Ctrl-C.
pub fn make(shape: Shape, resources: &Resources, common: &Common) -> Result<Outcome, CommandError> {
    let request = request(shape, true, resources, common);
    let lock = TablesLock::hold(&common.tables)?;
    observed(|observer| generate_pitch(&request, &lock, observer).map_err(CommandError::from))
}

/// Runs work with an observer that draws a bar and asks it to stop after the first Ctrl-C.
pub fn observed<T>(
    work: impl FnOnce(&mut dyn FnMut(PitchEvent<'_>) -> ControlFlow<()>) -> Result<T, CommandError>,
) -> Result<T, CommandError> {
    let stop = interrupt::flag("finishing the ply");
    let mut bar: Option<ProgressBar> = None;
    let result = work(&mut |event| {
        match event {
            PitchEvent::Begin(plan) => {
                state_needs(plan);
                let new_bar = progress::bar(u64::try_from(plan.positions).unwrap_or(u64::MAX));
                new_bar.set_prefix(format!("pitch {}", plan.shape));
                bar = Some(new_bar);
            }
            PitchEvent::Resumed { plies } => {
                // Without stderr there is nobody to tell.
                let _ = writeln!(std::io::stderr(), "going on after ply {plies}");
            }
            PitchEvent::Ply { ply, decided } => {
                if let Some(bar) = &bar {
                    bar.set_message(format!("ply {ply}"));
                    bar.set_position(decided);
                }
            }
            PitchEvent::Writing => {
                if let Some(bar) = &bar {
                    bar.set_message("writing");
                }
            }
        }
        match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    result
}

/// Says on stderr what a pitch takes, before it takes it. Without stderr there is nobody to tell.
fn state_needs(plan: &PitchPlan) {
    let scratch = match plan.scratch {
        0 => String::new(),
        bytes => format!(", {} of scratch", human_bytes(bytes)),
    };
    let _ = writeln!(
        std::io::stderr(),
        "pitch {}: {} positions, {} of memory{scratch}, about {} of disk",
        plan.shape,
        grouped(plan.positions),
        human_bytes(plan.memory),
        human_bytes(plan.disk),
    );
}
