//! The words that describe an engine: `cmd= name= option.NAME= st= tc= depth= …`, as in cutechess.

use super::engine_log;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use phutbase_engine::client::Setup;
use phutbase_engine::matches::Contestant;
use phutbase_engine::matches::control::{Control, Session, TurnLimit};
use phutbase_terminal::monitor;
use phutbase_terminal::options::time;
use phutbase_terminal::output::CommandError;
use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Longest time of a key.
const MAX_TIME: Duration = Duration::from_secs(86_400);

/// The keys, for the help.
pub const KEYS: &str = "  cmd=COMMAND         command and arguments of the engine
  arg=ARGUMENT        another argument
  name=NAME           name in the record [default: the command]
  option.NAME=VALUE   option of the engine
  st=TIME             time per turn, as 100ms or in seconds [default: 100ms]
  tc=[K/]TIME[+TIME]  in a match: time per game, or per K turns, and an
                      increment for each turn
  depth=D, nodes=N    limits of the search; a turn may take the time of timeout=
  timemargin=TIME     tolerance for late turns, or in milliseconds, with tc= for
                      all turns together [default: 1s, in a test 100ms]
  timeout=TIME        time to get ready, or in seconds, and in a test beyond
                      st= until an engine hangs [default: 60s, in a test 10s]
  dir=DIR             working directory, from which a path in cmd= starts
  stderr=FILE         append what the engine writes to stderr to a file
  restart=on          start a new process for each game of a match";

/// The keys of each `--engine`. Clap's derive cannot separate occurrences.
#[derive(Default)]
pub struct Engines(pub Vec<Vec<String>>);

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
                .help("Describe an engine by the keys below; 'match' takes two or more"),
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Engines::augment_args(command)
    }
}

pub fn split(text: &str) -> Result<(&str, &str), CommandError> {
    (text.split_once('=')).ok_or_else(|| CommandError::Usage(format!("'{text}': write KEY=VALUE")))
}

pub fn value<T: FromStr>(key: &str, text: &str) -> Result<T, CommandError> {
    (text.parse()).map_err(|_| CommandError::Usage(format!("{key}={text}: not a valid number")))
}

/// Parses a time with its unit, or a number of `unit`s.
fn duration(key: &str, text: &str, unit: &str) -> Result<Duration, CommandError> {
    let with_unit = match text.parse::<f64>() {
        Ok(_) => format!("{text}{unit}"),
        Err(_) => text.to_string(),
    };
    let wrong = |error: &str| CommandError::Usage(format!("{key}={text}: {error}"));
    let time = time(&with_unit).map_err(wrong)?;
    (time <= MAX_TIME)
        .then_some(time)
        .ok_or_else(|| wrong("give a time up to 24h"))
}

/// Parses a clock: `40/60+0.5`, of which only the time must be there.
fn session(key: &str, text: &str) -> Result<Session, CommandError> {
    let (moves, rest) = text
        .split_once('/')
        .map_or((None, text), |(moves, rest)| (Some(moves), rest));
    let moves = moves.map(|moves| value::<NonZero<u32>>(key, moves)).transpose()?;
    let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    Ok(Session {
        moves: moves.map(NonZero::get),
        time: duration(key, time, "s")?,
        increment: duration(key, increment, "s")?,
    })
}

/// Builds an engine from its keys, its command if that stands apart, and the times without a key: to
/// become ready, and the margin.
pub fn contestant<'a>(
    keys: impl Iterator<Item = &'a String>,
    command: &[String],
    [mut ready, mut margin]: [Duration; 2],
) -> Result<Contestant, CommandError> {
    let mut name = (!command.is_empty()).then(|| command.join(" "));
    let (mut command, mut arguments) = (command.to_vec(), Vec::new());
    let mut options = Vec::new();
    let (mut directory, mut stderr, mut restarts) = (None, None, false);
    let mut limit = TurnLimit::Movetime(Duration::from_millis(100));
    for key in keys {
        let (key, text) = split(key)?;
        match key {
            "cmd" if !command.is_empty() => {
                return Err(CommandError::usage("--engine: two commands; write one"));
            }
            "cmd" => {
                let words = shlex::split(text).filter(|words| !words.is_empty());
                command = words.ok_or_else(|| CommandError::Usage(format!("cmd={text}: not a command")))?;
                name.get_or_insert(text.to_string());
            }
            "arg" => arguments.push(text.to_string()),
            "name" => name = Some(text.to_string()),
            "st" => limit = TurnLimit::Movetime(duration(key, text, "s")?),
            "tc" => {
                limit = TurnLimit::Clock(session(key, text)?);
            }
            "depth" => limit = TurnLimit::Depth(value(key, text)?),
            "nodes" => limit = TurnLimit::Nodes(value(key, text)?),
            "timemargin" => margin = duration(key, text, "ms")?,
            "timeout" => ready = duration(key, text, "s")?,
            "dir" => directory = Some(PathBuf::from(text)),
            "stderr" => stderr = Some(PathBuf::from(text)),
            "restart" if ["on", "off"].contains(&text) => restarts = text == "on",
            "restart" => return Err(CommandError::Usage(format!("{key}={text}: write on or off"))),
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
    let name = name.unwrap_or_default();
    Ok(Contestant {
        setup: Setup {
            program,
            arguments: command.chain(arguments).collect(),
            options,
            directory,
            stderr,
            ready,
            log: engine_log::writer().map(|write| (name.clone(), write)),
            job: monitor::job().clone(),
        },
        name,
        control: Control { limit, margin },
        restarts,
    })
}
