//! `phutbase match`: two engines play each other.

use super::out_file::write_file;
use super::output::{CommandError, object, print_result};
use super::{Common, Verb, interrupt};
use crate::engine::client::Setup;
use crate::engine::matches::openings::{self, Opening};
use crate::engine::matches::play::{Control, Limit, Played, pgn};
use crate::engine::matches::score::{Score, Sprt};
use crate::engine::matches::{Contestant, Match};
use crate::engine::options::Options;
use crate::games::{Position, Rules};
use crate::outcome::words;
use crate::table::strip::find::Uniform;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Keys of --engine and --each:
  cmd=COMMAND         command and arguments of the engine
  arg=ARGUMENT        another argument
  name=NAME           name in the record [default: the command]
  option.NAME=VALUE   option of the engine
  st=SECONDS          time per turn [default: 0.1]
  tc=SECONDS+SECONDS  time per game, and increment per turn
  depth=D, nodes=N    limits of the search instead of time
  timemargin=MS       tolerance for late turns [default: 1000]

Illegal turns, timeouts and crashes lose the game. The exit code is 1 if the
SPRT accepts H0.

Examples:
  phutbase match --engine cmd=./new --engine cmd=\"phutbase ugi\"
  phutbase match --openings suite.epd --engine cmd=./new --engine cmd=./old
  phutbase match 63 --sprt elo0=0 elo1=10 --engine cmd=./a --engine cmd=./b")]
pub struct Arguments {
    /// Start from the empty board of these sizes, with the ball in the middle
    #[arg(default_value = "21", conflicts_with = "openings")]
    boards: String,
    #[command(flatten)]
    engines: Engines,
    /// Set these keys for both engines
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Vec<String>,
    /// Start from the positions of a file, as 'phutbase suite' writes them; each is played twice,
    /// with colours reversed
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Order the openings: sequential or random
    #[arg(
        long,
        value_name = "ORDER",
        default_value = "sequential",
        requires = "openings"
    )]
    order: Order,
    /// Seed of --order random
    #[arg(long, value_name = "S", default_value_t = 0, requires = "order")]
    seed: u64,
    /// Play this many pairs of games [default: one per opening]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Play this many games at the same time
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// End a game as a draw after this many turns
    #[arg(long, value_name = "K", default_value_t = 1000)]
    maxmoves: usize,
    /// Write the games to a file in PGN style
    #[arg(long, value_name = "FILE")]
    pgnout: Option<PathBuf>,
    /// Stop when this sequential probability ratio test is decided: elo0=E elo1=E [alpha=0.05
    /// beta=0.05]
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

/// The keys of each `--engine`. Clap's derive cannot separate occurrences.
struct Engines(Vec<Vec<String>>);

impl FromArgMatches for Engines {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Engines, clap::Error> {
        let occurrences = matches.get_occurrences::<String>("engine").into_iter().flatten();
        Ok(Engines(occurrences.map(|keys| keys.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Engines::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Engines {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.arg(
            (Arg::new("engine").long("engine").value_name("KEY=VALUE"))
                .num_args(1..)
                .action(ArgAction::Append)
                .required(true)
                .help("Describe an engine; use twice"),
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Engines::augment_args(command)
    }
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let sprt = if self.sprt.is_empty() {
            None
        } else {
            Some(sprt(&self.sprt)?)
        };
        let plan = self.plan()?;
        let names = [&plan.contestants[0].name[..], &plan.contestants[1].name[..]];
        let (mut score, mut record) = (Score::default(), String::new());
        let stop = interrupt::flag("stopping after the current turns");
        let mut failed = None;
        let played = plan.run(stop, &mut |game| {
            score.add(game);
            record += &pgn(game, names);
            if let Err(error) = print_game(common.json, game, names) {
                failed = Some(error);
                return ControlFlow::Break(());
            }
            match sprt.and_then(|sprt| sprt.verdict(&score)) {
                Some(_) => ControlFlow::Break(()),
                None => interrupt::flow(stop),
            }
        });
        if let Some(file) = &self.pgnout {
            write_file(file, record.as_bytes())?;
        }
        played.map_err(CommandError::failure)?;
        failed.map_or(Ok(()), Err)?;
        print_summary(common.json, names, &score, sprt.as_ref())?;
        let games = 2 * plan.rounds;
        match sprt.and_then(|sprt| sprt.verdict(&score)) {
            Some(false) => Err(CommandError::failure("the SPRT accepts H0")),
            None if score.games() < games => Err(CommandError::Interrupted(format!(
                "interrupted after {} of {games} games",
                score.games()
            ))),
            _ => Ok(()),
        }
    }
}

impl Arguments {
    fn plan(&self) -> Result<Match, CommandError> {
        let [one, other] = &self.engines.0[..] else {
            return Err(CommandError::usage(
                "a match needs two engines; write --engine twice",
            ));
        };
        let mut contestants = [contestant(&self.each, one)?, contestant(&self.each, other)?];
        if contestants[0].name == contestants[1].name {
            contestants[1].name += " (2)";
        }
        let openings = self.openings()?;
        Ok(Match {
            contestants,
            rounds: self.rounds.map_or(openings.len(), |rounds| rounds as usize),
            openings,
            concurrency: self.concurrency.into(),
            max_turns: self.maxmoves,
        })
    }

    fn openings(&self) -> Result<Vec<Opening>, CommandError> {
        let Some(file) = &self.openings else {
            let mut options = Options::default();
            options.set("boards", &self.boards).map_err(CommandError::usage)?;
            let position = options.startpos();
            return Ok(vec![Opening { position, id: None }]);
        };
        let name = file.display();
        let text = std::fs::read_to_string(file)
            .map_err(|error| CommandError::System(format!("cannot read '{name}': {error}")))?;
        let mut openings = openings::parse(&text)
            .map_err(|error| CommandError::Usage(format!("--openings {name}: {error}")))?;
        if self.order == Order::Random {
            openings::shuffle(&mut openings, &mut Uniform::new(self.seed));
        }
        Ok(openings)
    }
}

fn split(text: &str) -> Result<(&str, &str), CommandError> {
    (text.split_once('=')).ok_or_else(|| CommandError::Usage(format!("'{text}': write KEY=VALUE")))
}

fn value<T: std::str::FromStr>(key: &str, text: &str) -> Result<T, CommandError> {
    (text.parse()).map_err(|_| CommandError::Usage(format!("{key}={text}: not a valid number")))
}

fn seconds(key: &str, text: &str) -> Result<Duration, CommandError> {
    Duration::try_from_secs_f64(value(key, text)?)
        .map_err(|_| CommandError::Usage(format!("{key}={text}: not a number of seconds")))
}

/// Builds an engine from its keys, after those of both engines.
fn contestant(each: &[String], keys: &[String]) -> Result<Contestant, CommandError> {
    let (mut command, mut arguments, mut name) = (Vec::new(), Vec::new(), None);
    let mut options = Vec::new();
    let mut limit = Limit::Movetime(Duration::from_millis(100));
    let mut margin = Duration::from_secs(1);
    for key in each.iter().chain(keys) {
        let (key, text) = split(key)?;
        match key {
            "cmd" => {
                let words = shlex::split(text).filter(|words| !words.is_empty());
                command = words.ok_or_else(|| CommandError::Usage(format!("cmd={text}: not a command")))?;
                name.get_or_insert(text.to_string());
            }
            "arg" => arguments.push(text.to_string()),
            "name" => name = Some(text.to_string()),
            "st" => limit = Limit::Movetime(seconds(key, text)?),
            "tc" => {
                let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
                limit = Limit::Clock(seconds(key, time)?, seconds(key, increment)?);
            }
            "depth" => limit = Limit::Depth(value(key, text)?),
            "nodes" => limit = Limit::Nodes(value(key, text)?),
            "timemargin" => margin = Duration::from_millis(value(key, text)?),
            _ => match key.strip_prefix("option.") {
                Some(option) => options.push((option.to_string(), text.to_string())),
                None => return Err(CommandError::Usage(format!("--engine: unknown key '{key}'"))),
            },
        }
    }
    let mut command = command.into_iter();
    let program = command
        .next()
        .ok_or_else(|| CommandError::usage("--engine: write its command as cmd=COMMAND"))?;
    Ok(Contestant {
        name: name.unwrap_or_default(),
        setup: Setup {
            program,
            arguments: command.chain(arguments).collect(),
            options,
            ready: READY,
        },
        control: Control { limit, margin },
    })
}

/// Time limit for an engine to become ready.
const READY: Duration = Duration::from_secs(10);

fn sprt(keys: &[String]) -> Result<Sprt, CommandError> {
    let mut sprt = Sprt {
        elo0: 0.0,
        elo1: 10.0,
        alpha: 0.05,
        beta: 0.05,
    };
    for key in keys {
        let (key, text) = split(key)?;
        let place = match key {
            "elo0" => &mut sprt.elo0,
            "elo1" => &mut sprt.elo1,
            "alpha" => &mut sprt.alpha,
            "beta" => &mut sprt.beta,
            _ => return Err(CommandError::Usage(format!("--sprt: unknown key '{key}'"))),
        };
        *place = value(key, text)?;
    }
    let are_shares = [sprt.alpha, sprt.beta]
        .iter()
        .all(|&share| share > 0.0 && share < 0.5);
    let distance = sprt.elo1 - sprt.elo0;
    if are_shares && distance > 0.0 && distance.is_finite() {
        return Ok(sprt);
    }
    Err(CommandError::usage(
        "--sprt: elo0 must be less than elo1, alpha and beta between 0 and 0.5",
    ))
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
        ending: game.ending.termination,
        turns: game.turns.iter().map(|made| &made.turn).collect::<Vec<_>>(),
        message: game.ending.fault.as_deref(),
    };
    print_result(json, &object, |out| {
        let (number, turns, result) = (game.number + 1, game.turns.len(), game.result());
        let ending = object.message.unwrap_or(object.ending).escape_debug();
        writeln!(
            out,
            "game {number} ({first} vs {second}): {result} after {turns} turns, {ending}"
        )
    })
}

fn print_summary(
    json: bool,
    names: [&str; 2],
    score: &Score,
    sprt: Option<&Sprt>,
) -> Result<(), CommandError> {
    let verdict = sprt.and_then(|sprt| sprt.verdict(score));
    let object = object! {
        engines: names,
        #[serde(flatten)]
        score: *score,
        /// Null if infinite.
        elo: score.elo(),
        error_bars: score.error_bars(),
        llr: sprt.map(|sprt| score.llr(sprt)),
        llr_bounds: sprt.map(Sprt::bounds),
        accepted: verdict.map(|is_h1| if is_h1 { "H1" } else { "H0" }),
    };
    print_result(json, &object, |out| {
        let (Some(share), Some(elo), [one, other]) = (score.share(), object.elo, names) else {
            return Ok(());
        };
        let &Score {
            wins,
            losses,
            draws,
            faults: [by_one, by_other],
            ..
        } = score;
        let percent = 100.0 * share;
        writeln!(
            out,
            "{one} vs {other}: {wins} wins, {losses} losses, {draws} draws ({percent:.1} %)"
        )?;
        match object.error_bars {
            Some([low, high]) => writeln!(out, "Elo {elo:+.1}, with 95 % between {low:+.1} and {high:+.1}")?,
            None => writeln!(out, "Elo {elo:+.1}, without error bars: all pairs ended alike")?,
        }
        writeln!(out, "games lost by faults: {one} {by_one}, {other} {by_other}")?;
        if let (Some(llr), Some([low, high])) = (object.llr, object.llr_bounds) {
            let verdict = (object.accepted).map_or("undecided".to_string(), |one| format!("{one} accepted"));
            writeln!(
                out,
                "SPRT: LLR {llr:.2} between {low:.2} and {high:.2}, {verdict}"
            )?;
        }
        Ok(())
    })
}
