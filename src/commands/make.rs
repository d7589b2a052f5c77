//! Making tables with progress, for every command that may need some.

use super::in_order::in_order;
use super::interrupt;
use super::output::{CommandError, grouped};
use super::progress;
use indicatif::{MultiProgress, ProgressBar};
use phutbase::generate::plan::{Plan, free_memory, human_bytes};
use phutbase::generate::{Engine, Event, Outcome, Request, TablesLock, generate};
use phutbase::table::Metric;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
    report: impl FnMut(Made) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let lock = TablesLock::hold(&request.tables)?;
    match (request.engine, request.metric) {
        // Who wins on a strip is found from who wins on the next shorter one.
        (Engine::Dense, _) | (_, Metric::Wdl) => one_after_another(lengths, request, &lock, report),
        (Engine::Symbolic, Metric::Dtw) => side_by_side(lengths, request, &lock, report),
    }
}

fn one_after_another(
    lengths: &[usize],
    request: &Request,
    lock: &TablesLock,
    mut report: impl FnMut(Made) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let bars = MultiProgress::new();
    let wanted = AtomicBool::new(false);
    for &length in lengths {
        let request = Request {
            length,
            ..request.clone()
        };
        report(one(request, lock, &bars, &wanted)?)?;
    }
    Ok(())
}

fn side_by_side(
    lengths: &[usize],
    request: &Request,
    lock: &TablesLock,
    report: impl FnMut(Made) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let threads = rayon::current_num_threads().min(lengths.len()).max(1) as u64;
    let memory = request.memory.unwrap_or_else(free_memory) / threads;
    let bars = MultiProgress::new();
    in_order(
        lengths,
        |length, unwanted| {
            let request = Request {
                length,
                memory: Some(memory),
                ..request.clone()
            };
            one(request, lock, &bars, unwanted)
        },
        report,
    )
}

/// Makes one table with a bar, listening for Ctrl-C.
fn one(
    request: Request,
    lock: &TablesLock,
    bars: &MultiProgress,
    unwanted: &AtomicBool,
) -> Result<Made, CommandError> {
    let stop = interrupt::flag("finishing the step");
    let begun = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    let outcome = generate(&request, lock, &mut |event| {
        tell(event, &request, bars, &mut bar);
        if stop.load(Ordering::Relaxed) || unwanted.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(Made {
        outcome: outcome?,
        request,
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// Shows what goes on.
fn tell(event: Event<'_>, request: &Request, bars: &MultiProgress, bar: &mut Option<ProgressBar>) {
    let show = |message: String| {
        if let Some(bar) = bar.as_ref() {
            bar.set_message(message);
            bar.tick();
        }
    };
    match event {
        Event::Begin(plan) => {
            state_needs(request, plan);
            *bar = Some(bars.add(progress::bar(plan.positions)));
        }
        Event::BeginDiagrams { length, memory } => {
            say(&format!(
                "length {length} ({}): the symbolic engine, at most {} of memory",
                request.metric,
                human_bytes(memory)
            ));
            *bar = Some(bars.add(progress::spinner()));
        }
        Event::Resumed { plies } => say(&format!("length {}: going on after ply {plies}", request.length)),
        Event::ResumedDiagrams { place } => say(&format!("length {}: going on at {place}", request.length)),
        Event::Ply { ply, decided, .. } => {
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
    if let (Event::Begin(_) | Event::BeginDiagrams { .. }, Some(bar)) = (event, bar) {
        bar.set_prefix(format!("length {}", request.length));
    }
}

/// Says on stderr what a length takes, before it takes it.
fn state_needs(request: &Request, plan: &Plan) {
    let scratch = match plan.scratch {
        0 => String::new(),
        bytes => format!(", {} of scratch", human_bytes(bytes)),
    };
    say(&format!(
        "length {} ({}): the dense engine, {} positions, up to {} of memory{scratch}, {} of disk",
        request.length,
        request.metric,
        grouped(plan.positions),
        human_bytes(plan.memory),
        human_bytes(plan.disk),
    ));
}

/// Writes a line to stderr. Without stderr there is nobody to tell.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
