//! `phutbase generate` of strips.

use super::super::output::{CommandError, tell, unheeded};
use super::super::{Common, make};
use super::{Arguments, Line, say_where};
use crate::answer::stats::Counts;
use crate::games::boards::Boards;
use crate::generate::Request;
use crate::table::Metric;
use crate::table::container::cache::FrameCache;
use crate::table::strip::StripTable;
use std::io::Write;

/// Makes the table of the strips up to a length.
pub fn run(arguments: &Arguments, longest: usize, common: &Common) -> Result<(), CommandError> {
    let request = Request {
        rules: arguments.by.rules,
        shorter: Some(common.places()),
        ..Request::new(longest, arguments.metric.unwrap_or(Metric::Dtw))
    };
    let request = arguments.resources.request(request, &common.destination()?);
    say_where(common)?;
    let (outcome, seconds, counters) = make::strips(&request)?;
    let table = StripTable::open(&request.path(), &FrameCache::new(0))?;
    let counts = Counts::of_strip(&table, longest)?;
    let (first, last) = (*table.lengths().start(), longest);
    let line = Line {
        holds: Some([first, last]),
        counters: counters.filter(|_| arguments.verbose),
        ..Line::new(counts, outcome, seconds, table.file_bytes(), table.path())
    };
    // The table is what was asked for: it is made even if the output is closed.
    tell(unheeded(), common.json, &line, |out| {
        writeln!(out, "{}", line.sentence(&Boards::strip(longest), outcome))?;
        writeln!(out, "it holds every strip of {first} to {last} squares")
    })
}
