//! `phutbase export`: every value of a length or of a pitch, as a file.

use super::{Effect, Verb, no_json, not_for};
use clap::Args;
use phutbase_base::digits::human_bytes;
use phutbase_base::job::Need;
use phutbase_export::{ExportError, ExportSource, Format};
use phutbase_rules::boards::Boards;
use phutbase_terminal::common::Common;
use phutbase_terminal::monitor;
use phutbase_terminal::options::word;
use phutbase_terminal::out_file::OutFile;
use phutbase_terminal::output::{CommandError, stdout_is_lost};
use std::io::{self, IsTerminal, Write};
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
    fn effects(&self, common: &Common) -> Vec<Effect> {
        vec![no_json(common)]
    }

    fn run(&self, common: &Common) -> Result<(), CommandError> {
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
        self.check_output(&source, format)?;
        let bytes = source.bytes(format);
        monitor::run(source.boards.words(), None, |job| {
            job.need(Need {
                disk: bytes,
                ..Need::default()
            });
            self.write(|out| source.write(format, out, job))
        })
    }
}

impl Arguments {
    /// Rejects terminals and full disks.
    fn check_output(&self, source: &ExportSource<'_>, format: Format) -> Result<(), CommandError> {
        if self.out.is_none() && format != Format::Csv && io::stdout().is_terminal() {
            return Err(CommandError::usage(
                "cannot write this format to a terminal; name a file with --out FILE",
            ));
        }
        let about = source.bytes(format);
        let Some(file) = &self.out else {
            return Ok(());
        };
        let free = OutFile::new(file)?.available_space();
        if about <= free {
            Ok(())
        } else {
            Err(CommandError::System(format!(
                "'{}' needs about {}, and the disk has {} free; name another disk, or pipe the output",
                file.display(),
                human_bytes(about),
                human_bytes(free)
            )))
        }
    }

    fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), ExportError>,
    ) -> Result<(), CommandError> {
        let Some(file) = &self.out else {
            return write(&mut io::BufWriter::new(io::stdout())).map_err(refused);
        };
        let mut failed = None;
        let written = OutFile::new(file)?.write(|out| {
            write(&mut io::BufWriter::new(out)).map_err(|error| match error {
                ExportError::Output(error) => error,
                error => {
                    let text = error.to_string();
                    failed = Some(error);
                    io::Error::other(text)
                }
            })
        });
        failed.map_or(written, |error| Err(refused(error)))
    }
}

fn refused(error: ExportError) -> CommandError {
    match error {
        ExportError::Output(error) => error.into(),
        ExportError::Table(error) => error.into(),
        error => CommandError::usage(error),
    }
}
