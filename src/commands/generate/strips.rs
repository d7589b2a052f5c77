//! `phutbase generate` of strips.

use super::super::Common;
use super::super::make::{Made, tables};
use super::super::options::EngineChoice;
use super::super::output::{CommandError, grouped, json_line, unheeded};
use super::engine::share;
use super::{Arguments, Line};
use phutbase::answer::stats::Counts;
use phutbase::generate::plan::human_bytes;
use phutbase::generate::{Engine, Outcome, Request};
use phutbase::table::Layout;
use phutbase::table::directory::Tablebase;
use std::io::Write;
use std::ops::RangeInclusive;

pub fn run(
    arguments: &Arguments,
    lengths: RangeInclusive<usize>,
    common: &Common,
) -> Result<(), CommandError> {
    let request = Request {
        layout: arguments.layout,
        ..Request::new(*lengths.end(), arguments.metric)
    };
    let request = arguments.resources.request(request, &common.tables);
    for share in share(lengths, arguments.engine, &request)? {
        let request = Request {
            engine: share.engine,
            // Whoever chooses the symbolic engine wants what it writes.
            layout: match (arguments.layout, arguments.engine) {
                (None, EngineChoice::Only(Engine::Symbolic)) => Some(Layout::Diagram),
                (layout, _) => layout,
            },
            ..request.clone()
        };
        tables(&share.lengths, &request, |made| {
            // The tables are what was asked for: they are made even if nobody reads on.
            report(&made, common.json)
        })?;
    }
    Ok(())
}

fn report(made: &Made, json: bool) -> Result<(), CommandError> {
    let mut out = unheeded();
    match json {
        true => json_line(&mut out, &line(made)?)?,
        false => writeln!(out, "{}", sentence(made)?)?,
    }
    Ok(out.flush()?)
}

fn line(made: &Made) -> Result<Line, CommandError> {
    let tablebase = Tablebase::open(&made.request.tables)?;
    let Some(table) = tablebase.table(made.request.length, made.request.metric)? else {
        return Err(CommandError::Failure(format!(
            "the table of length {} was taken away while it was made",
            made.request.length
        )));
    };
    Ok(Line {
        counts: Counts::of_strip(table),
        status: match made.outcome {
            Outcome::Present => "present",
            Outcome::Written => "written",
            Outcome::Replaced => "replaced",
            Outcome::Rewritten => "rewritten",
        },
        seconds: made.seconds,
        bytes: table.header().file_bytes,
        file: table.path().display().to_string(),
    })
}

fn sentence(made: &Made) -> Result<String, CommandError> {
    let line = line(made)?;
    let deed = match made.outcome {
        Outcome::Present => "already there".to_string(),
        Outcome::Written => format!("written in {:.2} s", made.seconds),
        Outcome::Replaced => format!("was damaged, written anew in {:.2} s", made.seconds),
        Outcome::Rewritten => format!("was of another kind, written anew in {:.2} s", made.seconds),
    };
    Ok(line.sentence("length", &deed))
}

impl Line {
    /// The line for people.
    pub(super) fn sentence(&self, kind: &str, deed: &str) -> String {
        let counts = &self.counts;
        let longest = counts
            .longest
            .map_or(String::new(), |plies| format!(", longest {plies} plies"));
        format!(
            "{kind} {}: {} wins, {} losses, {} draws{longest}; {} in {}, {deed}",
            counts.boards,
            grouped(&counts.wins.0),
            grouped(&counts.losses.0),
            grouped(&counts.draws.0),
            human_bytes(self.bytes),
            self.file,
        )
    }
}
