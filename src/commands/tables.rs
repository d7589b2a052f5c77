//! `phutbase tables`: the directories of tables and their contents.

use super::Verb;
use super::checksums;
use clap::Args;
use phutbase_ask::BoardsLabel;
use phutbase_base::digits::{grouped, human_bytes};
use phutbase_base::fault::Fault;
use phutbase_base::object;
use phutbase_files::error::expect_same;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_rules::{Boards, Rules};
use phutbase_tables::places::LocatedTable;
use phutbase_tables::{Metric, NimberTable, TableError, TableId};
use phutbase_terminal::{CommandError, GlobalOptions, expect_none, json_line, log_line, shown, stdout};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase tables
  phutbase tables --json    one object per table
  phutbase tables --check   compare checksums

With --tables DIR every verb uses DIR alone. Otherwise the first place with a
suitable table answers:
  1. the directories of $PHUTBASE_TABLES, separated as in $PATH
  2. 'tables' in the working directory
  3. 'phutbase' in $XDG_DATA_HOME [default: ~/.local/share]
  4. '../share/phutbase', relative to the program
  5. the program: depths up to 36 squares, levels up to 64, pitches up to
     7x3, nimbers of Obstruction

Who wins a strip is known without a table.
'generate' writes to 1 if it is set, otherwise to 3.")]
pub struct Arguments {
    /// Check the tables that SHA256SUMS in their directory lists, and those of the program
    #[arg(long)]
    check: bool,
}

#[derive(Serialize)]
struct TableRow {
    place: String,
    file: String,
    /// The boards; `obstruction` for all of that game, which one table holds.
    #[serde(flatten)]
    label: BoardsLabel,
    metric: Option<String>,
    bytes: Option<u64>,
    generator: Option<String>,
    /// True if an earlier directory has the same boards.
    shadowed: bool,
    error: Option<String>,
    /// With `--check`: true if the checksum matches; null if none is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    checksum: Option<Option<bool>>,
}

impl Verb for Arguments {
    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        let places = common.places();
        let mut seen = BTreeSet::new();
        let mut out = stdout();
        let (mut damaged, mut wrong) = (Vec::new(), Vec::new());
        let mut show = |place: String, heading: String, tables: Vec<LocatedTable>| {
            let mut lines = Vec::new();
            for found in tables {
                // Nimbers of all directories are merged.
                let shadowed = !seen.insert(found.id) && found.id != TableId::Nimbers;
                let mut line = TableRow::new(&place, &found, shadowed);
                if self.check {
                    // A listed file that cannot be read has another sum.
                    let checksum = checksums::check(&found.source).unwrap_or_else(|error| {
                        line.error.get_or_insert(error.to_string());
                        Some(false)
                    });
                    line.checksum = Some(checksum);
                    if let Some(error) = &line.error {
                        damaged.push(error.clone());
                    } else if checksum == Some(false) {
                        wrong.push(line.file.clone());
                        line.error = Some("checksum mismatch".to_string());
                    }
                }
                lines.push(line);
            }
            if common.json {
                lines.iter().try_for_each(|line| json_line(&mut out, line))
            } else {
                print(&mut out, &heading, &lines)
            }
        };
        let mut unread = Vec::new();
        for place in places.directories() {
            let (role, directory) = (place.role.to_string(), place.directory.display());
            let missing = if place.directory.exists() {
                ""
            } else {
                ", which does not exist"
            };
            let tables = places.tables_in(place, &|error| log_line(&format!("warning: {error}")))?;
            unread.extend(place.unread_files().into_iter().map(|file| (role.clone(), file)));
            show(role.clone(), format!("{role}: {directory}{missing}"), tables)?;
        }
        let embedded = places.embedded_tables();
        if !embedded.is_empty() {
            show("program".to_string(), "the program itself".to_string(), embedded)?;
        }
        for (place, file) in unread {
            let error = match TableId::of_file(&file) {
                Ok(id) => {
                    // Renaming must not replace a good table by a copy.
                    let advice = if file.with_file_name(id.to_string()).exists() {
                        format!("'{id}' is beside it")
                    } else {
                        format!("rename it to '{id}'")
                    };
                    format!("{}: not read under this name; {advice}", file.display())
                }
                Err(error) => error.to_string(),
            };
            if common.json {
                let file = file.display().to_string();
                json_line(&mut out, &object! { place: place, file: file, error: error })?;
            } else {
                writeln!(out, "{}", shown(&error))?;
            }
        }
        if !common.json
            && let Some(destination) = places.destination()
        {
            let destination = destination.display().to_string();
            writeln!(out, "'generate' writes to {}", shown(&destination))?;
        }
        out.flush()?;
        expect_none(&damaged, "; ", CommandError::System)?;
        expect_none(&wrong, ", ", |files| {
            CommandError::Failure(format!(
                "{files}: checksum mismatch; generate or copy the table again"
            ))
        })
    }
}

impl TableRow {
    fn new(place: &str, found: &LocatedTable, shadowed: bool) -> TableRow {
        let rules = found.id.rules();
        let (label, metric) = match found.id {
            TableId::Strip(metric, length) => {
                let boards = Boards::Strips(MIN_LENGTH..=length);
                (BoardsLabel::new(&boards, rules), Some(metric))
            }
            TableId::Pitch(_, shape) => (BoardsLabel::new(&Boards::Pitch(shape), rules), Some(Metric::Dtw)),
            TableId::Nimbers => (BoardsLabel::all_obstruction(), None),
        };
        let (bytes, generator, error) = match inspect(found) {
            Ok((bytes, generator)) => (Some(bytes), generator, None),
            Err(error) => (None, None, Some(error.message())),
        };
        TableRow {
            place: place.to_string(),
            file: found.source.path().display().to_string(),
            label,
            metric: metric.map(|metric| metric.to_string()),
            bytes,
            generator,
            shadowed,
            error,
            checksum: None,
        }
    }

    /// True if the next table can share a line with this one.
    fn joins(&self, next: &TableRow) -> bool {
        let (own, other) = (&self.label, &next.label);
        own.game == "pitch"
            && other.game == "pitch"
            && (own.rules, self.shadowed) == (other.rules, next.shadowed)
            && (&self.error, &next.error) == (&None, &None)
    }
}

fn inspect(found: &LocatedTable) -> Result<(u64, Option<String>), TableError> {
    let container = found.source.open()?;
    container.check_rules(found.id.rules())?;
    let (id, generator) = TableId::of(&container)?;
    if id == TableId::Nimbers {
        NimberTable::of(&container)?;
    }
    expect_same(&found.source.path(), "the table", id, found.id)?;
    Ok((container.file_bytes(), generator))
}

/// Prints a directory with its tables; consecutive ones share a line.
fn print(out: &mut impl Write, heading: &str, lines: &[TableRow]) -> Result<(), CommandError> {
    writeln!(out, "{}", shown(heading))?;
    if lines.is_empty() {
        writeln!(out, "  no tables")?;
    }
    // Depths first, then tables of who wins.
    let mut lines: Vec<&TableRow> = lines.iter().collect();
    lines.sort_by_key(|line| (line.label.game != "strip", line.label.rules, line.metric.clone()));
    for group in lines.chunk_by(|line, next| line.joins(next)) {
        let (first, last) = (group[0], group[group.len() - 1]);
        let boards = match group.len() {
            1 => first.label.boards.clone(),
            _ => format!("{} to {}", first.label.boards, last.label.boards),
        };
        let metric = first.metric.as_deref().unwrap_or("nimbers");
        let bytes: u64 = group.iter().filter_map(|line| line.bytes).sum();
        let remark = match (&first.error, first.shadowed) {
            (Some(error), _) => shown(error),
            (None, true) => "shadowed by an earlier directory".to_string(),
            (None, false) => match first.label.rules {
                Some(rules) if rules != Rules::default().word() => format!("{rules} rules"),
                _ => String::new(),
            },
        };
        writeln!(
            out,
            "  {:<11} {boards:<11} {metric:<8} {:>3} {:<6} {:>10}  {remark}",
            first.label.game,
            grouped(group.len() as u128),
            if group.len() == 1 { "table" } else { "tables" },
            human_bytes(bytes),
        )?;
    }
    Ok(writeln!(out)?)
}
