//! Positions as SVG: a strip of squares or a pitch of points, with stones as discs and the ball as
//! a ring. The page's style sheet sets the colours, as on the page of `phutbase serve`.

use phutbase_rules::pitch::Pitch;

/// The side of a square or the distance of two points, in pixels.
const SIDE: usize = 20;

/// Draws a position in notation: a strip or a half strip by squares; a pitch, which has a `/`, by
/// points. Unknown symbols are left blank.
pub fn svg(board: &str) -> String {
    if board.contains('/') {
        (board.parse()).map_or(String::new(), |pitch: Pitch| pitch_svg(&pitch, board))
    } else {
        strip_svg(board)
    }
}

/// Draws an empty board: the squares, the goals, and the lines between.
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
    let pieces = squares.iter().enumerate();
    let pieces = pieces.map(|(place, symbol)| piece(*symbol, place * SIDE + 1 + SIDE / 2, SIDE / 2 + 1));
    open(squares.len(), 1, goals, board) + &pieces.collect::<String>() + "</svg>"
}

fn pitch_svg(pitch: &Pitch, label: &str) -> String {
    let shape = pitch.shape();
    let width = shape.columns() * SIDE;
    let row = |row: usize| (shape.rows() - 1 - row) * SIDE + 1;
    let goals = [0, shape.rows() - 1].map(|goal| format!("M1 {}h{width}v{SIDE}H1z", row(goal)));
    let goals = goals.each_ref().map(String::as_str);
    let pieces = (0..shape.points()).map(|point| {
        let symbol = match point {
            ball if ball == pitch.ball() => '@',
            chap if pitch.chaps().contains(chap) => 'o',
            _ => '.',
        };
        let (x, y) = (shape.column(point) * SIDE + 1, row(shape.row(point)));
        piece(symbol, x + SIDE / 2, y + SIDE / 2)
    });
    open(shape.columns(), shape.rows(), &goals, label) + &pieces.collect::<String>() + "</svg>"
}

fn piece(symbol: char, x: usize, y: usize) -> String {
    match symbol {
        'o' => format!("<circle class=\"stone\" cx=\"{x}\" cy=\"{y}\" r=\"4.8\"/>"),
        '@' => format!("<circle class=\"ball\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>"),
        _ => String::new(),
    }
}
