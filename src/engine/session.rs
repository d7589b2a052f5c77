//! One conversation in the Universal Game Interface: an engine's side of it.
//!
//! Commands are answered at once, also while a search goes on in a thread of its own. What is wrong with a command is said in an
//! `info string error …`, and nothing is changed. A position that comes up the third time (option `repetitions`) ends
//! the game as a draw: play that goes round for ever is one, and a match must end.

use super::budget::{Budget, Go, Stop};
use super::game::{Game, PlayError};
use super::options::Options;
use super::players::{Kind, Players, tables::NoAnswer};
use super::protocol::{Command, ProtocolError, Question, Start, parse};
use crate::games::position::Phutball;
use crate::outcome::Side;
use crate::table::tablebase::Tablebase;
use std::io::{self, BufRead, Read, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// The longest line that is read whole; what is longer is refused.
const LONGEST_LINE: u64 = 1 << 20;

/// Where answers go, shared with the search.
type Out = Arc<Mutex<Box<dyn Write + Send>>>;

/// The state of a conversation.
pub struct Session {
    out: Out,
    options: Options,
    /// The tables, whether they may be asked or not.
    tables: Arc<Tablebase>,
    players: Arc<Players>,
    game: Game,
    /// Whether a `position` has been set since the last new game.
    placed: bool,
    /// What was said last of where the turns of this game come from.
    told: String,
    search: Option<Running>,
}

/// A search in its thread.
struct Running {
    stop: Stop,
    thread: JoinHandle<io::Result<()>>,
}

/// Holds a conversation until `quit` or the end of the input. A search that goes on then is stopped.
///
/// # Errors
/// What goes wrong with reading or writing.
pub fn converse(
    mut input: impl BufRead,
    out: Box<dyn Write + Send>,
    tables: Arc<Tablebase>,
    options: Options,
) -> io::Result<()> {
    let mut session = Session::new(out, tables, options);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read == 0 {
            break;
        }
        if read as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            session.error(&"a line that long is not a command")?;
            input.skip_until(b'\n')?;
            continue;
        }
        if session.handle(&String::from_utf8_lossy(&line))?.is_break() {
            break;
        }
    }
    session.end_search()
}

impl Session {
    /// A conversation that has not begun.
    pub fn new(out: Box<dyn Write + Send>, tables: Arc<Tablebase>, options: Options) -> Session {
        Session {
            out: Arc::new(Mutex::new(out)),
            game: Game::new(options.startpos()),
            players: Arc::new(players(&options, &tables)),
            options,
            tables,
            placed: false,
            told: String::new(),
            search: None,
        }
    }

    /// Answers one line; breaks off if it ends the conversation.
    ///
    /// # Errors
    /// If the answer cannot be written.
    pub fn handle(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        match parse(line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => {
                self.end_search()?;
                return Ok(ControlFlow::Break(()));
            }
            Ok(Some(command)) => self.obey(command)?,
            Err(error) => {
                self.error(&error)?;
                // Whoever asks waits for an answer.
                if matches!(error, ProtocolError::Question(_)) {
                    self.say(&"response unknown")?;
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Ugi => self.introduce(),
            Command::IsReady => self.say(&"readyok"),
            Command::NewGame => {
                self.end_search()?;
                self.players.forget(self.options.hash);
                self.game = Game::new(self.options.startpos());
                self.placed = false;
                self.told.clear();
                Ok(())
            }
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position { start, moves } => match self.played(&start, &moves) {
                Ok(game) => {
                    self.game = game;
                    self.placed = true;
                    Ok(())
                }
                Err(error) => self.error(&error),
            },
            Command::Go(go, errors) => {
                errors.iter().try_for_each(|error| self.error(error))?;
                self.go(&go)
            }
            Command::Stop => self.end_search(),
            Command::Query(question) => self.respond(question),
            Command::Quit => Ok(()),
        }
    }

    fn say(&self, line: &dyn std::fmt::Display) -> io::Result<()> {
        say(&self.out, line)
    }

    fn error(&self, error: &dyn std::fmt::Display) -> io::Result<()> {
        // What is quoted may hold control characters.
        let text: String = error.to_string().chars().filter(|c| !c.is_control()).collect();
        self.say(&format_args!("info string error {text}"))
    }

    fn introduce(&self) -> io::Result<()> {
        self.say(&concat!("id name phutbase ", env!("CARGO_PKG_VERSION")))?;
        self.say(&"id author phutbase")?;
        self.options.lines().iter().try_for_each(|line| self.say(line))?;
        self.say(&"ugiok")
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let before = self.options.clone();
        if let Err(error) = self.options.set(name, value) {
            return self.error(&error);
        }
        if before.tables != self.options.tables {
            self.end_search()?;
            self.players = Arc::new(players(&self.options, &self.tables));
        }
        if before.seed != self.options.seed {
            self.players.reseed(self.options.seed);
        }
        if before.hash != self.options.hash {
            self.end_search()?;
            self.players.forget(self.options.hash);
        }
        if !self.placed {
            self.game = Game::new(self.options.startpos());
        }
        Ok(())
    }

    /// The game that a `position` command tells.
    fn played(&self, start: &Start, moves: &[String]) -> Result<Game, String> {
        let start = match start {
            Start::Startpos => self.options.startpos(),
            Start::Fen(fen) => fen.parse().map_err(|error| format!("'{fen}': {error}"))?,
        };
        let mut game = Game::new(start);
        for turn in moves {
            game.play(turn).map_err(|error| match error {
                PlayError::Over => {
                    format!(
                        "the game is over in '{}': no turn '{turn}'",
                        game.standing().fen()
                    )
                }
                error => error.to_string(),
            })?;
        }
        Ok(game)
    }

    fn is_drawn(&self) -> bool {
        self.game.times() >= self.options.repetitions && self.game.standing().winner().is_none()
    }

    fn respond(&self, question: Question) -> io::Result<()> {
        let standing = self.game.standing();
        let answer = match question {
            Question::GameOver => (standing.winner().is_some() || self.is_drawn()).to_string(),
            Question::FirstPlayersTurn => (standing.side() == Side::Left).to_string(),
            Question::Result => match standing.winner() {
                Some(Side::Left) => "p1win".to_string(),
                Some(Side::Right) => "p2win".to_string(),
                None if self.is_drawn() => "draw".to_string(),
                None => "none".to_string(),
            },
            Question::Fen => standing.fen(),
        };
        self.say(&format_args!("response {answer}"))
    }

    /// Begins to search. A game that is over has no turn; whoever asks for one must not wait for ever.
    fn go(&mut self, go: &Go) -> io::Result<()> {
        self.end_search()?;
        let Some(position) = self.game.standing().open().copied() else {
            self.error(&"the game is over: there is not a turn to choose")?;
            return self.say(&"bestmove 0000");
        };
        let stop = Stop::default();
        let budget = Budget::new(go, position.side() as usize, stop.clone());
        let (out, players, kind) = (self.out.clone(), self.players.clone(), self.options.player);
        if kind == Kind::Perfect {
            let source = source(&players, &position);
            if source != self.told {
                self.say(&format_args!("info string {source}"))?;
                self.told = source;
            }
        }
        let hold = go.infinite.then(|| stop.clone());
        let thread = std::thread::spawn(move || {
            let mut told = Ok(());
            let mut report = |info: &super::search::Info| told = say(&out, info);
            let choice = players.choose(kind, &position, &budget, &mut report);
            told?;
            if let Some(trouble) = choice.as_ref().and_then(|choice| choice.trouble.as_ref()) {
                say(&out, &format_args!("info string error {trouble}"))?;
            }
            if let Some(stop) = hold {
                stop.wait();
            }
            let turn = choice.map_or("0000".to_string(), |choice| choice.turn.notation);
            say(&out, &format_args!("bestmove {turn}"))
        });
        self.search = Some(Running { stop, thread });
        Ok(())
    }

    /// Stops the search, if one goes on, and waits until it has said its turn.
    fn end_search(&mut self) -> io::Result<()> {
        let Some(search) = self.search.take() else {
            return Ok(());
        };
        search.stop.set();
        search
            .thread
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the search broke off")))
    }
}

/// The players that the options ask for.
fn players(options: &Options, tables: &Arc<Tablebase>) -> Players {
    let tables = match options.tables {
        true => tables.clone(),
        false => Arc::new(Tablebase::empty()),
    };
    let players = Players::new(tables, options.seed);
    players.forget(options.hash);
    players
}

/// Where the turns of a position come from, in words.
fn source(players: &Players, position: &Phutball) -> String {
    match players.source(position) {
        Ok(file) => format!("turns come from the table {}", file.display()),
        Err(NoAnswer::OutOfReach) => {
            "no table reaches this position, so turns are searched for: what is not called won or lost is a guess"
                .to_string()
        }
        Err(NoAnswer::Broken(error)) => format!("turns are searched for: {error}"),
    }
}

/// Writes one line, at once.
fn say(out: &Out, line: &dyn std::fmt::Display) -> io::Result<()> {
    let mut out = out.lock().expect("no line is so bad that printing it panics");
    writeln!(out, "{line}")?;
    out.flush()
}
