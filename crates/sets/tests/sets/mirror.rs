//! Mirror images of sets, board by board.

use phutbase_sets::algebra::Sets;
use phutbase_sets::graph::Budget;
use phutbase_sets::mirror::mirrored;
use phutbase_testing::prelude::*;
use phutbase_testing::turns::set_of;

/// Returns every third board of a length, at random.
fn some_boards(length: usize) -> Vec<Strip> {
    let boards = positions(length).zip(random_numbers(length as u64));
    let chosen = boards.filter(|(_, number)| number.is_multiple_of(3));
    chosen.map(|(board, _)| board).collect()
}

#[test]
fn the_mirror_image_has_the_mirrored_boards() {
    for length in 3..=9 {
        let chosen = some_boards(length);
        let members: HashSet<Strip> = chosen.iter().copied().collect();
        let mut sets = Sets::new(Graph::new(length));
        let set = set_of(&mut sets, &chosen);
        let image = mirrored(sets.graph_mut(), set).unwrap();
        for board in positions(length) {
            // The mirror image of a board has the other player to move.
            let is_member = members.contains(&board.mirror().with_side(Side::Left));
            assert_eq!(contains(sets.graph(), image, &board), is_member, "{board}");
        }
    }
}

/// The diagram of one board has few nodes. More steps are for the subsets of states of which the image
/// consists.
#[test]
fn the_subsets_of_a_mirror_image_take_steps_of_the_budget() {
    let mut sets = Sets::new(Graph::within(8, Budget::of_sets(100)));
    let set = set_of(&mut sets, &some_boards(8)[..1]);
    for (steps, suffice) in [(100, false), (10_000, true)] {
        sets.graph_mut().allow_steps(steps);
        assert_eq!(mirrored(sets.graph_mut(), set).is_ok(), suffice, "{steps} steps");
    }
}
