//! `phutbase probe --explain`: both halves of a strip read letter by letter, and the comparison.

use phutbase_ask::strip::MAX_SHOWN;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{AnyStrip, Halves};
use phutbase_solution::explain::{Comparison, Reading, Reason};
use phutbase_terminal::output::CommandError;
use serde::Serialize;
use std::io::{self, Write};

/// The readings of both halves, and the comparison.
#[derive(Serialize)]
pub struct Explanation {
    pub left: Half,
    pub right: Half,
    pub comparison: Compared,
}

/// A half with its reading, a step for each square from the goal line to the ball.
#[derive(Serialize)]
pub struct Half {
    squares: String,
    steps: Vec<Step>,
}

/// A square, and the names that the word up to it gets one after the other.
#[derive(Serialize)]
struct Step {
    square: char,
    names: Vec<Renaming>,
    potential: i32,
    #[serde(rename = "type")]
    kind: char,
    /// The notation of the step.
    #[serde(skip)]
    words: String,
}

/// A name, with the number of the rule near the goal line that gives it.
#[derive(Serialize)]
struct Renaming {
    name: String,
    rule: Option<u8>,
}

/// The comparison, in eighths: the player to move wins if `behind` is at least `ahead`, or in one of two
/// further cases.
#[derive(Serialize)]
pub struct Compared {
    behind: i32,
    ahead: i32,
    further_case: bool,
    #[serde(skip)]
    words: String,
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
        let [left, right] = [Side::Right, Side::Left].map(|goal| Half::of(strip.towards(goal)));
        let reason = Reason::of(strip);
        let comparison = Compared::of(&reason, strip.side());
        Ok(Explanation {
            left,
            right,
            comparison,
        })
    }

    /// Prints the readings and the comparison.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        for (name, half) in [("left", &self.left), ("right", &self.right)] {
            writeln!(out, "\nthe {name} half from its goal line, {}:", half.squares)?;
            for step in &half.steps {
                let Step {
                    words,
                    potential,
                    kind,
                    ..
                } = step;
                writeln!(out, "  {words:<48}  P = {potential}, type {kind}")?;
            }
        }
        writeln!(out, "\n{}", self.comparison.words)
    }
}

impl Half {
    fn of(word: impl Iterator<Item = bool>) -> Half {
        let steps: Vec<Step> = (Reading::of(word).steps.iter())
            .map(|step| {
                let names = step.names.iter().map(|one| Renaming {
                    name: one.name.to_string(),
                    rule: one.rule,
                });
                Step {
                    square: step.letter(),
                    names: names.collect(),
                    potential: step.value.potential,
                    kind: step.value.kind.letter(),
                    words: step.to_string(),
                }
            })
            .collect();
        Half {
            squares: steps.iter().map(|step| step.square).collect(),
            steps,
        }
    }
}

impl Compared {
    fn of(reason: &Reason, side: Side) -> Compared {
        let &Comparison {
            behind,
            ahead,
            is_further_case,
            winner,
            ..
        } = reason.comparison(side);
        let [g, h] = match side {
            Side::Left => [&reason.left, &reason.right],
            Side::Right => [&reason.right, &reason.left],
        }
        .map(|half| half.value);
        let (x, y) = (g.kind.to_move(), h.kind.not_to_move());
        let [sum_g, sum_h] = [(g.potential, x), (h.potential, y)].map(|(potential, more)| {
            format!(
                "8·{potential} {} {}",
                if more < 0 { '-' } else { '+' },
                more.abs()
            )
        });
        let (mover, winner) = (name(side), name(winner));
        let case = if behind >= ahead {
            format!("{sum_g} ≥ {sum_h}")
        } else if is_further_case {
            let (g, h) = (g.kind, h.kind);
            format!("{sum_g} < {sum_h}, but this is a further case: type {g} against {h}")
        } else {
            format!("{sum_g} < {sum_h}")
        };
        Compared {
            behind,
            ahead,
            further_case: is_further_case,
            words: format!("{mover} to move, behind the ball against ahead of it: {case}, so {winner} wins"),
        }
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Left => "Left",
        Side::Right => "Right",
    }
}
