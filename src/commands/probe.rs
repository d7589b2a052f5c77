//! `phutbase probe`: the value of a position and of each of its turns.

use super::explain::Explanation;
use super::{Effect, Verb, wins};
use clap::Args;
use phutbase_ask::batch::{self, BatchLine, LineAnswer};
use phutbase_ask::sources::Sources;
use phutbase_ask::strip::{HalfWorth, MAX_LISTED, MAX_SHOWN, ValueSource};
use phutbase_ask::{Answer, Move};
use phutbase_base::disk::read_text;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::outcome::{Side, Wdl};
use phutbase_rules::Rules;
use phutbase_rules::lines::next_line;
use phutbase_rules::obstruction::{Board, Form, Grid, Sum, Term};
use phutbase_rules::position::{MAX_TEXT, Phutball, Position};
use phutbase_rules::strip::LONGEST;
use phutbase_terminal::{
    ByRules, CommandError, GlobalOptions, json_line, memory_size, print_result, stdout, time,
};
use std::fs::File;
use std::io::{self, BufReader, Read, Write, stdin};
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase probe \"o@o.o.o....\" --line                with best play to the end
  phutbase probe \"o@o.o.o....\" --explain             why, square by square
  phutbase probe \"o@o.o.o....\" --rules directional
  phutbase probe \"3/3/2o/1o1/3/@2/3 A\" --json        a pitch
  phutbase probe \"5/5/1oo2/@1o1o/3o1 B\" --wins       turns that win at once
  phutbase probe \"obstruction:1+2+3\"                 a sum; 3 is a row of 3
  phutbase probe \"obstruction:torus:5x5\"             also regio, hex, 3x3x3 ...
  phutbase probe \"obstruction:graph:0-1,1-2,x0\"      graph:FILE reads a file
  phutbase probe \"obstruction:misere:4x4\"            misère play
  phutbase probe \"oddish:..o^o.\"                     Oddish Phutball
  phutbase probe --batch positions.txt               one JSON object per line
  phutbase probe --batch pitches.txt --wins

Shapes of Obstruction: RxC, RxCxL (boxes), and regio:, torus:, cylinder:,
moebius: or hex: before RxC or rows. graph:FILE reads a list of edges, DIMACS
.col or graph6.")]
pub struct Arguments {
    /// Position; its notation selects the game
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    position: Option<String>,
    /// List the turns that win at once on a pitch of any size
    #[arg(long, conflicts_with = "line")]
    wins: bool,
    /// List at most K winning turns
    #[arg(long, value_name = "K", default_value_t = 10_000, requires = "wins")]
    limit: usize,
    /// Also print the best line, or without depths a winning line
    #[arg(long, conflicts_with = "batch")]
    line: bool,
    /// Read positions from FILE, one per line (- for standard input); print a JSON object for each,
    /// with the line number and an error if it has no answer
    #[arg(long, value_name = "FILE")]
    batch: Option<String>,
    /// Limit the memory for solved regions of Obstruction; eviction costs only time [default: 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,
    /// Also read both halves of a strip letter by letter, as the rule for any length does
    #[arg(long, conflicts_with_all = ["batch", "wins"])]
    explain: bool,
    /// Search at most this long for each board of Obstruction, as 500ms or 5min [default: no limit],
    /// or each pitch with --wins [default: 5min]
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
    #[command(flatten)]
    by: ByRules,
}

/// Bytes for solved regions of Obstruction.
const MEMORY: u64 = 2 << 30;

/// More bytes than a position has: a symbol has at most three; the letter and blanks follow.
pub const MAX_LINE: usize = 3 * LONGEST + MAX_TEXT;

/// Bytes read at once; their lines are answered together.
const CHUNK: usize = 1 << 20;

impl Verb for Arguments {
    fn effects(&self, _: &GlobalOptions) -> Vec<Effect> {
        // A graph in a file is not read: it may be a pipe, which can be read only once.
        let position = |text| Position::with_files(text, Rules::Ordinary, |_, _| Ok("0-1".to_string()));
        let [strip, pitch, obstruction] = match self.position.as_deref().map(position) {
            Some(Ok(Position::Phutball(Phutball::Strip(_)))) => [true, false, false],
            Some(Ok(Position::Phutball(Phutball::Pitch(_)))) => [false, true, false],
            Some(Ok(Position::Obstruction(_))) => [false, false, true],
            Some(Ok(Position::Oddish(_))) => [false; 3],
            // A batch can have all of them, with '--wins' only pitches.
            None => [!self.wins, true, !self.wins],
            // The answer says what is wrong.
            Some(Err(_)) => return Vec::new(),
        };
        let is_directional = self.by.rules == Rules::Directional;
        let searched = "boards of Obstruction";
        vec![
            (self.wins && !pitch, "wins", "pitches"),
            (self.line && !(strip || pitch), "line", "strips and pitches"),
            (self.memory.is_some() && !obstruction, "memory", searched),
            (
                self.explain && (!strip || is_directional),
                "explain",
                "strips of the ordinary game",
            ),
            (
                self.time.is_some() && !obstruction && !self.wins,
                "time",
                "boards of Obstruction, and with '--wins'",
            ),
            (is_directional && !(strip || pitch), "rules", "strips and pitches"),
        ]
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        let rules = self.by.rules;
        let tables = common.tablebase(rules)?;
        let sources = Sources::new(tables, self.memory.unwrap_or(MEMORY));
        match (&self.batch, &self.position) {
            (Some(file), _) => batch(self, &sources, file),
            (None, Some(text)) => {
                let position = Position::with_files(text, rules, read_text)
                    .map_err(|error| CommandError::bad_position(text, &error))?;
                if let (true, Position::Phutball(Phutball::Pitch(pitch))) = (self.wins, &position) {
                    return wins::run(pitch, self.limit, self.time, common.json);
                }
                single(&sources, &position, self, common.json)
            }
            (None, None) => Err(CommandError::usage("give a position, or --batch FILE")),
        }
    }
}

fn single(
    sources: &Sources,
    position: &Position,
    arguments: &Arguments,
    json: bool,
) -> Result<(), CommandError> {
    let answer = sources.probe(position, arguments.line, &Job::default().within(arguments.time))?;
    let explanation = match position {
        Position::Phutball(Phutball::Strip(strip)) if arguments.explain => Some(Explanation::of(strip)?),
        _ => None,
    };
    let explained = explanation
        .as_ref()
        .map(|found| object! { explanation: found.object() });
    let object = object! {
        #[serde(flatten)]
        answer: &answer,
        #[serde(flatten)]
        explained: explained,
    };
    print_result(json, &object, |out| {
        print(out, position, &answer)?;
        explanation
            .as_ref()
            .map_or(Ok(()), |explanation| explanation.print(out))
    })
}

/// A player's name for the start of a sentence.
fn name(player: &str) -> String {
    match player {
        "first" => "The first player".to_string(),
        "second" => "The second player".to_string(),
        player => player[..1].to_uppercase() + &player[1..],
    }
}

fn print(out: &mut dyn Write, position: &Position, answer: &Answer) -> io::Result<()> {
    let mover = name(answer.side);
    let (size, rules) = (position.size(), position.rules().remark());
    writeln!(out, "{position}   {mover} to move, {size}{rules}")?;
    match (answer.winner.map(name), answer.depth) {
        (Some(winner), Some(1)) => writeln!(out, "{winner} wins in 1 ply")?,
        (Some(winner), Some(depth)) => writeln!(out, "{winner} wins in {depth} plies")?,
        (Some(winner), None) => writeln!(out, "{winner} wins")?,
        (None, _) => writeln!(out, "a draw")?,
    }
    match position {
        Position::Obstruction(sum) => print_obstruction(out, sum, answer)?,
        _ => print_strip(out, answer)?,
    }
    if let Some(turns) = &answer.turns {
        print_turns(out, turns, &mover)?;
    }
    match answer.line.as_deref() {
        None => {}
        Some([]) => writeln!(out, "\nno line: lines are shown on at most {MAX_SHOWN} squares")?,
        Some(line) => {
            let title = match (answer.winner.is_some(), answer.depth) {
                (false, _) => "best line, until a position comes back",
                (true, Some(_)) => "best line",
                (true, None) => "winning line",
            };
            print_line(out, position, line, title)?;
        }
    }
    Ok(())
}

/// Prints why a strip has its value, and what takes the place of a list of turns; nothing of other games.
fn print_strip(out: &mut dyn Write, strip: &Answer) -> io::Result<()> {
    match strip.backward_turns {
        None => {}
        Some(0) => writeln!(out, "the winner needs no backward turn")?,
        Some(1) => writeln!(out, "the winner needs 1 backward turn")?,
        Some(turns) => writeln!(out, "the winner needs {turns} backward turns")?,
    }
    if let Some(reason) = &strip.reason {
        if reason.by == ValueSource::Solution.word() {
            writeln!(out, "by the rule for strips of any length:")?;
        }
        for (name, half) in [("left", &reason.left), ("right", &reason.right)] {
            let HalfWorth { potential, kind, .. } = half;
            let word = shortened(&half.word);
            writeln!(
                out,
                "  {name:<5} half  potential {potential}, type {kind}, worth the same as {word}"
            )?;
        }
    }
    if let Some([left, right]) = strip.potentials {
        writeln!(
            out,
            "potential of the left half {left}, of the right half {right}"
        )?;
    }
    match (&strip.turn, strip.turn_counts) {
        (None, _) => Ok(()),
        (Some(turn), None) => writeln!(out, "a turn that keeps the win: {turn}"),
        (Some(turn), Some(counts)) => writeln!(
            out,
            "a best turn: {turn}\nwinning turns: {}, losing turns: {} (they are listed on at most {MAX_LISTED} squares)",
            counts.winning, counts.losing
        ),
    }
}

/// A word, the middle of a long one left out.
fn shortened(word: &str) -> String {
    match word.len() {
        0 => "no square".to_string(),
        length if length <= 60 => format!("'{word}'"),
        length => format!("'{}' … '{}', {length} squares", &word[..20], &word[length - 20..]),
    }
}

/// Prints the nimbers of a sum, and its winning turns if they are listed.
fn print_obstruction(out: &mut dyn Write, sum: &Sum, found: &Answer) -> io::Result<()> {
    if let (Some(nimber), Some(components)) = (found.nimber, &found.components) {
        writeln!(out, "nimber {nimber}")?;
        if components.len() > 1 {
            writeln!(out, "\nnimber  squares  component")?;
            for part in components {
                writeln!(out, "{:>6}  {:>7}  {}", part.nimber, part.squares, part.shape)?;
            }
        }
    }
    match &found.winning_turns {
        Some(winning) => print_winning(out, sum, winning),
        None => Ok(()),
    }
}

fn print_turns(out: &mut dyn Write, turns: &[Move], mover: &str) -> io::Result<()> {
    let width = |text: fn(&Move) -> &str| turns.iter().map(|turn| text(turn).len()).max().unwrap_or(0);
    let (named, boards) = (
        width(|turn| &turn.turn).max(5),
        width(|turn| &turn.position).max(5),
    );
    writeln!(
        out,
        "\n{:<named$}  {:<boards$}  value for {mover}",
        "turn", "board"
    )?;
    for turn in turns {
        let depth = turn.depth.map_or(String::new(), |depth| format!(" in {depth}"));
        let value = turn.value.map_or("", Wdl::word);
        writeln!(
            out,
            "{:<named$}  {:<boards$}  {value}{depth}",
            turn.turn, turn.position
        )?;
    }
    Ok(())
}

/// Prints the boards of a sum with the winning squares marked, or the names of the turns.
fn print_winning(out: &mut dyn Write, sum: &Sum, marks: &[Move]) -> io::Result<()> {
    let boards = sum.terms.len();
    let mut is_drawn = false;
    for (number, term) in (1..).zip(&sum.terms) {
        let turns: Vec<&str> = (marks.iter())
            .filter(|mark| mark.board.unwrap_or(1) == number)
            .map(|mark| &mark.turn[..])
            .collect();
        writeln!(out)?;
        if boards > 1 {
            writeln!(out, "board {number}:")?;
        }
        let Some(drawn) = drawn(term, &turns) else {
            let turns = if turns.is_empty() {
                "none".to_string()
            } else {
                turns.join(" ")
            };
            writeln!(out, "winning turns: {turns}")?;
            continue;
        };
        is_drawn = true;
        drawn.iter().try_for_each(|row| writeln!(out, "  {row}"))?;
    }
    match marks.len() {
        0 => writeln!(out, "\nno winning turn"),
        count if is_drawn => writeln!(out, "\n{count} winning turns, marked '*'"),
        count => writeln!(out, "\n{count} winning turns"),
    }
}

/// Draws a board, with a line between layers: 'x' a mark, '*' a winning square, '.' another free
/// square, '#' a square next to a mark.
fn drawn(term: &Term, winning: &[&str]) -> Option<Vec<String>> {
    let row;
    let board = match term {
        Term::Board(board) => board,
        Term::Row(length) => {
            row = Board::from(Grid::of_sides(Form::Rectangle, [1, 1, *length])?);
            &row
        }
    };
    let [layers, rows, columns] = board.grid()?.sides();
    let symbol = |vertex: usize| match 1u128 << vertex {
        bit if board.marks() & bit != 0 => 'x',
        bit if board.free() & bit == 0 => '#',
        _ if winning.contains(&&board.place(vertex).to_string()[..]) => '*',
        _ => '.',
    };
    let row = |row: usize| {
        (0..columns)
            .map(|column| symbol(row * columns + column))
            .collect()
    };
    let layer = |layer: usize| {
        let gap = (layer > 0).then(String::new);
        gap.into_iter().chain((layer * rows..(layer + 1) * rows).map(row))
    };
    Some((0..layers).flat_map(layer).collect())
}

fn print_line(out: &mut dyn Write, position: &Position, line: &[Move], title: &str) -> io::Result<()> {
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

/// Answers a file line by line; complete lines are answered before the next read.
fn batch(arguments: &Arguments, sources: &Sources, file: &str) -> Result<(), CommandError> {
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
        // Wait for one line, then take all complete lines in the buffer; a search for wins may take
        // long, so one line.
        while !ended && (lines.is_empty() || !arguments.wins && reader.buffer().contains(&b'\n')) {
            let read = next_line(&mut reader, MAX_LINE);
            number += 1;
            let unreadable = |error| CommandError::System(format!("{name}, line {number}: {error}"));
            let Some(text) = read.map_err(unreadable)? else {
                ended = true;
                continue;
            };
            lines.extend(BatchLine::read(number, &text, arguments.by.rules));
        }
        let answers = if arguments.wins {
            batch::wins(&lines, |pitch| {
                wins::find(pitch, arguments.limit, arguments.time).map_err(|error| error.to_string())
            })
        } else {
            batch::answers(sources, &lines, arguments.time, &ToString::to_string)
        };
        bad += (answers.iter())
            .filter(|answer| matches!(answer, LineAnswer::Bad { .. }))
            .count();
        let mut printed = answers.iter().try_for_each(|answer| json_line(&mut out, answer));
        printed = printed.and_then(|()| Ok(out.flush()?));
        match printed {
            // The errors so far must still be reported.
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
