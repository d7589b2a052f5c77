//! Pictures of positions.

use phutbase_atlas::boards::svg;

fn pieces(picture: &str) -> (usize, usize) {
    let of = |class| picture.matches(&format!("class=\"{class}\"")).count();
    (of("stone"), of("ball"))
}

/// Lines down and across.
fn lines(picture: &str) -> (usize, usize) {
    let (_, lines) = picture.split_once("class=\"square\" d=\"").unwrap();
    let lines = lines.split('"').next().unwrap();
    (lines.matches('v').count(), lines.matches('h').count())
}

#[test]
fn every_square_stone_and_ball_of_a_strip_is_drawn() {
    let picture = svg("o@o.o R");
    assert_eq!(lines(&picture), (6, 2));
    assert_eq!(picture.matches("class=\"goal\"").count(), 2);
    assert_eq!(pieces(&picture), (3, 1));
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>"));
    assert_eq!(svg("@.o").matches("class=\"goal\"").count(), 1, "a half strip");
}

#[test]
fn every_point_of_a_pitch_is_drawn() {
    let picture = svg("3/3/2o/1o1/3/@2/3 A");
    assert_eq!(lines(&picture), (4, 8));
    assert_eq!(picture.matches("class=\"goal\"").count(), 2);
    assert_eq!(pieces(&picture), (2, 1));
    assert_eq!(svg("3/nonsense"), "");
}
