//! `phutbase match`: two engines play each other.

use super::engine_keys::{Engines, KEYS, contestant};
use super::sprt::sprt;
use super::{Effect, Verb, without_tables};
use clap::Args;
use phutbase_base::disk::open_text;
use phutbase_base::object;
use phutbase_base::outcome::words;
use phutbase_base::random::Uniform;
use phutbase_engine::client::EngineFault;
use phutbase_engine::matches::openings::{self, Opening, OpeningsError};
use phutbase_engine::matches::play::Played;
use phutbase_engine::matches::record;
use phutbase_engine::matches::score::{MatchScore, Sprt};
use phutbase_engine::matches::{Match, MatchError};
use phutbase_engine::options::Options;
use phutbase_rules::{Position, Rules};
use phutbase_terminal::common::GlobalOptions;
use phutbase_terminal::monitor;
use phutbase_terminal::options::word;
use phutbase_terminal::out_file::cannot_write;
use phutbase_terminal::output::{CommandError, cannot_read, print_result, shown};
use std::fs::{File, TryLockError};
use std::io::{BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
#[command(after_help = format!("Keys of --engine and --each:
{KEYS}

Illegal turns, timeouts and crashes lose the game. With --sprt the exit code is
0 if H1 is accepted, 1 for H0, and 4 if all games leave it undecided. 'phutbase
find --suite' writes openings.

Examples:
  phutbase match --engine cmd=./new --engine cmd=\"phutbase ugi\"
  phutbase match --openings suite.epd --engine cmd=./new --engine cmd=./old
  phutbase match --openings suite.epd --rounds 20000 --sprt elo0=0 elo1=10
    --engine cmd=./new --engine cmd=./old"))]
pub struct Arguments {
    /// Start from the empty board of these sizes, with the ball in the middle
    #[arg(default_value = "21", conflicts_with = "openings")]
    boards: String,
    #[command(flatten)]
    engines: Engines,
    /// Set these keys for both engines
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Vec<String>,
    /// Start from the positions of a file, as 'phutbase find --suite' writes them; each is played twice,
    /// with colours reversed
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Order the openings: sequential or random
    #[arg(
        long,
        value_name = "ORDER",
        default_value = "sequential",
        requires = "openings",
        value_parser = word::<Order>(Order::WORDS),
        hide_possible_values = true
    )]
    order: Order,
    /// Seed of --order random [default: 0]
    #[arg(long, value_name = "S", requires = "order")]
    seed: Option<u64>,
    /// Play this many pairs of games [default: one per opening]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Play this many games at the same time
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// End a game as a draw after this many turns
    #[arg(long, value_name = "K", default_value_t = 1000)]
    maxmoves: usize,
    /// Print the score after every K games; 0: at the end only
    #[arg(long, value_name = "K", default_value_t = 10)]
    ratinginterval: usize,
    /// Append each game to a file in PGN style when it ends, and to a journal, FILE.jsonl
    #[arg(long, value_name = "FILE")]
    pgnout: Option<PathBuf>,
    /// Go on after the games of this match in the journal of --pgnout
    #[arg(long, requires = "pgnout")]
    resume: bool,
    /// Stop when this sequential probability ratio test is decided: elo0=E elo1=E [alpha=0.05
    /// beta=0.05 model=logistic], or model=normalized; needs --openings
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,
}

/// The order of the openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Sequential,
    Random,
}

words!(Order: Sequential = "sequential", Random = "random");

/// Time to become ready, and tolerance for late turns, which lose the game.
const TIMES: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(1)];

impl Verb for Arguments {
    fn effects(&self, common: &GlobalOptions) -> Vec<Effect> {
        let is_random = self.order == Order::Random;
        vec![
            without_tables(common),
            // With BOARDS, clap waives that '--order' requires it.
            (
                is_random && self.openings.is_none(),
                "order",
                "the openings of a file",
            ),
            (self.seed.is_some() && !is_random, "seed", "'--order random'"),
        ]
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        let sprt = if self.sprt.is_empty() {
            None
        } else {
            Some(sprt(&self.sprt)?)
        };
        monitor::save_when_stopped();
        let mut plan = self.plan()?;
        let (mut record, earlier) = match &self.pgnout {
            Some(file) => {
                let (record, earlier) = Record::open(file, &plan, self.resume)?;
                (Some(record), earlier)
            }
            None => (None, Vec::new()),
        };
        let mut score = MatchScore::default();
        earlier.iter().for_each(|game| score.add(game));
        plan.played = earlier.len();
        let names = [&plan.contestants[0].name[..], &plan.contestants[1].name[..]];
        let verdict = |score: &MatchScore| sprt.and_then(|sprt| sprt.verdict(score));
        let is_decided = verdict(&score).is_some();
        let mut failed = None;
        let mut each = |game: &Played| {
            score.add(game);
            let saved = record
                .as_mut()
                .map_or(Ok(()), |record| record.append(game, &plan));
            let printed = print_game(common.json, game, names);
            let is_over = verdict(&score).is_some() || score.games() == 2 * plan.rounds;
            let is_due = !is_over && score.games().checked_rem(self.ratinginterval) == Some(0);
            let scored = if is_due {
                print_score(common.json, names, &score, sprt.as_ref(), false)
            } else {
                Ok(())
            };
            failed = saved.and(printed).and(scored).err();
            if is_over || failed.is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        if !is_decided {
            plan.run(monitor::job(), &mut each).map_err(refused)?;
        }
        let printed = print_score(common.json, names, &score, sprt.as_ref(), true);
        failed.map_or(Ok(()), Err)?;
        printed?;
        let decided = sprt.map(|_| verdict(&score));
        self.result(decided, score.games(), 2 * plan.rounds)
    }
}

impl Arguments {
    /// Returns the result of a match of which some games were played. `decided` is the verdict of the
    /// sequential test, if there is one.
    fn result(&self, decided: Option<Option<bool>>, played: usize, games: usize) -> Result<(), CommandError> {
        match decided {
            Some(Some(true)) => Ok(()),
            Some(Some(false)) => Err(CommandError::failure("the SPRT accepts H0")),
            _ if played < games => Err(CommandError::Interrupted(format!(
                "interrupted after {played} of {games} games; {}",
                match &self.pgnout {
                    Some(file) => format!(
                        "they are in '{}', run the same command with --resume to go on",
                        file.display()
                    ),
                    None => "they were not saved: name a file with --pgnout".to_string(),
                }
            ))),
            Some(None) => Err(CommandError::Undecided(format!(
                "the SPRT is undecided after {games} games"
            ))),
            None => Ok(()),
        }
    }

    fn plan(&self) -> Result<Match, CommandError> {
        let [one, other] = &self.engines.0[..] else {
            return Err(CommandError::Usage(format!(
                "a match takes two engines, each with --engine, not {}",
                self.engines.0.len()
            )));
        };
        let contestants = [one, other].map(|keys| contestant(self.each.iter().chain(keys), &[], TIMES));
        let [one, other] = contestants;
        let mut contestants = [one?, other?];
        if contestants[0].name == contestants[1].name {
            contestants[1].name += " (2)";
        }
        let openings = self.openings()?;
        let repeats = |opening: &Opening| opening.position == openings[0].position;
        if !self.sprt.is_empty() && openings.iter().all(repeats) {
            return Err(CommandError::usage(
                "--sprt: games from one start position decide nothing, as they repeat; add '--openings openings.epd', written by 'phutbase find 15..21 --suite --depth 15.. --sample 100 --out openings.epd'",
            ));
        }
        Ok(Match {
            contestants,
            rounds: self.rounds.map_or(openings.len(), |rounds| rounds as usize),
            openings,
            concurrency: self.concurrency.into(),
            max_turns: self.maxmoves,
            played: 0,
        })
    }

    fn openings(&self) -> Result<Vec<Opening>, CommandError> {
        let Some(file) = &self.openings else {
            let mut options = Options::default();
            options.set("boards", &self.boards).map_err(CommandError::usage)?;
            let position = options.startpos();
            return Ok(vec![Opening { position, id: None }]);
        };
        let wrong = |error: OpeningsError| match error {
            OpeningsError::Io(error) => cannot_read(file, &error),
            error => CommandError::Usage(format!("--openings {}: {error}", file.display())),
        };
        let opened = open_text(file).map_err(|error| wrong(error.into()))?;
        let mut openings = openings::read(BufReader::new(opened)).map_err(wrong)?;
        if self.order == Order::Random {
            openings::shuffle(&mut openings, &mut Uniform::new(self.seed.unwrap_or(0)));
        }
        Ok(openings)
    }
}

/// A record of games in PGN style and its journal, to which each game is written when it ends.
struct Record<'a> {
    pgn: (&'a Path, File),
    /// Length of the PGN file.
    length: u64,
    /// Absent beside a pipe or a device.
    journal: Option<(PathBuf, File)>,
}

impl<'a> Record<'a> {
    /// Opens a record to append to, and reads the games of a match to resume. The record is locked
    /// until the program ends.
    fn open(named: &'a Path, plan: &Match, resume: bool) -> Result<(Record<'a>, Vec<Played>), CommandError> {
        let mut record = Record {
            pgn: (named, open(named)?),
            length: 0,
            journal: None,
        };
        if !named.metadata().is_ok_and(|found| found.is_file()) {
            return Ok((record, Vec::new()));
        }
        let pgn = &mut record.pgn.1;
        // Some file systems have no locks.
        if let Err(TryLockError::WouldBlock) = pgn.try_lock() {
            let name = named.display();
            return Err(CommandError::System(format!(
                "cannot write '{name}': another match writes to it"
            )));
        }
        let mut text = std::fs::read(named).map_err(|error| cannot_read(named, &error))?;
        let mut path = named.as_os_str().to_owned();
        path.push(".jsonl");
        let path = PathBuf::from(path);
        let mut journal = open(&path)?;
        let (mut games, mut kept) = (Vec::new(), 0);
        if resume {
            let wrong = |error| CommandError::Usage(format!("--resume: '{}': {error}", path.display()));
            let lines = std::fs::read(&path).map_err(|error| cannot_read(&path, &error))?;
            let resumed = record::read(&lines, text.len() as u64, plan).map_err(wrong)?;
            (games, kept) = (resumed.games, resumed.journal);
            // The beginning of a game that was cut; an editor may have changed the file otherwise.
            let rest = text[resumed.pgn as usize..].trim_ascii_start();
            if rest.starts_with(BEGIN) || BEGIN.starts_with(rest) {
                text.truncate(resumed.pgn as usize);
                shorten(pgn, named, resumed.pgn)?;
            }
        }
        record.length = text.len() as u64;
        shorten(&journal, &path, kept)?;
        if kept == 0 {
            write(
                &mut journal,
                &path,
                &record::journal_line(None, plan, record.length),
            )?;
        }
        if !text.is_empty() && !text.ends_with(b"\n\n") && !text.ends_with(b"\r\n\r\n") {
            write(pgn, named, "\n\n")?;
            record.length += 2;
        }
        record.journal = Some((path, journal));
        Ok((record, games))
    }

    fn append(&mut self, game: &Played, plan: &Match) -> Result<(), CommandError> {
        let text = record::pgn(game, plan);
        write(&mut self.pgn.1, self.pgn.0, &text)?;
        self.length += text.len() as u64;
        (self.journal.iter_mut()).try_for_each(|(path, journal)| {
            write(
                journal,
                path,
                &record::journal_line(Some(game), plan, self.length),
            )
        })
    }
}

/// The first bytes of a game in PGN style.
const BEGIN: &[u8] = b"[Event ";

/// Opens a file to append to.
fn open(path: &Path) -> Result<File, CommandError> {
    let opened = File::options().append(true).create(true).open(path);
    opened.map_err(|error| cannot_write(path, "open it", &error))
}

fn shorten(file: &File, path: &Path, length: u64) -> Result<(), CommandError> {
    let shortened = file.set_len(length);
    shortened.map_err(|error| cannot_write(path, "shorten it", &error))
}

fn write(file: &mut File, path: &Path, text: &str) -> Result<(), CommandError> {
    let written = file.write_all(text.as_bytes());
    written.map_err(|error| cannot_write(path, "write to it", &error))
}

/// Formats a number of Elo with its sign; 0 has none.
fn signed(elo: f64) -> String {
    match format!("{elo:+.1}") {
        zero if zero.ends_with("0.0") && elo.abs() < 0.05 => "0.0".to_string(),
        signed => signed,
    }
}

fn print_game(json: bool, game: &Played, names: [&str; 2]) -> Result<(), CommandError> {
    let [first, second] = [names[game.first], names[1 - game.first]];
    let position = &game.opening.position;
    let object = object! {
        game: Position::Phutball(position.clone()).game(),
        rules: Rules::Ordinary.word(),
        position: position.to_string(),
        round: game.number / 2 + 1,
        first: first,
        second: second,
        result: game.result(),
        ending: &*game.ending.termination,
        turns: game.turns.iter().map(|made| &made.turn).collect::<Vec<_>>(),
        message: game.ending.fault.as_deref(),
    };
    print_result(json, &object, |out| {
        let (number, turns, result) = (game.number + 1, game.turns.len(), game.result());
        let ending = shown(object.message.unwrap_or(object.ending));
        writeln!(
            out,
            "game {number} ({first} vs {second}): {result} after {turns} turns, {ending}"
        )
    })
}

/// Prints the score of the games so far, on one line while the match goes on.
fn print_score(
    json: bool,
    names: [&str; 2],
    score: &MatchScore,
    sprt: Option<&Sprt>,
    is_over: bool,
) -> Result<(), CommandError> {
    let verdict = sprt.and_then(|sprt| sprt.verdict(score));
    let object = object! {
        engines: names,
        games: score.games(),
        #[serde(flatten)]
        score: score,
        /// Null if infinite.
        elo: score.elo(),
        error_bars: score.error_bars(),
        los: score.los(),
        llr: sprt.map(|sprt| score.llr(sprt)),
        llr_bounds: sprt.map(Sprt::bounds),
        accepted: verdict.map(|is_h1| if is_h1 { "H1" } else { "H0" }),
    };
    print_result(json, &object, |out| {
        let (Some(share), [one, other]) = (score.share(), names) else {
            return Ok(());
        };
        let &MatchScore {
            wins,
            losses,
            draws,
            failed: [by_one, by_other],
            repeated,
            pairs,
            ..
        } = score;
        let percent = 100.0 * share;
        let mut lines = vec![format!(
            "{one} vs {other}: {wins} wins, {losses} losses, {draws} draws ({percent:.1} %)"
        )];
        let elo = object.elo.map_or(String::new(), signed);
        lines.push(match (object.error_bars, object.los) {
            _ if object.elo.is_none() => "Elo: unknown before the first pair".to_string(),
            (Some([low, high]), Some(los)) => format!(
                "Elo {elo} ± {:.1}, with 95 % between {} and {}; LOS {:.1} %",
                (high - low) / 2.0,
                signed(low),
                signed(high),
                100.0 * los
            ),
            _ => format!("Elo {elo}, without error bars: all pairs ended alike"),
        });
        lines.push(format!(
            "pairs with 0, ½, 1, 1½ and 2 points: {}",
            pairs.map(|count| count.to_string()).join(", ")
        ));
        lines.push(format!(
            "games lost by faults: {one} {by_one}, {other} {by_other}"
        ));
        if repeated > 0 {
            lines.push(format!(
                "{repeated} games repeat earlier ones; pairs of two such games do not count"
            ));
        }
        if let (Some(llr), Some([low, high])) = (object.llr, object.llr_bounds) {
            let verdict = (object.accepted).map_or("undecided".to_string(), |one| format!("{one} accepted"));
            lines.push(format!(
                "SPRT: LLR {llr:.2} between {low:.2} and {high:.2}, {verdict}"
            ));
        }
        writeln!(out, "{}", lines.join(if is_over { "\n" } else { "; " }))
    })
}

fn refused(error: MatchError) -> CommandError {
    match error {
        MatchError::Thread(_)
        | MatchError::Handshake {
            fault: EngineFault::NotStarted(_),
            ..
        } => CommandError::system(error),
        error => CommandError::failure(error),
    }
}
