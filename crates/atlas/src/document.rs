//! The atlas as one text in Markdown, with the pictures as separate files.

use super::charts::Picture;
use super::claims::{ClaimRow, SUBJECTS, obstruction};
use super::depths::stored;
use super::pitches::{PitchCounts, settled_up_to};
use super::text::runs;
use super::{Atlas, Row};
use phutbase_base::digits::{grouped, short};
use phutbase_base::nimber::Nimber;
use phutbase_rules::pitch::Shape;
use std::ops::RangeInclusive;

/// Writes the atlas; it refers to pictures as `NAME.svg`.
pub fn atlas(atlas: &Atlas, pictures: &[Picture]) -> String {
    let pictured = |names: &[&str]| -> String {
        let these = names
            .iter()
            .filter_map(|name| pictures.iter().find(|picture| picture.name == *name));
        these.map(picture).collect()
    };
    let ratio = pictured(&["ratio"]) + &about_limit(atlas);
    let length = pictured(&["longest", "depths", "losses"]) + &depths_elsewhere();
    let potential = pictured(&["errors"]) + &errors(atlas);
    let result = format!(
        "\n{THE_RULE}\n{}\n{ABOUT_CHECKERS}\n",
        section_table("No draw on these strips", &results(atlas))
    );
    let rules: String = RULES.iter().map(|text| format!("\n{text}\n")).collect();
    let sections = [
        ("The result", result),
        ("Rules and definitions", rules),
        ("Claims and verdicts", claims(atlas)),
        ("How often the mover wins", ratio),
        ("How long games last", length),
        ("The generalized potential", potential),
        ("Draws on the pitch", drawn_pitches(&atlas.pitches)),
        ("Obstruction", nimbers(atlas)),
        ("Length by length", lengths(atlas)),
    ];
    let mut text = format!("# Atlas of one-dimensional Phutball\n\n{}\n", introduction(atlas));
    for (title, body) in sections.iter().filter(|(_, body)| !body.is_empty()) {
        text += &format!("\n## {title}\n{body}");
    }
    text
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
     strip from which the winner is read off. `docs/THEORY.md` lists what is proved, verified and conjectured; the claims of the \
     papers follow here, each with its verdict.",
];

fn introduction(atlas: &Atlas) -> String {
    let lengths: Vec<usize> = atlas.rows.iter().map(|row| row.length).collect();
    format!(
        "Exact values of one-dimensional Phutball: counts of every position of lengths {} by the rule that tells who wins, \
         depths and backward turns from tables, and Oddish Phutball up to {} squares. Counts are of positions with Left to \
         move; by symmetry that covers all of them.",
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
     checkers. The other columns were counted or read from tables for it.";

/// Returns in one table what was computed without the rule that tells who wins: the lengths in ranges that the same checkers accepted.
/// README, docs/THEORY.md and the paper include it (`scripts/results.py`).
pub fn results(atlas: &Atlas) -> String {
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
    let columns =
        "squares | positions, the longest strip | longest game, plies | levels | who wins, accepted by";
    table(columns, 4, &lines)
}

fn line(range: &[Row], last: &Row, checkers: &str) -> Vec<String> {
    let lengths: Vec<usize> = range.iter().map(|row| row.length).collect();
    // Depths may end before the range does.
    let known = range.iter().filter_map(|row| Some((row.longest()?, row.length)));
    let longest = match (
        known.clone().map(|(plies, _)| plies).max(),
        known.clone().next_back(),
    ) {
        (Some(plies), Some((_, to))) if to < last.length => format!("{plies} (to {to})"),
        (plies, _) => or_nothing(plies),
    };
    vec![
        runs(&lengths),
        short(&last.positions),
        longest,
        (last.backward_turns + 1).to_string(),
        checkers.to_string(),
    ]
}

fn picture(picture: &Picture) -> String {
    let Picture {
        name, title, caption, ..
    } = picture;
    format!("\n### {title}\n\n![{title}]({name}.svg)\n\n{caption}\n")
}

fn claims(atlas: &Atlas) -> String {
    let mut text = String::new();
    for (subject, title) in SUBJECTS {
        let these: Vec<&ClaimRow> = atlas
            .claims
            .iter()
            .filter(|claim| claim.subject == subject)
            .collect();
        if !these.is_empty() {
            text += &format!("\n### {title}\n\n{}", verdicts(&these));
            text.extend(
                these
                    .into_iter()
                    .filter(|claim| !claim.examples.is_empty())
                    .map(examples),
            );
        }
    }
    text
}

fn verdicts(claims: &[&ClaimRow]) -> String {
    let row = |claim: &&ClaimRow| {
        let proof = if claim.proof.is_empty() || !claim.examples.is_empty() {
            String::new()
        } else {
            format!("; {}", claim.proof)
        };
        vec![
            claim.statement.words.to_string(),
            claim.statement.source.to_string(),
            strong(claim.verdict),
            claim.range.clone() + &proof,
            format!("`{}`", claim.command),
        ]
    };
    let rows: Vec<Vec<String>> = claims.iter().map(row).collect();
    table("Claim | Source | Verdict | Checked on | Command", 0, &rows)
}

fn examples(claim: &ClaimRow) -> String {
    let proof = if claim.proof.is_empty() {
        String::new()
    } else {
        format!(" The positions are {}.", claim.proof)
    };
    let example = |(position, what): &(String, String)| format!("{position:<26} {what}\n");
    let examples: String = claim.examples.iter().map(example).collect();
    format!("\n{}{proof}\n\n```text\n{examples}```\n", claim.statement.words)
}

fn about_limit(atlas: &Atlas) -> String {
    let limit = atlas.limit;
    format!(
        "\nThe share of wins of long strips tends to {limit:.9}, that is {:.6} wins to a loss. This is the probability that the mover \
         wins with two long random half strips: the states of the rule, each square a stone or empty with probability 1/2, reach a \
         stationary distribution.\n",
        limit / (1.0 - limit)
    )
}

/// Names the lengths whose depths come from an earlier run.
fn depths_elsewhere() -> String {
    let elsewhere: Vec<usize> = stored().map(|(length, _)| length).collect();
    let last = elsewhere.last().expect("a line of depths.tsv");
    format!(
        "\nThe depths of {} squares come from one run of `phutbase generate {last}`, three minutes of processor time. Its table is not \
         shipped; `phutbase stats {last} --tables DIR` prints the counts, `crates/atlas/src/depths.tsv` keeps them, and they add up to the wins \
         and losses.\n",
        runs(&elsewhere)
    )
}

/// Writes a table; `columns` are separated by bars, and the first `numbers` are right-aligned.
fn table(columns: &str, numbers: usize, rows: &[Vec<String>]) -> String {
    let count = columns.split(" | ").count();
    let aligned: Vec<&str> = (0..count)
        .map(|place| if place < numbers { "--:" } else { ":--" })
        .collect();
    let row = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
    let rows: String = rows.iter().map(row).collect();
    format!("| {columns} |\n|{}|\n{rows}", aligned.join("|"))
}

/// Puts a table under a heading.
fn section_table(title: &str, table: &str) -> String {
    format!("\n### {title}\n\n{table}")
}

fn matrix(
    title: &str,
    rows: RangeInclusive<usize>,
    columns: RangeInclusive<usize>,
    cell: impl Fn(usize, usize) -> String,
) -> String {
    let titles = columns.clone().map(|column| format!(" | {column}"));
    let titles = "rows \\\\ columns".to_string() + &titles.collect::<String>();
    let line = |row: usize| {
        let cells = columns.clone().map(|column| cell(row, column));
        [row.to_string()].into_iter().chain(cells).collect()
    };
    section_table(
        title,
        &table(&titles, usize::MAX, &rows.map(line).collect::<Vec<_>>()),
    )
}

fn strong(text: impl ToString) -> String {
    format!("**{}**", text.to_string())
}

fn or_nothing(number: Option<usize>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

fn errors(atlas: &Atlas) -> String {
    let row = |row: &Row| {
        let errors = row.errors?;
        let share = 100.0 * errors as f64 / super::float(&row.positions);
        Some(vec![
            row.length.to_string(),
            grouped(errors),
            format!("{share:.3}"),
        ])
    };
    let rows: Vec<Vec<String>> = atlas.rows.iter().filter_map(row).collect();
    section_table(
        "Errors by length",
        &table("n | errors | % of positions", 3, &rows),
    )
}

fn drawn_pitches(pitches: &[PitchCounts]) -> String {
    let drawn: Vec<&PitchCounts> = pitches.iter().filter(|counts| counts.draws > 0).collect();
    let Some(smallest) = drawn.first() else {
        return String::new();
    };
    let row = |counts: &&PitchCounts| {
        vec![
            counts.shape.points().to_string(),
            counts.shape.to_string().replace('x', " × "),
            grouped(counts.positions()),
            strong(grouped(counts.draws)),
            format!("{:.1e}", counts.draws as f64 / counts.positions() as f64),
            counts.longest.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = drawn.iter().map(row).collect();
    let by_area = table(
        "points | rows × columns | positions | draws | share | longest win or loss",
        6,
        &rows,
    );
    format!(
        "\nDraws with Alfred to move, on every pitch of two or more columns with up to {} points; an empty cell is a larger pitch. \
         **The smallest pitch with a draw has {} rows and {} columns, {} points.** A pitch of one column is a strip. The count of \
         one pitch: `phutbase generate 7x3 --count-only`.\n{}{}",
        settled_up_to(pitches),
        smallest.shape.rows(),
        smallest.shape.columns(),
        smallest.shape.points(),
        pitch_matrix(pitches),
        section_table("Drawn pitches by area", &by_area)
    )
}

/// Returns the draws by rows and columns; unsettled pitches are omitted.
fn pitch_matrix(pitches: &[PitchCounts]) -> String {
    let rows = pitches.iter().map(|counts| counts.shape.rows());
    let widest = pitches.iter().map(|counts| counts.shape.columns()).max();
    let cell = |rows: usize, columns: usize| {
        let is_shape = |counts: &&PitchCounts| Some(counts.shape) == Shape::new(rows, columns);
        match pitches.iter().find(is_shape).map(|counts| counts.draws) {
            None => String::new(),
            Some(0) => "0".to_string(),
            Some(draws) => strong(grouped(draws)),
        }
    };
    let (rows, columns) = (3..=rows.max().unwrap_or(0), 2..=widest.unwrap_or(1));
    matrix("Draws by rows and columns", rows, columns, cell)
}

/// Maximum width of the boards of Obstruction shown.
const WIDEST: usize = 16;

fn nimbers(atlas: &Atlas) -> String {
    let table = &atlas.nimbers;
    if table.is_empty() {
        return String::new();
    }
    let [tallest, widest] = obstruction::largest(table);
    let shown = widest.min(WIDEST);
    let cell = |rows: usize, columns: usize| match table.rectangle(rows, columns) {
        None => String::new(),
        Some(Nimber::ZERO) => strong(0),
        Some(nimber) => nimber.to_string(),
    };
    let further = if widest > shown {
        format!(" The table goes on to {widest} columns.")
    } else {
        String::new()
    };
    format!(
        "\nNimbers of the empty boards: the second player wins where it is **0**, the first elsewhere. An empty cell is not \
         computed yet. From `obstruction.phut` in the directory of tables, which `{}` \
         continues.{further}\n{}",
        obstruction::command(table),
        matrix("Nimbers of Obstruction", 1..=tallest, 1..=shown, cell)
    )
}

fn lengths(atlas: &Atlas) -> String {
    let line = |row: &Row| {
        vec![
            row.length.to_string(),
            grouped(&row.wins),
            grouped(&row.losses),
            format!("{:.5}", row.ratio()),
            or_nothing(row.longest()),
            row.backward_turns.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = atlas.rows.iter().map(line).collect();
    let columns = "n | wins | losses | wins / losses | longest game | backward turns";
    format!(
        "\nThere are (n − 2) · 2^(n−1) positions of length n with Left to move; wins and losses add up to that. The rule counts them, and \
         the counts of all tables at hand are the same. The backward turns beyond 64 squares are results of version 0.3 \
         (`docs/THEORY.md`).\n{}",
        section_table("Counts by length", &table(columns, 6, &rows))
    )
}
