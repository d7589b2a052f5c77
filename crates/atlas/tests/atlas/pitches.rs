//! The counts of small pitches.

use phutbase_atlas::pitches::{AGAIN, count, settled, settled_up_to};
use phutbase_base::job::Job;

#[test]
fn every_line_of_the_file_is_a_pitch_whose_counts_add_up() {
    let file = include_str!("../../src/pitches.tsv");
    let lines = file.lines().filter(|line| !line.starts_with('#')).count();
    let counts = settled();
    assert_eq!(counts.len(), lines);
    for pitch in &counts {
        let sum = pitch.wins + pitch.losses + pitch.draws;
        assert_eq!(u128::from(sum), pitch.positions(), "{}", pitch.shape);
    }
    assert_eq!(settled_up_to(&counts), 34);
    assert_eq!(settled_up_to(&counts[1..]), 5, "3 x 2 is missing");
}

#[test]
fn the_small_pitches_are_counted_so_by_the_solver() {
    let small = settled();
    for pitch in small.iter().filter(|pitch| pitch.shape.points() <= AGAIN) {
        assert_eq!(count(pitch.shape, &Job::default()).unwrap(), *pitch);
    }
}
