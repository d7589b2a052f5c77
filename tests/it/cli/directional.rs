//! `--rules directional`, verb by verb.

use crate::common::cli::{Tables, fields, run, run_with};
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

/// Whether every object is of the directional game.
fn are_directional(lines: &[Json]) -> bool {
    lines.iter().all(|line| line["rules"] == "directional")
}

#[test]
fn probe_has_the_turns_of_its_rules_and_names_them() {
    let tables = tables();
    let probe = |position: &str| {
        tables
            .run_with("probe --json --rules directional --line", position)
            .json()
    };
    let position = "o@o.o.o....";
    let directional = probe(position);
    assert_eq!(
        fields(&directional, "rules value depth"),
        json!(["directional", "win", 13])
    );
    assert!(turns(&directional).contains(&"@5") && !turns(&directional).contains(&"@L"));
    assert_eq!(directional["line"].as_array().unwrap().len(), 13);
    // Without the option it is the ordinary game, from the embedded tables.
    let ordinary = tables.probe(position);
    assert!(ordinary.get("rules").is_none() && turns(&ordinary).contains(&"@L"));
    let right = probe("o@o.o.o.... R");
    assert!(turns(&right).contains(&"@L") && !turns(&right).contains(&"@3"));
    let said = tables.run_with("probe --rules directional", position).ok().stdout;
    assert!(said.contains("11 squares (directional rules)\n"), "{said}");

    // Betty could jump over the chap on b2 to c2; and from b1, below the ball, over the line.
    assert_eq!(
        fields(&probe("3/@2/3/3 A"), "game rules"),
        json!(["pitch", "directional"])
    );
    let sideways = probe("3/@o1/3/3 A");
    assert!(
        turns(&sideways).iter().all(|turn| !turn.contains('-')),
        "{sideways}"
    );
    assert!(turns(&tables.probe("3/@o1/3/3 A")).contains(&"a3-c3"));
}

#[test]
fn the_command_that_makes_a_missing_table_names_the_rules() {
    let tables = tables();
    let refused = |position: &str| {
        let run = tables.run_with("probe --rules directional", position);
        run.refusal(1).to_string()
    };
    let strip = refused(".@..........");
    assert!(strip.contains("length 12 (directional rules)"), "{strip}");
    assert!(
        strip.contains("generate 12 --metric dtw --rules directional --tables"),
        "{strip}"
    );
    let pitch = refused("3/@2/3/3/3");
    assert!(
        pitch.contains("generate 5x3 --rules directional --tables"),
        "{pitch}"
    );
    let large = refused("9/@8/9/9");
    assert!(
        large.contains("36 points are too many") && !large.contains("certify"),
        "{large}"
    );
    tables.run("generate 12 --metric wdl --rules directional").ok();
    let depths = tables.run("stats 12 --ball 3 --rules directional");
    depths.fails(1, &["generate 12 --metric dtw --rules directional"]);
}

#[test]
fn generate_stats_verify_and_draws_keep_to_their_rules() {
    let tables = Tables::none();
    let made = tables.lines("generate 10 --rules directional").remove(0);
    assert_eq!(
        fields(&made, "rules boards wins status"),
        json!(["directional", "10", 2888, "written"])
    );
    let said = tables.run("generate 10 --rules directional").ok().stdout;
    assert!(
        said.contains("(directional rules)") && said.contains("2,888 wins"),
        "{said}"
    );
    tables.run("generate 4x3 --rules directional").ok();
    let names = ["directional-pitch-4x3-dtw.phut", "directional-strip-10-dtw.phut"];
    assert_eq!(tables.table_names(), names);
    // The ordinary game has no tables here.
    for verb in ["stats", "verify"] {
        tables.run(verb).refuses(1, &["no tables"]);
    }
    let stats = tables.lines("stats --rules directional");
    let boards: Vec<&Json> = stats.iter().map(|line| &line["boards"]).collect();
    assert_eq!(boards, ["3", "4", "5", "6", "7", "8", "9", "10", "4x3"]);
    assert!(are_directional(&stats));
    let one = tables.lines("stats 4x3 --rules directional").remove(0);
    assert_eq!(fields(&one, "wins longest"), json!([9728, 3]));
    let sequence = tables.run("stats 9..10 --rules directional --bfile wins").ok();
    assert_eq!(sequence.stdout, "9 1269\n10 2888\n");
    let verified = tables.lines("verify --rules directional");
    assert!(verified.len() == 2 && verified.iter().all(|line| line["ok"] == true));
    assert!(are_directional(&verified));

    let draws = tables.lines("draws 8..12 --rules directional");
    assert!(are_directional(&draws) && draws.iter().all(|line| line["draws"] == 0));
    assert!(
        tables
            .table_names()
            .contains(&"directional-strip-12-wdl.phut".to_string())
    );
    let longer = tables.lines("draws 22 --rules directional").remove(0);
    assert_eq!(fields(&longer, "wins rules"), json!([28_941_391, "directional"]));
    let mut listed = tables.lines("tables");
    listed.retain(|line| line["file"].as_str().unwrap().contains("directional-"));
    assert!(listed.len() == 4 && are_directional(&listed));
    assert!(listed.iter().all(|line| line["error"].is_null()));
}

/// The counts are those of an independent program (tests/data/directional_counts.tsv).
#[test]
fn draws_of_pitches_are_those_of_the_rules() {
    let tables = Tables::none();
    let counted = tables
        .lines("draws 7x3 --count-only --rules directional")
        .remove(0);
    assert_eq!(
        fields(&counted, "draws longest rules"),
        json!([0, 17, "directional"])
    );
    let drawn = tables.lines("draws 6x4 --rules directional --limit 1").remove(0);
    assert_eq!(fields(&drawn, "draws mutual_draws"), json!([1732, 0]));
    let example = &drawn["examples"][0];
    assert_eq!(fields(example, "period forced"), json!([6, true]));
    assert_eq!(tables.table_names(), ["directional-pitch-6x4-dtw.phut"]);
    // The position is drawn, and its player must not stop.
    let position = example["position"].as_str().unwrap();
    let answer = tables
        .run_with("probe --rules directional --json", position)
        .json();
    assert_eq!(answer["value"], "draw");
    let turns = answer["moves"].as_array().unwrap().iter();
    assert_eq!(turns.filter(|turn| turn["value"] == "draw").count(), 1);
}

#[test]
fn a_batch_is_answered_by_its_rules() {
    let tables = tables();
    let input = b"o@o.o.o....\nobstruction:1+2\n4/4/4\n.@.\n";
    let lines = tables
        .run_on("probe --batch - --rules directional", input)
        .json_lines();
    assert_eq!(
        (&lines[0]["rules"], &lines[3]["depth"]),
        (&json!("directional"), &json!(3))
    );
    let refused = lines[1]["error"].as_str().unwrap();
    assert!(
        refused.contains("only strips and pitches are played by directional rules"),
        "{refused}"
    );
}

#[test]
fn other_games_and_verbs_have_no_such_rules() {
    for arguments in [
        "probe obstruction:1+2 --rules directional",
        "probe oddish:..o^o. --rules directional",
        "stats obstruction:3x3 --rules directional",
        "verify obstruction:3x3 --rules directional",
        "generate obstruction:3x3 --rules directional",
        "stats --rules sideways",
        "find 9 --rules directional",
        "export 9 --rules directional",
        "ugi --rules directional",
    ] {
        let run = run(arguments);
        assert!(
            run.code == Some(2) && run.stderr.contains("--rules"),
            "{arguments}: {run:?}"
        );
    }
    let ordinary = run_with("probe --rules ordinary --json", ".@.").json();
    assert!(ordinary.get("rules").is_none());
}

#[test]
fn the_theory_shows_where_the_games_part() {
    let lines = run("theory directional 19..23 --depths-length 22 --json")
        .ok()
        .json_lines();
    let found: Json = lines
        .iter()
        .map(|line| fields(line, "length other_winner other_depth"))
        .collect();
    let expected = json!([[19, 0, 0], [20, 0, 3], [21, 0, 13], [22, 3, 41], [23, 12, null]]);
    assert_eq!(found, expected);
    assert!(
        lines
            .iter()
            .all(|line| line["backward_turns"] == 0 && line["draws"] == 0)
    );
    // In the ordinary game a win needs a turn back on these boards (tests/data/forward_levels.tsv: 3, then 12).
    assert_eq!(lines[3]["winner_examples"][0], "........o.oo@.oooo....");
    assert_eq!(lines[1]["depth_examples"][0], "........o.oo@.oo....");
}
