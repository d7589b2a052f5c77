//! `phutbase theory first-draw`: where a draw on the least length with one would be.

use super::super::output::{BigCount, CommandError, grouped, no_tables, object};
use super::{Asked, in_range};
use crate::answer::BoardsLabel;
use crate::commands::options::span;
use crate::theory::first_draw::{MAX_LENGTH, count, sample};
use clap::Args;
use num_bigint::BigUint;
use std::ops::RangeInclusive;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory first-draw 129
  phutbase theory first-draw 129..136 --sample 500
  phutbase theory first-draw 129 --json --limit 20")]
pub struct Arguments {
    /// Lengths beyond the longest table: a number or a range
    #[arg(value_parser = span)]
    lengths: RangeInclusive<u16>,
    /// Examine K random boards that satisfy the conditions
    #[arg(long, value_name = "K", default_value_t = 2000)]
    sample: usize,
    /// Set the seed of the sample
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Show at most K boards that are left
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

pub fn run(arguments: &Arguments, asked: Asked<'_>) -> Result<(), CommandError> {
    let tables = asked.common.tables()?;
    let longest = (tables.longest_strips(false)).ok_or_else(|| no_tables(&tables))?;
    let [first, last] = [arguments.lengths.start(), arguments.lengths.end()].map(|&end| end.into());
    in_range("lengths", first, longest + 1, MAX_LENGTH)?;
    in_range("lengths", last, first, MAX_LENGTH)?;
    for length in first..=last {
        let candidates = count(length);
        let all = BigUint::from(length - 2) << (length - 1);
        let found = sample(&tables, length, arguments.sample, arguments.seed)?;
        let examples: Vec<String> = found
            .left
            .iter()
            .take(arguments.limit)
            .map(ToString::to_string)
            .collect();
        let mut words = format!(
            "length {length}: {} of {} boards with Left to move satisfy the conditions\n  of {} of them at random, windows of {longest} squares decide {}, the tempo excludes {}, a search decides {}; {} are left",
            grouped(&candidates),
            grouped(&all),
            arguments.sample,
            found.by_windows,
            found.by_tempo,
            found.by_search,
            found.left.len()
        );
        for example in &examples {
            words += &format!("\n  {example}");
        }
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::strip(length),
            positions: BigCount(all),
            /// Boards with Left to move without a closed beginning that Theorem F does not decide.
            candidates: BigCount(candidates),
            sample: arguments.sample,
            seed: arguments.seed,
            /// Boards of the sample that windows decide, that the tempo excludes, and that a search
            /// decides; then the rest.
            by_windows: found.by_windows,
            by_tempo: found.by_tempo,
            by_search: found.by_search,
            left: found.left.len(),
            examples: examples,
        };
        asked.print_result(&object, &words)?;
    }
    Ok(())
}
