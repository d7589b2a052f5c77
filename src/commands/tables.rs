//! `phutbase tables`: where tables are looked for, and what is found there.

use super::output::{CommandError, grouped, json_line, stdout, with_way_out};
use super::{Common, Verb};
use crate::games::strip::MIN_LENGTH;
use crate::generate::plan::human_bytes;
use crate::table::container::cache::FrameCache;
use crate::table::error::TableError;
use crate::table::id::TableId;
use crate::table::nimbers::NimberTable;
use crate::table::pitch::PitchTable;
use crate::table::places::Found;
use crate::table::strip::StripTable;
use clap::Args;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase tables
  phutbase tables --json          a line for each table
  phutbase tables --tables out    the directory 'out' first

What is asked for is taken from the first place that has it:
  1. --tables DIR
  2. $PHUTBASE_TABLES
  3. 'tables' in the working directory
  4. 'phutbase' in your data directory ($XDG_DATA_HOME, by default ~/.local/share): here 'generate' writes if 1 and 2 name nothing
  5. '../share/phutbase', seen from the program
  6. the program itself: depths up to 36 squares, who wins up to 64, pitches up to 7x3, nimbers of Obstruction
'verify', 'stats', 'draws', 'theory' and 'report', which are about the tables themselves, look in DIR alone if it is given.")]
pub struct Arguments {}

/// One table.
#[derive(Serialize)]
struct Line {
    /// Why it is looked for there.
    place: String,
    file: String,
    game: &'static str,
    /// Its boards; all of Obstruction's are in one table.
    boards: String,
    metric: Option<String>,
    bytes: Option<u64>,
    /// The rules by which its game is played.
    rules: String,
    /// The program that wrote it.
    generator: Option<String>,
    /// Whether an earlier place has the same boards, so that this table is not asked.
    hidden: bool,
    error: Option<String>,
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let places = common.places();
        let mut seen = BTreeSet::new();
        let mut out = stdout();
        let mut show = |place: String, heading: String, tables: Vec<Found>| {
            let lines = tables.into_iter().map(|found| {
                // Nimbers are joined from all places.
                let hidden = !seen.insert(found.id) && found.id != TableId::Nimbers;
                Line::new(&place, &found, hidden)
            });
            let lines: Vec<Line> = lines.collect();
            match common.json {
                true => lines.iter().try_for_each(|line| json_line(&mut out, line)),
                false => print(&mut out, &heading, &lines),
            }
        };
        for place in places.directories() {
            let (role, directory) = (place.role.to_string(), place.directory.display());
            let missing = if place.directory.is_dir() {
                ""
            } else {
                ", which is not there"
            };
            show(
                role.clone(),
                format!("{role}: {directory}{missing}"),
                place.tables()?,
            )?;
        }
        let program = "the program itself".to_string();
        show("program".to_string(), program, places.embedded_tables())?;
        if !common.json
            && let Some(destination) = places.destination()
        {
            writeln!(out, "'generate' writes to {}", destination.display())?;
        }
        Ok(out.flush()?)
    }
}

impl Line {
    fn new(place: &str, found: &Found, hidden: bool) -> Line {
        let (game, boards, metric) = match found.id {
            TableId::Strip(_, metric, length) => (
                "strip",
                format!("{MIN_LENGTH}..{length}"),
                Some(metric.to_string()),
            ),
            TableId::Pitch(_, shape) => ("pitch", shape.to_string(), Some("dtw".to_string())),
            TableId::Nimbers => ("obstruction", "all".to_string(), None),
        };
        let (bytes, generator, error) = match look(found) {
            Ok((bytes, generator)) => (Some(bytes), generator, None),
            Err(error) => (None, None, Some(with_way_out(&error))),
        };
        Line {
            place: place.to_string(),
            file: found.source.path().display().to_string(),
            game,
            boards,
            metric,
            bytes,
            rules: found.id.rules().to_string(),
            generator,
            hidden,
            error,
        }
    }

    /// Whether the next table can stand on one line with this one.
    fn goes_on_with(&self, next: &Line) -> bool {
        self.game == "pitch"
            && next.game == "pitch"
            && (&self.rules, self.hidden) == (&next.rules, next.hidden)
            && (&self.error, &next.error) == (&None, &None)
    }
}

/// The size of a table and what wrote it, once it is opened and checked.
fn look(found: &Found) -> Result<(u64, Option<String>), TableError> {
    let container = found.source.open()?;
    container.check_rules(found.id.rules())?;
    let (bytes, cache) = (container.file_bytes(), FrameCache::new(0));
    let generator = match found.id {
        TableId::Strip(..) => Some(StripTable::new(container, &cache)?.metadata().generator.clone()),
        TableId::Pitch(..) => Some(PitchTable::new(container, &cache)?.metadata().generator.clone()),
        TableId::Nimbers => NimberTable::of(&container).map(|_| None)?,
    };
    Ok((bytes, generator))
}

/// A place with its tables, those that follow each other on one line.
fn print(out: &mut impl Write, heading: &str, lines: &[Line]) -> Result<(), CommandError> {
    writeln!(out, "{heading}")?;
    if lines.is_empty() {
        writeln!(out, "  no tables")?;
    }
    // Of strips the depths come first, then who wins.
    let mut lines: Vec<&Line> = lines.iter().collect();
    lines.sort_by_key(|line| (line.game != "strip", line.rules.clone(), line.metric.clone()));
    for group in lines.chunk_by(|line, next| line.goes_on_with(next)) {
        let (first, last) = (group[0], group[group.len() - 1]);
        let boards = match group.len() {
            1 => first.boards.clone(),
            _ => format!("{} to {}", first.boards, last.boards),
        };
        let metric = first.metric.as_deref().unwrap_or("nimbers");
        let bytes: u64 = group.iter().filter_map(|line| line.bytes).sum();
        let told = match (&first.error, first.hidden) {
            (Some(error), _) => error.clone(),
            (None, true) => "shadowed by an earlier place".to_string(),
            (None, false) if first.rules == "ordinary" => String::new(),
            (None, false) => format!("{} rules", first.rules),
        };
        writeln!(
            out,
            "  {:<11} {boards:<11} {metric:<8} {:>3} {:<6} {:>10}  {told}",
            first.game,
            grouped(group.len() as u128),
            if group.len() == 1 { "table" } else { "tables" },
            human_bytes(bytes),
        )?;
    }
    Ok(writeln!(out)?)
}
