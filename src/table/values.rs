//! Every value of a run of positions at once, in the order of the index: faster by far than one question for each.
//!
//! The sets of a diagram table grow with the number of plies, so that one walk can go down all of them together: over both children where a
//! square is open, and dropping sets on the way as soon as they have no member left, or all of them. Losses are what the sets with Right to
//! move say of the mirror images; there the walk comes from the other end of the strip.

use super::Metric;
use super::error::TableError;
use super::pitch::PitchTable;
use super::strip::sets::StripSets;
use crate::diagram::{Diagram, Symbol, View};
use crate::game::Game;
use crate::games::pitch::PitchGame;
use crate::outcome::{Side, Verdict, Wdl};
use hashbrown::HashMap;
use rayon::prelude::*;

/// Places for the values of a run of positions: 1 for a win of the player to move, 0 for a draw, −1 for a loss; and the plies, 0 for a draw or
/// where only the winner is known.
pub struct Run<'o> {
    /// Who wins.
    pub outcome: &'o mut [i8],
    /// The plies.
    pub depth: &'o mut [u8],
}

/// Positions that are filled in by one thread at a time, at most.
pub const PART: usize = 1 << 20;

/// Open bits that are left where sets are remembered: what few squares have to say is said again and again.
const REMEMBERED: u32 = 7;

/// The longest strips whose values are given all at once: no disk holds those of longer ones.
pub const MAX_LENGTH: usize = 40;

/// The values of the positions of a strip with Left to move and the ball on one square, from a pattern on.
///
/// # Errors
/// [`TableError::Limit`] for strips of more than [`MAX_LENGTH`] squares, and for games of more than 255 plies.
///
/// # Panics
/// If both parts of the run are not of one length, a power of two that divides the first pattern, or they pass the last pattern.
pub fn fill(sets: &StripSets, ball: usize, first: u64, run: Run<'_>) -> Result<(), TableError> {
    check_limits(sets)?;
    let (length, size) = (sets.length(), run.outcome.len());
    assert!(size.is_power_of_two() && run.depth.len() == size && first.is_multiple_of(size as u64));
    assert!((1..=length - 2).contains(&ball) && first + size as u64 <= 1 << (length - 1));
    walk(sets, ball, first, run);
    Ok(())
}

/// Refuses strips whose values do not fit in arrays of bytes.
fn check_limits(sets: &StripSets) -> Result<(), TableError> {
    let (length, longest) = (sets.length(), sets.summary().longest());
    let reason = match length <= MAX_LENGTH {
        true if longest <= u8::MAX.into() => return Ok(()),
        true => format!("games of {longest} plies do not fit in a byte"),
        false => format!("all values of {length} squares: at most {MAX_LENGTH} squares"),
    };
    let file = sets.path().to_path_buf();
    Err(TableError::Limit { file, reason })
}

/// The values of every position of a strip with Left to move, by their index.
///
/// # Panics
/// If a part of the run has not as many places as there are positions.
pub fn fill_all(sets: &StripSets, run: Run<'_>) -> Result<(), TableError> {
    check_limits(sets)?;
    let row = 1usize << (sets.length() - 1);
    assert!(run.outcome.len() == (sets.length() - 2) * row && run.depth.len() == run.outcome.len());
    let part = row.min(PART);
    (run.outcome
        .par_chunks_mut(part)
        .zip(run.depth.par_chunks_mut(part)))
    .enumerate()
    .try_for_each(|(number, (outcome, depth))| {
        let at = number * part;
        fill(sets, at / row + 1, (at % row) as u64, Run { outcome, depth })
    })
}

/// The values of positions of a pitch with Alfred to move, from an index on.
///
/// # Panics
/// If there are fewer positions.
pub fn fill_pitch(table: &PitchTable, first: u64, run: Run<'_>) -> Result<(), TableError> {
    let game = PitchGame::new(table.shape())
        .expect("a table has fewer points than an index")
        .under(table.rules());
    let indices = first..first + run.outcome.len() as u64;
    let verdicts: Result<Vec<Verdict>, TableError> = (indices.into_par_iter())
        .map(|index| table.value(&game.position(index)).map(Verdict::from))
        .collect();
    run.put(verdicts?);
    Ok(())
}

impl Run<'_> {
    fn put(self, verdicts: Vec<Verdict>) {
        for (place, verdict) in verdicts.into_iter().enumerate() {
            self.outcome[place] = match verdict.wdl {
                Wdl::Win => 1,
                Wdl::Draw => 0,
                Wdl::Loss => -1,
            };
            self.depth[place] = verdict.depth.map_or(0, |depth| depth.0 as u8);
        }
    }
}

fn walk(sets: &StripSets, ball: usize, first: u64, run: Run<'_>) {
    run.outcome.fill(0);
    run.depth.fill(0);
    let mut walk = Walk {
        diagram: sets,
        length: sets.length(),
        ball,
        open: run.outcome.len().trailing_zeros() as usize,
        first,
        to_move: Side::Right,
        sets: Vec::new(),
        free: Vec::new(),
        known: HashMap::new(),
        run,
    };
    // Should a damaged table have a position in both, it is a win here as everywhere.
    for side in [Side::Right, Side::Left] {
        walk.to_move = side;
        walk.sets.clear();
        walk.known.clear();
        walk.free = walk.free_bits();
        let first = 1 + side as usize;
        match sets.metric() {
            Metric::Wdl => walk.sets.push((sets.won_by_left(side), 0)),
            Metric::Dtw => (walk.sets).extend(
                (first..=sets.roots().len())
                    .step_by(2)
                    .map(|plies| (sets.won_within(plies), plies as u8)),
            ),
        }
        walk.from(0, 0, 0);
    }
}

/// A walk down some sets at once.
struct Walk<'a> {
    diagram: &'a StripSets,
    length: usize,
    ball: usize,
    /// Pattern bits that are open: the lowest ones.
    open: usize,
    /// The pattern with the other bits.
    first: u64,
    /// Whose turn it is in the sets; with Right to move, boards are seen in the mirror.
    to_move: Side,
    /// Sets that are still to be decided, with their plies, the smaller ones first; those of all squares on the way, one after the other.
    sets: Vec<(u32, u8)>,
    /// The open bits of each square, as the sets count them, and of those after it.
    free: Vec<usize>,
    /// What some sets say where [`REMEMBERED`] open bits are left: plies for each choice of those bits.
    known: HashMap<Vec<(u32, u8)>, Vec<Option<u8>>>,
    run: Run<'a>,
}

impl Walk<'_> {
    fn free_bits(&self) -> Vec<usize> {
        let bit = |square| {
            let seen = self.seen(square);
            let bit = seen - usize::from(seen > self.ball);
            if seen != self.ball && bit < self.open {
                1 << bit
            } else {
                0
            }
        };
        let mut free = vec![0; self.length + 1];
        for square in (0..self.length).rev() {
            free[square] = free[square + 1] | bit(square);
        }
        free
    }

    /// Goes on from a square, as the sets count them, with the sets from a place on; `pattern` has the open bits so far.
    fn from(&mut self, square: usize, from: usize, pattern: usize) {
        let mut next = from;
        for at in from..self.sets.len() {
            let (set, plies) = self.sets[at];
            match self.diagram.view(set) {
                View::Bottom => {}
                _ if next > from && self.sets[next - 1].0 == set => {}
                view => {
                    self.sets[next] = (set, plies);
                    next += 1;
                    if view == View::Top {
                        break;
                    }
                }
            }
        }
        self.sets.truncate(next);
        match self.sets.get(from) {
            None => return,
            Some(&(set, plies)) if self.diagram.view(set) == View::Top => {
                self.decided(square, pattern, plies);
                return;
            }
            Some(_) => {}
        }
        match self.free[square].count_ones() == REMEMBERED && self.free[square + 1] != self.free[square] {
            true => self.remembered(square, from, pattern),
            false => self.undecided(square, from, pattern),
        }
    }

    /// Goes over a square that matters.
    fn undecided(&mut self, square: usize, from: usize, pattern: usize) {
        let seen = self.seen(square);
        if seen == self.ball {
            self.step(square, from, Symbol::Ball, pattern);
            return;
        }
        let bit = seen - usize::from(seen > self.ball);
        if bit >= self.open {
            let stone = self.first >> bit & 1 == 1;
            let holds = if stone { Symbol::Stone } else { Symbol::Empty };
            self.step(square, from, holds, pattern);
        } else {
            self.step(square, from, Symbol::Empty, pattern);
            self.step(square, from, Symbol::Stone, pattern | 1 << bit);
        }
    }

    /// The square as the position has it.
    fn seen(&self, square: usize) -> usize {
        match self.to_move {
            Side::Left => square,
            Side::Right => self.length - 1 - square,
        }
    }

    /// Goes over a square to the next.
    fn step(&mut self, square: usize, from: usize, holds: Symbol, pattern: usize) {
        let next = self.sets.len();
        for at in from..next {
            let (set, plies) = self.sets[at];
            let child = match (self.diagram.view(set), holds) {
                (View::Ternary { ball, .. }, Symbol::Ball) => ball,
                (View::Ternary { stone, .. }, Symbol::Stone) => stone,
                (View::Ternary { empty, .. }, Symbol::Empty) => empty,
                (View::Binary { level, stone, .. }, Symbol::Stone) if level == square => stone,
                (View::Binary { level, empty, .. }, Symbol::Empty) if level == square => empty,
                _ => set,
            };
            self.sets.push((child, plies));
        }
        self.from(square + 1, next, pattern);
        self.sets.truncate(next);
    }

    /// The remaining squares do not matter.
    fn decided(&mut self, square: usize, pattern: usize, plies: u8) {
        for choice in choices(self.free[square]) {
            self.run.outcome[pattern | choice] = self.mark();
            self.run.depth[pattern | choice] = plies;
        }
    }

    fn mark(&self) -> i8 {
        match self.to_move {
            Side::Left => 1,
            Side::Right => -1,
        }
    }

    /// The same as [`undecided`](Walk::undecided), looked up where these sets have stood before the same squares.
    fn remembered(&mut self, square: usize, from: usize, pattern: usize) {
        let (mark, free) = (self.mark(), self.free[square]);
        let Some(known) = self.known.get(&self.sets[from..]) else {
            let sets = self.sets[from..].to_vec();
            self.undecided(square, from, pattern);
            let block = choices(free).map(|choice| {
                let place = pattern | choice;
                (self.run.outcome[place] == mark).then_some(self.run.depth[place])
            });
            self.known.insert(sets, block.collect());
            return;
        };
        for (choice, plies) in choices(free).zip(known) {
            if let Some(plies) = *plies {
                self.run.outcome[pattern | choice] = mark;
                self.run.depth[pattern | choice] = plies;
            }
        }
    }
}

/// All choices of some bits.
fn choices(bits: usize) -> impl Iterator<Item = usize> {
    let next = move |&choice: &usize| Some(choice.wrapping_sub(bits) & bits).filter(|&next| next != 0);
    std::iter::successors(Some(0), next)
}
