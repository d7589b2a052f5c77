//! The curves of an atlas as SVG pictures.

use super::plot::{COLOUR_COUNT, Chart, Curve, svg};
use super::{Atlas, ReportError, Row, float, last_computed};
use num_bigint::BigUint;
use phutbase_base::digits::grouped;

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
        numbers(atlas),
        class_sizes(atlas),
        states(atlas),
        nodes(atlas),
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
    let mut caption = format!(
        "Exact counts: at length {} there are {:.5} wins to a loss, and the ratio still falls with every square.",
        last.0, last.1
    );
    if let Some(limit) = atlas.limit {
        let (ratio, error) = (limit.ratio(), limit.error());
        chart.mark = Some((format!("estimated limit {ratio:.4}"), ratio));
        caption += &format!(
            " **The limit is estimated, not proved**: {ratio:.5}; eight squares earlier the estimate was {error:.5} away from that."
        );
    }
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
        Some(100.0 * row.potentials.as_ref()?.errors as f64 / float(&row.positions))
    });
    let caption = format!(
        "Grossman & Nowakowski's generalized potential is wrong on {:.2} % of the positions of length {}. The exact \
         potential is wrong on none.",
        curve.last()?.1,
        curve.last()?.0
    );
    Some(("Errors of the generalized potential", caption, chart))
}

fn numbers(atlas: &Atlas) -> Option<Drawing> {
    let largest = |row: &Row| Some(row.potentials.as_ref()?.largest.into());
    let (chart, curve) = by_length(atlas, "numbers", "largest κ or λ", largest);
    let (length, largest) = curve.last()?;
    let caption = format!(
        "The least κ and λ that explain all lengths up to n at once: for n = {length} they reach {largest}."
    );
    Some(("How many values the exact potential needs", caption, chart))
}

fn class_sizes(atlas: &Atlas) -> Option<Drawing> {
    // Halves with opponents of every length up to their own: longer ones are less constrained.
    let longest = atlas.classes.len().min(last_computed(&atlas.rows) / 2);
    let mut curves: Vec<Curve> = Vec::new();
    for (place, classes) in atlas.classes.iter().take(longest).enumerate() {
        let half = place + 1;
        for class in classes {
            let name = format!("({}, {})", class.kappa, class.lambda);
            let point = (half as f64, 100.0 * class.size.0 as f64 / (1u128 << half) as f64);
            match curves.iter_mut().find(|curve| curve.0 == name) {
                Some(curve) => curve.1.push(point),
                None => curves.push((name, vec![point])),
            }
        }
    }
    // Keep the most frequent classes.
    curves.sort_by(|a, b| {
        let weight = |curve: &Curve| curve.1.iter().map(|point| point.1).sum::<f64>();
        weight(b).total_cmp(&weight(a))
    });
    curves.truncate(COLOUR_COUNT);
    let chart = Chart::new("classes", "squares of the half strip", "% of half strips", curves).logarithmic();
    let caption =
        "Half strips by (κ, λ): the most frequent pairs, each as a share of all half strips of its length.";
    Some(("Classes of the exact potential", caption.to_string(), chart))
}

fn states(atlas: &Atlas) -> Option<Drawing> {
    let longest = atlas.states.len();
    let halves = [longest / 2, longest * 3 / 4, longest];
    let curve = |half: usize| -> Option<Curve> {
        let states = atlas.states.get(half.checked_sub(1)?)?.iter().enumerate();
        let points = states.map(|(read, &states)| (read as f64, states as f64));
        Some((format!("half strips of {half}"), points.collect()))
    };
    let mut curves: Vec<Curve> = halves.into_iter().filter_map(curve).collect();
    curves.dedup_by(|a, b| a.0 == b.0);
    let begins = atlas.states.last()?.iter().take(16);
    let begins: Vec<String> = begins.map(ToString::to_string).collect();
    let caption = format!(
        "States of the minimal automaton that reads a half strip from the goal line to the ball and then knows κ and λ. \
         From the goal line on the numbers do not depend on the length: {}, …",
        begins.join(", ")
    );
    let chart = Chart {
        legend_on_left: true,
        ..Chart::new("states", "squares read", "states", curves)
    };
    Some(("Reading a half strip", caption, chart))
}

fn nodes(atlas: &Atlas) -> Option<Drawing> {
    let (chart, curve) = by_length(atlas, "nodes", "nodes", |row| Some(row.nodes? as f64));
    let (length, nodes) = *curve.last()?;
    let mut caption = format!(
        "The two sets of won positions of length {length} are one diagram of {} nodes.",
        grouped(nodes)
    );
    // The power law of the last third of the lengths, if there are enough.
    let from = curve.iter().find(|point| point.0 >= length * 2.0 / 3.0)?;
    if length - from.0 >= 4.0 {
        let exponent = (nodes / from.1).ln() / (length / from.0).ln();
        caption += &format!(
            " From length {} to {length} they grow like n^{exponent:.1}.",
            from.0
        );
    }
    Some(("Nodes of the diagrams", caption, chart.logarithmic()))
}
