//! The program `phutbase-atlas`: the atlas in Markdown.

use clap::Parser;
use phutbase_atlas::tables::csv;
use phutbase_atlas::{Scope, charts, collect, document};
use phutbase_base::object;
use phutbase_machine::allocator::Allocator;
use phutbase_terminal::{CommandError, GlobalOptions, common, in_range, monitor, print_result, write_file};
use phutbase_theory::generalized::MAX_LENGTH;
use phutbase_theory::oddish::MAX_SOLVED_SQUARES;
use std::path::PathBuf;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// Write the atlas: claims with verdicts, charts and counts of Phutball.
#[derive(Parser)]
#[command(name = "phutbase-atlas", version, max_term_width = 80)]
#[command(after_help = "Examples:
  phutbase-atlas                             in the directory 'atlas'
  phutbase-atlas --out docs/atlas --json
  phutbase-atlas --length 24 --oddish-squares 10")]
struct Cli {
    /// Write atlas.md, results.md, sequences.csv and the pictures to this directory
    #[arg(long, value_name = "DIR", default_value = "atlas")]
    out: PathBuf,
    /// Count the errors of the generalized potential up to N squares
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = in_range::<9, MAX_LENGTH>)]
    length: usize,
    /// Solve Oddish boards up to M squares
    #[arg(long, value_name = "M", default_value_t = 14, value_parser = in_range::<2, MAX_SOLVED_SQUARES>)]
    oddish_squares: usize,
    #[command(flatten)]
    common: GlobalOptions,
}

fn main() -> ExitCode {
    phutbase_terminal::main(|| {}, run)
}

fn run() -> Result<(), CommandError> {
    let cli = common::parse::<Cli>()?;
    cli.common.apply(false)?;
    let scope = Scope {
        length: cli.length,
        oddish_squares: cli.oddish_squares,
    };
    // Fail early: the work takes minutes.
    std::fs::create_dir_all(&cli.out)
        .map_err(|error| CommandError::System(format!("cannot write '{}': {error}", cli.out.display())))?;
    let tables = cli.common.tables()?;
    let atlas = monitor::run("the atlas", None, |job| collect(scope, &tables, job))?;
    let pictures = charts::all(&atlas)?;
    let write = |name: &str, text: &str| -> Result<PathBuf, CommandError> {
        let file = cli.out.join(name);
        write_file(&file, text.as_bytes())?;
        Ok(file)
    };
    let written = object! {
        atlas: write("atlas.md", &document::atlas(&atlas, &pictures))?,
        results: write("results.md", &document::results(&atlas))?,
        sequences: write("sequences.csv", &csv(&atlas.rows))?,
        pictures: (pictures.iter())
            .map(|picture| write(&format!("{}.svg", picture.name), &picture.svg))
            .collect::<Result<Vec<_>, _>>()?,
        claims: atlas.claims.len(),
    };
    let page = written.atlas.display();
    print_result(cli.common.json, &written, |out| writeln!(out, "{page}"))
}
