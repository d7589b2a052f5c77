//! `phutbase match`: the claims of the engines, and games that end by adjudication.

use super::matches::{games_and_summary, on_go, play_match};
use crate::prelude::*;

/// In `.@.` Left wins in 3 plies (`probe`).
#[test]
fn false_claims_are_reported() {
    for (info, claim) in [
        ("score mate 2 pv o2 o0 @R", None),
        (
            "score mate 1",
            Some("o2: it claims 'score mate 1' where the position is a win in 3"),
        ),
        (
            "score cp 0 pv o2 o9",
            Some("o2: its line 'o2 o9' ends with an illegal turn"),
        ),
    ] {
        let claiming = on_go(&format!("echo info {info}; echo bestmove o2"));
        let keys = "--rounds 1 --maxmoves 1 --each st=5s";
        let run = play_match(&format!("3 --json {keys}"), [&claiming, "phutbase ugi"]).ok();
        let (games, summary) = games_and_summary(&run);
        let claims: Vec<&str> = claim.into_iter().collect();
        assert_eq!(games[0]["false_claims"], json!(claims), "{info}");
        assert_eq!(games[1]["false_claims"], json!([]), "{info}");
        assert_eq!(summary["false_claims"], json!([claims.len(), 0]));
        let text = play_match(&format!("3 {keys}"), [&claiming, "phutbase ugi"])
            .ok()
            .stdout;
        claims
            .iter()
            .for_each(|claim| has(&text, &[claim, "false claims: "]));
    }
    // Far beyond the tables the solution has the values.
    let claiming = on_go("echo info score mate -1; echo bestmove o0");
    let keys = "1001 --json --rounds 1 --maxmoves 1 --each st=5s";
    let (games, _) = games_and_summary(&play_match(keys, [&claiming, "phutbase ugi"]).ok());
    let value = run_with("probe --json", &format!("{0}@{0}", ".".repeat(500))).json()["value"].clone();
    assert_eq!(value, "win");
    has(
        games[0]["false_claims"][0].as_str().unwrap(),
        &["o0: it claims 'score mate -1' where the position is a win"],
    );
}

/// In `.@.` Left wins by `o2` and not by `o0`; the game ends where the win is given up.
#[test]
fn the_solution_ends_games() {
    let keys = "3 --json --rounds 1 --adjudicate solution --each st=5s";
    let wrong = on_go("echo bestmove o0");
    let (games, summary) = games_and_summary(&play_match(keys, [&wrong, "phutbase ugi"]).ok());
    assert_eq!(
        fields(&games[0], "result ending turns"),
        json!(["0-1", "adjudication", ["o0"]])
    );
    assert_eq!(games[0]["message"], "o0 gives up a win");
    // A game without a mistake goes on, and a limit on turns gives it to the winner.
    assert_eq!(fields(&games[1], "result ending"), json!(["1-0", "normal"]));
    assert_eq!(summary["failed"], json!([0, 0]));
    let players = ["phutbase ugi"; 2];
    let (games, _) = games_and_summary(&play_match(&format!("{keys} --maxmoves 1"), players).ok());
    assert_eq!(fields(&games[0], "result ending"), json!(["1-0", "adjudication"]));
    // A pitch needs a table.
    let pitch = "19x15 --rounds 1 --adjudicate solution";
    play_match(pitch, players).fails(1, &["no table", "19x15"]);
}

/// An engine that reports a score, and puts a stone further to the right in each turn.
fn scoring(score: &str) -> String {
    on_go(&format!(
        "n=$((${{n:-50}}+2)); echo info depth 1 score {score}; echo bestmove o$n"
    ))
}

#[test]
fn scores_end_games() {
    let losing = |score: &str| scoring(score);
    let winning = on_go("n=$((${n:-50}+2)); echo info score cp 700; echo bestmove o$((n+1))");
    let silent = on_go("n=$((${n:-50}+2)); echo bestmove o$((n+1))");
    let game = |options: &str, engines: [&str; 2]| {
        let run = play_match(&format!("201 --json --rounds 1 --maxmoves 12 {options}"), engines).ok();
        fields(&games_and_summary(&run).0[0], "result ending turns")
    };
    let ends = |game: &Json, result: &str, ending: &str, turns: usize| {
        assert_eq!((&game[0], &game[1]), (&result.into(), &ending.into()), "{game}");
        assert_eq!(game[2].as_array().unwrap().len(), turns, "{game}");
    };
    let resign = "--resign movecount=3 score=600";
    for score in ["cp -600", "mate -4"] {
        ends(&game(resign, [&losing(score), &silent]), "0-1", "adjudication", 5);
    }
    ends(
        &game(resign, [&losing("cp -599"), &silent]),
        "1/2-1/2",
        "adjudication",
        12,
    );
    let twosided = format!("{resign} twosided=true");
    ends(
        &game(&twosided, [&losing("cp -600"), &silent]),
        "1/2-1/2",
        "adjudication",
        12,
    );
    ends(
        &game(&twosided, [&losing("cp -600"), &winning]),
        "0-1",
        "adjudication",
        6,
    );
    let even = on_go("n=$((${n:-50}+2)); echo info score cp -8; echo bestmove o$((n+1))");
    let draw = "--draw movenumber=4 movecount=2 score=8";
    ends(
        &game(draw, [&scoring("cp 8"), &even]),
        "1/2-1/2",
        "adjudication",
        8,
    );
    ends(
        &game(draw, [&scoring("cp 9"), &even]),
        "1/2-1/2",
        "adjudication",
        12,
    );
    ends(
        &game("--draw movecount=2 score=8", [&scoring("cp 8"), &even]),
        "1/2-1/2",
        "adjudication",
        4,
    );
}
