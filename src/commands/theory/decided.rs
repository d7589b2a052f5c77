//! `phutbase theory decided`: the shares of random boards that each rule decides.

use super::Runner;
use clap::Args;
use phutbase_answer::{BoardsLabel, object};
use phutbase_rules::strip::{LONGEST, MIN_LENGTH};
use phutbase_terminal::output::CommandError;
use phutbase_theory::decided::decided;

/// Maximum number of squares of all boards of a length together, which bounds the memory.
const MAX_SQUARES: usize = 1 << 31;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory decided                145, 160, 256, 512 and 1000 squares
  phutbase theory decided 160 --trials 20000
  phutbase theory decided 2000 4000 --json")]
pub struct Arguments {
    /// Lengths of strips, up to 10,000,000 squares
    #[arg(default_values_t = [145, 160, 256, 512, 1000])]
    lengths: Vec<usize>,
    /// Decide K random boards of each length
    #[arg(long, value_name = "K", default_value_t = 2000)]
    trials: usize,
    /// Set the seed; the same seed gives the same boards
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let tables = runner.common.tables()?;
    for &length in &arguments.lengths {
        super::in_range("lengths", length, MIN_LENGTH, LONGEST)?;
        super::in_range("trials", arguments.trials, 1, MAX_SQUARES / length)?;
    }
    for &length in &arguments.lengths {
        let found = decided(&tables, length, arguments.trials, arguments.seed)?;
        let share = |boards: usize| 100.0 * boards as f64 / arguments.trials as f64;
        let all = share(arguments.trials - found.undecided);
        let words = format!(
            "length {length:>4}: decided {all:.2} %: forward value {:.2} %, table {:.2} %, window {:.2} %, search {:.2} %",
            share(found.forward),
            share(found.table),
            share(found.window),
            share(found.search)
        );
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::strip(length),
            trials: arguments.trials,
            seed: arguments.seed,
            /// Numbers of boards by the rule that decides them.
            forward: found.forward,
            table: found.table,
            window: found.window,
            search: found.search,
            undecided: found.undecided,
        };
        runner.print_result(&object, &words)?;
    }
    Ok(())
}
