//! The positions of a test of an engine.

use indexmap::IndexSet;
use phutbase_ask::sources::Sources;
use phutbase_ask::strip::TurnCounts;
use phutbase_base::game::Game;
use phutbase_base::job::Job;
use phutbase_base::outcome::{Side, Wdl};
use phutbase_base::random::Uniform;
use phutbase_rules::pitch::PitchGame;
use phutbase_rules::position::Phutball;
use phutbase_rules::strip::{AnyStrip, Strip};
use phutbase_tables::TableError;

/// The largest number of positions in a test: they and their results are kept in memory.
pub const MAX_POSITIONS: u64 = 1 << 22;
/// The largest number of squares of all positions in a test.
pub const MAX_SQUARES: u64 = 1 << 32;
/// Boards that are drawn for each position that is wanted.
const MAX_DRAWS: usize = 64;
/// The greatest length whose positions have 64-bit numbers.
const MAX_NUMBERED: usize = 57;

/// The positions of one size, with either player to move.
#[derive(Clone, Copy)]
pub enum Cases {
    /// Strips of a length.
    Strips(usize),
    Pitches(PitchGame),
}

impl Cases {
    /// Returns the number of positions; `None` if it is very large.
    pub fn total(self) -> Option<u64> {
        match self {
            Cases::Strips(length) => (length <= MAX_NUMBERED).then(|| (length as u64 - 2) << length),
            Cases::Pitches(game) => Some(2 * game.positions()),
        }
    }

    /// Iterates over all positions of boards with a [`total`](Cases::total).
    fn every(self) -> Box<dyn Iterator<Item = Phutball>> {
        match self {
            Cases::Strips(length) => Box::new((1..length - 1).flat_map(move |ball| {
                (0..1u64 << (length - 1)).flat_map(move |pattern| {
                    let of = move |side| Strip::from_pattern(length, ball, pattern, side);
                    [Side::Left, Side::Right]
                        .into_iter()
                        .filter_map(of)
                        .map(Phutball::from)
                })
            })),
            Cases::Pitches(game) => Box::new((0..game.positions()).flat_map(move |index| {
                let pitch = game.position(index);
                [pitch, pitch.turned()].map(Phutball::Pitch)
            })),
        }
    }

    /// Draws one of all positions.
    fn draw(self, chance: &mut Uniform) -> Phutball {
        match self {
            Cases::Strips(length) => {
                let ball = 1 + chance.index(length - 2);
                let side = [Side::Left, Side::Right][chance.index(2)];
                let mut word = 0;
                let squares = (0..length).map(|square| {
                    word = if square % 64 == 0 {
                        chance.word()
                    } else {
                        word >> 1
                    };
                    word & 1 == 1 && square != ball
                });
                Phutball::Strip(AnyStrip::new(squares, ball, side).expect("the ball is on an inner square"))
            }
            Cases::Pitches(game) => {
                let index = chance.index(game.positions() as usize);
                let pitch = game.position(index as u64);
                Phutball::Pitch([pitch, pitch.turned()][chance.index(2)])
            }
        }
    }

    /// Returns all positions, or this many distinct ones at random; with `is_single` only those in which
    /// one turn wins, and fewer if these are rare.
    pub fn choose(
        self,
        sources: &Sources,
        count: Option<usize>,
        is_single: bool,
        chance: &mut Uniform,
        job: &Job,
    ) -> Result<Vec<Phutball>, TableError> {
        let mut chosen = IndexSet::new();
        let mut add = |position: Phutball| -> Result<usize, TableError> {
            job.check()?;
            if !is_single || has_single_win(sources, &position)? {
                chosen.insert(position);
            }
            Ok(chosen.len())
        };
        let has_all = |count: usize| self.total().is_some_and(|total| total <= count as u64);
        match count.filter(|count| !has_all(*count)) {
            None => self.every().try_for_each(|position| add(position).map(drop))?,
            Some(count) => {
                for _ in 0..count.saturating_mul(MAX_DRAWS) {
                    if add(self.draw(chance))? == count {
                        break;
                    }
                }
            }
        }
        Ok(chosen.into_iter().collect())
    }
}

/// Returns true if exactly one turn wins.
fn has_single_win(sources: &Sources, position: &Phutball) -> Result<bool, TableError> {
    if let Phutball::Strip(strip) = position
        && let Some(counts) = TurnCounts::of(strip)
    {
        return Ok(counts.winning == 1);
    }
    let turns = sources.rated_turns(position)?;
    Ok(turns.iter().filter(|turn| turn.verdict.wdl == Wdl::Win).count() == 1)
}
