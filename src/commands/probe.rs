//! `phutbase probe`: the value of a position and of each of its turns.

use super::options::{ByRules, Memory};
use super::output::{CommandError, json_line, stdout, tell};
use super::{Common, Verb, only_for, wins};
use crate::answer::batch::{Line, LineAnswer, answers};
use crate::answer::sources::Sources;
use crate::answer::{Answer, Move};
use crate::games::position::{MAX_TEXT, Phutball, Position};
use crate::games::rules::Rules;
use crate::outcome::Side;
use crate::solve::nimbers::NimberLimits;
use clap::Args;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write, stdin};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase probe \"o@o.o.o....\" --line              a strip, with best play to the end
  phutbase probe \"3/3/2o/1o1/3/@2/3 A\" --json      a pitch
  phutbase probe \"obstruction:1+2+3\"               boards of Obstruction side by side: 3 is a row of 3
  phutbase probe \"obstruction:torus:5x5\"           other shapes: regio, torus, cylinder, moebius, hex, 3x3x3
  phutbase probe \"obstruction:graph:0-1,1-2,x0\"    a graph with a mark; graph:FILE has edges, DIMACS .col or graph6
  phutbase probe \"obstruction:misere:4x4\"          who cannot move wins
  phutbase probe \"oddish:..o^o.\"                   Oddish Phutball
  phutbase probe \"3/@2/3\" --rules directional      Alfred jumps up only, Betty down, when there is a table
  phutbase probe \"5/5/1oo2/@1o1o/3o1 B\" --wins     the turns that win at once
  phutbase probe --batch positions.txt             one position per line in, one JSON object per line out")]
pub struct Arguments {
    /// The position; its notation says which game it is of
    #[arg(required_unless_present = "batch", conflicts_with = "batch", value_parser = Position::with_files)]
    position: Option<Position>,
    /// List the turns that win at once on a pitch of any size
    #[arg(long, conflicts_with_all = ["line", "batch"])]
    wins: bool,
    /// List at most K winning turns
    #[arg(long, value_name = "K", default_value_t = 10_000, requires = "wins")]
    limit: usize,
    /// Print a line to the end of the game as well: the best one, or where depths are unknown a winning one
    #[arg(long, conflicts_with = "batch")]
    line: bool,
    /// Read positions of any games from FILE (- for standard input), one per line, and print a JSON object for each; for a line that
    /// has no answer, one with its number and an error
    #[arg(long, value_name = "FILE")]
    batch: Option<String>,
    /// Memory for remembered regions of Obstruction; at the bound the smallest are forgotten, which costs time only
    #[arg(long, value_name = "GiB", default_value = "2")]
    memory: Memory,
    #[command(flatten)]
    by: ByRules,
}

/// Bytes that are read at once, whose lines are answered together.
const CHUNK: usize = 1 << 20;

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let rules = self.by.rules;
        let tables = common.tablebase(rules, common.places())?;
        let sources = Sources::new(tables, self.memory.0);
        match (&self.batch, &self.position) {
            (Some(file), _) => batch(&sources, file, rules),
            (None, Some(position)) => {
                if let (true, Position::Phutball(Phutball::Pitch(pitch))) = (self.wins, position) {
                    return wins::run(pitch, self.limit, common.json);
                }
                let phutball = matches!(position, Position::Phutball(_));
                only_for(&[
                    (self.wins, "wins", "pitches"),
                    (self.line && !phutball, "line", "strips and pitches"),
                    (
                        rules != Rules::Ordinary && !phutball,
                        "rules",
                        "strips and pitches",
                    ),
                ])?;
                let position = position.clone().under(rules);
                let position = position.map_err(CommandError::usage)?;
                single(&sources, &position, self.line, common.json)
            }
            (None, None) => Err(CommandError::usage("give a position, or --batch FILE")),
        }
    }
}

fn single(sources: &Sources, position: &Position, line: bool, json: bool) -> Result<(), CommandError> {
    let answer = sources.probe(position, line, NimberLimits::default())?;
    tell(stdout(), json, &answer, |out| {
        print(out, position, &answer)?;
        if answer.depth.is_none()
            && matches!(position, Position::Phutball(Phutball::Strip(_)))
            && answer.winner.is_some()
        {
            writeln!(
                out,
                "\nno table with depths holds so many squares: only the winner is known"
            )?;
        }
        Ok(())
    })
}

/// A player's name at the beginning of a sentence.
fn name(player: &str) -> String {
    match player {
        "first" => "The first player".to_string(),
        "second" => "The second player".to_string(),
        player => player[..1].to_uppercase() + &player[1..],
    }
}

fn print(out: &mut impl Write, position: &Position, answer: &Answer) -> io::Result<()> {
    let mover = name(answer.side);
    let (size, rules) = (position.size(), position.rules().remark());
    writeln!(out, "{position}   {mover} to move, {size}{rules}")?;
    let winner = answer.winner.map(name);
    match (winner, answer.depth) {
        (Some(winner), Some(1)) => writeln!(out, "{winner} wins in 1 ply")?,
        (Some(winner), Some(depth)) => writeln!(out, "{winner} wins in {depth} plies")?,
        (Some(winner), None) => writeln!(out, "{winner} wins")?,
        (None, _) => writeln!(out, "a draw")?,
    }
    if let (Some(nimber), Some(components)) = (answer.nimber, &answer.components) {
        writeln!(out, "nimber {nimber}")?;
        if components.len() > 1 {
            writeln!(out, "\nnimber  squares  component")?;
            for part in components {
                writeln!(out, "{:>6}  {:>7}  {}", part.nimber, part.squares, part.shape)?;
            }
        }
    }
    let moves = answer.moves.as_deref().unwrap_or_default();
    match position {
        Position::Obstruction(_) => print_winning(out, moves)?,
        _ => print_moves(out, moves, &mover)?,
    }
    if let Some(line) = answer.line.as_ref().filter(|line| !line.is_empty()) {
        let title = match (answer.winner.is_some(), answer.depth) {
            (false, _) => "best line, until a position comes back",
            (true, Some(_)) => "best line",
            (true, None) => "winning line",
        };
        print_line(out, position, line, title)?;
    }
    Ok(())
}

fn print_moves(out: &mut impl Write, moves: &[Move], mover: &str) -> io::Result<()> {
    let width = |text: fn(&Move) -> &str| moves.iter().map(|turn| text(turn).len()).max().unwrap_or(0);
    let (turns, boards) = (
        width(|turn| &turn.turn).max(5),
        width(|turn| &turn.position).max(5),
    );
    writeln!(
        out,
        "\n{:<turns$}  {:<boards$}  value for {mover}",
        "turn", "board"
    )?;
    for turn in moves {
        let depth = turn.depth.map_or(String::new(), |depth| format!(" in {depth}"));
        writeln!(
            out,
            "{:<turns$}  {:<boards$}  {}{depth}",
            turn.turn, turn.position, turn.value
        )?;
    }
    Ok(())
}

/// The winning turns in Obstruction, with what each leaves.
fn print_winning(out: &mut impl Write, moves: &[Move]) -> io::Result<()> {
    if moves.is_empty() {
        return writeln!(out, "\nno winning turn");
    }
    writeln!(out, "\nwinning turns:")?;
    for turn in moves {
        let board = turn
            .board
            .map_or(String::new(), |board| format!("board {board}, "));
        let Some(parts) = &turn.components else {
            writeln!(out, "{board}{} leaves {}", turn.turn, turn.position)?;
            continue;
        };
        let worths: Vec<String> = (parts.iter())
            .map(|part| format!("{} worth {}", part.shape, part.nimber))
            .collect();
        let left = match worths.is_empty() {
            true => "nothing to mark".to_string(),
            false => worths.join(", "),
        };
        writeln!(out, "{board}{} leaves {}: {left}", turn.turn, turn.position)?;
    }
    Ok(())
}

fn print_line(out: &mut impl Write, position: &Position, line: &[Move], title: &str) -> io::Result<()> {
    writeln!(out, "\n{title}:")?;
    let width = line.iter().map(|turn| turn.turn.len()).max().unwrap_or(0);
    let first = position.side();
    let movers: [Side; 2] = [first, first.opponent()];
    for (number, (turn, mover)) in (1..).zip(line.iter().zip(movers.into_iter().cycle())) {
        let mover = name(position.player(mover));
        writeln!(
            out,
            "{number:>3}. {mover:<6} {:<width$}  {}",
            turn.turn, turn.position
        )?;
    }
    Ok(())
}

/// Answers a file line by line: what has arrived is answered before more is waited for.
fn batch(sources: &Sources, file: &str, rules: Rules) -> Result<(), CommandError> {
    let (name, input): (&str, Box<dyn Read>) = match file {
        "-" => ("standard input", Box::new(stdin().lock())),
        file => {
            let open = File::open(file)
                .map_err(|error| CommandError::System(format!("{file}: cannot open it: {error}")))?;
            (file, Box::new(open))
        }
    };
    let mut reader = BufReader::with_capacity(CHUNK, input);
    let mut out = stdout();
    let (mut number, mut bad) = (0, 0);
    loop {
        let mut lines = Vec::new();
        let mut ended = false;
        // One line is waited for; those that came with it are taken too.
        while !ended && (lines.is_empty() || reader.buffer().contains(&b'\n')) {
            let read = next_line(&mut reader);
            number += 1;
            let unreadable = |error| CommandError::System(format!("{name}, line {number}: {error}"));
            let Some(text) = read.map_err(unreadable)? else {
                ended = true;
                continue;
            };
            lines.extend(Line::read(number, &text).map(|line| line.under(rules)));
        }
        let answers = answers(sources, &lines, NimberLimits::default(), &ToString::to_string);
        bad += (answers.iter())
            .filter(|answer| matches!(answer, LineAnswer::Bad(_)))
            .count();
        match print_lines(&mut out, &answers) {
            // Nobody wants the rest; what was wrong so far has still to be said.
            Err(CommandError::OutputClosed) => break,
            printed => printed?,
        }
        if ended {
            break;
        }
    }
    match bad {
        0 => Ok(()),
        1 => Err(CommandError::Failure(format!("{name}: one line has no answer"))),
        bad => Err(CommandError::Failure(format!(
            "{name}: {bad} lines have no answer"
        ))),
    }
}

fn print_lines(out: &mut impl Write, answers: &[LineAnswer]) -> Result<(), CommandError> {
    answers.iter().try_for_each(|answer| json_line(out, answer))?;
    Ok(out.flush()?)
}

/// The next line; of one that is too long for a position only so much that this is seen.
fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut text = Vec::new();
    let most = 2 * MAX_TEXT;
    let read = reader.by_ref().take(most as u64).read_until(b'\n', &mut text)?;
    if read == 0 {
        return Ok(None);
    }
    if read == most && !text.ends_with(b"\n") {
        reader.skip_until(b'\n')?;
    }
    Ok(Some(text))
}
