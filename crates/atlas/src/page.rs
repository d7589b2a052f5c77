//! The atlas as one self-contained HTML page.

use super::boards;
use super::claims::{Claim, Verdict};
use super::document::{Block, Cell, Document, Section, Table};

/// The style sheets, for light and dark, wide and narrow screens: that of the site, and the
/// atlas's.
const STYLE: [&str; 2] = [include_str!("site.css"), include_str!("page.css")];

/// The icon of the site, which a page that loads nothing has in its head.
const ICON: &str = include_str!("icon.svg");

/// Longer tables are folded.
const MAX_OPEN_ROWS: usize = 24;

pub fn write(document: &Document<'_>) -> String {
    let title = escaped(document.title);
    let introduction = inline(&document.introduction);
    let link = |section: &Section<'_>| {
        let title = escaped(section.title);
        format!("<a href=\"#{}\">{title}</a>", section.name)
    };
    let links: String = document.sections.iter().map(link).collect();
    let sections: String = document.sections.iter().map(section).collect();
    let style = STYLE.concat();
    let icon = [("\"", "'"), ("#", "%23"), ("<", "%3C"), (">", "%3E")];
    let icon = (icon.iter()).fold(ICON.trim().to_string(), |icon, (symbol, code)| {
        icon.replace(symbol, code)
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<link rel=\"icon\" href=\"data:image/svg+xml,{icon}\">\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         <p>{introduction}</p>\n<nav aria-label=\"Sections\">{links}</nav>\n{sections}</main>\n</body>\n</html>\n"
    )
}

fn section(section: &Section<'_>) -> String {
    let (name, title) = (section.name, escaped(section.title));
    let blocks: String = section.blocks.iter().map(block).collect();
    format!("<section id=\"{name}\">\n<h2>{title}</h2>\n{blocks}</section>\n")
}

fn block(block: &Block<'_>) -> String {
    match block {
        Block::Text(text) => format!("<p>{}</p>\n", inline(text)),
        Block::Claims(title, claims) => {
            let claims: String = claims.iter().map(|claim| article(claim)).collect();
            format!("<h3>{title}</h3>\n{claims}")
        }
        Block::Picture(picture) => format!(
            "<figure>\n<div class=\"chart\">{}</div>\n<figcaption><strong>{}.</strong> {}</figcaption>\n</figure>\n",
            picture.svg.trim(),
            escaped(picture.title),
            inline(&picture.caption)
        ),
        Block::Table(found) => table(found),
    }
}

fn article(claim: &Claim) -> String {
    let badge = claim.verdict;
    let class = match badge {
        Verdict::Holds => "holds",
        Verdict::Refuted => "fails",
        Verdict::HoldsUpTo(_) => "partly",
    };
    let example = |(position, what): &(String, String)| {
        let (picture, what) = (boards::svg(position), escaped(what));
        format!("<div class=\"example\">{picture}<span>{what}</span></div>\n")
    };
    format!(
        "<article class=\"claim {class}\">\n<p class=\"verdict\"><span>{badge}</span></p>\n<div>\n<p>{}</p>\n\
         <p class=\"meta\">{}. Checked: {}.{}</p>\n<p class=\"command\"><code>{}</code></p>\n{}</div>\n</article>\n",
        escaped(claim.statement.words),
        escaped(claim.statement.source),
        escaped(&claim.range),
        proof(claim),
        escaped(&claim.command),
        claim.examples.iter().map(example).collect::<String>()
    )
}

/// Describes the proof of a claim's examples in a sentence.
fn proof(claim: &Claim) -> String {
    let mut letters = claim.proof.chars();
    match letters.next() {
        None => String::new(),
        Some(first) => format!(" {}{}.", first.to_uppercase(), escaped(letters.as_str())),
    }
}

fn table(table: &Table) -> String {
    let class = |place: usize| {
        if place < table.numbers {
            " class=\"number\""
        } else {
            ""
        }
    };
    let heads = table.columns.iter().enumerate();
    let heads = heads.map(|(place, title)| format!("<th{}>{}</th>", class(place), escaped(title)));
    let cell = |(place, cell): (usize, &Cell)| match cell {
        Cell::Text(text) => format!("<td{}>{}</td>", class(place), inline(text)),
        Cell::Strong(text) => format!("<td{}><strong>{}</strong></td>", class(place), escaped(text)),
        Cell::Board(board) => format!("<td>{}</td>", boards::svg(board)),
    };
    let row = |cells: &Vec<Cell>| {
        let cells: String = cells.iter().enumerate().map(cell).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let (title, count) = (escaped(table.title), table.rows.len());
    let lines = format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><table{}>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
        if table.matrix { " class=\"matrix\"" } else { "" },
        heads.collect::<String>(),
        table.rows.iter().map(row).collect::<String>()
    );
    if count > MAX_OPEN_ROWS {
        format!("<details>\n<summary>{title}, {count} lines</summary>\n{lines}</details>\n")
    } else {
        format!("<h3>{title}</h3>\n{lines}")
    }
}

/// Converts text with `` `code` `` and `**strong words**` to HTML.
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

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
