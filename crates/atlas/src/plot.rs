//! Drawing of charts.

use super::text::label;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

/// Width and height in pixels.
const SIZE: (u32, u32) = (640, 390);
const FONT: &str = "sans-serif";
const COLOURS: [RGBColor; COLOUR_COUNT] = [
    RGBColor(31, 97, 141),
    RGBColor(192, 57, 43),
    RGBColor(30, 132, 73),
    RGBColor(175, 96, 26),
    RGBColor(108, 52, 131),
    RGBColor(90, 90, 90),
];
pub(super) const COLOUR_COUNT: usize = 6;
const GRID: RGBColor = RGBColor(225, 222, 214);
const AXIS: RGBColor = RGBColor(120, 112, 98);

/// A curve with its name in the legend; without a name it has no entry.
pub(super) type Curve = (String, Vec<(f64, f64)>);

pub(super) struct Chart {
    pub name: &'static str,
    pub x: &'static str,
    pub y: &'static str,
    pub logarithmic: bool,
    pub curves: Vec<Curve>,
    /// The name and height of a dashed line.
    pub mark: Option<(String, f64)>,
}

impl Chart {
    /// Creates a chart on linear scales, with its legend on the right.
    pub fn new(name: &'static str, x: &'static str, y: &'static str, curves: Vec<Curve>) -> Chart {
        Chart {
            name,
            x,
            y,
            logarithmic: false,
            curves,
            mark: None,
        }
    }

    pub fn logarithmic(self) -> Chart {
        Chart {
            logarithmic: true,
            ..self
        }
    }
}

pub(super) fn svg(chart: &Chart) -> Result<String, String> {
    let points = || chart.curves.iter().flat_map(|curve| &curve.1);
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
    };
    let (left, right) = range(&mut points().map(|point| point.0));
    let marked = chart.mark.iter().map(|mark| mark.1);
    let (bottom, top) = range(&mut points().map(|point| point.1).chain(marked));
    if !(left.is_finite() && bottom.is_finite()) {
        return Err("there is nothing to draw".to_string());
    }
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, SIZE).into_drawing_area();
        area.fill(&WHITE).map_err(|error| error.to_string())?;
        let named = chart.curves.iter().any(|curve| !curve.0.is_empty());
        let legend = if named { (right - left) * 0.24 } else { 0.0 };
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
    let replace = |picture: String, (long, short): (&str, &str)| picture.replace(long, short);
    Ok(SUPERFLUOUS.into_iter().fold(picture, replace))
}

/// Redundant parts of the library's output: default values, and digits of font sizes.
const SUPERFLUOUS: [(&str, &str); 4] = [
    (" opacity=\"1\"", ""),
    (" stroke=\"none\" stroke-width=\"1\"", ""),
    (" stroke=\"none\"", ""),
    ("16.129032258064516", "16"),
];

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
    let says = |error: DrawingAreaErrorKind<_>| error.to_string();
    let across = [x.start, x.end];
    let mut context = ChartBuilder::on(area)
        .margin_top(16)
        .margin_left(6)
        .margin_bottom(6)
        .margin_right(26)
        .x_label_area_size(54)
        .y_label_area_size(96)
        .build_cartesian_2d::<std::ops::Range<f64>, Y>(x, y)
        .map_err(says)?;
    context
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(AXIS)
        .x_labels(9)
        .y_labels(8)
        .label_style((FONT, 20))
        .axis_desc_style((FONT, 20))
        .x_desc(chart.x)
        .y_desc(chart.y)
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&label)
        .draw()
        .map_err(says)?;
    if let Some((name, height)) = &chart.mark {
        let line = across.map(|x| (x, *height));
        let dashed = DashedLineSeries::new(line, 6, 5, COLOURS[1].stroke_width(2));
        let entry = context.draw_series(dashed).map_err(says)?;
        let key = |(x, y)| PathElement::new([(x, y), (x + 18, y)], COLOURS[1].stroke_width(2));
        entry.label(name.as_str()).legend(key);
    }
    for (curve, colour) in chart.curves.iter().zip(COLOURS.iter().cycle()) {
        let style = colour.stroke_width(2);
        let dot = if curve.1.len() > 30 { 2 } else { 3 };
        let dots = curve
            .1
            .iter()
            .map(|&point| Circle::new(point, dot, colour.filled()));
        context.draw_series(dots).map_err(says)?;
        let line = LineSeries::new(curve.1.iter().copied(), style);
        let drawn = context.draw_series(line).map_err(says)?;
        if !curve.0.is_empty() {
            let key = move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style);
            drawn.label(curve.0.as_str()).legend(key);
        }
    }
    if chart.mark.is_some() || chart.curves.iter().any(|curve| !curve.0.is_empty()) {
        context
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .margin(6)
            .background_style(WHITE)
            .border_style(GRID)
            .label_font((FONT, 19))
            .draw()
            .map_err(says)?;
    }
    Ok(())
}
