//! The curves of an atlas as SVG pictures.

use super::plot::{COLOUR_COUNT, Chart, Curve, svg};
use super::{Atlas, ReportError, Row, float};
use num_bigint::BigUint;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub name: &'static str,
    pub title: &'static str,
    /// A sentence about the result that it shows.
    pub caption: String,
    pub svg: String,
}

pub fn all(atlas: &Atlas) -> Result<Vec<Picture>, ReportError> {
    let drawings = [
        ratio(atlas),
        longest(atlas),
        depths(atlas, "depths", 1, |row| &row.wins),
        depths(atlas, "losses", 0, |row| &row.losses),
        errors(atlas),
    ];
    drawings.into_iter().flatten().map(draw).collect()
}

type Drawing = (&'static str, String, Chart);

fn draw((title, caption, chart): Drawing) -> Result<Picture, ReportError> {
    let name = chart.name;
    let svg = svg(&chart)
        .map_err(|reason| ReportError::Wrong(format!("cannot draw the picture '{name}': {reason}")))?;
    Ok(Picture {
        name,
        title,
        caption,
        svg,
    })
}

/// Creates the chart of a number by length, and returns its curve.
fn by_length(
    atlas: &Atlas,
    name: &'static str,
    y: &'static str,
    number: impl Fn(&Row) -> Option<f64>,
) -> (Chart, Vec<(f64, f64)>) {
    let points = atlas.rows.iter();
    let curve: Vec<(f64, f64)> = points
        .filter_map(|row| Some((row.length as f64, number(row)?)))
        .collect();
    let chart = Chart::new(name, "squares", y, vec![(String::new(), curve.clone())]);
    (chart, curve)
}

fn ratio(atlas: &Atlas) -> Option<Drawing> {
    let (mut chart, curve) = by_length(atlas, "ratio", "wins / losses", |row| Some(row.ratio()));
    let last = curve.last()?;
    let ratio = atlas.limit / (1.0 - atlas.limit);
    chart.mark = Some((format!("limit {ratio:.4}"), ratio));
    let caption = format!(
        "Exact counts: at length {} there are {:.5} wins to a loss. The ratio falls to {ratio:.5}, the limit for long strips.",
        last.0, last.1
    );
    Some(("Wins to losses, with the mover to win", caption, chart))
}

fn longest(atlas: &Atlas) -> Option<Drawing> {
    let longest = |row: &Row| row.longest().map(|plies| plies as f64);
    let (chart, curve) = by_length(atlas, "longest", "plies", longest);
    let (first, last) = (curve.first()?, curve.last()?);
    let caption = format!(
        "The longest game of length {} takes {} plies when both play well: {:.2} plies for a square since length {}.",
        last.0,
        last.1,
        (last.1 - first.1) / (last.0 - first.0).max(1.0),
        first.0
    );
    Some(("The longest game", caption, chart))
}

/// Draws the depths of wins (odd numbers of plies) or of losses (even ones).
fn depths(
    atlas: &Atlas,
    name: &'static str,
    parity: usize,
    all: impl Fn(&Row) -> &BigUint,
) -> Option<Drawing> {
    let curves = depth_curves(atlas, parity, all)?;
    let (title, axis, caption) = match parity {
        1 => (
            "How long wins take",
            "% of the wins",
            "Wins by the number of plies they take",
        ),
        _ => (
            "How long losses last",
            "% of the losses",
            "Losses by the number of plies they last",
        ),
    };
    let chart = Chart::new(name, "plies", axis, curves).logarithmic();
    let caption = format!("{caption}; the scale of the shares is logarithmic.");
    Some((title, caption, chart))
}

/// Returns the shares of depths of one parity for the longest lengths divisible by four.
fn depth_curves(atlas: &Atlas, parity: usize, all: impl Fn(&Row) -> &BigUint) -> Option<Vec<Curve>> {
    let rows = atlas.rows.iter();
    let with_depths: Vec<&Row> = rows
        .filter(|row| !row.depths.is_empty() && row.length % 4 == 0)
        .collect();
    let shown = &with_depths[with_depths.len().saturating_sub(COLOUR_COUNT)..];
    let curve = |row: &&Row| {
        let plies = row.depths.iter().zip(1usize..);
        let shown = plies.filter(|&(&count, plies)| plies % 2 == parity && count > 0);
        let share = |count: u128| 100.0 * count as f64 / float(all(row));
        let points = shown.map(|(&count, plies)| (plies as f64, share(count)));
        (format!("n = {}", row.length), points.collect())
    };
    let curves: Vec<Curve> = shown.iter().map(curve).collect();
    (!curves.is_empty()).then_some(curves)
}

fn errors(atlas: &Atlas) -> Option<Drawing> {
    let (chart, curve) = by_length(atlas, "errors", "% of positions", |row| {
        Some(100.0 * row.errors? as f64 / float(&row.positions))
    });
    let caption = format!(
        "Grossman & Nowakowski's generalized potential is wrong on {:.2} % of the positions of length {}.",
        curve.last()?.1,
        curve.last()?.0
    );
    Some(("Errors of the generalized potential", caption, chart))
}
