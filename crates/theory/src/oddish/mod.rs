//! Oddish Phutball: GN Theorem 1, GN Lemma 2, and the strategy of the proof (Grossman & Nowakowski,
//! *One-Dimensional Phutball*, § 2), each checked on every position.
//!
//! * [`theorem_1`] — the lower potential wins, and with equal potentials the mover; compared with
//!   exact values.
//! * [`lemma_2`] — the effect of one turn on the potentials, by the rules alone.
//! * [`play_out`] — the proof's strategy against every reply, by the rules alone.
//! * [`sets`] — GN Theorem 1 on larger boards, proved with sets; [`turns`] — the turns of the game
//!   on sets.

pub mod sets;
pub mod turns;

use super::claim::{Claim, Finding, Statement};
use super::error::TheoryError;
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::game::{Game, Successor};
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::outcome::{Side, Wdl};
use phutbase_rules::oddish::{Oddish, OddishGame, Turn};
use phutbase_rules::potentials::{oddish_winner, of_oddish};
use phutbase_rules::{Boards, Rules};
use phutbase_solve::reference;
use rayon::prelude::*;
use serde::Serialize;

/// Size of the largest boards that are solved exhaustively; [`sets`] handles larger ones.
pub const MAX_SOLVED_SQUARES: usize = 16;
/// Size of the largest boards on which GN Lemma 2 is checked, which takes time only.
pub const MAX_LEMMA_SQUARES: usize = 24;
/// Size of the largest boards on which the strategy is played out, which takes about 1 GiB.
pub const MAX_STRATEGY_SQUARES: usize = 20;

const SOURCE: &str = "Grossman & Nowakowski §2";
pub const THEOREM_1: Statement = Statement {
    words: "GN Theorem 1: in Oddish Phutball the lower potential wins; equal potentials, the mover wins.",
    source: SOURCE,
};
pub const THEOREM_1_BY_SETS: Statement = Statement {
    words: "GN Theorem 1 past enumeration, by sets of positions and the paper's argument that play ends.",
    source: SOURCE,
};
pub const LEMMA_2: Statement = Statement {
    words: "GN Lemma 2 (i), (ii), (iii): what one turn does to the potentials.",
    source: SOURCE,
};
pub const STRATEGY: Statement = Statement {
    words: "The strategy in the proof of GN Theorem 1 wins against every reply, and the game ends.",
    source: SOURCE,
};

/// All of these, by size.
pub struct OddishClaims {
    /// Solves every position up to this many squares; [`sets`] check larger boards.
    pub solved_squares: usize,
    /// Checks GN Lemma 2 up to this many squares.
    pub lemma_squares: usize,
    /// Plays out the strategy up to this many squares.
    pub strategy_squares: usize,
}

impl Claim for OddishClaims {
    fn check(&mut self, squares: usize, job: &Job) -> Result<Finding<impl Serialize + use<>>, TheoryError> {
        let within = |most| Some(squares).filter(|&squares| squares <= most);
        let theorem = match within(self.solved_squares) {
            Some(squares) => theorem_1(squares, job)?,
            None => sets::check(squares, job)?,
        };
        let lemma = within(self.lemma_squares).and_then(lemma_2);
        let strategy = within(self.strategy_squares).and_then(play_out);
        let mut words = theorem.words();
        if let Some(lemma) = &lemma {
            words += &format!(
                "; GN Lemma 2 (i), (ii), (iii) wrong on {}, {}, {}",
                grouped(lemma.no_winning_jump),
                grouped(lemma.no_placement),
                grouped(lemma.far_jump),
            );
        }
        if let Some(played) = &strategy {
            let [won, given] = [played.won, played.given].map(grouped);
            words += &format!(
                "; strategy wins {won} of {given}, at most {} plies",
                played.longest
            );
        }
        Ok(Finding {
            holds: theorem.holds()
                && lemma.is_none_or(|lemma| lemma.holds())
                && strategy.is_none_or(|played| played.holds()),
            words,
            lines: Vec::new(),
            fields: object! {
                #[serde(flatten)]
                theorem: theorem,
                /// Null if GN Lemma 2 was not checked.
                lemma_2: lemma,
                /// Null if the strategy was not played out.
                strategy: strategy,
            },
        })
    }

    fn unit(&self) -> [&'static str; 2] {
        ["", " squares"]
    }

    fn boards(&self, squares: usize) -> Option<(Boards, Rules)> {
        Some((Boards::Oddish(squares..=squares), Rules::Ordinary))
    }
}

/// GN Theorem 1 on one size, compared with exact values or proved with sets.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Theorem1 {
    /// `positions`: every position solved and compared; `sets`: proved by sets of positions.
    pub checked: &'static str,
    pub positions: Count<u128>,
    pub wins: Count<u128>,
    pub losses: Count<u128>,
    pub draws: Count<u128>,
    /// The longest game in plies, when both play well; `None` by sets.
    pub longest: Option<usize>,
    /// Positions where the theorem is wrong; by sets, predictions that the rules contradict.
    pub mismatches: Count<u128>,
    /// Nodes of the prediction's diagram; `None` by positions.
    pub nodes: Option<usize>,
}

impl Theorem1 {
    pub fn holds(&self) -> bool {
        self.mismatches.0 == 0 && self.wins.0 + self.losses.0 == self.positions.0
    }

    fn words(&self) -> String {
        let [positions, wins, losses, draws, mismatches] = [
            self.positions,
            self.wins,
            self.losses,
            self.draws,
            self.mismatches,
        ]
        .map(|count| grouped(count.0));
        let longest = (self.longest).map_or(String::new(), |longest| format!(", longest {longest}"));
        format!(
            "{positions} positions, {wins} wins, {losses} losses, {draws} draws{longest}; GN Theorem 1 wrong on {mismatches}, checked by {}",
            self.checked
        )
    }
}

/// Solves every position of one size and compares it with GN Theorem 1.
pub fn theorem_1(squares: usize, job: &Job) -> Result<Theorem1, TheoryError> {
    job.check()?;
    let game = OddishGame::new(squares)
        .filter(|_| squares <= MAX_SOLVED_SQUARES)
        .ok_or(TheoryError::Squares {
            squares,
            most: MAX_SOLVED_SQUARES,
        })?;
    let values = reference::solve(&game);
    let mut found = Theorem1 {
        checked: "positions",
        positions: Count(game.positions().into()),
        ..Theorem1::default()
    };
    for (index, value) in (0..).zip(&values) {
        let position = game.position(index);
        let count = match value.wdl() {
            Wdl::Win => &mut found.wins,
            Wdl::Loss => &mut found.losses,
            Wdl::Draw => &mut found.draws,
        };
        count.0 += 1;
        let plies = value.depth().map(|depth| depth.0.into());
        found.longest = found.longest.max(plies);
        let winner = value.wdl().winner(position.side());
        found.mismatches.0 += u128::from(winner != Some(oddish_winner(&position)));
    }
    Ok(found)
}

/// For each part of GN Lemma 2, the numbers of applications and failures, over all positions of one
/// size with Left to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Lemma2 {
    /// Positions with `p_L` = 0.
    pub zero: u64,
    /// (i): those where no jump wins or leaves `p_R` − `p_L` ≥ 1.
    #[serde(rename = "fails_i")]
    pub no_winning_jump: u64,
    /// Positions with `p_L` > 0.
    pub positive: u64,
    /// (ii): those where no stone lowers `p_L` by exactly 1.
    #[serde(rename = "fails_ii")]
    pub no_placement: u64,
    /// (iii): those with `p_L` > 0 where some jump, forward or backward, raises `p_R` − `p_L` by 2
    /// or more.
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

    pub fn holds(&self) -> bool {
        self.no_winning_jump + self.no_placement + self.far_jump == 0
    }
}

/// Checks GN Lemma 2 on every position of a size; `None` if the size is out of range.
pub fn lemma_2(squares: usize) -> Option<Lemma2> {
    let game = OddishGame::new(squares)?;
    let all = (0..game.positions()).into_par_iter();
    Some(
        all.map(|index| lemma_2_at(&game, &game.position(index)))
            .reduce(Lemma2::default, Lemma2::plus),
    )
}

fn lemma_2_at(game: &OddishGame, position: &Oddish) -> Lemma2 {
    let (left, right) = of_oddish(position);
    let lead = right as i32 - left as i32;
    let (mut winning_jump, mut placement, mut far_jump) = (false, false, false);
    game.turns(position, &mut |turn, successor| match (turn, successor) {
        (_, Successor::Over(outcome)) => winning_jump |= outcome == Wdl::Win,
        (Turn::Move(_), Successor::Position(next)) => {
            let (left, right) = of_oddish(&next);
            let new_lead = right as i32 - left as i32;
            winning_jump |= new_lead >= 1;
            far_jump |= new_lead > lead + 1;
        }
        (Turn::Place(_), Successor::Position(next)) => placement |= of_oddish(&next).0 + 1 == left,
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

/// Returns the turn of the strategy in the proof of GN Theorem 1 for Left to move; `None` if
/// Right is to move.
///
/// If `p_L` = 0, jump over all k stones next to the arrow, or over k − 1 if that is even and k is
/// odd; with only stones ahead, over all of them and home. If `p_L` > 0, place a stone behind those
/// k.
pub fn strategy(position: &Oddish) -> Option<Turn> {
    if position.side() != Side::Left {
        return None;
    }
    let (gap, squares) = (position.gap(), position.squares());
    let stones = ((position.stones() >> gap).trailing_ones() as usize).min(squares - gap);
    if gap + stones == squares {
        return Some(Turn::Move(squares as u8));
    }
    Some(match of_oddish(position).0 {
        0 => Turn::Move((gap + stones / 2 * 2) as u8),
        _ => Turn::Place((gap + stones) as u8),
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlayedOut {
    /// Positions that Left wins by GN Theorem 1, with either player to move.
    pub given: u64,
    /// Those from which the strategy wins against every reply.
    pub won: u64,
    pub longest: u32,
}

impl PlayedOut {
    pub fn holds(&self) -> bool {
        self.won == self.given
    }
}

/// Plays Left's strategy from every position that Left wins by GN Theorem 1, against every reply,
/// to the end of the game.
///
/// A position is *won in d* if its game ends by ply d with a win of Left: with Left to move, the
/// strategy's turn wins or leads to a position won in d − 1; with Right to move, every turn does.
/// All other positions are failures: a loss, an illegal turn of the strategy, or an infinite game.
/// Right's strategy is the mirror image.
///
/// Returns `None` if the size is out of range.
pub fn play_out(squares: usize) -> Option<PlayedOut> {
    let game = OddishGame::new(squares)?;
    // Boards by index, twice: with Left and with Right to move.
    let boards = game.positions() as usize;
    let mut won: Vec<Option<u32>> = vec![None; 2 * boards];
    let position = |number: usize| {
        if number < boards {
            game.position(number as u64)
        } else {
            game.position((number - boards) as u64).with_side(Side::Right)
        }
    };
    let number = |position: &Oddish| {
        let index = game.index(&position.with_side(Side::Left)) as usize;
        index + if position.side() == Side::Left { 0 } else { boards }
    };
    let mut open: Vec<usize> = (0..2 * boards)
        .filter(|&number| oddish_winner(&position(number)) == Side::Left)
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
