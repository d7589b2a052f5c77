//! `phutbase theory`: claims about the games, checked against exact values.

mod dawson;
mod forward;
mod laws;
mod literature;

use super::{Effect, Verb, not_for, strips, without_tables};
use clap::{Args, Subcommand};
use phutbase_ask::BoardsLabel;
use phutbase_base::object;
use phutbase_terminal::{CommandError, GlobalOptions, expect_none, monitor, print_result};
use phutbase_theory::claim::Claim;
use serde::Serialize;

/// Check claims about the games against exact values
#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory oddish oddish:2..18   Theorem 1 of Grossman & Nowakowski
  phutbase theory generalized 3..16     their generalized potential
  phutbase theory forward 22..48        how many backward turns a win needs
  phutbase theory dawson --max 1000     Obstruction on rows, with its period")]
pub struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// Check GN Theorem 1, GN Lemma 2 and the proof's strategy of Oddish Phutball, on every
    /// position
    Oddish(literature::Oddish),
    /// Explain the errors of Grossman & Nowakowski's generalized potential
    Generalized(literature::GeneralizedPotential),
    /// Find positions where an extra stone, or a shorter way to the goal, hurts; list empty strips
    Monotonicity(literature::Monotonicity),
    /// Count the turns behind the ball that Left needs to win
    Forward(forward::Arguments),
    /// Decide for all lengths if other squares around the ball keep Left's wins
    Replace(laws::Replace),
    /// Check for all lengths that one stone takes back every turn that is not proper
    Reversible(laws::Reversible),
    /// Print the nimbers of Obstruction on a row (Dawson's chess), and prove their period
    Dawson(dawson::Arguments),
}

impl Verb for Arguments {
    fn effects(&self, common: &GlobalOptions) -> Vec<Effect> {
        match self.question {
            Question::Oddish(_) | Question::Replace(_) | Question::Reversible(_) | Question::Dawson(_) => {
                vec![without_tables(common)]
            }
            Question::Generalized(_) | Question::Monotonicity(_) | Question::Forward(_) => Vec::new(),
        }
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        let runner = Runner { common, memory: None };
        match &self.question {
            Question::Oddish(claims) => claims.run(runner),
            Question::Generalized(claim) => claim.run(runner),
            Question::Monotonicity(claim) => claim.run(runner),
            Question::Forward(arguments) => forward::run(arguments, runner),
            Question::Replace(claim) => claim.run(runner),
            Question::Reversible(claim) => claim.run(runner),
            Question::Dawson(arguments) => dawson::run(arguments, common),
        }
    }
}

/// Checks claims, and prints what is found.
#[derive(Clone, Copy)]
struct Runner<'a> {
    common: &'a GlobalOptions,
    /// Memory limit in bytes; `None` without one.
    memory: Option<u64>,
}

impl Runner<'_> {
    fn within(self, memory: u64) -> Self {
        Runner {
            memory: Some(memory),
            ..self
        }
    }

    /// Checks a claim for each size, with progress on stderr, and prints each answer when it is ready.
    ///
    /// # Errors
    /// The claim fails for some size.
    fn check(
        self,
        claim: &mut impl Claim,
        sizes: impl IntoIterator<Item = usize>,
    ) -> Result<(), CommandError> {
        let [before, after] = claim.unit();
        let mut failed = Vec::new();
        for size in sizes {
            let title = format!("{before}{size}{after}");
            let label = (claim.boards(size)).map(|(boards, rules)| BoardsLabel::new(&boards, rules));
            let found = monitor::run(title, self.memory, |job| claim.check(size, job))?;
            let mut words = format!("{before}{size:>3}{after}: {}", found.words);
            for line in found.lines {
                words += &format!("\n  {line}");
            }
            let object = object! {
                #[serde(flatten)]
                label: label,
                #[serde(flatten)]
                fields: found.fields,
            };
            self.print_result(&object, &words)?;
            if !found.holds {
                failed.push(size.to_string());
            }
        }
        let what = if after.is_empty() { " squares" } else { after };
        expect_none(&failed, ", ", |failed| {
            CommandError::Failure(format!("it fails at {failed}{what}"))
        })
    }

    fn print_result(self, object: &impl Serialize, words: &str) -> Result<(), CommandError> {
        print_result(self.common.json, object, |out| writeln!(out, "{words}"))
    }
}
