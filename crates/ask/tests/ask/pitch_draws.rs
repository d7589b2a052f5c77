//! Draws on the pitch: search, counts, and cycles.

use phutbase_ask::queries::pitch_draws::{DrawingTurn, find, line};
use phutbase_fixtures::prelude::*;
use phutbase_rules::pitch::After;

fn table(size: &str) -> PitchTable {
    let directory = tempfile::tempdir().unwrap();
    let path = generate_pitch_in(Rules::Ordinary, directory.path(), size);
    PitchTable::open(&path).unwrap()
}

/// Plays turns that must all keep the draw, and returns the last position.
fn play(table: &PitchTable, mut pitch: Pitch, turns: &[DrawingTurn]) -> Pitch {
    for turn in turns {
        let choices = table.rated_turns(&pitch).unwrap();
        let keeping = choices
            .iter()
            .filter(|turn| turn.verdict == Value::Draw.into())
            .count();
        assert_eq!(keeping, turn.choices, "'{pitch}'");
        assert!(
            choices
                .iter()
                .all(|turn| turn.verdict.value().unwrap() <= Value::Draw),
            "'{pitch}' is a win"
        );
        pitch = match pitch.after(&pitch.parse_turn(&turn.notation).unwrap()) {
            After::Position(next) => next,
            After::Over { .. } => panic!("'{pitch}' ends with {}", turn.notation),
        };
        assert_eq!(table.value(&pitch).unwrap(), Value::Draw);
    }
    pitch
}

#[test]
fn a_pitch_without_draws_has_none() {
    let found = find(&table("5x3")).unwrap();
    assert_eq!(
        (found.draws, found.mutual_draws, found.positions.len()),
        (0, 0, 0)
    );
}

#[test]
fn every_draw_of_7x3_is_played_in_a_cycle() {
    let table = table("7x3");
    let found = find(&table).unwrap();
    assert_eq!((found.draws, found.mutual_draws), (32, 0));
    // None of them is its own mirror image, so half of them remain.
    assert_eq!(found.positions.len(), 16);
    let with_mirrors: BTreeSet<String> = (found.positions.iter())
        .flat_map(|pitch| [pitch.to_string(), pitch.mirrored().to_string()])
        .collect();
    assert_eq!(with_mirrors.len(), 32);
    for pitch in &found.positions {
        assert_eq!(pitch.side(), Side::Left);
        let drawn = line(&table, pitch).unwrap();
        assert!(!drawn.mutual);
        let start = play(&table, *pitch, &drawn.lead);
        assert_eq!(play(&table, start, &drawn.cycle), start, "'{pitch}' comes back");
        let half = play(&table, start, &drawn.cycle[..drawn.cycle.len() / 2]);
        assert_eq!(half == start.turned(), drawn.halves);
    }
}

/// The cycle with the fewest chaps, by hand: three plies lead to the rotated position.
#[test]
fn the_smallest_cycle() {
    let table = table("7x3");
    let drawn = line(&table, &pitch("3/3/2o/1o1/3/@2/3 A")).unwrap();
    assert!(drawn.lead.is_empty() && drawn.halves);
    let cycle: Vec<&str> = drawn.cycle.iter().map(|turn| &turn.notation[..]).collect();
    assert_eq!(cycle, ["a3", "b3", "a2-c4-c6", "c5", "b5", "c6-a4-a2"]);
    assert!(
        drawn.cycle.iter().all(|turn| turn.choices == 1),
        "every turn is forced"
    );
}
