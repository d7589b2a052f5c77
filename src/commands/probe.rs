//! `phutbase probe`: the value of a position and of each of its turns.

use super::Common;
use super::output::{CommandError, json_line, stdout};
use clap::Args;
use phutbase::answer::pitch::PitchAnswer;
use phutbase::answer::strip::{StripAnswer, StripProbe};
use phutbase::games::pitch::{ParsePitchError, Pitch};
use phutbase::games::strip::{ParseStripError, Strip};
use phutbase::outcome::{Depth, Side, Value};
use phutbase::table::directory::Tablebase;
use phutbase::table::error::TableError;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write, stdin};

#[derive(Args)]
pub struct Arguments {
    /// The position, such as "o@o.o.o...." or ".@.o..o.. R"; of a pitch, such as "3/3/2o/1o1/3/@2/3 A"
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    position: Option<String>,
    /// Print the best line to the end of the game as well
    #[arg(long, conflicts_with = "batch")]
    line: bool,
    /// Read positions from FILE (- for standard input), one per line, and print one JSON object for each
    #[arg(long, value_name = "FILE")]
    batch: Option<String>,
}

/// Positions of a batch that are looked up together.
const BATCH: usize = 1 << 20;

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    if let Some(pitch) = arguments.position.as_ref().filter(|text| text.contains('/')) {
        return super::pitch::probe::run(pitch, arguments.line, common);
    }
    let tablebase = Tablebase::open(&common.tables)?;
    match (&arguments.batch, &arguments.position) {
        (Some(file), _) => batch(&tablebase, file),
        (None, Some(position)) => single(&tablebase, position, arguments.line, common.json),
        (None, None) => Err(CommandError::Usage(
            "give a position, or --batch FILE".to_string(),
        )),
    }
}

fn parse(position: &str) -> Result<Strip, CommandError> {
    position
        .parse()
        .map_err(|error| CommandError::Usage(format!("position '{position}': {error}")))
}

fn single(tablebase: &Tablebase, position: &str, line: bool, json: bool) -> Result<(), CommandError> {
    let strip = parse(position)?;
    let probe = StripProbe::new(tablebase, &strip, line)?;
    let mut out = stdout();
    if json {
        json_line(&mut out, &probe.answer())?;
    } else {
        print(&mut out, &probe)?;
        if let Err(error) = tablebase.with_depths(strip.length()) {
            writeln!(out, "\nDepths are not available: {}", CommandError::from(error))?;
        }
    }
    Ok(out.flush()?)
}

fn print(out: &mut impl Write, probe: &StripProbe) -> Result<(), CommandError> {
    let StripProbe {
        strip,
        verdict,
        turns,
        line,
    } = probe;
    let mover = strip.side();
    writeln!(
        out,
        "{strip}   {} to move, {} squares",
        name(mover),
        strip.length()
    )?;
    let result = match (verdict.wdl.winner(mover), verdict.depth) {
        (Some(winner), Some(Depth(1))) => format!("{} wins in 1 ply", name(winner)),
        (Some(winner), Some(depth)) => format!("{} wins in {depth} plies", name(winner)),
        (Some(winner), None) => format!("{} wins", name(winner)),
        (None, _) => "a draw".to_string(),
    };
    writeln!(out, "{result}\n")?;
    let width = strip.length().max(5) + 2;
    writeln!(
        out,
        "{:<6} {:<width$}  value for {}",
        "turn",
        "board",
        name(mover)
    )?;
    for turn in turns {
        let board = turn.after.notation(mover.opponent());
        writeln!(
            out,
            "{:<6} {board:<width$}  {}",
            turn.turn.to_string(),
            turn.verdict
        )?;
    }
    if let Some(line) = line.as_ref().filter(|line| !line.is_empty()) {
        writeln!(out, "\nbest line:")?;
        let movers = [mover, mover.opponent()].into_iter().cycle();
        for (number, (turn, mover)) in (1..).zip(line.iter().zip(movers)) {
            let board = turn.after.notation(mover.opponent());
            writeln!(
                out,
                "{number:>3}. {:<5} {:<6} {board}",
                name(mover),
                turn.turn.to_string()
            )?;
        }
    }
    Ok(())
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Left => "Left",
        Side::Right => "Right",
    }
}

fn batch(tablebase: &Tablebase, file: &str) -> Result<(), CommandError> {
    let (name, reader): (&str, Box<dyn BufRead>) = if file == "-" {
        ("standard input", Box::new(stdin().lock()))
    } else {
        let open = File::open(file)
            .map_err(|error| CommandError::Failure(format!("{file}: cannot open it: {error}")))?;
        (file, Box::new(BufReader::new(open)))
    };
    let mut out = stdout();
    let mut positions: Vec<Position> = Vec::new();
    for (number, line) in (1..).zip(reader.lines()) {
        let line = line.map_err(|error| unreadable(name, number, &error))?;
        if line.trim().is_empty() {
            continue;
        }
        let position = Position::parse(&line)
            .map_err(|error| CommandError::Usage(format!("{name}, line {number}: {error}")))?;
        positions.push(position);
        if positions.len() == BATCH {
            answer_all(tablebase, &positions, &mut out)?;
            positions.clear();
        }
    }
    answer_all(tablebase, &positions, &mut out)?;
    Ok(out.flush()?)
}

/// A position of either game.
enum Position {
    Strip(Strip),
    Pitch(Pitch),
}

impl Position {
    /// Reads a line; one with a `/` is a pitch.
    fn parse(line: &str) -> Result<Position, String> {
        match line.contains('/') {
            true => (line.parse().map(Position::Pitch)).map_err(|error: ParsePitchError| error.to_string()),
            false => (line.parse().map(Position::Strip)).map_err(|error: ParseStripError| error.to_string()),
        }
    }
}

/// The error of a line that is no text, or that the system does not give out.
fn unreadable(name: &str, number: u64, error: &io::Error) -> CommandError {
    let message = format!("{name}, line {number}: {error}");
    match error.kind() {
        io::ErrorKind::InvalidData => CommandError::Usage(message),
        _ => CommandError::Failure(message),
    }
}

/// Answers the positions gathered so far, in their order.
fn answer_all(
    tablebase: &Tablebase,
    positions: &[Position],
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let (mut strips, mut on_pitches) = (Vec::new(), Vec::new());
    for position in positions {
        match position {
            Position::Strip(strip) => strips.push(*strip),
            Position::Pitch(pitch) => on_pitches.push(*pitch),
        }
    }
    // All are looked up before any is written.
    let values: Vec<Value> = (on_pitches.iter())
        .map(|pitch| tablebase.pitch(pitch.shape())?.value(pitch))
        .collect::<Result<_, TableError>>()?;
    let mut verdicts = tablebase.verdicts(&strips)?.into_iter();
    let mut values = values.into_iter();
    for position in positions {
        match position {
            Position::Strip(strip) => {
                (verdicts.next()).map_or(Ok(()), |verdict| {
                    json_line(out, &StripAnswer::new(strip, verdict))
                })?;
            }
            Position::Pitch(pitch) => {
                (values.next()).map_or(Ok(()), |value| json_line(out, &PitchAnswer::new(pitch, value)))?;
            }
        }
    }
    Ok(())
}
