//! `phutbase suite`: positions with values and best turns, to test engines in any language.

use super::out_file::OutFile;
use super::output::{CommandError, closable_stdout, json_line};
use super::{Common, Verb, strips};
use crate::engine::suite::{Item, of_length};
use crate::games::boards::Boards;
use crate::games::strip::MAX_LENGTH;
use crate::table::strip::find::Uniform;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase suite 8..20                                lines in EPD style
  phutbase suite 4..32 --out suite.epd
  phutbase suite 24 --per-depth 2 --seed 7 --json     one JSON object per line")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "4..32")]
    boards: Boards,
    /// Print K positions for every length and depth, or for every length and value without depths
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    per_depth: u32,
    /// Set the seed; the same seed gives the same positions
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let lengths = strips("suite", &self.boards, MAX_LENGTH)?;
        let file = self.out.as_deref().map(OutFile::new).transpose()?;
        let tables = common.tables()?;
        // Report a missing table before the first line of output.
        (lengths.clone()).try_for_each(|length| tables.best(length).map(drop))?;
        let mut chance = Uniform::new(self.seed);
        let mut kept = Vec::new();
        for length in lengths {
            let items = of_length(&tables, length, self.per_depth as usize, &mut chance)?;
            match &file {
                Some(_) => write_items(&mut kept, &items, common.json)?,
                None => {
                    let mut out = closable_stdout();
                    write_items(&mut out, &items, common.json)?;
                    out.flush()?;
                }
            }
        }
        file.map_or(Ok(()), |file| file.write_all(&kept))
    }
}

fn write_items(out: &mut impl Write, items: &[Item], json: bool) -> Result<(), CommandError> {
    items.iter().try_for_each(|item| {
        if json {
            json_line(out, item)
        } else {
            Ok(writeln!(out, "{item}")?)
        }
    })
}
