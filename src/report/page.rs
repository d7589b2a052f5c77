//! The atlas as one self-contained HTML page.

use super::boards;
use super::charts::Picture;
use super::claims::{Claim, Verdict};
use super::document::{Block, Cell, Document, Table};
use std::fmt::{self, Write};

/// Colours and spaces, for light and dark screens, wide and narrow ones.
const STYLE: &str = include_str!("page.css");

/// The page.
pub fn write(document: &Document<'_>) -> String {
    let title = escaped(document.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n<p>{}</p>\n",
        inline(&document.introduction)
    );
    // Writing to a string cannot fail.
    let _ = body(&mut page, document);
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn body(page: &mut String, document: &Document<'_>) -> fmt::Result {
    page.push_str("<nav>");
    for section in &document.sections {
        write!(
            page,
            "<a href=\"#{}\">{}</a>",
            section.name,
            escaped(section.title)
        )?;
    }
    page.push_str("</nav>\n");
    for section in &document.sections {
        writeln!(
            page,
            "<section id=\"{}\">\n<h2>{}</h2>",
            section.name,
            escaped(section.title)
        )?;
        for block in &section.blocks {
            push_block(page, block)?;
        }
        page.push_str("</section>\n");
    }
    Ok(())
}

fn push_block(page: &mut String, block: &Block<'_>) -> fmt::Result {
    match block {
        Block::Text(text) => writeln!(page, "<p>{}</p>", inline(text)),
        Block::Claims(subject, claims) => {
            writeln!(page, "<h3>{}</h3>", subject.title())?;
            claims.iter().try_for_each(|claim| push_claim(page, claim))
        }
        Block::Picture(picture) => push_picture(page, picture),
        Block::Table(table) => push_table(page, table),
    }
}

fn push_picture(page: &mut String, picture: &Picture) -> fmt::Result {
    writeln!(
        page,
        "<figure>\n<div class=\"chart\">{}</div>\n<figcaption><strong>{}.</strong> {}</figcaption>\n</figure>",
        picture.svg.trim(),
        escaped(picture.title),
        inline(&picture.caption)
    )
}

fn push_claim(page: &mut String, claim: &Claim) -> fmt::Result {
    let (class, badge) = match claim.verdict {
        Verdict::Holds => ("holds", "holds".to_string()),
        Verdict::Refuted => ("fails", "false".to_string()),
        Verdict::HoldsUpTo(length) => ("partly", format!("false from {} on", length + 1)),
    };
    writeln!(
        page,
        "<article class=\"claim {class}\">\n<p class=\"verdict\"><span>{badge}</span></p>\n<div>\n<p>{}</p>\n\
         <p class=\"meta\">{}. Checked: {}.{}</p>\n<p class=\"command\"><code>{}</code></p>",
        escaped(claim.statement),
        escaped(claim.source),
        escaped(&claim.range),
        proof(claim),
        escaped(&claim.command)
    )?;
    for (position, what) in &claim.examples {
        let picture = boards::svg(position);
        writeln!(
            page,
            "<div class=\"example\">{picture}<span>{}</span></div>",
            escaped(what)
        )?;
    }
    page.push_str("</div>\n</article>\n");
    Ok(())
}

/// How a claim's examples were proved, as a sentence.
fn proof(claim: &Claim) -> String {
    let mut letters = claim.proof.chars();
    match letters.next() {
        None => String::new(),
        Some(first) => format!(" {}{}.", first.to_uppercase(), escaped(letters.as_str())),
    }
}

fn push_table(page: &mut String, table: &Table) -> fmt::Result {
    let class = if table.matrix { " class=\"matrix\"" } else { "" };
    write!(
        page,
        "<h3>{}</h3>\n<div class=\"wide\"><table{class}>\n<thead><tr>",
        escaped(table.title)
    )?;
    let class = |place: usize| match place < table.numbers {
        true => " class=\"number\"",
        false => "",
    };
    for (place, title) in table.columns.iter().enumerate() {
        write!(page, "<th{}>{}</th>", class(place), escaped(title))?;
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        page.push_str("<tr>");
        for (place, cell) in row.iter().enumerate() {
            let class = class(place);
            match cell {
                Cell::Text(text) => write!(page, "<td{class}>{}</td>", escaped(text))?,
                Cell::Strong(text) => write!(page, "<td{class}><strong>{}</strong></td>", escaped(text))?,
                Cell::Board(board) => write!(page, "<td>{}</td>", boards::svg(board))?,
            }
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
    Ok(())
}

/// Text as HTML, with `` `code` `` and `**strong words**`.
fn inline(text: &str) -> String {
    let between = |text: String, mark: &str, tag: &str| {
        let mut pieces = text.split(mark);
        let mut html = pieces.next().unwrap_or("").to_string();
        for (place, piece) in pieces.enumerate() {
            let slash = if place % 2 == 0 { "" } else { "/" };
            html += &format!("<{slash}{tag}>{piece}");
        }
        html
    };
    between(between(escaped(text), "`", "code"), "**", "strong")
}

/// Text as HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
