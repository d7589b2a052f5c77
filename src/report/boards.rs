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

/// An empty board of so many columns and rows: the squares, those of the goals, and the lines between all of them.
fn open(columns: usize, rows: usize, goals: &[&str], label: &str) -> String {
    let (width, height) = (columns * SIDE, rows * SIDE);
    let down = (0..=columns).map(|column| format!("M{} 1v{height}", column * SIDE + 1));
    let across = (0..=rows).map(|row| format!("M1 {}h{width}", row * SIDE + 1));
    let lines: String = down.chain(across).collect();
    let goals: String = (goals.iter())
        .map(|goal| format!("<path class=\"goal\" d=\"{goal}\"/>"))
        .collect();
    let (all_width, all_height) = (width + 2, height + 2);
    format!(
        "<svg class=\"board\" width=\"{all_width}\" height=\"{all_height}\" viewBox=\"0 0 {all_width} {all_height}\" role=\"img\" \
         aria-label=\"{label}\"><path class=\"field\" d=\"M1 1h{width}v{height}H1z\"/>{goals}<path class=\"square\" d=\"{lines}\"/>"
    )
}

fn strip_svg(board: &str) -> String {
    let squares: Vec<char> = board.split_whitespace().next().unwrap_or("").chars().collect();
    let goal = |place: usize| format!("M{} 1h{SIDE}v{SIDE}h-{SIDE}z", place * SIDE + 1);
    let (first, last) = (goal(0), goal(squares.len().saturating_sub(1)));
    // A half strip is drawn from the ball.
    let goals = match squares.first() {
        Some('@') => &[last.as_str()][..],
        _ => &[first.as_str(), &last],
    };
    let mut picture = open(squares.len(), 1, goals, board);
    for (place, symbol) in squares.iter().enumerate() {
        piece(&mut picture, *symbol, place * SIDE + 1 + SIDE / 2, SIDE / 2 + 1);
    }
    picture.push_str("</svg>");
    picture
}

fn pitch_svg(pitch: &Pitch, label: &str) -> String {
    let shape = pitch.shape();
    let width = shape.columns() * SIDE;
    let row = |row: usize| (shape.rows() - 1 - row) * SIDE + 1;
    let goals = [0, shape.rows() - 1].map(|goal| format!("M1 {}h{width}v{SIDE}H1z", row(goal)));
    let goals = goals.each_ref().map(String::as_str);
    let mut picture = open(shape.columns(), shape.rows(), &goals, label);
    for point in 0..shape.points() {
        let symbol = match point {
            ball if ball == pitch.ball() => '@',
            chap if pitch.chaps().contains(chap) => 'o',
            _ => '.',
        };
        let (x, y) = (shape.column(point) * SIDE + 1, row(shape.row(point)));
        piece(&mut picture, symbol, x + SIDE / 2, y + SIDE / 2);
    }
    picture.push_str("</svg>");
    picture
}

/// A stone or the ball, or nothing.
fn piece(picture: &mut String, symbol: char, x: usize, y: usize) {
    // Writing to a string cannot fail.
    let _ = match symbol {
        'o' => write!(
            picture,
            "<circle class=\"stone\" cx=\"{x}\" cy=\"{y}\" r=\"4.8\"/>"
        ),
        '@' => write!(picture, "<circle class=\"ball\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>"),
        _ => Ok(()),
    };
}
