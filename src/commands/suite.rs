//! `phutbase suite`: positions with values and best turns, to test engines in any language.

use super::output::{CommandError, json_line, stdout, write_file};
use super::{Common, lengths};
use clap::{Args, ValueEnum};
use phutbase::engine::suite::{Item, of_length};
use phutbase::table::directory::Tablebase;
use phutbase::theory::find::Uniform;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// Lengths of the strips: a number, or a range such as 8..16 (both ends count)
    #[arg(long, value_name = "N|A..B", default_value = "4..32")]
    lengths: String,
    /// Positions of every length and depth, or of every length and value where there are no depths
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    per_depth: u32,
    /// The same seed, the same positions
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// How a position is written [default: epd; jsonl with --json]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The position, then operations that end with ';'
    Epd,
    /// One JSON object per line
    Jsonl,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let format = arguments.format.unwrap_or(match common.json {
        true => Format::Jsonl,
        false => Format::Epd,
    });
    let tables = Tablebase::open(&common.tables)?;
    let mut chance = Uniform::new(arguments.seed);
    let mut text = Vec::new();
    for length in lengths::parse(&arguments.lengths)? {
        for item in of_length(&tables, length, arguments.per_depth as usize, &mut chance)? {
            write_item(&mut text, &item, format)?;
        }
    }
    match &arguments.out {
        Some(file) => write_file(file, &text),
        None => {
            let mut out = stdout();
            out.write_all(&text)?;
            Ok(out.flush()?)
        }
    }
}

fn write_item(text: &mut Vec<u8>, item: &Item, format: Format) -> Result<(), CommandError> {
    match format {
        Format::Epd => Ok(writeln!(text, "{item}")?),
        Format::Jsonl => json_line(text, item),
    }
}
