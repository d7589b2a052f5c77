//! Phutball in which stones are put near the ball only has draws, so no proof that there are none can
//! be blind to where stones may be put.

use phutbase_fixtures::prelude::*;

/// The strip, with stones within two squares of the ball only.
struct NearStones(StripGame);

impl Game for NearStones {
    type Position = Strip;
    type Turn = Turn;

    fn positions(&self) -> u64 {
        self.0.positions()
    }

    fn index(&self, position: &Strip) -> u64 {
        self.0.index(position)
    }

    fn position(&self, index: u64) -> Strip {
        self.0.position(index)
    }

    fn turns(&self, position: &Strip, visit: &mut dyn FnMut(Turn, Successor<Strip>)) {
        let mut any = false;
        self.0.turns(position, &mut |turn, successor| {
            let is_far = matches!(turn, Turn::Place(square) if square.abs_diff(position.ball()) > 2);
            if !is_far {
                any = true;
                visit(turn, successor);
            }
        });
        assert!(any, "'{position}' has a turn");
    }
}

fn draws(length: usize) -> usize {
    let values = reference::solve(&NearStones(StripGame::new(length).unwrap()));
    values.iter().filter(|&&value| value == Value::Draw).count()
}

/// The counts of an independent program.
#[test]
fn stones_near_the_ball_only_make_draws_from_16_squares_on() {
    for length in 3..=17 {
        let expected = match length {
            16 => 4,
            17 => 8,
            _ => 0,
        };
        assert_eq!(draws(length), expected, "{length} squares");
    }
}
