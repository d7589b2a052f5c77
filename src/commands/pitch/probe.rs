//! `phutbase probe` of a pitch: the value of a position and of each of its turns.

use super::super::Common;
use super::super::output::{CommandError, json_line, stdout};
use super::super::win_in_one::parse;
use phutbase::answer::pitch::PitchProbe;
use phutbase::games::pitch::{Pitch, side_name};
use phutbase::outcome::{Depth, Value};
use phutbase::table::pitch::{PitchTable, RatedPitchTurn};
use std::io::Write;

pub fn run(position: &str, line: bool, common: &Common) -> Result<(), CommandError> {
    let pitch = parse(position)?;
    let table = PitchTable::open(&common.tables, pitch.shape())?;
    let probe = PitchProbe::new(&table, &pitch, line)?;
    let mut out = stdout();
    if common.json {
        json_line(&mut out, &probe.answer())?;
    } else {
        print(&mut out, &pitch, probe.value, &probe.turns)?;
        if let Some(line) = probe.line.filter(|line| !line.is_empty()) {
            print_line(&mut out, &pitch, probe.value, &line)?;
        }
    }
    Ok(out.flush()?)
}

fn print(
    out: &mut impl Write,
    pitch: &Pitch,
    value: Value,
    turns: &[RatedPitchTurn],
) -> Result<(), CommandError> {
    let mover = pitch.side();
    writeln!(
        out,
        "{pitch}   {} to move, {} points",
        side_name(mover),
        pitch.shape()
    )?;
    let result = match (value.wdl().winner(mover), value.depth()) {
        (Some(winner), Some(Depth(1))) => format!("{} wins in 1 ply", side_name(winner)),
        (Some(winner), Some(depth)) => format!("{} wins in {depth} plies", side_name(winner)),
        _ => "a draw".to_string(),
    };
    writeln!(out, "{result}\n")?;
    let width = turns
        .iter()
        .map(|turn| turn.notation.len())
        .max()
        .unwrap_or(0)
        .max(4);
    writeln!(out, "{:<width$}  value for {}", "turn", side_name(mover))?;
    for turn in turns {
        writeln!(
            out,
            "{:<width$}  {:<12} {}",
            turn.notation,
            turn.value.to_string(),
            turn.after.notation(mover.opponent())
        )?;
    }
    Ok(())
}

fn print_line(
    out: &mut impl Write,
    pitch: &Pitch,
    value: Value,
    line: &[RatedPitchTurn],
) -> Result<(), CommandError> {
    match value {
        Value::Draw => writeln!(out, "\nbest line, until a position comes back:")?,
        _ => writeln!(out, "\nbest line:")?,
    }
    let width = line.iter().map(|turn| turn.notation.len()).max().unwrap_or(0);
    let movers = [pitch.side(), pitch.side().opponent()].into_iter().cycle();
    for (number, (turn, mover)) in (1..).zip(line.iter().zip(movers)) {
        let board = turn.after.notation(mover.opponent());
        writeln!(
            out,
            "{number:>3}. {:<6} {:<width$}  {board}",
            side_name(mover),
            turn.notation
        )?;
    }
    Ok(())
}
