//! `phutbase probe` of a pitch: the value of a position and of each of its turns.

use super::super::Common;
use super::super::output::{CommandError, json_line, stdout};
use super::super::win_in_one::parse;
use super::json_side;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use phutbase::games::pitch::{Pitch, Shape, side_name};
use phutbase::outcome::{Depth, Side, Value};
use phutbase::table::pitch::{PitchTable, RatedPitchTurn};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What a probe says, as JSON.
#[derive(Serialize)]
pub struct Answer {
    position: String,
    rows: usize,
    columns: usize,
    side: String,
    value: String,
    depth: Option<u16>,
    winner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<Turn>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<Turn>>,
}

#[derive(Serialize)]
struct Turn {
    #[serde(rename = "move")]
    turn: String,
    position: String,
    value: String,
    depth: Option<u16>,
}

pub fn run(position: &str, line: bool, common: &Common) -> Result<(), CommandError> {
    let pitch = parse(position)?;
    let table = PitchTable::open(&common.tables, pitch.shape())?;
    let value = table.value(&pitch)?;
    let turns = table.rated_turns(&pitch)?;
    let line = if line {
        Some(table.best_line(&pitch)?)
    } else {
        None
    };
    let mut out = stdout();
    if common.json {
        let answer = Answer {
            moves: Some(json_turns(&turns, [pitch.side(); 2])),
            line: line.map(|line| json_turns(&line, [pitch.side(), pitch.side().opponent()])),
            ..answer(&pitch, value)
        };
        json_line(&mut out, &answer)?;
    } else {
        print(&mut out, &pitch, value, &turns)?;
        if let Some(line) = line.filter(|line| !line.is_empty()) {
            print_line(&mut out, &pitch, value, &line)?;
        }
    }
    Ok(out.flush()?)
}

/// The answer without turns.
pub fn answer(pitch: &Pitch, value: Value) -> Answer {
    Answer {
        position: pitch.to_string(),
        rows: pitch.shape().rows(),
        columns: pitch.shape().columns(),
        side: json_side(pitch.side()),
        value: value.wdl().to_string(),
        depth: value.depth().map(|depth| depth.0),
        winner: value.wdl().winner(pitch.side()).map(json_side),
        moves: None,
        line: None,
    }
}

/// Looks up pitches of many shapes, each table opened once.
pub struct PitchBatch {
    directory: PathBuf,
    tables: HashMap<Shape, PitchTable>,
}

impl PitchBatch {
    /// Tables in a directory, opened when they are asked for.
    pub fn new(directory: &Path) -> PitchBatch {
        PitchBatch {
            directory: directory.to_path_buf(),
            tables: HashMap::new(),
        }
    }

    /// The values of positions, in their order.
    pub fn values(&mut self, pitches: &[Pitch]) -> Result<Vec<Value>, CommandError> {
        let mut values = Vec::new();
        for pitch in pitches {
            let table = match self.tables.entry(pitch.shape()) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(PitchTable::open(&self.directory, pitch.shape())?),
            };
            values.push(table.value(pitch)?);
        }
        Ok(values)
    }
}

/// Turns whose movers alternate between two players.
fn json_turns(turns: &[RatedPitchTurn], movers: [Side; 2]) -> Vec<Turn> {
    let movers = movers.into_iter().cycle();
    (turns.iter().zip(movers))
        .map(|(rated, mover)| Turn {
            turn: rated.notation.clone(),
            position: rated.after.notation(mover.opponent()),
            value: rated.value.wdl().to_string(),
            depth: rated.value.depth().map(|depth| depth.0),
        })
        .collect()
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
