//! Oddish Phutball: Theorem 1, Lemma 2, and the strategy of the proof (Grossman & Nowakowski, *One-Dimensional Phutball*,
//! §2), each against every position.
//!
//! * [`theorem_1`] — the lower potential wins, equal potentials: the mover wins; held against exact values.
//! * [`lemma_2`] — what one turn can do to the potentials; position by position, from the rules alone.
//! * [`play_out`] — the proof's strategy against every reply; from the rules alone.
//! * [`sets`] — Theorem 1 past enumeration: the prediction as sets, and a proof by sets that it is right; [`turns`] — the
//!   turns of the game on sets.

pub mod sets;
pub mod turns;

use super::half::Half;
use super::potentials;
use super::watch::{TheoryError, Watch};
use crate::game::{Game, Successor};
use crate::games::oddish::{Oddish, OddishGame, Turn};
use crate::outcome::{Side, Wdl};
use crate::solve::reference;
use rayon::prelude::*;
use serde::Serialize;

/// The half boards of a position: Left's own (to the right of the arrow) and Right's.
pub fn halves(position: &Oddish) -> (Half, Half) {
    let stones = position.stones().into();
    (
        Half::right_of(stones, position.gap(), position.squares()),
        Half::left_of(stones, position.gap()),
    )
}

/// The potentials of a position: Left's, which looks to the right, and Right's.
pub fn potentials(position: &Oddish) -> (u8, u8) {
    let (left, right) = halves(position);
    (potentials::oddish(left), potentials::oddish(right))
}

/// Theorem 1: who wins.
pub fn predicted_winner(position: &Oddish) -> Side {
    potentials::winner(potentials(position), position.side())
}

/// The largest boards whose every position is solved; [`sets`] go on from there.
pub const MAX_SOLVED_SQUARES: usize = 16;

/// One size: its exact values, and how often Theorem 1 is wrong about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Theorem1 {
    /// The number of squares.
    pub squares: usize,
    /// Positions with Left to move.
    pub positions: u64,
    /// Those that the mover wins.
    pub wins: u64,
    /// Those that the mover loses.
    pub losses: u64,
    /// The rest.
    pub draws: u64,
    /// The longest game in plies, when both play well.
    pub longest: usize,
    /// Positions where the theorem's winner is not the winner.
    pub mismatches: u64,
}

/// Solves every position of one size and compares it with Theorem 1.
///
/// # Errors
/// [`TheoryError`] if the size is out of range, or it is interrupted.
pub fn theorem_1(squares: usize, watch: Watch<'_>) -> Result<Theorem1, TheoryError> {
    watch.check(squares)?;
    let game = OddishGame::new(squares)
        .filter(|_| squares <= MAX_SOLVED_SQUARES)
        .ok_or(TheoryError::Squares {
            squares,
            most: MAX_SOLVED_SQUARES,
        })?;
    let values = reference::solve(&game);
    let mut found = Theorem1 {
        squares,
        positions: game.positions(),
        ..Theorem1::default()
    };
    for (index, value) in (0..).zip(&values) {
        let position = game.position(index);
        match value.wdl() {
            Wdl::Win => found.wins += 1,
            Wdl::Loss => found.losses += 1,
            Wdl::Draw => found.draws += 1,
        }
        let plies = value.depth().map_or(0, |depth| depth.0.into());
        found.longest = found.longest.max(plies);
        let winner = value.wdl().winner(position.side());
        found.mismatches += u64::from(winner != Some(predicted_winner(&position)));
    }
    Ok(found)
}

/// How often each part of Lemma 2 applies, and how often it is wrong, over all positions of one size with Left to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Lemma2 {
    /// Positions with p_L = 0.
    pub zero: u64,
    /// (i): of those, the ones where no jump wins or leaves p_R − p_L ≥ 1.
    #[serde(rename = "fails_i")]
    pub no_winning_jump: u64,
    /// Positions with p_L > 0.
    pub positive: u64,
    /// (ii): of those, the ones where no stone makes p_L smaller by exactly 1.
    #[serde(rename = "fails_ii")]
    pub no_placement: u64,
    /// (iii): of those, the ones where some jump, forward or backward, makes p_R − p_L larger by 2 or more.
    #[serde(rename = "fails_iii")]
    pub far_jump: u64,
}

impl Lemma2 {
    fn plus(self, other: Lemma2) -> Lemma2 {
        Lemma2 {
            zero: self.zero + other.zero,
            no_winning_jump: self.no_winning_jump + other.no_winning_jump,
            positive: self.positive + other.positive,
            no_placement: self.no_placement + other.no_placement,
            far_jump: self.far_jump + other.far_jump,
        }
    }

    /// Whether all three parts hold everywhere.
    pub fn holds(&self) -> bool {
        self.no_winning_jump + self.no_placement + self.far_jump == 0
    }
}

/// Checks Lemma 2 on every position of a size; `None` if the size is out of range.
pub fn lemma_2(squares: usize) -> Option<Lemma2> {
    let game = OddishGame::new(squares)?;
    let all = (0..game.positions()).into_par_iter();
    Some(
        all.map(|index| lemma_2_at(&game, &game.position(index)))
            .reduce(Lemma2::default, Lemma2::plus),
    )
}

/// Lemma 2 on one position with Left to move.
fn lemma_2_at(game: &OddishGame, position: &Oddish) -> Lemma2 {
    let (left, right) = potentials(position);
    let lead = i32::from(right) - i32::from(left);
    let (mut winning_jump, mut placement, mut far_jump) = (false, false, false);
    game.turns(position, &mut |turn, successor| match (turn, successor) {
        (_, Successor::Over(outcome)) => winning_jump |= outcome == Wdl::Win,
        (Turn::Move(_), Successor::Position(next)) => {
            let (left, right) = potentials(&next);
            let new_lead = i32::from(right) - i32::from(left);
            winning_jump |= new_lead >= 1;
            far_jump |= new_lead > lead + 1;
        }
        (Turn::Place(_), Successor::Position(next)) => placement |= potentials(&next).0 + 1 == left,
    });
    let (zero, positive) = (u64::from(left == 0), u64::from(left > 0));
    Lemma2 {
        zero,
        no_winning_jump: zero * u64::from(!winning_jump),
        positive,
        no_placement: positive * u64::from(!placement),
        far_jump: positive * u64::from(far_jump),
    }
}

/// The turn of the strategy in the proof of Theorem 1, for Left to move; `None` if Right is to move.
///
/// If p_L = 0, jump over all k stones next to the arrow, or over k − 1 if that is even and k is not; but with nothing but
/// stones ahead, over all of them and home. If p_L > 0, place a stone behind those k.
pub fn strategy(position: &Oddish) -> Option<Turn> {
    if position.side() != Side::Left {
        return None;
    }
    let (gap, squares) = (position.gap(), position.squares());
    let stones = ((position.stones() >> gap).trailing_ones() as usize).min(squares - gap);
    if gap + stones == squares {
        return Some(Turn::Move(squares as u8));
    }
    Some(match potentials(position).0 {
        0 => Turn::Move((gap + stones / 2 * 2) as u8),
        _ => Turn::Place((gap + stones) as u8),
    })
}

/// What became of the strategy on one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlayedOut {
    /// Positions that Theorem 1 gives to Left, with either player to move.
    pub given: u64,
    /// Those from which the strategy wins whatever Right does, and the game ends.
    pub won: u64,
    /// The longest such game in plies.
    pub longest: u32,
}

/// Plays Left's strategy from every position that Theorem 1 gives to Left, against every reply, to the end of the game.
///
/// A position is *won in d* if its game surely ends by ply d with a win of Left's: with Left to move, the strategy's turn
/// wins or leads to a position won in d − 1; with Right to move, every turn does. What never becomes won is a failure,
/// be it a loss, an illegal turn of the strategy, or a game without end. Right's strategy is the mirror image.
///
/// `None` if the size is out of range.
pub fn play_out(squares: usize) -> Option<PlayedOut> {
    let game = OddishGame::new(squares)?;
    // Boards by index, twice: with Left and with Right to move.
    let boards = game.positions() as usize;
    let mut won: Vec<Option<u32>> = vec![None; 2 * boards];
    let position = |number: usize| match number < boards {
        true => game.position(number as u64),
        false => game.position((number - boards) as u64).with_side(Side::Right),
    };
    let number = |position: &Oddish| {
        let index = game.index(&position.with_side(Side::Left)) as usize;
        index + if position.side() == Side::Left { 0 } else { boards }
    };
    let mut open: Vec<usize> = (0..2 * boards)
        .filter(|&number| predicted_winner(&position(number)) == Side::Left)
        .collect();
    let given = open.len() as u64;
    let mut longest = 0;
    for ply in 1.. {
        let leads = |successor: Successor<Oddish>, mover: Side| match successor {
            Successor::Over(outcome) => outcome.winner(mover) == Some(Side::Left),
            Successor::Position(next) => won[number(&next)].is_some(),
        };
        let (news, rest): (Vec<usize>, Vec<usize>) = open.into_par_iter().partition(|&number| {
            let position = position(number);
            match strategy(&position) {
                Some(turn) => position.play(turn).is_some_and(|next| leads(next, Side::Left)),
                None => {
                    let mut all = true;
                    game.turns(&position, &mut |_, next| all &= leads(next, Side::Right));
                    all
                }
            }
        });
        open = rest;
        if news.is_empty() {
            break;
        }
        longest = ply;
        for number in news {
            won[number] = Some(ply);
        }
    }
    Some(PlayedOut {
        given,
        won: given - open.len() as u64,
        longest,
    })
}
