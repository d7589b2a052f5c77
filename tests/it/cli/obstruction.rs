//! Obstruction: `probe`, `generate` and `theory dawson`, the program itself.

use crate::prelude::*;
use phutbase_tables::nimbers::NimberTable;
use serde_json::Value;

/// Returns a field of every object of an array.
fn texts<'a>(array: &'a Value, name: &str) -> Vec<&'a str> {
    let objects = array.as_array().unwrap().iter();
    objects.map(|object| object[name].as_str().unwrap()).collect()
}

/// A search that is out of time was not interrupted.
#[test]
fn a_search_out_of_time_fails() {
    run("probe obstruction:9x9 --time 1ms").fails(1, &["out of time", "--time"]);
}

#[test]
fn positions_have_nimbers_winners_components_and_winning_turns() {
    let tables = Tables::none();
    let answer = tables.probe("obstruction:....../..x.../......");
    assert_eq!(fields(&answer, "nimber winner"), json!([0, "second"]));
    assert_eq!(texts(&answer["components"], "shape"), ["1x3", "2x3"]);
    let answer = tables.probe("obstruction:1+2+3");
    let moves = &answer["winning_turns"];
    assert_eq!(
        (&answer["nimber"], moves.as_array().unwrap().len()),
        (&json!(2), 1)
    );
    let expected = json!([3, "r1c2", "obstruction:1x1 + 1x2 + 1x0"]);
    assert_eq!(fields(&moves[0], "board move position"), expected);
    let torus = tables.probe("obstruction:torus:3x7");
    assert_eq!(fields(&torus, "nimber winner"), json!([1, "first"]));
    let positions = texts(&torus["winning_turns"], "position");
    assert_eq!(
        (positions.len(), &tables.probe(positions[0])["nimber"]),
        (21, &json!(0))
    );
    let graph = tables.probe("obstruction:graph:0-1,1-2,2-3,x3");
    let expected = json!(["1", "obstruction:graph:0-1,1-2,2-3,x1,x3"]);
    assert_eq!(fields(&graph["winning_turns"][1], "move position"), expected);
    let misere = tables.probe("obstruction:misere:3x3");
    assert_eq!(
        fields(&misere, "winner value winning_turns"),
        json!(["second", "loss", []])
    );
    assert_eq!(misere.get("nimber"), None);
    tables
        .run_with("probe", "obstruction:misere:11x11 + 3x3")
        .refuses(3, &["130 free squares"]);
    let lost = tables.run_with("probe", "obstruction:1x2 + 1x7").ok();
    has(&lost.stdout, &["The second player wins\nnimber 0\n"]);
}

#[test]
fn a_table_is_saved_reused_and_grows() {
    let tables = Tables::none();
    let made = |arguments: &str| {
        let lines = tables.lines(&format!("generate {arguments}"));
        ["computed", "stored"].map(|status| lines.iter().filter(|line| line["status"] == status).count())
    };
    assert_eq!(made("obstruction:4x5"), [14, 0]);
    assert_eq!(made("obstruction:4x6 --threads 2"), [4, 14]);
    let words = tables.run("generate obstruction:6x4").ok().stdout;
    assert!(
        words.contains("    4   0   0   0   0\n") && !words.contains("not reached"),
        "{words}"
    );
}

#[test]
fn graphs_are_read_from_files() {
    let tables = Tables::none();
    let file = tables.path().join("graph");
    let name = format!("obstruction:graph:{}", file.display());
    // A path of three vertices.
    let dimacs = "c\np edge 3 2\ne 1 2\ne 2 3\n";
    for contents in ["0-1\n1-2\n", "0 1\n1 2", "Bg\n", ">>graph6<<Bg", dimacs] {
        std::fs::write(&file, contents).unwrap();
        let answer = tables.probe(&name);
        let found = (&answer["nimber"], &answer["position"]);
        assert_eq!(
            found,
            (&json!(2), &json!("obstruction:graph:0-1,1-2")),
            "{contents}"
        );
    }
    // All pairs of 128 vertices: longer than the limit of a position on the command line.
    let pairs = (0..128).flat_map(|a| (0..a).map(move |b| format!("{a} {b}\n")));
    std::fs::write(&file, pairs.collect::<String>()).unwrap();
    assert_eq!(tables.probe(&name)["nimber"], 1);
    let too_long = vec![b'\n'; (1 << 20) + 1];
    for (contents, part) in [
        (&b"0-1\n1 1\n"[..], "line 2: an edge from vertex 1 to itself"),
        (b"\xff\xfe", "not valid UTF-8 text"),
        (&too_long, "1048576 bytes"),
    ] {
        std::fs::write(&file, contents).unwrap();
        let run = tables.run_with("probe", &name);
        run.refuses(2, &[part]);
    }
    std::fs::remove_file(&file).unwrap();
    tables.run_with("probe", &name).refuses(2, &["cannot read it"]);
    // In a batch, files are not read.
    let batch = tables.run_on("probe --batch -", name.as_bytes());
    assert!(
        batch.code == Some(1) && batch.stdout.contains("no file is read here"),
        "{batch:?}"
    );
}

#[test]
fn nimbers_of_shapes_are_stored_shown_and_verified() {
    let tables = Tables::none();
    let lines = |arguments: &str| tables.lines(arguments);
    let made = lines("generate obstruction:cylinder:3x4");
    assert_eq!(
        (made.len(), &made[11]["boards"]),
        (12, &json!("obstruction:cylinder:3x4"))
    );
    lines("generate obstruction:2x3x3");
    let shown = tables.run("stats obstruction:cylinder:3x5").ok().stdout;
    let rows = [
        "  m\\n   1   2   3   4   5",
        "    1   1   1   1   0   ?",
        "    2   1   1   1   0   ?",
    ];
    assert_eq!(shown, rows.join("\n") + "\n    3   2   2   2   0   ?\n");
    let stored = lines("stats obstruction:cylinder:3x5");
    assert_eq!((stored.len(), &stored[0]["nimber"]), (12, &json!(1)));
    assert!(
        tables
            .run("stats obstruction:2x3x3")
            .ok()
            .stdout
            .contains("\n\n2 layers\n")
    );
    let verified = lines("verify obstruction:cylinder:3x4");
    assert!(verified.len() == 12 && verified.iter().all(|line| line["ok"] == true));
    let missing = tables.run("stats obstruction:hex:3x3");
    missing.refuses(1, &["phutbase generate obstruction:hex:3x3"]);
    tables.run("verify obstruction:hex:3x3").refusal(1);
}

#[test]
fn a_wrong_nimber_is_found() {
    let tables = Tables::none();
    let mut table = NimberTable::default();
    table.insert(Grid::new(Form::Torus, &[3, 7]).unwrap(), Nimber(0));
    table.save(&tables.path().join("obstruction.phut")).unwrap();
    let run = tables.run("verify obstruction:torus:3x7");
    run.fails(
        1,
        &["obstruction:torus:3x7: the nimber is 1, but the table has 0"],
    );
}

#[test]
fn boards_that_are_not_reached_are_listed() {
    let tables = Tables::made("obstruction:3x3");
    let lines = tables.lines("generate obstruction:4x3 --time 0s");
    let last = lines.last().unwrap();
    let found = ["game", "boards", "status", "nimber"].map(|field| &last[field]);
    let expected = [
        json!("obstruction"),
        json!("obstruction:3x4"),
        json!("not reached"),
        Value::Null,
    ];
    assert_eq!(found, expected.each_ref());
    assert_eq!(lines[0]["status"], "stored");
}

#[test]
fn boards_are_saved_before_they_are_reported_if_asked() {
    let tables = Tables::none();
    let mut command = tables.phutbase("generate obstruction:9x9 --json --checkpoint-every 0s");
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    let is_saved = tables.path().join("obstruction.phut").exists();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_saved, "{line}");
}

#[test]
fn a_damaged_table_is_refused_and_kept() {
    let tables = Tables::made("obstruction:3x3");
    let file = tables.path().join("obstruction.phut");
    flip_byte(&file, 18);
    let bytes = std::fs::read(&file).unwrap();
    for question in ["generate obstruction:3x3", "probe obstruction:3x3"] {
        let run = tables.run(question);
        run.refuses(3, &["obstruction.phut", "delete it"]);
    }
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}
