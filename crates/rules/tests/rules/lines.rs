//! Lines of files of positions.

use phutbase_rules::lines::Line;

/// A line, its position and its operations.
const LINES: &[(&str, &str, &str)] = &[
    (".@o. R", ".@o. R", ""),
    (".@o. R;", ".@o. R", ""),
    (".@o. R value win; bm o1;", ".@o. R", "value win; bm o1;"),
    (".@o. Right;", ".@o.", "Right;"),
    ("obstruction:1x2 + 1x7", "obstruction:1x2 + 1x7", ""),
    ("obstruction:1x2 + 1x7;", "obstruction:1x2 + 1x7", ""),
    (
        "obstruction:1x2+1x7 id \"sum\";",
        "obstruction:1x2+1x7",
        "id \"sum\";",
    ),
    (
        "obstruction:1 +2+ 3\tid \"sum\";",
        "obstruction:1 +2+ 3",
        "id \"sum\";",
    ),
    ("obstruction:1 + ;", "obstruction:1 +", ""),
    ("obstruction:1 +", "obstruction:1 +", ""),
];

#[test]
fn a_position_ends_before_the_operations() {
    for &(text, position, operations) in LINES {
        let line = Line::read(text.as_bytes()).unwrap().expect("a position");
        assert_eq!((line.position, line.operations), (position, operations), "{text}");
    }
}
