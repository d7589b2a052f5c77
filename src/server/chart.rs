//! `/api/chart`: what a table holds, and how the longest wins grow, as pictures for the page.
//!
//! Colours are left to the page's style sheet: a bar has the class `win`, `loss` or `draw`.

use super::app::App;
use super::ask::Ask;
use super::error::ApiError;
use crate::answer::count::BigCount;
use crate::answer::stats::{Counts, TableEntry, TableStats, overview};
use crate::games::boards::Boards;
use crate::table::error::TableError;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use num_traits::ToPrimitive;
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;

/// Width and height of the bars together, and what is under them.
const SIZE: (f64, f64) = (600.0, 150.0);
const FOOT: f64 = 22.0;
/// The height of the smallest bar: one that is there must be seen.
const LEAST: f64 = 2.0;

/// `boards=16`, `boards=7x3` or `boards=all`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    boards: String,
}

/// One bar of a chart.
struct Bar {
    /// What stands under it.
    label: String,
    /// `win`, `loss` or `draw`.
    kind: &'static str,
    height: f64,
    /// What is said when it is pointed at.
    words: String,
    /// The address of a position of which it tells.
    example: Option<String>,
}

/// `GET /api/chart?boards=…`
pub async fn chart(State(app): State<Arc<App>>, Ask(wanted): Ask<Wanted>) -> Result<Response, ApiError> {
    let shared = app.clone();
    let picture = app.quick.work(move || draw(&shared, &wanted.boards)).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture).into_response())
}

fn draw(app: &App, boards: &str) -> Result<String, ApiError> {
    if boards == "all" {
        return Ok(svg("The longest win at each length", &longest(app)));
    }
    let boards: Boards = (boards.parse()).map_err(|error| ApiError::Bad(format!("boards: {error}")))?;
    let (depths, counts) = counted(app, &boards)?;
    if depths.is_empty() {
        return Ok(svg(&format!("{boards}: positions by value"), &shares(&counts)));
    }
    let total: u128 = depths.iter().sum();
    let bars = (1..).zip(&depths);
    let bars: Vec<Bar> = bars
        .map(|(turns, &count)| bar(&boards, turns, count, total))
        .collect();
    let title = format!("{boards}: positions by turns to the end, on a logarithmic scale");
    Ok(svg(&title, &bars))
}

/// How many positions are decided in 1, 2, 3 … turns, none where depths are not stored; and how many are won, lost and drawn.
type Counted = (Vec<u128>, Counts);

fn counted(app: &App, boards: &Boards) -> Result<Counted, ApiError> {
    let tables = &app.sources.tables;
    let refusal = |error: TableError| app.refusal(&error.into());
    match boards {
        Boards::Strips(lengths) if lengths.start() == lengths.end() => {
            let length = *lengths.start();
            let (depths, counts) = tables
                .ask(length, |table| {
                    Ok((table.sets(length)?.depths()?, Counts::of_strip(table, length)?))
                })
                .map_err(refusal)?;
            let longest = depths.keys().last().copied().unwrap_or(0);
            let depths =
                (1..=longest).map(|turns| depths.get(&turns).and_then(ToPrimitive::to_u128).unwrap_or(0));
            Ok((depths.collect(), counts))
        }
        Boards::Pitch(shape) => {
            let table = tables.pitch(*shape).map_err(refusal)?;
            let depths = table.metadata().depths.iter().map(|&count| count.into());
            Ok((depths.collect(), Counts::of_pitch(table)))
        }
        _ => Err(ApiError::Bad(format!(
            "boards '{boards}': write one length, the size of a pitch, or all"
        ))),
    }
}

/// What share of the positions has each value.
fn shares(counts: &Counts) -> Vec<Bar> {
    let number = |count: &BigCount| count.0.to_f64().unwrap_or(f64::MAX);
    let values = [
        ("won", "win", &counts.wins),
        ("lost", "loss", &counts.losses),
        ("drawn", "draw", &counts.draws),
    ];
    let bar = |(label, kind, count)| {
        let share = number(count) / number(&counts.positions);
        Bar {
            label: String::from(label),
            kind,
            height: share,
            words: format!(
                "{label}: {:.1} % of {} positions",
                share * 100.0,
                counts.positions.0
            ),
            example: None,
        }
    };
    values.map(bar).into()
}

/// Counts differ by powers of ten: heights are logarithms.
fn bar(boards: &Boards, turns: usize, count: u128, total: u128) -> Bar {
    let (kind, verb) = [("loss", "lost"), ("win", "won")][turns % 2];
    let height = |count: u128| (count as f64 + 1.0).ln();
    Bar {
        label: turns.to_string(),
        kind,
        height: height(count) / height(total),
        words: format!("{verb} in {turns}: {count} positions"),
        example: (count > 0).then(|| format!("api/example?boards={boards}&amp;depth={turns}")),
    }
}

/// A bar for each strip whose longest win is known.
fn longest(app: &App) -> Vec<Bar> {
    let strips = overview(&app.sources.tables, |boards| matches!(boards, Boards::Strips(_)));
    let strips: Vec<TableStats> = strips
        .filter_map(|entry| match entry {
            TableEntry::Whole(stats) if stats.longest_win.is_some() => Some(*stats),
            _ => None,
        })
        .collect();
    let most = strips.iter().filter_map(|strip| strip.longest_win).max();
    let most = most.unwrap_or(1);
    let bar = |strip: TableStats| Bar {
        kind: "win",
        height: f64::from(strip.longest_win.unwrap_or(0)) / f64::from(most),
        words: format!(
            "{} squares: a win in {}",
            strip.counts.boards,
            strip.longest_win.unwrap_or(0)
        ),
        example: (strip.longest_win)
            .map(|depth| format!("api/example?boards={}&amp;depth={depth}", strip.counts.boards)),
        label: strip.counts.boards,
    };
    strips.into_iter().map(bar).collect()
}

fn svg(title: &str, bars: &[Bar]) -> String {
    let (width, height) = SIZE;
    let step = width / bars.len().max(1) as f64;
    // So many labels find room.
    let every = (bars.len() / 16).max(1);
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} {}\" role=\"group\" aria-label=\"{title}\">",
        height + FOOT
    );
    for (place, bar) in bars.iter().enumerate() {
        let (left, tall) = (place as f64 * step, (bar.height * height).max(LEAST));
        let drawn = format!(
            "<rect class=\"{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"><title>{}</title></rect>",
            bar.kind,
            left + step * 0.1,
            height - tall,
            step * 0.8,
            bar.words
        );
        // A string has room for what is written.
        let _ = match &bar.example {
            Some(example) => write!(
                picture,
                "<a href=\"{example}\" aria-label=\"{}\">{drawn}</a>",
                bar.words
            ),
            None => write!(picture, "{drawn}"),
        };
        if place % every == 0 {
            let _ = write!(
                picture,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                left + step / 2.0,
                height + FOOT - 6.0,
                bar.label
            );
        }
    }
    picture + "</svg>\n"
}
