//! Strips: the order of their turns, backward turns, and counts by ball.

use phutbase_ask::sources::Sources;
use phutbase_ask::stats::count_ball;
use phutbase_ask::strip::backward_turns;
use phutbase_fixtures::prelude::*;

/// The rules of the order are applied to the turns one by one: wins first, the best turn before the
/// others, then proper turns before others, then forward turns before others.
#[test]
fn turns_without_depths_are_in_their_order_on_every_board_of_3_to_9_squares() {
    let sources = Sources::new(Tablebase::empty(), 1 << 20);
    for strip in (3..=9).flat_map(both_sides) {
        let position = Phutball::from(strip);
        let rated = sources.rated_turns(&position).unwrap();
        let best = sources.best_turn(&position).unwrap();
        assert_eq!(rated[0].turn, best.turn, "'{strip}'");
        let keys = rated[1..].iter().map(|rated| {
            let turn: Turn = rated.turn.parse().unwrap();
            let is_slow = (!turn.is_proper(&strip), !turn.is_forward(&strip));
            (std::cmp::Reverse(rated.verdict.preference()), is_slow)
        });
        assert!(keys.is_sorted(), "'{strip}'");
    }
}

/// A board of 22 squares that needs a backward turn (docs/THEORY.md), seen by either player.
#[test]
fn backward_turns_are_those_of_the_mirror_image() {
    let tables = Tablebase::of_file(&table_file("strip-64-levels.phut")).unwrap();
    for (board, turns) in [("........o.oo@.oooo....", 1), ("o@o.o.o....", 0)] {
        let left = strip(board);
        assert_eq!(left.side(), Side::Left);
        for (strip, winner) in [(left, Side::Left), (left.mirror(), Side::Right)] {
            let found = backward_turns(&tables, &AnyStrip::from(&strip), winner).unwrap();
            assert_eq!(found, Some(turns), "'{strip}'");
        }
    }
}

/// Every board is asked by itself; four boards are changed to draws.
#[test]
fn boards_with_the_ball_on_a_square_are_counted() {
    let table = Planes::with_draws().table(Metric::Dtw);
    let sets = table.sets(7).unwrap();
    let mut draws = 0;
    for ball in 1..6 {
        let (mut counts, mut depths) = ([U256::ZERO; 3], BTreeMap::new());
        for strip in positions(7).filter(|strip| strip.ball() == ball) {
            let verdict = table.verdict(&strip).unwrap();
            let place = [Wdl::Win, Wdl::Loss, Wdl::Draw]
                .iter()
                .position(|&wdl| wdl == verdict.wdl);
            counts[place.unwrap()] += 1;
            if let Some(Depth(plies)) = verdict.depth {
                *depths.entry(plies).or_insert(U256::ZERO) += 1;
            }
        }
        assert_eq!(
            count_ball(&sets, ball).unwrap(),
            (counts, depths),
            "ball on {ball}"
        );
        draws += counts[2].as_usize();
    }
    assert_eq!(draws, 4);
}
