//! `phutbase theory potential`: the exact potential, length by length.

use super::{Runner, strips};
use clap::Args;
use phutbase_ask::BoardsLabel;
use phutbase_base::digits::grouped;
use phutbase_base::object;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_rules::{Boards, Rules};
use phutbase_terminal::output::CommandError;
use phutbase_theory::exact::diagrams::MAX_LENGTH;
use phutbase_theory::exact::explain::Exact;
use phutbase_theory::exact::{ExactPotential, PairClass};
use phutbase_theory::generalized::potential_map;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory potential         strips of 3 to 22 squares
  phutbase theory potential 3..54   all lengths known to have one
  phutbase theory potential 3..12 --json")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "3..22")]
    boards: Boards,
}

pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let lengths = strips("theory potential", &arguments.boards, MAX_LENGTH)?;
    let last = *lengths.end();
    if *lengths.start() != MIN_LENGTH {
        return Err(CommandError::Usage(format!(
            "theory potential needs all lengths from {MIN_LENGTH}; write {MIN_LENGTH}..{last}"
        )));
    }
    let tables = runner.common.tables()?;
    let mut claim = Exact::new(&tables);
    runner.check(&mut claim, lengths)?;
    let (potential, first_cycle) = (claim.potential, claim.first_cycle);
    let mut potential = potential.expect("there is a length");
    for half_length in 1..=potential.max_half() {
        print_half(&mut potential, half_length, runner)?;
    }
    print_summary(&mut potential, &arguments.boards, first_cycle, runner)
}

fn print_summary(
    potential: &mut ExactPotential,
    boards: &Boards,
    first_cycle: Option<usize>,
    runner: Runner<'_>,
) -> Result<(), CommandError> {
    let wide = (1..=potential.max_half()).find_map(|half_length| {
        let classes = potential.classes(half_length).into_iter();
        classes
            .filter(|class| class.kappa < class.lambda)
            .map(|class| class.smallest)
            .min()
    });
    let mut words =
        format!("lengths {boards}: the mover wins exactly if κ(own half) ≤ λ(other half)\nκ = λ is enough ");
    words += &match first_cycle {
        None => "for all these lengths".to_string(),
        Some(length) => format!("up to length {} and no further", length - 1),
    };
    if let Some(half) = &wide {
        words += &format!("\nthe first half strip with κ < λ among the least numbers: {half}");
    }
    let object = object! {
        kind: "summary",
        #[serde(flatten)]
        label: BoardsLabel::new(boards, Rules::Ordinary),
        /// The first half strip, by length and then by pattern, with κ < λ.
        first_with_two_numbers: wide.map(|half| half.to_string()),
        first_cycle: first_cycle,
    };
    runner.print_result(&object, &words)
}

fn print_half(
    potential: &mut ExactPotential,
    half_length: usize,
    runner: Runner<'_>,
) -> Result<(), CommandError> {
    let states = potential.states(half_length);
    let mut words = format!("half strips of {half_length} squares, states from the goal line {states:?}");
    let cross = |(generalized, class): (u32, PairClass)| {
        words += &format!(
            "\n  generalized potential {generalized:>2}, κ {:>2}, λ {:>2}: {:>14}, the smallest {}",
            class.kappa,
            class.lambda,
            grouped(class.size.0),
            class.smallest
        );
        object! { generalized: generalized, #[serde(flatten)] class: class }
    };
    let cross = (potential.against(half_length, &potential_map).into_iter()).map(cross);
    let cross: Vec<_> = cross.collect();
    let object = object! {
        kind: "half",
        half_length: half_length,
        classes: potential.classes(half_length),
        /// States of the minimal automaton from the goal line on: before the first square, after
        /// it, …
        states: states,
        cross: cross,
    };
    runner.print_result(&object, &words)
}
