//! The atlas as Markdown, with the pictures as files beside it.

use super::claims::Claim;
use super::document::{Block, Cell, Document, Table};
use std::fmt::{self, Write};

/// The Markdown twin of the page; pictures are expected as `NAME.svg` beside it.
pub fn write(document: &Document<'_>) -> String {
    let mut page = format!("# {}\n\n{}\n", document.title, document.introduction);
    // Writing to a string cannot fail.
    let _ = sections(&mut page, document);
    page
}

fn sections(page: &mut String, document: &Document<'_>) -> fmt::Result {
    for section in &document.sections {
        writeln!(page, "\n## {}", section.title)?;
        for block in &section.blocks {
            match block {
                Block::Text(text) => writeln!(page, "\n{text}")?,
                Block::Claims(subject, list) => {
                    writeln!(page, "\n### {}", subject.title())?;
                    claims(page, list)?;
                }
                Block::Picture(picture) => writeln!(
                    page,
                    "\n### {}\n\n![{}]({}.svg)\n\n{}",
                    picture.title, picture.title, picture.name, picture.caption
                )?,
                Block::Table(found) => table(page, found)?,
            }
        }
    }
    Ok(())
}

fn claims(page: &mut String, claims: &[&Claim]) -> fmt::Result {
    writeln!(
        page,
        "\n| Claim | Source | Verdict | Checked on | Command |\n|---|---|---|---|---|"
    )?;
    for claim in claims {
        let proof = match claim.proof.is_empty() || !claim.examples.is_empty() {
            true => String::new(),
            false => format!("; {}", claim.proof),
        };
        writeln!(
            page,
            "| {} | {} | **{}** | {}{proof} | `{}` |",
            claim.statement, claim.source, claim.verdict, claim.range, claim.command
        )?;
    }
    let shown = claims.iter().filter(|claim| !claim.examples.is_empty());
    for claim in shown {
        write!(page, "\n{}", claim.statement)?;
        if !claim.proof.is_empty() {
            write!(page, " The positions are {}.", claim.proof)?;
        }
        writeln!(page, "\n\n```text")?;
        for (position, what) in &claim.examples {
            writeln!(page, "{position:<26} {what}")?;
        }
        writeln!(page, "```")?;
    }
    Ok(())
}

fn table(page: &mut String, table: &Table) -> fmt::Result {
    writeln!(page, "\n### {}\n", table.title)?;
    let head = table.columns.iter().map(|title| title.replace('\\', "\\\\"));
    writeln!(page, "| {} |", head.collect::<Vec<_>>().join(" | "))?;
    let aligned = (0..table.columns.len()).map(|place| match place < table.numbers {
        true => "--:",
        false => ":--",
    });
    writeln!(page, "|{}|", aligned.collect::<Vec<_>>().join("|"))?;
    for row in &table.rows {
        let cells = row.iter().map(|cell| match cell {
            Cell::Text(text) => text.clone(),
            Cell::Strong(text) => format!("**{text}**"),
            Cell::Board(board) => format!("`{board}`"),
        });
        writeln!(page, "| {} |", cells.collect::<Vec<_>>().join(" | "))?;
    }
    Ok(())
}
