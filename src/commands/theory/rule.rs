//! `phutbase theory rule`: the generalized potential with corrections, fitted to exact values.

use super::super::Common;
use super::super::output::{CommandError, Count, grouped, json_line, stdout};
use super::{in_range, watched};
use clap::Args;
use phutbase::games::strip::MIN_LENGTH;
use phutbase::theory::compare::compare;
use phutbase::theory::fitted::{Duels, Fitted, Kinds, MAX_LENGTH, MAX_NEAR, fit};
use phutbase::theory::planes::{Planes, TheoryError};
use phutbase::theory::potentials;
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub struct Arguments {
    /// Fit the corrections to every position of the lengths up to N
    #[arg(long, value_name = "N", default_value_t = 16)]
    fit_length: usize,
    /// Count errors on every position of the lengths up to N; those past the fitted ones say what a rule is worth
    #[arg(long, value_name = "N", default_value_t = 18)]
    check_length: usize,
    /// Rules that look at 0 to K squares next to the ball
    #[arg(long, value_name = "K", default_value_t = 4)]
    near: usize,
}

#[derive(Serialize)]
struct Line {
    /// Squares next to the ball that the rule looks at.
    near: usize,
    fit_length: usize,
    corrections: Vec<CorrectionLine>,
    errors: Vec<ErrorLine>,
}

/// Half boards whose number is not their generalized potential.
#[derive(Serialize)]
struct CorrectionLine {
    bsum: u32,
    delta: u32,
    begins: String,
    potential: u32,
    number: f64,
}

#[derive(Serialize)]
struct ErrorLine {
    length: usize,
    generalized: Count,
    rule: Count,
}

pub fn run(arguments: &Arguments, common: &Common, memory: Option<u64>) -> Result<(), CommandError> {
    in_range("fit-length", arguments.fit_length, MIN_LENGTH, MAX_LENGTH)?;
    in_range("check-length", arguments.check_length, MIN_LENGTH, MAX_LENGTH)?;
    in_range("near", arguments.near, 0, MAX_NEAR)?;
    let longest = arguments.fit_length.max(arguments.check_length);
    let lengths = watched("solving".to_string(), memory, |watch| {
        (MIN_LENGTH..=longest)
            .map(|length| Planes::strip(length, watch))
            .collect::<Result<Vec<_>, TheoryError>>()
    })?;
    let mut out = stdout();
    for kinds in (0..=arguments.near).filter_map(Kinds::new) {
        let line = line(kinds, arguments, &lengths, memory)?;
        if common.json {
            json_line(&mut out, &line)?;
        } else {
            print(&mut out, &line)?;
        }
        out.flush()?;
    }
    Ok(())
}

fn line(
    kinds: Kinds,
    arguments: &Arguments,
    lengths: &[Planes],
    memory: Option<u64>,
) -> Result<Line, CommandError> {
    let near = kinds.near();
    watched(format!("{near} squares next to the ball"), memory, |watch| {
        let mut duels = Duels::new(kinds);
        for planes in &lengths[..=arguments.fit_length - MIN_LENGTH] {
            duels.add(planes, watch)?;
        }
        let rule = fit(&duels);
        let errors = lengths[..=arguments.check_length - MIN_LENGTH]
            .iter()
            .map(|planes| {
                let generalized = compare(planes, &potentials::generalized, 0, watch)?.total();
                let rule = compare(planes, &rule, 0, watch)?.total();
                Ok(ErrorLine {
                    length: planes.layout().length(),
                    generalized: Count(generalized.into()),
                    rule: Count(rule.into()),
                })
            });
        Ok(Line {
            near,
            fit_length: arguments.fit_length,
            errors: errors.collect::<Result<_, TheoryError>>()?,
            corrections: corrections(&rule),
        })
    })
}

fn corrections(rule: &Fitted) -> Vec<CorrectionLine> {
    let line = |(kind, number): (phutbase::theory::fitted::Kind, f64)| CorrectionLine {
        bsum: kind.bsum,
        delta: kind.delta,
        begins: kind.begins.map_or("@".to_string(), |begins| begins.to_string()),
        potential: kind.potential(),
        number,
    };
    rule.corrections().map(line).collect()
}

fn print(out: &mut impl Write, line: &Line) -> Result<(), CommandError> {
    writeln!(
        out,
        "{} squares next to the ball, fitted to lengths up to {}: {} corrections",
        line.near,
        line.fit_length,
        line.corrections.len()
    )?;
    for correction in &line.corrections {
        writeln!(
            out,
            "  {:<7} bsum {:>2}, delta {}: potential {}, number {}",
            correction.begins, correction.bsum, correction.delta, correction.potential, correction.number
        )?;
    }
    for errors in &line.errors {
        writeln!(
            out,
            "  length {:>2}: {:>9} positions wrong, {:>9} with the generalized potential",
            errors.length,
            grouped(errors.rule.0),
            grouped(errors.generalized.0)
        )?;
    }
    Ok(())
}
