//! `--rules directional`, verb by verb.

use crate::common::cli::{Tables, run, run_with};
use serde_json::{Value as Json, json};

/// Strips of 3 to 11 squares and a pitch of the directional game.
fn tables() -> Tables {
    let tables = Tables::made("11 --rules directional");
    tables.run("generate 4x3 --rules directional").ok();
    tables
}

/// The words of the turns in an answer.
fn turns(answer: &Json) -> Vec<&str> {
    let moves = answer["moves"].as_array().unwrap().iter();
    moves.map(|turn| turn["move"].as_str().unwrap()).collect()
}

#[test]
fn probe_knows_the_turns_of_its_rules_and_says_so() {
    let tables = tables();
    let position = "o@o.o.o....";
    let directional = tables
        .run_with("probe --json --rules directional --line", position)
        .json();
    assert_eq!(directional["rules"], "directional");
    assert_eq!(
        (&directional["value"], &directional["depth"]),
        (&json!("win"), &json!(13))
    );
    assert!(turns(&directional).contains(&"@5") && !turns(&directional).contains(&"@L"));
    assert_eq!(directional["line"].as_array().unwrap().len(), 13);
    // Without the option it is the ordinary game, from the tables in the program.
    let ordinary = tables.run_with("probe --json", position).json();
    assert_eq!(ordinary.get("rules"), None);
    assert!(turns(&ordinary).contains(&"@L"));
    let right = tables
        .run_with("probe --json --rules directional", "o@o.o.o.... R")
        .json();
    assert!(turns(&right).contains(&"@L") && !turns(&right).contains(&"@3"));
    let said = tables.run_with("probe --rules directional", position).ok().stdout;
    assert!(
        said.starts_with("o@o.o.o....   Left to move, 11 squares (directional rules)\n"),
        "{said}"
    );

    // Betty could jump over the chap on b2 to c2; and from b1, below the ball, over the line.
    let pitch = "3/@2/3/3 A";
    let answer = tables.run_with("probe --json --rules directional", pitch).json();
    assert_eq!(
        (&answer["game"], &answer["rules"]),
        (&json!("pitch"), &json!("directional"))
    );
    let sideways = tables
        .run_with("probe --json --rules directional", "3/@o1/3/3 A")
        .json();
    assert!(
        turns(&sideways).iter().all(|turn| !turn.contains('-')),
        "{sideways}"
    );
    let ordinary = tables.run_with("probe --json", "3/@o1/3/3 A").json();
    assert!(turns(&ordinary).contains(&"a3-c3"));
}

#[test]
fn a_missing_table_is_asked_for_by_its_rules() {
    let tables = tables();
    let told = |arguments: &str, position: &str| tables.run_with(arguments, position).refusal(1).to_string();
    let strip = told("probe --rules directional", ".@..........");
    assert!(strip.contains("length 12 (directional rules)"), "{strip}");
    assert!(
        strip.contains("generate 12 --metric dtw --rules directional --tables"),
        "{strip}"
    );
    let pitch = told("probe --rules directional", "3/@2/3/3/3");
    assert!(
        pitch.contains("phutbase generate 5x3 --rules directional --tables"),
        "{pitch}"
    );
    let large = told("probe --rules directional", "9/@8/9/9");
    assert!(
        large.contains("36 points are too many for one") && !large.contains("certify"),
        "{large}"
    );
    tables.run("generate 12 --metric wdl --rules directional").ok();
    let depths = tables.run("stats 12 --ball 3 --rules directional");
    assert!(
        depths
            .failure(1)
            .contains("generate 12 --metric dtw --rules directional"),
        "{depths:?}"
    );
}

#[test]
fn generate_stats_verify_and_draws_keep_to_their_rules() {
    let tables = Tables::none();
    let made = tables.run("generate 10 --rules directional --json").json();
    let fields = ["rules", "boards", "wins", "status"].map(|field| &made[field]);
    assert_eq!(
        fields,
        [
            &json!("directional"),
            &json!("10"),
            &json!(2888),
            &json!("written")
        ]
    );
    assert!(
        made["file"]
            .as_str()
            .unwrap()
            .ends_with("/directional-strip-10-dtw.phut")
    );
    let said = tables.run("generate 10 --rules directional").ok().stdout;
    assert!(
        said.starts_with("length 10 (directional rules), Left to move: 2,888 wins"),
        "{said}"
    );
    tables.run("generate 4x3 --rules directional").ok();
    assert_eq!(
        tables.table_names(),
        ["directional-pitch-4x3-dtw.phut", "directional-strip-10-dtw.phut"]
    );
    // To the ordinary game there is nothing here.
    for verb in ["stats", "verify"] {
        let refusal = tables.run(verb).refusal(1).to_string();
        assert!(refusal.contains("no tables"), "{refusal}");
    }
    let stats = tables.run("stats --rules directional --json").ok().json_lines();
    let boards: Vec<&Json> = stats.iter().map(|line| &line["boards"]).collect();
    assert_eq!(boards, ["3", "4", "5", "6", "7", "8", "9", "10", "4x3"]);
    assert!(stats.iter().all(|line| line["rules"] == "directional"));
    let one = tables.run("stats 4x3 --rules directional --json").json();
    assert_eq!((&one["wins"], &one["longest"]), (&json!(9728), &json!(3)));
    let sequence = tables
        .run("stats 9..10 --rules directional --bfile wins")
        .ok()
        .stdout;
    assert_eq!(sequence, "9 1269\n10 2888\n");
    let verified = tables.run("verify --rules directional --json").ok().json_lines();
    assert_eq!(verified.len(), 2);
    assert!(
        verified
            .iter()
            .all(|line| line["ok"] == true && line["rules"] == "directional")
    );

    let draws = tables
        .run("draws 8..12 --rules directional --json")
        .ok()
        .json_lines();
    assert!(
        draws
            .iter()
            .all(|line| line["draws"] == 0 && line["rules"] == "directional")
    );
    assert!(
        tables
            .table_names()
            .contains(&"directional-strip-12-wdl.phut".to_string())
    );
    let longer = tables.run("draws 22 --rules directional --json").json();
    assert_eq!(
        (&longer["wins"], &longer["rules"]),
        (&json!(28_941_391), &json!("directional"))
    );
    let listed = tables.run("tables --json").ok().json_lines();
    let own = (listed.iter()).filter(|line| line["file"].as_str().unwrap().contains("directional-"));
    assert_eq!(
        own.filter(|line| line["rules"] == "directional" && line["error"].is_null())
            .count(),
        4
    );
}

/// The counts are those of an independent program (tests/data/directional_counts.tsv).
#[test]
fn draws_of_pitches_are_those_of_the_rules() {
    let tables = Tables::none();
    let counted = tables
        .run("draws 7x3 --count-only --rules directional --json")
        .json();
    assert_eq!((&counted["draws"], &counted["longest"]), (&json!(0), &json!(17)));
    assert_eq!(counted["rules"], "directional");
    let drawn = tables.run("draws 6x4 --rules directional --show 1 --json").json();
    assert_eq!(
        (&drawn["draws"], &drawn["mutual_draws"]),
        (&json!(1732), &json!(0))
    );
    let example = &drawn["examples"][0];
    assert_eq!(
        (&example["period"], &example["forced"]),
        (&json!(6), &json!(true))
    );
    assert_eq!(tables.table_names(), ["directional-pitch-6x4-dtw.phut"]);
    // The position is drawn, and its player must not stop.
    let position = example["position"].as_str().unwrap();
    let answer = tables
        .run_with("probe --rules directional --json --line", position)
        .json();
    assert_eq!(answer["value"], "draw");
    let keeping = answer["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|turn| turn["value"] == "draw");
    assert_eq!(keeping.count(), 1);
}

#[test]
fn a_batch_is_answered_by_its_rules() {
    let tables = tables();
    let input = b"o@o.o.o....\nobstruction:1+2\n4/4/4\n.@.\n";
    let batch = tables.run_on("probe --batch - --rules directional", input);
    let lines = batch.json_lines();
    assert_eq!(lines[0]["rules"], "directional");
    let refused = lines[1]["error"].as_str().unwrap();
    assert!(
        refused.contains("only strips and pitches are played by directional rules"),
        "{refused}"
    );
    assert_eq!(lines[3]["depth"], 3);
}

#[test]
fn other_games_and_verbs_have_no_such_rules() {
    for (arguments, reason) in [
        (
            "probe obstruction:1+2 --rules directional",
            "--rules changes nothing in a probe of Obstruction",
        ),
        (
            "probe oddish:..o^o. --rules directional",
            "--rules changes nothing in a probe of Oddish",
        ),
        (
            "stats obstruction:3x3 --rules directional",
            "--rules changes nothing in stats of Obstruction",
        ),
        (
            "verify obstruction:3x3 --rules directional",
            "--rules changes nothing in verifying nimbers",
        ),
        (
            "generate obstruction:3x3 --rules directional",
            "--rules changes nothing in finding nimbers",
        ),
        (
            "stats --rules sideways",
            "'sideways' is not one of ordinary, directional",
        ),
    ] {
        let refusal = run(arguments).refusal(2).to_string();
        assert!(refusal.contains(reason), "{refusal}");
    }
    for arguments in [
        "find 9 --rules directional",
        "export 9 --rules directional",
        "ugi --rules directional",
    ] {
        let refused = run(arguments);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains("--rules"), "{refused:?}");
    }
    assert_eq!(
        run_with("probe --rules ordinary --json", ".@.")
            .json()
            .get("rules"),
        None
    );
}

#[test]
fn the_theory_shows_where_the_games_part() {
    let lines = run("theory directional 19..23 --depths-length 22 --json")
        .ok()
        .json_lines();
    let told = |line: &Json| {
        (
            line["length"].as_u64().unwrap(),
            line["other_winner"].as_u64().unwrap(),
            line["other_depth"].as_u64(),
        )
    };
    let told: Vec<_> = lines.iter().map(told).collect();
    assert_eq!(
        told,
        [
            (19, 0, Some(0)),
            (20, 0, Some(3)),
            (21, 0, Some(13)),
            (22, 3, Some(41)),
            (23, 12, None)
        ]
    );
    assert!(
        lines
            .iter()
            .all(|line| line["backward_turns"] == 0 && line["draws"] == 0)
    );
    // Of the ordinary game a win needs a turn back on these boards (tests/data/forward_levels.tsv: 3, then 12).
    assert_eq!(lines[3]["winner_examples"][0], "........o.oo@.oooo....");
    assert_eq!(lines[1]["depth_examples"][0], "........o.oo@.oo....");
}
