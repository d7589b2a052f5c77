//! Obstruction: `probe`, `generate` and `theory dawson`, the program itself.

use phutbase::games::obstruction::{Form, Grid};
use phutbase::nimber::Nimber;
use phutbase::table::nimbers::NimberTable;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn phutbase(tables: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phutbase"));
    command.args(arguments);
    // What is proved without tables takes no directory.
    if arguments[0] != "theory" {
        command.arg("--tables").arg(tables);
    }
    command.output().expect("the program runs")
}

fn text(tables: &Path, arguments: &[&str]) -> String {
    let output = phutbase(tables, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn json(tables: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = text(tables, &[arguments, &["--json"]].concat());
    output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn error(tables: &Path, arguments: &[&str]) -> (i32, String) {
    let output = phutbase(tables, arguments);
    assert!(output.stdout.is_empty(), "{output:?}");
    let message = String::from_utf8(output.stderr).expect("text");
    (output.status.code().expect("an exit code"), message)
}

#[test]
fn a_board_has_a_nimber_a_winner_and_components() {
    let tables = tempfile::tempdir().unwrap();
    let answer = &json(tables.path(), &["probe", "obstruction:....../..x.../......"])[0];
    assert_eq!(answer["nimber"], 0);
    assert_eq!(answer["winner"], "second");
    let shapes: Vec<&Value> = answer["components"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| &part["shape"])
        .collect();
    assert_eq!(shapes, ["1x3", "2x3"]);
    let words = text(tables.path(), &["probe", "obstruction:3x3"]);
    assert!(words.contains("The first player wins\nnimber 1\n"), "{words}");
}

#[test]
fn winning_moves_of_sums() {
    let tables = tempfile::tempdir().unwrap();
    let answer = &json(tables.path(), &["probe", "obstruction:1+2+3"])[0];
    assert_eq!(answer["nimber"], 2);
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 1);
    assert_eq!(
        (&moves[0]["board"], &moves[0]["move"]),
        (&3.into(), &"r1c2".into())
    );
    assert_eq!(moves[0]["position"], "obstruction:1x1 + 1x2 + 1x0");
    assert_eq!(moves[0]["components"].as_array().unwrap().len(), 2);
    assert!(text(tables.path(), &["probe", "obstruction:1x2 + 1x7"]).contains("no winning turn"));
}

#[test]
fn rows_come_with_their_period() {
    let tables = tempfile::tempdir().unwrap();
    let lines = json(tables.path(), &["theory", "dawson", "--max", "1000"]);
    assert_eq!(
        (&lines[0]["period"], &lines[0]["preperiod"]),
        (&34.into(), &52.into())
    );
    assert_eq!(
        lines[0]["exceptions"],
        serde_json::json!([0, 14, 16, 17, 31, 34, 51])
    );
    assert_eq!(lines.len(), 1 + 1001);
    let first: Vec<u64> = lines[1..22]
        .iter()
        .map(|line| line["nimber"].as_u64().unwrap())
        .collect();
    assert_eq!(
        first,
        [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0]
    );
    assert_eq!(lines[1001]["length"], 1000);
    assert!(text(tables.path(), &["theory", "dawson"]).contains("Period 34 from n = 52 on"));
}

#[test]
fn a_table_is_saved_reused_and_grows() {
    let tables = tempfile::tempdir().unwrap();
    let count = |lines: &[Value], status: &str| lines.iter().filter(|line| line["status"] == status).count();
    let first = json(tables.path(), &["generate", "obstruction:4x5"]);
    assert_eq!((first.len(), count(&first, "computed")), (14, 14));
    let again = json(tables.path(), &["generate", "obstruction:4x6", "--threads", "2"]);
    assert_eq!((count(&again, "stored"), count(&again, "computed")), (14, 4));
    let words = text(tables.path(), &["generate", "obstruction:6x4"]);
    assert!(words.contains("    4   0   0   0   0\n"), "{words}");
    assert!(!words.contains("not reached"), "{words}");
}

#[test]
fn shapes_and_graphs_are_probed_like_rectangles() {
    let tables = tempfile::tempdir().unwrap();
    let answer = |position: &str| json(tables.path(), &["probe", position]).remove(0);
    let torus = answer("obstruction:torus:3x7");
    assert_eq!(
        (&torus["nimber"], &torus["winner"], &torus["game"]),
        (&1.into(), &"first".into(), &"obstruction".into())
    );
    assert_eq!(torus["moves"].as_array().unwrap().len(), 21);
    let next = torus["moves"][0]["position"].as_str().unwrap();
    assert_eq!(next, "obstruction:torus:x....../......./.......");
    assert_eq!(answer(next)["nimber"], 0);
    let cubes = answer("obstruction:x../...//.../...//.../... + 1x3");
    assert_eq!(
        (&cubes["nimber"], cubes["components"].as_array().unwrap().len()),
        (&1.into(), 2)
    );
    let graph = answer("obstruction:graph:0-1,1-2,2-3,x3");
    assert_eq!(graph["components"][0]["shape"], "0 1");
    assert_eq!(
        (&graph["moves"][1]["move"], &graph["moves"][1]["position"]),
        (&"1".into(), &"obstruction:graph:0-1,1-2,2-3,x1,x3".into())
    );
}

#[test]
fn misere_play_has_winners_and_no_nimbers() {
    let tables = tempfile::tempdir().unwrap();
    let answer = &json(tables.path(), &["probe", "obstruction:misere:3x3"])[0];
    assert_eq!(
        (&answer["winner"], &answer["value"], answer.get("nimber")),
        (&"second".into(), &"loss".into(), None)
    );
    assert_eq!(answer["moves"], serde_json::json!([]));
    let words = text(tables.path(), &["probe", "obstruction:misere:1+2+3"]);
    assert!(
        words.contains("board 3, r1c1 leaves obstruction:misere:1x1 + 1x2 + 1x1\n"),
        "{words}"
    );
    let (code, message) = error(tables.path(), &["probe", "obstruction:misere:11x11 + 3x3"]);
    assert!(
        code == 1 && message.contains("130 free squares are too many"),
        "{message}"
    );
}

#[test]
fn graphs_are_read_from_files() {
    let tables = tempfile::tempdir().unwrap();
    let file = tables.path().join("graph");
    let name = format!("obstruction:graph:{}", file.display());
    // A path of three vertices.
    for contents in [
        "0-1\n1-2\n",
        "0 1\n1 2",
        "Bg\n",
        ">>graph6<<Bg",
        "c\np edge 3 2\ne 1 2\ne 2 3\n",
    ] {
        std::fs::write(&file, contents).unwrap();
        let answer = &json(tables.path(), &["probe", &name])[0];
        assert_eq!(
            (&answer["nimber"], &answer["position"]),
            (&2.into(), &"obstruction:graph:0-1,1-2".into()),
            "{contents}"
        );
    }
    // All pairs of 128 vertices: longer than any position that is typed.
    let pairs: String = (0..128)
        .flat_map(|a| (0..a).map(move |b| format!("{a} {b}\n")))
        .collect();
    std::fs::write(&file, pairs).unwrap();
    assert_eq!(json(tables.path(), &["probe", &name])[0]["nimber"], 1);
    for (contents, part) in [
        (&b""[..], "without vertices"),
        (b"0-1\n1 1\n", "line 2: an edge from vertex 1 to itself"),
        (b"p edge 3 2\ne 1 4\n", "line 2: DIMACS"),
        (b"Bgg", "graph6: 1 characters"),
        (b"Bg\nBg\n", "2 graphs"),
        (b":An", "sparse6 is not read"),
        (b"\xff\xfe", "it is no text"),
        (b"0-1,x0,x1", "touch"),
        (b"0-200", "graphs of up to 128 vertices"),
    ] {
        std::fs::write(&file, contents).unwrap();
        let (code, message) = error(tables.path(), &["probe", &name]);
        assert!(code == 2 && message.contains(part), "{part}: {message}");
    }
    std::fs::write(&file, vec![b'\n'; (1 << 20) + 1]).unwrap();
    assert!(
        error(tables.path(), &["probe", &name])
            .1
            .contains("more than 1048576 bytes")
    );
    std::fs::remove_file(&file).unwrap();
    assert!(
        error(tables.path(), &["probe", &name])
            .1
            .contains("cannot read it")
    );
    // In a batch no file is read.
    let list = tables.path().join("list");
    std::fs::write(&list, format!("{name}\n")).unwrap();
    let output = phutbase(tables.path(), &["probe", "--batch", list.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("files are read only"),
        "{output:?}"
    );
}

#[test]
fn nimbers_of_shapes_are_stored_shown_and_verified() {
    let tables = tempfile::tempdir().unwrap();
    let made = json(tables.path(), &["generate", "obstruction:cylinder:3x4"]);
    assert_eq!(
        (made.len(), &made[11]["boards"]),
        (12, &"obstruction:cylinder:3x4".into())
    );
    json(tables.path(), &["generate", "obstruction:2x3x3"]);
    let shown = text(tables.path(), &["stats", "obstruction:cylinder:3x5"]);
    assert_eq!(
        shown,
        "  m\\n   1   2   3   4   5\n    1   1   1   1   0   ?\n    2   1   1   1   0   ?\n    3   2   2   2   0   ?\n"
    );
    let stored = json(tables.path(), &["stats", "obstruction:cylinder:3x5"]);
    assert_eq!((stored.len(), &stored[0]["status"]), (12, &"stored".into()));
    assert!(text(tables.path(), &["stats", "obstruction:2x3x3"]).contains("\n\n2 layers\n"));
    let verified = json(tables.path(), &["verify", "obstruction:cylinder:3x4"]);
    assert!(verified.len() == 12 && verified.iter().all(|line| line["ok"] == true));
    let (code, message) = error(tables.path(), &["stats", "obstruction:hex:3x3"]);
    assert!(
        code == 1 && message.contains("phutbase generate obstruction:hex:3x3"),
        "{message}"
    );
    assert_eq!(error(tables.path(), &["verify", "obstruction:hex:3x3"]).0, 1);
}

#[test]
fn a_wrong_nimber_is_found() {
    let tables = tempfile::tempdir().unwrap();
    let mut table = NimberTable::default();
    table.insert(Grid::flat(Form::Torus, 3, 7).unwrap(), Nimber(0));
    table.save(&tables.path().join("obstruction.phut")).unwrap();
    let output = phutbase(tables.path(), &["verify", "obstruction:torus:3x7"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(
        message.contains("obstruction:torus:3x7 is worth 1, and not 0"),
        "{message}"
    );
}

#[test]
fn what_is_not_reached_is_said() {
    let tables = tempfile::tempdir().unwrap();
    json(tables.path(), &["generate", "obstruction:3x3"]);
    let lines = json(tables.path(), &["generate", "obstruction:4x3", "--seconds", "0"]);
    let last = lines.last().unwrap();
    assert_eq!(
        (&last["game"], &last["boards"]),
        (&"obstruction".into(), &"obstruction:3x4".into())
    );
    assert_eq!(
        (&last["status"], &last["nimber"]),
        (&"not reached".into(), &Value::Null)
    );
    assert_eq!(lines[0]["status"], "stored");
    let words = text(tables.path(), &["generate", "obstruction:4x3", "--seconds", "0"]);
    assert!(words.ends_with("not reached: 1x4, 2x4, 3x4\n"), "{words}");
    assert!(words.contains('?'));
}

#[test]
fn a_damaged_table_is_refused() {
    let tables = tempfile::tempdir().unwrap();
    json(tables.path(), &["generate", "obstruction:3x3"]);
    let file = tables.path().join("obstruction.phut");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[18] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    for question in [["generate", "obstruction:3x3"], ["probe", "obstruction:3x3"]] {
        let (code, message) = error(tables.path(), &question);
        assert_eq!(code, 1, "{message}");
        assert!(
            message.contains("obstruction.phut: damaged") && message.contains("delete it"),
            "{message}"
        );
    }
    assert_eq!(std::fs::read(&file).unwrap(), bytes, "the file is left as it was");
}

#[test]
fn bad_usage_is_told_and_exits_with_2() {
    let tables = tempfile::tempdir().unwrap();
    for (arguments, part) in [
        (&["probe", "obstruction:xx"][..], "r1c1 and r1c2 touch"),
        (&["probe", "obstruction:../..."], "row 2 has 3 squares"),
        (&["probe", "obstruction:..o"], "'o' at r1c3"),
        (&["probe", "obstruction:12x11"], "too many"),
        (&["probe", "obstruction:1 +"], "term 2 is empty"),
        (&["theory", "dawson", "--max", "1000001"], "1000000"),
        (&["probe", "obstruction:graph:0-1,2-2"], "vertex 2 to itself"),
        (&["probe", "obstruction:klein:3x3"], "no shape 'klein'"),
        (&["generate", "obstruction:graph:0-1"], "names no boards"),
        (&["generate", "obstruction:6"], "names no boards"),
        (&["generate", "obstruction:../.."], "names no boards"),
        (&["generate", "obstruction:3x3", "--seconds=-1"], "--seconds"),
        (&["generate", "obstruction:3x3", "--memory", "0"], "--memory '0'"),
    ] {
        let (code, message) = error(tables.path(), arguments);
        assert_eq!(code, 2, "{arguments:?}: {message}");
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
    assert!(!tables.path().join("obstruction.phut").exists());
}
