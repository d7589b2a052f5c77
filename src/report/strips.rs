//! Positions as pictures: a strip of squares with stones and the ball.

use std::fmt::Write;

/// The side of a square in pixels.
const SIDE: usize = 22;

/// A strip in notation (one character per square) as an SVG element; anything else is left blank.
pub fn svg(board: &str) -> String {
    let squares: Vec<char> = board.split_whitespace().next().unwrap_or("").chars().collect();
    let width = squares.len() * SIDE + 2;
    let mut picture = format!(
        "<svg class=\"strip\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" role=\"img\" \
         aria-label=\"{board}\">",
        SIDE + 2
    );
    for (place, symbol) in squares.iter().enumerate() {
        let (x, middle) = (place * SIDE + 1, SIDE / 2 + 1);
        // A half strip is drawn from the ball.
        let goal = (place == 0 && *symbol != '@') || place + 1 == squares.len();
        let fill = if goal { "#f3e3c3" } else { "#fffdf8" };
        // Writing to a string cannot fail.
        let _ = write!(
            picture,
            "<rect x=\"{x}\" y=\"1\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\" stroke=\"#8a7f6d\"/>"
        );
        let centre = x + SIDE / 2;
        let _ = match symbol {
            'o' => write!(
                picture,
                "<circle cx=\"{centre}\" cy=\"{middle}\" r=\"7\" fill=\"#ffffff\" stroke=\"#333333\" stroke-width=\"1.5\"/>"
            ),
            '@' => write!(
                picture,
                "<circle cx=\"{centre}\" cy=\"{middle}\" r=\"8\" fill=\"#1d1d1f\"/>"
            ),
            _ => Ok(()),
        };
    }
    picture.push_str("</svg>");
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_stone_and_ball_is_drawn() {
        let picture = svg("o@o.o R");
        assert_eq!(picture.matches("<rect").count(), 5);
        assert_eq!(picture.matches("<circle").count(), 4);
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>"));
    }
}
