//! Values of a solver that has not finished.

use phutbase_fixtures::prelude::*;
use phutbase_pitches::block::BLOCK_BITS;

/// Returns the value for the player to move, according to the plies that a solver has done.
pub fn pitch_wdl(solver: &PitchSolver, pitch: &Pitch) -> Wdl {
    assert_eq!(pitch.shape(), solver.layout().shape(), "a pitch of another shape");
    let alfred = pitch.normalised();
    if alfred_wins(solver, &alfred) {
        Wdl::Win
    } else if alfred_wins(solver, &alfred.turned()) {
        Wdl::Loss
    } else {
        Wdl::Draw
    }
}

fn alfred_wins(solver: &PitchSolver, pitch: &Pitch) -> bool {
    let (layout, places) = (solver.layout(), &solver.prepared.stores.places);
    let (mut pattern, mut ball) = (layout.pattern(pitch), pitch.ball());
    let (chunk, place) = places.locate(ball, pattern >> BLOCK_BITS).unwrap_or_else(|| {
        pattern = layout.mirror(pattern as u64) as usize;
        ball = layout.shape().mirrored(ball);
        (places.locate(ball, pattern >> BLOCK_BITS)).expect("a block or its mirror image is kept")
    });
    solver.sets[pitch.side() as usize][chunk][place].0[pattern >> 6 & 63] >> (pattern & 63) & 1 == 1
}
