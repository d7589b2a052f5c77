//! `phutbase find`: positions of a value, a depth and a pattern.

use super::options::{open_span, span};
use super::{Effect, Verb, cycles, not_for, suite};
use clap::Args;
use num_bigint::BigUint;
use phutbase_ask::queries::find::{FindError, Query, SolvedSets, find_within};
use phutbase_ask::queries::pitches::PitchQuery;
use phutbase_ask::sources::Sources;
use phutbase_ask::{Answer, BoardsLabel};
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::game::Game;
use phutbase_base::object;
use phutbase_base::outcome::{ParseError, Side, Verdict, Wdl};
use phutbase_base::random::Uniform;
use phutbase_machine::space::memory_limit;
use phutbase_rules::{Boards, Phutball, Position, Rules, Shape};
use phutbase_sets::pattern::Pattern;
use phutbase_solve::generate::plan::check_strip_memory;
use phutbase_tables::{Metric, StripTable, TableError};
use phutbase_terminal::{
    ByRules, CommandError, GlobalOptions, in_range, json_line, memory_size, monitor, stdout, word,
};
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase find 32 --value loss --depth 50..52
  phutbase find 64 --value win --pattern \"*o@?oo*\" --sample 5   random
  phutbase find 24 --value loss --ball 11 --stones 0..3
  phutbase find 7x3 --value draw --cycles                the draws of a pitch
  phutbase find 24 --side right --limit 100 --json
  phutbase find 4..32 --suite --sample 5 --out suite.epd
  phutbase find 15..21 --suite --sample 1 --depth 15..   balanced openings")]
pub struct Arguments {
    /// Strips of one length, with --suite of several, or a pitch
    pub boards: Boards,
    /// Select the value for the player to move: win, loss or draw [default: any]
    #[arg(long, value_name = "VALUE", value_parser = word::<Wdl>(Wdl::WORDS), hide_possible_values = true)]
    value: Option<Wdl>,
    /// Select the plies to the end: a number, or a range such as 30..34 (both ends count) or 30..
    /// [default: any]
    #[arg(long, value_name = "D|A..B", value_parser = open_span)]
    pub depth: Option<RangeInclusive<u16>>,
    /// Select the square of the ball, counted from 0: a number or a range [default: any]
    #[arg(long, value_name = "B|A..B", value_parser = span)]
    ball: Option<RangeInclusive<u16>>,
    /// Select the number of stones: a number or a range [default: any]
    #[arg(long, value_name = "S|A..B", value_parser = span)]
    stones: Option<RangeInclusive<u16>>,
    /// Match a pattern: '.', 'o' and '@' as in positions, '?' for anything, '*' for any number of
    /// squares
    #[arg(long, value_name = "PATTERN", default_value = "*")]
    pattern: String,
    /// Select the player to move: left (on a pitch Alfred) or right (Betty)
    #[arg(long, value_name = "SIDE", default_value = "left", value_parser = word::<Side>(Side::WORDS), hide_possible_values = true)]
    side: Side,
    /// List at most K positions; 0 only counts them
    #[arg(long, value_name = "K", default_value_t = 10)]
    limit: usize,
    /// List K distinct, uniformly random positions instead of the first ones; with --suite K of each
    /// length and depth, or value where depths are unknown
    #[arg(long, value_name = "K", conflicts_with = "limit", value_parser = in_range::<1, MAX_KEPT>)]
    pub sample: Option<usize>,
    /// Set the seed of --sample; the same seed gives the same positions
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    pub seed: u64,
    /// Print a suite to test engines: lines in EPD style, with the best turns
    #[arg(long, requires = "sample", conflicts_with_all = ["value", "ball", "stones", "pattern", "side", "cycles", "memory", "rules"])]
    suite: bool,
    /// Write the suite to a file instead of standard output
    #[arg(long, value_name = "FILE", requires = "suite")]
    pub out: Option<PathBuf>,
    /// List the draws of a pitch with Alfred to move up to reflection, each with a cycle of perfect
    /// play; needs '--value draw'
    #[arg(long, conflicts_with_all = ["sample", "depth", "stones", "side"])]
    cycles: bool,
    /// Use at most this much memory [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,
    #[command(flatten)]
    by: ByRules,
}

/// True if a win or a loss can take any of these numbers of plies.
fn possible(depths: &RangeInclusive<u16>, value: Option<Wdl>) -> bool {
    (depths.clone()).any(|plies| match value {
        Some(Wdl::Win) => plies % 2 == 1,
        Some(Wdl::Loss) => plies > 0 && plies.is_multiple_of(2),
        Some(Wdl::Draw) => false,
        None => plies > 0,
    })
}

fn squares(range: &RangeInclusive<u16>) -> RangeInclusive<usize> {
    usize::from(*range.start())..=usize::from(*range.end())
}

impl Arguments {
    /// Rejects depths that no value has.
    fn expect_possible(&self) -> Result<(), CommandError> {
        if let Some(depths) = &self.depth
            && !possible(depths, self.value)
        {
            return Err(CommandError::usage(
                "--depth: wins take an odd number of plies, losses an even number from 2, and draws have no depth",
            ));
        }
        Ok(())
    }

    fn query(&self, length: usize) -> Result<Query, CommandError> {
        self.expect_possible()?;
        let wrong = |option| move |error: ParseError| CommandError::Usage(format!("--{option}: {error}"));
        let mut pattern = Pattern::parse(&self.pattern, length).map_err(wrong("pattern"))?;
        if let Some(balls) = &self.ball {
            pattern = pattern.with_ball(squares(balls)).map_err(wrong("ball"))?;
        }
        if let Some(stones) = &self.stones {
            pattern = pattern.with_stones(squares(stones)).map_err(wrong("stones"))?;
        }
        Ok(Query {
            value: self.value,
            depth: self.depth.clone(),
            side: self.side,
            pattern,
        })
    }
}

/// The largest number of positions of a pitch that are listed, and of random strips: they are kept in
/// memory until all are counted or drawn.
const MAX_KEPT: usize = 1 << 22;

impl Arguments {
    /// Searches a pitch, which reads every value.
    fn pitch(&self, shape: Shape, common: &GlobalOptions) -> Result<(), CommandError> {
        self.expect_possible()?;
        if self.cycles {
            return cycles::run(shape, self.by.rules, self.limit, common);
        }
        let tables = common.tablebase(self.by.rules)?;
        let table = tables.ask_pitch(shape, Ok)?;
        let most = self.sample.unwrap_or(self.limit);
        if most.min(table.game().positions() as usize) > MAX_KEPT {
            let all = match self.by.rules {
                Rules::Ordinary => format!("; 'phutbase export {shape} --format csv' writes all"),
                Rules::Directional => String::new(),
            };
            return Err(CommandError::Usage(format!(
                "--limit: more than {} positions of a pitch are not listed{all}",
                grouped(MAX_KEPT as u64)
            )));
        }
        let query = PitchQuery {
            value: self.value,
            depth: self.depth.clone(),
            stones: self.stones.clone(),
            side: self.side,
            most,
            seed: self.sample.map(|_| self.seed),
        };
        let found = monitor::run(self.boards.words(), None, |job| query.find(table, job))?;
        let listing = found.listed.iter().map(|&index| {
            let pitch = query.position(table, index);
            Ok((Phutball::Pitch(pitch), table.value(&pitch)?.into()))
        });
        self.print(found.count.into(), listing, common)
    }

    /// Prints how many positions match, and those that are listed, as they are found: there may be very
    /// many. Fails if none matches.
    fn print(
        &self,
        total: BigUint,
        listing: impl ExactSizeIterator<Item = Result<(Phutball, Verdict), TableError>>,
        common: &GlobalOptions,
    ) -> Result<(), CommandError> {
        let (side, mover) = match (&self.boards, self.side) {
            (Boards::Pitch(_), Side::Left) => ("alfred", "Alfred"),
            (Boards::Pitch(_), Side::Right) => ("betty", "Betty"),
            (_, Side::Left) => ("left", "Left"),
            (_, Side::Right) => ("right", "Right"),
        };
        let listed = listing.len();
        let mut out = stdout();
        if common.json {
            // The first and last of each range asked for; null for any.
            let is_strip = !matches!(self.boards, Boards::Pitch(_));
            let strip = is_strip.then(|| object! { ball_range: ends(&self.ball), pattern: &self.pattern });
            let object = object! {
                #[serde(flatten)]
                label: BoardsLabel::new(&self.boards, self.by.rules),
                side: side,
                value: self.value.map(Wdl::word),
                depth_range: ends(&self.depth),
                stones_range: ends(&self.stones),
                #[serde(flatten)]
                strip: strip,
                count: Count(total.clone()),
                listed: Count(listed as u64),
            };
            json_line(&mut out, &object)?;
        }
        for found in listing {
            let (position, verdict) = found?;
            if common.json {
                json_line(
                    &mut out,
                    &Answer::new(&Position::Phutball(position), Some(verdict)),
                )?;
            } else {
                writeln!(out, "{position}  {verdict}")?;
            }
        }
        if total == BigUint::ZERO {
            out.flush()?;
            let words = format!("no matching positions with {mover} to move");
            return Err(CommandError::Failure(words));
        }
        if !common.json {
            let (total, listed_words) = (grouped(&total), grouped(listed as u128));
            let more = match self.sample {
                _ if listed == 0 => String::new(),
                Some(_) => format!("; listed: {listed_words} of them, at random"),
                None => format!("; listed: the first {listed_words}"),
            };
            writeln!(out, "{total} positions, {mover} to move{more}")?;
        }
        Ok(out.flush()?)
    }
}

/// The ends of a range, for JSON.
fn ends(range: &Option<RangeInclusive<u16>>) -> Option<[u16; 2]> {
    range.as_ref().map(|range| [*range.start(), *range.end()])
}

impl Verb for Arguments {
    fn effects(&self, _: &GlobalOptions) -> Vec<Effect> {
        let is_pitch = matches!(self.boards, Boards::Pitch(_));
        let are_draws = is_pitch && self.value == Some(Wdl::Draw);
        vec![
            (self.cycles && !are_draws, "cycles", "pitches with '--value draw'"),
            (is_pitch && self.ball.is_some(), "ball", "strips"),
            (is_pitch && self.memory.is_some(), "memory", "strips"),
            (is_pitch && self.pattern != "*", "pattern", "strips"),
            self.by.only_pitches(Some(&self.boards)),
        ]
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        if self.suite {
            return suite::run(self, common);
        }
        if let Boards::Pitch(shape) = self.boards {
            return self.pitch(shape, common);
        }
        let length = self.boards.one_length().ok_or_else(|| match &self.boards {
            Boards::Strips(_) => CommandError::Usage(format!(
                "find takes the strips of one length, not {}",
                self.boards
            )),
            other => not_for("find", other, "the strips of one length, such as 32, or a pitch"),
        })?;
        let query = self.query(length)?;
        let sources = Sources::new(common.tables()?, 0);
        let memory = Some(memory_limit(self.memory)?);
        let found = monitor::run(self.boards.words(), memory, |job| {
            let found = match &query.depth {
                None => {
                    check_strip_memory(length, Metric::Wdl, self.memory)?;
                    SolvedSets::of(length, job)?.find(&query, job)
                }
                Some(_) => {
                    let sets = |table: &StripTable| table.sets(length);
                    let sets = sources.tables.ask_strips(length, Some(Metric::Dtw), sets)?;
                    find_within(&sets, &query, job)
                }
            };
            found.map_err(|error| match error {
                FindError::Table(error) => error.into(),
                FindError::TooLarge => CommandError::System(format!("{error}; allow more with --memory")),
                error => CommandError::usage(error),
            })
        })?;
        let mut picker = monitor::run(self.boards.words(), memory, |job| {
            job.note("their number").map(|()| found.members())
        })?;
        let total = picker.total();
        let random = self.sample.map(|_| Uniform::new(self.seed));
        let listing = picker.list(self.sample.unwrap_or(self.limit), random);
        let listing = listing.map(|strip| {
            let strip = Phutball::from(strip);
            let verdict = sources.verdict(&strip)?;
            Ok((strip, verdict))
        });
        self.print(total, listing, common)
    }
}
