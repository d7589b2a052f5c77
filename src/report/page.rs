//! The atlas as one self-contained HTML page.

use super::Atlas;
use super::charts::Picture;
use super::claims::{Claim, Verdict};
use super::markdown::{grouped, introduction, verdict};
use super::strips;
use std::fmt::Write;

const STYLE: &str = "
:root { color-scheme: light; }
body { font: 16px/1.55 Georgia, 'Times New Roman', serif; color: #222; background: #faf8f3; margin: 0; }
main { max-width: 980px; margin: 0 auto; padding: 2rem 1.2rem 4rem; }
h1 { font-size: 2rem; margin: 0 0 .6rem; } h2 { margin: 2.4rem 0 .6rem; border-bottom: 1px solid #d9d2c2; }
figure { margin: 0 0 1.4rem; } figcaption { color: #555; font-size: .95rem; max-width: 760px; }
figure svg { max-width: 100%; height: auto; background: #fff; border: 1px solid #e4dfd2; }
table { border-collapse: collapse; font-size: .9rem; } th, td { padding: .3rem .6rem; vertical-align: top; text-align: left; }
tr { border-bottom: 1px solid #e6e0d2; } thead tr { border-bottom: 2px solid #b9ae97; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code { white-space: nowrap; font-size: .85rem; background: #f0ebdf; padding: .05rem .25rem; } .wide { overflow-x: auto; }
.holds { color: #1e8449; font-weight: bold; } .false { color: #b03a2e; font-weight: bold; }
.example { display: flex; gap: 1rem; align-items: center; margin: .25rem 0; flex-wrap: wrap; }
.claim { margin: 0 0 1.3rem; } .claim p { margin: .1rem 0; } .meta { color: #555; font-size: .92rem; }
";

/// The page.
pub fn write(atlas: &Atlas, pictures: &[Picture]) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>Atlas of one-dimensional Phutball</title>\n<style>{STYLE}\
         </style>\n</head>\n<body>\n<main>\n<h1>Atlas of one-dimensional Phutball</h1>\n<p>{}</p>\n",
        escaped(&introduction(atlas))
    );
    page.push_str("<h2>Claims</h2>\n");
    for claim in &atlas.claims {
        push_claim(&mut page, claim);
    }
    for picture in pictures {
        // Writing to a string cannot fail.
        let _ = write!(
            page,
            "<h2>{}</h2>\n<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>\n",
            escaped(picture.title),
            picture.svg,
            escaped(&picture.caption)
        );
    }
    push_lengths(&mut page, atlas);
    push_classes(&mut page, atlas);
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn push_claim(page: &mut String, claim: &Claim) {
    let class = match claim.verdict {
        Verdict::Holds => "holds",
        Verdict::Refuted | Verdict::HoldsUpTo(_) => "false",
    };
    let _ = write!(
        page,
        "<div class=\"claim\"><p>{} <span class=\"{class}\">{}.</span></p>\n<p class=\"meta\">{}. Checked on {}. \
         <code>{}</code></p>\n",
        escaped(claim.statement),
        escaped(&verdict(claim.verdict)),
        escaped(claim.source),
        escaped(&claim.range),
        escaped(&claim.command)
    );
    for (position, what) in &claim.examples {
        let side = match position {
            half if half.starts_with('@') => "",
            position if position.ends_with(" R") => "Right to move: ",
            _ => "Left to move: ",
        };
        let picture = strips::svg(position);
        let _ = writeln!(
            page,
            "<div class=\"example\">{picture}<span>{side}{}</span></div>",
            escaped(what)
        );
    }
    page.push_str("</div>\n");
}

fn push_lengths(page: &mut String, atlas: &Atlas) {
    page.push_str(
        "<h2>Length by length</h2>\n<div class=\"wide\"><table><thead><tr><th class=\"number\">n</th>\
         <th class=\"number\">positions</th><th class=\"number\">wins</th><th class=\"number\">losses</th>\
         <th class=\"number\">longest</th><th class=\"number\">errors of the generalized potential</th>\
         <th class=\"number\">largest κ or λ</th><th>κ = λ</th><th class=\"number\">nodes</th></tr></thead><tbody>\n",
    );
    for row in &atlas.rows {
        let cells = [
            row.length.to_string(),
            grouped(row.positions),
            grouped(row.wins),
            grouped(row.losses),
            row.longest().map_or(String::new(), |plies| plies.to_string()),
            grouped(row.errors),
            row.largest.to_string(),
        ];
        page.push_str("<tr>");
        for cell in cells {
            let _ = write!(page, "<td class=\"number\">{cell}</td>");
        }
        let one = if row.circle.is_empty() { "yes" } else { "no" };
        let _ = writeln!(
            page,
            "<td>{one}</td><td class=\"number\">{}</td></tr>",
            grouped(row.nodes as u128)
        );
    }
    page.push_str("</tbody></table></div>\n");
}

/// Half lengths whose classes are listed.
const LISTED: usize = 12;

fn push_classes(page: &mut String, atlas: &Atlas) {
    let last = atlas.rows.last().map_or(0, |row| row.length);
    let _ = write!(
        page,
        "<h2>Classes of the exact potential</h2>\n<p>Half strips by (κ, λ), the least numbers that explain all lengths up to \
         {last} at once. A half strip is drawn from the ball to its goal line; the smallest of each class is shown.</p>\n\
         <div class=\"wide\"><table><thead><tr><th class=\"number\">squares</th><th class=\"number\">κ</th>\
         <th class=\"number\">λ</th><th class=\"number\">half strips</th><th>smallest</th></tr></thead><tbody>\n"
    );
    for (place, classes) in atlas.classes.iter().take(LISTED).enumerate() {
        for class in classes {
            let _ = writeln!(
                page,
                "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
                 <td class=\"number\">{}</td><td>{}</td></tr>",
                place + 1,
                class.kappa,
                class.lambda,
                grouped(class.size),
                strips::svg(&class.smallest.to_string())
            );
        }
    }
    page.push_str("</tbody></table></div>\n");
}

/// Text as HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
