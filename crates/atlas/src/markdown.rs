//! The atlas as Markdown, with the pictures as separate files.

use super::claims::Claim;
use super::document::{Block, Cell, Document, Table};

/// Writes the document as Markdown; it refers to pictures as `NAME.svg`.
pub fn write(document: &Document<'_>) -> String {
    let mut page = format!("# {}\n\n{}\n", document.title, document.introduction);
    for section in &document.sections {
        page += &format!("\n## {}\n", section.title);
        section.blocks.iter().for_each(|part| page += &block(part));
    }
    page
}

fn block(block: &Block<'_>) -> String {
    match block {
        Block::Text(text) => format!("\n{text}\n"),
        Block::Claims(title, list) => format!("\n### {title}\n{}", claims(list)),
        Block::Picture(picture) => format!(
            "\n### {}\n\n![{}]({}.svg)\n\n{}\n",
            picture.title, picture.title, picture.name, picture.caption
        ),
        Block::Table(found) => table(found),
    }
}

fn claims(claims: &[&Claim]) -> String {
    let mut text =
        "\n| Claim | Source | Verdict | Checked on | Command |\n|---|---|---|---|---|\n".to_string();
    for claim in claims {
        let proof = if claim.proof.is_empty() || !claim.examples.is_empty() {
            String::new()
        } else {
            format!("; {}", claim.proof)
        };
        text += &format!(
            "| {} | {} | **{}** | {}{proof} | `{}` |\n",
            claim.statement.words, claim.statement.source, claim.verdict, claim.range, claim.command
        );
    }
    for claim in claims.iter().filter(|claim| !claim.examples.is_empty()) {
        text += &format!("\n{}", claim.statement.words);
        if !claim.proof.is_empty() {
            text += &format!(" The positions are {}.", claim.proof);
        }
        text += "\n\n```text\n";
        for (position, what) in &claim.examples {
            text += &format!("{position:<26} {what}\n");
        }
        text += "```\n";
    }
    text
}

fn table(table: &Table) -> String {
    format!("\n### {}\n\n{}", table.title, lines(table))
}

/// Writes a table without its title.
pub fn lines(table: &Table) -> String {
    let head = table.columns.iter().map(|title| title.replace('\\', "\\\\"));
    let aligned = (0..table.columns.len()).map(|place| if place < table.numbers { "--:" } else { ":--" });
    let mut text = format!(
        "| {} |\n|{}|\n",
        head.collect::<Vec<_>>().join(" | "),
        aligned.collect::<Vec<_>>().join("|")
    );
    for row in &table.rows {
        let cells = row.iter().map(|cell| match cell {
            Cell::Text(text) => text.clone(),
            Cell::Strong(text) => format!("**{text}**"),
            Cell::Board(board) => format!("`{board}`"),
        });
        text += &format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    }
    text
}
