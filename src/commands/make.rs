//! Making tables with progress, for every command that may need some.

use super::interrupt;
use super::output::{CommandError, grouped, say};
use super::progress;
use super::team::team;
use indicatif::{MultiProgress, ProgressBar};
use phutbase::games::boards::Boards;
use phutbase::games::pitch::Shape;
use phutbase::generate::estimate::{about, estimate, estimate_pitch};
use phutbase::generate::in_order::in_order;
use phutbase::generate::plan::{free_memory, human_bytes};
use phutbase::generate::{Engine, Event, GenerateError, Observer, Outcome, Request, TablesLock, generate};
use phutbase::table::Metric;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// One table that [`tables`] has seen to.
pub struct Made {
    /// What was asked for.
    pub request: Request,
    /// How it came to be there.
    pub outcome: Outcome,
    /// How long that took.
    pub seconds: f64,
}

/// Makes tables of some lengths, the request otherwise the same; `report` hears of each, in order, when it is whole.
///
/// The dense engine works on one length at a time, with all threads, and so does the symbolic one where it asks only who wins; with depths it works on a length for each thread.
pub fn tables(
    lengths: &[usize],
    request: &Request,
    mut report: impl FnMut(Made) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let lock = TablesLock::hold(&request.tables)?;
    let bars = MultiProgress::new();
    let make = |length, memory, unwanted: &AtomicBool| {
        let request = Request {
            length,
            memory,
            ..request.clone()
        };
        one(request, &lock, &bars, unwanted)
    };
    match (request.engine, request.metric) {
        // Who wins on a strip is found from who wins on the next shorter one.
        (Engine::Dense, _) | (_, Metric::Wdl) => (lengths.iter())
            .try_for_each(|&length| report(make(length, request.memory, &AtomicBool::new(false))?)),
        (Engine::Symbolic, Metric::Dtw) => {
            let threads = rayon::current_num_threads().min(lengths.len()).max(1) as u64;
            let memory = request.memory.unwrap_or_else(free_memory) / threads;
            in_order(
                lengths,
                |length, unwanted| make(length, Some(memory), unwanted),
                report,
            )
        }
    }
}

/// Makes one table with a bar, listening for Ctrl-C.
fn one(
    request: Request,
    lock: &TablesLock,
    bars: &MultiProgress,
    unwanted: &AtomicBool,
) -> Result<Made, CommandError> {
    let begun = Instant::now();
    let boards = Boards::strip(request.length);
    let engine = request.engine;
    let what = || {
        let time = estimate(request.engine, request.metric, request.length);
        let words = format!("{} ({}): the {engine} engine", boards.words(), request.metric);
        (words + &on_this_machine(time), time)
    };
    let outcome = observed(&boards, &what, bars, unwanted, |observer| {
        generate(&request, lock, observer)
    })?;
    Ok(Made {
        outcome,
        request,
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// How long work will take, in words.
fn on_this_machine(time: Option<Duration>) -> String {
    time.map_or(String::new(), |time| format!(", {} on this machine", about(time)))
}

/// Solves a pitch, with depths or only who wins, with a bar, listening for Ctrl-C.
pub fn pitch<T>(
    shape: Shape,
    with_depths: bool,
    work: impl FnOnce(&mut Observer<'_>) -> Result<T, GenerateError>,
) -> Result<T, CommandError> {
    let boards = Boards::Pitch(shape);
    let unwanted = AtomicBool::new(false);
    let what = || {
        let time = estimate_pitch(shape, with_depths, &team());
        (boards.words() + &on_this_machine(time), time)
    };
    observed(&boards, &what, &MultiProgress::new(), &unwanted, work)
}

/// Runs work with an observer that shows what goes on, and asks it to stop after the first Ctrl-C or when it is unwanted. `what` is
/// said on stderr before it begins, with how long it will take if that is known.
fn observed<T>(
    boards: &Boards,
    what: &dyn Fn() -> (String, Option<Duration>),
    bars: &MultiProgress,
    unwanted: &AtomicBool,
    work: impl FnOnce(&mut Observer<'_>) -> Result<T, GenerateError>,
) -> Result<T, CommandError> {
    let stop = interrupt::flag("finishing the step");
    let mut bar: Option<ProgressBar> = None;
    let result = work(&mut |event| {
        // The first says what all do.
        if team().is_first() {
            tell(event, boards, what, bars, &mut bar);
        }
        match interrupt::flow(stop) {
            ControlFlow::Continue(()) => interrupt::flow(unwanted),
            stopped => stopped,
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(result?)
}

/// Shows what goes on.
fn tell(
    event: Event<'_>,
    boards: &Boards,
    what: &dyn Fn() -> (String, Option<Duration>),
    bars: &MultiProgress,
    bar: &mut Option<ProgressBar>,
) {
    let begin = |new: ProgressBar| {
        let new = bars.add(new);
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
                "{}, {} positions, up to {} of memory{scratch}{each}, {} of disk",
                what().0,
                grouped(plan.positions),
                human_bytes(plan.memory),
                human_bytes(plan.disk),
            ));
            *bar = begin(progress::bar(plan.positions));
        }
        Event::BeginDiagrams { memory } => {
            let (words, time) = what();
            say(&format!("{words}, at most {} of memory", human_bytes(memory)));
            *bar = begin(progress::estimated(time));
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
        Event::Writing => show("writing".to_string()),
    }
}
