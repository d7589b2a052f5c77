//! `phutbase probe --explain`: both halves of a strip read letter by letter, and the comparison.

use phutbase_ask::strip::MAX_SHOWN;
use phutbase_base::object;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{AnyStrip, Halves};
use phutbase_solution::explain::{Comparison, Reading, Step};
use phutbase_terminal::CommandError;
use serde::Serialize;
use std::io::{self, Write};

/// The readings of the left and the right half, and the comparison.
pub struct Explanation {
    halves: [Reading; 2],
    comparison: Comparison,
}

impl Explanation {
    /// Reads a strip of the ordinary game.
    ///
    /// # Errors
    /// The strip is long.
    pub fn of(strip: &AnyStrip) -> Result<Explanation, CommandError> {
        if strip.length() > MAX_SHOWN {
            return Err(CommandError::Usage(format!(
                "--explain reads at most {MAX_SHOWN} squares letter by letter, here {}",
                strip.length()
            )));
        }
        Ok(Explanation {
            halves: [Side::Right, Side::Left].map(|goal| Reading::of(strip.towards(goal))),
            comparison: Comparison::of(strip),
        })
    }

    /// The explanation in JSON.
    pub fn object(&self) -> impl Serialize {
        let [left, right] = self.halves.each_ref().map(half);
        let [behind, ahead] = self.comparison.eighths();
        object! {
            left: left,
            right: right,
            /// In eighths: the player to move wins if `behind` is at least `ahead`, or in a further case.
            comparison: object! {
                behind: behind,
                ahead: ahead,
                further_case: self.comparison.is_further_case(),
            },
        }
    }

    /// Prints the readings and the comparison.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        for (name, reading) in ["left", "right"].iter().zip(&self.halves) {
            writeln!(out, "\nthe {name} half from its goal line, {}:", squares(reading))?;
            for step in &reading.steps {
                let (words, value) = (step.to_string(), step.value);
                writeln!(out, "  {words:<48}  P = {}, type {}", value.potential, value.kind)?;
            }
        }
        writeln!(out, "\n{}", self.comparison())
    }

    fn comparison(&self) -> String {
        let found = &self.comparison;
        let (g, h) = (found.behind, found.ahead);
        let (x, y) = (g.kind.to_move(), h.kind.not_to_move());
        let [sum_g, sum_h] = [(g.potential, x), (h.potential, y)].map(|(potential, more)| {
            let sign = if more < 0 { '-' } else { '+' };
            format!("8·{potential} {sign} {}", more.abs())
        });
        let [behind, ahead] = found.eighths();
        let case = if behind >= ahead {
            format!("{sum_g} ≥ {sum_h}")
        } else if found.is_further_case() {
            let (g, h) = (g.kind, h.kind);
            format!("{sum_g} < {sum_h}, but this is a further case: type {g} against {h}")
        } else {
            format!("{sum_g} < {sum_h}")
        };
        let [mover, winner] = [found.side, found.winner()].map(|side| match side {
            Side::Left => "Left",
            Side::Right => "Right",
        });
        format!("{mover} to move, behind the ball against ahead of it: {case}, so {winner} wins")
    }
}

fn squares(reading: &Reading) -> String {
    reading.steps.iter().map(Step::letter).collect()
}

/// A half in JSON: a step for each square from the goal line to the ball, with the names that the word
/// up to it gets one after the other, and the number of the rule near the goal line that gives each.
fn half(reading: &Reading) -> impl Serialize + use<> {
    let steps = reading.steps.iter().map(|step| {
        let names = step
            .names
            .iter()
            .map(|one| object! { name: one.name.to_string(), rule: one.rule });
        object! {
            square: step.letter(),
            names: names.collect::<Vec<_>>(),
            potential: step.value.potential,
            #[serde(rename = "type")]
            kind: step.value.kind.letter(),
        }
    });
    object! { squares: squares(reading), steps: steps.collect::<Vec<_>>() }
}
