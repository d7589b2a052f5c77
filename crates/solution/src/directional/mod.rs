//! Directional Phutball on strips, which a potential of half strips solves for every length
//! (docs/PROOF.md, Theorem 5).
//!
//! The player to move wins exactly if the attacked half has at most the potential of the other
//! half. Forward turns suffice. An [`automaton`] with two counters computes the potential.

pub mod automaton;
pub mod count;

use automaton::PotentialState;
use phutbase_base::game::rated;
use phutbase_base::outcome::{Side, Verdict, Wdl};
use phutbase_rules::half;
use phutbase_rules::position::{RatedTurn, Standing, in_notation};
use phutbase_rules::strip::{After, AnyStrip, Halves, Turn};
use std::convert::Infallible;

/// Returns the potentials of the left and the right half.
pub fn potentials(strip: &impl Halves) -> [i64; 2] {
    half::values::<PotentialState>(strip)
}

/// Returns the player who wins a position.
pub fn winner(strip: &impl Halves) -> Side {
    half::winner::<PotentialState>(strip)
}

/// Returns a forward turn that keeps a win for the player to move; `None` if the opponent wins. Time
/// and memory are linear in the length.
pub fn keeping_turn(strip: &impl Halves) -> Option<Turn> {
    let side = strip.side();
    if winner(strip) != side {
        return None;
    }
    let ahead: Vec<bool> = strip.towards(side).collect();
    let square = |place: usize| strip.square_from(side, place);
    match PotentialState::of(ahead.iter().copied()).potential() {
        0 => keeping_jump(&ahead, strip.towards(side.opponent())).map(|place| match place {
            Some(place) => Turn::Jump(square(place)),
            None => Turn::Off(side.opponent()),
        }),
        _ => keeping_stone(&ahead).map(|place| Turn::Place(square(place))),
    }
}

/// Returns an empty square, counted from the goal line, where a stone lowers the potential.
fn keeping_stone(ahead: &[bool]) -> Option<usize> {
    let mut state = PotentialState::HOME;
    // States reachable with one additional stone, with its square nearest to the goal line.
    let mut with_a_stone: Vec<(PotentialState, usize)> = Vec::new();
    for (at, &stone) in ahead.iter().enumerate() {
        for (state, _) in &mut with_a_stone {
            *state = state.step(stone);
        }
        if !stone {
            with_a_stone.push((state.step(true), at));
        }
        with_a_stone.sort_unstable();
        with_a_stone.dedup_by_key(|(state, _)| *state);
        state = state.step(stone);
    }
    let mut lower = with_a_stone
        .into_iter()
        .filter(|(with, _)| with.potential() < state.potential());
    lower.next().map(|(_, at)| at)
}

/// Returns the end of a jump that wins at once or takes the lead, counted from the goal line;
/// `Some(None)` if it leaves the strip.
fn keeping_jump(ahead: &[bool], behind: impl Iterator<Item = bool>) -> Option<Option<usize>> {
    let mut left: Vec<i64> = Vec::with_capacity(ahead.len());
    ahead.iter().fold(PotentialState::HOME, |state, &stone| {
        left.push(state.potential());
        state.step(stone)
    });
    let mut behind = PotentialState::of(behind);
    let stone = |distance: usize| ahead.len().checked_sub(distance).is_some_and(|at| ahead[at]);
    let mut landing = None;
    let mut ball = 0;
    while stone(ball + 1) {
        let start = ball;
        ball += 1;
        while stone(ball) {
            ball += 1;
        }
        if ball > ahead.len() {
            return Some(None);
        }
        if ball == ahead.len() {
            return Some(Some(0));
        }
        behind = (start..ball).fold(behind, |behind, _| behind.step(false));
        // The squares from the goal line to the ball remain.
        if left[ahead.len() - ball] < behind.potential() {
            landing = landing.or(Some(ahead.len() - ball));
        }
    }
    landing.map(Some)
}

/// Returns the value of a position for the player to move.
pub fn verdict(strip: &impl Halves) -> Verdict {
    Wdl::won_by(winner(strip), strip.side()).into()
}

/// Returns every turn of a position of the directional game, best first; a winner's first turn is
/// [`keeping_turn`]. The depth is known only for a turn that ends the game.
pub fn rated_turns(strip: &AnyStrip) -> Vec<RatedTurn> {
    let (side, mut turns) = (strip.side(), Vec::new());
    strip.for_each_turn(|turn| turns.push((turn, strip.after(turn))));
    let successor = |after: &After<AnyStrip>| after.successor(side);
    let Ok(mut rated) = rated(turns, successor, |next| Ok::<_, Infallible>(verdict(next)));
    let keeping = keeping_turn(strip);
    rated.sort_by_key(|rated| keeping != Some(rated.turn));
    in_notation(rated, |&turn, _| Standing::after(strip, turn))
}

/// Returns a winner's [`keeping_turn`], and of a loser the first turn that does not end the game, else the
/// first. Time and memory are linear in the length.
pub fn best_turn(strip: &AnyStrip) -> Option<Turn> {
    keeping_turn(strip).or_else(|| delaying_turn(strip))
}

/// Returns the first turn that does not end the game, else the first.
fn delaying_turn(strip: &AnyStrip) -> Option<Turn> {
    let mut turns = Vec::new();
    strip.for_each_turn(|turn| turns.push(turn));
    let goes_on = |turn: &&Turn| matches!(strip.after(**turn), After::Position(_));
    turns.iter().find(goes_on).or(turns.first()).copied()
}
