//! The atlas as a document: sections of texts, claims, pictures and tables, for HTML and Markdown.
//!
//! Texts may contain `` `code` `` and `**strong words**`, as in Markdown.

use super::charts::Picture;
use super::claims::{Claim, SUBJECTS, obstruction};
use super::depths::stored;
use super::limit::{Limit, STRIDE};
use super::pitches::{PitchCounts, settled_up_to};
use super::text::runs;
use super::{Atlas, Row, last_computed};
use phutbase_base::digits::{grouped, short};
use phutbase_base::nimber::Nimber;
use phutbase_rules::pitch::Shape;
use phutbase_theory::exact::PairClass;
use std::ops::RangeInclusive;

pub struct Document<'a> {
    pub title: &'static str,
    pub introduction: String,
    pub sections: Vec<Section<'a>>,
}

pub struct Section<'a> {
    pub name: &'static str,
    pub title: &'static str,
    pub blocks: Vec<Block<'a>>,
}

pub enum Block<'a> {
    Text(String),
    /// Claims under a heading.
    Claims(&'static str, Vec<&'a Claim>),
    Picture(&'a Picture),
    Table(Table),
}

pub struct Table {
    pub title: &'static str,
    pub columns: Vec<String>,
    /// Number of leading columns with numbers, which are right-aligned.
    pub numbers: usize,
    pub rows: Vec<Vec<Cell>>,
    /// True if the first cell of each row is a heading.
    pub matrix: bool,
}

pub enum Cell {
    Text(String),
    Strong(String),
    Board(String),
}

pub fn document<'a>(atlas: &'a Atlas, pictures: &'a [Picture]) -> Document<'a> {
    let pictured = |names: &'static [&'static str]| {
        let these = names
            .iter()
            .filter_map(|name| pictures.iter().find(|picture| picture.name == *name));
        these.map(Block::Picture)
    };
    let estimate = atlas.limit.map(|limit| Block::Text(about_limit(atlas, &limit)));
    let rules = RULES.iter().map(|&text| Block::Text(text.to_string()));
    let potentials = pictured(&["errors", "numbers", "classes", "states"])
        .chain([Block::Table(potentials(atlas))])
        .chain(classes(atlas));
    let sections = [
        (
            "result",
            "The result",
            vec![
                Block::Text(THE_RULE.to_string()),
                Block::Table(results(atlas)),
                Block::Text(ABOUT_CHECKERS.to_string()),
            ],
        ),
        ("rules", "Rules and definitions", rules.collect()),
        ("claims", "Claims and verdicts", claims(atlas)),
        (
            "ratio",
            "How often the mover wins",
            pictured(&["ratio"]).chain(estimate).collect(),
        ),
        (
            "length",
            "How long games last",
            pictured(&["longest", "depths", "losses"])
                .chain(depths_elsewhere(atlas))
                .collect(),
        ),
        ("potentials", "Potentials", potentials.collect()),
        ("sizes", "Sizes of the diagrams", pictured(&["nodes"]).collect()),
        ("pitches", "Draws on the pitch", drawn_pitches(&atlas.pitches)),
        ("obstruction", "Obstruction", nimbers(atlas)),
        ("lengths", "Length by length", lengths(atlas)),
    ];
    let sections = sections
        .into_iter()
        .filter(|(.., blocks)| !blocks.is_empty())
        .map(|(name, title, blocks)| Section { name, title, blocks });
    Document {
        title: "Atlas of one-dimensional Phutball",
        introduction: introduction(atlas),
        sections: sections.collect(),
    }
}

/// Rules and terms of the strip; `docs/RULES.md` defines them exactly, and the other games.
const RULES: [&str; 4] = [
    "A **strip** is a row of squares with one ball and any number of stones, which belong to neither player; in the pictures a stone is a \
     disc and the ball a ring. Left and Right alternate. A turn places a stone on an empty square, or jumps: the ball goes over the whole run \
     of stones next to it to the first empty square beyond, or off the strip, and the run is removed. The player may keep jumping as long as \
     a stone is next to the ball.",
    "Left wins when a turn ends with the ball on the last square on the right or beyond it, Right on the left, no matter who jumped. If play \
     never ends, the game is a **draw**.",
    "A **ply** is one turn of one player. A position is won **in d plies** if it takes d plies when the winner shortens the game and the \
     loser prolongs it. Unless noted otherwise, Left is to move; by symmetry this covers Right to move as well.",
    "A **half strip** is what lies between the ball and a goal line, the ball's square first. A **potential** is one number for each half \
     strip, or two, from which the winner is read off. `docs/THEORY.md` lists what is proved, verified and conjectured; the claims of the \
     papers follow here, each with its verdict.",
];

fn introduction(atlas: &Atlas) -> String {
    let lengths: Vec<usize> = atlas.rows.iter().map(|row| row.length).collect();
    format!(
        "Exact values of one-dimensional Phutball, computed exhaustively: every position of lengths {}, and Oddish Phutball up to \
         {} squares. Counts are of positions with Left to move; by symmetry that covers all of them.",
        runs(&lengths),
        atlas.scope.oddish_squares
    )
}

/// Maximum length that each checker accepted in a run that docs/CHECKS.md lists; making the atlas runs
/// none of them.
const CHECKERS: [(usize, &str); 2] = [(28, "`verify --by-enumeration`"), (144, "`verify`")];

const THE_RULE: &str = "**No position on a strip of any length is a draw, and a rule tells who wins.** It is a theorem for every length \
     (`docs/THEORY.md`), and `docs/RULES.md` has the rule. The table says what was computed from the rules of the game alone.";

const ABOUT_CHECKERS: &str = "The last column is a record of earlier runs, which `docs/CHECKS.md` lists. Making this atlas ran none of these \
     checkers. The other columns were read from the tables for it.";

/// Returns in one table what was computed without the rule that tells who wins: the lengths in ranges that the same checkers accepted.
/// README, docs/THEORY.md and the paper include it (`scripts/results.py`).
pub fn results(atlas: &Atlas) -> Table {
    let mut lines = Vec::new();
    let mut rows = &atlas.rows[..];
    for (place, &(limit, _)) in CHECKERS.iter().enumerate() {
        let (range, rest) = rows.split_at(rows.partition_point(|row| row.length <= limit));
        rows = rest;
        if let Some(last) = range.last() {
            let checkers: Vec<&str> = CHECKERS[place..].iter().map(|(_, name)| *name).collect();
            lines.push(line(range, last, &checkers.join(", ")));
        }
    }
    table(
        "No draw on these strips",
        "squares | positions, the longest strip | longest game, plies | levels | who wins, accepted by",
        4,
        lines,
    )
}

fn line(range: &[Row], last: &Row, checkers: &str) -> Vec<Cell> {
    let lengths: Vec<usize> = range.iter().map(|row| row.length).collect();
    // Depths may end before the range does.
    let known = range.iter().filter_map(|row| Some((row.longest()?, row.length)));
    let longest = match (
        known.clone().map(|(plies, _)| plies).max(),
        known.clone().next_back(),
    ) {
        (Some(plies), Some((_, to))) if to < last.length => format!("{plies} (to {to})"),
        (plies, _) => plies.map_or(String::new(), |plies| plies.to_string()),
    };
    let or_nothing = |number: Option<usize>| number.map_or(String::new(), |number| number.to_string());
    vec![
        text(runs(&lengths)),
        text(short(&last.positions)),
        text(longest),
        text(or_nothing(last.backward_turns.map(|turns| turns + 1))),
        text(checkers),
    ]
}

fn claims(atlas: &Atlas) -> Vec<Block<'_>> {
    let about = |(subject, title)| {
        let claims = atlas.claims.iter().filter(|claim| claim.subject == subject);
        let claims: Vec<&Claim> = claims.collect();
        (!claims.is_empty()).then_some(Block::Claims(title, claims))
    };
    SUBJECTS.into_iter().filter_map(about).collect()
}

fn about_limit(atlas: &Atlas, limit: &Limit) -> String {
    let last = atlas.rows.last().map_or(0, |row| row.length);
    let before = limit.share_before / (1.0 - limit.share_before);
    format!(
        "**What is computed, and what is estimated.** The counts up to length {last} are exact. Let W(n) be the wins of length n divided by \
         2^(n−1), so that W(n) / (n − 2) is the share of wins. From length {} to {} W grows by {:.6} for each square, and this growth \
         approaches a limit by a factor of {:.3} with every square, as it would if the effect of the strip's ends decayed towards its middle. \
         Aitken's Δ² on the lengths {}, {}, {} and {} puts the limit at {:.6}, that is {:.5} wins to a loss. Eight squares earlier the same \
         estimate gave {before:.5}. The difference shows how much the estimate still moves; it is no bound, and the existence of a limit is \
         not proved.",
        limit.length - STRIDE,
        limit.length,
        limit.growth,
        limit.decay,
        limit.length - 3 * STRIDE,
        limit.length - 2 * STRIDE,
        limit.length - STRIDE,
        limit.length,
        limit.share,
        limit.ratio(),
    )
}

/// Names the lengths whose depths come from an earlier run, if there are any.
fn depths_elsewhere(atlas: &Atlas) -> Option<Block<'_>> {
    let elsewhere: Vec<usize> = stored().map(|(length, _)| length).collect();
    let last = elsewhere.last()?;
    let used = (atlas.rows.iter()).any(|row| elsewhere.contains(&row.length));
    used.then(|| {
        Block::Text(format!(
            "The depths of {} squares come from one run of `phutbase generate {last}`, three minutes of processor time. Its table is not \
             shipped; `phutbase stats {last} --tables DIR` prints the counts, `crates/atlas/src/depths.tsv` keeps them, and they add up to the wins \
             and losses of the tables.",
            runs(&elsewhere)
        ))
    })
}

fn text(text: impl ToString) -> Cell {
    Cell::Text(text.to_string())
}

/// Creates a table; `columns` are separated by bars, and the first `numbers` are right-aligned.
fn table(title: &'static str, columns: &str, numbers: usize, rows: Vec<Vec<Cell>>) -> Table {
    Table {
        title,
        columns: columns.split(" | ").map(str::to_string).collect(),
        numbers,
        rows,
        matrix: false,
    }
}

fn matrix(
    title: &'static str,
    rows: RangeInclusive<usize>,
    columns: RangeInclusive<usize>,
    cell: impl Fn(usize, usize) -> Cell,
) -> Table {
    let titles = columns.clone().map(|column| format!(" | {column}"));
    let titles = ["rows \\ columns".to_string()].into_iter().chain(titles);
    let line = |row: usize| {
        let cells = columns.clone().map(|column| cell(row, column));
        [text(row)].into_iter().chain(cells).collect()
    };
    Table {
        matrix: true,
        ..table(
            title,
            &titles.collect::<String>(),
            usize::MAX,
            rows.map(line).collect(),
        )
    }
}

fn potentials(atlas: &Atlas) -> Table {
    let row = |row: &Row| {
        let found = row.potentials.as_ref()?;
        let share = 100.0 * found.errors as f64 / super::float(&row.positions);
        Some(vec![
            text(row.length),
            text(grouped(found.errors)),
            text(format!("{share:.3}")),
            text(found.largest),
            text(if found.cycle.is_empty() { "yes" } else { "no" }),
        ])
    };
    table(
        "Potentials by length",
        "n | errors of the generalized potential | % of positions | largest κ or λ up to n | κ = λ possible",
        4,
        atlas.rows.iter().filter_map(row).collect(),
    )
}

/// Maximum half length whose classes are listed.
const LISTED: usize = 10;

fn classes(atlas: &Atlas) -> [Block<'_>; 2] {
    let of_half = |(place, classes): (usize, &Vec<PairClass>)| -> Vec<Vec<Cell>> {
        let row = |class: &PairClass| {
            vec![
                text(place + 1),
                text(class.kappa),
                text(class.lambda),
                text(grouped(class.size.0)),
                Cell::Board(class.smallest.to_string()),
            ]
        };
        classes.iter().map(row).collect()
    };
    let halves = atlas.classes.iter().take(LISTED).enumerate();
    [
        Block::Text(format!(
            "Half strips of up to {LISTED} squares by (κ, λ), the least numbers that explain all lengths up to {} at once. A \
             half strip is read from the ball to its goal line; the smallest of each class is shown.",
            last_computed(&atlas.rows)
        )),
        Block::Table(table(
            "Classes of the exact potential",
            "squares | κ | λ | half strips | smallest",
            4,
            halves.flat_map(of_half).collect(),
        )),
    ]
}

fn drawn_pitches(pitches: &[PitchCounts]) -> Vec<Block<'_>> {
    let drawn: Vec<&PitchCounts> = pitches.iter().filter(|counts| counts.draws > 0).collect();
    let Some(smallest) = drawn.first() else {
        return Vec::new();
    };
    let row = |counts: &&PitchCounts| {
        vec![
            text(counts.shape.points()),
            text(counts.shape.to_string().replace('x', " × ")),
            text(grouped(counts.positions())),
            Cell::Strong(grouped(counts.draws)),
            text(format!("{:.1e}", counts.draws as f64 / counts.positions() as f64)),
            text(counts.longest),
        ]
    };
    vec![
        Block::Text(format!(
            "Draws with Alfred to move, on every pitch of two or more columns with up to {} points; an empty cell is a larger pitch. \
             **The smallest pitch with a draw has {} rows and {} columns, {} points.** A pitch of one column is a strip. The count of \
             one pitch: `phutbase generate 7x3 --count-only`.",
            settled_up_to(pitches),
            smallest.shape.rows(),
            smallest.shape.columns(),
            smallest.shape.points()
        )),
        Block::Table(pitch_matrix(pitches)),
        Block::Table(table(
            "Drawn pitches by area",
            "points | rows × columns | positions | draws | share | longest win or loss",
            6,
            drawn.iter().map(row).collect(),
        )),
    ]
}

/// Returns the draws by rows and columns; unsettled pitches are omitted.
fn pitch_matrix(pitches: &[PitchCounts]) -> Table {
    let rows = pitches.iter().map(|counts| counts.shape.rows());
    let widest = pitches.iter().map(|counts| counts.shape.columns()).max();
    let cell = |rows: usize, columns: usize| {
        let is_shape = |counts: &&PitchCounts| Some(counts.shape) == Shape::new(rows, columns);
        match pitches.iter().find(is_shape).map(|counts| counts.draws) {
            None => text(""),
            Some(0) => text("0"),
            Some(draws) => Cell::Strong(grouped(draws)),
        }
    };
    let (rows, columns) = (3..=rows.max().unwrap_or(0), 2..=widest.unwrap_or(1));
    matrix("Draws by rows and columns", rows, columns, cell)
}

/// Maximum width of the boards of Obstruction shown.
const WIDEST: usize = 16;

fn nimbers(atlas: &Atlas) -> Vec<Block<'_>> {
    let table = &atlas.nimbers;
    if table.is_empty() {
        return Vec::new();
    }
    let [tallest, widest] = obstruction::largest(table);
    let shown = widest.min(WIDEST);
    let cell = |rows: usize, columns: usize| match table.rectangle(rows, columns) {
        None => text(""),
        Some(Nimber::ZERO) => Cell::Strong("0".to_string()),
        Some(nimber) => text(nimber),
    };
    let further = if widest > shown {
        format!(" The table goes on to {widest} columns.")
    } else {
        String::new()
    };
    vec![
        Block::Text(format!(
            "Nimbers of the empty boards: the second player wins where it is **0**, the first elsewhere. An empty cell is not \
             computed yet. From `obstruction.phut` in the directory of tables, which `{}` \
             continues.{further}",
            obstruction::command(table)
        )),
        Block::Table(matrix("Nimbers of Obstruction", 1..=tallest, 1..=shown, cell)),
    ]
}

fn lengths(atlas: &Atlas) -> Vec<Block<'_>> {
    let line = |row: &Row| {
        vec![
            text(row.length),
            text(grouped(&row.wins)),
            text(grouped(&row.losses)),
            text(format!("{:.5}", row.ratio())),
            text(row.longest().map_or(String::new(), |plies| plies.to_string())),
            text(
                row.backward_turns
                    .map_or(String::new(), |turns| turns.to_string()),
            ),
            text(row.nodes.map_or(String::new(), grouped)),
        ]
    };
    vec![
        Block::Text(
            "There are (n − 2) · 2^(n−1) positions of length n with Left to move; wins and losses add up to that. The counts are the \
             tables', whose proofs `phutbase verify` checks."
                .to_string(),
        ),
        Block::Table(table(
            "Counts and sizes by length",
            "n | wins | losses | wins / losses | longest game | backward turns | nodes, who wins",
            7,
            atlas.rows.iter().map(line).collect(),
        )),
    ]
}
