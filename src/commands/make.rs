//! Making tables with progress, for every command that may need some.

use super::interrupt;
use super::output::{CommandError, grouped, say};
use super::progress;
use super::team::team;
use crate::games::boards::Boards;
use crate::games::pitch::Shape;
use crate::generate::plan::human_bytes;
use crate::generate::{Event, GenerateError, Observer, Outcome, Request, TablesLock, generate};
use crate::solve::symbolic::counters::Counters;
use indicatif::ProgressBar;
use std::time::Instant;

/// Makes the table of strips that a request asks for, unless an intact one exists. Returns what was done, the seconds it took, and the
/// counters of the symbolic engine if it ran.
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

/// Solves a pitch with a bar, listening for Ctrl-C.
pub fn pitch<T>(
    shape: Shape,
    work: impl FnOnce(&mut Observer<'_>) -> Result<T, GenerateError>,
) -> Result<T, CommandError> {
    let boards = Boards::Pitch(shape);
    observed(&boards, &boards.words(), work)
}

/// Runs work with an observer that shows its progress, and asks it to stop after the first Ctrl-C.
fn observed<T>(
    boards: &Boards,
    what: &str,
    work: impl FnOnce(&mut Observer<'_>) -> Result<T, GenerateError>,
) -> Result<T, CommandError> {
    let stop = interrupt::flag("finishing the step");
    let mut bar: Option<ProgressBar> = None;
    let result = work(&mut |event| {
        // The first says what all do.
        if team().is_first() {
            tell(event, boards, what, &mut bar);
        }
        interrupt::flow(stop)
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(result?)
}

/// Shows what goes on.
fn tell(event: Event<'_>, boards: &Boards, what: &str, bar: &mut Option<ProgressBar>) {
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
            say(&format!(
                "{what}, {} positions, up to {} of memory{scratch}{each}, {} of disk",
                grouped(plan.positions),
                human_bytes(plan.memory),
                human_bytes(plan.disk),
            ));
            *bar = begin(progress::bar(plan.positions));
        }
        Event::BeginDiagrams { memory } => {
            say(&format!("{what}, at most {} of memory", human_bytes(memory)));
            *bar = begin(progress::spinner());
        }
        Event::Resumed { plies } => say(&format!("{}: going on after ply {plies}", boards.words())),
        Event::ResumedDiagrams { place } => say(&format!("{}: going on at {place}", boards.words())),
        Event::Ply { ply, decided } => {
            show(format!("ply {ply}"));
            if let Some(bar) = bar {
                bar.set_position(decided);
            }
        }
        Event::Diagrams(live) => show(format!(
            "{}, {} nodes, {}",
            live.place,
            grouped(live.nodes as u128),
            human_bytes(live.bytes)
        )),
        Event::Counted(_) => {}
        Event::Writing => show("writing".to_string()),
    }
}
