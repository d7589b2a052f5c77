//! Jumps over far stones, as walks over block numbers.

use phutbase::solve::dense::{Landing, LeftWalk, RightWalk};

#[test]
fn right_walks_clear_runs_and_stop_at_gaps_or_the_goal() {
    // Block bits 0.. are squares 13.. seen from ball 12: stones on 13, 14, 16 of a strip with goal line 20.
    let landings: Vec<_> = RightWalk::new(12, 0b1011, 20).collect();
    assert_eq!(landings, [Landing::Ball(15, 0b1000), Landing::Ball(17, 0)]);
    let landings: Vec<_> = RightWalk::new(17, 0b11100000, 20).collect();
    assert_eq!(landings, [Landing::RightHome]);
    let landings: Vec<_> = RightWalk::new(17, 0b01100001, 20).collect();
    assert_eq!(
        landings,
        [Landing::RightHome],
        "the goal line itself ends the game"
    );
    assert_eq!(RightWalk::new(12, 0b10, 20).count(), 0);
}

#[test]
fn left_walks_end_at_the_entry() {
    // Seen from ball 15, block bits 0..2 are squares 12..14.
    let landings: Vec<_> = LeftWalk::new(15, 0b1110).collect();
    assert_eq!(landings, [Landing::OnEntry(0b1000)]);
    let landings: Vec<_> = LeftWalk::new(15, 0b1111).collect();
    assert_eq!(landings, [Landing::AboveEntry(0b1000)]);
    let landings: Vec<_> = LeftWalk::new(15, 0b1101).collect();
    assert_eq!(landings, [Landing::Ball(13, 0b1001), Landing::AboveEntry(0b1000)]);
    assert_eq!(LeftWalk::new(15, 0b1011).count(), 0);
}
