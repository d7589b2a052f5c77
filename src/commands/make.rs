//! Making tables with progress.

use super::interrupt;
use super::output::{CommandError, grouped, is_verbose, log_if_slow, log_line, memory_words};
use super::progress;
use super::team::team;
use crate::games::{Boards, Shape};
use crate::generate::plan::human_bytes;
use crate::generate::{Event, GenerateError, Observer, Outcome, Request, TablesLock, generate};
use crate::solve::symbolic::counters::Counters;
use indicatif::ProgressBar;
use std::time::Instant;

/// Makes a table of strips unless an intact one exists. Returns the outcome, the seconds
/// it took, and the counters of the symbolic engine if it ran.
pub fn strips(request: &Request) -> Result<(Outcome, f64, Option<Counters>), CommandError> {
    let lock = TablesLock::hold(&request.tables)?;
    let begun = Instant::now();
    let what = format!("strips of up to {} squares ({})", request.length, request.metric);
    let boards = Boards::strip(request.length);
    let mut counters = None;
    let outcome = observed(&boards, &what, |observer| {
        generate(request, &lock, &mut |event| {
            if let Event::Counted(found) = event {
                counters = Some(found.clone());
            }
            observer(event)
        })
    })?;
    Ok((outcome, begun.elapsed().as_secs_f64(), counters))
}

/// Solves a pitch with progress, stoppable by Ctrl-C.
pub fn pitch<T>(
    shape: Shape,
    work: impl FnOnce(&mut Observer<'_>) -> Result<T, GenerateError>,
) -> Result<T, CommandError> {
    let boards = Boards::Pitch(shape);
    observed(&boards, &boards.words(), work)
}

/// Runs work with an observer that shows progress and stops it after the first Ctrl-C.
fn observed<T>(
    boards: &Boards,
    what: &str,
    work: impl FnOnce(&mut Observer<'_>) -> Result<T, GenerateError>,
) -> Result<T, CommandError> {
    let stop = interrupt::flag("finishing the step");
    let mut bar: Option<ProgressBar> = None;
    let result = work(&mut |event| {
        // One process reports for all.
        if team().is_first() {
            show_event(event, boards, what, &mut bar);
        }
        interrupt::flow(stop)
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(result?)
}

fn show_event(event: Event<'_>, boards: &Boards, what: &str, bar: &mut Option<ProgressBar>) {
    let begin = |new: ProgressBar| {
        new.set_prefix(boards.words());
        Some(new)
    };
    let show = |message: String| {
        if let Some(bar) = bar.as_ref() {
            bar.set_message(message);
            bar.tick();
        }
    };
    match event {
        Event::Begin(plan) => {
            let scratch = match plan.scratch {
                0 => String::new(),
                bytes => format!(", {} of scratch", human_bytes(bytes)),
            };
            let each = match team().count() {
                1 => String::new(),
                count => format!(" in each of {count} processes"),
            };
            log_if_slow(format!(
                "{what}, {} positions{}{scratch}{each}, {} of disk",
                grouped(plan.positions),
                memory_words(plan.memory),
                human_bytes(plan.disk),
            ));
            *bar = begin(progress::bar(plan.positions));
        }
        Event::BeginDiagrams { memory } => {
            // By default the bound is all free memory.
            let bound = is_verbose().then(|| format!(", memory limit {}", human_bytes(memory)));
            log_if_slow(format!("{what}{}", bound.unwrap_or_default()));
            *bar = begin(progress::spinner());
        }
        Event::Resumed(place) => log_line(&format!("{}: resuming after {place}", boards.words())),
        Event::Step { place, decided } => {
            show(place.to_string());
            if let Some(bar) = bar {
                bar.set_position(decided);
            }
        }
        Event::Counted(_) => {}
        Event::Writing => show("writing".to_string()),
    }
}
