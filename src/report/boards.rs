//! Positions as pictures: a strip of squares, or a pitch of points, with stones and the ball. The page's style sheet
//! gives them their colours: a stone is a disc, the ball a ring, as on the page of `phutbase serve`.

use crate::games::pitch::Pitch;
use std::fmt::Write;

/// The side of a square, and the distance of two points, in pixels.
const SIDE: usize = 20;

/// A position in notation as an SVG element: a strip or a half strip by its squares; a pitch, which has a `/`, by its points.
/// Anything else is left blank.
pub fn svg(board: &str) -> String {
    match board.contains('/') {
        true => (board.parse()).map_or(String::new(), |pitch: Pitch| pitch_svg(&pitch, board)),
        false => strip_svg(board),
    }
}

fn open(width: usize, height: usize, label: &str) -> String {
    format!(
        "<svg class=\"board\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">"
    )
}

fn strip_svg(board: &str) -> String {
    let squares: Vec<char> = board.split_whitespace().next().unwrap_or("").chars().collect();
    let length = squares.len() * SIDE;
    let mut picture = open(length + 2, SIDE + 2, board);
    // Writing to a string cannot fail.
    let _ = write!(
        picture,
        "<rect class=\"field\" x=\"1\" y=\"1\" width=\"{length}\" height=\"{SIDE}\"/>"
    );
    for (place, symbol) in squares.iter().enumerate() {
        let x = place * SIDE + 1;
        // A half strip is drawn from the ball.
        let goal = (place == 0 && *symbol != '@') || place + 1 == squares.len();
        let class = if goal { "goal" } else { "square" };
        let _ = write!(
            picture,
            "<rect class=\"{class}\" x=\"{x}\" y=\"1\" width=\"{SIDE}\" height=\"{SIDE}\"/>"
        );
        piece(&mut picture, *symbol, x + SIDE / 2, SIDE / 2 + 1);
    }
    picture.push_str("</svg>");
    picture
}

fn pitch_svg(pitch: &Pitch, label: &str) -> String {
    let shape = pitch.shape();
    let (width, height) = (shape.columns() * SIDE, shape.rows() * SIDE);
    let mut picture = open(width + 2, height + 2, label);
    let row = |row: usize| (shape.rows() - 1 - row) * SIDE + 1;
    let _ = write!(
        picture,
        "<rect class=\"field\" x=\"1\" y=\"1\" width=\"{width}\" height=\"{height}\"/>"
    );
    for goal in [0, shape.rows() - 1] {
        let y = row(goal);
        let _ = write!(
            picture,
            "<rect class=\"goal\" x=\"1\" y=\"{y}\" width=\"{width}\" height=\"{SIDE}\"/>"
        );
    }
    for point in 0..shape.points() {
        let (x, y) = (shape.column(point) * SIDE + 1, row(shape.row(point)));
        let symbol = match point {
            ball if ball == pitch.ball() => '@',
            chap if pitch.chaps().contains(chap) => 'o',
            _ => '.',
        };
        let _ = write!(
            picture,
            "<rect class=\"square\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"/>"
        );
        piece(&mut picture, symbol, x + SIDE / 2, y + SIDE / 2);
    }
    picture.push_str("</svg>");
    picture
}

/// A stone or the ball, or nothing.
fn piece(picture: &mut String, symbol: char, x: usize, y: usize) {
    let _ = match symbol {
        'o' => write!(
            picture,
            "<circle class=\"stone\" cx=\"{x}\" cy=\"{y}\" r=\"4.8\"/>"
        ),
        '@' => write!(picture, "<circle class=\"ball\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>"),
        _ => Ok(()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(picture: &str) -> (usize, usize) {
        let of = |class| picture.matches(&format!("class=\"{class}\"")).count();
        (of("stone"), of("ball"))
    }

    #[test]
    fn every_square_stone_and_ball_of_a_strip_is_drawn() {
        let picture = svg("o@o.o R");
        assert_eq!(picture.matches("class=\"square\"").count(), 3);
        assert_eq!(picture.matches("class=\"goal\"").count(), 2);
        assert_eq!(pieces(&picture), (3, 1));
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>"));
        assert_eq!(svg("@.o").matches("class=\"goal\"").count(), 1, "a half strip");
    }

    #[test]
    fn every_point_of_a_pitch_is_drawn() {
        let picture = svg("3/3/2o/1o1/3/@2/3 A");
        assert_eq!(picture.matches("class=\"square\"").count(), 21);
        assert_eq!(pieces(&picture), (2, 1));
        assert_eq!(svg("3/nonsense"), "");
    }
}
