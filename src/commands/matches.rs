//! `phutbase match`: engines play each other.

use super::adjudication::{draw, resignation};
use super::engine_keys::{Engines, KEYS, contestant};
use super::engine_log;
use super::match_record::Record;
use super::match_score::{names, print_game, print_score, print_table};
use super::sprt::sprt;
use super::{Effect, Verb};
use clap::Args;
use phutbase_ask::sources::Sources;
use phutbase_base::disk::open_text;
use phutbase_base::outcome::words;
use phutbase_base::random::Uniform;
use phutbase_engine::client::EngineFault;
use phutbase_engine::matches::adjudication::Adjudication;
use phutbase_engine::matches::openings::{self, Opening, OpeningsError};
use phutbase_engine::matches::play::Played;
use phutbase_engine::matches::score::MatchScore;
use phutbase_engine::matches::{Contestant, Match, MatchError, Tournament};
use phutbase_engine::options::Options;
use phutbase_terminal::common::GlobalOptions;
use phutbase_terminal::monitor;
use phutbase_terminal::options::word;
use phutbase_terminal::output::{CommandError, cannot_read};
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = format!("Keys of --engine and --each:
{KEYS}

Illegal turns, timeouts, crashes and a second 'bestmove' lose the game. A false
'score mate N' (a win in N turns of the player to move) and a false line are
reported. With --sprt the exit code is 0 if H1 is accepted, 1 for H0, and 4 if
all games leave it undecided. 'phutbase find --suite' writes openings.

Examples:
  phutbase match --engine cmd=./new --engine cmd=\"phutbase ugi\"
  phutbase match --openings suite.epd --engine cmd=./new --engine cmd=./old
  phutbase match --engine cmd=./new --engine cmd=./old --engine cmd=./other
    --tournament gauntlet --openings suite.epd --each tc=40/60
  phutbase match --openings suite.epd --rounds 20000 --sprt elo0=0 elo1=10
    --engine cmd=./new --engine cmd=./old"))]
pub struct Arguments {
    /// Start from the empty board of these sizes, with the ball in the middle
    #[arg(default_value = "21", conflicts_with = "openings")]
    boards: String,
    #[command(flatten)]
    engines: Engines,
    /// Set these keys for all engines
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Vec<String>,
    /// Start from the positions of a file, one a line, as 'phutbase find --suite' writes them, or from games
    /// in PGN style; each is played twice, with colours reversed
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
    /// Leave out the openings before this one, after --order; the first is 1
    #[arg(long, value_name = "N", requires = "openings", value_parser = clap::value_parser!(u32).range(1..))]
    start: Option<u32>,
    /// Play the first K turns of each game of the openings [default: all]
    #[arg(long, value_name = "K", requires = "openings")]
    plies: Option<usize>,
    /// Let more than two engines play: round-robin (every two) or gauntlet (the first and each other)
    #[arg(
        long,
        value_name = "KIND",
        default_value = "round-robin",
        value_parser = word::<Tournament>(Tournament::WORDS),
        hide_possible_values = true
    )]
    tournament: Tournament,
    /// Play this many pairs of games of every two engines that meet [default: one per opening]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Play this many games at the same time
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// End a game as a draw after this many turns of both players
    #[arg(long, value_name = "K", default_value_t = 1000)]
    maxmoves: usize,
    /// End a game by exact values at the first turn that gives up a win (or, on a pitch, a draw), and at
    /// --maxmoves for the winner: solution (with tables for pitches)
    #[arg(long, value_name = "BY", value_parser = ["solution"], hide_possible_values = true)]
    adjudicate: Option<String>,
    /// End a game that an engine gives up by its scores in consecutive turns: movecount=K score=CENTIPAWNS
    /// [twosided=false]; with twosided=true the opponent must agree
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    resign: Vec<String>,
    /// End a game as a draw by the scores of both engines: movecount=K score=CENTIPAWNS [movenumber=0], the
    /// moves before
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    draw: Vec<String>,
    /// Print the score after every K games; 0: at the end only
    #[arg(long, value_name = "K", default_value_t = 10)]
    ratinginterval: usize,
    /// Append each game to a file in PGN style when it ends, and to a journal, FILE.jsonl
    #[arg(long, value_name = "FILE")]
    pgnout: Option<PathBuf>,
    /// Write all lines to and from the engines to a file, each after the seconds since the start
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
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
    fn effects(&self, _: &GlobalOptions) -> Vec<Effect> {
        let is_random = self.order == Order::Random;
        // With BOARDS, clap waives that these options require '--openings'.
        let of_file = |is_given, name| {
            (
                is_given && self.openings.is_none(),
                name,
                "the openings of a file",
            )
        };
        vec![
            of_file(is_random, "order"),
            of_file(self.start.is_some(), "start"),
            of_file(self.plies.is_some(), "plies"),
            (self.seed.is_some() && !is_random, "seed", "'--order random'"),
            (
                self.tournament != Tournament::RoundRobin && self.engines.0.len() < 3,
                "tournament",
                "more than two engines",
            ),
        ]
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        let sprt = if self.sprt.is_empty() {
            None
        } else {
            Some(sprt(&self.sprt)?)
        };
        monitor::save_when_stopped();
        engine_log::open(self.log.as_deref())?;
        let mut plan = self.plan(common)?;
        let (mut record, earlier) = match &self.pgnout {
            Some(file) => {
                let (record, earlier) = Record::open(file, &plan, self.resume)?;
                (Some(record), earlier)
            }
            None => (None, Vec::new()),
        };
        let pairings = plan.pairings();
        let mut scores = vec![MatchScore::default(); pairings.len()];
        let place = |game: &Played| game.number / 2 % pairings.len();
        earlier.iter().for_each(|game| scores[place(game)].add(game));
        plan.played = earlier.len();
        let games = plan.games();
        let verdict = |scores: &[MatchScore]| sprt.and_then(|sprt| sprt.verdict(&scores[0]));
        let printed = |scores: &[MatchScore], is_over| match scores {
            [score] => print_score(
                common.json,
                names(&plan, pairings[0]),
                score,
                sprt.as_ref(),
                is_over,
            ),
            scores => print_table(common.json, &plan, scores),
        };
        let is_decided = verdict(&scores).is_some();
        let mut failed = None;
        let mut played = plan.played;
        let mut each = |game: &Played| {
            scores[place(game)].add(game);
            played += 1;
            let saved = record
                .as_mut()
                .map_or(Ok(()), |record| record.append(game, &plan));
            let shown = print_game(common.json, game, &plan);
            let is_over = verdict(&scores).is_some() || played == games;
            let is_due = !is_over && played.checked_rem(self.ratinginterval) == Some(0);
            let scored = if is_due { printed(&scores, false) } else { Ok(()) };
            failed = saved.and(shown).and(scored).err();
            if is_over || failed.is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        if !is_decided {
            plan.run(monitor::job(), &mut each).map_err(refused)?;
        }
        let shown = printed(&scores, true);
        failed.map_or(Ok(()), Err)?;
        shown?;
        let decided = sprt.map(|_| verdict(&scores));
        self.result(decided, played, games)
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

    fn plan(&self, common: &GlobalOptions) -> Result<Match, CommandError> {
        let contestants = self.contestants()?;
        let openings = self.openings()?;
        let repeats = |opening: &Opening| opening.position == openings[0].position;
        if !self.sprt.is_empty() && openings.iter().all(repeats) {
            return Err(CommandError::usage(
                "--sprt: games from one start position decide nothing, as they repeat; add '--openings openings.epd', written by 'phutbase find 15..21 --suite --depth 15.. --sample 100 --out openings.epd'",
            ));
        }
        let sources = Sources::new(common.tables()?, 0);
        if self.adjudicate.is_some() {
            // Report a missing table before the first game.
            for opening in &openings {
                sources.verdict(&opening.position)?;
            }
        }
        Ok(Match {
            contestants,
            tournament: self.tournament,
            rounds: self.rounds.map_or(openings.len(), |rounds| rounds as usize),
            openings,
            concurrency: self.concurrency.into(),
            adjudication: Adjudication {
                by_value: self.adjudicate.is_some(),
                resign: resignation(&self.resign)?,
                draw: draw(&self.draw)?,
                max_turns: self.maxmoves,
            },
            played: 0,
            sources,
        })
    }

    /// Returns the engines, each with a name of its own.
    fn contestants(&self) -> Result<Vec<Contestant>, CommandError> {
        let engines = &self.engines.0;
        if engines.len() < 2 || engines.len() > 2 && !self.sprt.is_empty() {
            let (what, how) = if engines.len() < 2 {
                ("a match", "at least two engines")
            } else {
                ("--sprt", "two engines")
            };
            return Err(CommandError::Usage(format!(
                "{what} takes {how}, each with --engine, not {}",
                engines.len()
            )));
        }
        let mut contestants: Vec<Contestant> = Vec::new();
        for keys in engines {
            let mut one = contestant(self.each.iter().chain(keys), &[], TIMES)?;
            let name = one.name.clone();
            let mut number = 2;
            while contestants.iter().any(|other| other.name == one.name) {
                one.name = format!("{name} ({number})");
                number += 1;
            }
            contestants.push(one);
        }
        Ok(contestants)
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
        let mut openings = openings::read(BufReader::new(opened), self.plies).map_err(wrong)?;
        if self.order == Order::Random {
            openings::shuffle(&mut openings, &mut Uniform::new(self.seed.unwrap_or(0)));
        }
        let skipped = self.start.unwrap_or(1) as usize - 1;
        if skipped >= openings.len() {
            return Err(CommandError::Usage(format!(
                "--start {}: {} has {} openings",
                skipped + 1,
                file.display(),
                openings.len()
            )));
        }
        Ok(openings.split_off(skipped))
    }
}

fn refused(error: MatchError) -> CommandError {
    match error {
        MatchError::Thread(_)
        | MatchError::Handshake {
            fault: EngineFault::NotStarted(_),
            ..
        } => CommandError::system(error),
        MatchError::Table(error) => error.into(),
        error => CommandError::failure(error),
    }
}
