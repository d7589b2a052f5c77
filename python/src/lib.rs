//! The Rust part of the Python package. It returns numbers, strings and arrays; the package wraps
//! them in documented classes.

mod errors;
mod halves;
mod index;
mod memory;
mod pool;
mod sets;
mod solution;
mod turns;

use errors::{notation, of_ask, of_find, of_table, stopped};
use index::{One, boards_of};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use phutbase_ask::Answer;
use phutbase_ask::counts::WinCounts;
use phutbase_ask::queries::find::{FindError, Query, SolvedSets, find};
use phutbase_ask::queries::pitches::PitchQuery;
use phutbase_ask::sources::Sources;
use phutbase_base::game::Game;
use phutbase_base::job::Job;
use phutbase_base::outcome::{Side, Wdl};
use phutbase_base::random::Uniform;
use phutbase_rules::Rules;
use phutbase_rules::position::Position;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_sets::pattern::Pattern;
use phutbase_tables::places::SearchPath;
use phutbase_tables::tablebase::Tablebase;
use phutbase_tables::values::{self, LengthValues, MAX_LENGTH, fill_pitch};
use phutbase_tables::{Metric, Summary, TableError};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use sets::{BoardSet, too_large};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Counts of a board: positions, wins, losses, draws, plies of the longest win and loss. Strings,
/// because numbers may have more than 64 bits.
type Counts = (String, String, String, String, Option<u16>, Option<u16>);

/// Memory for searches in Obstruction, in bytes.
const OBSTRUCTION_BYTES: u64 = 256 << 20;

/// The tables.
#[pyclass(frozen, module = "phutbase._phutbase")]
struct Core {
    /// The directory given by the user.
    named: Option<PathBuf>,
    /// Those of the ordinary game.
    ordinary: Sources,
    /// Those of directional rules, opened on first use.
    directional: OnceLock<Sources>,
    /// Numbers of wins by the solution, for lengths that no table holds.
    win_counts: Mutex<Option<WinCounts>>,
}

#[pymethods]
impl Core {
    #[new]
    #[pyo3(signature = (tables=None))]
    fn new(py: Python<'_>, tables: Option<PathBuf>) -> PyResult<Core> {
        let named = tables;
        if let Some(directory) = named.as_deref().filter(|directory| !directory.is_dir()) {
            return Err(errors::directory(directory));
        }
        let ordinary = pool::interruptible(py, |_| open(named.as_deref(), Rules::Ordinary))?;
        Ok(Core {
            named,
            ordinary,
            directional: OnceLock::new(),
            win_counts: Mutex::default(),
        })
    }

    /// Pickles the directory; unpickling searches for tables again.
    fn __getnewargs__(&self) -> (Option<PathBuf>,) {
        (self.named.clone(),)
    }

    /// Returns outcomes (1 win, 0 draw, -1 loss) and depths (0 if unknown) of positions.
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        positions: Bound<'py, PyList>,
        rules: &str,
    ) -> PyResult<(Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<u16>>)> {
        import_numpy(py)?;
        let rules = rules_of(rules)?;
        let (count, positions) = (positions.len(), positions.unbind());
        let (outcomes, depths) = pool::interruptible(py, |job| {
            let bytes = 3 * count + PART.min(count) * POSITION_BYTES + 2 * PART_TEXT;
            memory::ensure(bytes, &format!("{count} positions"))?;
            let (mut outcomes, mut depths) = (Vec::with_capacity(count), Vec::with_capacity(count));
            while outcomes.len() < count {
                let part = Python::attach(|py| texts(positions.bind(py), outcomes.len()))?;
                for answer in self.probe_part(&part, outcomes.len(), rules, job)? {
                    outcomes.push(outcome(&answer));
                    depths.push(answer.depth.unwrap_or(0));
                }
            }
            Ok((outcomes, depths))
        })?;
        Ok((outcomes.into_pyarray(py), depths.into_pyarray(py)))
    }

    /// Returns the lengths with depths, the other lengths, and the pitches.
    fn contents(&self) -> (Vec<usize>, Vec<usize>, Vec<String>) {
        let tables = &self.ordinary.tables;
        let longest = |depths| tables.longest_strips(depths).unwrap_or(MIN_LENGTH - 1);
        let (deep, all) = (longest(true), longest(false));
        let shapes = tables.shapes();
        (
            (MIN_LENGTH..=deep).collect(),
            (deep + 1..=all).collect(),
            shapes.iter().map(ToString::to_string).collect(),
        )
    }

    /// Returns the answer as JSON, with a best line if `line` is set and applies.
    fn probe(&self, py: Python<'_>, position: &str, line: bool, rules: &str) -> PyResult<String> {
        let rules = rules_of(rules)?;
        let position = read(position, rules)?;
        let answer = pool::interruptible(py, |job| {
            let sources = self.sources(rules)?;
            sources.probe(&position, line, job).map_err(of_ask)
        })?;
        Ok(serde_json::to_string(&answer).expect("answers are texts and numbers"))
    }

    /// Returns the number of matching positions and the first ones, or random ones for a seed.
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn find(
        &self,
        py: Python<'_>,
        length: usize,
        value: Option<&str>,
        depth: Option<(u16, u16)>,
        ball: Option<(usize, usize)>,
        stones: Option<(usize, usize)>,
        pattern: &str,
        side: &str,
        most: usize,
        seed: Option<u64>,
    ) -> PyResult<(String, Vec<String>)> {
        let One::Strip(length) = boards_of(&length.to_string())? else {
            unreachable!("a number is a length");
        };
        let mut pattern = Pattern::parse(pattern, length).map_err(notation)?;
        if let Some((first, last)) = ball {
            pattern = pattern.with_ball(first..=last).map_err(notation)?;
        }
        if let Some((first, last)) = stones {
            pattern = pattern.with_stones(first..=last).map_err(notation)?;
        }
        let query = Query {
            value: value.map(str::parse).transpose().map_err(notation)?,
            depth: depth.map(|(first, last)| first..=last),
            side: side.parse::<Side>().map_err(notation)?,
            pattern,
        };
        let tables = &self.ordinary.tables;
        pool::interruptible(py, |job| {
            let metric = query.depth.as_ref().map(|_| Metric::Dtw);
            let found = match tables.ask_strips(length, metric, |table| table.sets(length)) {
                Ok(sets) => find(&sets, &query),
                Err(TableError::Missing { depths: false, .. }) => SolvedSets::of(length, job)
                    .map_err(|stopped| TableError::from(stopped).into())
                    .and_then(|sets| sets.find(&query, job)),
                Err(error) => Err(FindError::Table(error)),
            };
            let found = found.map_err(of_find)?;
            let mut picker = found.members();
            let total = picker.total().to_string();
            let listing = picker.list(most, seed.map(Uniform::new));
            // Each text is held here and in Python.
            let bytes = listing.len().saturating_mul(2 * length + TEXT_BYTES);
            memory::ensure(bytes, &format!("{} positions", listing.len()))?;
            let mut positions = Vec::with_capacity(listing.len());
            for strip in listing {
                job.check().map_err(stopped)?;
                positions.push(strip.to_string());
            }
            Ok((total, positions))
        })
    }

    /// Returns the boards of a length that Left wins, with a player to move, by a table.
    fn won(&self, py: Python<'_>, length: usize, mover: &str) -> PyResult<BoardSet> {
        let mover = mover.parse::<Side>().map_err(notation)?;
        pool::interruptible(py, |_| {
            let sets = (self.ordinary.tables).ask_strips(length, None, |table| table.sets(length));
            let sets = sets.map_err(of_table)?;
            BoardSet::alone(&sets, sets.won_by_left(mover)).map_err(too_large)
        })
    }

    /// Returns the number of matching positions of a pitch and the first ones, or random ones for a seed.
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn find_pitch(
        &self,
        py: Python<'_>,
        boards: &str,
        value: Option<&str>,
        depth: Option<(u16, u16)>,
        stones: Option<(u16, u16)>,
        side: &str,
        most: usize,
        seed: Option<u64>,
        rules: &str,
    ) -> PyResult<(u64, Vec<String>)> {
        let rules = rules_of(rules)?;
        let One::Pitch(game) = boards_of(boards)? else {
            unreachable!("a number is no pitch");
        };
        let query = PitchQuery {
            value: value.map(str::parse).transpose().map_err(notation)?,
            depth: depth.map(|(first, last)| first..=last),
            stones: stones.map(|(first, last)| first..=last),
            side: side.parse().map_err(notation)?,
            most,
            seed,
        };
        pool::interruptible(py, |job| {
            let tables = &self.sources(rules)?.tables;
            let table = tables.ask_pitch(game.shape(), Ok).map_err(of_table)?;
            let listed = game.positions().min(most as u64) as usize;
            memory::ensure(listed * LISTED_BYTES, &format!("{listed} positions"))?;
            let found = query.find(table, job).map_err(of_table)?;
            let mut positions = Vec::with_capacity(found.listed.len());
            for &index in &found.listed {
                job.check().map_err(stopped)?;
                positions.push(query.position(table, index).to_string());
            }
            Ok((found.count, positions))
        })
    }

    /// Returns outcomes and depths of all positions, with a row for each ball square.
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn values<'py>(
        &self,
        py: Python<'py>,
        boards: &str,
    ) -> PyResult<(Bound<'py, PyArray2<i8>>, Bound<'py, PyArray2<u8>>)> {
        import_numpy(py)?;
        let (outcome, depth, shape) = pool::interruptible(py, |job| match boards_of(boards)? {
            One::Strip(length) => {
                if length > MAX_LENGTH {
                    return Err(errors::limit(format!(
                        "{length} squares have too many values: at most {MAX_LENGTH} squares"
                    )));
                }
                let sets = self
                    .ordinary
                    .tables
                    .ask_strips(length, Some(Metric::Dtw), |table| table.sets(length));
                let sets = sets.map_err(of_table)?;
                let columns = 1usize << (length - 1);
                let (mut outcome, mut depth) = allocate((length - 2) * columns, job)?;
                let values = LengthValues::new(&sets, job).map_err(of_table)?;
                values.fill_all(&mut depth, job).map_err(stopped)?;
                outcomes(&mut outcome, &depth);
                PyResult::Ok((outcome, depth, [length - 2, columns]))
            }
            One::Pitch(game) => {
                let tables = &self.ordinary.tables;
                let table = tables.ask_pitch(game.shape(), Ok).map_err(of_table)?;
                let positions = game.positions() as usize;
                let (mut outcome, mut depth) = allocate(positions, job)?;
                let parts = outcome.chunks_mut(PART).zip(depth.chunks_mut(PART));
                for (number, (outcome, depth)) in parts.enumerate() {
                    job.check().map_err(stopped)?;
                    let first = (number * PART) as u64;
                    fill_pitch(table, first, depth).map_err(of_table)?;
                    outcomes(outcome, depth);
                }
                let columns = 1 << (game.shape().points() - 1);
                Ok((outcome, depth, [positions / columns, columns]))
            }
        })?;
        // The arrays take ownership; nothing is copied.
        Ok((
            outcome.into_pyarray(py).reshape(shape)?,
            depth.into_pyarray(py).reshape(shape)?,
        ))
    }

    fn stats(&self, py: Python<'_>, boards: &str, rules: &str) -> PyResult<Counts> {
        let rules = rules_of(rules)?;
        pool::interruptible(py, |job| {
            let size = boards_of(boards)?.ruled(rules)?.size();
            let found = self.sources(rules)?.tables.ask_boards(&size, |table| {
                let deep = table.metric() == Metric::Dtw;
                Ok(counted(&table.summary()?, deep))
            });
            match (found, size.one_length()) {
                (Err(TableError::Missing { .. }), Some(length)) => self.solved(length, job),
                (found, _) => found.map_err(of_table),
            }
        })
    }

    /// Returns a position with the longest win, or `None` without depths.
    fn longest_win(&self, py: Python<'_>, boards: &str, rules: &str) -> PyResult<Option<String>> {
        let rules = rules_of(rules)?;
        pool::interruptible(py, |_| {
            let size = boards_of(boards)?.size();
            let found = (self.sources(rules)?.tables).ask_boards(&size, |table| table.longest_win());
            found.map_err(of_table)
        })
    }
}

impl Core {
    /// Returns the sources under some rules.
    fn sources(&self, rules: Rules) -> PyResult<&Sources> {
        match (rules, self.directional.get()) {
            (Rules::Ordinary, _) => Ok(&self.ordinary),
            (Rules::Directional, Some(sources)) => Ok(sources),
            (Rules::Directional, None) => {
                let sources = open(self.named.as_deref(), rules)?;
                Ok(self.directional.get_or_init(|| sources))
            }
        }
    }

    /// Answers some of many positions, the first of which has this index.
    fn probe_part(&self, texts: &[String], first: usize, rules: Rules, job: &Job) -> PyResult<Vec<Answer>> {
        let read = |(index, text): (usize, &String)| {
            job.check().map_err(stopped)?;
            Position::read(text, rules)
                .map_err(|error| notation(format!("index {index}, '{}': {error}", errors::shortened(text))))
        };
        let positions = (first..).zip(texts).map(read);
        let positions: Vec<Position> = positions.collect::<PyResult<_>>()?;
        let positions: Vec<&Position> = positions.iter().collect();
        let answers = self.sources(rules)?.batch(&positions, None, job).into_iter();
        answers.map(|answer| answer.map_err(of_ask)).collect()
    }

    /// Counts the wins of a length by the solution. Keeps the counts of all lengths up to the greatest.
    fn solved(&self, length: usize, job: &Job) -> PyResult<Counts> {
        let of_length = |known: &WinCounts| {
            let counts = known.of_length(length)?.counts;
            let [positions, wins, losses, draws] =
                [counts.positions, counts.wins, counts.losses, counts.draws].map(|count| count.0.to_string());
            Some((positions, wins, losses, draws, None, None))
        };
        let known = || self.win_counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counts) = known().as_ref().and_then(of_length) {
            return Ok(counts);
        }
        // Counted outside of the lock: other threads need not wait, and a signal stops the work.
        let counted = WinCounts::up_to(length, job).map_err(stopped)?;
        let counts = of_length(&counted).expect("the length is counted");
        *known() = Some(counted);
        Ok(counts)
    }
}

/// Opens the tables of a directory, or of all places.
fn open(named: Option<&Path>, rules: Rules) -> PyResult<Sources> {
    let places = named.map_or_else(SearchPath::all, SearchPath::only);
    let tables = Tablebase::search_with(rules, places, |_| {}).map_err(of_table)?;
    Ok(Sources::new(tables, OBSTRUCTION_BYTES))
}

fn read(position: &str, rules: Rules) -> PyResult<Position> {
    Position::read(position, rules).map_err(notation)
}

fn rules_of(word: &str) -> PyResult<Rules> {
    word.parse().map_err(notation)
}

/// Returns at least one of the positions from `first` on, and at most [`PART`].
fn texts(positions: &Bound<'_, PyList>, first: usize) -> PyResult<Vec<String>> {
    let (mut texts, mut bytes) = (Vec::new(), 0);
    for place in first..positions.len().min(first + PART) {
        let item = positions.get_item(place)?;
        let text: String = (item.extract()).map_err(|error| errors::of_item(positions.py(), place, error))?;
        bytes += text.len();
        texts.push(text);
        if bytes >= PART_TEXT {
            break;
        }
    }
    Ok(texts)
}

/// Writes the outcome of each number of plies.
fn outcomes(outcome: &mut [i8], plies: &[u8]) {
    for (outcome, &plies) in outcome.iter_mut().zip(plies) {
        *outcome = values::outcome(plies);
    }
}

/// Returns the outcome of an answer as a number.
fn outcome(answer: &Answer) -> i8 {
    match answer.value {
        Some(Wdl::Win) => 1,
        Some(Wdl::Loss) => -1,
        Some(Wdl::Draw) => 0,
        None => unreachable!("every answer has a value"),
    }
}

/// Converts a summary to counts.
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

/// Imports NumPy before a computation. Handlers of signals run in the main thread; another one
/// imports, because NumPy turns their exceptions into an `ImportError`.
fn import_numpy(py: Python<'_>) -> PyResult<()> {
    let imported = pool::in_thread(py, |_| Python::attach(|py| py.import("numpy").map(drop)));
    imported.map_err(|error| {
        if error.is_instance_of::<PyImportError>(py) {
            errors::no_numpy(&error)
        } else {
            error
        }
    })
}

/// Bytes of a position in a list, besides its squares: of both its texts, and of their places; in a
/// sample also of its index.
const TEXT_BYTES: usize = 250;
/// Bytes of a listed position of a pitch: of both its texts, and of its index.
const LISTED_BYTES: usize = 250;
/// Bytes of a position that is looked up, and of its answer.
const POSITION_BYTES: usize = 600;
/// Bytes of text after which no other position is looked up together with these.
const PART_TEXT: usize = 1 << 22;
/// Positions that are looked up together, or on a pitch computed between two checks for a signal.
const PART: usize = 1 << 16;
/// Bytes that are allocated between two checks for a signal.
const ZEROED: usize = 1 << 26;

/// Allocates arrays for all values, or returns a `LimitError`.
fn allocate(positions: usize, job: &Job) -> PyResult<(Vec<i8>, Vec<u8>)> {
    memory::ensure(2 * positions, "the arrays")?;
    let (mut outcome, mut depth) = (Vec::with_capacity(positions), Vec::with_capacity(positions));
    while outcome.len() < positions {
        job.check().map_err(stopped)?;
        let more = positions.min(outcome.len() + ZEROED);
        outcome.resize(more, 0);
        depth.resize(more, 0);
    }
    Ok((outcome, depth))
}

#[pymodule]
fn _phutbase(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Core>()?;
    module.add_class::<sets::BoardSet>()?;
    module.add_function(wrap_pyfunction!(halves::by_halves, module)?)?;
    module.add_function(wrap_pyfunction!(index::index, module)?)?;
    module.add_function(wrap_pyfunction!(index::position, module)?)?;
    module.add_function(wrap_pyfunction!(turns::turns, module)?)?;
    module.add_function(wrap_pyfunction!(turns::wins, module)?)?;
    module.add_function(wrap_pyfunction!(solution::canonical, module)?)?;
    module.add_function(wrap_pyfunction!(solution::half, module)?)?;
    module.add_function(wrap_pyfunction!(solution::mover_wins, module)?)?;
    module.add_function(wrap_pyfunction!(solution::classes, module)?)
}
