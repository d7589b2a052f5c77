//! Draws on the pitch, and the cycles of perfect play from them.
//!
//! In a draw each player keeps to turns that lead to draws. There are finitely many positions, so
//! play repeats one. Choosing the first generated turn that keeps the draw gives each drawn
//! position one *line*: a lead and a cycle.

use hashbrown::HashMap;
use phutbase_base::outcome::{Side, Value};
use phutbase_rules::pitch::{After, Pitch, Turn};
use phutbase_tables::pitch::metadata::block_bits;
use phutbase_tables::{PitchTable, TableError};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// A turn that keeps a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawingTurn {
    /// The turn as `phutbase probe` prints it.
    pub notation: String,
    /// The number of turns that keep the draw; all others lose.
    pub choices: usize,
}

/// A drawn position and its drawing turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnPosition {
    /// The position, Alfred to move.
    pub position: Pitch,
    /// True if the board is a draw with Betty to move too.
    pub mutual: bool,
    /// The turns before the first repeated position.
    pub lead: Vec<DrawingTurn>,
    /// The turns from there until it repeats.
    pub cycle: Vec<DrawingTurn>,
    /// True if the cycle's second half is its first half on the pitch turned round.
    pub halves: bool,
}

/// The draws of a pitch.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PitchDraws {
    /// Draws with Alfred to move.
    pub draws: u64,
    /// Boards that are draws whoever moves first.
    pub mutual_draws: u64,
    /// The draws with Alfred to move, one of each pair of mirror images.
    pub positions: Vec<Pitch>,
}

/// Finds all draws of a table.
pub fn find(table: &PitchTable) -> Result<PitchDraws, TableError> {
    let mut found = PitchDraws {
        draws: table.metadata().draws,
        ..PitchDraws::default()
    };
    for pitch in drawn(table)?
        .into_iter()
        .filter_map(|index| table.position(index))
    {
        let mirrored = pitch.mirrored();
        // A ball in the left half also stands for its mirror image; the middle column stores both.
        let times = if mirrored.ball() == pitch.ball() { 1 } else { 2 };
        if table.value(&pitch.with_side(Side::Right))? == Value::Draw {
            found.mutual_draws += times;
        }
        if times == 2 || pitch.chaps() <= mirrored.chaps() {
            found.positions.push(pitch);
        }
    }
    Ok(found)
}

/// Returns the indices of the drawn positions.
fn drawn(table: &PitchTable) -> Result<Vec<u64>, TableError> {
    let draws = table.metadata().draws;
    if draws == 0 {
        return Ok(Vec::new());
    }
    // Bounds the memory: no table known has as many draws as bytes.
    if draws > (1 << 20) + table.file_bytes() {
        return Err(TableError::unwieldy(table.path()));
    }
    let bits = block_bits(table.shape());
    let met = AtomicU64::new(0);
    let per_block: Vec<Vec<u64>> = (0..table.blocks())
        .into_par_iter()
        .map(|block| {
            let bytes = table.block(block)?;
            let here = bytes.iter().filter(|&&byte| byte == 0).count() as u64;
            if met.fetch_add(here, Ordering::Relaxed) + here > draws {
                return Err(TableError::corrupt(
                    table.path(),
                    "more draws than the metadata count",
                ));
            }
            let drawn = bytes.iter().enumerate().filter(|&(_, &byte)| byte == 0);
            Ok(drawn.map(|(at, _)| block << bits | at as u64).collect())
        })
        .collect::<Result<_, TableError>>()?;
    Ok(per_block.concat())
}

/// Returns a position with its drawing turns.
pub fn line(table: &PitchTable, pitch: &Pitch) -> Result<DrawnPosition, TableError> {
    let (mut met, mut places) = (Vec::new(), HashMap::new());
    let mut turns = Vec::new();
    let mut at = *pitch;
    let start: usize = loop {
        if let Some(&place) = places.get(&at) {
            break place;
        }
        places.insert(at, met.len());
        met.push(at);
        let (next, turn) = keep(table, &at)?;
        turns.push(turn);
        at = next;
    };
    let cycle = turns.split_off(start);
    let halves = cycle.len().is_multiple_of(2) && met[start].turned() == met[start + cycle.len() / 2];
    Ok(DrawnPosition {
        position: *pitch,
        mutual: table.value(&pitch.with_side(pitch.side().opponent()))? == Value::Draw,
        lead: turns,
        cycle,
        halves,
    })
}

fn keep(table: &PitchTable, pitch: &Pitch) -> Result<(Pitch, DrawingTurn), TableError> {
    let mut first: Option<(Pitch, Turn)> = None;
    let mut choices = 0;
    for turn in pitch.turns()? {
        if let After::Position(next) = pitch.after(&turn)
            && table.value(&next)? == Value::Draw
        {
            choices += 1;
            first.get_or_insert((next, turn));
        }
    }
    let (next, notation) = match first {
        Some((next, turn)) => (next, pitch.turn_notation(&turn)?),
        None => (*pitch, "none".to_string()),
    };
    Ok((next, DrawingTurn { notation, choices }))
}
