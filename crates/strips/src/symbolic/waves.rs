//! The closure under placements on all threads.
//!
//! The recursion of [`closure`](super::closure) needs the boards with a stone on a square before
//! those with the square empty, so it has nothing to share between threads. Here the boards are
//! split by what stands on the first squares. The boards of one such *pattern* need only those of
//! patterns with one more stone, so the patterns with equally many stones, a *wave*, are closed at
//! the same time.

use super::algebra::Algebra;
use super::ball_set::BallSet;
use super::closure::Pair;
use super::store::Halt;
use rayon::prelude::*;

/// A pattern covers length / `SHARE` squares. With two threads, 64 squares take a tenth longer with
/// patterns of 11 squares than of 8, and 80 and 96 squares a tenth less.
const SHARE: usize = 8;
/// Most squares of a pattern: there are 2^16 patterns of 16 squares.
const MOST: usize = 16;

/// The sets of all patterns with the ball on the same square, or after the pattern.
struct Part {
    ball: Option<usize>,
    /// By pattern: bit i is set if there is a stone on the i-th square without the ball.
    sets: Vec<Pair>,
}

impl Algebra {
    /// Returns S: the closure under placements of the boards decided by jumps. The balls of both
    /// sets are on the squares of `from`.
    pub fn close(&self, jumps: Pair, from: &BallSet) -> Result<Pair, Halt> {
        let squares = (self.length() / SHARE).min(MOST);
        let mut parts = vec![Part {
            ball: None,
            sets: vec![jumps],
        }];
        for level in 0..squares {
            let with_ball = from.contains(level).then(|| Part {
                ball: Some(level),
                sets: parts[0].sets.iter().map(|set| self.at_ball(*set)).collect(),
            });
            parts.iter_mut().for_each(|part| self.split(level, part));
            parts.extend(with_ball);
        }
        let closed = parts.par_iter_mut();
        closed.try_for_each(|part| self.close_part(squares, part, from))?;
        for level in (0..squares).rev() {
            let with_ball = from.contains(level).then(|| parts.pop()).flatten();
            for part in &mut parts {
                let balls = if part.ball.is_none() {
                    with_ball.as_ref()
                } else {
                    None
                };
                self.unite(level, part, balls)?;
            }
        }
        Ok(parts[0].sets[0])
    }

    fn at_ball(&self, set: Pair) -> Pair {
        let [left, right] = set.sets().map(|set| self.store.node(set).ball);
        Pair::new(left, right)
    }

    /// Adds a square to the patterns of a part.
    fn split(&self, level: usize, part: &mut Part) {
        let children = |set| match part.ball {
            Some(_) => self.store.halves(set, level),
            None => {
                let node = self.store.node(set);
                (node.empty, node.stone)
            }
        };
        let (empty, stone): (Vec<_>, Vec<_>) = (part.sets.iter())
            .map(|set| {
                let [left, right] = set.sets().map(children);
                (Pair::new(left.0, right.0), Pair::new(left.1, right.1))
            })
            .unzip();
        part.sets = [empty, stone].concat();
    }

    /// Removes the last square from the patterns of a part. `balls` are the sets with the ball on
    /// it.
    fn unite(&self, level: usize, part: &mut Part, balls: Option<&Part>) -> Result<(), Halt> {
        let stones = part.sets.split_off(part.sets.len() / 2);
        let unite = |empty, stone, ball| match part.ball {
            Some(_) => self.store.binary(level, empty, stone),
            None => self.store.ternary(level, empty, stone, ball),
        };
        for (pattern, (empty, stone)) in part.sets.iter_mut().zip(stones).enumerate() {
            let ball = balls.map_or(Pair::default(), |balls| balls.sets[pattern]);
            *empty = Pair::new(
                unite(empty.left_to_move, stone.left_to_move, ball.left_to_move)?,
                unite(empty.right_to_move, stone.right_to_move, ball.right_to_move)?,
            );
        }
        Ok(())
    }

    /// Closes the boards of each pattern, those with more stones first.
    fn close_part(&self, squares: usize, part: &mut Part, from: &BallSet) -> Result<(), Halt> {
        let bits = part.sets.len().trailing_zeros();
        for stones in (0..=bits).rev() {
            let wave: Vec<usize> = (0..part.sets.len())
                .filter(|pattern| pattern.count_ones() == stones)
                .collect();
            let closed = (wave.par_iter().with_max_len(1))
                .map(|&pattern| {
                    let mut jumps = part.sets[pattern];
                    for square in (0..bits as usize).filter(|square| pattern >> square & 1 == 0) {
                        let is_after_ball = part.ball.is_some_and(|ball| square >= ball);
                        let stone = part.sets[pattern | 1 << square];
                        jumps = self.with_stone(is_after_ball != from.is_mirrored(), jumps, stone)?;
                    }
                    match part.ball {
                        Some(_) => self.close_after_ball(squares, jumps, from),
                        None => self.close_before_ball(squares, jumps, from),
                    }
                })
                .collect::<Result<Vec<_>, _>>()?;
            wave.into_iter()
                .zip(closed)
                .for_each(|(pattern, closed)| part.sets[pattern] = closed);
        }
        Ok(())
    }
}
