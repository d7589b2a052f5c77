//! The levels of forward play by their definition: lists of boards, extended until no turn adds
//! one.

use phutbase_base::game::Game;
use phutbase_base::outcome::Side;
use phutbase_rules::rules::Rules;
use phutbase_rules::strip::{After, Strip, StripGame, Turn};

/// The boards that Left wins with a limited number of backward turns, with Left and with Right to
/// move, by index.
pub type Level = [Vec<bool>; 2];

/// Returns whether a turn of Left touches only squares to the right of the ball.
pub fn is_forward(board: &Strip, turn: Turn) -> bool {
    match (turn, board.play(turn).unwrap()) {
        (Turn::Place(square), _) => square > board.ball(),
        (_, After::Position(next)) => next.ball() > board.ball(),
        (_, After::Over { winner, .. }) => winner == Side::Left,
    }
}

/// Returns the number of backward turns that Left needs to win a position; `None` if no level has
/// it.
pub fn needed(levels: &[Level], strip: &Strip) -> Option<usize> {
    let game = StripGame::new(strip.length()).unwrap();
    let index = game.index(&strip.with_side(Side::Left)) as usize;
    levels
        .iter()
        .position(|level| level[strip.side() as usize][index])
}

/// Returns all levels of a length that differ from the one before.
pub fn levels(length: usize, rules: Rules) -> Vec<Level> {
    let game = StripGame::new(length).unwrap().under(rules);
    let positions = (0..game.positions()).map(|index| game.position(index));
    // For each turn: whether it is forward, and the board after it or, at the end of the game,
    // whether Left wins.
    type Leads = (bool, Result<usize, bool>);
    let leads = |board: &Strip, turn: Turn| -> Leads {
        let after = match board.play(turn).unwrap() {
            After::Position(next) => Ok(game.index(&next.with_side(Side::Left)) as usize),
            After::Over { winner, .. } => Err(winner == Side::Left),
        };
        (is_forward(board, turn), after)
    };
    let turns_of = |board: Strip| -> Vec<Leads> {
        let turns = board.turns().into_iter();
        turns.map(|turn| leads(&board, turn)).collect()
    };
    let turns: Vec<[Vec<Leads>; 2]> = positions
        .map(|board| [Side::Left, Side::Right].map(|side| turns_of(board.with_side(side))))
        .collect();
    let won = |after: Result<usize, bool>, set: &[bool]| after.map_or_else(|won| won, |index| set[index]);
    let mut levels: Vec<Level> = Vec::new();
    loop {
        let nothing = vec![false; turns.len()];
        let below = levels.last().map_or(&nothing, |level| &level[1]);
        let mut level = [nothing.clone(), nothing.clone()];
        loop {
            let left = turns.iter().map(|[left, _]| {
                let mut turns = left.iter();
                turns.any(|&(forward, after)| won(after, if forward { &level[1] } else { below }))
            });
            let left: Vec<bool> = left.collect();
            let right = turns
                .iter()
                .map(|[_, right]| right.iter().all(|&(_, after)| won(after, &left)));
            let next = [left.clone(), right.collect()];
            if next == level {
                break;
            }
            level = next;
        }
        if levels.last() == Some(&level) {
            return levels;
        }
        levels.push(level);
    }
}
