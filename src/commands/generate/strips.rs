//! `phutbase generate` of strips.

use super::super::Common;
use super::super::make::{Made, tables};
use super::super::output::CommandError;
use super::{Arguments, Line, say_where};
use phutbase::answer::stats::Counts;
use phutbase::games::boards::Boards;
use phutbase::generate::share::{EngineChoice, share};
use phutbase::generate::{Engine, Request};
use phutbase::table::Layout;
use phutbase::table::directory::Tablebase;
use phutbase::table::places::Places;
use std::ops::RangeInclusive;

pub fn run(
    arguments: &Arguments,
    lengths: RangeInclusive<usize>,
    common: &Common,
) -> Result<(), CommandError> {
    let request = Request {
        rules: arguments.by.rules,
        layout: arguments.layout,
        shorter: Some(common.places()),
        ..Request::new(*lengths.end(), arguments.metric)
    };
    let request = arguments.resources.request(request, &common.destination()?);
    let shares = share(lengths, arguments.engine, &request)?;
    let request = |engine| Request {
        engine,
        // Whoever chooses the symbolic engine wants what it writes.
        layout: match (arguments.layout, arguments.engine) {
            (None, EngineChoice::Only(Engine::Symbolic)) => Some(Layout::Diagram),
            (layout, _) => layout,
        },
        ..request.clone()
    };
    for share in &shares {
        request(share.engine).check()?;
    }
    say_where(common)?;
    for share in shares {
        tables(&share.lengths, &request(share.engine), |made| {
            // The tables are what was asked for: they are made even if nobody reads on.
            report(&made, common.json)
        })?;
    }
    Ok(())
}

fn report(made: &Made, json: bool) -> Result<(), CommandError> {
    let places = Places::only(&made.request.tables);
    let tablebase = Tablebase::search_under(made.request.rules, places)?;
    let Some(table) = tablebase.table(made.request.length, made.request.metric)? else {
        return Err(CommandError::Failure(format!(
            "the table of length {} disappeared while it was being made",
            made.request.length
        )));
    };
    let bytes = table.header().file_bytes;
    let line = Line::new(
        Counts::of_strip(table),
        made.outcome,
        made.seconds,
        bytes,
        table.path(),
    );
    line.tell(&Boards::strip(made.request.length), made.outcome, json)
}
