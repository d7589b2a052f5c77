//! `phutbase theory generalized`: the generalized potential against the strip, length by length.

use super::super::output::{CommandError, Count, grouped};
use super::{Asked, in_range, of_length, strips};
use crate::answer::BoardsLabel;
use crate::games::boards::Boards;
use crate::games::strip::{Strip, positions};
use crate::table::tablebase::Tablebase;
use crate::theory::exact::diagrams::{Diagrams, MAX_LENGTH};
use crate::theory::exact::trie::Tries;
use crate::theory::generalized::{Cause, CauseCount, Group, TurnKind, count_by_classes, mismatches};
use crate::theory::values::AllValues;
use crate::theory::watch::Watch;
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Maximum length whose mismatches are explained.
const MAX_CAUSES: usize = 22;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory generalized 3..16   mismatches and their causes
  phutbase theory generalized 3..40   only counts beyond 16
  phutbase theory generalized 9 --limit 10 --json")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "3..16")]
    boards: Boards,
    /// Show examples and the cause of every mismatch, up to length N
    #[arg(long, value_name = "N", default_value_t = 16)]
    causes_length: usize,
    /// Show at most K examples of each kind
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

#[derive(Serialize)]
struct GeneralizedRow {
    #[serde(flatten)]
    label: BoardsLabel,
    positions: Count,
    mismatches: Count,
    predicted_win_is_loss: Count,
    predicted_loss_is_win: Count,
    /// The first examples by ball square and pattern.
    predicted_win_examples: Vec<String>,
    predicted_loss_examples: Vec<String>,
    /// `null` if not searched for.
    causes: Option<Vec<CauseLine>>,
}

#[derive(Serialize)]
struct CauseLine {
    cause: String,
    /// The start of the mover's half and both potentials; `null` for inherited mismatches.
    own_begins: Option<String>,
    potentials: Option<(u8, u8)>,
    count: Count,
    example: String,
}

pub fn run(arguments: &Arguments, asked: Asked<'_>) -> Result<(), CommandError> {
    let lengths = strips("generalized", &arguments.boards, MAX_LENGTH)?;
    in_range("causes-length", arguments.causes_length, 0, MAX_CAUSES)?;
    let tables = asked.common.tables()?;
    let answer = |length, watch: Watch<'_>| {
        let mut line = counted(length, &tables)?;
        if length <= arguments.causes_length {
            let values = tables.ask_depths(length, |table| AllValues::of(&table.sets(length)?))?;
            explain(&mut line, &values, arguments.limit, watch)?;
        }
        Ok(line)
    };
    asked.each(lengths, of_length, answer, print)
}

fn counted(length: usize, tables: &Tablebase) -> Result<GeneralizedRow, CommandError> {
    let diagrams = tables.ask(length, |table| Diagrams::of(&table.sets(length)?))?;
    let counts = count_by_classes(&diagrams, &mut Tries::default())
        .map_err(|error| CommandError::Failure(format!("length {length}: {error}")))?;
    Ok(GeneralizedRow {
        label: BoardsLabel::strip(length),
        positions: Count(
            positions(length).expect("strips of up to 64 squares have fewer than 2^128 positions"),
        ),
        mismatches: Count(counts.false_wins + counts.false_losses),
        predicted_win_is_loss: Count(counts.false_wins),
        predicted_loss_is_win: Count(counts.false_losses),
        predicted_win_examples: Vec::new(),
        predicted_loss_examples: Vec::new(),
        causes: None,
    })
}

fn explain(
    line: &mut GeneralizedRow,
    values: &AllValues,
    show: usize,
    watch: Watch<'_>,
) -> Result<(), CommandError> {
    let found = mismatches(values, show, watch)?;
    let texts = |strips: &[Strip]| strips.iter().map(Strip::to_string).collect();
    line.predicted_win_examples = texts(&found.false_wins);
    line.predicted_loss_examples = texts(&found.false_losses);
    line.causes = Some(cause_lines(&found.causes));
    Ok(())
}

fn cause_lines(causes: &BTreeMap<Group, CauseCount>) -> Vec<CauseLine> {
    let line = |(group, found): (&Group, &CauseCount)| CauseLine {
        cause: named(group.cause),
        own_begins: group.root.map(|(start, _)| start.to_string()),
        potentials: group.root.map(|(_, potentials)| potentials),
        count: Count(found.count.into()),
        example: found.first.to_string(),
    };
    causes.iter().map(line).collect()
}

fn named(cause: Cause) -> String {
    let turn = |kind| match kind {
        TurnKind::OwnStone => "a stone on the own side",
        TurnKind::OtherStone => "a stone on the other side",
        TurnKind::Forward => "a jump forward",
        TurnKind::Backward => "a jump backward",
    };
    match cause {
        Cause::NoGain { zero: true } => {
            "predicted win: own potential 0, but no jump gains the lead".to_string()
        }
        Cause::NoGain { zero: false } => "predicted win: no turn gains the lead".to_string(),
        Cause::FarGain(kind) => format!("predicted loss: {} gains more than it should", turn(kind)),
        Cause::FalseHope(kind) => format!("predicted win: inherited, {} leads to a mismatch", turn(kind)),
        Cause::HiddenWin(kind) => format!("predicted loss: inherited, {} leads to a mismatch", turn(kind)),
    }
}

fn print(out: &mut dyn Write, line: &GeneralizedRow) -> io::Result<()> {
    writeln!(
        out,
        "length {:>2}: wrong on {} of {} positions ({} predicted wins are losses, {} predicted losses are wins)",
        line.label.boards,
        grouped(line.mismatches.0),
        grouped(line.positions.0),
        grouped(line.predicted_win_is_loss.0),
        grouped(line.predicted_loss_is_win.0),
    )?;
    let examples = [
        ("win", &line.predicted_win_examples),
        ("loss", &line.predicted_loss_examples),
    ];
    for (predicted, examples) in examples {
        if !examples.is_empty() {
            writeln!(out, "  predicted {predicted}: {}", examples.join("  "))?;
        }
    }
    for cause in line.causes.iter().flatten() {
        write!(out, "  {:>8}  {}", grouped(cause.count.0), cause.cause)?;
        if let (Some(start), Some((own, other))) = (&cause.own_begins, cause.potentials) {
            write!(out, "; own half {start}…, potentials {own} against {other}")?;
        }
        writeln!(out, "; first {}", cause.example)?;
    }
    Ok(())
}
