//! `phutbase suite`: positions with values and best turns, to test engines in any language.

use super::options::open_span;
use super::{Verb, strips};
use clap::Args;
use phutbase_ask::sources::Sources;
use phutbase_base::random::Uniform;
use phutbase_engine::suite::{Choice, Item, of_length, of_pitch};
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::MAX_LENGTH;
use phutbase_table::Metric;
use phutbase_terminal::common::Common;
use phutbase_terminal::monitor;
use phutbase_terminal::out_file::OutFile;
use phutbase_terminal::output::{CommandError, closable_stdout, json_line};
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase suite 8..20                                lines in EPD style
  phutbase suite 4..32 --out suite.epd
  phutbase suite 15..21 --depth 15.. --per-depth 1    balanced openings
  phutbase suite 7x3 --per-depth 1
  phutbase suite 24 --per-depth 2 --seed 7 --json     one JSON object per line")]
pub struct Arguments {
    /// Strips, or a pitch
    #[arg(default_value = "4..32")]
    boards: Boards,
    /// Positions per length and depth; per length and value where depths are unknown
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    per_depth: u32,
    /// Print only positions of these depths: A, A..B, or A.. for balanced openings
    #[arg(long, value_name = "D|A..B", value_parser = open_span)]
    depth: Option<RangeInclusive<u16>>,
    /// Set the seed; the same seed gives the same positions
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Write to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let file = self.out.as_deref().map(OutFile::new).transpose()?;
        let sources = Sources::new(common.tables()?, 0);
        let sizes: Vec<Boards> = match &self.boards {
            Boards::Pitch(_) => vec![self.boards.clone()],
            boards => strips("suite", boards, MAX_LENGTH)?.map(Boards::strip).collect(),
        };
        // Report a missing table before the first line of output.
        match &self.boards {
            Boards::Pitch(shape) => sources.tables.ask_pitch(*shape, Ok).map(drop)?,
            Boards::Strips(lengths) if self.depth.is_some() => {
                (sources.tables)
                    .ask_strips(*lengths.end(), Some(Metric::Dtw), Ok)
                    .map(drop)?;
            }
            _ => {}
        }
        let mut choice = Choice {
            count: self.per_depth as usize,
            depths: self.depth.clone(),
            chance: &mut Uniform::new(self.seed),
        };
        let (mut kept, mut count) = (Vec::new(), 0);
        for boards in sizes {
            let items = monitor::run(boards.words(), None, |job| match boards {
                Boards::Pitch(shape) => of_pitch(&sources, shape, &mut choice, job),
                Boards::Strips(lengths) => of_length(&sources, *lengths.end(), &mut choice, job),
                _ => Ok(Vec::new()),
            })?;
            count += items.len();
            match &file {
                Some(_) => write_items(&mut kept, &items, common.json)?,
                None => {
                    let mut out = closable_stdout();
                    write_items(&mut out, &items, common.json)?;
                    out.flush()?;
                }
            }
        }
        if count == 0 {
            return Err(CommandError::Failure(format!(
                "{}: no position of this depth",
                self.boards.words()
            )));
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
