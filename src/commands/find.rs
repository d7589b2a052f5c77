//! `phutbase find`: positions of a value, a depth and a pattern.

use super::options::span;
use super::{Effect, Verb, cycles, not_for};
use clap::Args;
use num_bigint::BigUint;
use phutbase_ask::sources::Sources;
use phutbase_ask::{Answer, BoardsLabel};
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::game::Game;
use phutbase_base::object;
use phutbase_base::outcome::{ParseError, Side, Wdl};
use phutbase_base::random::Uniform;
use phutbase_generate::plan::check_strip_memory;
use phutbase_machine::space::free_memory;
use phutbase_rules::pitch::{Shape, side_name};
use phutbase_rules::{Boards, Rules};
use phutbase_sets::pattern::Pattern;
use phutbase_table::queries::find::{FindError, Query, SolvedSets, find_within};
use phutbase_table::queries::pitches::PitchQuery;
use phutbase_table::{Metric, StripTable};
use phutbase_terminal::common::Common;
use phutbase_terminal::monitor;
use phutbase_terminal::options::{ByRules, word};
use phutbase_terminal::output::{CommandError, json_line, stdout};
use std::io::Write;
use std::ops::RangeInclusive;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase find 32 --value loss --depth 50..52
  phutbase find 64 --value win --pattern \"*o@?oo*\" --sample 5   random
  phutbase find 24 --value loss --ball 11 --stones 0..3
  phutbase find 7x3 --value draw --cycles                the draws of a pitch
  phutbase find 24 --side right --limit 100 --json")]
pub struct Arguments {
    /// Strips of one length, or a pitch
    boards: Boards,
    /// Select the value for the player to move: win, loss or draw [default: any]
    #[arg(long, value_name = "VALUE", value_parser = word::<Wdl>(&["win", "loss", "draw"]), hide_possible_values = true)]
    value: Option<Wdl>,
    /// Select the plies to the end: a number, or a range such as 30..34 (both ends count) [default:
    /// any]
    #[arg(long, value_name = "D|A..B", value_parser = span)]
    depth: Option<RangeInclusive<u16>>,
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
    #[arg(long, value_name = "SIDE", default_value = "left", value_parser = word::<Side>(&["left", "right"]), hide_possible_values = true)]
    side: Side,
    /// List at most K positions; 0 only counts them
    #[arg(long, value_name = "K", default_value_t = 10)]
    limit: usize,
    /// List K distinct, uniformly random positions instead of the first ones
    #[arg(long, value_name = "K", conflicts_with = "limit", value_parser = sample_size)]
    sample: Option<usize>,
    /// Set the seed of --sample; the same seed gives the same positions
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// List the draws of a pitch with Alfred to move up to reflection, each with a cycle of perfect
    /// play; needs '--value draw'
    #[arg(long, conflicts_with_all = ["sample", "depth", "stones", "side"])]
    cycles: bool,
    #[command(flatten)]
    by: ByRules,
}

fn sample_size(text: &str) -> Result<usize, &'static str> {
    let size = text.parse().ok().filter(|&size| size > 0);
    size.ok_or("write a number of positions from 1")
}

/// Returns true if a win or a loss can take any of these numbers of plies.
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
const MAX_KEPT: u64 = 1 << 22;

impl Arguments {
    /// Searches a pitch, which reads every value.
    fn pitch(&self, shape: Shape, common: &Common) -> Result<(), CommandError> {
        self.expect_possible()?;
        if self.cycles {
            return cycles::run(shape, self.by.rules, self.limit, common);
        }
        let tables = common.tablebase(self.by.rules)?;
        let table = tables.ask_pitch(shape, Ok)?;
        let kept = table
            .game()
            .positions()
            .min(self.sample.unwrap_or(self.limit) as u64);
        if kept > MAX_KEPT {
            return Err(CommandError::Usage(format!(
                "{}: more than {} positions of a pitch are not listed; 'phutbase export {shape}' writes all",
                if self.sample.is_some() {
                    "--sample"
                } else {
                    "--limit"
                },
                grouped(MAX_KEPT)
            )));
        }
        let query = PitchQuery {
            value: self.value,
            depth: self.depth.clone(),
            stones: self.stones.clone(),
            side: self.side,
            most: self.sample.unwrap_or(self.limit),
            seed: self.sample.map(|_| self.seed),
        };
        let found = monitor::run(self.boards.words(), None, |job| query.find(table, job))?;
        let mut out = stdout();
        if common.json {
            let object = object! {
                #[serde(flatten)]
                label: BoardsLabel::new(&self.boards, self.by.rules),
                side: if self.side == Side::Left { "alfred" } else { "betty" },
                value: self.value.map(Wdl::word),
                depth_range: ends(&self.depth),
                stones_range: ends(&self.stones),
                count: Count::<u64>(found.count),
                listed: Count(found.listed.len() as u64),
            };
            json_line(&mut out, &object)?;
        }
        for &index in &found.listed {
            let pitch = query.position(table, index);
            let value = table.value(&pitch)?;
            if common.json {
                json_line(&mut out, &Answer::new(&pitch.into(), Some(value.into())))?;
            } else {
                writeln!(out, "{pitch}  {value}")?;
            }
        }
        let counts = [&found.count.into(), &found.listed.len().into()];
        self.summary(&mut out, common.json, counts, side_name(self.side))
    }

    /// Prints how many positions match and how many of them are listed. Fails if none matches.
    fn summary(
        &self,
        out: &mut impl Write,
        json: bool,
        [total, listed]: [&BigUint; 2],
        mover: &str,
    ) -> Result<(), CommandError> {
        if *total == BigUint::ZERO {
            out.flush()?;
            return Err(CommandError::Failure(format!(
                "no matching positions with {mover} to move"
            )));
        }
        let more = match self.sample {
            _ if *listed == BigUint::ZERO => String::new(),
            Some(_) => format!("; listed: {} of them, at random", grouped(listed)),
            None => format!("; listed: the first {}", grouped(listed)),
        };
        if !json {
            writeln!(out, "{} positions, {mover} to move{more}", grouped(total))?;
        }
        Ok(out.flush()?)
    }
}

/// Returns the ends of a range, for JSON.
fn ends(range: &Option<RangeInclusive<u16>>) -> Option<[u16; 2]> {
    range.as_ref().map(|range| [*range.start(), *range.end()])
}

impl Verb for Arguments {
    fn effects(&self, _: &Common) -> Vec<Effect> {
        let is_pitch = matches!(self.boards, Boards::Pitch(_));
        let are_draws = is_pitch && self.value == Some(Wdl::Draw);
        vec![
            (self.cycles && !are_draws, "cycles", "pitches with '--value draw'"),
            (is_pitch && self.ball.is_some(), "ball", "strips"),
            (is_pitch && self.pattern != "*", "pattern", "strips"),
            self.by.only_pitches(Some(&self.boards)),
        ]
    }

    fn run(&self, common: &Common) -> Result<(), CommandError> {
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
        let memory = Some(free_memory());
        let found = monitor::run(self.boards.words(), memory, |job| {
            let found = match &query.depth {
                None => {
                    check_strip_memory(length, Metric::Wdl, job.memory())?;
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
                error => CommandError::usage(error),
            })
        })?;
        let counted = monitor::run(self.boards.words(), memory, |job| {
            job.note("their number").map(|()| found.members())
        });
        let mut picker = counted?;
        let total = picker.total();
        let random = self.sample.map(|_| Uniform::new(self.seed));
        let listing = picker.list(self.sample.unwrap_or(self.limit), random);
        if self.sample.is_some() && listing.len() as u64 > MAX_KEPT {
            return Err(CommandError::Usage(format!(
                "--sample: more than {} positions of a strip are not drawn; '--limit' lists any number",
                grouped(MAX_KEPT)
            )));
        }
        let listed = BigUint::from(listing.len());
        let mut out = stdout();
        if common.json {
            json_line(
                &mut out,
                &object! {
                    #[serde(flatten)]
                    label: BoardsLabel::new(&self.boards, Rules::Ordinary),
                    side: self.side.word(),
                    value: self.value.map(Wdl::word),
                    /// The first and last of each range asked for; null for any.
                    depth_range: ends(&self.depth),
                    ball_range: ends(&self.ball),
                    stones_range: ends(&self.stones),
                    pattern: &self.pattern,
                    count: Count(total.clone()),
                    listed: Count(listed.clone()),
                },
            )?;
        }
        // Printed as found: there may be very many.
        for strip in listing {
            let verdict = sources.verdict(&strip.into())?;
            if common.json {
                json_line(&mut out, &Answer::new(&strip.into(), Some(verdict)))?
            } else {
                writeln!(out, "{strip}  {verdict}")?
            }
        }
        let mover = match self.side {
            Side::Left => "Left",
            Side::Right => "Right",
        };
        self.summary(&mut out, common.json, [&total, &listed], mover)
    }
}
