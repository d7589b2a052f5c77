//! The library for the Python package: plain numbers, texts and arrays. The package makes classes of them, with documentation.

mod errors;
mod memory;
mod obstruction;

use errors::{notation, of_table};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use obstruction::Obstruction;
use phutbase::game::Game;
use phutbase::games::boards::Boards;
use phutbase::games::pitch::{Pitch, PitchGame};
use phutbase::games::position::{Phutball, Position};
use phutbase::games::strip::{MIN_LENGTH, Strip, StripGame};
use phutbase::outcome::{Side, Verdict};
use phutbase::table::Summary;
use phutbase::table::places::Places;
use phutbase::table::tablebase::Tablebase;
use phutbase::table::values::{MAX_LENGTH, PART, Run, fill_all, fill_pitch};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A turn: what is played, the position after it, `win`, `loss` or `draw` for whoever plays it, plies.
type Turn = (String, String, &'static str, Option<u16>);

/// What is known of a position: game, position, side to move, value, depth, winner, nimber, turns.
type Probed = (
    &'static str,
    String,
    &'static str,
    &'static str,
    Option<u16>,
    Option<&'static str>,
    Option<u8>,
    Vec<Turn>,
);

/// Counts of a board: positions, wins, losses, draws, plies of the longest win and loss. Numbers may have more than 64 bits, so they are texts.
type Counts = (String, String, String, String, Option<u16>, Option<u16>);

/// The tables.
#[pyclass(frozen, module = "phutbase._phutbase")]
struct Core {
    tables: Tablebase,
    obstruction: Obstruction,
}

#[pymethods]
impl Core {
    #[new]
    #[pyo3(signature = (tables=None))]
    fn new(tables: Option<PathBuf>) -> PyResult<Core> {
        let tables = Tablebase::search(Places::all(tables.as_deref())).map_err(of_table)?;
        Ok(Core {
            tables,
            obstruction: Obstruction::default(),
        })
    }

    /// Lengths with depths, other lengths, pitches.
    fn contents(&self) -> (Vec<usize>, Vec<usize>, Vec<String>) {
        let longest = |depths| self.tables.longest_strips(depths).unwrap_or(MIN_LENGTH - 1);
        let (deep, all) = (longest(true), longest(false));
        let shapes = self.tables.shapes();
        (
            (MIN_LENGTH..=deep).collect(),
            (deep + 1..=all).collect(),
            shapes.iter().map(ToString::to_string).collect(),
        )
    }

    fn probe(&self, py: Python<'_>, position: &str) -> PyResult<Probed> {
        match read(position)? {
            Position::Phutball(Phutball::Strip(strip)) => py.detach(|| self.probe_strip(&strip)),
            Position::Phutball(Phutball::Pitch(pitch)) => py.detach(|| self.probe_pitch(&pitch)),
            Position::Obstruction(sum) => self.obstruction.probe(py, &self.tables, sum),
            Position::Oddish(_) => Err(notation("this package does not ask for Oddish Phutball")),
        }
    }

    /// Best play to the end, or in a draw until a position comes back.
    fn line(&self, py: Python<'_>, position: &str) -> PyResult<Vec<Turn>> {
        match read(position)? {
            Position::Phutball(Phutball::Strip(strip)) => py.detach(|| {
                let line = (self.tables)
                    .ask(strip.length(), |table| {
                        table.best_line(&strip, table.verdict(&strip)?, usize::MAX)
                    })
                    .map_err(of_table)?;
                Ok((line.iter().zip(sides(strip.side())))
                    .map(|(rated, next)| {
                        let after = rated.after.notation(next);
                        turn(rated.turn.to_string(), after, rated.verdict)
                    })
                    .collect())
            }),
            Position::Phutball(Phutball::Pitch(pitch)) => py.detach(|| {
                let table = self.tables.pitch(pitch.shape()).map_err(of_table)?;
                let line = table.best_line(&pitch).map_err(of_table)?;
                Ok((line.iter().zip(sides(pitch.side())))
                    .map(|(rated, next)| {
                        let after = rated.after.notation(next);
                        turn(rated.turn.clone(), after, rated.verdict)
                    })
                    .collect())
            }),
            other => Err(notation(format!(
                "there is no line of best play in {}",
                other.game()
            ))),
        }
    }

    /// Outcomes and depths of all positions, a row for each ball square.
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn values<'py>(
        &self,
        py: Python<'py>,
        boards: &str,
    ) -> PyResult<(Bound<'py, PyArray2<i8>>, Bound<'py, PyArray2<u8>>)> {
        let (outcome, depth, shape) = py.detach(|| match boards_of(boards)? {
            One::Strip(length) => {
                if length > MAX_LENGTH {
                    return Err(errors::limit(format!(
                        "all values of {length} squares: at most {MAX_LENGTH} squares"
                    )));
                }
                let sets = self.tables.ask_depths(length, |table| table.sets(length));
                let sets = sets.map_err(of_table)?;
                let columns = 1usize << (length - 1);
                let (mut outcome, mut depth) = allocate((length - 2) * columns)?;
                let run = Run {
                    outcome: &mut outcome,
                    depth: &mut depth,
                };
                fill_all(&sets, run).map_err(of_table)?;
                PyResult::Ok((outcome, depth, [length - 2, columns]))
            }
            One::Pitch(game) => {
                let table = self.tables.pitch(game.shape()).map_err(of_table)?;
                let positions = game.positions() as usize;
                let (mut outcome, mut depth) = allocate(positions)?;
                let parts = outcome.chunks_mut(PART).zip(depth.chunks_mut(PART));
                for (number, (outcome, depth)) in parts.enumerate() {
                    let first = (number * PART) as u64;
                    fill_pitch(table, first, Run { outcome, depth }).map_err(of_table)?;
                }
                let columns = 1 << (game.shape().points() - 1);
                Ok((outcome, depth, [positions / columns, columns]))
            }
        })?;
        // The arrays take over what was filled in; nothing is copied.
        Ok((
            outcome.into_pyarray(py).reshape(shape)?,
            depth.into_pyarray(py).reshape(shape)?,
        ))
    }

    fn counts(&self, boards: &str) -> PyResult<Counts> {
        match boards_of(boards)? {
            One::Strip(length) => {
                let found = self.tables.ask(length, |table| {
                    Ok(counted(&table.summary(length)?, table.has_depths()))
                });
                found.map_err(of_table)
            }
            One::Pitch(game) => {
                let table = self.tables.pitch(game.shape()).map_err(of_table)?;
                Ok(counted(&table.summary(), true))
            }
        }
    }

    /// A position with the longest win; none where depths are not known.
    fn longest_win(&self, py: Python<'_>, boards: &str) -> PyResult<Option<String>> {
        py.detach(|| match boards_of(boards)? {
            One::Strip(length) => {
                let found = self.tables.ask(length, |table| table.sets(length)?.longest_win());
                Ok(found.map_err(of_table)?.map(|strip| strip.to_string()))
            }
            One::Pitch(game) => {
                let table = self.tables.pitch(game.shape()).map_err(of_table)?;
                Ok(Some(table.metadata().longest_win.clone()))
            }
        })
    }
}

impl Core {
    fn probe_strip(&self, strip: &Strip) -> PyResult<Probed> {
        let answer = (self.tables).ask(strip.length(), |table| {
            Ok((table.verdict(strip)?, table.rated_turns(strip)?))
        });
        let (verdict, turns) = answer.map_err(of_table)?;
        let next = strip.side().opponent();
        let turns = (turns.into_iter())
            .map(|rated| turn(rated.turn.to_string(), rated.after.notation(next), rated.verdict));
        Ok(probed(&(*strip).into(), verdict, turns.collect()))
    }

    fn probe_pitch(&self, pitch: &Pitch) -> PyResult<Probed> {
        let table = self.tables.pitch(pitch.shape()).map_err(of_table)?;
        let value = table.value(pitch).map_err(of_table)?;
        let next = pitch.side().opponent();
        let turns = table.rated_turns(pitch).map_err(of_table)?.into_iter();
        let turns = turns.map(|rated| turn(rated.turn, rated.after.notation(next), rated.verdict));
        Ok(probed(&(*pitch).into(), value.into(), turns.collect()))
    }
}

/// The number of a position among those of its board.
#[pyfunction]
fn index(position: &str) -> PyResult<u64> {
    match read(position)? {
        Position::Phutball(Phutball::Strip(strip)) => Ok(strip_game(strip.length())?.index(&strip)),
        Position::Phutball(Phutball::Pitch(pitch)) => {
            let game =
                PitchGame::new(pitch.shape()).ok_or_else(|| notation("that many points have no index"))?;
            Ok(game.index(&pitch))
        }
        other => Err(notation(format!("positions of {} have no index", other.game()))),
    }
}

/// The position with a number, the first player to move.
#[pyfunction]
fn position(boards: &str, index: u64) -> PyResult<String> {
    fn of<G: Game>(game: &G, index: u64) -> PyResult<G::Position> {
        let positions = game.positions();
        match index < positions {
            true => Ok(game.position(index)),
            false => Err(notation(format!(
                "there are {positions} positions, and none has the index {index}"
            ))),
        }
    }
    match boards_of(boards)? {
        One::Strip(length) => Ok(of(&strip_game(length)?, index)?.to_string()),
        One::Pitch(game) => Ok(of(&game, index)?.to_string()),
    }
}

fn strip_game(length: usize) -> PyResult<StripGame> {
    StripGame::new(length)
        .ok_or_else(|| notation(format!("positions of {length} squares are too many for an index")))
}

fn read(position: &str) -> PyResult<Position> {
    position.parse().map_err(notation)
}

/// One board that can be asked for as a whole.
enum One {
    Strip(usize),
    Pitch(PitchGame),
}

fn boards_of(text: &str) -> PyResult<One> {
    match text.parse::<Boards>().map_err(notation)? {
        Boards::Strips(lengths) if lengths.start() == lengths.end() => Ok(One::Strip(*lengths.start())),
        Boards::Pitch(shape) => (PitchGame::new(shape).map(One::Pitch)).ok_or_else(|| {
            notation(format!(
                "the positions of a {shape} pitch are too many for an index"
            ))
        }),
        boards => Err(notation(format!(
            "'{boards}' is not one length, such as 12, or a pitch, such as '5x3'"
        ))),
    }
}

/// Counts, and the longest games if depths are stored.
fn counted(summary: &Summary, deep: bool) -> Counts {
    let plies = |plies| deep.then_some(plies);
    (
        summary.positions().to_string(),
        summary.wins.to_string(),
        summary.losses.to_string(),
        summary.draws.to_string(),
        plies(summary.longest_win),
        plies(summary.longest_loss),
    )
}

/// Memory for all values, if that much is free.
fn allocate(positions: usize) -> PyResult<(Vec<i8>, Vec<u8>)> {
    let bytes = 2 * positions as u64;
    let refused = || errors::limit(format!("{bytes} bytes are more than are free"));
    if memory::free().is_some_and(|free| bytes > free) {
        return Err(refused());
    }
    let (mut outcome, mut depth) = (Vec::new(), Vec::new());
    let reserved = (outcome.try_reserve_exact(positions)).and_then(|()| depth.try_reserve_exact(positions));
    reserved.map_err(|_| refused())?;
    outcome.resize(positions, 0);
    depth.resize(positions, 0);
    Ok((outcome, depth))
}

fn turn(name: String, after: String, verdict: Verdict) -> Turn {
    (
        name,
        after,
        verdict.wdl.word(),
        verdict.depth.map(|depth| depth.0),
    )
}

/// Who is to move after each turn of a line.
fn sides(first: Side) -> impl Iterator<Item = Side> {
    [first.opponent(), first].into_iter().cycle()
}

fn probed(position: &Position, verdict: Verdict, turns: Vec<Turn>) -> Probed {
    let mover = position.side();
    (
        position.game(),
        position.to_string(),
        position.player(mover),
        verdict.wdl.word(),
        verdict.depth.map(|depth| depth.0),
        verdict.wdl.winner(mover).map(|side| position.player(side)),
        None,
        turns,
    )
}

#[pymodule]
fn _phutbase(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Core>()?;
    module.add_function(wrap_pyfunction!(index, module)?)?;
    module.add_function(wrap_pyfunction!(position, module)?)
}
