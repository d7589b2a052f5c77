//! The tables of some places as one tablebase.

use super::any::Table;
use super::dense::DEFAULT_CACHE;
use super::diagram::forward;
use super::error::TableError;
use super::nimbers::NimberTable;
use super::pitch::PitchTable;
use super::places::{Places, Source, Subject};
use super::{Metric, Rated};
use crate::game::Successor;
use crate::games::pitch::Shape;
use crate::games::rules::Rules;
use crate::games::strip::{After, Strip, Turn};
use crate::outcome::{Value, Verdict, Wdl};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

/// Plies of the longest winning line that is shown; those of 128 squares have a few hundred.
const LONGEST_WINNING_LINE: usize = 1 << 12;

/// The tables of a directory, or of several places, under the same rules, opened when they are first needed.
///
/// One that is damaged is an error to whoever asks for it, and nothing to the others.
pub struct Tablebase {
    rules: Rules,
    places: Places,
    strips: BTreeMap<(usize, Metric), Slot<Table>>,
    pitches: BTreeMap<Shape, Slot<PitchTable>>,
    /// Every place's, the first place last.
    nimbers: Vec<Source>,
    all_nimbers: OnceLock<NimberTable>,
    /// Bytes of unpacked frames that each table keeps.
    cache: usize,
}

/// One table that may be opened later.
struct Slot<T> {
    source: Source,
    table: OnceLock<T>,
    /// One thread opens it.
    opening: Mutex<()>,
}

impl<T> Slot<T> {
    fn new(source: Source) -> Slot<T> {
        Slot {
            source,
            table: OnceLock::new(),
            opening: Mutex::new(()),
        }
    }

    fn get(&self, open: impl FnOnce(&Source) -> Result<T, TableError>) -> Result<&T, TableError> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let _one_at_a_time = self.opening.lock().expect("opening a table does not panic");
        match self.table.get() {
            Some(table) => Ok(table),
            None => {
                let table = open(&self.source)?;
                Ok(self.table.get_or_init(|| table))
            }
        }
    }
}

/// A turn of a strip with its value.
pub type RatedTurn = Rated<Turn, After>;

impl Tablebase {
    /// Looks which tables of the ordinary game a directory has. A directory that does not exist has none.
    ///
    /// # Errors
    /// [`TableError::Io`] if the directory cannot be read.
    pub fn open(directory: &Path) -> Result<Tablebase, TableError> {
        Tablebase::search(Places::only(directory))
    }

    /// No tables at all.
    pub fn empty() -> Tablebase {
        Tablebase {
            rules: Rules::Ordinary,
            places: Places::none(),
            strips: BTreeMap::new(),
            pitches: BTreeMap::new(),
            nimbers: Vec::new(),
            all_nimbers: OnceLock::new(),
            cache: DEFAULT_CACHE,
        }
    }

    /// Looks which tables of the ordinary game there are in some places.
    ///
    /// # Errors
    /// [`TableError::Io`] if a directory cannot be read.
    pub fn search(places: Places) -> Result<Tablebase, TableError> {
        Tablebase::search_under(Rules::Ordinary, places)
    }

    /// Looks which tables under some rules there are in some places; of two tables of the same boards the first place's is taken.
    ///
    /// # Errors
    /// [`TableError::Io`] if a directory cannot be read.
    pub fn search_under(rules: Rules, places: Places) -> Result<Tablebase, TableError> {
        let mut tablebase = Tablebase {
            rules,
            places,
            ..Tablebase::empty()
        };
        // The first place last, so that its tables stay.
        for (subject, source) in tablebase.places.tables()?.into_iter().rev() {
            match subject {
                Subject::Strip(of, length, metric) if of == rules => {
                    tablebase.strips.insert((length, metric), Slot::new(source));
                }
                Subject::Pitch(of, shape) if of == rules => {
                    tablebase.pitches.insert(shape, Slot::new(source));
                }
                Subject::Strip(..) | Subject::Pitch(..) => {}
                Subject::Nimbers => tablebase.nimbers.push(source),
            }
        }
        Ok(tablebase)
    }

    /// The same, with tables that keep at most so many bytes of unpacked frames each; diagrams keep none.
    pub fn with_cache(self, cache: usize) -> Tablebase {
        Tablebase { cache, ..self }
    }

    /// The rules that the tables follow.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Where the tables were looked for.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Where the table of a strip is, if there is one; it is not opened.
    pub fn source(&self, length: usize, metric: Metric) -> Option<&Source> {
        self.strips.get(&(length, metric)).map(|slot| &slot.source)
    }

    /// Where the table of a pitch is, if there is one; it is not opened.
    pub fn pitch_source(&self, shape: Shape) -> Option<&Source> {
        self.pitches.get(&shape).map(|slot| &slot.source)
    }

    /// Length and metric of every table of a strip, ascending.
    pub fn contents(&self) -> impl Iterator<Item = (usize, Metric)> + '_ {
        self.strips.keys().copied()
    }

    /// The lengths for which there is a table of either metric, ascending.
    pub fn lengths(&self) -> Vec<usize> {
        let mut lengths: Vec<usize> = self.contents().map(|(length, _)| length).collect();
        lengths.dedup();
        lengths
    }

    /// One table, opened and checked; `None` if it is not there.
    ///
    /// # Errors
    /// [`TableError`] if it is there and cannot be used.
    pub fn table(&self, length: usize, metric: Metric) -> Result<Option<&Table>, TableError> {
        let Some(slot) = self.strips.get(&(length, metric)) else {
            return Ok(None);
        };
        let table = slot.get(|source| {
            let table = Table::new(source.open()?, self.cache)?;
            check_identity(&table, self.rules, length, metric)?;
            Ok(table)
        });
        table.map(Some)
    }

    /// The shapes of the pitches that have a table, smaller areas first.
    pub fn shapes(&self) -> Vec<Shape> {
        let mut shapes: Vec<Shape> = self.pitches.keys().copied().collect();
        shapes.sort_by_key(|shape| (shape.points(), shape.columns()));
        shapes
    }

    /// The table of a pitch, opened and checked.
    ///
    /// # Errors
    /// [`TableError::MissingPitch`] with the command that makes it, or what is wrong with the file.
    pub fn pitch(&self, shape: Shape) -> Result<&PitchTable, TableError> {
        let slot = self
            .pitches
            .get(&shape)
            .ok_or_else(|| self.missing_pitch(shape))?;
        slot.get(|source| PitchTable::of(source.open()?, self.rules, shape, self.cache))
    }

    /// The nimbers of Obstruction that are known in any place; none if there is no file.
    ///
    /// # Errors
    /// What is wrong with a file.
    pub fn nimbers(&self) -> Result<&NimberTable, TableError> {
        if let Some(all) = self.all_nimbers.get() {
            return Ok(all);
        }
        let mut all = NimberTable::default();
        for source in &self.nimbers {
            all.extend(&NimberTable::of(&source.open()?)?);
        }
        Ok(self.all_nimbers.get_or_init(|| all))
    }

    /// The table that says most about a length: `dtw` if it is there and whole, else `wdl`.
    ///
    /// # Errors
    /// [`TableError::Missing`] with the command that makes it; if none can be used, what is wrong with the first.
    pub fn best(&self, length: usize) -> Result<&Table, TableError> {
        let mut wrong = None;
        for metric in Metric::ALL {
            match self.table(length, metric) {
                Ok(Some(table)) => return Ok(table),
                Ok(None) => {}
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        Err(wrong.unwrap_or_else(|| self.missing(length)))
    }

    /// The table with depths for a length.
    ///
    /// # Errors
    /// [`TableError::NoDepths`] or [`TableError::Missing`] with the command that makes it.
    pub fn with_depths(&self, length: usize) -> Result<&Table, TableError> {
        match self.table(length, Metric::Dtw)? {
            Some(table) => Ok(table),
            None if self.strips.contains_key(&(length, Metric::Wdl)) => Err(TableError::NoDepths {
                rules: self.rules,
                length,
                places: self.places.clone(),
            }),
            None => Err(self.missing(length)),
        }
    }

    /// The error that there is no table for a length.
    pub fn missing(&self, length: usize) -> TableError {
        let (rules, places) = (self.rules, self.places.clone());
        TableError::Missing {
            rules,
            length,
            places,
        }
    }

    /// The error that there is no table for a pitch.
    pub fn missing_pitch(&self, shape: Shape) -> TableError {
        let (rules, places) = (self.rules, self.places.clone());
        TableError::MissingPitch { rules, shape, places }
    }

    /// The value of a position, with its depth.
    ///
    /// # Errors
    /// Those of [`with_depths`](Tablebase::with_depths) and of the table.
    pub fn value(&self, strip: &Strip) -> Result<Value, TableError> {
        let verdict = self.with_depths(strip.length())?.verdict(strip)?;
        Ok(verdict.value().expect("a dtw table has all depths"))
    }

    /// What the best table says of a position: with its depth if a `dtw` table is there.
    ///
    /// # Errors
    /// Those of [`best`](Tablebase::best) and of the table.
    pub fn verdict(&self, strip: &Strip) -> Result<Verdict, TableError> {
        self.best(strip.length())?.verdict(strip)
    }

    /// What the best tables say of many positions of any lengths, in their order; every frame is visited once.
    ///
    /// # Errors
    /// As [`verdict`](Tablebase::verdict).
    pub fn verdicts(&self, strips: &[Strip]) -> Result<Vec<Verdict>, TableError> {
        let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, strip) in strips.iter().enumerate() {
            by_length.entry(strip.length()).or_default().push(at);
        }
        let mut verdicts = vec![Verdict::from(Wdl::Draw); strips.len()];
        for (length, places) in by_length {
            let batch: Vec<Strip> = places.iter().map(|&at| strips[at]).collect();
            let found = self.best(length)?.verdicts(&batch)?;
            for (at, verdict) in places.into_iter().zip(found) {
                verdicts[at] = verdict;
            }
        }
        Ok(verdicts)
    }

    /// Every turn of a position with its value, best first; equal values in the order of generation. Where the table says only who
    /// wins, a winner's first turn makes progress by forward play, and a loser's is the one that resists longest by it.
    ///
    /// # Errors
    /// As [`verdict`](Tablebase::verdict).
    pub fn rated_turns(&self, strip: &Strip) -> Result<Vec<RatedTurn>, TableError> {
        let table = self.best(strip.length())?;
        let mut rated = Vec::new();
        for turn in strip.turns() {
            let after = strip.after(turn);
            let verdict = match after.successor(strip.side()) {
                Successor::Position(next) => table.verdict(&next)?.before(),
                Successor::Over(outcome) => Value::at_once(outcome).into(),
            };
            rated.push(RatedTurn { turn, after, verdict });
        }
        rated.sort_by_key(|turn| std::cmp::Reverse(turn.verdict.preference()));
        if let Table::Diagram(table) = table {
            forward::best_first(table, strip, &mut rated);
        }
        Ok(rated)
    }

    /// Play from a position to the end of the game. With depths it is best play, of equally good turns the first generated, and
    /// never longer than the position's depth, whatever a wrong table says of the positions on the way. Where the
    /// table says only who wins it is a *winning line*: the winner's turns keep the win by forward play
    /// ([`forward`]), so that it ends, though not as soon as possible. In a draw there is no end to play for, and a dense
    /// table without depths does not lead to one: then the line is empty.
    ///
    /// # Errors
    /// As [`verdict`](Tablebase::verdict).
    pub fn best_line(&self, strip: &Strip) -> Result<Vec<RatedTurn>, TableError> {
        self.beginning_of_best_line(strip, usize::MAX)
    }

    /// The same, so many turns of it at most.
    ///
    /// # Errors
    /// As [`verdict`](Tablebase::verdict).
    pub fn beginning_of_best_line(&self, strip: &Strip, most: usize) -> Result<Vec<RatedTurn>, TableError> {
        let mut line = Vec::new();
        let verdict = self.verdict(strip)?;
        let longest: usize = match (verdict.depth, verdict.wdl, self.best(strip.length())?) {
            (Some(depth), ..) => depth.0.into(),
            (None, Wdl::Win | Wdl::Loss, Table::Diagram(_)) => LONGEST_WINNING_LINE,
            (None, ..) => 0,
        }
        .min(most);
        let mut next = Some(*strip);
        while let Some(strip) = next.filter(|_| line.len() < longest) {
            let Some(best) = self.rated_turns(&strip)?.into_iter().next() else {
                break;
            };
            next = match best.after {
                After::Position(after) => Some(after),
                After::Over { .. } => None,
            };
            line.push(best);
        }
        Ok(line)
    }
}

/// Refuses a table that is not what its name says.
fn check_identity(table: &Table, rules: Rules, length: usize, metric: Metric) -> Result<(), TableError> {
    let (file, header) = (table.path(), table.header());
    TableError::unless_same(file, "the set of rules", header.rules, rules)?;
    TableError::unless_same(file, "the length", header.length, length)?;
    TableError::unless_same(file, "the metric", header.metric, metric)
}
