//! The atlas as Markdown, with the pictures as files beside it.

use super::Atlas;
use super::charts::Picture;
use super::claims::Verdict;
use std::fmt::Write;

/// A verdict in a word or two.
pub fn verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::Holds => "holds".to_string(),
        Verdict::Refuted => "false".to_string(),
        Verdict::HoldsUpTo(length) => format!("holds up to length {length}, then false"),
    }
}

/// Digits in groups of three.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What the atlas says of itself, in a paragraph.
pub fn introduction(atlas: &Atlas) -> String {
    let scope = atlas.scope;
    let tables = match (atlas.tables.first(), atlas.tables.last()) {
        (Some(first), Some(last)) => format!(" Tables are at hand for lengths {first} to {last}."),
        _ => String::new(),
    };
    format!(
        "Exact values of one-dimensional Phutball, computed by exhaustion: every position up to length {} as arrays, up to \
         length {} as decision diagrams, and Oddish Phutball up to {} squares. Counts are of positions with Left to move; \
         by the mirror that is all of them. Where both engines reach they count the same.{tables}",
        scope.dense_length,
        scope.symbolic_length.max(scope.dense_length),
        scope.oddish_squares
    )
}

/// The Markdown page; pictures are expected as `NAME.svg` beside it.
pub fn write(atlas: &Atlas, pictures: &[Picture]) -> String {
    let mut page = format!("# Atlas of one-dimensional Phutball\n\n{}\n", introduction(atlas));
    // Writing to a string cannot fail.
    let _ = claims(&mut page, atlas);
    for picture in pictures {
        let _ = write!(
            page,
            "\n## {}\n\n![{}]({}.svg)\n\n{}\n",
            picture.title, picture.title, picture.name, picture.caption
        );
    }
    let _ = lengths(&mut page, atlas);
    let _ = classes(&mut page, atlas);
    page
}

fn claims(page: &mut String, atlas: &Atlas) -> std::fmt::Result {
    writeln!(
        page,
        "\n## Claims\n\n| Claim | Source | Verdict | Checked on | Command |\n|---|---|---|---|---|"
    )?;
    for claim in &atlas.claims {
        writeln!(
            page,
            "| {} | {} | **{}** | {} | `{}` |",
            claim.statement,
            claim.source,
            verdict(claim.verdict),
            claim.range,
            claim.command
        )?;
    }
    writeln!(
        page,
        "\nPositions that show it, Left to move unless they say R; half strips begin with the ball:\n\n```text"
    )?;
    for (position, what) in atlas.claims.iter().flat_map(|claim| &claim.examples) {
        writeln!(page, "{position:<30} {what}")?;
    }
    writeln!(page, "```")
}

fn lengths(page: &mut String, atlas: &Atlas) -> std::fmt::Result {
    writeln!(
        page,
        "\n## Length by length\n\n| n | positions | wins | losses | longest | errors of the generalized potential | \
         largest κ or λ | κ = λ | nodes |\n|--:|--:|--:|--:|--:|--:|--:|:-:|--:|"
    )?;
    for row in &atlas.rows {
        writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.length,
            grouped(row.positions),
            grouped(row.wins),
            grouped(row.losses),
            row.longest().map_or("".to_string(), |plies| plies.to_string()),
            grouped(row.errors),
            row.largest,
            if row.circle.is_empty() { "yes" } else { "no" },
            grouped(row.nodes as u128)
        )?;
    }
    Ok(())
}

/// Half lengths whose classes are listed.
const LISTED: usize = 12;

fn classes(page: &mut String, atlas: &Atlas) -> std::fmt::Result {
    writeln!(
        page,
        "\n## Classes of the exact potential\n\nHalf strips by (κ, λ), the least numbers that explain all lengths up to {} at \
         once. A half strip is read from the ball, `@`, to its goal line; the smallest of each class is shown.\n\n\
         | squares | κ | λ | half strips | smallest |\n|--:|--:|--:|--:|:--|",
        atlas.rows.last().map_or(0, |row| row.length)
    )?;
    for (place, classes) in atlas.classes.iter().take(LISTED).enumerate() {
        for class in classes {
            let (kappa, lambda, size) = (class.kappa, class.lambda, grouped(class.size));
            writeln!(
                page,
                "| {} | {kappa} | {lambda} | {size} | `{}` |",
                place + 1,
                class.smallest
            )?;
        }
    }
    Ok(())
}
