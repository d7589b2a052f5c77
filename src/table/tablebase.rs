//! The tables of some places as one tablebase.

use super::Metric;
use super::container::cache::{DEFAULT_BYTES, FrameCache};
use super::container::read::Container;
use super::error::{TableError, expect_same};
use super::id::TableId;
use super::nimbers::NimberTable;
use super::pitch::PitchTable;
use super::places::{Found, Places, Source};
use super::strip::StripTable;
use crate::games::boards::Boards;
use crate::games::pitch::Shape;
use crate::games::rules::Rules;
use crate::games::strip::Strip;
use crate::outcome::{Value, Verdict, Wdl};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// The tables of a directory, or of several places, under the same rules, opened when they are first needed.
///
/// A table that cannot be used is an error if it stands in a place that the user named. Elsewhere the next table that holds the
/// same boards is asked, and the observer of [`search_with`](Tablebase::search_with) hears of it.
pub struct Tablebase {
    rules: Rules,
    places: Places,
    /// By metric, the one that says more first, then by length; of each the first place's first.
    strips: BTreeMap<(Metric, usize), Vec<Slot<StripTable>>>,
    pitches: BTreeMap<Shape, Vec<Slot<PitchTable>>>,
    /// Every place's, the first place's first.
    nimbers: Vec<Slot<NimberTable>>,
    all_nimbers: OnceLock<NimberTable>,
    cache: Arc<FrameCache>,
    skipped: Box<Skipped>,
}

/// Hears of tables that cannot be used and are passed over, once each.
pub type Skipped = dyn Fn(&TableError) + Send + Sync;

/// One table that may be opened later.
struct Slot<T> {
    found: Found,
    table: OnceLock<T>,
    /// Held by the thread that opens the table.
    opening: Mutex<()>,
    /// Whether the observer heard that it cannot be used.
    told: AtomicBool,
}

impl<T> Slot<T> {
    fn new(found: Found) -> Slot<T> {
        Slot {
            found,
            table: OnceLock::new(),
            opening: Mutex::new(()),
            told: AtomicBool::new(false),
        }
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
    /// The tables of the ordinary game in a directory. A directory that does not exist has none.
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
            cache: FrameCache::new(DEFAULT_BYTES),
            skipped: Box::new(|_| {}),
        }
    }

    /// The tables of the ordinary game in some places.
    ///
    /// # Errors
    /// [`TableError::Io`] if a directory that the user named cannot be read.
    pub fn search(places: Places) -> Result<Tablebase, TableError> {
        Tablebase::search_with(Rules::Ordinary, places, |_| {})
    }

    /// The tables under some rules in some places; of two tables of the same boards the first place's is asked first.
    pub fn search_with(
        rules: Rules,
        places: Places,
        skipped: impl Fn(&TableError) + Send + Sync + 'static,
    ) -> Result<Tablebase, TableError> {
        let mut tables = Tablebase {
            rules,
            places,
            skipped: Box::new(skipped),
            ..Tablebase::empty()
        };
        for found in tables.places.tables(&tables.skipped)? {
            match found.id {
                TableId::Strip(of, metric, length) if of == rules => {
                    let slots = tables.strips.entry((metric, length)).or_default();
                    slots.push(Slot::new(found));
                }
                TableId::Pitch(of, shape) if of == rules => {
                    tables.pitches.entry(shape).or_default().push(Slot::new(found));
                }
                TableId::Strip(..) | TableId::Pitch(..) => {}
                TableId::Nimbers => tables.nimbers.push(Slot::new(found)),
            }
        }
        Ok(tables)
    }

    /// The same with another budget for unpacked frames, of all tables together, in bytes.
    pub fn with_cache(self, cache: usize) -> Tablebase {
        Tablebase {
            cache: FrameCache::new(cache),
            ..self
        }
    }

    /// The rules that the tables follow.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The places that were searched.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Metric and longest strips of every table of strips; depths first, then by length.
    pub fn strip_tables(&self) -> impl Iterator<Item = (Metric, usize)> + '_ {
        self.strips.keys().copied()
    }

    /// The longest strips that a table holds, or a table with depths.
    pub fn longest_strips(&self, depths: bool) -> Option<usize> {
        let held = self
            .strip_tables()
            .filter(|&(metric, _)| metric == Metric::Dtw || !depths);
        held.map(|(_, length)| length).max()
    }

    /// The shapes of the pitches that have a table, smaller areas first.
    pub fn shapes(&self) -> Vec<Shape> {
        let mut shapes: Vec<Shape> = self.pitches.keys().copied().collect();
        shapes.sort_by_key(|shape| (shape.points(), shape.columns()));
        shapes
    }

    /// Where the table of a pitch is, if there is one; it is not opened.
    pub fn pitch_source(&self, shape: Shape) -> Option<&Source> {
        let slots = self.pitches.get(&shape)?;
        slots.first().map(|slot| &slot.found.source)
    }

    /// Where the table with this metric and these longest strips is, if there is one; it is not opened.
    pub fn strip_source(&self, metric: Metric, length: usize) -> Option<&Source> {
        let slots = self.strips.get(&(metric, length))?;
        slots.first().map(|slot| &slot.found.source)
    }

    /// The table with this metric and these longest strips.
    ///
    /// # Errors
    /// [`TableError::Missing`], or what is wrong with the file.
    pub fn strip_table(&self, metric: Metric, length: usize) -> Result<&StripTable, TableError> {
        let slots = self.strips.get(&(metric, length)).into_iter().flatten();
        let found = self.first(slots, |container, id| self.open_strip(container, id), Ok)?;
        found.ok_or_else(|| self.missing(Boards::strip(length), metric == Metric::Dtw))
    }

    /// Asks the table that says most about strips of a length: depths before who wins, then the smallest table that is long enough.
    ///
    /// # Errors
    /// [`TableError::Missing`], what is wrong with the tables, or the error of the question.
    pub fn ask<'t, A>(
        &'t self,
        length: usize,
        question: impl Fn(&'t StripTable) -> Result<A, TableError>,
    ) -> Result<A, TableError> {
        self.ask_strips(length, &[Metric::Dtw, Metric::Wdl], question)
    }

    /// Asks the smallest table with depths that holds strips of a length.
    pub fn ask_depths<'t, A>(
        &'t self,
        length: usize,
        question: impl Fn(&'t StripTable) -> Result<A, TableError>,
    ) -> Result<A, TableError> {
        self.ask_strips(length, &[Metric::Dtw], question)
    }

    /// Asks the smallest table of who wins that holds strips of a length, with its proof.
    pub fn ask_levels<'t, A>(
        &'t self,
        length: usize,
        question: impl Fn(&'t StripTable) -> Result<A, TableError>,
    ) -> Result<A, TableError> {
        self.ask_strips(length, &[Metric::Wdl], question)
    }

    fn ask_strips<'t, A>(
        &'t self,
        length: usize,
        metrics: &[Metric],
        question: impl Fn(&'t StripTable) -> Result<A, TableError>,
    ) -> Result<A, TableError> {
        let fits = |(metric, held): (Metric, usize)| held >= length && metrics.contains(&metric);
        let slots = self
            .strips
            .iter()
            .filter(|&(&key, _)| fits(key))
            .flat_map(|(_, slots)| slots);
        let answer = self.first(slots, |container, id| self.open_strip(container, id), question)?;
        answer.ok_or_else(|| self.missing(Boards::strip(length), metrics == [Metric::Dtw]))
    }

    /// The table that says most about strips of a length, opened.
    pub fn best(&self, length: usize) -> Result<&StripTable, TableError> {
        self.ask(length, Ok)
    }

    /// The smallest table with depths that holds strips of a length, opened.
    pub fn with_depths(&self, length: usize) -> Result<&StripTable, TableError> {
        self.ask_depths(length, Ok)
    }

    /// The smallest table of who wins that holds strips of a length, with its proof, opened.
    pub fn with_levels(&self, length: usize) -> Result<&StripTable, TableError> {
        self.ask_levels(length, Ok)
    }

    /// Asks the table of a pitch.
    ///
    /// # Errors
    /// [`TableError::Missing`], what is wrong with the file, or the error of the question.
    pub fn ask_pitch<'t, A>(
        &'t self,
        shape: Shape,
        question: impl Fn(&'t PitchTable) -> Result<A, TableError>,
    ) -> Result<A, TableError> {
        let slots = self.pitches.get(&shape).into_iter().flatten();
        let open = |container, _| {
            let table = PitchTable::new(container, &self.cache)?;
            expect_same(table.path(), "the size of the pitch", table.shape(), shape)?;
            Ok(table)
        };
        let answer = self.first(slots, open, question)?;
        answer.ok_or_else(|| self.missing(Boards::Pitch(shape), true))
    }

    /// The table of a pitch, opened.
    pub fn pitch(&self, shape: Shape) -> Result<&PitchTable, TableError> {
        self.ask_pitch(shape, Ok)
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
        // The last place first, so that the first place's numbers stay.
        for slot in self.nimbers.iter().rev() {
            match self.first([slot], |container, _| NimberTable::of(&container), Ok) {
                Ok(Some(table)) => all.extend(table),
                Err(error) if slot.found.role.is_named() => return Err(error),
                Ok(None) | Err(_) => {}
            }
        }
        Ok(self.all_nimbers.get_or_init(|| all))
    }

    /// The first answer of some tables. One that is damaged is passed over unless the user named its place.
    fn first<'t, T: 't, A>(
        &self,
        slots: impl IntoIterator<Item = &'t Slot<T>>,
        open: impl Fn(Container, TableId) -> Result<T, TableError>,
        question: impl Fn(&'t T) -> Result<A, TableError>,
    ) -> Result<Option<A>, TableError> {
        let mut wrong = None;
        for slot in slots {
            match slot.get(&open).and_then(&question) {
                Ok(answer) => return Ok(Some(answer)),
                Err(error) if error.is_damage() && !slot.found.role.is_named() => {
                    if !slot.told.swap(true, Ordering::Relaxed) {
                        (self.skipped)(&error);
                    }
                    wrong = wrong.or(Some(error));
                }
                Err(error) => return Err(error),
            }
        }
        wrong.map_or(Ok(None), Err)
    }

    fn open_strip(&self, container: Container, id: TableId) -> Result<StripTable, TableError> {
        let table = StripTable::new(container, &self.cache)?;
        let found = TableId::Strip(table.rules(), table.metric(), table.length());
        expect_same(table.path(), "the table", found, id)?;
        Ok(table)
    }

    /// The error that no table holds some boards.
    pub fn missing(&self, boards: Boards, depths: bool) -> TableError {
        TableError::Missing {
            boards,
            rules: self.rules,
            depths,
            places: self.places.clone(),
        }
    }

    /// The value of a position, with its depth.
    pub fn value(&self, strip: &Strip) -> Result<Value, TableError> {
        let verdict = self.ask_depths(strip.length(), |table| table.verdict(strip))?;
        Ok(verdict.value().expect("a table with depths has all depths"))
    }

    /// The value of a position: with its depth if a table has it.
    pub fn verdict(&self, strip: &Strip) -> Result<Verdict, TableError> {
        self.ask(strip.length(), |table| table.verdict(strip))
    }

    /// The values of many positions of any lengths, in their order.
    pub fn verdicts(&self, strips: &[Strip]) -> Result<Vec<Verdict>, TableError> {
        let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, strip) in strips.iter().enumerate() {
            by_length.entry(strip.length()).or_default().push(at);
        }
        let mut verdicts = vec![Verdict::from(Wdl::Draw); strips.len()];
        for (length, places) in by_length {
            let batch: Vec<Strip> = places.iter().map(|&at| strips[at]).collect();
            let found = self.ask(length, |table| table.verdicts(&batch))?;
            for (at, verdict) in places.into_iter().zip(found) {
                verdicts[at] = verdict;
            }
        }
        Ok(verdicts)
    }
}
