//! The program at work on pitches.

use crate::common::cli::{Tables, flip_byte, run, run_with};

const DRAWN: &str = "3/3/2o/1o1/3/@2/3 A";

#[test]
fn generate_stats_verify_and_draws_of_a_pitch() {
    let tables = Tables::none();
    let made = tables.run("generate 7x3 --json").json();
    assert_eq!((&made["game"], &made["boards"]), (&"pitch".into(), &"7x3".into()));
    assert_eq!(made["status"], "written");
    assert_eq!(made["positions"], 15_728_640);
    assert_eq!(made["draws"], 32);
    assert_eq!(tables.run("generate 7x3 --json").json()["status"], "present");
    assert_eq!(tables.table_names(), ["pitch-7x3-dtw.phut"]);

    let overview = tables.run("stats --json").json();
    let stats = tables.run("stats 7x3 --json").json();
    assert_eq!(
        (&overview["boards"], &overview["draws"]),
        (&"7x3".into(), &32.into())
    );
    assert_eq!((&stats["draws"], &stats["mutual_draws"]), (&32.into(), &0.into()));
    assert_eq!(stats["longest"], 35);
    let counts = stats["depths"]
        .as_object()
        .unwrap()
        .values()
        .map(|count| count.as_u64().unwrap());
    assert_eq!(counts.sum::<u64>() + 32, 15_728_640);
    assert!(tables.run("stats").ok().stdout.contains("7x3"));

    let verified = tables.run("verify --json").json();
    assert_eq!(
        (&verified["ok"], &verified["boards"]),
        (&true.into(), &"7x3".into())
    );
    assert!(
        tables
            .run("verify 7x3")
            .ok()
            .stdout
            .contains("every depth follows")
    );

    let draws = tables.run("draws 7x3 --show 100 --json").json();
    assert_eq!((&draws["draws"], &draws["mutual_draws"]), (&32.into(), &0.into()));
    assert_eq!(draws["distinct"], 16);
    let examples = draws["examples"].as_array().unwrap();
    let drawn = examples
        .iter()
        .find(|example| example["position"] == DRAWN)
        .unwrap();
    assert_eq!(drawn["period"], 6);
    assert_eq!(drawn["cycle"][2], "a2-c4-c6");
    assert_eq!(drawn["forced"], true);
}

#[test]
fn a_drawn_position_is_probed() {
    let tables = Tables::none();
    let counted = tables.run("draws 7x3 --count-only --json").json();
    assert_eq!(
        (&counted["wins"], &counted["losses"]),
        (&12_100_828.into(), &3_627_780.into())
    );
    assert_eq!((&counted["draws"], &counted["longest"]), (&32.into(), &35.into()));
    assert!(tables.table_names().is_empty());
    // What is missing is made.
    let words = tables.run("draws 7x3").ok().stdout;
    assert!(
        words.starts_with("pitch 7x3, Alfred to move: 15,728,640 positions, 32 draws, 0 mutual"),
        "{words}"
    );
    let answer = tables.run_with("probe --line --json", DRAWN).json();
    assert_eq!(answer["value"], "draw");
    assert_eq!((&answer["depth"], &answer["winner"]), (&().into(), &().into()));
    assert_eq!(
        (&answer["side"], &answer["game"]),
        (&"alfred".into(), &"pitch".into())
    );
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(
        (&moves[0]["move"], &moves[0]["value"]),
        (&"a3".into(), &"draw".into())
    );
    assert_eq!(moves[0]["position"], "3/3/2o/1o1/o2/@2/3 B");
    assert!(moves[1..].iter().all(|turn| turn["value"] == "loss"));
    let depths: Vec<u64> = moves[1..]
        .iter()
        .map(|turn| turn["depth"].as_u64().unwrap())
        .collect();
    assert!(depths.is_sorted_by(|a, b| a >= b), "the longest losses first");
    assert_eq!(answer["line"].as_array().unwrap().len(), 6);
    let words = tables.run_with("probe --line", DRAWN).ok().stdout;
    assert!(
        words.contains("a draw\n") && words.contains("until a position comes back"),
        "{words}"
    );
    // The other player's win on the same board.
    let betty = tables.run_with("probe --json", "3/3/2o/1o1/3/@2/3 B").json();
    assert_eq!(
        (&betty["side"], &betty["winner"]),
        (&"betty".into(), &"betty".into())
    );
}

#[test]
fn win_in_one_lists_every_winning_turn() {
    let answer = run_with("win-in-one --json", "4o/2oo1/@2oo/oooo1/o3o B").json();
    let moves: Vec<&str> = answer["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| turn["move"].as_str().unwrap())
        .collect();
    assert_eq!(moves, ["a3-c1", "a3-S", "a3-c1-c3-SE"]);
    let none = run_with("win-in-one", DRAWN).ok().stdout;
    assert!(none.contains("Alfred has no win in one"), "{none}");
    let official = "15/15/15/15/15/15/15/15/15/7@7/15/15/15/15/15/15/15/15/15 B";
    assert_eq!(
        run_with("win-in-one --json", official).json()["moves"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
}

#[test]
fn win_in_one_is_decided_where_the_jumps_are_too_many_to_list() {
    // A chap on two points of three: the jumps of a turn lead to more boards than anybody can list.
    let row =
        |number: usize| ["o1oo1oo1oo1oo1o", "1oo1oo1oo1oo1oo", "oo1oo1oo1oo1oo1"][number % 3].to_string();
    let mut rows: Vec<String> = (0..19).map(row).collect();
    rows[9] = "1oo1oo1@o1oo1oo".into();
    let crowded = format!("{} A", rows.join("/"));
    let first = run_with("win-in-one --first --json", &crowded).json();
    assert_eq!(
        (first["value"].as_str(), first["complete"].as_bool()),
        (Some("win"), Some(false))
    );
    assert_eq!(first["moves"].as_array().unwrap().len(), 1);
    let listed = run_with("win-in-one", &crowded).ok().stdout;
    assert!(
        listed.contains("Alfred wins in one") && listed.contains("not all were listed"),
        "{listed}"
    );
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let tables = Tables::none();
    for (arguments, last, code, parts) in [
        ("probe", "3/1@1/2", 2, &["row 1 has 2 points"][..]),
        ("probe", "3/3/1@1", 2, &["b1", "goal row"]),
        ("win-in-one", "@2/1@1/3", 2, &["two balls", "a3", "b2"]),
        ("probe", "5/5/2@2/5/5/5", 1, &["phutbase generate 6x5"]),
        ("stats", "3x3", 1, &["phutbase generate 3x3"]),
        ("verify", "3x3", 1, &["phutbase generate 3x3"]),
        ("generate", "19x15", 2, &["285 points", "up to 40"]),
        ("draws", "19x19", 2, &["361 points"]),
    ] {
        let run = match arguments {
            "win-in-one" => run_with(arguments, last),
            _ => tables.run_with(arguments, last),
        };
        let message = run.refusal(code);
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
    let small = tables.run("generate 6x4 --memory 0.01");
    assert!(small.refusal(1).contains("allow more with --memory"));
    assert_eq!(tables.run("generate 2x3").code, Some(2));
    assert_eq!(tables.run("generate 3x3 5").code, Some(2));
}

#[test]
fn a_table_is_verified_in_less_memory_than_it_takes_whole() {
    let tables = Tables::none();
    tables.run("generate 7x3").ok();
    let verified = tables.run("verify 7x3 --threads 1 --memory 0.0085").ok();
    assert!(verified.stdout.contains("every depth follows"));
    let said = "up to 8.7 MiB of memory, where all would take 10.1 MiB";
    assert!(verified.stderr.contains(said), "{}", verified.stderr);
    let refused = tables.run("verify 7x3 --threads 1 --memory 0.0001");
    let message = refused.failure(1);
    assert!(
        message.contains("104.9 KiB") && message.contains("memory"),
        "{message}"
    );
}

#[test]
fn a_damaged_table_fails_its_check_and_is_made_anew() {
    let tables = Tables::none();
    tables.run("generate 5x3").ok();
    let file = tables.path().join("pitch-5x3-dtw.phut");
    flip_byte(&file, 100);
    let verified = tables.run("verify --json");
    assert_eq!(verified.json_lines()[0]["ok"], false);
    assert!(verified.failure(1).contains("pitch-5x3-dtw.phut: damaged"));
    assert_eq!(tables.run("generate 5x3 --json").json()["status"], "replaced");
    tables.run("verify").ok();
}

#[test]
fn a_certificate_is_found_written_and_checked() {
    let tables = Tables::none();
    let file = tables.path().join("small.cert");
    let file = file.to_str().unwrap();
    let position = "4/1o2/o3/3o/@1o1/4 A";
    let found = run_with(&format!("certify --json --out {file}"), position).json();
    assert_eq!((&found["value"], &found["winner"]), (&"draw".into(), &().into()));
    let checked = run(&format!("check --json {file}")).json();
    assert_eq!(
        (&checked["ok"], &checked["value"]),
        (&true.into(), &"draw".into())
    );
    assert_eq!(checked["position"], position);
    assert!(run(&format!("check {file}")).ok().stdout.contains(": a draw"));
    // One turn of Alfred's changed: the first he makes.
    let text = std::fs::read_to_string(file).unwrap();
    let line = text
        .lines()
        .find(|line| line.ends_with(position) && !line.starts_with("position"))
        .unwrap();
    std::fs::write(file, text.replace(line, &format!("a1 {position}"))).unwrap();
    assert!(run(&format!("check {file}")).refusal(1).contains(position));
    assert!(
        run("check nowhere.cert")
            .refusal(1)
            .contains("nowhere.cert: cannot read it")
    );
    // An open game is not settled by threats.
    let open = "9/9/9/9/4@4/9/9/9/9 A";
    assert!(
        run_with("certify --boards 100 --nodes 100", open)
            .refusal(1)
            .contains("not found within the limit of 100 positions entered")
    );
    let won = run_with("certify --json", "3/1@1/1o1/1o1/3 B").json();
    assert_eq!((&won["value"], &won["winner"]), (&"win".into(), &"betty".into()));
}
