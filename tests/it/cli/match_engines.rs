//! `phutbase match`: the processes of the engines, their clocks, and tournaments.

use super::matches::{on_go, play_match};
use crate::prelude::*;

/// A clock gets its time again after the turns of a session, and `go` has the number of turns left.
#[test]
fn a_clock_is_renewed_after_the_moves_of_a_session() {
    let engine = on_go("n=$((${n:-50}+2)); echo $line >&2; echo bestmove o$n");
    let other = on_go("n=$((${n:-50}+2)); echo bestmove o$((n+1))");
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("stderr");
    let keys = format!("tc=2/60+5 stderr={}", file.display());
    let record = directory.path().join("games.pgn");
    let options = format!(
        "201 --rounds 1 --maxmoves 6 --pgnout {} --each {keys}",
        record.display()
    );
    play_match(&options, [&engine, &other]).ok();
    let text = std::fs::read_to_string(&file).unwrap();
    let mut words = text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    for (turns, least, most) in [
        ("2", 59_000, 60_000),
        ("1", 63_000, 65_000),
        ("2", 126_000, 130_000),
    ] {
        let go = words.next().unwrap();
        assert_eq!(
            (go[0], go[1], &go[9..]),
            ("go", "p1time", &["movestogo", turns][..]),
            "{text}"
        );
        let time: u64 = go[2].parse().unwrap();
        assert!((least..=most).contains(&time), "{text}");
    }
    has(
        &std::fs::read_to_string(record).unwrap(),
        &["[TimeControl \"2/60+5\"]", "tc=2/60s+5s"],
    );
}

/// `dir=` is the working directory, and `restart=on` starts a process for each game.
#[test]
fn engines_start_where_and_when_they_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let script = "#!/bin/sh\necho started >>here\nwhile read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; go*) echo bestmove o0;; esac; done\n";
    let path = directory.path().join("engine.sh");
    std::fs::write(&path, script).unwrap();
    Command::new("chmod").arg("+x").arg(&path).status().unwrap();
    let started = || {
        std::fs::read_to_string(directory.path().join("here"))
            .unwrap()
            .lines()
            .count()
    };
    let mut total = 0;
    for (restart, count) in [("off", 1), ("on", 6)] {
        let options = format!("9 --rounds 3 --maxmoves 1 --each restart={restart}");
        let mut command = phutbase(&options.replace("9 ", "match 9 "));
        command.args([
            "--engine",
            "cmd=./engine.sh",
            &format!("dir={}", directory.path().display()),
        ]);
        command.args([
            "--engine",
            &format!("cmd='{}' ugi", env!("CARGO_BIN_EXE_phutbase")),
        ]);
        Run::from(command.output().unwrap()).ok();
        total += count;
        assert_eq!(started(), total, "{restart}");
    }
    // A file that cannot be written, and a directory that is not there, are named.
    for key in ["stderr=/nonexistent/x", "dir=/nonexistent"] {
        let run = play_match(&format!("9 --each {key}"), ["phutbase ugi"; 2]);
        run.refuses(3, &["did not become ready", "No such file"]);
    }
}

#[test]
fn the_log_has_every_line_with_its_time() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let log = || std::fs::read_to_string(file.path()).unwrap();
    let times = || -> Vec<f64> {
        let log = log();
        log.lines()
            .map(|line| line.split(' ').next().unwrap().parse().unwrap())
            .collect()
    };
    let slow = on_go("sleep 0.2; echo bestmove o0");
    let option = format!("--log {}", file.path().display());
    play_match(
        &format!("9 --rounds 1 --maxmoves 1 {option} --each st=1s"),
        [&slow, "phutbase ugi"],
    )
    .ok();
    let text = log();
    let line = |end: &str| text.lines().position(|line| line.ends_with(end)).unwrap();
    let (asked, told) = (line("> go movetime 1000"), line("< bestmove o0"));
    let taken = times()[told] - times()[asked];
    assert!((0.2..2.0).contains(&taken) && times().is_sorted(), "{text}");
    run(&format!("test-engine 3 --sample 2 {option} -- sh -c exit")).fails(1, &["did not become ready"]);
    has(&log(), &["sh -c exit > ugi"]);
    run("match 9 --log /nonexistent/x --engine cmd=a --engine cmd=b").refuses(3, &["/nonexistent/x"]);
}

/// The engines of a tournament, by name: one never errs, two put a stone and lose, the last is illegal.
fn tournament(options: &str) -> Command {
    let mut command = phutbase(&format!("match {options} --json --each st=5s"));
    let program = format!("'{}' ugi", env!("CARGO_BIN_EXE_phutbase"));
    let engines = [
        ("perfect", program.clone()),
        ("random", format!("{program} --player random --seed 4")),
        ("illegal", on_go("echo bestmove o99")),
    ];
    for (name, cmd) in engines {
        command.args(["--engine", &format!("cmd={cmd}"), &format!("name={name}")]);
    }
    command
}

#[test]
fn more_than_two_engines_play_a_tournament() {
    let directory = tempfile::tempdir().unwrap();
    let openings = directory.path().join("openings.epd");
    std::fs::write(&openings, "....@.... L\n...@..... L\n").unwrap();
    let openings = format!("--openings {}", openings.display());
    for (kind, pairings) in [
        (
            "round-robin",
            &[
                ("perfect", "random"),
                ("perfect", "illegal"),
                ("random", "illegal"),
            ][..],
        ),
        ("gauntlet", &[("perfect", "random"), ("perfect", "illegal")][..]),
    ] {
        let options = format!("{openings} --tournament {kind} --ratinginterval 0 --concurrency 2");
        let run = Run::from(tournament(&options).output().unwrap()).ok();
        let lines = run.json_lines();
        let (games, rows) = lines.split_at(4 * pairings.len());
        for (number, game) in games.iter().enumerate() {
            let (one, other) = pairings[number / 2 % pairings.len()];
            let (first, second) = if number % 2 == 0 {
                (one, other)
            } else {
                (other, one)
            };
            assert_eq!(fields(game, "first second"), json!([first, second]), "{game}");
            let opening = ["....@....", "...@....."][number / 2 / pairings.len()];
            assert_eq!(game["position"], opening);
        }
        // The points, by the games that were printed.
        assert_eq!(rows.len(), 3, "{run:?}");
        for row in rows {
            let name = &row["engine"];
            let won = |game: &&Json| {
                let winner = if game["result"] == "1-0" {
                    "first"
                } else {
                    "second"
                };
                game[winner] == *name && game["result"] != "1/2-1/2"
            };
            let own = games
                .iter()
                .filter(|game| game["first"] == *name || game["second"] == *name);
            assert_eq!(row["wins"], own.clone().filter(won).count());
            assert_eq!(row["games"], own.count());
        }
        let places = rows.iter().map(|row| row["place"].as_u64().unwrap());
        assert!(places.eq(1..=3));
        let last = &rows[2];
        let faults = if kind == "gauntlet" { 4 } else { 8 };
        assert_eq!(fields(last, "engine wins failed"), json!(["illegal", 0, faults]));
    }
    let text = tournament(&openings).output().unwrap();
    assert!(Run::from(text).ok().stdout.lines().count() > 3);
}

#[test]
fn a_tournament_resumes() {
    let directory = tempfile::tempdir().unwrap();
    let record = directory.path().join("games.pgn");
    let options = |rounds| format!("9 --rounds {rounds} --resume --pgnout {}", record.display());
    let games = |run: &Run| {
        run.json_lines()
            .iter()
            .filter(|line| line["round"].is_u64())
            .count()
    };
    let run = |options: &str| Run::from(tournament(options).output().unwrap());
    assert_eq!(games(&run(&options(1)).ok()), 6);
    let both = run(&options(2)).ok();
    assert_eq!(games(&both), 6);
    let rows = both.json_lines();
    let played: u64 = rows
        .iter()
        .filter_map(|row| row["games"].as_u64())
        .rev()
        .take(3)
        .sum();
    assert_eq!(played, 24);
    let text = std::fs::read_to_string(&record).unwrap();
    assert_eq!(text.matches("[White \"illegal\"]").count(), 4, "{text}");
    // Another schedule is another match.
    let other = format!("{} --tournament gauntlet", options(2));
    run(&other).refuses(2, &["another match", "gauntlet"]);
}
