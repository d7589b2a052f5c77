//! `phutbase match`, and the example engine.

use super::ugi::Engine;
use crate::prelude::*;
use phutbase_engine::matches::score::MatchScore;

/// Runs `phutbase match` with options between two engines.
pub(super) fn play_match(options: &str, engines: [&str; 2]) -> Run {
    let mut command = phutbase(&format!("match {options}"));
    for engine in engines {
        let program = env!("CARGO_BIN_EXE_phutbase");
        let cmd = engine.replace("phutbase ", &format!("'{program}' "));
        command.arg("--engine").arg(format!("cmd={cmd}"));
    }
    Run::of(&mut command)
}

/// Returns the lines of the games and the last line.
pub(super) fn games_and_summary(run: &Run) -> (Vec<Json>, Json) {
    let mut lines = run.json_lines();
    let summary = lines.pop().unwrap();
    lines.retain(|line| line["round"].is_u64());
    (lines, summary)
}

#[test]
fn a_match_plays_every_opening_twice_with_colours_changed() {
    let directory = tempfile::tempdir().unwrap();
    let [openings, record] = ["openings.epd", "games.pgn"].map(|name| directory.path().join(name));
    // The openings are decided, so each player scores one point of two from each.
    std::fs::write(
        &openings,
        "# two\n.@oo.... L value win; depth 1; id \"one\";\n\no@o.o.o.... L\n",
    )
    .unwrap();
    let options = format!(
        "--json --concurrency 2 --openings {} --pgnout {} --each st=0.05",
        openings.display(),
        record.display()
    );
    let run = play_match(&options, ["phutbase ugi", "phutbase ugi --seed 1"]).ok();
    let (games, summary) = games_and_summary(&run);
    assert_eq!(fields(&summary, "wins losses draws"), json!([2, 2, 0]));
    assert_eq!(summary["pairs"], json!([0, 0, 2, 0, 0]));
    assert_eq!(summary["elo"], 0.0);
    assert!(!run.stdout.contains("-0.0"), "{run:?}");
    let starts: Vec<&str> = games
        .iter()
        .map(|game| game["position"].as_str().unwrap())
        .collect();
    assert_eq!(starts, [".@oo....", ".@oo....", "o@o.o.o....", "o@o.o.o...."]);
    assert_eq!(games[0]["first"], games[1]["second"]);
    assert_eq!(fields(&games[2], "result ending"), json!(["1-0", "normal"]));
    assert_eq!(games[2]["turns"].as_array().unwrap().len(), 13);
    let pgn = std::fs::read_to_string(record).unwrap();
    let tags = |tag: &str| {
        pgn.lines()
            .filter(|line| line.starts_with(&format!("[{tag} ")))
            .count()
    };
    assert_eq!((tags("White"), tags("FEN"), tags("Result")), (4, 4, 4), "{pgn}");
    has(&pgn, &["[Event \"one\"]", "[Round \"2.2\"]"]);
}

#[test]
fn a_fault_loses_the_game_for_the_engine_that_commits_it() {
    for (go, ending) in [
        ("echo bestmove o99", "rules infraction"),
        ("exit 3", "abandoned"),
        ("sleep 100", "time forfeit"),
    ] {
        let faulty = on_go(go);
        for place in [0, 1] {
            let mut engines = ["phutbase ugi"; 2];
            engines[place] = &faulty;
            let run = play_match("9 --json --each st=0.05 timemargin=1500 --rounds 1", engines).ok();
            let (games, summary) = games_and_summary(&run);
            assert_eq!(games.len(), 2);
            assert!(games.iter().all(|game| game["ending"] == ending), "{run:?}");
            let lost = [[0, 2], [2, 0]][place];
            assert_eq!(fields(&summary, "wins losses"), json!(lost), "{run:?}");
            let mut faults = [0, 0];
            faults[place] = 2;
            assert_eq!(summary["failed"], json!(faults));
        }
    }
    // An engine that the system does not start is not at fault.
    for (engine, code) in [("no-such-engine", 3), ("false", 1)] {
        play_match("9", ["phutbase ugi", engine]).refuses(code, &["did not become ready", engine]);
    }
}

#[test]
fn a_test_of_strength_ends_when_it_is_decided() {
    let openings = tempfile::NamedTempFile::new().unwrap();
    let starts = run("find 15 --suite --depth 9.. --sample 5").ok().stdout;
    std::fs::write(openings.path(), starts).unwrap();
    let options = format!(
        "--openings {} --json --rounds 400 --each st=0.02 --sprt elo0=0 elo1=200",
        openings.path().display()
    );
    let run = |first: &str, second: &str| play_match(&options, [first, second]);
    let (perfect, random) = ("phutbase ugi", "phutbase ugi --player random");
    let (games, summary) = games_and_summary(&run(perfect, random).ok());
    assert_eq!(summary["accepted"], "H1");
    assert!(games.len() < 100 && games.len() % 2 == 0, "{summary}");
    let lost = run(random, perfect);
    lost.fails(1, &["accepts H0"]);
    assert_eq!(games_and_summary(&lost).1["accepted"], "H0");
    // Two games of equal players decide nothing.
    let options = options.replace("--rounds 400", "--rounds 2");
    let open = play_match(&options, [perfect, perfect]);
    open.fails(4, &["undecided after 4 games"]);
    assert_eq!(games_and_summary(&open).1["accepted"], Json::Null);
}

#[test]
fn the_score_is_printed_while_a_match_goes_on() {
    let options = "9 --rounds 4 --ratinginterval 3 --each st=1ms option.seed=1";
    let players = ["phutbase ugi --player random"; 2];
    let run = play_match(&format!("{options} --json"), players).ok();
    let mut scores = run.json_lines();
    scores.retain(|line| line["engines"].is_array());
    let games: Vec<&Json> = scores.iter().map(|score| &score["games"]).collect();
    assert_eq!(games, [3, 6, 8]);
    for score in scores {
        let counts = ["wins", "losses", "draws"].map(|field| score[field].as_u64().unwrap());
        assert_eq!(score["games"], counts.iter().sum::<u64>());
    }
    let text = play_match(options, players).ok().stdout;
    assert_eq!(
        text.lines().filter(|line| line.contains("; Elo ")).count(),
        2,
        "{text}"
    );
}

/// Games are recorded as they end; an interruption shows the score, and `--resume` goes on.
#[cfg(unix)]
#[test]
fn an_interrupted_match_keeps_its_games_and_resumes() {
    let directory = tempfile::tempdir().unwrap();
    let record = directory.path().join("games.pgn");
    std::fs::write(&record, "[Event \"other\"]\n[Round \"1.1\"]\n\n1-0\n\n").unwrap();
    let command = |rounds: usize, resume: &str| {
        let options = format!(
            "9 --json --each st=1ms option.seed=1 --rounds {rounds} --pgnout {} {resume}",
            record.display()
        );
        let mut command = phutbase(&format!("match {options}"));
        for name in ["one", "other"] {
            let cmd = format!("cmd='{}' ugi --player random", env!("CARGO_BIN_EXE_phutbase"));
            command.arg("--engine").arg(cmd).arg(format!("name={name}"));
        }
        command
    };
    let games = || {
        let text = std::fs::read_to_string(&record).unwrap();
        text.lines().filter(|line| line.starts_with("[White ")).count()
    };
    let mut command_line = command(100_000, "");
    let child = (command_line.stdout(Stdio::piped()).stderr(Stdio::piped()))
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while games() < 3 {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    send("INT", child.id());
    let run = Run::from(child.wait_with_output().unwrap());
    let played = games();
    let (_, summary) = games_and_summary(&run);
    let scored: u64 = ["wins", "losses", "draws"]
        .iter()
        .map(|field| summary[field].as_u64().unwrap())
        .sum();
    assert_eq!(scored, played as u64);
    run.fails(130, &["interrupted after", "--resume"]);
    // A game cut short by a crash is played again.
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, &text[..text.len() - 3]).unwrap();
    assert!(text.starts_with("[Event \"other\"]"));
    let rounds = played + 2;
    let run = Run::from(command(rounds, "--resume").output().unwrap()).ok();
    let (rest, summary) = games_and_summary(&run);
    assert_eq!((games(), rest.len()), (2 * rounds, 2 * rounds - (played - 1)));
    let scored: u64 = ["wins", "losses", "draws"]
        .iter()
        .map(|field| summary[field].as_u64().unwrap())
        .sum();
    assert_eq!(scored, 2 * rounds as u64);
    // Games of other engines are not continued.
    let journal = directory.path().join("games.pgn.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, text.replacen("\"one\"", "\"x\"", 1)).unwrap();
    Run::from(command(rounds, "--resume").output().unwrap()).refuses(2, &["another match", "'x', not 'one'"]);
}

/// An output that cannot be written is refused before the work begins.
#[test]
fn outputs_are_refused_before_the_work() {
    let directory = tempfile::tempdir().unwrap();
    let marker = directory.path().join("started");
    let engine = format!("cmd=sh -c 'touch {}; exit'", marker.display());
    let certify = ["9/9/9/3o5/4o4/4@4/3o1o3/9/9/9/9 A"];
    // Without a table, and without a certificate, the work would fail otherwise.
    let cases: [(&str, &[&str]); 4] = [
        (
            "match 9 --pgnout /nonexistent/x",
            &["--engine", &engine, "--engine", &engine],
        ),
        ("test-engine 5 --junit /nonexistent/x", &["--engine", &engine]),
        (
            "find 120 --suite --sample 5 --out /nonexistent/x --tables tests",
            &[],
        ),
        ("certify --out /nonexistent/x", &certify),
    ];
    let runs = cases.map(|(command, rest)| Run::from(phutbase(command).args(rest).output().unwrap()));
    let refused = runs
        .each_ref()
        .map(|run| run.code == Some(3) && run.stderr.contains("/nonexistent/x"));
    assert_eq!(refused, [true; 4], "{runs:?}");
    assert!(!marker.exists());
}

/// An engine may write much before its turn, but not without end.
#[test]
fn only_a_flood_of_output_ends_an_engine() {
    let many = on_go("yes info string x | head -n 150000; echo bestmove o0");
    let run = play_match(
        "9 --json --maxmoves 1 --rounds 1 --each st=10s",
        [&many, "phutbase ugi"],
    )
    .ok();
    let (games, _) = games_and_summary(&run);
    assert_eq!(games[0]["turns"], json!(["o0"]), "{run:?}");
    let flood = on_go("exec yes info string x");
    let run = play_match(
        "9 --json --maxmoves 1 --rounds 1 --each st=50ms timemargin=10min",
        [&flood, "phutbase ugi"],
    )
    .ok();
    let (games, _) = games_and_summary(&run);
    has(games[0]["message"].as_str().unwrap(), &["MiB before 'bestmove'"]);
}

/// Without a limit of time `timeout=` limits a turn.
#[test]
fn a_limit_of_depth_has_the_time_of_the_key_timeout() {
    let engines = [&on_go("sleep 100")[..], "phutbase ugi"];
    for limit in ["depth=3", "nodes=3"] {
        let keys = format!("9 --json --rounds 1 --each {limit} timeout=900ms timemargin=100ms");
        let (games, _) = games_and_summary(&play_match(&keys, engines).ok());
        assert_eq!(games[0]["ending"], "time forfeit");
        has(
            games[0]["message"].as_str().unwrap(),
            &["no 'bestmove' within 1000 ms"],
        );
    }
}

/// The end of one engine leaves the processes of the other alone, also those without a parent.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_ends_takes_no_process_of_the_other_with_it() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    let file = file.display();
    let helped = on_go(&format!(
        "[ -e {file} ] || ( sleep 60 >/dev/null & echo $! >{file} ); kill -0 $(cat {file}) && echo bestmove o0 || echo bestmove o99"
    ));
    let run = play_match("9 --json --rounds 3", [&helped, &on_go("exit 3")]).ok();
    let (_, summary) = games_and_summary(&run);
    assert_eq!(fields(&summary, "wins failed"), json!([6, [0, 6]]), "{run:?}");
}

/// Games that repeat are one observation, however often they are played.
#[test]
fn games_that_repeat_decide_nothing() {
    let openings = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(openings.path(), "....@.... L\n...@..... L\n").unwrap();
    let options = format!(
        "--openings {} --rounds 52 --maxmoves 4 --sprt elo0=0 elo1=200",
        openings.path().display()
    );
    let engines = [on_go("echo bestmove o0"), on_go("echo bestmove o99")];
    let engines = engines.each_ref().map(|engine| &engine[..]);
    let run = play_match(&format!("{options} --json"), engines);
    run.fails(4, &["undecided after 104 games"]);
    let (_, summary) = games_and_summary(&run);
    let expected = json!([104, 104, 100, [0, 0, 0, 0, 2], null]);
    assert_eq!(fields(&summary, "games wins repeated pairs accepted"), expected);
    has(
        &play_match(&options, engines).stdout,
        &["100 games repeat earlier ones"],
    );
}

/// An engine that writes these lines of shell for every 'go'.
pub(super) fn on_go(go: &str) -> String {
    format!(
        "sh -c 'while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; go*) {go};; esac; done'"
    )
}

/// Overdrawn time stays owed: the margin is for all turns of a game together.
#[test]
fn a_clock_that_is_overdrawn_again_and_again_loses() {
    // Each turn is a stone further to the right.
    let slow = on_go("sleep 0.2; n=$((${n:-50}+1)); echo bestmove o$n");
    let engines = [&slow[..], "phutbase ugi"];
    let keys = "101 --json --rounds 1 --maxmoves 12 --each timemargin=500ms";
    let run = play_match(&format!("{keys} tc=0.1+0"), engines).ok();
    let (games, _) = games_and_summary(&run);
    let lost = games.iter().find(|game| game["first"] == 0).unwrap_or(&games[0]);
    assert_eq!(lost["ending"], "time forfeit", "{run:?}");
    has(lost["message"].as_str().unwrap(), &["no 'bestmove' within"]);
    // The increment pays what is owed.
    let run = play_match(&format!("{keys} tc=0.1+1"), engines).ok();
    let (games, _) = games_and_summary(&run);
    assert!(
        games.iter().all(|game| game["ending"] != "time forfeit"),
        "{run:?}"
    );
}

/// The second answer to one 'go' is a fault, and is not taken for the answer to the next.
#[test]
fn a_second_answer_to_one_go_loses_the_game() {
    let twice = on_go("echo bestmove o0; echo bestmove o1");
    let run = play_match("9 --json --rounds 1 --each st=2s", [&twice, "phutbase ugi"]).ok();
    let (games, summary) = games_and_summary(&run);
    assert_eq!(fields(&games[0], "result ending"), json!(["0-1", "abandoned"]));
    has(
        games[0]["message"].as_str().unwrap(),
        &["second 'bestmove' to 'go movetime 2000'"],
    );
    assert_eq!(summary["failed"], json!([2, 0]));
}

#[test]
fn times_have_units_everywhere() {
    for keys in [
        "st=20ms timemargin=2s",
        "st=0.02 timemargin=2000",
        "tc=1s+20ms",
        "tc=1+0.02",
    ] {
        play_match(&format!("9 --rounds 1 --each {keys}"), ["phutbase ugi"; 2]).ok();
    }
    for keys in ["st=20miles", "timemargin=-1", "tc=1+x"] {
        play_match(&format!("9 --each {keys}"), ["phutbase ugi"; 2]).refuses(2, &["give a time"]);
    }
    let mut command = phutbase("test-engine 5 --sample 5 --engine st=500ms");
    command.arg(format!("cmd='{}' ugi", env!("CARGO_BIN_EXE_phutbase")));
    Run::from(command.output().unwrap()).ok();
}

#[test]
fn the_lines_of_both_engines_are_logged_on_request() {
    let run = play_match(
        "9 -v --rounds 1 --maxmoves 2",
        ["phutbase ugi", "phutbase ugi --seed 1"],
    )
    .ok();
    has(&run.stderr, &["ugi > go movetime 100", "--seed 1 < bestmove"]);
}

#[test]
fn elo_and_its_error_bars_are_those_of_pairs() {
    let mut score = MatchScore::default();
    score.pairs = [10, 10, 30, 20, 30];
    // 62.5 % of the points; 400 · log10(0.625 / 0.375).
    assert!((score.elo().unwrap() - 88.74).abs() < 0.01);
    // Mean 0.625, variance 0.103125, 99 degrees of freedom.
    let share = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    let [low, high] = score.error_bars().unwrap().map(share);
    assert!(
        (low - 0.56174).abs() < 1e-4 && (high - 0.68826).abs() < 1e-4,
        "{low} {high}"
    );
    // The normal distribution at 0.125 / sqrt(0.103125 / 99) = 3.8730.
    assert!((score.los().unwrap() - 0.999_946_2).abs() < 1e-7);
    score.pairs = [30, 20, 30, 10, 10];
    assert!((score.los().unwrap() - 0.000_053_8).abs() < 1e-6);
    score.pairs = [0, 0, 7, 0, 0];
    assert_eq!((score.error_bars(), score.los()), (None, None));
}

#[test]
fn invalid_matches_are_refused() {
    let refuses = |arguments: &str, reason: &str| {
        run(&format!("match {arguments}")).refuses(2, &[reason]);
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    for (text, reason) in [
        ("\n", "no openings"),
        (".@.o\n.@@.\n", "line 2"),
        ("oddish:..o^o.\n", "line 1"),
    ] {
        std::fs::write(file.path(), text).unwrap();
        refuses(
            &format!(
                "--openings {} --engine cmd=a --engine cmd=b",
                file.path().display()
            ),
            reason,
        );
    }
}

#[test]
fn the_sample_engine_makes_only_legal_turns_and_wins_where_it_can() {
    let engine = ["python3", "examples/sample_engine.py"];
    if python(&["-c", ""]).is_none() {
        return;
    }
    let run: Run = (phutbase("test-engine 3..14 --sample 240 --json --"))
        .args(engine)
        .output()
        .unwrap()
        .into();
    let lines = run.json_lines();
    let all = &lines[lines.len() - 1];
    assert_eq!((&all["illegal"], &all["failed"]), (&0.into(), &0.into()), "{all}");
    assert!(all["score"].as_f64().unwrap() > 90.0, "{all}");
    // Two turns in one command, and an immediate win.
    let mut engine = Engine::of({
        let mut command = std::process::Command::new("python3");
        command.arg("examples/sample_engine.py");
        command
    });
    engine.send("position fen .@oo.o L moves o4 o0");
    assert_eq!(engine.ask("go movetime 10", "bestmove"), "@R");
    engine.send("position startpos moves o11");
    assert_eq!(engine.ask("go movetime 10", "bestmove"), "o9");
}
