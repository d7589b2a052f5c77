//! Re-derives every value of a pitch table from those of its successors, knowing the rules only.
//!
//! If every depth follows from its successors, then by induction over depths every win and loss is one; and a draw that
//! has a turn to a draw and none to a position lost for the opponent is one, since each player can go on like that for
//! ever. So a table that passes is right, whatever made it.
//!
//! Positions are numbers here as in the table: a bit for each point, in the table's own order. The jumps are made by
//! the few lines of `Rules::jumps`, which share nothing with the engine that solved the table.

use super::Fault;
pub use super::unpacked::Room;
use super::unpacked::{self, Damage, Near, Unpacked};
use crate::bits::{spread, squeeze};
use crate::games::pitch::{Direction, Shape, Step};
use crate::games::rules;
use crate::outcome::{Depth, Side, Value};
use crate::solve::ranks::{InCommon, Team};
use crate::table::error::TableError;
use crate::table::pitch::PitchTable;
use crate::table::pitch::metadata::{block_bits, stored_balls};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The stored positions, which the rest are mirror images of; each takes a byte of memory.
pub fn stored_positions(table: &PitchTable) -> u64 {
    table.blocks() << block_bits(table.shape())
}

/// The memory in which every block is unpacked once, in bytes.
pub fn ample_memory(table: &PitchTable) -> u64 {
    unpacked::ample(table, rayon::current_num_threads())
}

/// The memory that a check needs at least: each thread has those blocks at hand twice that a placement may lead to from a block of its own.
pub fn least_memory(table: &PitchTable) -> u64 {
    let rules = Rules::new(table);
    let high_bits = rules.shape.points() - 1 - rules.block_bits;
    let near = (1 + high_bits as u64) << rules.scattered();
    unpacked::least(table, rayon::current_num_threads(), near)
}

/// Checks every value; `done` counts the stored positions that have been looked at. Of several processes, which all read the table, each checks a part
/// of it.
///
/// Returns the first fault, by index, if there is one.
///
/// # Errors
/// [`TableError::Corrupt`] if a block is damaged; [`TableError::Limit`] if there are more positions than the file warrants.
pub fn check(
    table: &PitchTable,
    room: &Room,
    done: &AtomicU64,
    team: &Team,
) -> Result<Option<Fault>, InCommon<TableError>> {
    let blocks = Unpacked::new(table, room, rayon::current_num_threads());
    let part = team.part(table.blocks());
    let mut counts = agree(team, count(table, &blocks, part.clone()))?;
    let rules = Rules::new(table);
    // Of the others it is not known how far they are: as far as this one.
    let each = (team.count() as u64) << rules.block_bits;
    let step = || {
        done.fetch_add(each, Ordering::Relaxed);
    };
    let wrong = agree(team, rules.first_wrong(&blocks, part, &step))?;
    let index = !team.greatest(!wrong);
    if index != u64::MAX {
        return agree(team, rules.fault(table, &mut blocks.near(), index)).map(Some);
    }
    team.combine(&mut counts, &|_, a, b| a + b);
    Ok(check_counts(table, &counts))
}

fn agree<T>(team: &Team, found: Result<T, Damage>) -> Result<T, InCommon<TableError>> {
    team.agree_on(found.map_err(|damage| *damage))
}

/// How many positions of some blocks have each depth byte. Every block is looked at, so that of several damaged ones the first is named.
fn count(table: &PitchTable, blocks: &Unpacked<'_>, part: Range<u64>) -> Result<[u64; 256], Damage> {
    // What this program writes unpacks to two hundred times its size at most.
    if stored_positions(table) > (1 << 26) + 512 * table.file_bytes() {
        return Err(TableError::unwieldy(table.path()).into());
    }
    let shape = table.shape();
    let balls = stored_balls(shape);
    let per_ball = table.blocks() / balls.len() as u64;
    let none = || Ok([0; 256]);
    let counts = part
        .into_par_iter()
        .fold(none, |counts: Result<_, Damage>, block| {
            let mut counts = counts?;
            let ball = balls[(block / per_ball) as usize];
            let times = if shape.mirrored(ball) == ball { 1 } else { 2 };
            let block = blocks.block(block)?;
            block
                .bytes
                .iter()
                .for_each(|&byte| counts[usize::from(byte)] += times);
            Ok(counts)
        });
    counts.reduce(none, |counts, more| {
        let mut counts = counts?;
        counts
            .iter_mut()
            .zip(more?)
            .for_each(|(count, more)| *count += more);
        Ok(counts)
    })
}

/// Holds the counts against what the file says it counts.
fn check_counts(table: &PitchTable, counts: &[u64; 256]) -> Option<Fault> {
    let last = (1..256).rev().find(|&depth| counts[depth] > 0).unwrap_or(0);
    Fault::of_count("draws", table.metadata().draws, counts[0]).or_else(|| {
        let stored = &table.metadata().depths[..];
        Fault::of_count("positions by depth", stored, &counts[1..=last])
    })
}

/// The points that lie in one direction, as bits, nearest first, and what is behind the last.
struct Ray {
    bits: Vec<u64>,
    beyond: Step,
}

/// How a symmetry moves bits, eight at a time.
struct Symmetry(Vec<[u64; 256]>);

impl Symmetry {
    fn new(bits: &[usize], points: &[usize], to: impl Fn(usize) -> usize) -> Symmetry {
        let moved = |bit: usize| points.get(bit).map_or(0, |&point| 1u64 << bits[to(point)]);
        let bytes = points.len().div_ceil(8);
        Symmetry(
            (0..bytes)
                .map(|byte| {
                    std::array::from_fn(|value| {
                        let set = (0..8).filter(|bit| value >> bit & 1 == 1);
                        set.fold(0, |sum, bit| sum | moved(8 * byte + bit))
                    })
                })
                .collect(),
        )
    }

    fn apply(&self, pattern: u64) -> u64 {
        let bytes = self.0.iter().enumerate();
        bytes.fold(0, |sum, (byte, table)| {
            sum | table[(pattern >> (8 * byte) & 255) as usize]
        })
    }
}

/// Where the value of a position with Betty to move stands.
struct Lookup {
    /// Whether the row flip leads to a stored ball, rather than half a turn.
    flips: bool,
    start: u64,
    /// The ball's own bit.
    bit: usize,
}

struct Rules {
    shape: Shape,
    block_bits: usize,
    /// The bit of each point, and the point of each bit.
    bits: Vec<usize>,
    points: Vec<usize>,
    stored_balls: Vec<usize>,
    /// For each point its rays.
    rays: Vec<Vec<Ray>>,
    /// For each point how to look up a position with the ball there and Betty to move.
    lookups: Vec<Lookup>,
    turn: Symmetry,
    flip: Symmetry,
}

/// The best that a player has found so far.
#[derive(Default)]
struct Best {
    quickest_win: Option<u16>,
    draws: bool,
    slowest_loss: u16,
}

impl Best {
    /// Adds a turn to a position with this depth byte for the opponent.
    fn meet(&mut self, byte: u8) {
        let plies = u16::from(byte) + 1;
        match byte {
            0 => self.draws = true,
            byte if byte % 2 == 1 => self.slowest_loss = self.slowest_loss.max(plies),
            _ => self.win(plies),
        }
    }

    fn win(&mut self, plies: u16) {
        self.quickest_win = Some(self.quickest_win.map_or(plies, |best| best.min(plies)));
    }

    fn value(&self) -> Value {
        match (self.quickest_win, self.draws) {
            (Some(plies), _) => Value::Win(Depth(plies)),
            (None, true) => Value::Draw,
            (None, false) => Value::Loss(Depth(self.slowest_loss)),
        }
    }
}

impl Rules {
    fn new(table: &PitchTable) -> Rules {
        let shape = table.shape();
        let points: Vec<usize> = table.metadata().order.iter().map(|&point| point.into()).collect();
        let mut bits = vec![0; points.len()];
        points
            .iter()
            .enumerate()
            .for_each(|(bit, &point)| bits[point] = bit);
        let stored_balls = stored_balls(shape);
        let slot = |ball: usize| stored_balls.iter().position(|&stored| stored == ball);
        let lookups = (0..shape.points())
            .map(|ball| {
                let turned = shape.turned(ball);
                let to = if slot(turned).is_some() {
                    turned
                } else {
                    shape.mirrored(turned)
                };
                Lookup {
                    flips: to != turned,
                    // Goal rows have no slot, and nothing is looked up there.
                    start: (slot(to).unwrap_or(0) as u64) << (shape.points() - 1),
                    bit: bits[to],
                }
            })
            .collect();
        // It is Alfred's turn.
        let directional = table.rules() == rules::Rules::Directional;
        let his = |direction: &Direction| !directional || direction.step().0 > 0;
        let rays = (0..shape.points())
            .map(|ball| {
                let directions = Direction::ALL.into_iter().filter(his);
                directions
                    .map(|direction| ray(shape, &bits, ball, direction))
                    .collect()
            })
            .collect();
        Rules {
            shape,
            block_bits: block_bits(shape),
            turn: Symmetry::new(&bits, &points, |point| shape.turned(point)),
            flip: Symmetry::new(&bits, &points, |point| shape.mirrored(shape.turned(point))),
            bits,
            points,
            stored_balls,
            rays,
            lookups,
        }
    }

    /// How many bits inside a block a turn puts outside, at most: what the positions of a block lead to is scattered over so many blocks, as a power of two.
    fn scattered(&self) -> usize {
        let outside = |&ball: &usize| {
            let inside = (0..self.block_bits).map(|bit| spread(1 << bit, self.bits[ball]));
            inside
                .filter(|&chap| {
                    self.place(ball, chap) >> self.block_bits != self.lookups[ball].start >> self.block_bits
                })
                .count()
        };
        self.stored_balls.iter().map(outside).max().unwrap_or(0)
    }

    /// The first position, by index, in a part of the walk whose value is not what its turns make it; `u64::MAX` if all are. After each block `step` is called.
    fn first_wrong(
        &self,
        blocks: &Unpacked<'_>,
        part: Range<u64>,
        step: &(impl Fn() + Sync),
    ) -> Result<u64, Damage> {
        let (next, wrong) = (AtomicU64::new(part.start), AtomicU64::new(u64::MAX));
        let work = |_| {
            let mut near = blocks.near();
            // All threads are at work near each other, as they share what is unpacked.
            while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&at| at < part.end) {
                let first = blocks.at(at) << self.block_bits;
                for index in first..first + (1 << self.block_bits) {
                    if index >= wrong.load(Ordering::Relaxed) {
                        break;
                    }
                    if Value::from_depth_byte(near.byte(index)?) != self.derived(&mut near, index)? {
                        wrong.fetch_min(index, Ordering::Relaxed);
                    }
                }
                step();
            }
            Ok(())
        };
        let threads = (0..rayon::current_num_threads()).into_par_iter().with_max_len(1);
        let all = threads.try_for_each(|thread| {
            // Nobody begins with a block after an error.
            work(thread).inspect_err(|_| next.store(part.end, Ordering::Relaxed))
        });
        all.map(|()| wrong.into_inner())
    }

    /// What is wrong with a position.
    fn fault(&self, table: &PitchTable, near: &mut Near<'_, '_>, index: u64) -> Result<Fault, Damage> {
        let position = table.position(index).expect("the index is that of a byte");
        Ok(Fault::Value {
            position: position.to_string(),
            stored: Value::from_depth_byte(near.byte(index)?),
            derived: self.derived(near, index)?,
        })
    }

    /// The value of a position from those of its successors.
    fn derived(&self, near: &mut Near<'_, '_>, index: u64) -> Result<Value, Damage> {
        let bits = self.shape.points() - 1;
        let ball = self.stored_balls[(index >> bits) as usize];
        let squeezed = index & ((1 << bits) - 1);
        let chaps = spread(squeezed, self.bits[ball]);
        let mut best = Best::default();
        let mut empty = !chaps & !(1 << self.bits[ball]) & ((1 << self.shape.points()) - 1);
        while empty != 0 {
            let chap = empty & empty.wrapping_neg();
            empty ^= chap;
            best.meet(near.byte(self.place(ball, chaps | chap))?);
        }
        self.jumps(near, ball, chaps, &mut best)?;
        Ok(best.value())
    }

    /// Where a position with Betty to move stands.
    #[inline(always)]
    fn place(&self, ball: usize, chaps: u64) -> u64 {
        let lookup = &self.lookups[ball];
        let pattern = if lookup.flips {
            self.flip.apply(chaps)
        } else {
            self.turn.apply(chaps)
        };
        lookup.start + squeeze(pattern, lookup.bit)
    }

    /// Adds every turn that goes on with a jump from here.
    fn jumps(&self, near: &mut Near<'_, '_>, ball: usize, chaps: u64, best: &mut Best) -> Result<(), Damage> {
        for ray in &self.rays[ball] {
            let mut left = chaps;
            let mut run = 0;
            while run < ray.bits.len() && left & ray.bits[run] != 0 {
                left ^= ray.bits[run];
                run += 1;
            }
            if run == 0 {
                continue;
            }
            let winner = if run < ray.bits.len() {
                let landing = self.points[ray.bits[run].trailing_zeros() as usize];
                self.jumps(near, landing, left, best)?;
                match self.shape.winner_on(landing) {
                    None => {
                        best.meet(near.byte(self.place(landing, left))?);
                        continue;
                    }
                    winner => winner,
                }
            } else {
                match ray.beyond {
                    Step::Goal(side) => Some(side),
                    _ => continue,
                }
            };
            match winner {
                Some(Side::Left) => best.win(1),
                _ => best.slowest_loss = best.slowest_loss.max(1),
            }
        }
        Ok(())
    }
}

fn ray(shape: Shape, bits: &[usize], from: usize, direction: Direction) -> Ray {
    let mut ray = Ray {
        bits: Vec::new(),
        beyond: shape.step(from, direction),
    };
    while let Step::Point(point) = ray.beyond {
        ray.bits.push(1 << bits[point]);
        ray.beyond = shape.step(point, direction);
    }
    ray
}
