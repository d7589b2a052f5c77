//! The engine's side of a conversation in the Universal Game Interface.
//!
//! Commands are answered at once, also while a search runs in its own thread. A wrong command
//! changes nothing and gives `info string error …`. The third occurrence of a position (option
//! `repetitions`) is a draw, so that every game ends.

use super::game::GameHistory;
use super::limits::{Go, SearchLimits, Stop};
use super::options::Options;
use super::players::{PlayerKind, Players};
use super::position::turns_among;
use super::protocol::{Command, parse};
use phutbase_ask::sources::Sources;
use phutbase_base::outcome::Side;
use phutbase_rules::position::Phutball;
use phutbase_tables::{TableError, Tablebase};
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// Maximum length of a line in bytes, for the longest strip with many turns; longer ones are refused.
const MAX_LINE_BYTES: u64 = 32 << 20;

type Out = Arc<Mutex<Box<dyn Write + Send>>>;

struct Session {
    out: Out,
    options: Options,
    /// The sources with tables, even if the options disable these.
    sources: Arc<Sources>,
    players: Arc<Players>,
    game: GameHistory,
    /// True if `position` was sent since the last new game.
    position_set: bool,
    /// True if the last `position` was refused: there is no board to play on.
    is_refused: bool,
    /// The last message about the source of this game's turns.
    announced_source: String,
    search: Option<Running>,
}

struct Running {
    stop: Stop,
    thread: JoinHandle<io::Result<()>>,
}

/// The reason why a conversation broke off.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("cannot read: {0}")]
    Input(io::Error),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Handles a conversation until `quit` or the end of the input, then stops a running search.
pub fn converse(
    mut input: impl BufRead,
    out: Box<dyn Write + Send>,
    sources: Arc<Sources>,
    options: Options,
) -> Result<(), SessionError> {
    let mut session = Session {
        out: Arc::new(Mutex::new(out)),
        game: GameHistory::new(options.startpos()),
        players: Arc::new(players(&options, &sources)),
        options,
        sources,
        position_set: false,
        is_refused: false,
        announced_source: String::new(),
        search: None,
    };
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
        let read = read.map_err(SessionError::Input)?;
        if read == 0 {
            break;
        }
        if read as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
            session.is_refused |= line.starts_with(b"position");
            session.error(&"the line is too long for a command")?;
            input.skip_until(b'\n').map_err(SessionError::Input)?;
            continue;
        }
        match parse(&String::from_utf8_lossy(&line)) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => session.execute(command)?,
            Err(error) => session.error(&error)?,
        }
    }
    Ok(session.end_search()?)
}

impl Session {
    fn execute(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Ugi => self.identify(),
            Command::IsReady => self.say(&"readyok"),
            Command::NewGame => {
                self.end_search()?;
                self.players.forget(self.options.hash);
                self.game = GameHistory::new(self.options.startpos());
                self.position_set = false;
                self.is_refused = false;
                self.announced_source.clear();
                Ok(())
            }
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position { fen, moves } => match self.replay(fen.as_deref(), &moves) {
                Ok(game) => {
                    self.game = game;
                    self.position_set = true;
                    self.is_refused = false;
                    Ok(())
                }
                Err(error) => {
                    self.is_refused = true;
                    self.error(&error)
                }
            },
            Command::Go(go, errors) => {
                errors.iter().try_for_each(|error| self.error(error))?;
                self.go(&go)
            }
            Command::Stop | Command::Quit => self.end_search(),
            Command::Query(question) => self.respond(&question),
        }
    }

    fn say(&self, line: &dyn std::fmt::Display) -> io::Result<()> {
        say(&self.out, line)
    }

    fn error(&self, error: &dyn std::fmt::Display) -> io::Result<()> {
        // Quoted text may contain control characters.
        let text: String = error.to_string().chars().filter(|c| !c.is_control()).collect();
        self.say(&format_args!("info string error {text}"))
    }

    fn identify(&self) -> io::Result<()> {
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
            self.players = Arc::new(players(&self.options, &self.sources));
        }
        if before.seed != self.options.seed {
            self.players.reseed(self.options.seed);
        }
        if before.hash != self.options.hash {
            self.end_search()?;
            self.players.forget(self.options.hash);
        }
        if !self.position_set {
            self.game = GameHistory::new(self.options.startpos());
        }
        Ok(())
    }

    fn replay(&self, fen: Option<&str>, moves: &[String]) -> Result<GameHistory, String> {
        let start = match fen {
            None => self.options.startpos(),
            Some(fen) => fen.parse().map_err(|error| format!("'{fen}': {error}"))?,
        };
        let mut game = GameHistory::new(start);
        for turn in moves {
            if game.standing().winner().is_some() {
                let fen = game.standing().fen();
                return Err(format!("cannot play '{turn}': the game is over in '{fen}'"));
            }
            game.play(turn).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    fn respond(&self, question: &str) -> io::Result<()> {
        let standing = self.game.standing();
        let is_drawn = self.game.is_repeated(self.options.repetitions);
        let answer = match question {
            "gameover" => (standing.winner().is_some() || is_drawn).to_string(),
            "p1turn" => (standing.side() == Side::Left).to_string(),
            "result" => match standing.winner() {
                Some(Side::Left) => "p1win".to_string(),
                Some(Side::Right) => "p2win".to_string(),
                None if is_drawn => "draw".to_string(),
                None => "none".to_string(),
            },
            "fen" => standing.fen(),
            unknown => {
                self.error(&format_args!(
                    "no answer to 'query {unknown}'; ask for gameover, p1turn, result or fen"
                ))?;
                // The client waits for an answer.
                "unknown".to_string()
            }
        };
        self.say(&format_args!("response {answer}"))
    }

    /// Starts a search. If the game is over, answers `bestmove 0000`, because the client waits.
    fn go(&mut self, go: &Go) -> io::Result<()> {
        self.end_search()?;
        if self.is_refused {
            self.error(&"no turn to choose: the last position was refused")?;
            return self.say(&"bestmove 0000");
        }
        let Some(position) = self.game.standing().open().cloned() else {
            self.error(&"no turn to choose: the game is over")?;
            return self.say(&"bestmove 0000");
        };
        let (among, illegal) = turns_among(&position, &go.searchmoves);
        for turn in illegal {
            self.error(&format_args!(
                "ignoring '{turn}' of 'searchmoves': not a legal turn"
            ))?;
        }
        let stop = Stop::default();
        let limits = SearchLimits::new(go, position.side() as usize, stop.clone());
        let (out, players, kind) = (self.out.clone(), self.players.clone(), self.options.player);
        if kind == PlayerKind::Perfect {
            let source = source(&players, &position);
            if source != self.announced_source {
                self.say(&format_args!("info string {source}"))?;
                self.announced_source = source;
            }
        }
        let hold = go.infinite.then(|| stop.clone());
        let search = move || {
            let mut written = Ok(());
            let mut report = |info: &super::search::Info| written = say(&out, info);
            let choice = players.choose(kind, &position, &among, &limits, &mut report);
            written?;
            if let Some(trouble) = choice.as_ref().and_then(|choice| choice.trouble.as_ref()) {
                say(&out, &format_args!("info string error {trouble}"))?;
            }
            if let Some(stop) = hold {
                stop.wait();
            }
            let turn = choice.map_or("0000".to_string(), |choice| choice.turn.notation);
            say(&out, &format_args!("bestmove {turn}"))
        };
        match std::thread::Builder::new().spawn(search) {
            Ok(thread) => self.search = Some(Running { stop, thread }),
            Err(error) => {
                self.error(&format_args!("cannot start a thread: {error}"))?;
                self.say(&"bestmove 0000")?;
            }
        }
        Ok(())
    }

    /// Stops a running search and waits until it has sent its turn.
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

fn players(options: &Options, sources: &Arc<Sources>) -> Players {
    let sources = if options.tables {
        sources.clone()
    } else {
        Arc::new(Sources::new(Tablebase::empty(), 0))
    };
    let players = Players::new(sources, options.seed);
    players.forget(options.hash);
    players
}

fn source(players: &Players, position: &Phutball) -> String {
    match players.source(position) {
        Ok(file) => format!("turns come from the table {}", file.display()),
        Err(TableError::Missing { .. }) if matches!(position, Phutball::Strip(_)) => {
            "turns come from the solution, which has every strip".to_string()
        }
        Err(TableError::Missing { .. }) => {
            "no table contains this position; turns come from a search, and its scores are estimates unless won or lost"
                .to_string()
        }
        Err(error) if matches!(position, Phutball::Strip(_)) => {
            format!("turns come from the solution: {error}")
        }
        Err(error) => format!("turns come from a search: {error}"),
    }
}

fn say(out: &Out, line: &dyn std::fmt::Display) -> io::Result<()> {
    let mut out = out.lock().expect("printing does not panic");
    writeln!(out, "{line}")?;
    out.flush()
}
