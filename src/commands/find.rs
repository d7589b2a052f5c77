//! `phutbase find`: positions of a value, a depth and a pattern.

use super::options::Span;
use super::output::{BigCount, CommandError, grouped, json_line, stdout};
use super::{Common, Verb, not_for, one_length};
use crate::answer::{Answer, BoardsLabel};
use crate::diagram::pattern::Pattern;
use crate::games::{Boards, Rules};
use crate::outcome::{ParseError, Side, Wdl};
use crate::table::strip::find::{FindError, Query, Uniform, find};
use clap::Args;
use num_bigint::BigUint;
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase find 32 --value loss --depth 50..52
  phutbase find 64 --value win --pattern \"*o@?oo*\" --sample 5   random
  phutbase find 24 --value loss --ball 11 --stones 0..3
  phutbase find 24 --side right --limit 100 --json")]
pub struct Arguments {
    /// Strips of one length
    boards: Boards,
    /// Select the value for the player to move: win, loss or draw [default: any]
    #[arg(long, value_name = "VALUE")]
    value: Option<Wdl>,
    /// Select the plies to the end: a number, or a range such as 30..34 (both ends count) [default:
    /// any]
    #[arg(long, value_name = "D|A..B")]
    depth: Option<Span>,
    /// Select the square of the ball, counted from 0: a number or a range [default: any]
    #[arg(long, value_name = "B|A..B")]
    ball: Option<Span>,
    /// Select the number of stones: a number or a range [default: any]
    #[arg(long, value_name = "S|A..B")]
    stones: Option<Span>,
    /// Match a pattern: '.', 'o' and '@' as in positions, '?' for anything, '*' for any number of
    /// squares
    #[arg(long, value_name = "PATTERN", default_value = "*")]
    pattern: String,
    /// Select the player to move: left or right
    #[arg(long, value_name = "SIDE", default_value = "left")]
    side: Side,
    /// List at most K positions
    #[arg(long, value_name = "K", default_value_t = 10)]
    limit: usize,
    /// List K uniformly random positions instead of the first ones (repetition is possible)
    #[arg(long, value_name = "K", conflicts_with = "limit")]
    sample: Option<usize>,
    /// Set the seed of --sample; the same seed gives the same positions
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,
}

/// Returns true if a win or a loss can take any of these numbers of plies.
fn possible(depths: &Span, value: Option<Wdl>) -> bool {
    (depths.0.clone()).any(|plies| match value {
        Some(Wdl::Win) => plies % 2 == 1,
        Some(Wdl::Loss) => plies > 0 && plies.is_multiple_of(2),
        Some(Wdl::Draw) => false,
        None => plies > 0,
    })
}

#[derive(Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    label: BoardsLabel,
    side: String,
    value: Option<String>,
    /// The first and last of each range asked for; null for any.
    depth_range: Option<[u16; 2]>,
    ball_range: Option<[usize; 2]>,
    stones_range: Option<[usize; 2]>,
    pattern: &'a str,
    count: BigCount,
    listed: BigCount,
}

impl Arguments {
    fn query(&self, length: usize) -> Result<Query, CommandError> {
        if let Some(depths) = &self.depth
            && !possible(depths, self.value)
        {
            return Err(CommandError::usage(
                "--depth: wins take an odd number of plies, losses an even number from 2, and draws have no depth",
            ));
        }
        let wrong = |option| move |error: ParseError| CommandError::Usage(format!("--{option}: {error}"));
        let mut pattern = Pattern::parse(&self.pattern, length).map_err(wrong("pattern"))?;
        if let Some(balls) = &self.ball {
            pattern = pattern.with_ball(balls.0.clone()).map_err(wrong("ball"))?;
        }
        if let Some(stones) = &self.stones {
            pattern = pattern.with_stones(stones.0.clone()).map_err(wrong("stones"))?;
        }
        Ok(Query {
            value: self.value,
            depth: self.depth.as_ref().map(Span::plies),
            side: self.side,
            pattern,
        })
    }
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let length = one_length(&self.boards).ok_or_else(|| match &self.boards {
            Boards::Strips(_) => CommandError::Usage(format!(
                "find takes the strips of one length, not {}",
                self.boards
            )),
            other => not_for("find", other, "the strips of one length, such as 32"),
        })?;
        let query = self.query(length)?;
        let tables = common.tables()?;
        let (table, sets) = match query.depth {
            Some(_) => tables.ask_depths(length, |table| Ok((table, table.sets(length)?)))?,
            None => tables.ask(length, |table| Ok((table, table.sets(length)?)))?,
        };
        let found = find(&sets, &query).map_err(|error| match error {
            FindError::Table(error) => error.into(),
            error => CommandError::usage(error),
        })?;
        let mut picker = found.members();
        let total = picker.total();
        let random = self.sample.map(|_| Uniform::new(self.seed));
        let listing = picker.list(self.sample.unwrap_or(self.limit), random);
        let listed = BigUint::from(listing.len());
        let mut out = stdout();
        if common.json {
            json_line(&mut out, &self.summary(&query, &total, &listed))?;
        }
        // Printed as found: there may be very many.
        for strip in listing {
            let verdict = table.verdict(&strip)?;
            if common.json {
                json_line(&mut out, &Answer::new(&strip.into(), verdict))?
            } else {
                writeln!(out, "{strip}  {verdict}")?
            }
        }
        if !common.json {
            let more = match self.sample {
                _ if listed == BigUint::ZERO => String::new(),
                Some(_) => format!("; listed: {} of them, at random", grouped(&listed)),
                None => format!("; listed: the first {}", grouped(&listed)),
            };
            let mover = match self.side {
                Side::Left => "Left",
                Side::Right => "Right",
            };
            if total == BigUint::ZERO {
                writeln!(out, "no matching positions with {mover} to move")?
            } else {
                writeln!(out, "{} positions, {mover} to move{more}", grouped(&total))?
            }
        }
        Ok(out.flush()?)
    }
}

impl Arguments {
    fn summary(&self, query: &Query, total: &BigUint, listed: &BigUint) -> Summary<'_> {
        Summary {
            label: BoardsLabel::new(&self.boards, Rules::Ordinary),
            side: query.side.to_string(),
            value: query.value.map(|value| value.to_string()),
            depth_range: query.depth.as_ref().map(|depth| [*depth.start(), *depth.end()]),
            ball_range: self.ball.as_ref().map(Span::ends),
            stones_range: self.stones.as_ref().map(Span::ends),
            pattern: &self.pattern,
            count: BigCount(total.clone()),
            listed: BigCount(listed.clone()),
        }
    }
}
