//! `phutbase play`: a game at the terminal.

use super::options::turn_time;
use super::probe::MAX_LINE;
use super::{Effect, Verb, without_json};
use clap::Args;
use phutbase_ask::sources::Sources;
use phutbase_base::outcome::Side;
use phutbase_engine::game::GameHistory;
use phutbase_engine::limits::Go;
use phutbase_engine::options::Options;
use phutbase_engine::players::{PlayerKind, Players};
use phutbase_engine::position::turns;
use phutbase_rules::lines::next_line;
use phutbase_rules::{Phutball, Standing};
use phutbase_terminal::common::GlobalOptions;
use phutbase_terminal::options::word;
use phutbase_terminal::output::{CommandError, stdout};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

/// Occurrences of a position after which the program suggests a draw.
const REPETITIONS: usize = 3;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase play   the empty strip of 21 squares
  phutbase play \"o@o.o.o....\" --as second
  phutbase play \"3/3/2o/1o1/3/@2/3 A\" --player random")]
pub struct Arguments {
    /// Start position: a strip or a pitch [default: the empty strip of 21 squares]
    position: Option<Phutball>,
    /// Play as first (Left, or Alfred), second (Right, or Betty) or both
    #[arg(long = "as", value_name = "PLAYER", default_value = "first", value_parser = ["first", "second", "both"])]
    user: String,
    /// Choose the opponent: perfect, potential or random
    #[arg(long, value_name = "PLAYER", default_value = "perfect", value_parser = word::<PlayerKind>(PlayerKind::WORDS), hide_possible_values = true)]
    player: PlayerKind,
    /// Limit the opponent's search to this time per turn
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = turn_time)]
    movetime: Duration,
    /// Set the seed of a random opponent [default: 0]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

const HELP: &str = "Type a turn (o5, @8, @R; on a pitch b3, a2-c4), or:
  moves   list the legal turns     value   show who wins
  hint    suggest a turn           undo    take back your last turn
  board   show the board           quit    end the game";

impl Verb for Arguments {
    fn effects(&self, common: &GlobalOptions) -> Vec<Effect> {
        let is_random = self.player == PlayerKind::Random;
        vec![
            without_json(common),
            (self.seed.is_some() && !is_random, "seed", "'--player random'"),
        ]
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        let start = (self.position.clone()).unwrap_or_else(|| Options::default().startpos());
        let sources = Arc::new(Sources::new(common.tables()?, 0));
        let mut session = Session {
            game: GameHistory::new(start.clone()),
            start,
            players: Players::new(sources, self.seed.unwrap_or(0)),
            arguments: self,
            out: stdout(),
        };
        writeln!(session.out, "{HELP}")?;
        session.show()?;
        session.reply()?;
        session.prompt()?;
        let mut input = io::stdin().lock();
        let cannot_read = |error| CommandError::System(format!("cannot read: {error}"));
        while let Some(line) = next_line(&mut input, MAX_LINE).map_err(cannot_read)? {
            if !session.execute(String::from_utf8_lossy(&line).trim())? {
                break;
            }
        }
        Ok(session.out.flush()?)
    }
}

/// The game with its input, output and settings.
struct Session<'a> {
    game: GameHistory,
    start: Phutball,
    players: Players,
    arguments: &'a Arguments,
    out: io::BufWriter<io::StdoutLock<'static>>,
}

impl Session<'_> {
    /// Executes a line; returns false if it ends the game.
    fn execute(&mut self, line: &str) -> Result<bool, CommandError> {
        match line {
            "" => {}
            "quit" | "exit" => return Ok(false),
            "help" | "?" => writeln!(self.out, "{HELP}")?,
            "board" => self.show()?,
            "moves" => self.moves()?,
            "value" => self.value()?,
            "hint" => self.hint()?,
            "undo" => self.undo()?,
            _ if self.game.standing().winner().is_some() => self.over()?,
            turn => match self.game.play(turn) {
                Ok(()) => {
                    self.show()?;
                    self.reply()?;
                }
                Err(error) => writeln!(self.out, "{error}")?,
            },
        }
        self.prompt()?;
        Ok(true)
    }

    fn prompt(&mut self) -> Result<(), CommandError> {
        write!(self.out, "> ")?;
        Ok(self.out.flush()?)
    }

    fn name(&self, side: Side) -> &'static str {
        self.start.name_of(side)
    }

    fn is_mine(&self) -> bool {
        match self.arguments.user.as_str() {
            "first" => self.game.standing().side() == Side::Right,
            "second" => self.game.standing().side() == Side::Left,
            _ => false,
        }
    }

    fn show(&mut self) -> Result<(), CommandError> {
        let fen = self.game.standing().fen();
        let board = fen.rsplit_once(' ').map_or(fen.as_str(), |(board, _)| board);
        writeln!(self.out)?;
        match &self.start {
            Phutball::Pitch(pitch) => {
                let rows = pitch.shape().rows();
                for (row, line) in (1..=rows).rev().zip(board.split('/')) {
                    writeln!(self.out, "{row:>4} {}", spelled_out(line))?;
                }
                let letters = (0..pitch.shape().columns()).map(|column| char::from(b'a' + column as u8));
                writeln!(self.out, "     {}", letters.collect::<String>())?;
            }
            _ => {
                writeln!(self.out, "  {board}")?;
                let digits = (0..board.len()).map(|square| char::from(b'0' + (square % 10) as u8));
                writeln!(self.out, "  {}", digits.collect::<String>())?;
            }
        }
        let side = self.game.standing().side();
        match self.game.standing().winner() {
            Some(winner) => writeln!(self.out, "{} wins.", self.name(winner))?,
            None if self.game.is_repeated(REPETITIONS) => writeln!(
                self.out,
                "The position came up {REPETITIONS} times: call it a draw, or go on."
            )?,
            None => writeln!(self.out, "{} to move.", self.name(side))?,
        }
        Ok(())
    }

    /// Plays the program's turn, if it is to move.
    fn reply(&mut self) -> Result<(), CommandError> {
        if self.is_mine() {
            let go = Go::movetime(self.arguments.movetime);
            let choice = self.game.choice(&self.players, self.arguments.player, &go);
            if let Some(choice) = choice {
                let mover = self.name(self.game.standing().side());
                writeln!(self.out, "{mover} plays {}", choice.turn.notation)?;
                self.game.make(choice.turn);
                self.show()?;
            }
        }
        Ok(())
    }

    fn moves(&mut self) -> Result<(), CommandError> {
        let position = self.game.standing().open();
        let turns = position.map_or(Vec::new(), |position| turns(position, &|| false).into_turns());
        let names: Vec<&str> = turns.iter().map(|turn| turn.notation.as_str()).collect();
        Ok(writeln!(self.out, "{}", names.join(" "))?)
    }

    fn value(&mut self) -> Result<(), CommandError> {
        let Standing::Open(position) = self.game.standing() else {
            return self.over();
        };
        let mover = self.name(position.side());
        match self.players.verdict(position) {
            Ok(verdict) => writeln!(self.out, "{mover}, to move: {verdict}")?,
            Err(error) => writeln!(self.out, "{error}; 'hint' searches")?,
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<(), CommandError> {
        let go = Go::movetime(self.arguments.movetime);
        match self.game.choice(&self.players, PlayerKind::Perfect, &go) {
            Some(choice) => Ok(writeln!(self.out, "{}", choice.turn.notation)?),
            None => self.over(),
        }
    }

    fn over(&mut self) -> Result<(), CommandError> {
        Ok(writeln!(self.out, "the game is over; 'undo' takes turns back")?)
    }

    /// Takes back turns until the user is to move again.
    fn undo(&mut self) -> Result<(), CommandError> {
        if !self.game.undo() {
            return Ok(writeln!(self.out, "nothing to take back")?);
        }
        if self.is_mine() && !self.game.undo() {
            // The program made the first turn, and makes it again.
            self.show()?;
            return self.reply();
        }
        self.show()
    }
}

/// Returns a row of a pitch with its empty points as dots.
fn spelled_out(row: &str) -> String {
    let parts = row.split_inclusive(|symbol: char| !symbol.is_ascii_digit());
    let spelled = |part: &str| {
        let symbol = part.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
        let run = &part[..part.len() - symbol.len()];
        ".".repeat(run.parse().unwrap_or(0)) + symbol
    };
    parts.map(spelled).collect()
}
