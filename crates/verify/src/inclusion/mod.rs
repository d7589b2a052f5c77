//! Checks statements about turns from one set of boards into another, without the sets of all boards
//! that have such turns.
//!
//! * *Every turn from this set leads into that one* ([`Checker::every`]) is a recursion over a state
//!   of the automaton of turns ([`turns`]) and two sets, which answers yes or no and makes no set.
//! * *From every board of this set some turn leads into that one* needs the boards that have such a
//!   turn. [`Checker::some`] joins them turn by turn to the boards that are known to have one, so that
//!   the intermediate sets stay small.
//!
//! One thread has the nodes (`nodes`) and the results (`results`), which may be forgotten.

mod mirror;
mod nodes;
mod results;
mod sets;
pub mod turns;

use hashbrown::HashMap;
use nodes::{Full, Nodes};
use phutbase_base::job::{Job, Stopped};
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{Halves, SquareSet, Strip};
use phutbase_sets::{Diagram, Symbol};
use results::{ENTRY_BYTES, Key, Results};
use turns::{Place, Second, State, TurnKind};

pub use nodes::{NODE_BYTES, Set};

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// More nodes are needed than there is room for.
    #[error("there is no room for another node")]
    Full,
    /// More steps are needed than the budget has.
    #[error("the budget of steps is spent")]
    Budget,
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<Full> for Halt {
    fn from(Full: Full) -> Halt {
        Halt::Full
    }
}

const SYMBOLS: [Symbol; 3] = [Symbol::Empty, Symbol::Stone, Symbol::Ball];

/// The squares of a board that are still to be read: how many, and whether the ball is on one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Rest {
    squares: usize,
    ball: bool,
}

impl Rest {
    /// Returns what the first square may hold.
    fn symbols(self) -> &'static [Symbol] {
        if self.ball { &SYMBOLS } else { &SYMBOLS[..2] }
    }

    /// Returns the squares after the first one.
    fn after(self, symbol: Symbol) -> Rest {
        Rest {
            squares: self.squares - 1,
            ball: self.ball && symbol != Symbol::Ball,
        }
    }
}

/// The kinds of questions whose results are kept.
enum Question {
    Union,
    Some,
    Every,
    Complement,
    Within,
}

/// Steps between two looks at the job.
const STEPS: u64 = 1 << 12;

/// Questions about sets of the boards of one length.
pub struct Checker {
    length: usize,
    /// The last square of the ball on the boards of [`some`](Checker::some) and on those that are
    /// compared.
    last_ball: usize,
    nodes: Nodes,
    results: Results,
    /// The steps that are left.
    steps: u64,
    job: Job,
}

/// The limits of a check.
#[derive(Clone, Copy, Debug)]
pub struct CheckerLimits {
    /// The most nodes.
    pub nodes: usize,
    /// Results that are kept.
    pub results: usize,
    /// Steps that a check may take.
    pub steps: u64,
}

impl CheckerLimits {
    /// Returns the memory of the results and of this many nodes, in bytes.
    pub fn bytes_with(self, nodes: usize) -> u64 {
        NODE_BYTES * nodes as u64 + ENTRY_BYTES * self.results.next_power_of_two() as u64
    }
}

impl Checker {
    /// Returns a checker without sets.
    pub fn new(length: usize, limits: CheckerLimits, job: &Job) -> Checker {
        Checker {
            length,
            last_ball: length - 1,
            nodes: Nodes::up_to(limits.nodes),
            results: Results::with_room(limits.results),
            steps: limits.steps,
            job: job.clone(),
        }
    }

    /// Looks only at the turns from boards with the ball on this square or before it.
    pub fn with_balls_up_to(self, last_ball: usize) -> Checker {
        Checker { last_ball, ..self }
    }

    /// Copies sets of boards; equal sets are equal.
    pub fn copy<D: Diagram>(&mut self, diagram: &D, roots: &[D::Ref]) -> Result<Vec<Set>, Halt> {
        let mut known = HashMap::new();
        let copies = (roots.iter()).map(|&root| self.nodes.copy(diagram, 0, root, &mut known));
        Ok(copies.collect::<Result<_, Full>>()?)
    }

    /// Copies the mirror images of sets of boards.
    pub fn copy_mirrored<D: Diagram>(&mut self, diagram: &D, roots: &[D::Ref]) -> Result<Vec<Set>, Halt> {
        let (mut source, mut known) = (Nodes::up_to(usize::MAX), HashMap::new());
        let images = roots.iter().map(|&root| {
            let set = source.copy(diagram, 0, root, &mut known)?;
            mirror::mirror(&source, set, self.length, &mut self.nodes)
        });
        Ok(images.collect::<Result<_, Full>>()?)
    }

    /// Returns whether every turn of some kinds from a set leads into the set of that kind or wins
    /// for a side; if not, the first board with another turn.
    pub fn every(
        &mut self,
        kinds: &[TurnKind],
        from: Set,
        into: impl Fn(TurnKind) -> Set,
        winner: Side,
    ) -> Result<Option<Strip>, Halt> {
        for &kind in kinds {
            let (state, into) = (State::start(kind), into(kind));
            if !self.every_turn(winner, self.board(), state, from, into)? {
                return self.violation(winner, state, from, into).map(Some);
            }
        }
        Ok(None)
    }

    /// Returns `known` together with the boards from which some turn of some kinds leads into the
    /// set of that kind or wins for a side.
    pub fn some(
        &mut self,
        kinds: &[TurnKind],
        known: Set,
        into: impl Fn(TurnKind) -> Set,
        winner: Side,
    ) -> Result<Set, Halt> {
        kinds.iter().try_fold(known, |known, &kind| {
            let into = match kind {
                // The turn may be complete before the ball.
                TurnKind::PlaceLeft => self.within(into(kind))?,
                _ => into(kind),
            };
            self.some_turn(winner, self.board(), State::start(kind), known, into)
        })
    }

    /// Like [`some`](Checker::some), but each kind by itself: sets of neighbouring plies share most of
    /// their parts, and so the results.
    pub fn some_apart(
        &mut self,
        kinds: &[TurnKind],
        known: Set,
        into: impl Fn(TurnKind) -> Set,
        winner: Side,
    ) -> Result<Set, Halt> {
        kinds.iter().try_fold(known, |known, kind| {
            let found = self.some(std::slice::from_ref(kind), Set::NONE, &into, winner)?;
            self.union(self.board(), known, found)
        })
    }

    /// Returns the first board of one set that is not in another.
    pub fn first_beyond(&mut self, set: Set, other: Set) -> Result<Option<Strip>, Halt> {
        // Without a turn, no side wins.
        let (winner, state) = (Side::Left, State::Done);
        if self.every_turn(winner, self.board(), state, set, other)? {
            return Ok(None);
        }
        self.violation(winner, state, set, other).map(Some)
    }

    /// Returns whether a set has a board.
    pub fn contains(&self, set: Set, board: &Strip) -> bool {
        let symbols = (0..self.length).map(|square| match square {
            _ if square == board.ball() => Symbol::Ball,
            _ if board.stone(square) => Symbol::Stone,
            _ => Symbol::Empty,
        });
        symbols.fold(set, |set, symbol| self.nodes.child(set, symbol)) != Set::NONE
    }

    fn board(&self) -> Rest {
        Rest {
            squares: self.length,
            ball: true,
        }
    }

    fn place(&self, rest: Rest) -> Place {
        match rest.squares {
            1 => Place::Last,
            squares if squares == self.length => Place::First,
            _ => Place::Inner,
        }
    }

    /// Finds what a key asks, among the results or by computing it.
    #[inline(always)]
    fn once(
        &mut self,
        key: Key,
        compute: impl FnOnce(&mut Checker) -> Result<Set, Halt>,
    ) -> Result<Set, Halt> {
        if let Some(known) = self.results.recall(key) {
            return Ok(known);
        }
        self.steps = self.steps.checked_sub(1).ok_or(Halt::Budget)?;
        if self.steps.is_multiple_of(STEPS) {
            self.job.check()?;
        }
        let found = compute(self)?;
        self.results.keep(key, found);
        Ok(found)
    }

    /// Makes a set from its parts by what the first square holds.
    fn by_symbol(
        &mut self,
        rest: Rest,
        mut part: impl FnMut(&mut Checker, Symbol) -> Result<Set, Halt>,
    ) -> Result<Set, Halt> {
        let (empty, stone) = (part(self, Symbol::Empty)?, part(self, Symbol::Stone)?);
        let ball = if rest.ball {
            part(self, Symbol::Ball)?
        } else {
            Set::NONE
        };
        Ok(self.nodes.make(rest.ball, [empty, stone, ball])?)
    }

    /// Returns whether the ball is still to come, too late.
    fn is_past_last_ball(&self, rest: Rest) -> bool {
        rest.ball && self.length - rest.squares > self.last_ball
    }
}

fn key(question: Question, rest: Rest, state: State, winner: Side, sets: [Set; 2]) -> Key {
    assert!(
        rest.squares > 0 && (state as u32) < 1 << 5,
        "a key is positive, and has room for its state"
    );
    let (question, state, winner) = (question as u32, state as u32, winner as u32);
    let question =
        question | state << 3 | winner << 8 | u32::from(rest.ball) << 9 | (rest.squares as u32) << 10;
    Key { question, sets }
}

/// The turns of a checker's boards; those that win for `winner` are as good as those into a set.
impl Checker {
    /// Returns the part of a set of second boards that a step allows.
    fn part(&self, winner: Side, second: Second, into: Set) -> Set {
        match second {
            Second::Is(symbol) => self.nodes.child(into, symbol),
            Second::Won(side) if side == winner => Set::ALL,
            Second::Won(_) => Set::NONE,
        }
    }

    /// Returns whether, for all first boards in `from`, the second board of every turn is in `into`.
    fn every_turn(
        &mut self,
        winner: Side,
        rest: Rest,
        state: State,
        from: Set,
        into: Set,
    ) -> Result<bool, Halt> {
        if from == Set::NONE || state == State::Done && (from == into || into == Set::ALL) {
            return Ok(true);
        }
        if rest.squares == 0 {
            return Ok(state != State::Done && (!state.has_left() || winner == Side::Left));
        }
        let key = key(Question::Every, rest, state, winner, [from, into]);
        let answer = self.once(key, |checker| {
            let parts = checker.nodes.children(from);
            for &symbol in rest.symbols() {
                for &(second, next) in state.steps(symbol, checker.place(rest)) {
                    let (part, into) = (parts[symbol as usize], checker.part(winner, second, into));
                    if !checker.every_turn(winner, rest.after(symbol), next, part, into)? {
                        return Ok(Set::NONE);
                    }
                }
            }
            Ok(Set::ALL)
        })?;
        Ok(answer == Set::ALL)
    }

    /// Returns `known` together with the first boards for which some second board is in `into`.
    fn some_turn(
        &mut self,
        winner: Side,
        rest: Rest,
        state: State,
        known: Set,
        into: Set,
    ) -> Result<Set, Halt> {
        if state == State::Done {
            return self.union(rest, known, into);
        }
        if known == Set::ALL || self.is_past_last_ball(rest) {
            return Ok(known);
        }
        if rest.squares == 0 {
            let wins = state.has_left() && winner == Side::Left;
            return Ok(if wins { Set::ALL } else { known });
        }
        let place = self.place(rest);
        if into == Set::NONE && !state.may_win(winner, place) {
            return Ok(known);
        }
        self.once(
            key(Question::Some, rest, state, winner, [known, into]),
            |checker| {
                let parts = checker.nodes.children(known);
                checker.by_symbol(rest, |checker, symbol| {
                    // No board has the ball on a goal line.
                    if symbol == Symbol::Ball && place != Place::Inner {
                        return Ok(Set::NONE);
                    }
                    // The steps are in an order that joins few different sets: a complete turn comes first
                    // before the ball, last past it.
                    let mut steps = state.steps(symbol, place).iter();
                    steps.try_fold(parts[symbol as usize], |known, &(second, next)| {
                        let into = checker.part(winner, second, into);
                        checker.some_turn(winner, rest.after(symbol), next, known, into)
                    })
                })
            },
        )
    }

    /// Returns the first board that shows that [`every_turn`](Checker::every_turn) does not hold.
    fn violation(
        &mut self,
        winner: Side,
        mut state: State,
        mut from: Set,
        mut into: Set,
    ) -> Result<Strip, Halt> {
        let (mut rest, mut ball, mut stones) = (self.board(), 0, SquareSet::ZERO);
        while rest.squares > 0 {
            let square = self.length - rest.squares;
            let mut violated = None;
            for &symbol in rest.symbols() {
                for &(second, next) in state.steps(symbol, self.place(rest)) {
                    let (part, into) = (self.nodes.child(from, symbol), self.part(winner, second, into));
                    if violated.is_none() && !self.every_turn(winner, rest.after(symbol), next, part, into)? {
                        violated = Some((symbol, next, part, into));
                    }
                }
            }
            let (symbol, next, part, second) = violated.expect("a part does not hold either");
            match symbol {
                Symbol::Empty => {}
                Symbol::Stone => stones |= SquareSet::ONE << square,
                Symbol::Ball => ball = square,
            }
            (rest, state, from, into) = (rest.after(symbol), next, part, second);
        }
        Ok(Strip::new(self.length, ball, stones, Side::Left).expect("only boards are in the sets"))
    }
}
