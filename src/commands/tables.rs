//! `phutbase tables`: where tables are looked for, and what is found there.

use super::given::Idle;
use super::output::{CommandError, grouped, json_line, stdout};
use super::{Common, Verb};
use clap::Args;
use phutbase::generate::plan::human_bytes;
use phutbase::table::any::Table;
use phutbase::table::error::TableError;
use phutbase::table::nimbers::NimberTable;
use phutbase::table::pitch::PitchTable;
use phutbase::table::places::{Source, Subject};
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
  6. the program itself: depths up to 24 squares, who wins at 32, 40, 48 and 64, pitches up to 7x3, nimbers of Obstruction
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
    /// Whose rules.
    rules: &'static str,
    /// The program that wrote it.
    generator: Option<String>,
    /// Whether an earlier place has the same boards, so that this table is not asked.
    hidden: bool,
    error: Option<String>,
}

impl Verb for Arguments {
    fn idle(&self) -> Idle {
        (None, &["threads"])
    }

    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let places = common.places();
        let mut seen = BTreeSet::new();
        let mut out = stdout();
        let mut show = |place: String, heading: String, tables: Vec<(Subject, Source)>| {
            let lines = tables.into_iter().map(|(subject, source)| {
                // Nimbers are joined from all places.
                let hidden = !seen.insert(subject) && subject != Subject::Nimbers;
                Line::new(&place, subject, &source, hidden)
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
    fn new(place: &str, subject: Subject, source: &Source, hidden: bool) -> Line {
        let (game, boards, metric, rules) = match subject {
            Subject::Strip(rules, length, metric) => (
                "strip",
                length.to_string(),
                Some(metric.to_string()),
                rules.name_if_special().unwrap_or("Grossman & Nowakowski"),
            ),
            Subject::Pitch(rules, shape) => (
                "pitch",
                shape.to_string(),
                Some("dtw".to_string()),
                rules.name_if_special().unwrap_or("Sarkar"),
            ),
            Subject::Nimbers => ("obstruction", "all".to_string(), None, "Obstruction"),
        };
        let (bytes, generator, error) = match look(subject, source) {
            Ok((bytes, generator)) => (Some(bytes), generator, None),
            Err(error) => (None, None, Some(error.to_string())),
        };
        Line {
            place: place.to_string(),
            file: source.path().display().to_string(),
            game,
            boards,
            metric,
            bytes,
            rules,
            generator,
            hidden,
            error,
        }
    }

    /// Whether the next table can stand on one line with this one.
    fn goes_on_with(&self, next: &Line) -> bool {
        let follows = |lower: &str, upper: &str| match (lower.parse::<usize>(), upper.parse::<usize>()) {
            (Ok(lower), Ok(upper)) => upper == lower + 1,
            _ => self.game == "pitch",
        };
        (self.game, &self.metric, self.rules, self.hidden)
            == (next.game, &next.metric, next.rules, next.hidden)
            && (&self.error, &next.error) == (&None, &None)
            && follows(&self.boards, &next.boards)
    }
}

/// The size of a table and what wrote it, once it is opened and checked.
fn look(subject: Subject, source: &Source) -> Result<(u64, Option<String>), TableError> {
    let container = source.open()?;
    let bytes = container.bytes();
    let generator = match subject {
        Subject::Strip(rules, ..) => {
            container.check_rules(rules)?;
            Some(Table::new(container, 0)?.description().generator.clone())
        }
        Subject::Pitch(rules, shape) => {
            let table = PitchTable::of(container, rules, shape, 0)?;
            Some(table.description().generator.clone())
        }
        Subject::Nimbers => NimberTable::of(&container).map(|_| None)?,
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
    lines.sort_by_key(|line| (line.game != "strip", line.rules, line.metric.clone()));
    for group in lines.chunk_by(|line, next| line.goes_on_with(next)) {
        let (first, last) = (group[0], group[group.len() - 1]);
        let boards = match (first.game, group.len()) {
            (_, 1) => first.boards.clone(),
            ("strip", _) => format!("{}..{}", first.boards, last.boards),
            (_, _) => format!("{} to {}", first.boards, last.boards),
        };
        let metric = first.metric.as_deref().unwrap_or("nimbers");
        let bytes: u64 = group.iter().filter_map(|line| line.bytes).sum();
        let told = match (&first.error, first.hidden) {
            (Some(error), _) => error.clone(),
            (None, true) => "not asked: an earlier place has them".to_string(),
            (None, false) => format!("rules: {}", first.rules),
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
