//! Every board of a length, a bit each: retrograde analysis by enumeration.
//!
//! A plane has a bit for every board, by ball square and pattern. Ply d adds to the plane of one player
//! to move the boards from which some turn of Left (odd d) or every turn of Right (even d) leads into
//! the other plane as of ply d − 1. It looks only at boards with a turn to what the ply before added.
//!
//! A pattern is a number of n − 1 bits, the squares without the ball's: the first square is the highest
//! bit. A stone is a bit that is set; 64 patterns are a word. When the ball moves to the next square
//! over a stone, only the bit of this stone changes: with the ball on b, the bit of square b + 1 is that
//! of square b with the ball on b + 1.

use super::SolveError;
use phutbase_base::bits::ZEROS;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{Halves, MIN_LENGTH, Strip};
use rayon::prelude::*;

/// Longest strip that is enumerated; the boards of longer ones exceed any memory.
pub const MAX_LENGTH: usize = 40;

/// Planes that an enumeration holds at a time.
const PLANES: u64 = 5;

/// Returns the bytes that the enumeration of a length takes.
pub fn bytes(length: usize) -> u64 {
    PLANES * (length as u64 - 2) * 8 * words(length) as u64
}

/// Returns the words of one ball square.
fn words(length: usize) -> usize {
    (1 << (length - 1)) / 64_usize.min(1 << (length - 1))
}

/// Some boards of a length: a bit for each pattern, by ball square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane(Vec<Vec<u64>>);

impl Plane {
    fn new(length: usize) -> Plane {
        let words = words(length);
        Plane(
            (0..length - 1)
                .map(|ball| vec![0; if ball == 0 { 0 } else { words }])
                .collect(),
        )
    }

    /// Returns the bits of the boards with the ball on a square, from 1.
    pub fn of_ball(&self, ball: usize) -> &[u64] {
        &self.0[ball]
    }

    /// True if a board is in the plane; its side to move does not matter.
    pub fn contains(&self, board: &Strip) -> bool {
        let pattern = pattern(board);
        self.0[board.ball()][pattern / 64] >> (pattern % 64) & 1 == 1
    }

    fn fill(&mut self, word: u64) {
        self.0.par_iter_mut().for_each(|bits| bits.fill(word));
    }
}

/// Returns the number of a board's pattern.
pub fn pattern(board: &Strip) -> usize {
    let squares = (0..board.length()).filter(|&square| square != board.ball());
    squares.fold(0, |pattern, square| {
        2 * pattern + usize::from(board.stone(square))
    })
}

/// The state of an enumeration.
pub struct Enumeration {
    length: usize,
    plies: usize,
    /// The boards that Left wins, with Left and with Right to move.
    won: [Plane; 2],
    /// Those that the last ply added.
    added: Plane,
    /// Room for the boards of the next ply, and for what every jump says of them.
    next: Plane,
    every: Plane,
    decided: u64,
}

impl Enumeration {
    /// Prepares a length; see [`bytes`].
    pub fn new(length: usize) -> Result<Enumeration, SolveError> {
        if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
            return Err(SolveError::Length(length));
        }
        let plane = || Plane::new(length);
        Ok(Enumeration {
            length,
            plies: 0,
            won: [plane(), plane()],
            added: plane(),
            next: plane(),
            every: plane(),
            decided: 0,
        })
    }

    /// Returns the boards that Left wins within the plies so far.
    pub fn won(&self, to_move: Side) -> &Plane {
        &self.won[to_move as usize]
    }

    /// Returns the boards that the last ply added.
    pub fn added(&self) -> &Plane {
        &self.added
    }

    /// Returns the number of plies so far.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// Runs the next ply and returns the number of boards that it added; 0 when all is known. After an
    /// error the work cannot go on.
    pub fn step(&mut self, job: &Job) -> Result<u64, SolveError> {
        self.plies += 1;
        let for_left = self.plies % 2 == 1;
        // The boards of the next ply have a turn to what the last one added, or one that wins for Left.
        match (self.plies, for_left) {
            (2, _) => self.next.fill(u64::MAX),
            (ply, _) => {
                let home = if ply == 1 { HOME } else { [0; 2] };
                self.next.fill(0);
                jumps::<false>(&mut self.next, &self.added, home);
                stones(&mut self.next, &self.added);
            }
        }
        job.check()?;
        // Few squares have fewer than 64 patterns.
        let valid = u64::MAX >> (64 - 64.min(1 << (self.length - 1)));
        let [left, right] = &mut self.won;
        let added = if for_left {
            add(&mut self.next, left, valid, |_, _, boards| boards)
        } else {
            self.every.fill(u64::MAX);
            jumps::<true>(&mut self.every, left, HOME);
            let (length, left, every) = (self.length, &*left, &self.every);
            add(&mut self.next, right, valid, |ball, word, boards| {
                every_stone(
                    length,
                    left.of_ball(ball),
                    word,
                    boards & every.of_ball(ball)[word],
                )
            })
        };
        std::mem::swap(&mut self.next, &mut self.added);
        self.decided += added;
        job.step(self.decided, format!("ply {}", self.plies))?;
        Ok(added)
    }
}

/// The ends of the strip that win for Left, as words: where jumps to the right and to the left end.
const HOME: [u64; 2] = [u64::MAX, 0];

/// Restricts candidates to those that `holds` keeps and that are new in `won`, and adds them there.
/// Returns their number.
fn add(
    candidates: &mut Plane,
    won: &mut Plane,
    valid: u64,
    holds: impl Fn(usize, usize, u64) -> u64 + Sync,
) -> u64 {
    let balls = candidates.0.par_iter_mut().zip(&mut won.0).enumerate();
    let counts = balls.map(|(ball, (candidates, won))| {
        let parts = candidates
            .par_chunks_mut(GRAIN)
            .zip(won.par_chunks_mut(GRAIN))
            .enumerate();
        let counts = parts.map(|(part, (candidates, won))| {
            let words = (part * GRAIN..).zip(candidates).zip(won);
            let counts = words.map(|((word, candidate), won)| {
                let mut new = *candidate & !*won & valid;
                if new != 0 {
                    new = holds(ball, word, new);
                }
                (*candidate, *won) = (new, *won | new);
                u64::from(new.count_ones())
            });
            counts.sum::<u64>()
        });
        counts.sum::<u64>()
    });
    counts.sum()
}

/// Words that one thread works on at a time.
const GRAIN: usize = 1 << 12;

/// Returns, of some boards of a word, those from which every stone leads into a set of boards with the
/// same ball square.
fn every_stone(length: usize, into: &[u64], word: usize, mut boards: u64) -> u64 {
    for bit in 0..length - 1 {
        if boards == 0 {
            break;
        }
        boards &= match ZEROS.get(bit) {
            Some(clear) => {
                let with_stone = into[word] & !clear;
                with_stone >> (1 << bit) | !clear
            }
            None => into[word | 1 << (bit - 6)],
        };
    }
    boards
}

/// Adds the boards from which some stone leads into a plane.
fn stones(found: &mut Plane, into: &Plane) {
    (found.0.par_iter_mut().zip(&into.0)).for_each(|(found, into)| some_stone(found, into));
}

fn some_stone(found: &mut [u64], into: &[u64]) {
    if found.len() > GRAIN {
        let (without, with) = found.split_at_mut(found.len() / 2);
        let (into_without, into_with) = into.split_at(without.len());
        rayon::join(
            || some_stone(without, into_without),
            || some_stone(with, into_with),
        );
        without
            .iter_mut()
            .zip(into_with)
            .for_each(|(found, into)| *found |= into);
        return;
    }
    if into.iter().all(|&word| word == 0) {
        return;
    }
    for (found, into) in found.iter_mut().zip(into) {
        for (bit, clear) in ZEROS.iter().enumerate() {
            *found |= (into & !clear) >> (1 << bit);
        }
    }
    for half in (0..found.len().ilog2()).map(|bit| 1 << bit) {
        for (found, into) in found.chunks_exact_mut(2 * half).zip(into.chunks_exact(2 * half)) {
            found
                .iter_mut()
                .zip(&into[half..])
                .for_each(|(found, into)| *found |= into);
        }
    }
}

/// Adds the boards from which some jump turn leads into a plane, or keeps only those from which every
/// one does. `home` tells for the turns to the right and to the left whether their end is in it.
fn jumps<const EVERY: bool>(found: &mut Plane, into: &Plane, home: [u64; 2]) {
    let last = found.0.len();
    let words = into.0[1].len();
    let (mut jump, mut flight) = (vec![0; words], vec![0; words]);
    for (is_right, home) in [true, false].into_iter().zip(home) {
        // From the goal back: no jump turn begins there, and a ball that flies beyond is home.
        flight.fill(home);
        for step in 1..last {
            let (ball, next) = if is_right {
                (last - step, last - step + 1)
            } else {
                (step, step - 1)
            };
            let rule = Rule::<EVERY> {
                // The bit of the next square, or of the ball's square with the ball there.
                bit: last - 1 - ball.min(next),
                home: (next == 0 || next == last).then_some(home),
            };
            let into = if rule.home.is_some() {
                &into.0[ball]
            } else {
                &into.0[next]
            };
            rule.run(Cells {
                jump: &mut jump,
                flight: &mut flight,
                found: &mut found.0[ball],
                into,
            });
        }
    }
}

/// The step of a jump from one ball square to the next.
#[derive(Clone, Copy)]
struct Rule<const EVERY: bool> {
    bit: usize,
    /// All bits or none, as the end of the strip is in the set or not; `None` before the end.
    home: Option<u64>,
}

/// Words of the same patterns.
struct Cells<'a> {
    /// True for a jump turn, or the rest of one, from the next square; then for one from the ball's square.
    jump: &'a mut [u64],
    /// The same for a ball that flies over the next square.
    flight: &'a mut [u64],
    found: &'a mut [u64],
    /// The boards of the set with the ball on the next square.
    into: &'a [u64],
}

impl Cells<'_> {
    fn split_at(self, words: usize) -> [Self; 2] {
        let (jump, jumps) = self.jump.split_at_mut(words);
        let (flight, flights) = self.flight.split_at_mut(words);
        let (found, founds) = self.found.split_at_mut(words);
        let (into, intos) = self.into.split_at(words);
        [
            Cells {
                jump,
                flight,
                found,
                into,
            },
            Cells {
                jump: jumps,
                flight: flights,
                found: founds,
                into: intos,
            },
        ]
    }
}

impl<const EVERY: bool> Rule<EVERY> {
    fn run(self, cells: Cells) {
        let words = cells.jump.len();
        // Patterns without the stone and with it: in one word, or in the two halves of some words.
        let pair = 1 << self.bit.saturating_sub(5);
        if words > GRAIN.max(pair) {
            let [one, other] = cells.split_at(words / 2);
            rayon::join(|| self.run(one), || self.run(other));
        } else if self.bit < 6 {
            self.run_word(cells);
        } else {
            let (jump, flight) = (
                cells.jump.chunks_exact_mut(pair),
                cells.flight.chunks_exact_mut(pair),
            );
            let (found, into) = (cells.found.chunks_exact_mut(pair), cells.into.chunks_exact(pair));
            for ((jump, flight), (found, into)) in jump.zip(flight).zip(found.zip(into)) {
                let cells = Cells {
                    jump,
                    flight,
                    found,
                    into,
                };
                let [without, with] = cells.split_at(pair / 2);
                self.run_pair(without, with);
            }
        }
    }

    /// Runs patterns without the stone, and the same with it.
    fn run_pair(self, without: Cells, with: Cells) {
        let words = without.jump.len();
        if words > GRAIN {
            let ([a, b], [c, d]) = (without.split_at(words / 2), with.split_at(words / 2));
            rayon::join(|| self.run_pair(a, c), || self.run_pair(b, d));
            return;
        }
        let without_stone = without.jump.iter_mut().zip(without.flight).zip(without.into);
        let with_stone = with.jump.iter_mut().zip(with.flight).zip(with.found);
        for (((jump, flight), into), ((jump_with, flight_with), found)) in without_stone.zip(with_stone) {
            (*jump_with, *flight_with, *found) = (*flight, *flight, self.join(*found, *flight));
            (*flight, *jump) = (self.land(*jump, *into), self.no_jump());
        }
    }

    /// Runs words that hold patterns with and without the stone.
    fn run_word(self, cells: Cells) {
        let (clear, shift) = (ZEROS[self.bit], 1 << self.bit);
        let without_stone = |word: u64| word & clear | (word & clear) << shift;
        let cells = (cells.jump.iter_mut().zip(cells.flight)).zip(cells.found.iter_mut().zip(cells.into));
        for ((jump, flight), (found, &into)) in cells {
            let (on, over) = (without_stone(*jump), without_stone(*flight));
            let land = self.land(on, without_stone(into));
            let jumped = over & !clear | self.no_jump() & clear;
            (*jump, *flight) = (jumped, over & !clear | land & clear);
            *found = self.join(*found, jumped);
        }
    }

    /// Returns the value of a ball that has come to the next square: it stays there, or jumps on.
    fn land(self, jump: u64, into: u64) -> u64 {
        self.home.unwrap_or_else(|| self.join(into, jump))
    }

    fn join(self, a: u64, b: u64) -> u64 {
        if EVERY { a & b } else { a | b }
    }

    /// Returns the value of boards without a stone to be jumped over.
    fn no_jump(self) -> u64 {
        if EVERY { u64::MAX } else { 0 }
    }
}
