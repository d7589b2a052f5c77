//! Lines of best play: they end, and a wrong table cannot make them longer.

use phutbase_ask::sources::Sources;
use phutbase_fixtures::prelude::*;
use phutbase_rules::RatedTurn;
use phutbase_tables::pitch::metadata::PitchMetadata;

fn line(tables: Tablebase, position: Phutball, most: usize) -> Vec<RatedTurn> {
    Sources::new(tables, 1 << 20).best_line(&position, most).unwrap()
}

/// A win takes as many turns as its depth says; without depths the winner comes home, too.
#[test]
fn lines_of_every_length_end_at_home() {
    let (_directory, tables) = only(&generated(9, Metric::Dtw), Metric::Dtw, 9);
    let with_depths = Sources::new(tables, 1 << 20);
    let by_solution = Sources::new(Tablebase::empty(), 1 << 20);
    for strip in (3..=9).flat_map(both_sides).step_by(11) {
        let value = reference_value(&strip);
        for (sources, has_depths) in [(&with_depths, true), (&by_solution, false)] {
            let line = sources.best_line(&Phutball::from(strip), usize::MAX).unwrap();
            let plies = usize::from(value.depth().unwrap().0);
            assert!(!has_depths || line.len() == plies, "'{strip}'");
            let winner = line.last().unwrap().after.winner();
            assert_eq!(winner, value.wdl().winner(strip.side()), "'{strip}'");
        }
    }
}

#[test]
fn a_line_from_wrong_values_ends_too() {
    // Every board is 'won in 3' for either player to move, so no turn makes progress.
    let mut planes = Planes::of_reference(9);
    planes.depths[Side::Left as usize].fill(3);
    planes.depths[Side::Right as usize].fill(0);
    let start = Phutball::from(strip("....@...."));
    let of_length = |most| {
        let (_directory, tables) = only(&planes.bytes(Metric::Dtw), Metric::Dtw, 9);
        line(tables, start.clone(), most)
    };
    let longest = of_length(usize::MAX);
    assert_eq!(longest.len(), 3);
    assert!(longest[2].after.open().is_some(), "it could have gone on");
    assert_eq!(of_length(2).len(), 2);
}

#[test]
fn a_turn_that_wins_at_once_ends_the_line() {
    let after = strip("o@o.o.o R");
    let mut planes = Planes::of_reference(7);
    planes.make_draw(&after);
    let (_directory, tables) = only(&planes.bytes(Metric::Dtw), Metric::Dtw, 7);
    assert_eq!(line(tables, Phutball::from(after), 3).len(), 1);
}

/// In a table where every position is a win in one ply, the best turn wins nothing.
#[test]
fn a_line_from_a_wrong_pitch_is_no_longer_than_its_depth() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pitch-4x3-dtw.phut");
    let good = std::fs::read(table_file("pitch-4x3-dtw.phut")).unwrap();
    let bytes = resealed(&good, |parts| {
        let frames = parts.frames().len();
        let ones = zstd::bulk::compress(&[1; 1 << 11], 3).unwrap();
        parts.set_frames(&vec![ones; frames]);
        parts.edit(|metadata: &mut PitchMetadata| (metadata.draws, metadata.depths) = (0, vec![6 << 11]));
    });
    std::fs::write(&file, bytes).unwrap();
    let start = Phutball::Pitch(pitch("3/1@1/3/3 A"));
    assert_eq!(
        line(Tablebase::of_file(&file).unwrap(), start, usize::MAX).len(),
        1
    );
}

/// A draw returns to itself; a win is played to the end.
#[test]
fn lines_on_a_pitch_repeat_or_end() {
    let file = table_file("pitch-7x3-dtw.phut");
    let table = PitchTable::open(&file).unwrap();
    let sources = Sources::new(Tablebase::of_file(&file).unwrap(), 1 << 20);
    let best_line = |pitch| sources.best_line(&Phutball::Pitch(pitch), usize::MAX).unwrap();
    let draw = best_line(pitch("3/3/2o/1o1/3/@2/3 A"));
    assert!(draw.len() > 1 && draw.iter().all(|turn| turn.verdict == Value::Draw.into()));
    let win = best_line(pitch(&table.metadata().longest_win));
    assert_eq!(win.len(), usize::from(table.summary().longest_win));
    assert!(win.last().unwrap().after.winner().is_some());
}
