//! Positions with values and best turns, to test engines in any language, for `phutbase find --suite`.

use super::find::Arguments;
use super::strips;
use phutbase_ask::sources::Sources;
use phutbase_base::random::Uniform;
use phutbase_engine::suite::{SuiteItem, SuiteRequest, of_length, of_pitch};
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::MAX_LENGTH;
use phutbase_tables::Metric;
use phutbase_terminal::{CommandError, GlobalOptions, OutFile, json_line, monitor, stdout};
use std::io::Write;

/// Prints positions of every depth, or of some depths, and of every length.
pub fn run(arguments: &Arguments, common: &GlobalOptions) -> Result<(), CommandError> {
    let count = arguments.sample.unwrap_or(1);
    let file = arguments.out.as_deref().map(OutFile::new).transpose()?;
    let sources = Sources::new(common.tables()?, 0);
    let sizes: Vec<Boards> = match &arguments.boards {
        Boards::Pitch(_) => vec![arguments.boards.clone()],
        boards => strips("find --suite", boards, MAX_LENGTH)?
            .map(Boards::strip)
            .collect(),
    };
    // Report a missing table before the first line of output.
    match &arguments.boards {
        Boards::Pitch(shape) => sources.tables.ask_pitch(*shape, Ok).map(drop)?,
        Boards::Strips(lengths) if arguments.depth.is_some() => {
            (sources.tables)
                .ask_strips(*lengths.end(), Some(Metric::Dtw), Ok)
                .map(drop)?;
        }
        _ => {}
    }
    let mut choice = SuiteRequest {
        count,
        depths: arguments.depth.clone(),
        chance: &mut Uniform::new(arguments.seed),
    };
    let (mut kept, mut printed) = (Vec::new(), 0);
    for boards in sizes {
        let items = monitor::run(boards.words(), None, |job| match boards {
            Boards::Pitch(shape) => of_pitch(&sources, shape, &mut choice, job),
            Boards::Strips(lengths) => of_length(&sources, *lengths.end(), &mut choice, job),
            _ => Ok(Vec::new()),
        })?;
        printed += items.len();
        match &file {
            Some(_) => write_items(&mut kept, &items, common.json)?,
            // A reader that has gone wants no more.
            None => {
                let mut out = stdout();
                write_items(&mut out, &items, common.json)?;
                out.flush()?;
            }
        }
    }
    if printed == 0 {
        return Err(CommandError::Failure(format!(
            "{}: no position of this depth",
            arguments.boards.words()
        )));
    }
    file.map_or(Ok(()), |file| file.write_all(&kept))
}

fn write_items(out: &mut impl Write, items: &[SuiteItem], json: bool) -> Result<(), CommandError> {
    items.iter().try_for_each(|item| {
        if json {
            json_line(out, item)
        } else {
            Ok(writeln!(out, "{item}")?)
        }
    })
}
