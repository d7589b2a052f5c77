//! `phutbase theory generalized`: the generalized potential against the strip, length by length.

use super::{Runner, in_range, of_length, strips};
use clap::Args;
use phutbase_answer::{BoardsLabel, object};
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::{Strip, positions};
use phutbase_table::Metric;
use phutbase_terminal::output::CommandError;
use phutbase_theory::exact::diagrams::{Diagrams, MAX_LENGTH};
use phutbase_theory::exact::trie::Tries;
use phutbase_theory::generalized::{Cause, CauseCount, Group, TurnKind, count_by_classes, mismatches};
use phutbase_theory::values::AllValues;

/// Maximum length whose mismatches are explained.
const MAX_CAUSES: usize = 22;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory generalized 3..16   mismatches and their causes
  phutbase theory generalized 3..40   only counts beyond 16
  phutbase theory generalized 9 --limit 10 --json")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "3..16")]
    boards: Boards,
    /// Show examples and the cause of every mismatch, up to length N
    #[arg(long, value_name = "N", default_value_t = 16)]
    causes_length: usize,
    /// Show at most K examples of each kind
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let lengths = strips("theory generalized", &arguments.boards, MAX_LENGTH)?;
    in_range("causes-length", arguments.causes_length, 0, MAX_CAUSES)?;
    let tables = runner.common.tables()?;
    let answer = |length, job: &Job| {
        let diagrams = tables.ask_strips(length, None, |table| Diagrams::of(&table.sets(length)?))?;
        let counts = count_by_classes(&diagrams, &mut Tries::default())
            .map_err(|error| CommandError::Failure(format!("length {length}: {error}")))?;
        let all = positions(length);
        let wrong = counts.false_wins + counts.false_losses;
        let mut words = format!(
            "length {length:>2}: wrong on {} of {} positions ({} predicted wins are losses, {} predicted losses are wins)",
            grouped(wrong),
            grouped(&all),
            grouped(counts.false_wins),
            grouped(counts.false_losses),
        );
        let (mut examples, mut causes) = ([Vec::new(), Vec::new()], None);
        if length <= arguments.causes_length {
            let values = tables.ask_strips(length, Some(Metric::Dtw), |table| {
                AllValues::of(&table.sets(length)?)
            })?;
            let found = mismatches(&values, arguments.limit, job)?;
            examples = [&found.false_wins, &found.false_losses]
                .map(|strips| strips.iter().map(Strip::to_string).collect());
            for (predicted, examples) in ["win", "loss"].iter().zip(&examples) {
                if !examples.is_empty() {
                    words += &format!("\n  predicted {predicted}: {}", examples.join("  "));
                }
            }
            let cause = |(group, found): (&Group, &CauseCount)| {
                let cause = named(group.cause);
                words += &format!("\n  {:>8}  {cause}", grouped(found.count));
                if let Some((start, (own, other))) = &group.root {
                    words += &format!("; own half {start}…, potentials {own} against {other}");
                }
                words += &format!("; first {}", found.first);
                object! {
                    cause: cause,
                    /// The start of the mover's half and both potentials; null if inherited.
                    own_begins: group.root.map(|(start, _)| start.to_string()),
                    potentials: group.root.map(|(_, potentials)| potentials),
                    count: Count::<u64>(found.count),
                    example: found.first.to_string(),
                }
            };
            causes = Some(found.causes.iter().map(cause).collect::<Vec<_>>());
        }
        let [predicted_win_examples, predicted_loss_examples] = examples;
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::strip(length),
            positions: Count(all),
            mismatches: Count(wrong),
            predicted_win_is_loss: Count(counts.false_wins),
            predicted_loss_is_win: Count(counts.false_losses),
            /// The first examples by ball square and pattern.
            predicted_win_examples: predicted_win_examples,
            predicted_loss_examples: predicted_loss_examples,
            /// Null if not searched for.
            causes: causes,
        };
        Ok((object, words))
    };
    runner.each(lengths, of_length, answer)
}

fn named(cause: Cause) -> String {
    let turn = |kind| match kind {
        TurnKind::OwnStone => "a stone on the own side",
        TurnKind::OtherStone => "a stone on the other side",
        TurnKind::Forward => "a jump forward",
        TurnKind::Backward => "a jump backward",
    };
    match cause {
        Cause::NoGain { zero: true } => {
            "predicted win: own potential 0, but no jump gains the lead".to_string()
        }
        Cause::NoGain { zero: false } => "predicted win: no turn gains the lead".to_string(),
        Cause::FarGain(kind) => format!("predicted loss: {} gains more than it should", turn(kind)),
        Cause::FalseHope(kind) => format!("predicted win: inherited, {} leads to a mismatch", turn(kind)),
        Cause::HiddenWin(kind) => format!("predicted loss: inherited, {} leads to a mismatch", turn(kind)),
    }
}
