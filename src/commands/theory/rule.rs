//! `phutbase theory rule`: the generalized potential with corrections, fitted to exact values.

use super::super::Common;
use super::super::output::{CommandError, Count, grouped, json_line, stdout};
use super::{in_range, watched};
use clap::Args;
use phutbase::games::strip::MIN_LENGTH;
use phutbase::theory::compare::compare;
use phutbase::theory::fitted::{Duels, Fitted, Kind, Kinds, MAX_LENGTH, MAX_NEAR, Sum, fit};
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
    /// Only rules with this sum [default: both]
    #[arg(long, value_name = "SUM")]
    sum: Option<SumName>,
}

/// The sums by name.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum SumName {
    /// The sum of the generalized potential, over the whole half strip
    Whole,
    /// The same as far as the squares that are looked at, and never below 2
    Floored,
}

impl From<Sum> for SumName {
    fn from(sum: Sum) -> SumName {
        match sum {
            Sum::Whole => SumName::Whole,
            Sum::Floored => SumName::Floored,
        }
    }
}

#[derive(Serialize)]
struct Line {
    sum: SumName,
    /// Squares next to the ball that the rule looks at.
    near: usize,
    fit_length: usize,
    /// Half strips whose number is not the generalized potential.
    corrections: Vec<KindLine>,
    /// All half strips on the lengths that may be checked.
    numbers: Vec<KindLine>,
    errors: Vec<ErrorLine>,
}

/// Half boards that a rule does not tell apart, and their number.
#[derive(Serialize)]
struct KindLine {
    begins: String,
    sum: u32,
    /// With the whole sum: whether the last square changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<bool>,
    /// With the floored sum: whether the group of empty squares behind the first squares is odd.
    #[serde(skip_serializing_if = "Option::is_none")]
    odd: Option<bool>,
    /// The shortest half strip of the kind, and its generalized potential.
    smallest: String,
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
    let wanted = |sum: &Sum| arguments.sum.is_none_or(|name| name == SumName::from(*sum));
    let sums = Sum::ALL.into_iter().filter(wanted);
    let rules = sums.flat_map(|sum| (0..=arguments.near).filter_map(move |near| Kinds::new(sum, near)));
    for kinds in rules {
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
    let (near, sum) = (kinds.near(), SumName::from(kinds.sum()));
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
            sum,
            near,
            fit_length: arguments.fit_length,
            errors: errors.collect::<Result<_, TheoryError>>()?,
            corrections: described(&rule, rule.corrections()),
            numbers: described(&rule, rule.numbers()),
        })
    })
}

fn described<'a>(rule: &Fitted, kinds: impl Iterator<Item = (&'a Kind, f64)>) -> Vec<KindLine> {
    let sum = rule.kinds().sum();
    let line = |(kind, number): (&Kind, f64)| KindLine {
        begins: kind.begins.map_or("@".to_string(), |begins| begins.to_string()),
        sum: kind.sum,
        changed: (sum == Sum::Whole).then_some(kind.mark),
        odd: (sum == Sum::Floored).then_some(kind.mark),
        smallest: kind.smallest.to_string(),
        potential: kind.potential(),
        number,
    };
    kinds.map(line).collect()
}

fn print(out: &mut impl Write, line: &Line) -> Result<(), CommandError> {
    let sum = match line.sum {
        SumName::Whole => "sum of the whole half strip",
        SumName::Floored => "sum behind them with a floor",
    };
    writeln!(
        out,
        "{} squares next to the ball, {sum}, fitted to lengths up to {}: {} of {} numbers are not the generalized potential",
        line.near,
        line.fit_length,
        line.corrections.len(),
        line.numbers.len()
    )?;
    for kind in &line.corrections {
        let mark = match (kind.changed, kind.odd) {
            (Some(changed), _) => format!("delta {}", u8::from(!changed)),
            (_, Some(true)) => "odd group".to_string(),
            _ => "even group".to_string(),
        };
        writeln!(
            out,
            "  {:<7} sum {:>2}, {mark}: number {}, not {} as of {}",
            kind.begins, kind.sum, kind.number, kind.potential, kind.smallest
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
