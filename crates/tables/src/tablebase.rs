//! The tables of several places as one tablebase.

use super::error::TableError;
use super::places::{LocatedTable, Role, SearchPath, TableLocation};
use super::{BoardTable, FrameCache, Metric, NimberTable, PitchTable, StripTable, TableId};
use phutbase_base::outcome::{Value, Verdict};
use phutbase_files::FileError;
use phutbase_files::container::read::Container;
use phutbase_files::error::expect_same;
use phutbase_rules::{Boards, Rules, Shape, Strip};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// The tables of one or more directories, under the same rules, opened on first use.
///
/// An unusable table is an error if the user named its directory. Elsewhere it is reported to the
/// observer of [`search_with`](Tablebase::search_with) and not used again; the next table with the
/// same boards is.
pub struct Tablebase {
    rules: Rules,
    places: SearchPath,
    /// By metric (depths first), then by length. Each entry lists its files in search order.
    strips: BTreeMap<(Metric, usize), Vec<Slot<StripTable>>>,
    pitches: BTreeMap<Shape, Vec<Slot<PitchTable>>>,
    /// In search order.
    nimbers: Vec<Slot<NimberTable>>,
    all_nimbers: OnceLock<NimberTable>,
    cache: Arc<FrameCache>,
    skipped: Box<Skipped>,
}

/// Observer of unusable tables that are skipped; called once for each.
pub type Skipped = dyn Fn(&TableError) + Send + Sync;

/// A table that is opened on first use.
struct Slot<T> {
    found: LocatedTable,
    table: OnceLock<T>,
    /// Held while a thread opens the table.
    opening: Mutex<()>,
    /// True if the observer has been notified.
    reported: AtomicBool,
    /// The damage that was found; the table is not used again.
    damage: OnceLock<TableError>,
}

impl<T> Slot<T> {
    fn new(found: LocatedTable) -> Slot<T> {
        Slot {
            found,
            table: OnceLock::new(),
            opening: Mutex::new(()),
            reported: AtomicBool::new(false),
            damage: OnceLock::new(),
        }
    }

    /// Asks the table, which is opened first if it was not before.
    fn ask<'t, A>(
        &'t self,
        open: impl FnOnce(Container, TableId) -> Result<T, TableError>,
        question: impl FnOnce(&'t T) -> Result<A, TableError>,
    ) -> Result<A, TableError> {
        if let Some(damage) = self.damage.get() {
            return Err(damage.clone());
        }
        let answer = self.get(open).and_then(question);
        if let Err(error) = &answer
            && matches!(error, TableError::File(_))
            && !self.found.role.is_named()
            // A file that cannot be read now may be readable later.
            && !matches!(error, TableError::File(FileError::Io { .. }))
        {
            self.damage.get_or_init(|| error.clone());
        }
        answer
    }

    fn get(&self, open: impl FnOnce(Container, TableId) -> Result<T, TableError>) -> Result<&T, TableError> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let _one_at_a_time = self.opening.lock().expect("opening a table does not panic");
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let container = self.found.source.open()?;
        container.check_rules(self.found.id.rules())?;
        let table = open(container, self.found.id)?;
        Ok(self.table.get_or_init(|| table))
    }
}

impl Tablebase {
    /// Opens the tables of the ordinary game in a directory, which must exist.
    ///
    /// Files are mapped into memory. A file that changes while it is open gives an error or values
    /// from the new bytes, which pass the same checks; one that is shortened can end the process
    /// with SIGBUS. Replace tables by renaming, as this program does, and never write into them.
    pub fn open(directory: &Path) -> Result<Tablebase, TableError> {
        Tablebase::search(SearchPath::only(directory))
    }

    /// Opens a single table, whatever its name.
    pub fn of_file(file: &Path) -> Result<Tablebase, TableError> {
        let id = TableId::of_file(file)?;
        let slot = LocatedTable {
            id,
            role: Role::Named,
            source: TableLocation::File(file.to_path_buf()),
        };
        let mut tables = Tablebase {
            rules: id.rules(),
            ..Tablebase::empty()
        };
        tables.insert(slot);
        Ok(tables)
    }

    /// Adds a table if it follows the rules.
    fn insert(&mut self, found: LocatedTable) {
        match found.id {
            TableId::Strip(metric, length) if self.rules.have_tables_of_strips() => {
                let slots = self.strips.entry((metric, length)).or_default();
                slots.push(Slot::new(found));
            }
            TableId::Pitch(of, shape) if of == self.rules => {
                self.pitches.entry(shape).or_default().push(Slot::new(found));
            }
            TableId::Strip(..) | TableId::Pitch(..) => {}
            TableId::Nimbers => self.nimbers.push(Slot::new(found)),
        }
    }

    /// Returns a tablebase without tables.
    pub fn empty() -> Tablebase {
        Tablebase {
            rules: Rules::Ordinary,
            places: SearchPath::default(),
            strips: BTreeMap::new(),
            pitches: BTreeMap::new(),
            nimbers: Vec::new(),
            all_nimbers: OnceLock::new(),
            cache: FrameCache::of_default_size(),
            skipped: Box::new(|_| {}),
        }
    }

    /// Opens the tables of the ordinary game in some places.
    pub fn search(places: SearchPath) -> Result<Tablebase, TableError> {
        Tablebase::search_with(Rules::Ordinary, places, |_| {})
    }

    /// Opens the tables under some rules in some places. Earlier places take precedence.
    pub fn search_with(
        rules: Rules,
        places: SearchPath,
        skipped: impl Fn(&TableError) + Send + Sync + 'static,
    ) -> Result<Tablebase, TableError> {
        let mut tables = Tablebase {
            rules,
            places,
            skipped: Box::new(skipped),
            ..Tablebase::empty()
        };
        for found in tables.places.tables(&tables.skipped)? {
            tables.insert(found);
        }
        Ok(tables)
    }

    /// Sets the budget for unpacked frames of all pitches together, in bytes.
    pub fn with_cache(self, cache: usize) -> Tablebase {
        Tablebase {
            cache: FrameCache::new(cache),
            ..self
        }
    }

    /// Returns the rules that the tables follow.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the places that were searched.
    pub fn places(&self) -> &SearchPath {
        &self.places
    }

    /// Iterates over metric and greatest length of every table of strips: depths first, then by
    /// length.
    pub fn strip_tables(&self) -> impl Iterator<Item = (Metric, usize)> + '_ {
        self.strips.keys().copied()
    }

    /// Returns the greatest length that a table holds, with depths if `depths` is set. Tables in
    /// which damage was found do not count.
    pub fn longest_strips(&self, depths: bool) -> Option<usize> {
        let held = (self.strips.iter()).filter(|&(&(metric, _), slots)| {
            (metric == Metric::Dtw || !depths) && slots.iter().any(|slot| slot.damage.get().is_none())
        });
        held.map(|(&(_, length), _)| length).max()
    }

    /// Returns the shapes of the pitches that have a table, smaller areas first.
    pub fn shapes(&self) -> Vec<Shape> {
        let mut shapes: Vec<Shape> = self.pitches.keys().copied().collect();
        shapes.sort_by_key(|shape| (shape.points(), shape.columns()));
        shapes
    }

    /// Returns the location of the table of a pitch, without opening it.
    pub fn pitch_source(&self, shape: Shape) -> Option<&TableLocation> {
        let slots = self.pitches.get(&shape)?;
        slots.first().map(|slot| &slot.found.source)
    }

    /// Returns the location of the table with this metric and greatest length, without opening it.
    pub fn strip_source(&self, metric: Metric, length: usize) -> Option<&TableLocation> {
        let slots = self.strips.get(&(metric, length))?;
        slots.first().map(|slot| &slot.found.source)
    }

    /// Returns the table with this metric and greatest length.
    pub fn strip_table(&self, metric: Metric, length: usize) -> Result<&StripTable, TableError> {
        let slots = self.strips.get(&(metric, length)).into_iter().flatten();
        let found = self.first(slots, open_strip, Ok)?;
        found.ok_or_else(|| self.missing(Boards::strip(length), metric == Metric::Dtw))
    }

    /// Queries the smallest table that holds a length, with this metric if one is given; otherwise
    /// depths come before winners.
    pub fn ask_strips<'t, A>(
        &'t self,
        length: usize,
        metric: Option<Metric>,
        question: impl Fn(&'t StripTable) -> Result<A, TableError>,
    ) -> Result<A, TableError> {
        let fits = |(found, held)| held >= length && metric.is_none_or(|metric| metric == found);
        let slots = self.strips.iter().filter(|&(&key, _)| fits(key));
        let slots = slots.flat_map(|(_, slots)| slots);
        let answer = self.first(slots, open_strip, question)?;
        answer.ok_or_else(|| self.missing(Boards::strip(length), metric == Some(Metric::Dtw)))
    }

    /// Queries the tables of a metric; `None` if none answers: files that cannot be used are skipped unless
    /// the user named their directory.
    pub fn ask_strips_if_any<'t, A>(
        &'t self,
        length: usize,
        metric: Metric,
        question: impl Fn(&'t StripTable) -> Result<A, TableError>,
    ) -> Result<Option<A>, TableError> {
        let fits = |&(&(found, held), _): &_| found == metric && held >= length;
        let slots = self.strips.iter().filter(fits).flat_map(|(_, slots)| slots);
        self.first_usable(slots, open_strip, question, &mut None)
    }

    /// Queries the table of a pitch.
    pub fn ask_pitch<'t, A>(
        &'t self,
        shape: Shape,
        question: impl Fn(&'t PitchTable) -> Result<A, TableError>,
    ) -> Result<A, TableError> {
        let slots = self.pitches.get(&shape).into_iter().flatten();
        let open = |container, _| {
            let table = PitchTable::with_cache(container, &self.cache)?;
            expect_same(table.path(), "the size of the pitch", table.shape(), shape)?;
            Ok(table)
        };
        let answer = self.first(slots, open, question)?;
        answer.ok_or_else(|| self.missing(Boards::Pitch(shape), true))
    }

    /// Queries the most informative table for boards of one size.
    pub fn ask_boards<'t, A>(
        &'t self,
        boards: &Boards,
        question: impl Fn(BoardTable<'t>) -> Result<A, TableError>,
    ) -> Result<A, TableError> {
        match boards {
            Boards::Strips(lengths) => {
                let length = *lengths.end();
                self.ask_strips(length, None, |table| question(BoardTable::Strips(table, length)))
            }
            Boards::Pitch(shape) => self.ask_pitch(*shape, |table| question(BoardTable::Pitch(table))),
            Boards::Obstruction(_) | Boards::Oddish(_) => Err(self.missing(boards.clone(), true)),
        }
    }

    /// Returns the nimbers of Obstruction known in any place; empty if there is no file.
    pub fn nimbers(&self) -> Result<&NimberTable, TableError> {
        if let Some(all) = self.all_nimbers.get() {
            return Ok(all);
        }
        let mut all = NimberTable::default();
        // In reverse order, so that the first place's numbers win.
        for slot in self.nimbers.iter().rev() {
            match self.first([slot], |container, _| NimberTable::of(&container), Ok) {
                Ok(Some(table)) => all.extend(table),
                Err(error) if slot.found.role.is_named() => return Err(error),
                Ok(None) | Err(_) => {}
            }
        }
        Ok(self.all_nimbers.get_or_init(|| all))
    }

    /// Returns the first answer. Damaged tables are skipped unless the user named their directory.
    fn first<'t, T: 't, A>(
        &self,
        slots: impl IntoIterator<Item = &'t Slot<T>>,
        open: impl Fn(Container, TableId) -> Result<T, TableError>,
        question: impl Fn(&'t T) -> Result<A, TableError>,
    ) -> Result<Option<A>, TableError> {
        let mut wrong = None;
        let answer = self.first_usable(slots, open, question, &mut wrong)?;
        match (answer, wrong) {
            (None, Some(error)) => Err(error),
            (answer, _) => Ok(answer),
        }
    }

    /// As [`first`](Tablebase::first), but `wrong` gets the first error of a skipped table.
    fn first_usable<'t, T: 't, A>(
        &self,
        slots: impl IntoIterator<Item = &'t Slot<T>>,
        open: impl Fn(Container, TableId) -> Result<T, TableError>,
        question: impl Fn(&'t T) -> Result<A, TableError>,
        wrong: &mut Option<TableError>,
    ) -> Result<Option<A>, TableError> {
        for slot in slots {
            match slot.ask(&open, &question) {
                Ok(answer) => return Ok(Some(answer)),
                Err(error @ TableError::File(_)) if !slot.found.role.is_named() => {
                    if !slot.reported.swap(true, Ordering::Relaxed) {
                        (self.skipped)(&error);
                    }
                    wrong.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Returns the error for boards that no table holds.
    pub fn missing(&self, boards: Boards, depths: bool) -> TableError {
        TableError::Missing {
            boards,
            rules: self.rules,
            depths,
            places: self.places.clone(),
        }
    }

    /// Returns the value of a position, with its depth.
    pub fn value(&self, strip: &Strip) -> Result<Value, TableError> {
        let verdict = self.ask_strips(strip.length(), Some(Metric::Dtw), |table| table.verdict(strip))?;
        Ok(verdict.value().expect("a table with depths has all depths"))
    }

    /// Returns the value of a position, with its depth if a table has it.
    pub fn verdict(&self, strip: &Strip) -> Result<Verdict, TableError> {
        self.ask_strips(strip.length(), None, |table| table.verdict(strip))
    }
}

fn open_strip(container: Container, id: TableId) -> Result<StripTable, TableError> {
    let table = StripTable::new(container)?;
    let found = TableId::Strip(table.metric(), table.length());
    expect_same(table.path(), "the table", found, id)?;
    Ok(table)
}
