//! `phutbase find`: positions of a value, a depth and a pattern.

use super::options::Span;
use super::output::{BigCount, CommandError, grouped, json_line, stdout};
use super::{Common, Verb, not_for, one_length};
use crate::answer::Answer;
use crate::diagram::pattern::Pattern;
use crate::games::boards::Boards;
use crate::outcome::{ParseError, Side, Wdl};
use crate::theory::find::{FindError, Query, Uniform, find};
use clap::Args;
use num_bigint::BigUint;
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase find 32 --value loss --depth 50..52               how many there are, and the first ones
  phutbase find 64 --value win --pattern \"*o@?oo*\" --sample 5   uniformly random ones
  phutbase find 24 --value loss --ball 11 --stones 0..3      the ball on square 11, and few stones
  phutbase find 24 --side right --limit 100 --json")]
pub struct Arguments {
    /// The strips of one length
    boards: Boards,
    /// The value for the player to move: win, loss or draw [default: any]
    #[arg(long, value_name = "VALUE")]
    value: Option<Wdl>,
    /// Plies to the end: a number, or a range such as 30..34 (both ends count) [default: any]
    #[arg(long, value_name = "D|A..B")]
    depth: Option<Span>,
    /// The square of the ball, counted from 0: a number or a range [default: any]
    #[arg(long, value_name = "B|A..B")]
    ball: Option<Span>,
    /// The number of stones: a number or a range [default: any]
    #[arg(long, value_name = "S|A..B")]
    stones: Option<Span>,
    /// What stands where: '.', 'o' and '@' as in positions, '?' for anything, '*' for any number of squares
    #[arg(long, value_name = "PATTERN", default_value = "*")]
    pattern: String,
    /// The player to move: left or right
    #[arg(long, value_name = "SIDE", default_value = "left")]
    side: Side,
    /// List at most K positions
    #[arg(long, value_name = "K", default_value_t = 10)]
    limit: u64,
    /// List K uniformly random positions instead of the first ones (the same may come twice)
    #[arg(long, value_name = "K", conflicts_with = "limit")]
    sample: Option<u64>,
    /// Seed of --sample: the same seed, the same positions
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,
}

/// Whether a win or a loss can take any of these numbers of plies.
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
    game: &'static str,
    boards: String,
    side: String,
    value: Option<String>,
    /// The least and the most plies asked for.
    depths: Option<[u16; 2]>,
    /// The first and the last square of the ball asked for.
    ball: Option<[usize; 2]>,
    /// The fewest and the most stones asked for.
    stones: Option<[usize; 2]>,
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
                "--depth: a win takes an odd number of plies from 1, a loss an even one from 2, and a draw has no depth",
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
                "find looks in one length at a time, not in {}",
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
        let listed = match self.sample {
            Some(_) if total == BigUint::ZERO => 0u8.into(),
            Some(count) => BigUint::from(count),
            None => total.clone().min(self.limit.into()),
        };
        let mut out = stdout();
        if common.json {
            json_line(&mut out, &self.summary(&query, &total, &listed))?;
        }
        // Each is printed as it is found: there may be very many.
        let mut random = Uniform::new(self.seed);
        let mut place = BigUint::ZERO;
        while place < listed {
            let strip = match self.sample {
                Some(_) => picker.nth(&random.below(&total)),
                None => picker.nth(&place),
            };
            let strip = strip.expect("a place below the number of positions");
            let verdict = table.verdict(&strip)?;
            match common.json {
                true => json_line(&mut out, &Answer::new(&strip.into(), verdict))?,
                false => writeln!(out, "{strip}  {verdict}")?,
            }
            place += 1u8;
        }
        if !common.json {
            let more = match self.sample {
                Some(_) => format!("{} of them, at random", grouped(&listed)),
                None => format!("the first {}", grouped(&listed)),
            };
            let mover = match self.side {
                Side::Left => "Left",
                Side::Right => "Right",
            };
            let total = grouped(&total);
            writeln!(out, "{total} positions, {mover} to move; listed: {more}")?;
        }
        Ok(out.flush()?)
    }
}

impl Arguments {
    fn summary(&self, query: &Query, total: &BigUint, listed: &BigUint) -> Summary<'_> {
        Summary {
            game: self.boards.game(),
            boards: self.boards.to_string(),
            side: query.side.to_string(),
            value: query.value.map(|value| value.to_string()),
            depths: query.depth.as_ref().map(|depth| [*depth.start(), *depth.end()]),
            ball: self.ball.as_ref().map(Span::ends),
            stones: self.stones.as_ref().map(Span::ends),
            pattern: &self.pattern,
            count: BigCount(total.clone()),
            listed: BigCount(listed.clone()),
        }
    }
}
