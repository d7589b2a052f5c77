//! The program on pitches.

use crate::prelude::*;

const DRAWN: &str = "3/3/2o/1o1/3/@2/3 A";

/// Returns a field of every object of an array.
fn each<'a>(array: &'a Json, name: &str) -> Vec<&'a Json> {
    let objects = array.as_array().unwrap().iter();
    objects.map(|object| &object[name]).collect()
}

#[test]
fn generate_stats_verify_and_draws_of_a_pitch() {
    let tables = Tables::none();
    let one = |arguments: &str| tables.lines(arguments).remove(0);
    let made = one("generate 7x3");
    let expected = json!(["pitch", "7x3", "written", 15_728_640, 32]);
    assert_eq!(fields(&made, "game boards status positions draws"), expected);
    assert_eq!(one("generate 7x3")["status"], "present");
    assert_eq!(tables.table_names(), ["pitch-7x3-dtw.phut"]);

    assert_eq!(fields(&one("stats"), "boards draws"), json!(["7x3", 32]));
    let stats = one("stats 7x3");
    assert_eq!(fields(&stats, "draws mutual_draws longest"), json!([32, 0, 35]));
    let counts = stats["depths"].as_object().unwrap().values();
    assert_eq!(
        counts.map(|count| count.as_u64().unwrap()).sum::<u64>() + 32,
        15_728_640
    );
    assert!(tables.run("stats").ok().stdout.contains("7x3"));
    assert_eq!(fields(&one("verify"), "ok boards"), json!([true, "7x3"]));

    let draws = one("find 7x3 --value draw --cycles --limit 100");
    assert_eq!(fields(&draws, "draws mutual_draws distinct"), json!([32, 0, 16]));
    let mut examples = draws["examples"].as_array().unwrap().iter();
    let drawn = examples.find(|example| example["position"] == DRAWN).unwrap();
    assert_eq!(fields(drawn, "period forced"), json!([6, true]));
    assert_eq!(drawn["cycle"][2], "a2-c4-c6");
}

#[test]
fn a_drawn_position_is_probed() {
    let tables = Tables::none();
    let counted = tables.lines("generate 7x3 --count-only").remove(0);
    let expected = json!([12_100_828, 3_627_780, 32, 35]);
    assert_eq!(fields(&counted, "wins losses draws longest"), expected);
    assert!(tables.table_names().is_empty());
    // The verb does not make a missing table. It says how to.
    let cycles = "find 7x3 --value draw --cycles";
    tables.run(cycles).fails(1, &["phutbase generate 7x3"]);
    assert!(tables.table_names().is_empty());
    tables.run("generate 7x3").ok();
    let words = tables.run(cycles).ok().stdout;
    has(&words, &["15,728,640 positions, 32 draws, 0 mutual"]);
    let answer = tables.run_with("probe --line --json", DRAWN).json();
    let expected = json!(["draw", null, null, "alfred", "pitch"]);
    assert_eq!(fields(&answer, "value depth winner side game"), expected);
    let moves = &answer["turns"];
    let expected = json!(["a3", "draw", "3/3/2o/1o1/o2/@2/3 B"]);
    assert_eq!(fields(&moves[0], "move value position"), expected);
    assert!(each(moves, "value")[1..].iter().all(|value| *value == "loss"));
    let depths = each(moves, "depth");
    let depths = depths[1..].iter().map(|depth| depth.as_u64().unwrap());
    assert!(depths.is_sorted_by(|a, b| a >= b), "the longest losses first");
    assert_eq!(answer["line"].as_array().unwrap().len(), 6);
    // Betty wins the same board if she is to move.
    let betty = tables.probe("3/3/2o/1o1/3/@2/3 B");
    assert_eq!(fields(&betty, "side winner"), json!(["betty", "betty"]));
}

#[test]
fn wins_lists_every_winning_turn() {
    let answer = run_with("probe --wins --json", "4o/2oo1/@2oo/oooo1/o3o B").json();
    assert_eq!(each(&answer["turns"], "move"), ["a3-c1", "a3-S", "a3-c1-c3-SE"]);
    run_with("probe --wins", DRAWN).refuses(1, &["Alfred has no win in one"]);
    let official = "15/15/15/15/15/15/15/15/15/7@7/15/15/15/15/15/15/15/15/15 B";
    assert_eq!(
        run_with("probe --wins --json", official).json_lines()[0]["turns"],
        json!([])
    );
}

#[test]
fn win_in_one_is_decided_where_the_jumps_are_too_many_to_list() {
    // Chaps on two of three points.
    let row =
        |number: usize| ["o1oo1oo1oo1oo1o", "1oo1oo1oo1oo1oo", "oo1oo1oo1oo1oo1"][number % 3].to_string();
    let mut rows: Vec<String> = (0..19).map(row).collect();
    rows[9] = "1oo1oo1@o1oo1oo".into();
    let crowded = format!("{} A", rows.join("/"));
    let first = run_with("probe --wins --limit 1 --json", &crowded).json();
    assert_eq!(fields(&first, "value complete"), json!(["win", false]));
    assert_eq!(first["turns"].as_array().unwrap().len(), 1);
    let unlisted = run_with("probe --wins --limit 0 --json", &crowded).json();
    let expected = json!(["win", [], false]);
    assert_eq!(fields(&unlisted, "value turns complete"), expected);
    let listed = run_with("probe --wins", &crowded).ok().stdout;
    has(&listed, &["Alfred wins in one", "the list may be incomplete"]);
}

#[test]
fn a_table_is_verified_in_less_memory_than_it_takes_whole() {
    let tables = Tables::shipped(&["pitch-7x3-dtw.phut"]);
    let verified = tables.run("verify 7x3 --threads 1 --memory 8.7MiB -v").ok();
    assert!(verified.stdout.contains("every depth follows"));
    let said = "up to 8.7 MiB of memory";
    assert!(verified.stderr.contains(said), "{}", verified.stderr);
    let refused = tables.run("verify 7x3 --threads 1 --memory 100KiB");
    refused.fails(3, &["100.0 KiB", "memory"]);
}

#[test]
fn a_damaged_table_fails_its_check_and_is_replaced() {
    let tables = Tables::made("5x3");
    flip_byte(&tables.path().join("pitch-5x3-dtw.phut"), 100);
    let verified = tables.run("verify --json");
    assert_eq!(verified.json_lines()[0]["ok"], false);
    verified.fails(3, &["pitch-5x3-dtw.phut: damaged"]);
    assert_eq!(tables.lines("generate 5x3")[0]["status"], "replaced");
    tables.run("verify").ok();
}
