//! `phutbase report`: the atlas, as a page and as Markdown.

use super::{Verb, in_range};
use clap::Args;
use phutbase_answer::object;
use phutbase_atlas::tables::csv;
use phutbase_atlas::{ReportError, Scope, charts, collect, document, markdown, page};
use phutbase_terminal::common::Common;
use phutbase_terminal::monitor;
use phutbase_terminal::out_file::write_file;
use phutbase_terminal::output::{CommandError, print_result};
use phutbase_theory::exact::diagrams::MAX_LENGTH;
use phutbase_theory::oddish::MAX_SOLVED_SQUARES;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase report                             in the directory 'atlas'
  phutbase report --out docs/atlas --json
  phutbase report --length 24 --oddish-squares 10")]
pub struct Arguments {
    /// Write atlas.html, atlas.md, results.md, sequences.csv and the pictures to this directory
    #[arg(long, value_name = "DIR", default_value = "atlas")]
    out: PathBuf,
    /// Compute potentials of strips up to N squares
    #[arg(long, value_name = "N", default_value_t = 40)]
    length: usize,
    /// Solve Oddish boards up to M squares
    #[arg(long, value_name = "M", default_value_t = 14)]
    oddish_squares: usize,
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let scope = Scope {
            length: self.length,
            oddish_squares: self.oddish_squares,
        };
        in_range("length", self.length, 9, MAX_LENGTH)?;
        in_range("oddish-squares", self.oddish_squares, 2, MAX_SOLVED_SQUARES)?;
        // Fail early: the work takes minutes.
        std::fs::create_dir_all(&self.out).map_err(|error| {
            CommandError::System(format!("cannot write '{}': {error}", self.out.display()))
        })?;
        let tables = common.tables()?;
        let atlas = monitor::run("the atlas", None, |job| {
            collect(scope, &tables, job).map_err(failed)
        })?;
        let pictures = charts::all(&atlas).map_err(failed)?;
        let document = document::document(&atlas, &pictures);
        let write = |name: &str, text: &str| -> Result<PathBuf, CommandError> {
            let file = self.out.join(name);
            write_file(&file, text.as_bytes())?;
            Ok(file)
        };
        let written = object! {
            page: write("atlas.html", &page::write(&document))?,
            markdown: write("atlas.md", &markdown::write(&document))?,
            results: write("results.md", &markdown::lines(&document::results(&atlas)))?,
            sequences: write("sequences.csv", &csv(&atlas.rows))?,
            pictures: (pictures.iter())
                .map(|picture| write(&format!("{}.svg", picture.name), &picture.svg))
                .collect::<Result<Vec<_>, _>>()?,
            claims: atlas.claims.len(),
        };
        let (page, markdown) = (written.page.display(), written.markdown.display());
        print_result(common.json, &written, |out| writeln!(out, "{page}\n{markdown}"))
    }
}

fn failed(error: ReportError) -> CommandError {
    match error {
        ReportError::Table(error) => error.into(),
        ReportError::Theory(error) => error.into(),
        ReportError::Pitch(error) => error.into(),
        ReportError::Stopped(stopped) => stopped.into(),
        error => CommandError::failure(error),
    }
}
