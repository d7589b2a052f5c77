//! `phutbase export`: every value of a length or of a pitch, or the proof of a length, in a file that other programs read.

use super::output::{CommandError, grouped, say};
use super::{Common, Verb, not_for, one_length, progress};
use crate::disk::{available_space, replace_file};
use crate::export::{ExportError, Format, Source, proof};
use crate::games::boards::Boards;
use crate::generate::plan::human_bytes;
use crate::table::tablebase::Tablebase;
use clap::Args;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase export 12 --format csv                            a line for each position, on standard output
  phutbase export 20 --format npy --out strip-20.npy         for numpy.load, which can map it
  phutbase export 48 --proof --out 48.txt                    the sets that prove it, for the checker in proofs/

Every position with Left (on a pitch Alfred) to move is a row: position, ball, stones, value, depth. The ball's square, or point, is counted from 0.
In npy rows and columns are the ball and the pattern of stones, in the order of docs/FORMAT.md, and an element is (outcome, depth): 1 for a
win, 0 for a draw, -1 for a loss.")]
pub struct Arguments {
    /// The strips of one length, or a pitch
    boards: Boards,
    /// csv or npy
    #[arg(
        long,
        value_name = "FORMAT",
        required_unless_present = "proof",
        conflicts_with = "proof"
    )]
    format: Option<Format>,
    /// No values, but the sets that prove who wins, as text (from a wdl table)
    #[arg(long)]
    proof: bool,
    /// The file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let tables = common.tables()?;
        let Some(format) = self.format else {
            return self.write_proof(&tables);
        };
        let sets;
        let source = match (one_length(&self.boards), &self.boards) {
            (Some(length), _) => {
                sets = tables.ask(length, |table| table.sets(length))?;
                Source::strip(&sets)?
            }
            (_, Boards::Pitch(shape)) => Source::pitch(tables.pitch(*shape)?),
            (_, boards) => {
                let possible = "the strips of one length, such as 16, or a pitch";
                return Err(not_for("export", boards, possible));
            }
        };
        self.say_and_refuse(&source, format)?;
        let bar = progress::bar(source.positions());
        bar.set_prefix(source.boards().words());
        let done = AtomicU64::new(0);
        let step = |done| format!("{} positions", grouped(done));
        progress::watch(
            &bar,
            &done,
            step,
            |_| {},
            || self.write(|out| source.write(format, out, &done)),
        )
    }
}

impl Arguments {
    /// Says how much there is to write, and refuses what makes no sense.
    fn say_and_refuse(&self, source: &Source<'_>, format: Format) -> Result<(), CommandError> {
        if self.out.is_none() && format != Format::Csv && io::stdout().is_terminal() {
            return Err(CommandError::usage(
                "this format is not for a terminal: name a file with --out FILE",
            ));
        }
        let about = source.bytes(format);
        let (positions, boards) = (grouped(source.positions()), source.boards().words());
        say(&format!(
            "{positions} positions of {boards}, about {}",
            human_bytes(about)
        ));
        let Some(file) = &self.out else {
            return Ok(());
        };
        let free = available_space(file.parent().unwrap_or(Path::new("")));
        match about <= free {
            true => Ok(()),
            false => Err(CommandError::System(format!(
                "'{}' would have about {}, and the disk has {} free: choose another place, or pipe the output on",
                file.display(),
                human_bytes(about),
                human_bytes(free)
            ))),
        }
    }

    /// Writes the levels of forward play, which prove every outcome.
    fn write_proof(&self, tables: &Tablebase) -> Result<(), CommandError> {
        let possible = "the strips of one length, such as 48";
        let length =
            one_length(&self.boards).ok_or_else(|| not_for("export --proof", &self.boards, possible))?;
        let sets = tables.ask_levels(length, |table| table.sets(length))?;
        self.write(|out| proof::write(&sets, out))
    }

    /// Writes something to the file, or to standard output.
    fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), ExportError>,
    ) -> Result<(), CommandError> {
        let Some(file) = &self.out else {
            return Ok(write(&mut io::BufWriter::new(io::stdout()))?);
        };
        let mut failed = None;
        let written = replace_file(file, |out| {
            write(&mut io::BufWriter::new(out)).map_err(|error| match error {
                ExportError::Output(error) => error,
                error => {
                    let text = error.to_string();
                    failed = Some(error);
                    io::Error::other(text)
                }
            })
        });
        match (failed, written) {
            (Some(error), _) => Err(error.into()),
            (None, Err(error)) => Err(CommandError::System(format!(
                "cannot write '{}': cannot {}: {}",
                file.display(),
                error.doing,
                error.source
            ))),
            (None, Ok(())) => Ok(()),
        }
    }
}

impl From<ExportError> for CommandError {
    fn from(error: ExportError) -> CommandError {
        match error {
            ExportError::Output(error) => error.into(),
            ExportError::Length { .. } => CommandError::usage(error),
            ExportError::Table(error) => error.into(),
        }
    }
}
