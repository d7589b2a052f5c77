//! `phutbase theory replace` and `reversible`: laws of this project, decided for every length.

use super::Runner;
use crate::commands::options::span;
use clap::Args;
use phutbase_base::object;
use phutbase_terminal::CommandError;
use phutbase_theory::replace::{Exception, LawStatus, Replacement, SEARCHED};
use phutbase_theory::reversible;
use std::ops::RangeInclusive;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory replace '.o@' '@o.'
  phutbase theory replace o@ .@             the stone next to the ball does not help Left
  phutbase theory replace '|....' '|o...'   the same at the left end, whatever follows
  phutbase theory replace o@. .o@ --json    a law that fails")]
pub struct Replace {
    /// Squares around the ball, such as '.o@'; with '|' in front at the left end only
    pattern: String,
    /// Squares in their place
    replacement: String,
}

impl Replace {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        let law = Replacement::parse(&self.pattern, &self.replacement).map_err(CommandError::usage)?;
        let answer = law.answer();
        let examples = match &answer {
            LawStatus::Fails(examples) => examples.iter().flatten().collect(),
            LawStatus::Holds | LawStatus::Open => Vec::new(),
        };
        let lost = |exception: &&Exception| exception.lost.to_string();
        let mut words = match answer {
            LawStatus::Holds => "Left's wins are kept on strips of every length".to_string(),
            LawStatus::Open => {
                format!("not decided; no win is lost with up to {SEARCHED} squares behind the words")
            }
            LawStatus::Fails(_) => "Left's wins are lost, first on these boards:".to_string(),
        };
        for Exception { won, lost } in &examples {
            words += &format!("\n  Left wins {won} and loses {lost}");
        }
        let holds = match answer {
            LawStatus::Holds => Some(true),
            LawStatus::Fails(_) => Some(false),
            LawStatus::Open => None,
        };
        let object = object! {
            pattern: self.pattern.clone(),
            replacement: self.replacement.clone(),
            /// `null` if it was not decided.
            holds: holds,
            /// The shortest boards whose win is lost, one for each player to move that has any.
            examples: examples.iter().map(|found| found.won.to_string()).collect::<Vec<_>>(),
            /// The same boards with the replacement.
            replaced: examples.iter().map(lost).collect::<Vec<_>>(),
        };
        runner.print_result(&object, &words)?;
        match holds {
            Some(true) => Ok(()),
            Some(false) => Err(CommandError::failure("the law fails")),
            None => Err(CommandError::failure("the law was not decided")),
        }
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory reversible   1 to 13 squares
  phutbase theory reversible 8
  phutbase theory reversible 9 --json")]
pub struct Reversible {
    /// Squares behind the ball, with any contents: a number or a range
    #[arg(default_value = "1..13", value_parser = span)]
    squares: RangeInclusive<u16>,
    /// Show at most K turns that nothing takes back
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

impl Reversible {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        let [first, last] = [self.squares.start(), self.squares.end()].map(|&end| usize::from(end));
        if first < 1 || last > reversible::MAX_SQUARES {
            let most = reversible::MAX_SQUARES;
            return Err(CommandError::Usage(format!(
                "SQUARES {first}..{last}: write numbers from 1 to {most}"
            )));
        }
        runner.check(&mut reversible::Reversible { limit: self.limit }, first..=last)
    }
}
