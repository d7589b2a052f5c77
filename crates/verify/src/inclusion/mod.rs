//! Checks statements about turns from one set of boards into another, without the sets of all boards
//! that have such turns.
//!
//! * *Every turn from this set leads into that one* ([`Checker::every`]) is a recursion over a state
//!   of the automaton of turns ([`turns`]) and two sets, which answers yes or no and makes no set.
//! * *From every board of this set some turn leads into that one* needs the boards that have such a
//!   turn. [`Checker::some`] joins them turn by turn to the boards that are known to have one, so that
//!   the intermediate sets stay small.
//!
//! Threads share the nodes (`nodes`) and the results (`results`); results may be forgotten.

mod nodes;
mod results;
mod sets;
pub mod turns;
mod view;

use hashbrown::HashMap;
use nodes::{Full, NODE_BYTES, Nodes};
use phutbase_base::job::{Job, Stopped};
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{Halves, SquareSet, Strip};
use phutbase_sets::{Diagram, Symbol};
use results::{ENTRY_BYTES, Key, Results};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use turns::{Place, Second, State, TurnKind};

pub use nodes::Set;

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

/// Number of squares on which a recursion forks.
const FORKS: usize = 14;
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
    most_nodes: usize,
    /// The steps that are left, counted in parts of [`STEPS`].
    steps: AtomicU64,
    job: Job,
    /// True if there are several threads.
    is_shared: bool,
}

/// The room of a check.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Nodes at the start, and at most.
    pub nodes: [usize; 2],
    /// Results that are kept.
    pub results: usize,
    /// Steps that a check may take.
    pub steps: u64,
}

impl Room {
    /// Returns the memory at the start, in bytes.
    pub fn bytes(self) -> u64 {
        self.bytes_with(self.nodes[0])
    }

    /// Returns the memory with room for this many nodes, in bytes.
    pub fn bytes_with(self, nodes: usize) -> u64 {
        let power = |count: usize| count.next_power_of_two() as u64;
        NODE_BYTES * power(nodes) + ENTRY_BYTES * power(self.results)
    }
}

impl Checker {
    /// Returns a checker without sets.
    pub fn new(length: usize, room: Room, job: &Job) -> Checker {
        Checker {
            length,
            last_ball: length - 1,
            nodes: Nodes::with_room(room.nodes[0]),
            results: Results::with_room(room.results),
            most_nodes: room.nodes[1],
            steps: AtomicU64::new(room.steps.div_ceil(STEPS)),
            job: job.clone(),
            is_shared: rayon::current_num_threads() > 1,
        }
    }

    /// Looks only at the turns from boards with the ball on this square or before it.
    pub fn with_balls_up_to(self, last_ball: usize) -> Checker {
        Checker { last_ball, ..self }
    }

    /// Copies sets of boards; equal sets are equal.
    pub fn copy<D: Diagram>(&mut self, diagram: &D, roots: &[D::Ref]) -> Result<Vec<Set>, Halt> {
        self.growing(|checker| {
            let mut known = HashMap::new();
            let copies = roots
                .iter()
                .map(|&root| checker.nodes.copy(diagram, 0, root, &mut known));
            Ok(copies.collect::<Result<_, Full>>()?)
        })
    }

    /// Asks a question, with more room for nodes each time that they do not fit.
    pub fn growing<T>(&mut self, question: impl Fn(&Checker) -> Result<T, Halt>) -> Result<T, Halt> {
        loop {
            match question(self) {
                Err(Halt::Full) if self.nodes.room() < self.most_nodes => self.nodes.grow(),
                answer => return answer,
            }
        }
    }

    /// Returns whether every turn of some kinds from a set leads into the set of that kind or wins
    /// for a side; if not, the first board with another turn.
    pub fn every(
        &self,
        kinds: &[TurnKind],
        from: Set,
        into: impl Fn(TurnKind) -> Set,
        winner: Side,
    ) -> Result<Option<Strip>, Halt> {
        for &kind in kinds {
            let turns = Turns { to: self, winner };
            let (state, into) = (State::start(kind), into(kind));
            if !turns.every(self.board(), state, from, into)? {
                return turns.violation(state, from, into).map(Some);
            }
        }
        Ok(None)
    }

    /// Returns `known` together with the boards from which some turn of some kinds leads into the
    /// set of that kind or wins for a side.
    pub fn some(
        &self,
        kinds: &[TurnKind],
        known: Set,
        into: impl Fn(TurnKind) -> Set,
        winner: Side,
    ) -> Result<Set, Halt> {
        let turns = Turns { to: self, winner };
        kinds.iter().try_fold(known, |known, &kind| {
            let into = match kind {
                // The turn may be complete before the ball.
                TurnKind::PlaceLeft => self.within(into(kind))?,
                _ => into(kind),
            };
            turns.some(self.board(), State::start(kind), known, into)
        })
    }

    /// Like [`some`](Checker::some), but each kind by itself: sets of neighbouring plies share most of
    /// their parts, and so the results.
    pub fn some_apart(
        &self,
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
    pub fn first_beyond(&self, set: Set, other: Set) -> Result<Option<Strip>, Halt> {
        // Without a turn, no side wins.
        let turns = Turns {
            to: self,
            winner: Side::Left,
        };
        if turns.every(self.board(), State::Done, set, other)? {
            return Ok(None);
        }
        turns.violation(State::Done, set, other).map(Some)
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

    /// Returns whether this thread takes the parts of a set in reverse order. Two threads that begin the
    /// same question then do different halves of it; in the same order both did all of it, and 128
    /// squares took two threads 1.4 times the processor time of one.
    fn is_backward(&self) -> bool {
        self.is_shared && rayon::current_thread_index().is_some_and(|thread| thread % 2 == 1)
    }

    fn forks_at(&self, rest: Rest) -> bool {
        self.length - rest.squares < FORKS
    }

    /// Finds what a key asks, among the results or by computing it.
    #[inline(always)]
    fn once(&self, key: Key, compute: impl FnOnce() -> Result<Set, Halt>) -> Result<Set, Halt> {
        if let Some(known) = self.results.recall(key) {
            return Ok(known);
        }
        self.take_step()?;
        let found = compute()?;
        self.results.keep(key, found);
        Ok(found)
    }

    #[inline(always)]
    fn take_step(&self) -> Result<(), Halt> {
        thread_local!(static TAKEN: Cell<u64> = const { Cell::new(0) });
        let taken = TAKEN.get() + 1;
        TAKEN.set(taken % STEPS);
        if taken < STEPS {
            return Ok(());
        }
        self.job.check()?;
        let left = |left: u64| left.checked_sub(1);
        let taken = (self.steps).fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        taken.map(|_| ()).map_err(|_| Halt::Budget)
    }

    /// Makes a set from its parts by what the first square holds.
    fn by_symbol(&self, rest: Rest, part: impl Fn(Symbol) -> Result<Set, Halt> + Sync) -> Result<Set, Halt> {
        let ball = || match rest.ball {
            true => part(Symbol::Ball),
            false => Ok(Set::NONE),
        };
        let parts = if self.forks_at(rest) {
            let both = || rayon::join(|| part(Symbol::Empty), || part(Symbol::Stone));
            let ((empty, stone), ball) = rayon::join(both, ball);
            [empty?, stone?, ball?]
        } else if self.is_backward() {
            let (ball, stone) = (ball()?, part(Symbol::Stone)?);
            [part(Symbol::Empty)?, stone, ball]
        } else {
            [part(Symbol::Empty)?, part(Symbol::Stone)?, ball()?]
        };
        Ok(self.nodes.make(rest.ball, parts)?)
    }

    /// Returns whether the ball is still to come, too late.
    fn is_past_last_ball(&self, rest: Rest) -> bool {
        rest.ball && self.length - rest.squares > self.last_ball
    }
}

fn key(question: Question, rest: Rest, state: State, winner: Side, sets: [Set; 2]) -> Key {
    debug_assert!(rest.squares > 0, "a key is positive");
    let (question, state, winner) = (question as u32, state as u32, winner as u32);
    let question =
        question | state << 3 | winner << 8 | u32::from(rest.ball) << 9 | (rest.squares as u32) << 10;
    Key { question, sets }
}

/// The turns of a checker's boards; those that win for one side are as good as those into a set.
#[derive(Clone, Copy)]
struct Turns<'c> {
    to: &'c Checker,
    winner: Side,
}

impl Turns<'_> {
    /// Returns the part of a set of second boards that a step allows.
    fn part(self, second: Second, into: Set) -> Set {
        match second {
            Second::Is(symbol) => self.to.nodes.child(into, symbol),
            Second::Won(side) => self.won(side),
        }
    }

    /// Returns all second boards if the turn has won for the right side, otherwise none.
    fn won(self, side: Side) -> Set {
        if side == self.winner { Set::ALL } else { Set::NONE }
    }

    /// Returns whether, for all first boards in `from`, the second board of every turn is in `into`.
    fn every(self, rest: Rest, state: State, from: Set, into: Set) -> Result<bool, Halt> {
        let Turns { to, .. } = self;
        if from == Set::NONE || state == State::Done && (from == into || into == Set::ALL) {
            return Ok(true);
        }
        if rest.squares == 0 {
            return Ok(match state {
                State::Done => false,
                _ => !state.has_left() || self.winner == Side::Left,
            });
        }
        let key = key(Question::Every, rest, state, self.winner, [from, into]);
        let answer = to.once(key, || {
            let parts = to.nodes.children(from);
            let holds = |symbol: Symbol| -> Result<bool, Halt> {
                for &(second, next) in state.steps(symbol, to.place(rest)) {
                    let into = self.part(second, into);
                    if !self.every(rest.after(symbol), next, parts[symbol as usize], into)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            };
            let ball = || if rest.ball { holds(Symbol::Ball) } else { Ok(true) };
            let all = if to.forks_at(rest) {
                let both = || rayon::join(|| holds(Symbol::Empty), || holds(Symbol::Stone));
                let ((empty, stone), ball) = rayon::join(both, ball);
                empty? && stone? && ball?
            } else if to.is_backward() {
                ball()? && holds(Symbol::Stone)? && holds(Symbol::Empty)?
            } else {
                holds(Symbol::Empty)? && holds(Symbol::Stone)? && ball()?
            };
            Ok(if all { Set::ALL } else { Set::NONE })
        })?;
        Ok(answer == Set::ALL)
    }

    /// Returns `known` together with the first boards for which some second board is in `into`.
    fn some(self, rest: Rest, state: State, known: Set, into: Set) -> Result<Set, Halt> {
        let Turns { to, winner } = self;
        if state == State::Done {
            return to.union(rest, known, into);
        }
        if known == Set::ALL || to.is_past_last_ball(rest) {
            return Ok(known);
        }
        if rest.squares == 0 {
            let wins = state.has_left() && winner == Side::Left;
            return Ok(if wins { Set::ALL } else { known });
        }
        let place = to.place(rest);
        if into == Set::NONE && !state.may_win(winner, place) {
            return Ok(known);
        }
        to.once(key(Question::Some, rest, state, winner, [known, into]), || {
            let parts = to.nodes.children(known);
            to.by_symbol(rest, |symbol| {
                // No board has the ball on a goal line.
                if symbol == Symbol::Ball && place != Place::Inner {
                    return Ok(Set::NONE);
                }
                // The steps are in an order that joins few different sets: a complete turn comes first
                // before the ball, last past it.
                let steps = state.steps(symbol, place).iter();
                steps
                    .copied()
                    .try_fold(parts[symbol as usize], |known, (second, next)| {
                        self.some(rest.after(symbol), next, known, self.part(second, into))
                    })
            })
        })
    }

    /// Returns the first board that shows that [`every`](Turns::every) does not hold.
    fn violation(self, mut state: State, mut from: Set, mut into: Set) -> Result<Strip, Halt> {
        let Turns { to, .. } = self;
        let (mut rest, mut ball, mut stones) = (to.board(), 0, SquareSet::ZERO);
        while rest.squares > 0 {
            let square = to.length - rest.squares;
            let mut steps = (rest.symbols().iter()).flat_map(|&symbol| {
                let from = to.nodes.child(from, symbol);
                let steps = state.steps(symbol, to.place(rest)).iter();
                steps.map(move |&(second, next)| (symbol, next, from, self.part(second, into)))
            });
            let violated = steps.find_map(|step| {
                let (symbol, next, from, into) = step;
                match self.every(rest.after(symbol), next, from, into) {
                    Ok(true) => None,
                    found => Some(found.map(|_| step)),
                }
            });
            let (symbol, next, of_symbol, second) = violated.expect("a part does not hold either")?;
            match symbol {
                Symbol::Empty => {}
                Symbol::Stone => stones |= SquareSet::ONE << square,
                Symbol::Ball => ball = square,
            }
            (rest, state, from, into) = (rest.after(symbol), next, of_symbol, second);
        }
        Ok(Strip::new(to.length, ball, stones, Side::Left).expect("only boards are in the sets"))
    }
}
