//! `phutbase play`.

use crate::prelude::*;

#[test]
fn a_game_at_the_terminal() {
    let play = |arguments: &str, input: &str| {
        let tables = Tables::embedded();
        tables
            .run_on(&format!("play {arguments}"), input.as_bytes())
            .ok()
            .stdout
    };
    let said = play(
        "o@o.o.o....",
        "value\nhint\nmoves\n@5\nvalue\nundo\n@9\no1 x\nquit\n",
    );
    for part in [
        "win in 13",
        "> @5\n",
        "@3 @5 @7 @L o3 o5 o7 o8 o9 o10",
        "Right plays o",
        "win in 11",
        "@9 is not a legal turn in 'o@o.o.o....'",
        "'o1 x' is not a turn",
    ] {
        has(&said, &[part]);
    }
    // Both sides played at the terminal, to the end and back.
    let said = play(".@oo --as both", "@R\nvalue\no3\nundo\nundo\n");
    has(&said, &["Left wins.", "the game is over", "nothing to take back"]);
    // The program moves first and wins at once.
    has(
        &play("3/1o1/1@1/3/3 --as second", ""),
        &["Alfred plays b3-b5\n", "Alfred wins."],
    );
    has(
        &play("3/3/3/1@1/3/3/3/3", "value\nquit\n"),
        &["no table with depths holds pitch 8x3"],
    );
    // Theorem F knows the value of a long strip, and a turn that keeps it.
    let long = format!("{}@{}", ".".repeat(200), ".".repeat(300));
    let said = play(&long, "value\nhint\no500\nquit\n");
    has(&said, &["Left, to move: loss", "Right plays o"]);
}
