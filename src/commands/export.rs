//! `phutbase export`: every value of a length or of a pitch, as a file.

use super::{Effect, Verb, not_for, without_json};
use clap::Args;
use phutbase_ask::export::{ExportError, ExportSource, Format};
use phutbase_base::digits::human_bytes;
use phutbase_base::job::Need;
use phutbase_rules::boards::Boards;
use phutbase_terminal::{CommandError, GlobalOptions, OutFile, monitor, stdout_is_lost, word};
use std::io::{self, IsTerminal};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase export 12 --format csv                      print a line per position
  phutbase export 20 --format npy --out strip-20.npy   for numpy.load
  phutbase export 5x3 --format csv                     a pitch

CSV: position, ball, stones, value, depth, with Left (on a pitch Alfred) to
move; squares are counted from 0. NumPy: rows are ball squares and columns are
patterns of stones, in the order of docs/FORMAT.md; an element is (outcome,
depth) with 1 for a win, 0 for a draw, -1 for a loss.")]
pub struct Arguments {
    /// Strips of one length, or a pitch
    boards: Boards,
    /// Select the format: csv or npy
    #[arg(long, value_name = "FORMAT", value_parser = word::<Format>(Format::WORDS), hide_possible_values = true)]
    format: Format,
    /// Write to this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Verb for Arguments {
    fn effects(&self, common: &GlobalOptions) -> Vec<Effect> {
        vec![without_json(common)]
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        if self.out.is_none() && stdout_is_lost() {
            return Err(CommandError::system(
                "standard output is closed; name a file with --out",
            ));
        }
        let tables = common.tables()?;
        let format = self.format;
        let sets;
        let source = match (self.boards.one_length(), &self.boards) {
            (Some(length), _) => {
                sets = tables.ask_strips(length, None, |table| table.sets(length))?;
                ExportSource::strip(&sets).map_err(refused)?
            }
            (_, Boards::Pitch(shape)) => ExportSource::pitch(tables.ask_pitch(*shape, Ok)?),
            (_, boards) => {
                let possible = "the strips of one length, such as 16, or a pitch";
                return Err(not_for("export", boards, possible));
            }
        };
        let (bytes, file) = (source.bytes(format), self.out.as_deref());
        let file = file.map(OutFile::new).transpose()?;
        if file.is_none() && format != Format::Csv && io::stdout().is_terminal() {
            return Err(CommandError::usage(
                "cannot write this format to a terminal; name a file with --out FILE",
            ));
        }
        if let Some((named, free)) = file.as_ref().map(|file| (file.named, file.available_space()))
            && bytes > free
        {
            return Err(CommandError::System(format!(
                "'{}' needs about {}, and the disk has {} free; name another disk, or pipe the output",
                named.display(),
                human_bytes(bytes),
                human_bytes(free)
            )));
        }
        monitor::run(source.boards.words(), None, |job| {
            job.need(Need {
                disk: bytes,
                ..Need::default()
            });
            let Some(file) = &file else {
                let mut out = io::BufWriter::new(io::stdout());
                return source.write(format, &mut out, job).map_err(refused);
            };
            let mut failed = None;
            let written = file.write(|out| {
                let written = source.write(format, &mut io::BufWriter::new(out), job);
                written.map_err(|error| match error {
                    ExportError::Output(error) => error,
                    error => io::Error::other(failed.insert(error).to_string()),
                })
            });
            failed.map_or(written, |error| Err(refused(error)))
        })
    }
}

fn refused(error: ExportError) -> CommandError {
    match error {
        ExportError::Output(error) => error.into(),
        ExportError::Table(error) => error.into(),
        error => CommandError::usage(error),
    }
}
