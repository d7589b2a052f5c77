//! `phutbase theory generalized`: the generalized potential against the strip, length by length.

use super::super::output::{CommandError, Count, grouped};
use super::{Asked, in_range, of_length, strips};
use clap::Args;
use phutbase::games::boards::Boards;
use phutbase::games::strip::{Strip, positions};
use phutbase::outcome::Side;
use phutbase::theory::exact::diagrams::{Diagrams, MAX_LENGTH};
use phutbase::theory::exact::trie::Tries;
use phutbase::theory::generalized::{
    Cause, CauseCount, Counts, Group, TurnKind, causes, count_by_classes, mismatches,
};
use phutbase::theory::planes::{Planes, Watch};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The longest strips that are enumerated.
const MAX_DENSE: usize = 32;
/// The longest strips whose mismatches are looked at one by one.
const MAX_CAUSES: usize = 22;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory generalized 3..16                          where it errs, and why
  phutbase theory generalized 3..40                          counted on decision diagrams past 22 squares
  phutbase theory generalized 9 --show 10 --json")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "3..16")]
    boards: Boards,
    /// Lengths up to N are enumerated, longer ones counted on diagrams
    #[arg(long, value_name = "N", default_value_t = 22)]
    dense_length: usize,
    /// Say why each mismatch is one, up to length N
    #[arg(long, value_name = "N", default_value_t = 16)]
    causes_length: usize,
    /// Show at most K examples of each kind (enumerated lengths only)
    #[arg(long, value_name = "K", default_value_t = 3)]
    show: usize,
}

#[derive(Serialize)]
struct Line {
    length: usize,
    positions: Count,
    mismatches: Count,
    predicted_win_is_loss: Count,
    predicted_loss_is_win: Count,
    engine: &'static str,
    /// The first by ball square and pattern.
    predicted_win_examples: Vec<String>,
    predicted_loss_examples: Vec<String>,
    /// `null` where they were not looked for.
    causes: Option<Vec<CauseLine>>,
}

#[derive(Serialize)]
struct CauseLine {
    cause: String,
    /// How the mover's half begins, and both potentials, the mover's first; `null` for inherited mismatches.
    own_begins: Option<String>,
    potentials: Option<(u8, u8)>,
    count: Count,
    example: String,
}

pub fn run(arguments: &Arguments, asked: Asked<'_>) -> Result<(), CommandError> {
    let lengths = strips("generalized", &arguments.boards, MAX_LENGTH)?;
    in_range("dense-length", arguments.dense_length, 0, MAX_DENSE)?;
    let most = MAX_CAUSES.min(arguments.dense_length);
    in_range("causes-length", arguments.causes_length, 0, most)?;
    let answer = |length, watch: Watch<'_>| match length <= arguments.dense_length {
        true => enumerated(length, arguments, watch),
        false => counted(length, watch),
    };
    asked.each(lengths, of_length, answer, print)
}

fn enumerated(length: usize, arguments: &Arguments, watch: Watch<'_>) -> Result<Line, CommandError> {
    let planes = Planes::strip(length, watch)?;
    let found = mismatches(&planes, arguments.show, watch)?;
    let causes = (length <= arguments.causes_length).then(|| causes(&planes, watch));
    let counts = Counts {
        false_wins: found.false_wins.into(),
        false_losses: found.false_losses.into(),
    };
    let strips = |places: &[(usize, u64)]| {
        let strip = |&(ball, pattern)| Strip::from_pattern(length, ball, u128::from(pattern), Side::Left);
        let strips = places.iter().filter_map(strip);
        strips.map(|strip| strip.to_string()).collect()
    };
    Ok(Line {
        predicted_win_examples: strips(&found.false_win_examples),
        predicted_loss_examples: strips(&found.false_loss_examples),
        causes: causes.transpose()?.map(|causes| cause_lines(&causes)),
        ..line(length, counts, "dense")
    })
}

/// The same without enumeration.
fn counted(length: usize, watch: Watch<'_>) -> Result<Line, CommandError> {
    let mut diagrams = Diagrams::solve(length, watch)?;
    let counts = count_by_classes(&mut diagrams, &mut Tries::default())
        .map_err(|error| CommandError::Failure(format!("length {length}: {error}")))?;
    Ok(line(length, counts, "symbolic"))
}

fn line(length: usize, counts: Counts, engine: &'static str) -> Line {
    Line {
        length,
        positions: Count(
            positions(length).expect("strips of up to 64 squares have fewer than 2^128 positions"),
        ),
        mismatches: Count(counts.false_wins + counts.false_losses),
        predicted_win_is_loss: Count(counts.false_wins),
        predicted_loss_is_win: Count(counts.false_losses),
        engine,
        predicted_win_examples: Vec::new(),
        predicted_loss_examples: Vec::new(),
        causes: None,
    }
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

fn print(out: &mut dyn Write, line: &Line) -> io::Result<()> {
    writeln!(
        out,
        "length {:>2}: wrong on {} of {} positions ({} predicted wins are losses, {} predicted losses are wins)",
        line.length,
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
