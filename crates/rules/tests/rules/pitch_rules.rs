//! The rules of the pitch: comparison with a second generator, the strip, and the figures of the
//! sources.

use crate::naive::{Naive, library_results, naive};
use phutbase_rules::pitch::{Turn, positions};
use phutbase_rules::strip;
use phutbase_testing::pitch::after;
use phutbase_testing::prelude::*;

fn slow(pitch: &Pitch) -> Naive {
    naive(pitch.shape(), Landing::Point(pitch.ball() as u16), pitch.chaps())
}

#[test]
fn both_generators_agree_on_every_position_up_to_10_points() {
    for shape in shapes_up_to(10) {
        let game = PitchGame::new(shape).unwrap();
        for index in 0..game.positions() {
            let pitch = game.position(index);
            assert_eq!(library_results(&pitch), slow(&pitch).results(), "'{pitch}'");
            for pitch in [pitch, pitch.with_side(Side::Right)] {
                let expected = slow(&pitch).directional_results(pitch.side());
                let directional = pitch.under(Rules::Directional);
                assert_eq!(library_results(&directional), expected, "directional: '{pitch}'");
            }
        }
    }
}

#[test]
fn both_generators_agree_on_random_positions_of_every_size() {
    let mut numbers = random_numbers(5);
    for round in 0..1 {
        for shape in shapes_up_to(361) {
            for density in [20, 60, 100] {
                // Scattered chaps on a large pitch can lead to too many boards to compare.
                let density = if shape.points() > 60 { density / 3 } else { density };
                let pitch = random_pitch(shape, &mut numbers, density);
                assert_eq!(
                    library_results(&pitch),
                    slow(&pitch).results(),
                    "round {round}: '{pitch}'"
                );
                assert_eq!(
                    library_results(&pitch.under(Rules::Directional)),
                    slow(&pitch).directional_results(pitch.side()),
                    "round {round}, directional: '{pitch}'"
                );
            }
        }
    }
}

/// Converts a strip to the pitch of one column.
fn standing(strip: &Strip) -> Pitch {
    let shape = Shape::new(strip.length(), 1).unwrap();
    Pitch::new(
        shape,
        strip.ball(),
        Points::from_bits(strip.words()[0]),
        strip.side(),
    )
    .unwrap()
}

#[test]
fn a_pitch_of_one_column_is_the_strip_for_every_position_up_to_12_rows() {
    for length in 3..=12 {
        let strips = StripGame::new(length).unwrap();
        let shape = Shape::new(length, 1).unwrap();
        let game = PitchGame::new(shape).unwrap();
        assert_eq!(
            positions(shape).map(BigUint::from),
            Some(strip::positions(length))
        );
        for index in 0..strips.positions() {
            for strip in [
                strips.position(index),
                strips.position(index).with_side(Side::Right),
            ] {
                let pitch = standing(&strip);
                assert_eq!(game.index(&pitch), strips.index(&strip));
                assert_eq!(standing(&strip.mirror()), pitch.turned());
                let mut of_strip = Vec::new();
                strips.turns(&strip, &mut |_, next| {
                    of_strip.push(match next {
                        Successor::Position(next) => Successor::Position(standing(&next)),
                        Successor::Over(outcome) => Successor::Over(outcome),
                    });
                });
                let mut of_pitch = Vec::new();
                game.turns(&pitch, &mut |_, next| of_pitch.push(next));
                assert_eq!(of_strip.len(), of_pitch.len(), "'{strip}'");
                assert!(of_strip.iter().all(|next| of_pitch.contains(next)), "'{strip}'");
            }
        }
    }
}

/// Lists the jumps of a position in notation.
fn jumps(pitch: &Pitch) -> BTreeSet<String> {
    let jumps = pitch.jumps(1000).unwrap();
    jumps.iter().map(|(_, path)| pitch.path_notation(path)).collect()
}

/// Lists the jumps that win for a player.
fn jumps_won_by(pitch: &Pitch, side: Side) -> BTreeSet<String> {
    let jumps = pitch.jumps(1000).unwrap();
    let won = (jumps.iter()).filter(|(jump, _)| pitch.after(&Turn::Jump(*jump)).winner() == Some(side));
    won.map(|(_, path)| pitch.path_notation(path)).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| name.to_string()).collect()
}

/// [S] figure 1, of which only the text survives: 5 × 5, 13 empty points, the six legal jumps and
/// their winners. In directions they are S; SE; SE-N; SE-N-SE; SE-N-N; SE-N-NE.
#[test]
fn sarkar_figure_1() {
    // The picture is lost; this board agrees with everything in the text.
    let figure = pitch("4o/2oo1/@2oo/oooo1/o3o A");
    assert_eq!(figure.empty_points().count(), 13);
    assert_eq!(
        jumps(&figure),
        set(&[
            "a3-S",
            "a3-c1",
            "a3-c1-c3",
            "a3-c1-c3-SE",
            "a3-c1-c3-c5",
            "a3-c1-c3-NE"
        ])
    );
    assert_eq!(
        jumps_won_by(&figure, Side::Left),
        set(&["a3-c1-c3-c5", "a3-c1-c3-NE"])
    );
    assert_eq!(
        jumps_won_by(&figure, Side::Right),
        set(&["a3-S", "a3-c1", "a3-c1-c3-SE"])
    );
    // Over the sidelines, and over the chap on b2, which the first jump has removed.
    for illegal in ["a3-c1-E", "a3-c1-c3-E", "a3-c1-c3-a1", "a3-c1-c3-SW"] {
        assert!(figure.parse_turn(illegal).is_err(), "{illegal}");
    }
    // The ball lands on the bottom row within a turn, and the game continues.
    let used = figure.parse_turn("a3-c1-c3").unwrap();
    assert_eq!(figure.after(&used).winner(), None);
    // Betty's turn can win the game for Alfred.
    let betty = figure.with_side(Side::Right);
    assert_eq!(
        jumps_won_by(&betty, Side::Left),
        jumps_won_by(&figure, Side::Left)
    );
    let wins: Vec<String> = (betty.wins_in_one(1000, 1000).0.iter())
        .map(|(_, path)| betty.path_notation(path))
        .collect();
    assert_eq!(wins, ["a3-c1", "a3-S", "a3-c1-c3-SE"]);
}

/// Returns the name of a point in the notation of [W], without the letter I.
fn wikipedia_point(name: &str) -> String {
    let (letter, row) = name.split_at(1);
    let column = "ABCDEFGHJKLMNOP".find(letter).unwrap();
    format!("{}{row}", char::from(b'a' + column as u8))
}

/// [W]: "Ohs moves the football from K6–G9–G11–J11. The men on J7, H8, G10, and H11 are removed."
#[test]
fn wikipedia_example() {
    let official = shape("19x15");
    let point = |name: &str| official.point_named(&wikipedia_point(name)).unwrap();
    let men = ["J7", "H8", "G10", "H11", "H9"].map(point);
    let pitch = Pitch::new(official, point("K6"), men.into_iter().collect(), Side::Left).unwrap();
    let notation = |points: &str| {
        points
            .split('–')
            .map(wikipedia_point)
            .collect::<Vec<_>>()
            .join("-")
    };
    let jumped = after(&pitch, &notation("K6–G9–G11–J11"));
    assert_eq!(jumped.ball(), point("J11"));
    assert_eq!(jumped.chaps().iter().collect::<Vec<_>>(), [point("H9")]);
    // "The jump from K6–G9–J9–G7 would not be legal, as that would jump the man on H8 twice."
    assert!(pitch.parse_turn(&notation("K6–G9–J9")).is_ok());
    assert!(pitch.parse_turn(&notation("K6–G9–J9–G7")).is_err());
}

#[test]
fn corners_belong_to_the_goal_lines() {
    for (board, corner, winner) in [
        ("2o/1@1/3", "b2-NE", Side::Left),
        ("o2/1@1/3", "b2-NW", Side::Left),
        ("3/1@1/2o", "b2-SE", Side::Right),
        ("3/1@1/o2", "b2-SW", Side::Right),
    ] {
        let pitch = pitch(board);
        assert_eq!(jumps(&pitch), set(&[corner]));
        assert_eq!(
            pitch.after(&pitch.parse_turn(corner).unwrap()).winner(),
            Some(winner)
        );
    }
    assert!(jumps(&pitch("3/1@o/3")).is_empty(), "a sideline");
}
