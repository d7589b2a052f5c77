//! Curves as SVG pictures.

use super::{Atlas, ReportError};
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

/// A picture with a name for its file and a sentence that says what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// A file name without an ending.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// What can be seen on it.
    pub caption: String,
    /// The picture.
    pub svg: String,
}

/// Width and height in pixels.
const SIZE: (u32, u32) = (760, 380);
const COLOURS: [RGBColor; 6] = [
    RGBColor(31, 97, 141),
    RGBColor(192, 57, 43),
    RGBColor(30, 132, 73),
    RGBColor(175, 96, 26),
    RGBColor(108, 52, 131),
    RGBColor(90, 90, 90),
];

/// A curve with its name in the legend; no name, no entry.
type Curve = (String, Vec<(f64, f64)>);

/// What a chart is made of.
struct Chart {
    name: &'static str,
    x: &'static str,
    y: &'static str,
    logarithmic: bool,
    curves: Vec<Curve>,
}

/// All curves of an atlas.
///
/// # Errors
/// [`ReportError::Picture`].
pub fn all(atlas: &Atlas) -> Result<Vec<Picture>, ReportError> {
    let makers = [
        ratio,
        longest,
        depths,
        loss_depths,
        errors,
        numbers,
        class_sizes,
        states,
        nodes,
    ];
    makers.iter().filter_map(|maker| maker(atlas)).map(draw).collect()
}

type Drawing = (&'static str, String, Chart);

fn draw((title, caption, chart): Drawing) -> Result<Picture, ReportError> {
    let name = chart.name;
    let svg = svg(&chart).map_err(|reason| ReportError::Picture {
        picture: name,
        reason,
    })?;
    Ok(Picture {
        name,
        title,
        caption,
        svg,
    })
}

/// The curve of a number per length.
fn by_length(atlas: &Atlas, number: impl Fn(&super::Row) -> Option<f64>) -> Vec<(f64, f64)> {
    let points = atlas
        .rows
        .iter()
        .filter_map(|row| Some((row.length as f64, number(row)?)));
    points.collect()
}

fn ratio(atlas: &Atlas) -> Option<Drawing> {
    let curve = by_length(atlas, |row| Some(row.wins as f64 / row.losses as f64));
    let [.., before, last] = curve[..] else {
        return None;
    };
    let caption = format!(
        "At length {} there are {:.5} wins to a loss, {:.5} less than one square before: the ratio still falls, and its \
         limit is not known.",
        last.0,
        last.1,
        before.1 - last.1
    );
    let chart = Chart {
        name: "ratio",
        x: "squares",
        y: "wins / losses",
        logarithmic: false,
        curves: vec![(String::new(), curve)],
    };
    Some(("Wins to losses, with the mover to win", caption, chart))
}

fn longest(atlas: &Atlas) -> Option<Drawing> {
    let curve = by_length(atlas, |row| row.longest().map(|plies| plies as f64));
    let last = curve.last()?;
    let caption = format!(
        "The longest game of length {} takes {} plies when both play well.",
        last.0, last.1
    );
    let chart = Chart {
        name: "longest",
        x: "squares",
        y: "plies",
        logarithmic: false,
        curves: vec![(String::new(), curve)],
    };
    Some(("The longest game", caption, chart))
}

fn depths(atlas: &Atlas) -> Option<Drawing> {
    let chart = Chart {
        name: "depths",
        x: "plies",
        y: "% of the wins",
        logarithmic: true,
        curves: depth_curves(atlas, 1, |row| row.wins)?,
    };
    let caption =
        "Wins by the number of plies they take; the scale of the shares is logarithmic.".to_string();
    Some(("How long wins take", caption, chart))
}

fn loss_depths(atlas: &Atlas) -> Option<Drawing> {
    let chart = Chart {
        name: "losses",
        x: "plies",
        y: "% of the losses",
        logarithmic: true,
        curves: depth_curves(atlas, 0, |row| row.losses)?,
    };
    let caption =
        "Losses by the number of plies they last; the scale of the shares is logarithmic.".to_string();
    Some(("How long losses last", caption, chart))
}

/// The shares of the depths of one parity, for every fourth length; `None` if there is nothing to show.
fn depth_curves(atlas: &Atlas, parity: usize, all: impl Fn(&super::Row) -> u128) -> Option<Vec<Curve>> {
    let rows = atlas.rows.iter();
    let with_depths = rows.filter(|row| !row.depths.is_empty() && row.length % 4 == 0);
    let curve = |row: &super::Row| {
        let plies = row.depths.iter().zip(1usize..);
        let shown = plies.filter(|&(&count, plies)| plies % 2 == parity && count > 0);
        let share = |count: u64| 100.0 * count as f64 / all(row) as f64;
        let points = shown.map(|(&count, plies)| (plies as f64, share(count)));
        (format!("n = {}", row.length), points.collect())
    };
    let curves: Vec<Curve> = with_depths.map(curve).collect();
    (!curves.is_empty()).then_some(curves)
}

fn errors(atlas: &Atlas) -> Option<Drawing> {
    let curve = by_length(atlas, |row| {
        Some(100.0 * row.errors as f64 / row.positions as f64)
    });
    let last = curve.last()?;
    let caption = format!(
        "Grossman & Nowakowski's generalized potential is wrong on {:.2} % of the positions of length {}. The exact \
         potential is wrong on none.",
        last.1, last.0
    );
    let chart = Chart {
        name: "errors",
        x: "squares",
        y: "% of positions",
        logarithmic: false,
        curves: vec![(String::new(), curve)],
    };
    Some(("Errors of the generalized potential", caption, chart))
}

fn numbers(atlas: &Atlas) -> Option<Drawing> {
    let curve = by_length(atlas, |row| Some(row.largest.into()));
    let last = curve.last()?;
    let caption = format!(
        "The least κ and λ that explain all lengths up to n at once: for n = {} they reach {}.",
        last.0, last.1
    );
    let chart = Chart {
        name: "numbers",
        x: "squares",
        y: "largest κ or λ",
        logarithmic: false,
        curves: vec![(String::new(), curve)],
    };
    Some(("How many values the exact potential needs", caption, chart))
}

fn class_sizes(atlas: &Atlas) -> Option<Drawing> {
    // Halves that meet opponents of every length up to their own: the numbers of longer ones are known less well.
    let longest = atlas.classes.len().min(atlas.rows.last()?.length / 2);
    let mut curves: Vec<Curve> = Vec::new();
    for (place, classes) in atlas.classes.iter().take(longest).enumerate() {
        let half = place + 1;
        for class in classes {
            let name = format!("({}, {})", class.kappa, class.lambda);
            let point = (half as f64, 100.0 * class.size as f64 / (1u128 << half) as f64);
            match curves.iter_mut().find(|curve| curve.0 == name) {
                Some(curve) => curve.1.push(point),
                None => curves.push((name, vec![point])),
            }
        }
    }
    // The classes with most members at the end.
    curves.sort_by(|a, b| {
        let weight = |curve: &Curve| curve.1.iter().map(|point| point.1).sum::<f64>();
        weight(b).total_cmp(&weight(a))
    });
    curves.truncate(COLOURS.len());
    let chart = Chart {
        name: "classes",
        x: "squares of the half strip",
        y: "% of half strips",
        logarithmic: true,
        curves,
    };
    let caption =
        "Half strips by (κ, λ): the most frequent pairs, each as a share of all half strips of its length."
            .to_string();
    Some(("Classes of the exact potential", caption, chart))
}

fn states(atlas: &Atlas) -> Option<Drawing> {
    let halves = [
        atlas.states.len() / 2,
        atlas.states.len() * 3 / 4,
        atlas.states.len(),
    ];
    let curve = |half: usize| -> Option<Curve> {
        let states = atlas.states.get(half.checked_sub(1)?)?;
        let points = states
            .iter()
            .enumerate()
            .map(|(read, &states)| (read as f64, states as f64));
        Some((format!("half strips of {half}"), points.collect()))
    };
    let mut curves: Vec<Curve> = halves.into_iter().filter_map(curve).collect();
    curves.dedup_by(|a, b| a.0 == b.0);
    let begins: Vec<String> = atlas
        .states
        .last()?
        .iter()
        .take(16)
        .map(ToString::to_string)
        .collect();
    let caption = format!(
        "States of the minimal automaton that reads a half strip from the goal line to the ball and then knows κ and λ. \
         From the goal line on the numbers do not depend on the length: {}, …",
        begins.join(", ")
    );
    let chart = Chart {
        name: "states",
        x: "squares read",
        y: "states",
        logarithmic: false,
        curves,
    };
    Some(("Reading a half strip", caption, chart))
}

fn nodes(atlas: &Atlas) -> Option<Drawing> {
    let curve = by_length(atlas, |row| Some(row.nodes as f64));
    let last = curve.last()?;
    let positions = atlas.rows.last()?.positions as f64;
    let caption = format!(
        "Both sets of length {} ({positions:.1e} positions) as one decision diagram: {} nodes.",
        last.0, last.1
    );
    let chart = Chart {
        name: "nodes",
        x: "squares",
        y: "nodes",
        logarithmic: true,
        curves: vec![(String::new(), curve)],
    };
    Some(("Sizes of diagrams", caption, chart))
}

/// Draws a chart.
fn svg(chart: &Chart) -> Result<String, String> {
    let points = || chart.curves.iter().flat_map(|curve| &curve.1);
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
    };
    let (left, right) = range(&mut points().map(|point| point.0));
    let (bottom, top) = range(&mut points().map(|point| point.1));
    if !(left.is_finite() && bottom.is_finite()) {
        return Err("there is nothing to draw".to_string());
    }
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, SIZE).into_drawing_area();
        // Room for the legend.
        let named = chart.curves.iter().any(|curve| !curve.0.is_empty());
        let legend = if named { (right - left) * 0.18 } else { 0.0 };
        let x = left..(right + legend).max(left + 1.0);
        if chart.logarithmic {
            plot(chart, &area, x, (bottom * 0.7..top * 1.5).log_scale())?;
        } else {
            let low = if bottom > top / 2.0 {
                bottom - (top - bottom) * 0.1
            } else {
                0.0
            };
            plot(chart, &area, x, low..(top + (top - low) * 0.08).max(low + 1e-9))?;
        }
        area.present().map_err(|error| error.to_string())?;
    }
    Ok(picture)
}

fn plot<Y>(
    chart: &Chart,
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    x: std::ops::Range<f64>,
    y: Y,
) -> Result<(), String>
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut context = ChartBuilder::on(area)
        .margin(14)
        .x_label_area_size(42)
        .y_label_area_size(64)
        .build_cartesian_2d::<std::ops::Range<f64>, Y>(x, y)
        .map_err(|error| error.to_string())?;
    context
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(225, 222, 214))
        .axis_style(RGBColor(120, 112, 98))
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 14))
        .x_desc(chart.x)
        .y_desc(chart.y)
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&label)
        .draw()
        .map_err(|error| error.to_string())?;
    for (curve, colour) in chart.curves.iter().zip(COLOURS.iter().cycle()) {
        let style = colour.stroke_width(2);
        let line = LineSeries::new(curve.1.iter().copied(), style).point_size(3);
        let drawn = context.draw_series(line).map_err(|error| error.to_string())?;
        if !curve.0.is_empty() {
            let style = colour.stroke_width(2);
            drawn
                .label(curve.0.as_str())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        }
    }
    if chart.curves.iter().any(|curve| !curve.0.is_empty()) {
        context
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(200, 195, 185))
            .label_font(("sans-serif", 13))
            .draw()
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A number on an axis: short, and without digits that say nothing.
fn label(value: &f64) -> String {
    match value.abs() {
        0.0 => "0".to_string(),
        large if large >= 10_000.0 => format!("{:.0}k", value / 1000.0),
        large if large >= 10.0 => format!("{value:.0}"),
        middle if middle >= 0.1 => format!("{value:.2}")
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_string(),
        _ => format!("{value:.0e}"),
    }
}
