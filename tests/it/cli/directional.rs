//! `--rules directional`, verb by verb.

use crate::prelude::*;

/// A pitch of the directional game; strips need no table.
fn tables() -> Tables {
    with_directional_pitch(Tables::none())
}

fn with_directional_pitch(tables: Tables) -> Tables {
    tables.run("generate 4x3 --rules directional").ok();
    tables
}

/// Returns the turns of an answer.
fn turns(answer: &Json) -> Vec<&str> {
    let moves = answer["turns"].as_array().unwrap().iter();
    moves.map(|turn| turn["move"].as_str().unwrap()).collect()
}

/// Tells if every object has directional rules.
fn are_directional(lines: &[Json]) -> bool {
    lines.iter().all(|line| line["rules"] == "directional")
}

#[test]
fn probe_has_the_turns_of_its_rules_and_names_them() {
    let tables = with_directional_pitch(Tables::embedded());
    let options = "probe --json --rules directional --line";
    let probe = |position: &str| tables.run_with(options, position).json();
    let position = "o@o.o.o....";
    let directional = probe(position);
    let expected = json!(["directional", "win", null, [0, 0], "@5"]);
    assert_eq!(
        fields(&directional, "rules value depth potentials turn"),
        expected
    );
    assert!(turns(&directional).contains(&"@5") && !turns(&directional).contains(&"@L"));
    assert_eq!(directional["turns"][0]["move"], directional["turn"]);
    let line = directional["line"].as_array().unwrap();
    assert_eq!(line.last().unwrap()["value"], "win");
    // Without the option the embedded tables answer for the ordinary game.
    let ordinary = tables.probe(position);
    assert!(ordinary["rules"] == "ordinary" && turns(&ordinary).contains(&"@L"));
    let right = probe("o@o.o.o.... R");
    assert!(turns(&right).contains(&"@L") && !turns(&right).contains(&"@3"));
    // In the ordinary game Betty could jump over b2 to c2, or off the board.
    let sideways = probe("3/@o1/3/3 A");
    assert_eq!(fields(&sideways, "game rules"), json!(["pitch", "directional"]));
    assert!(
        !turns(&sideways).iter().any(|turn| turn.contains('-')),
        "{sideways}"
    );
    assert!(turns(&tables.probe("3/@o1/3/3 A")).contains(&"a3-c3"));
}

#[test]
fn generate_stats_verify_and_draws_keep_to_their_rules() {
    let tables = tables();
    let said = tables.run("generate 4x3 --rules directional").ok().stdout;
    assert!(said.contains("(directional rules)"), "{said}");
    assert_eq!(tables.table_names(), ["directional-pitch-4x3-dtw.phut"]);
    // There are no tables of the ordinary game here.
    for verb in ["stats", "verify"] {
        tables.run(verb).refuses(1, &["no tables"]);
    }
    for command in ["stats", "stats 4x3", "verify"] {
        let lines = tables.lines(&format!("{command} --rules directional"));
        assert!(lines.len() == 1 && are_directional(&lines), "{command}");
    }
    let one = tables.lines("stats 4x3 --rules directional").remove(0);
    assert_eq!(fields(&one, "wins longest"), json!([9728, 3]));
    let mut listed = tables.lines("tables");
    listed.retain(|line| line["file"].as_str().unwrap().contains("directional-"));
    assert!(listed.len() == 1 && are_directional(&listed));
}

/// The counts are from an independent program (`tests/data/directional_counts.tsv`).
#[test]
fn draws_of_pitches_are_those_of_the_rules() {
    let tables = Tables::none();
    let counted = tables
        .lines("generate 7x3 --count-only --rules directional")
        .remove(0);
    assert_eq!(
        fields(&counted, "draws longest rules"),
        json!([0, 17, "directional"])
    );
    tables.run("generate 6x4 --rules directional").ok();
    let drawn = (tables.lines("find 6x4 --value draw --cycles --rules directional --limit 1")).remove(0);
    let listed = tables.lines("find 6x4 --value draw --rules directional --limit 1");
    assert_eq!(fields(&listed[0], "rules count"), json!(["directional", 1732]));
    assert_eq!(fields(&drawn, "draws mutual_draws"), json!([1732, 0]));
    let example = &drawn["examples"][0];
    assert_eq!(fields(example, "period forced"), json!([6, true]));
    assert_eq!(tables.table_names(), ["directional-pitch-6x4-dtw.phut"]);
    // The position is drawn; stopping would lose.
    let position = example["position"].as_str().unwrap();
    let answer = tables
        .run_with("probe --rules directional --json", position)
        .json();
    assert_eq!(answer["value"], "draw");
    let turns = answer["turns"].as_array().unwrap().iter();
    assert_eq!(turns.filter(|turn| turn["value"] == "draw").count(), 1);
}

/// Alfred jumps home along a diagonal and back in the ordinary game, which the directional one
/// forbids.
#[test]
fn wins_in_one_obey_the_rules() {
    let position = "5/3o1/3o1/1@o2/5 A";
    let listed = |rules: &str| {
        let run = run_with(&format!("probe --wins --json --rules {rules}"), position);
        let answer: Json = serde_json::from_str(&run.stdout).unwrap();
        let moves = answer["turns"].as_array().unwrap().clone();
        moves
            .into_iter()
            .map(|turn| turn["move"].as_str().unwrap().to_string())
            .collect::<Vec<_>>()
    };
    assert!(listed("ordinary").contains(&"b2-d2-d5".to_string()));
    assert_eq!(listed("directional"), [""; 0]);
}
