//! `phutbase generate` of strips.

use super::super::output::{CommandError, closable_stdout, print_result};
use super::super::{Common, make};
use super::{Arguments, MadeTable, log_destination};
use crate::games::boards::Boards;
use crate::generate::Request;
use crate::table::{BoardTable, FrameCache, Metric, StripTable};
use std::io::Write;

/// Makes the table of the strips up to a length.
pub fn run(arguments: &Arguments, longest: usize, common: &Common) -> Result<(), CommandError> {
    let request = Request {
        shorter: Some(common.places().with_embedded()),
        ..Request::new(longest, arguments.metric.unwrap_or(Metric::Dtw))
    };
    let request = arguments.resources.request(request, &common.destination()?);
    log_destination(common)?;
    let (outcome, seconds, counters) = make::strips(&request)?;
    let table = StripTable::open(&request.path(), &FrameCache::new(0))?;
    let (first, last) = (*table.lengths().start(), longest);
    let line = MadeTable {
        holds: Some([first, last]),
        counters: counters.filter(|_| common.verbose),
        ..MadeTable::new(BoardTable::Strips(&table, longest), outcome, seconds)?
    };
    // A closed output does not stop the work.
    print_result(closable_stdout(), common.json, &line, |out| {
        writeln!(out, "{}", line.sentence(&Boards::strip(longest), outcome))?;
        writeln!(out, "it holds every strip of {first} to {last} squares")
    })
}
