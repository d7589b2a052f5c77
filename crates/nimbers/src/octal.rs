//! Octal games: rows of squares in closed form.
//!
//! In the octal game 0.d₁d₂…dₖ a turn removes i squares from a row. The digit dᵢ encodes what may
//! be left of the row: 1 stands for nothing, 2 for one row, 4 for two rows. A row of Obstruction, 1
//! × n, is 0.137, *Dawson's chess*: a mark removes the only square, two squares at an end, or three
//! squares anywhere.
//!
//! **The periodicity theorem** (Guy & Smith, *The G-values of various games*, 1956). If there are
//! n₀ ≥ 1 and p ≥ 1 with g(n+p) = g(n) for all n₀ ≤ n < 2n₀ + p + k, then g(n+p) = g(n) for all n ≥
//! n₀.
//!
//! *Proof.* Let n ≥ 2n₀ + p + k, and the claim be true below n. A turn in n + p leaves rows a ≥ b
//! with a + b = n + p − i ≥ 2n₀ + 2p (one row: b = 0), so a ≥ n₀ + p, and a − p is at least n₀ and
//! below n: g(a) = g(a−p). So the turn to a − p and b in n, which leaves as many rows, has the same
//! value. The other way round, a turn in n leaves a + b ≥ 2n₀ + p, a ≥ n₀ and a < n, so g(a+p) =
//! g(a). Hence n and n + p have successors of the same values. ∎
//!
//! A period is therefore *proved* by finitely many terms, which [`Period::find`] computes.

use phutbase_base::nimber::{Nimber, mex};

/// A taking-and-breaking game 0.d₁d₂…dₖ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OctalGame {
    /// d₁d₂…dₖ; k is the most squares that a turn removes.
    pub digits: &'static [u8],
}

impl OctalGame {
    /// 0.137: Dawson's chess, and Obstruction on 1 × n.
    pub const DAWSONS_CHESS: OctalGame = OctalGame { digits: &[1, 3, 7] };

    /// Computes the nimbers of the rows 0 … `count` − 1 from the rules, in time quadratic in
    /// `count`.
    ///
    /// Returns `None` if a nimber exceeds 255.
    pub fn nimbers(&self, count: usize) -> Option<Vec<Nimber>> {
        let mut nimbers = Vec::with_capacity(count);
        for length in 0..count {
            nimbers.push(mex(self.successors(length, &nimbers))?);
        }
        Some(nimbers)
    }

    /// Iterates over the nimbers of the successors of a row, given those of all shorter rows.
    fn successors<'a>(&'a self, length: usize, shorter: &'a [Nimber]) -> impl Iterator<Item = Nimber> + 'a {
        let takes = (1..)
            .zip(self.digits)
            .take_while(move |(taken, _)| *taken <= length);
        takes.flat_map(move |(taken, digit)| {
            let left = length - taken;
            let nothing = (digit & 1 != 0 && left == 0).then_some(Nimber::ZERO);
            let one = (digit & 2 != 0 && left > 0).then(|| shorter[left]);
            let splits = if digit & 4 != 0 { 1..left / 2 + 1 } else { 1..1 };
            let two = splits.map(move |part| shorter[part] ^ shorter[left - part]);
            nothing.into_iter().chain(one).chain(two)
        })
    }
}

/// A proved period of an octal game's nimbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    game: OctalGame,
    preperiod: usize,
    period: usize,
    /// Nimbers of the rows 0 … preperiod + period − 1.
    nimbers: Vec<Nimber>,
}

impl Period {
    /// Finds the least period that at most `limit` terms prove, with its least preperiod n₀ ≥ 1.
    ///
    /// A smaller period would divide this one and hold from n₀ on, so it would have been found
    /// first.
    pub fn find(game: OctalGame, limit: usize) -> Option<Period> {
        let mut terms = 64.min(limit);
        loop {
            let nimbers = game.nimbers(terms)?;
            let found = (1..terms).find_map(|period| {
                let preperiod = least_preperiod(&nimbers, period);
                let proved = Period::premise_holds(game, &nimbers, preperiod, period);
                proved.then_some((preperiod, period))
            });
            if let Some((preperiod, period)) = found {
                return Some(Period {
                    game,
                    preperiod,
                    period,
                    nimbers: nimbers[..preperiod + period].to_vec(),
                });
            }
            if terms == limit {
                return None;
            }
            terms = (2 * terms).min(limit);
        }
    }

    /// Returns whether these terms satisfy the premise of the periodicity theorem: n₀, p ≥ 1 and
    /// g(n+p) = g(n) for all n₀ ≤ n < 2n₀ + p + k.
    pub fn premise_holds(game: OctalGame, nimbers: &[Nimber], preperiod: usize, period: usize) -> bool {
        let end = 2 * preperiod + period + game.digits.len();
        preperiod >= 1
            && period >= 1
            && end + period <= nimbers.len()
            && (preperiod..end).all(|n| nimbers[n + period] == nimbers[n])
    }

    pub fn period(&self) -> usize {
        self.period
    }

    /// Returns the least n₀ from which on the nimbers are periodic.
    pub fn preperiod(&self) -> usize {
        self.preperiod
    }

    /// Returns the number of terms that the proof needs: the rows 0 … 2n₀ + 2p + k − 1.
    pub fn terms_needed(&self) -> usize {
        2 * self.preperiod + 2 * self.period + self.game.digits.len()
    }

    /// Lists the rows of the preperiod that differ from the continuation of the period.
    pub fn exceptions(&self) -> Vec<usize> {
        (0..self.preperiod)
            .filter(|&length| self.nimbers[length] != self.periodic(length))
            .collect()
    }

    pub fn nimber(&self, length: usize) -> Nimber {
        match self.nimbers.get(length) {
            Some(&nimber) => nimber,
            None => self.periodic(length),
        }
    }

    /// Returns the nimber of the rows in the periodic part that differ from `length` by a multiple
    /// of the period.
    fn periodic(&self, length: usize) -> Nimber {
        let start = self.preperiod % self.period;
        let place = (length % self.period + self.period - start) % self.period;
        self.nimbers[self.preperiod + place]
    }
}

/// Returns the least n₀ ≥ 1 from which on all terms repeat after `period`.
fn least_preperiod(nimbers: &[Nimber], period: usize) -> usize {
    (1..nimbers.len() - period)
        .rev()
        .find(|&n| nimbers[n + period] != nimbers[n])
        .map_or(1, |last| last + 1)
}
